//! Boards with very many faults get an answer that is short, and says how many faults it leaves out.

use std::collections::BTreeMap;

use broadside_rules::{
    Cell, CellSet, Draft, Fleet, Grid, Length, Picture, Placement, Preset, Report, Rules, Touch, Violation, ViolationKind,
};
use proptest::prelude::*;

use crate::naive;

type Fault = (ViolationKind, Vec<Cell>);

fn fault(violation: &Violation) -> Fault {
    (violation.kind(), violation.cells().to_vec())
}

/// The length of all that a user would be told.
fn bytes(report: &Report) -> usize {
    report.violations().iter().map(|violation| violation.to_string().len()).sum()
}

/// How many faults of each kind a report speaks of, listed or left out.
fn counts(faults: impl IntoIterator<Item = ViolationKind>) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for kind in faults {
        let (word, count) = match kind {
            ViolationKind::Omitted { kind, count } => (kind, count),
            kind => (kind.word(), 1),
        };
        *counts.entry(word).or_default() += count;
    }
    counts
}

fn omitted(report: &Report, word: &str) -> usize {
    let of_kind = |violation: &Violation| match violation.kind() {
        ViolationKind::Omitted { kind, count } if kind == word => Some(count),
        _ => None,
    };
    report.violations().iter().find_map(of_kind).unwrap_or(0)
}

#[test]
fn thousands_of_ships_on_one_cell_get_a_short_answer_with_the_number_of_overlaps() {
    let ships = vec!["A1".parse::<Placement>().unwrap(); 13_000];
    for rules in [Preset::Classic.rules(), Preset::Russian.rules()] {
        let report = Draft::Ships(ships.clone()).check(&rules);
        assert!(!report.is_valid());
        assert!(report.violations().len() < 60, "{} violations", report.violations().len());
        assert!(bytes(&report) < 4_000, "{} bytes", bytes(&report));
        // Each pair of 13,000 ships.
        assert_eq!(omitted(&report, "overlap"), 13_000 * 12_999 / 2 - Violation::MAX_LISTED);
        assert_eq!(omitted(&report, "touching"), 0);
    }
}

#[test]
fn thousands_of_ships_off_the_board_and_too_long_get_a_short_answer() {
    let ships = vec!["M1-M64".parse::<Placement>().unwrap(); 13_000];
    let report = Draft::Ships(ships).check(&Preset::Classic.rules());
    for word in ["off-grid", "too-long"] {
        assert_eq!(omitted(&report, word), 13_000 - Violation::MAX_LISTED, "{word}");
    }
    // Three kinds with 64 cells each, and a line for each length that is missing.
    assert!(bytes(&report) < 3 * Violation::MAX_LISTED * 64 * 6, "{} bytes", bytes(&report));
}

#[test]
fn a_chequered_picture_gets_a_short_answer_with_the_number_of_corners() {
    let grid = Grid::new(64, 64).unwrap();
    let cells = CellSet::from_cells(grid, grid.cells().filter(|cell| (cell.row() + cell.col()) % 2 == 0));
    let fleet = Fleet::new(vec![Length::new(1).unwrap(); 128]).unwrap();
    let rules = Rules::new(grid, fleet, Touch::Never, broadside_rules::Call::Ship).unwrap();
    let report = Draft::Picture(Picture::new(cells)).check(&rules);
    // Every block of 2x2 cells has one pair that meets at a corner.
    assert_eq!(omitted(&report, "touching"), 63 * 63 - Violation::MAX_LISTED);
    assert!(report.violations().len() < 60);
}

/// What is wrong with a list of ships, pair by pair and with nothing left out.
fn pair_by_pair(ships: &[Placement], rules: &Rules) -> Vec<Fault> {
    let (grid, fleet, touch) = (rules.grid(), rules.fleet(), rules.touch());
    let off = |ship: &Placement| ship.cells().filter(|&cell| !grid.contains(cell)).collect::<Vec<_>>();
    let off_grid = ships.iter().map(off).filter(|cells| !cells.is_empty()).map(|cells| (ViolationKind::OffGrid, cells));
    let mut faults: Vec<Fault> = off_grid.collect();
    for (i, a) in ships.iter().enumerate() {
        faults.extend(ships[i + 1..].iter().filter_map(|b| conflict(*a, *b, touch)));
    }
    let longest = fleet.longest();
    let too_long = ships.iter().filter(|ship| ship.length() > longest);
    faults.extend(too_long.map(|ship| (ViolationKind::TooLong { longest }, ship.cells().collect())));
    for length in (1..=longest.get()).rev().filter_map(Length::new) {
        let found: Vec<&Placement> = ships.iter().filter(|ship| ship.length() == length).collect();
        let expected = fleet.lengths().iter().filter(|&&l| l == length).count();
        if found.len() != expected {
            let kind = ViolationKind::WrongNumber { length, found: found.len(), expected };
            faults.push((kind, once_each(found.iter().flat_map(|ship| ship.cells()))));
        }
    }
    faults
}

fn conflict(a: Placement, b: Placement, touch: Touch) -> Option<Fault> {
    let close = |a: Cell, b: Cell, touch| naive::too_close(naive::square(a), naive::square(b), touch);
    let near = |one: Placement, other: Placement, touch| {
        one.cells().filter(|&cell| other.cells().any(|c| close(cell, c, touch))).collect::<Vec<_>>()
    };
    let (shared, touching) = (near(a, b, Touch::Allowed), [near(a, b, touch), near(b, a, touch)].concat());
    match (shared.is_empty(), touching.is_empty()) {
        (false, _) => Some((ViolationKind::Overlap, shared)),
        (_, false) => Some((ViolationKind::Touching, once_each(touching))),
        _ => None,
    }
}

fn once_each(cells: impl IntoIterator<Item = Cell>) -> Vec<Cell> {
    let mut once = Vec::new();
    for cell in cells {
        if !once.contains(&cell) {
            once.push(cell);
        }
    }
    once
}

/// Lists of ships on and around a small board.
fn ships(most: usize) -> impl Strategy<Value = Vec<Placement>> {
    let ship = (0usize..8, 0usize..8, 0usize..8, any::<bool>()).prop_map(|(row, col, end, along_row)| {
        let far = if along_row { (row, end) } else { (end, col) };
        Placement::between(naive::cell((row, col)), naive::cell(far)).unwrap()
    });
    proptest::collection::vec(ship, 0..=most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn the_faults_of_up_to_ten_ships_are_all_listed_in_order(ships in ships(10), rules in naive::rules(7, 4, 4)) {
        let report = Draft::Ships(ships.clone()).check(&rules);
        let listed: Vec<Fault> = report.violations().iter().map(fault).collect();
        prop_assert_eq!(listed, pair_by_pair(&ships, &rules));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn of_many_ships_every_fault_is_listed_or_counted(ships in ships(300), rules in naive::rules(7, 4, 4)) {
        let report = Draft::Ships(ships.clone()).check(&rules);
        let all = pair_by_pair(&ships, &rules);
        let (found, expected) = (counts(report.violations().iter().map(Violation::kind)), counts(all.iter().map(|fault| fault.0)));
        prop_assert_eq!(found, expected);
        let pairs = |kind| matches!(kind, ViolationKind::Overlap | ViolationKind::Touching);
        let listed = report.violations().iter().map(fault).filter(|fault| pairs(fault.0));
        for fault in listed {
            prop_assert!(all.contains(&fault), "{:?}", fault);
        }
    }
}
