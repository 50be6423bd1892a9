//! The cases that the page's modules are tested with (`page-tests/`), held to the rules themselves.

use broadside_lab::draw::{HeatColour, Rgb};
use broadside_odds::{Budget, oracle};
use broadside_rules::{Answer, Cell, Placement, Rules, Shot, ShotLog, Touch};
use serde::Deserialize;
use serde::de::DeserializeOwned;

fn cases<T: DeserializeOwned>(name: &str) -> T {
    let path = format!("{}/../../testdata/page/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[derive(Deserialize)]
struct Notation {
    cells: Vec<CellCase>,
    not_cells: Vec<String>,
    ships: Vec<ShipCase>,
    shots: Vec<ShotCase>,
    not_shots: Vec<String>,
}

#[derive(Deserialize)]
struct CellCase {
    text: String,
    row: usize,
    col: usize,
}

#[derive(Deserialize)]
struct ShipCase {
    text: String,
    cells: Vec<Cell>,
}

#[derive(Deserialize)]
struct ShotCase {
    text: String,
    cell: Cell,
    answer: String,
    length: Option<u8>,
}

fn answer_word(answer: Answer) -> &'static str {
    match answer {
        Answer::Miss => "miss",
        Answer::Untold => "untold",
        Answer::Hit(_) => "hit",
        Answer::Sunk(_) => "sunk",
    }
}

#[test]
fn cells_ships_and_shots_are_read_as_the_page_reads_them() {
    let notation: Notation = cases("notation");
    for case in notation.cells {
        assert_eq!(case.text.parse::<Cell>().ok(), Cell::new(case.row, case.col), "{}", case.text);
    }
    for case in notation.ships {
        let ship: Placement = case.text.parse().unwrap();
        assert_eq!(ship.cells().collect::<Vec<_>>(), case.cells, "{}", case.text);
    }
    for case in notation.shots {
        let shot: Shot = case.text.parse().unwrap();
        let read = (shot.cell, answer_word(shot.answer), shot.answer.length().map(|length| length.get() as u8));
        assert_eq!(read, (case.cell, case.answer.as_str(), case.length), "{}", case.text);
    }
    assert!(notation.not_cells.iter().all(|text| text.parse::<Cell>().is_err()));
    assert!(notation.not_shots.iter().all(|text| text.parse::<Shot>().is_err()));
}

#[derive(Deserialize)]
struct FleetCase {
    touch: Touch,
    placed: Placement,
    ship: Placement,
    fits: bool,
}

#[test]
fn two_ships_go_together_where_the_page_says_so() {
    for case in cases::<Vec<FleetCase>>("fleets") {
        assert_eq!(case.placed.compatible(case.ship, case.touch), case.fits, "{} and {}", case.placed, case.ship);
    }
}

#[derive(Deserialize)]
struct SunkCase {
    why: String,
    rules: Rules,
    shots: String,
    sunk: Vec<Placement>,
}

/// The page infers less than everything (it looks at sinkings alone), but what it shows must hold in every layout that fits.
#[test]
fn ships_that_the_page_shows_as_sunk_are_there_in_every_layout() {
    for case in cases::<Vec<SunkCase>>("sunk") {
        let log = ShotLog::parse(&case.rules, &case.shots).unwrap();
        let mut layouts = 0;
        oracle::each_layout(&case.rules, Budget::default(), &mut |layout| {
            if oracle::fits(&log, layout) {
                layouts += 1;
                assert!(case.sunk.iter().all(|ship| layout.ships().contains(ship)), "{}: {layout}", case.why);
            }
        })
        .unwrap();
        assert!(layouts > 0, "{}: the log is possible", case.why);
    }
}

#[derive(Deserialize)]
struct AddressCase {
    log: String,
}

#[test]
fn logs_of_addresses_are_logs() {
    for case in cases::<Vec<AddressCase>>("addresses") {
        let shots: Vec<Shot> = case.log.split_whitespace().map(|shot| shot.parse().unwrap()).collect();
        assert_eq!(shots.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "), case.log);
    }
}

#[derive(Deserialize)]
struct HeatCase {
    share: f64,
    background: String,
    white_text: bool,
}

/// The page colours its heat map itself, by the scale of the pictures.
#[test]
fn the_heat_scale_of_the_page_is_that_of_pictures() {
    for case in cases::<Vec<HeatCase>>("heat") {
        let colour = HeatColour::new(case.share);
        let white = colour.text == Rgb(255, 255, 255);
        assert_eq!((colour.background.to_string(), white), (case.background, case.white_text), "{}", case.share);
    }
}
