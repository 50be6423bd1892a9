//! The paper on exact probabilities by listing cliques.

use broadside_odds::{Budget, Counts, Engine};
use broadside_rules::{Cell, Length, Placement, Rules, ShotLog};

use super::timings::CountingTimes;
use super::{Chapter, Check, Figure, Progress, Row, Section, Table, Unit};
use crate::draw::Board;

pub(super) fn chapter(times: &CountingTimes, progress: &dyn Progress) -> Chapter {
    progress.begin("exact odds");
    Chapter {
        number: "003",
        short: "cliques paper",
        title: "Computing the probability of striking a battleship",
        citation: "Jack Spalding-Jamieson, “Computing the Probability of Striking a Battleship”, University of Waterloo, \
                   2021 or later",
        link: None,
        about: "The exact chance of a ship on every square, by listing \
                the n-cliques of the graph of placements.",
        sections: vec![empty_board(), conditions(), speed(times)],
    }
}

fn count(text: &str, shots: &str) -> Counts {
    let rules: Rules = text.parse().expect("rules that can be played");
    let log = ShotLog::parse(&rules, shots).expect("a log of these rules");
    Engine::Transfer.count(&log, Budget::default()).expect("the board is in reach")
}

fn empty_board() -> Section {
    let counts = count("classic", "");
    let apart = count("10x10 5,4,3,3,2 never ship", "");
    let ships_told_apart = counts.layouts() * 2;
    let chances: f64 = counts.grid().cells().map(|cell| counts.chance(cell)).sum();
    let rows = vec![
        Row::new(
            "section 4",
            "Configurations of the empty board, the two ships of 3 told apart",
            Check::Same { source: 30_093_975_536, measured: ships_told_apart },
        )
        .by("broadside count")
        .note(
            "Layouts count once here, so ‘broadside count’ says half of it: 15,046,987,768. The number itself is \
             published, not printed in the paper.",
        ),
        Row::new(
            "section 4",
            "The same fleet when ships may not touch, not even at corners",
            Check::Same { source: 1_925_751_392, measured: apart.layouts() },
        )
        .by("broadside count --touch never"),
        Row::new(
            "section 2",
            "The chances of all squares add up to the 17 squares of the ships",
            Check::Rounded { source: 17.0, measured: chances, decimals: 9 },
        ),
        fewer_row(&counts),
    ];
    let board = Board::new(counts.grid()).with_chances(|cell| counts.chance(cell)).with_title("The empty classic board");
    let figures = vec![Figure {
        caption: format!(
            "The exact chance of a ship on every square of the empty board, in percent: {} layouts.",
            super::text::whole(counts.layouts())
        ),
        svg: board.with_caption("chance of a ship, in percent").svg(),
        wide: false,
    }];
    Section {
        title: "The empty board",
        about: "10x10 with ships of 5, 4, 3, 3 and 2, which may touch. All numbers are exact integers.".into(),
        rows,
        figures,
        ..Section::default()
    }
}

/// “The input with the most valid configurations is the empty board.”
fn fewer_row(empty: &Counts) -> Row {
    let log = |cell: Cell, answer: char| count("classic", &format!("{cell}{answer}")).layouts();
    let fewer = empty.grid().cells().filter(|&cell| log(cell, '-') < empty.layouts() && log(cell, '+') < empty.layouts()).count();
    Row::new(
        "section 4",
        "Fewer configurations fit after any first shot, hit or miss",
        Check::All { total: empty.grid().len(), agree: fewer, what: "squares" },
    )
    .by("broadside odds --shots …")
}

/// A position in which the paper's conditions, as printed, let through what its definition of a hit excludes.
const UNSUNK: &str = "B1+ B2+";
const SMALL: &str = "3x3 3,2 allowed ship";

fn conditions() -> Section {
    let agree = |text: &str, shots: &str| {
        let rules: Rules = text.parse().expect("rules that can be played");
        let log = ShotLog::parse(&rules, shots).expect("a log of these rules");
        let [cliques, transfer] =
            [Engine::Clique, Engine::Transfer].map(|engine| engine.count(&log, Budget::default()).expect("in reach"));
        let same = cliques.cells().iter().zip(transfer.cells()).filter(|(a, b)| a == b).count();
        Check::All { total: cliques.cells().len(), agree: same, what: "squares" }
    };
    let midgame = "E5- C3+ C4+ C5#3 G7- E8+ B8- H4- F2-";
    let listed = Check::Same { source: as_printed(), measured: count(SMALL, UNSUNK).layouts() };
    let rows = vec![
        Row::new(
            "section 2",
            "Listing cliques gives the number of every square: 3x3 with ships of 2 and 3 (figure 2’s board)",
            agree(SMALL, ""),
        )
        .note("Compared with the transfer engine, which counts in another way."),
        Row::new("section 2", "The same in the middle of a classic game", agree("classic", midgame))
            .by(format!("broadside odds --engine clique --shots '{midgame}'")),
        Row::new(
            "section 2",
            "The two printed conditions are all that a log says, on 3x3 with ships of 3 and 2 after hits at B1 and B2",
            listed,
        )
        .note(
            "A ship that was not announced sunk has a square left by the paper’s own definition of a hit, so the ship \
             of 2 can’t be at B1–B2. The two conditions leave that out.",
        ),
    ];
    Section {
        title: "What a log allows",
        about: "Which placements the graph keeps after some shots.".into(),
        rows,
        ..Section::default()
    }
}

/// Configurations that cover the hits of [`UNSUNK`] by the paper's two conditions alone: there are no misses and no
/// sinkings, so any two ships apart from each other will do.
fn as_printed() -> u128 {
    let rules: Rules = SMALL.parse().expect("rules that can be played");
    let log = ShotLog::parse(&rules, UNSUNK).expect("a log of these rules");
    let ships = |length| Placement::all(rules.grid(), Length::new(length).expect("a length")).collect::<Vec<_>>();
    let (threes, twos) = (ships(3), ships(2));
    let pairs = threes.iter().flat_map(|three| twos.iter().map(move |two| (three, two)));
    let fits = |&(three, two): &(&Placement, &Placement)| {
        let covered = |cell: Cell| three.cells().chain(two.cells()).any(|ship| ship == cell);
        three.compatible(*two, rules.touch()) && log.hits().iter().all(covered)
    };
    pairs.filter(fits).count() as u128
}

/// Why a time of another machine is no contradiction.
const ELSEWHERE: &str = "Another machine and another program.";

fn speed(times: &CountingTimes) -> Section {
    let rows = vec![
        time_row("The empty board on one thread", 146.37, times.listing.map(|(one, _)| one))
            .timing(Unit::Seconds)
            .cause(ELSEWHERE),
        time_row(&format!("On 8 threads there, {} here", times.threads), 36.36, times.listing.map(|(_, all)| all))
            .timing(Unit::Seconds)
            .cause(ELSEWHERE),
        Row::new("section 4", "On a GPU (RTX 3080)", Check::Unmeasured { source: 5.70, why: "no GPU in this program" })
            .timing(Unit::Seconds),
        time_row(
            &format!("How many times as fast 8 threads are there, {} here", times.threads),
            146.37 / 36.36,
            times.listing.map(|(one, all)| one / all),
        )
        .timing(Unit::Times)
        .cause("Another number of threads."),
        Row::new(
            "section 4",
            "Faster than the paper’s best, 5.70 s on a GPU: the transfer engine on one thread",
            Check::NeverAbove { source: 5.70, measured: times.transfer, as_many: true },
        )
        .timing(Unit::Seconds)
        .by("broadside bench odds"),
    ];
    let about = "Times of this run on this machine beside those of the paper’s (AMD Ryzen 5 1400, RTX 3080). They \
                 change from run to run."
        .into();
    Section { title: "Speed", about, rows, tables: vec![speed_table(times)], ..Section::default() }
}

fn time_row(claim: &str, source: f64, measured: Option<f64>) -> Row {
    let check = measured.map_or(Check::Unmeasured { source, why: "left out" }, |measured| Check::About { source, measured });
    Row::new("section 4", claim, check).by("broadside bench odds")
}

fn speed_table(times: &CountingTimes) -> Table {
    let none = || "–".to_owned();
    let line = |name: &str, paper: &str, ours: Option<f64>| {
        let ratio = times.listing.zip(ours).map_or_else(none, |((one, _), ours)| Unit::Times.show(one / ours, 1));
        vec![name.to_owned(), paper.to_owned(), ours.map_or_else(none, |ours| Unit::Seconds.plain(ours)), ratio]
    };
    Table {
        caption: "The empty board, all 100 squares; the last column is against listing on one thread in this run".to_owned(),
        head: ["method", "paper", "here", "speed"].map(str::to_owned).into(),
        body: vec![
            line("listing cliques, one thread", "146.37 s", times.listing.map(|(one, _)| one)),
            line(
                &format!("listing cliques, 8 threads there, {} here", times.threads),
                "36.36 s",
                times.listing.map(|(_, all)| all),
            ),
            line("listing cliques, GPU", "5.70 s", None),
            line("transfer engine, one thread", "–", Some(times.transfer)),
        ],
    }
}
