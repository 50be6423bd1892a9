//! Pictures: the fast verdict, the paper's two methods and the number of readings.

use std::collections::BTreeSet;

use broadside_rules::{CellSet, Draft, Grid, Layout, Picture, Readings, Rules, Touch, ViolationKind, baseline};
use proptest::prelude::*;

use crate::naive::{self, Square};

fn report(rules: &Rules, cells: &CellSet) -> broadside_rules::Report {
    Draft::Picture(Picture::new(cells.clone())).check(rules)
}

/// One cell of a picture put in, taken out or moved.
fn slip(cells: &CellSet, from: usize, to: usize, how: usize) -> CellSet {
    let grid = cells.grid();
    let mut slipped = cells.clone();
    let old = cells.iter().nth(from % cells.len().max(1));
    let new = grid.cell(to % grid.len()).unwrap();
    if let Some(old) = old.filter(|_| how != 0) {
        slipped.remove(old);
    }
    if how != 1 {
        slipped.insert(new);
    }
    slipped
}

/// How many ways there are to divide the squares into ships of these lengths: the first square in reading order must
/// belong to some ship, and every place of every length is tried for it.
fn readings(squares: &BTreeSet<Square>, lengths: &[usize]) -> u128 {
    let Some(&(row, col)) = squares.first() else { return u128::from(lengths.is_empty()) };
    let mut ways = 0;
    for length in lengths.iter().copied().collect::<BTreeSet<_>>() {
        let mut left = lengths.to_vec();
        left.remove(left.iter().position(|&l| l == length).unwrap());
        let horizontal: BTreeSet<Square> = (0..length).map(|i| (row, col + i)).collect();
        let vertical: BTreeSet<Square> = (0..length).map(|i| (row + i, col)).collect();
        for ship in BTreeSet::from([horizontal, vertical]) {
            if ship.is_subset(squares) {
                ways += readings(&(squares - &ship), &left);
            }
        }
    }
    ways
}

/// The verdict on a picture by looking at all layouts.
fn among_all(rules: &Rules, squares: &BTreeSet<Square>) -> u128 {
    let pictured = |layout: &BTreeSet<naive::Ship>| layout.iter().flatten().copied().collect::<BTreeSet<Square>>() == *squares;
    naive::layouts(rules).iter().filter(|layout| pictured(layout)).count() as u128
}

fn all_three_agree(cells: &CellSet) {
    let picture = Picture::new(cells.clone());
    let verdict = picture.is_legal(&baseline::rules());
    assert_eq!(baseline::brute_force(&picture), verdict, "{picture}");
    assert_eq!(baseline::skip(&picture), verdict, "{picture}");
    assert_eq!(report(&baseline::rules(), cells).is_valid(), verdict, "{picture}");
}

fn slips() -> impl Strategy<Value = Vec<(usize, usize, usize)>> {
    proptest::collection::vec((any::<usize>(), any::<usize>(), 0usize..3), 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_fast_verdict_is_that_of_the_full_check_near_legal_boards((rules, layout) in naive::dealt(11), slips in slips()) {
        let cells = slips.iter().fold(layout.cells(), |cells, &(from, to, how)| slip(&cells, from, to, how));
        prop_assert_eq!(Picture::new(cells.clone()).is_legal(&rules), report(&rules, &cells).is_valid());
        prop_assert!(Picture::new(layout.cells()).is_legal(&rules));
    }

    #[test]
    fn the_fast_verdict_is_that_of_the_full_check_on_random_pictures(rules in naive::rules(5, 4, 4), bits in any::<u32>(), thin in any::<u32>()) {
        let squares = rules.grid().cells().enumerate().filter(|(i, _)| (bits & thin) >> i & 1 == 1).map(|(_, cell)| naive::square(cell));
        let cells = naive::cell_set(rules.grid(), squares);
        prop_assert_eq!(Picture::new(cells.clone()).is_legal(&rules), report(&rules, &cells).is_valid());
    }

    #[test]
    fn the_papers_methods_agree_with_the_default_near_legal_boards(seed in any::<u64>(), slips in slips()) {
        let layout = naive::deal(&baseline::rules(), seed);
        all_three_agree(&layout.cells());
        all_three_agree(&slips.iter().fold(layout.cells(), |cells, &(from, to, how)| slip(&cells, from, to, how)));
    }

    #[test]
    fn a_picture_has_as_many_readings_as_a_naive_reader_finds((rules, layout) in naive::dealt(8), slips in slips()) {
        let rules = Rules::new(rules.grid(), rules.fleet().clone(), Touch::Allowed, rules.call()).unwrap();
        let cells = slips.iter().fold(layout.cells(), |cells, &(from, to, how)| slip(&cells, from, to, how));
        let expected = readings(&naive::squares(&cells), &naive::lengths(rules.fleet()));
        let report = report(&rules, &cells);
        prop_assert_eq!(report.readings(), Readings::Exactly(expected));
        prop_assert_eq!(report.is_valid(), expected > 0);
    }

    #[test]
    fn crowded_pictures_have_as_many_readings_as_a_naive_reader_finds(rules in naive::rules(4, 6, 3), seed in any::<u64>()) {
        let rules = Rules::new(rules.grid(), rules.fleet().clone(), Touch::Allowed, rules.call()).unwrap();
        let layout = naive::deal(&rules, seed);
        let report = report(&rules, &layout.cells());
        prop_assert_eq!(report.readings(), Readings::Exactly(readings(&naive::squares(&layout.cells()), &naive::lengths(rules.fleet()))));
        let first: Layout = report.into_layout().unwrap();
        prop_assert_eq!(first.cells(), layout.cells());
        prop_assert!(naive::is_legal(&naive::ships(&first), &rules));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_picture_is_legal_when_some_layout_looks_like_it(rules in naive::rules(4, 3, 3), bits in any::<u32>(), seed in any::<u64>(), slips in slips()) {
        let random = rules.grid().cells().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, cell)| naive::square(cell));
        let near = slips.iter().fold(naive::deal(&rules, seed).cells(), |cells, &(from, to, how)| slip(&cells, from, to, how));
        for cells in [naive::cell_set(rules.grid(), random), near] {
            let expected = among_all(&rules, &naive::squares(&cells));
            prop_assert_eq!(report(&rules, &cells).readings(), Readings::Exactly(expected), "{} {}", &rules, Picture::new(cells.clone()));
            prop_assert_eq!(Picture::new(cells).is_legal(&rules), expected > 0);
        }
    }
}

#[test]
fn a_picture_with_several_readings_is_valid_and_says_how_many() {
    // Two by two cells are two horizontal ships or two vertical ones.
    let rules: Rules = "4x4 2,2 allowed ship".parse().unwrap();
    let square: Draft = "XX..\nXX..\n....\n....".parse().unwrap();
    let report = square.check(&rules);
    assert!(report.is_valid() && report.violations().is_empty());
    assert_eq!(report.readings(), Readings::Exactly(2));
    // Five in a row are 3 and 2 or 2 and 3.
    let row: Draft = ".XXXXX".parse().unwrap();
    assert_eq!(row.check(&"1x6 3,2 allowed ship".parse().unwrap()).readings(), Readings::Exactly(2));
    // A full 8x8 board of dominoes: the known number of tilings.
    let full = Draft::Picture(Picture::new(CellSet::full(Grid::new(8, 8).unwrap())));
    let dominoes: Rules = format!("8x8 {} allowed ship", ["2"; 32].join(",")).parse().unwrap();
    assert_eq!(full.check(&dominoes).readings(), Readings::Exactly(12_988_816));
}

#[test]
fn groups_that_no_ships_can_fill_are_named() {
    let rules: Rules = "4x6 3,2,2 allowed ship".parse().unwrap();
    let draft: Draft = "X..XXX\n......\nXX.XX.\nX.....".parse().unwrap();
    let faults: Vec<(ViolationKind, String)> = draft
        .check(&rules)
        .violations()
        .iter()
        .map(|fault| (fault.kind(), fault.cells().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")))
        .collect();
    // The single cell and the corner of three fit no ships; and there are nine cells where seven should be.
    assert_eq!(faults[0], (ViolationKind::NoReading, "A1".to_owned()));
    assert_eq!(faults[1], (ViolationKind::NoReading, "C1 C2 D1".to_owned()));
    assert!(matches!(faults[2], (ViolationKind::WrongTotal { found: 9, expected: 7 }, _)));
    assert_eq!(faults.len(), 3);
}
