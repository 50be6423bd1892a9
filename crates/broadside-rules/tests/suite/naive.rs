//! The rules once more, slow and obvious: ships are lists of coordinates, and everything is tried.

use std::collections::BTreeSet;

use broadside_rules::{Call, Cell, CellSet, Fleet, Grid, Layout, Length, Placement, RejectionSampler, Rules, Touch};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Row and column, from 0.
pub(crate) type Square = (usize, usize);

/// The squares of a ship, from bow to stern.
pub(crate) type Ship = Vec<Square>;

pub(crate) fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

pub(crate) fn square(cell: Cell) -> Square {
    (cell.row(), cell.col())
}

pub(crate) fn cell((row, col): Square) -> Cell {
    Cell::new(row, col).unwrap()
}

pub(crate) fn squares(cells: &CellSet) -> BTreeSet<Square> {
    cells.iter().map(square).collect()
}

pub(crate) fn cell_set(grid: Grid, squares: impl IntoIterator<Item = Square>) -> CellSet {
    CellSet::from_cells(grid, squares.into_iter().map(cell))
}

pub(crate) fn ship(placement: Placement) -> Ship {
    placement.cells().map(square).collect()
}

pub(crate) fn placement(ship: &[Square]) -> Placement {
    Placement::between(cell(ship[0]), cell(*ship.last().unwrap())).unwrap()
}

pub(crate) fn ships(layout: &Layout) -> Vec<Ship> {
    layout.ships().iter().map(|&placement| ship(placement)).collect()
}

pub(crate) fn lengths(fleet: &Fleet) -> Vec<usize> {
    fleet.lengths().iter().map(|length| length.get()).collect()
}

/// Whether two squares of different ships lie as close as the rule forbids.
pub(crate) fn too_close(a: Square, b: Square, touch: Touch) -> bool {
    let (rows, cols) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
    match touch {
        Touch::Allowed => rows + cols == 0,
        Touch::Corners => rows + cols <= 1,
        Touch::Never => rows <= 1 && cols <= 1,
    }
}

pub(crate) fn clash(a: &[Square], b: &[Square], touch: Touch) -> bool {
    a.iter().any(|&p| b.iter().any(|&q| too_close(p, q, touch)))
}

/// Every place of a ship of this length.
pub(crate) fn places(rows: usize, cols: usize, length: usize) -> Vec<Ship> {
    let mut places = Vec::new();
    for row in 0..rows {
        for col in 0..cols {
            if col + length <= cols {
                places.push((0..length).map(|i| (row, col + i)).collect());
            }
            if length > 1 && row + length <= rows {
                places.push((0..length).map(|i| (row + i, col)).collect());
            }
        }
    }
    places
}

/// Every layout, as a set of ships: all ways to set one ship after the other.
pub(crate) fn layouts(rules: &Rules) -> BTreeSet<BTreeSet<Ship>> {
    let mut all = BTreeSet::new();
    set_the_rest(rules, &lengths(rules.fleet()), 0, &mut Vec::new(), &mut all);
    all
}

/// Sets ships of these lengths, the first of them at its place with number `from` or a later one: ships of one length
/// are set in the order of their places, so that no layout is met twice.
fn set_the_rest(rules: &Rules, lengths: &[usize], from: usize, set: &mut Vec<Ship>, all: &mut BTreeSet<BTreeSet<Ship>>) {
    let Some((&length, rest)) = lengths.split_first() else {
        assert!(all.insert(set.iter().cloned().collect()), "a layout was met twice");
        return;
    };
    for (number, place) in places(rules.grid().rows(), rules.grid().cols(), length).into_iter().enumerate().skip(from) {
        if !set.iter().any(|ship| clash(ship, &place, rules.touch())) {
            set.push(place);
            let from = if rest.first() == Some(&length) { number + 1 } else { 0 };
            set_the_rest(rules, rest, from, set, all);
            set.pop();
        }
    }
}

/// Whether these ships are a legal layout.
pub(crate) fn is_legal(ships: &[Ship], rules: &Rules) -> bool {
    let mut found: Vec<usize> = ships.iter().map(Vec::len).collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    let apart = ships.iter().enumerate().all(|(i, a)| ships[i + 1..].iter().all(|b| !clash(a, b, rules.touch())));
    let on_board = |&(row, col): &Square| row < rules.grid().rows() && col < rules.grid().cols();
    found == lengths(rules.fleet()) && apart && ships.iter().flatten().all(on_board)
}

pub(crate) fn touches() -> impl Strategy<Value = Touch> {
    proptest::sample::select(Touch::ALL)
}

pub(crate) fn calls() -> impl Strategy<Value = Call> {
    proptest::sample::select(Call::ALL)
}

/// Rules whose fleet fits: sides of up to `side`, up to `ships` ships of up to `length` cells.
pub(crate) fn rules(side: usize, ships: usize, length: usize) -> impl Strategy<Value = Rules> {
    let fleet = proptest::collection::vec(1..=length, 1..=ships);
    (1..=side, 1..=side, fleet, touches(), calls()).prop_filter_map("a fleet that fits", |(rows, cols, lengths, touch, call)| {
        let fleet = Fleet::new(lengths.into_iter().filter_map(Length::new)).ok()?;
        Rules::new(Grid::new(rows, cols).ok()?, fleet, touch, call).ok()
    })
}

/// Rules that are roomy enough to deal from at once, on boards of any size up to that.
pub(crate) fn roomy_rules(side: usize) -> impl Strategy<Value = Rules> {
    rules(side, 8, 5).prop_filter("a roomy board", |rules| {
        let needed: usize = lengths(rules.fleet()).iter().map(|length| 3 * (length + 2)).sum();
        needed <= rules.grid().len()
    })
}

pub(crate) fn deal(rules: &Rules, seed: u64) -> Layout {
    RejectionSampler::new(rules).uniform(1_000_000, &mut rng(seed)).unwrap()
}

/// Roomy rules with a random layout of theirs.
pub(crate) fn dealt(side: usize) -> impl Strategy<Value = (Rules, Layout)> {
    (roomy_rules(side), any::<u64>()).prop_map(|(rules, seed)| {
        let layout = deal(&rules, seed);
        (rules, layout)
    })
}
