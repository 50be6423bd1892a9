//! Probability density: the article's results, and its examples of a lone carrier.

use broadside_captains::{GameRng, captain};
use broadside_odds::{Budget, Counts, Engine};
use broadside_rules::{Cell, Placement, Preset, Rules, ShotLog};
use rand::SeedableRng;

use super::super::games::sampled;
use super::super::{Check, Figure, Row, Section, Table, Unit, text};
use super::{ARTICLE_GAMES, CAPTAINS, Shots, example_row, median_row};
use crate::Histogram;
use crate::draw::{self, Board};
use crate::stats::wilson;

pub(super) fn section(shots: &Shots) -> Section {
    let (density, command) = shots.get("density");
    let order = CAPTAINS.map(|name| (name, sampled(shots.get(name).0))).into();
    let rows = vec![
        median_row("probability density", 42.0, density, command)
            .note("No weight of placements through hits that was tried does better; the table is in density.rs."),
        median_row(
            "probability density, ships dealt one after the other",
            42.0,
            &shots.sequential_density,
            &shots.sequential_command,
        )
        .note("The article doesn’t say how it deals; that way some layouts are likelier than others."),
        Row::new("results", "No game takes longer than 73 moves", longest(density)).by(command),
        perfect_row(density, command),
        Row::new("results", "Each of the four is better than the one before", Check::SampledFalling(order)),
        example_row("probability density", 34.0, density, command),
    ];
    let about = "Every placement of every ship left counts for the squares it covers; placements through hits weigh \
                 more. The article leaves open how much more."
        .into();
    Section { title: "Probability density", about, rows, tables: vec![summary(shots)], figures: figures(shots) }
}

fn longest(density: &Histogram) -> Check {
    let measured = density.largest().unwrap_or(0) as f64;
    Check::NeverAbove { source: 73.0, measured, as_many: density.total() >= ARTICLE_GAMES }
}

fn perfect_row(density: &Histogram, command: &str) -> Row {
    let (perfect, games) = (density.count_of(17), density.total());
    let interval = wilson(perfect, games).map_or((0.0, 1.0), |interval| (interval.low, interval.high));
    let check = Check::Within { source: 1e-6, measured: perfect as f64 / games as f64, interval };
    Row::new("results", "About one game in a million is perfect", check)
        .unit(Unit::PerMillion)
        .note(format!("{perfect} of {} games; Wilson’s 95% interval.", text::whole(games.into())))
        .by(command)
}

fn summary(shots: &Shots) -> Table {
    let line = |name: &str| {
        let counted = shots.get(name).0;
        let number = |number: Option<i64>| number.map_or("–".to_owned(), |number| number.to_string());
        let mean = sampled(counted);
        vec![
            name.to_owned(),
            text::whole(counted.total().into()),
            format!("{} {}", Unit::Plain.sampled(mean), Unit::Plain.error(mean.std_err)),
            format!("{:.2}", counted.deviation()),
            number(counted.smallest()),
            number(counted.percentile(5)),
            number(counted.median()),
            number(counted.percentile(95)),
            number(counted.largest()),
            counted.count_of(17).to_string(),
            shots.origin(name).to_owned(),
        ]
    };
    let head = ["captain", "games", "mean shots", "sd", "shortest", "5%", "median", "95%", "longest", "perfect", "games from"]
        .map(str::to_owned)
        .into();
    Table { caption: "The four captains on the classic board".to_owned(), head, body: CAPTAINS.map(line).into() }
}

fn figures(shots: &Shots) -> Vec<Figure> {
    let captains = || CAPTAINS.iter().map(|name| (*name, shots.get(name).0));
    let games = captains().map(|(_, counted)| counted.total()).min().unwrap_or(0);
    let caption = format!("classic board, at least {} games each", text::whole(games.into()));
    vec![
        Figure {
            caption: "The article’s last histogram: all four captains on one scale.".to_owned(),
            svg: draw::histogram(captains(), &caption).svg(),
            wide: false,
        },
        Figure {
            caption: "Its last cumulative chart: games over after so many shots.".to_owned(),
            svg: draw::cumulative(captains(), &caption).svg(),
            wide: false,
        },
    ]
}

/// Three squares from the lower and the left edge: too near for a ship of 5 below it or left of it.
const MISS: &str = "G4-";

/// The article's examples with a carrier alone, and what it says of the first shots.
pub(super) fn fields() -> Section {
    let carrier: Rules = "10x10 5 allowed ship".parse().expect("one ship fits");
    let log = ShotLog::parse(&carrier, MISS).expect("a miss");
    let counts = Engine::Transfer.count(&log, Budget::default()).expect("in reach");
    let rows = [field_rows(&counts), first_shot_rows()].concat();
    let svg = Board::from_log(&log)
        .with_chances(|cell| counts.chance(cell))
        .with_title("A carrier after one miss")
        .with_caption("chance of the carrier, in percent")
        .svg();
    let figures = vec![Figure {
        caption: "Where a ship of 5 can be after a miss at G4, as in the article’s first example.".to_owned(),
        svg,
        wide: false,
    }];
    let about = "The article’s pictures are lost; their captions say what they showed. A carrier alone after a miss \
                 three squares from the lower and the left edge, and the first squares of a game."
        .into();
    Section { title: "Shaded boards", about, rows, figures, ..Section::default() }
}

fn field_rows(counts: &Counts) -> Vec<Row> {
    let at = |name: &str| counts.at(name.parse().expect("a cell")) as f64;
    let row = |claim: &str, values: Vec<(&'static str, f64)>| {
        Row::new("examples", claim, Check::Falling(values)).note("Placements of the carrier through each square.")
    };
    vec![
        row(
            "After a miss the carrier is less likely south of it, where it can’t fit vertically",
            vec![("north, F4", at("F4")), ("south, H4", at("H4"))],
        ),
        row("It is less likely west of it", vec![("east, G5", at("G5")), ("west, G3", at("G3"))]),
        row(
            "Chances fall off towards edges and corners",
            vec![("E6", at("E6")), ("edge, A6", at("A6")), ("corner, A1", at("A1"))],
        ),
        Row::new(
            "examples",
            "A miss has no chance at all",
            Check::Same { source: 0, measured: counts.at("G4".parse().expect("a cell")) },
        ),
    ]
}

fn first_shot_rows() -> Vec<Row> {
    let rules = Preset::Classic.rules();
    let scores = |shots: &str| {
        let log = ShotLog::parse(&rules, shots).expect("a log of these rules");
        let mut density = captain("density", &rules).expect("a captain of the roster");
        density.explain(&log, &mut GameRng::seed_from_u64(0))
    };
    let score = |reason: &broadside_captains::Reason, cell: Cell| reason.scores[rules.grid().index(cell)].unwrap_or(0.0);
    let first = scores("");
    let hit: Cell = "E5".parse().expect("a cell");
    let around: Vec<usize> = rules.grid().side_neighbours(hit).map(|cell| placements_through(&rules, hit, cell)).collect();
    let equal = around.iter().filter(|&&number| number == around[0]).count();
    let [centre, edge, corner] = ["E5", "A5", "A1"].map(|name| score(&first, name.parse().expect("a cell")));
    vec![
        Row::new(
            "walkthrough",
            "The middle scores higher than an edge, an edge higher than a corner",
            Check::Falling(vec![("E5", centre), ("edge, A5", edge), ("corner, A1", corner)]),
        ),
        Row::new(
            "walkthrough",
            "After a hit near the centre the four squares around it are equal",
            Check::All { total: around.len(), agree: equal, what: "squares" },
        )
        .note(format!("A hit at E5 with no shot before it: {} placements of the five ships go through it and each.", around[0])),
    ]
}

/// How many placements of all ships cover both cells.
fn placements_through(rules: &Rules, hit: Cell, cell: Cell) -> usize {
    let covers = |ship: &Placement| [hit, cell].iter().all(|&both| ship.cells().any(|under| under == both));
    rules.fleet().lengths().iter().map(|&length| Placement::all(rules.grid(), length).filter(covers).count()).sum()
}
