//! The paper on checking a hidden board.

use broadside_rules::{Draft, Picture, Rules, ViolationKind, baseline};

use super::timings::ValidationTimes;
use super::{Chapter, Check, Figure, Row, Section, Table, Unit};
use crate::draw::Board;

/// The four valid boards that the paper's methods are tried on, as pictures with an empty line between them.
pub const VALID_BOARDS: &str = include_str!("boards/valid.txt");
/// The five invalid ones.
pub const INVALID_BOARDS: &str = include_str!("boards/invalid.txt");

/// Table 2: milliseconds for nine boards, by brute force and by the skip method.
const TABLE_2: [(u32, u32); 15] = [
    (48, 44),
    (38, 38),
    (45, 41),
    (40, 42),
    (39, 40),
    (38, 38),
    (39, 41),
    (39, 39),
    (39, 40),
    (42, 41),
    (41, 40),
    (40, 43),
    (41, 40),
    (38, 40),
    (38, 39),
];

pub(super) fn chapter(times: &ValidationTimes) -> Chapter {
    Chapter {
        number: "004",
        short: "validation paper",
        title: "Checking a hidden board",
        citation: "A paper on validating Battleship boards by brute force; its title, author and year are not known",
        link: None,
        about: "Validating boards of the fleet 4,3,3,2,2,2,1,1,1,1 that may not touch: brute force, and a \
                method that skips squares already counted.",
        sections: vec![figures(), speed(times)],
    }
}

fn boards(text: &str) -> Vec<Picture> {
    text.split("\n\n").map(|picture| picture.parse().expect("a board of the test data")).collect()
}

/// Whether both methods of the paper and the default one give this answer.
fn all_say(picture: &Picture, valid: bool) -> usize {
    let rules = baseline::rules();
    let answers = [baseline::brute_force(picture), baseline::skip(picture), picture.is_legal(&rules)];
    answers.iter().filter(|&&answer| answer == valid).count()
}

fn figures() -> Section {
    let rules = baseline::rules();
    let (valid, invalid) = (boards(VALID_BOARDS), boards(INVALID_BOARDS));
    let (figure_2, figure_3, figure_4) = (&valid[0], &invalid[0], &invalid[1]);
    let methods = |place, claim: &str, picture, answer| {
        Row::new(place, claim, Check::All { total: 3, agree: all_say(picture, answer), what: "methods" })
            .by("broadside validate --preset russian")
    };
    let all = valid
        .iter()
        .map(|board| all_say(board, true))
        .chain(invalid.iter().map(|board| all_say(board, false)))
        .filter(|&methods| methods == 3)
        .count();
    let sizes =
        (1..=4).filter(|&size| rules.fleet().lengths().iter().filter(|length| length.get() == size).count() == 5 - size).count();
    let rows = vec![
        Row::new("table 1", "There are 5 − k ships of size k", Check::All { total: 4, agree: sizes, what: "sizes" }),
        methods("figure 2", "The board is valid", figure_2, true),
        methods("figure 3", "The board is invalid", figure_3, false),
        Row::new(
            "figure 3",
            "The ships in rows 8 and 9 touch at a corner",
            Check::Same { source: 1, measured: touching(figure_3, &rules) },
        )
        .says("1 fault: rows 8 and 9")
        .by("broadside validate --preset russian testdata/figure-3.txt"),
        methods("figure 4", "The board is invalid", figure_4, false),
        Row::new(
            "figure 4",
            "It has 8 ships of one square instead of 4",
            Check::Same { source: 8, measured: singles(figure_4, &rules) },
        )
        .note("The scan has lost the last square of rows 5 and 7; with a ship in the first of them there are eight."),
        Row::new("figure 4", "Ships overlap in rows 3 and 4", Check::Same { source: 1, measured: bent(figure_4, &rules) })
            .says("overlapping ships")
            .note("Squares C1, C2, C3 and D3 are joined by their sides, so they are reported as one bent ship."),
        Row::new("section IV", "Nine boards, every method right about each", Check::All { total: 9, agree: all, what: "boards" })
            .note("The paper prints three of its nine; the other six are ours.")
            .by("broadside bench validate"),
    ];
    Section {
        title: "Figures 2 to 4",
        about: "What the scan garbled is read as ships; see testdata/checking-paper/README.md of the project.".into(),
        rows,
        figures: pictures(figure_2, figure_3, figure_4),
        ..Section::default()
    }
}

fn pictures(figure_2: &Picture, figure_3: &Picture, figure_4: &Picture) -> Vec<Figure> {
    let picture = |name: &str, caption: &str, picture: &Picture| Figure {
        caption: format!("{name}: {caption}."),
        svg: Board::new(picture.grid()).with_ships(picture.cells()).with_title(name).svg(),
        wide: false,
    };
    vec![
        picture("Figure 2", "valid", figure_2),
        picture("Figure 3", "H5 touches I6 at a corner", figure_3),
        picture("Figure 4", "a bent ship, and eight ships of one square", figure_4),
    ]
}

fn kinds(picture: &Picture, rules: &Rules) -> Vec<ViolationKind> {
    let report = Draft::Picture(picture.clone()).check(rules);
    report.violations().iter().map(broadside_rules::Violation::kind).collect()
}

fn touching(picture: &Picture, rules: &Rules) -> u128 {
    kinds(picture, rules).iter().filter(|kind| matches!(kind, ViolationKind::Touching)).count() as u128
}

fn bent(picture: &Picture, rules: &Rules) -> u128 {
    kinds(picture, rules).iter().filter(|kind| matches!(kind, ViolationKind::Bent)).count() as u128
}

fn singles(picture: &Picture, rules: &Rules) -> u128 {
    let found = |kind: &ViolationKind| match kind {
        ViolationKind::WrongNumber { length, found, .. } if length.get() == 1 => Some(*found as u128),
        _ => None,
    };
    kinds(picture, rules).iter().find_map(found).unwrap_or(0)
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len() as f64
}

/// Why a time of another machine is no contradiction.
const ELSEWHERE: &str = "Another machine, and a program that is compiled.";

fn speed(times: &ValidationTimes) -> Section {
    let printed = |column: fn(&(u32, u32)) -> u32| f64::from(TABLE_2.iter().map(column).sum::<u32>()) / TABLE_2.len() as f64;
    let average = |name: &str, source, measured| {
        Row::new(
            "table 2",
            format!("The fifteen printed runs of {name} have this average"),
            Check::Rounded { source, measured, decimals: 1 },
        )
        .note("Milliseconds, from the paper’s own rows.")
    };
    let (brute, skip) = (printed(|run| run.0), printed(|run| run.1));
    let (ours_brute, ours_skip) = (mean(&times.brute), mean(&times.skip));
    let rows = vec![
        average("brute force", 40.3, brute),
        average("skip", 40.4, skip),
        Row::new("table 2", "Brute force, nine boards", Check::About { source: 40.3e-3, measured: ours_brute })
            .timing(Unit::Seconds)
            .cause(ELSEWHERE)
            .by("broadside bench validate"),
        Row::new("table 2", "The skip method, nine boards", Check::About { source: 40.4e-3, measured: ours_skip })
            .timing(Unit::Seconds)
            .cause(ELSEWHERE)
            .by("broadside bench validate"),
        Row::new(
            "section IV",
            "“Almost the same”: skip takes as long as brute force",
            Check::About { source: 40.4 / 40.3, measured: ours_skip / ours_brute },
        )
        .timing(Unit::Times)
        .by("broadside bench validate"),
    ];
    let about = "Times of this run. The paper has milliseconds for a whole program; here the check alone is timed, \
                 over thousands of passes a run."
        .into();
    Section { title: "Table 2", about, rows, tables: vec![table_2(times)], ..Section::default() }
}

fn table_2(times: &ValidationTimes) -> Table {
    let microseconds = |seconds: f64| format!("{:.3}", seconds * 1e6);
    let printed = |run: usize| {
        TABLE_2.get(run).map_or(("–".to_owned(), "–".to_owned()), |(brute, skip)| (brute.to_string(), skip.to_string()))
    };
    let ours = |run: usize| [&times.brute, &times.skip, &times.fast_check].map(|column| microseconds(column[run]));
    let line = |run: usize| {
        let ((brute, skip), ours) = (printed(run), ours(run));
        [vec![(run + 1).to_string(), brute, skip], ours.into()].concat()
    };
    let averages = [&times.brute, &times.skip, &times.fast_check].map(|column| microseconds(mean(column)));
    let last = [vec!["average".to_owned(), "40.3".to_owned(), "40.4".to_owned()], averages.into()].concat();
    Table {
        caption: "Table 2: milliseconds there, microseconds here, for nine boards".to_owned(),
        head: ["run", "brute force, ms", "skip, ms", "brute force, µs", "skip, µs", "default, µs"].map(str::to_owned).into(),
        body: (0..times.brute.len()).map(line).chain([last]).collect(),
    }
}
