//! Fewer ships to sweep: branching on a cell that must be covered.
//!
//! Exactly one ship covers a must-cell. Where only few placements can (a sunk ship's last cell
//! has one or two), fixing each of them in turn leaves small problems with one ship less, and the
//! cost of a sweep falls steeply with the number of ships.

use super::weights::Place;
use crate::problem::{Problem, bits, low_bits};

/// How much a sweep costs by the number of ships longer than one cell: microseconds of an open board of ten rows with the
/// first of 5, 4, 3, 3, 2 (AVX2, one machine); only ratios matter. With six ships the general sweep takes over.
const COST: [usize; 7] = [1, 6, 19, 38, 250, 850, 100_000];

/// The must-cell's placements to branch on, if that is cheaper than a sweep of the problem.
pub(crate) fn branches(problem: &Problem) -> Option<Vec<Place>> {
    let best = fewest(problem)?;
    let ships = long_ships(problem);
    (best.len() <= 1 || best.len() * cost(ships.saturating_sub(1)) < cost(ships)).then_some(best)
}

/// About what a sweep of the problem costs.
pub(crate) fn sweep_cost(problem: &Problem) -> usize {
    cost(long_ships(problem))
}

fn cost(ships: usize) -> usize {
    COST[ships.min(COST.len() - 1)]
}

fn long_ships(problem: &Problem) -> usize {
    problem.classes.iter().filter(|class| class.length > 1).map(|class| class.count).sum()
}

/// The placements over the must-cell that has the fewest of them.
fn fewest(problem: &Problem) -> Option<Vec<Place>> {
    let cells = problem.must.iter().enumerate();
    let cells = cells.flat_map(|(row, &mask)| bits(mask).map(move |col| (row, col)));
    let mut best: Option<Vec<Place>> = None;
    for (row, col) in cells {
        let most = best.as_ref().map_or(usize::MAX, Vec::len);
        if most <= 1 {
            break;
        }
        let covering: Vec<Place> = covering(problem, row, col).take(most).collect();
        if covering.len() < most {
            best = Some(covering);
        }
    }
    best
}

/// The placements that cover a cell.
fn covering(problem: &Problem, row: usize, col: usize) -> impl Iterator<Item = Place> {
    problem.classes.iter().enumerate().filter(|(_, ships)| ships.count > 0).flat_map(move |(class, ships)| {
        let first = |at: usize| (at + 1).saturating_sub(ships.length);
        let horizontal = (first(col)..=col).filter(move |&c| ships.horizontal[row] >> c & 1 == 1).map(move |c| Place {
            class,
            vertical: false,
            row,
            col: c,
        });
        let vertical = (first(row)..=row).filter(move |&r| ships.vertical[r] >> col & 1 == 1).map(move |r| Place {
            class,
            vertical: true,
            row: r,
            col,
        });
        horizontal.chain(vertical)
    })
}

/// The problem that is left once a ship lies at `place`.
pub(crate) fn fixed(problem: &Problem, place: Place) -> Problem {
    let mut left = problem.clone();
    left.classes[place.class].count -= 1;
    let (rows, cells) = footprint(problem, place);
    for row in rows.clone() {
        left.must[row] &= !cells;
    }
    for ships in &mut left.classes {
        // Every placement that starts up to a length before the footprint would cross it.
        let across = (1..ships.length).fold(cells, |mask, by| mask | cells >> by);
        for row in rows.clone() {
            ships.horizontal[row] &= !across;
        }
        for row in (rows.start + 1).saturating_sub(ships.length)..rows.end {
            ships.vertical[row] &= !cells;
        }
    }
    left
}

/// The cells of a placement, by their numbers in reading order.
pub(crate) fn covered(problem: &Problem, place: Place) -> impl Iterator<Item = usize> + use<> {
    let ((rows, columns), cols) = (footprint(problem, place), problem.cols);
    rows.flat_map(move |row| bits(columns).map(move |col| row * cols + col))
}

/// The rows and columns of a placement.
fn footprint(problem: &Problem, place: Place) -> (std::ops::Range<usize>, u64) {
    let length = problem.classes[place.class].length;
    if place.vertical {
        (place.row..place.row + length, 1 << place.col)
    } else {
        (place.row..place.row + 1, low_bits(length) << place.col)
    }
}
