//! The fewest further shots that meet every unhit ship of one length.

use std::collections::HashSet;

use broadside_rules::{CellSet, Placement};

use super::super::OneShipBoard;
use super::super::blocking::blocking;
use super::super::board::meets;
use super::super::diagonal::diagonal_mask;
use super::super::hitting::{Effort, OutOfEffort, Smallest, smallest_hitting_set};
use super::layout::layout_with;
use super::{between, lower_bound};
use broadside_odds::{Problem, ShipClass};

/// The fewest cells that meet every placement of the class that has no hit and occurs in some layout.
///
/// A placement can be allowed by itself and yet occur in no layout. If the effort ran out before that was known, the answer meets
/// the placement too, but the placement doesn't count for the lower bound.
pub(super) fn smallest_block(
    problem: &Problem,
    class: &ShipClass,
    search: &mut Effort,
    layout_effort: &mut Effort,
) -> Smallest<CellSet> {
    let sorted = SortedPlacements::new(problem, class, layout_effort);
    let best = fewest(problem, class.length().get(), &sorted.not_ruled_out, search);
    if sorted.possible.len() == sorted.not_ruled_out.len() {
        return best;
    }
    let at_least = lower_bound(&fewest(problem, class.length().get(), &sorted.possible, search));
    between(best.into_best(), at_least)
}

/// The placements of a class that have no hit.
pub(super) fn unhit(problem: &Problem, class: &ShipClass) -> Vec<Placement> {
    let hits = problem.must_cover();
    class.placements().filter(|&ship| meets(&hits, ship) == 0).collect()
}

/// The unhit placements, by whether some layout has them.
struct SortedPlacements {
    /// Those that some layout has.
    possible: Vec<Placement>,
    /// Those, and the ones for which the effort ran out.
    not_ruled_out: Vec<Placement>,
}

impl SortedPlacements {
    fn new(problem: &Problem, class: &ShipClass, layout_effort: &mut Effort) -> Self {
        let mut seen = HashSet::new();
        let mut sorted = Self { possible: Vec::new(), not_ruled_out: Vec::new() };
        for ship in unhit(problem, class) {
            let verdict = if seen.contains(&ship) { Ok(true) } else { is_possible(problem, ship, &mut seen, layout_effort) };
            if verdict == Ok(true) {
                sorted.possible.push(ship);
            }
            if verdict != Ok(false) {
                sorted.not_ruled_out.push(ship);
            }
        }
        sorted
    }
}

/// Whether some layout has the ship. Adds all ships of that layout to `seen`, since they are possible too.
fn is_possible(
    problem: &Problem,
    ship: Placement,
    seen: &mut HashSet<Placement>,
    layout_effort: &mut Effort,
) -> Result<bool, OutOfEffort> {
    let layout = layout_with(problem, ship, layout_effort)?;
    let possible = layout.is_some();
    seen.extend(layout.into_iter().flatten());
    Ok(possible)
}

/// The fewest cells that meet all of these placements of one length.
pub(super) fn fewest(problem: &Problem, length: usize, ships: &[Placement], effort: &mut Effort) -> Smallest<CellSet> {
    let grid = problem.grid();
    let board = OneShipBoard::new(grid, length).ok();
    if let Some(board) = board.filter(|board| board.choices() == ships.len()) {
        return Smallest::Proved(blocking(board).cells);
    }
    let sets: Vec<Vec<usize>> = ships.iter().map(|ship| ship.cells().map(|cell| grid.index(cell)).collect()).collect();
    let solved = smallest_hitting_set(grid.len(), &sets, effort).expect("a ship has a cell");
    let solved = solved.map(|chosen| CellSet::from_cells(grid, chosen.into_iter().filter_map(|index| grid.cell(index))));
    match board {
        Some(board) => or_diagonal(solved, board, ships),
        None => solved,
    }
}

/// When the effort ran out, a diagonal mask without the cells that meet no placement may be smaller than what the search
/// found. On large boards it mostly is.
fn or_diagonal(solved: Smallest<CellSet>, board: OneShipBoard, ships: &[Placement]) -> Smallest<CellSet> {
    let Smallest::Bounded { best, at_least } = &solved else { return solved };
    let under = CellSet::from_cells(board.grid(), ships.iter().flat_map(|ship| ship.cells()));
    let masks = (0..board.size()).map(|offset| &diagonal_mask(board, offset) & &under);
    match masks.min_by_key(CellSet::len) {
        Some(mask) if mask.len() < best.len() => between(mask, *at_least),
        _ => solved,
    }
}
