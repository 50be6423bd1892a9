//! Whether a fleet fits its grid: decided exactly, with the reason.
//!
//! Three steps, cheapest first. A bound that is a proof says no; a packing along rows says yes; what lies between is
//! searched. Only a search that passes its budget leaves the question open, and says so.

use crate::census::{self, CensusError};
use crate::{Cell, CellSet, Fleet, Grid, Length, Stop, Stopped, Touch};

/// What the search may remember, in bytes of its positions: 200,000 of them on a board of 128 cells, 40,000 on the
/// largest. That is fifty megabytes with all around it, since anyone may ask a server about any fleet.
const BUDGET: usize = 25_000_000;

/// The positions that a search may remember where the caller sets no other limit.
pub(crate) fn default_positions(grid: Grid) -> usize {
    let (cells, rest) = (grid.len().div_ceil(128) * 16, 109);
    BUDGET / (cells + rest)
}

/// The fleet can't be used on the grid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// A ship is longer than both sides.
    #[error("a ship of length {length} fits neither along a row nor along a column of a {grid} board")]
    TooLong {
        /// The ship's length.
        length: Length,
        /// The board's size.
        grid: Grid,
    },
    /// More ship cells than cells.
    #[error("the fleet covers {needed} cells and a {grid} board has {room}{}", if *room < grid.len() { " without its rocks" } else { "" })]
    TooManyCells {
        /// The cells that the fleet covers.
        needed: usize,
        /// The cells that are no rocks.
        room: usize,
        /// The board's size.
        grid: Grid,
    },
    /// With water around each ship it needs more than the board has.
    #[error("with the touch rule ‘{touch}’ the fleet needs {needed} {unit} and a {grid} board has room for {room}")]
    TooCrowded {
        /// The touch rule.
        touch: Touch,
        /// What the fleet needs.
        needed: usize,
        /// What is counted.
        unit: &'static str,
        /// What the board offers.
        room: usize,
        /// The board's size.
        grid: Grid,
    },
    /// False answers, where answers are not called shot by shot.
    #[error(
        "where only the number of hits is called, no answer can be false: leave out the noise, or choose another call of the salvo"
    )]
    NoisyCount,
    /// A rock is not on the board.
    #[error("the rock {cell} is off a {grid} board: name other rocks, or none")]
    RockOffGrid {
        /// The rock.
        cell: Cell,
        /// The board's size.
        grid: Grid,
    },
    /// All ways were searched.
    #[error(
        "the fleet {fleet} does not fit a {grid} board with the touch rule ‘{touch}’{}: a search of all ways to place it found none",
        match rocks { 0 => String::new(), 1 => " and a rock".to_owned(), n => format!(" and {n} rocks") }
    )]
    NoWay {
        /// The number of rocks.
        rocks: usize,
        /// The fleet.
        fleet: Fleet,
        /// The board's size.
        grid: Grid,
        /// The touch rule.
        touch: Touch,
    },
    /// The search passed its budget.
    #[error(
        "whether the fleet fits a {grid} board could not be decided in {positions} positions: use a larger board or fewer ships"
    )]
    Undecided {
        /// The board's size.
        grid: Grid,
        /// How many positions the search was allowed to remember.
        positions: usize,
    },
    /// The search was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Says whether the fleet can be placed on the grid under the touch rule, with a search of at most so many positions.
pub(crate) fn check(
    grid: Grid,
    fleet: &Fleet,
    touch: Touch,
    rocks: &CellSet,
    positions: usize,
    stop: Stop,
) -> Result<(), FitError> {
    refute(grid, fleet, touch, rocks)?;
    let (rows, cols) = (grid.rows(), grid.cols());
    let is_rock = |row, col| Cell::new(row, col).is_some_and(|cell| rocks.contains(cell));
    if packs(rows, cols, is_rock, fleet, touch) || packs(cols, rows, |col, row| is_rock(row, col), fleet, touch) {
        return Ok(());
    }
    match census::find_any(fleet, touch, rocks, positions, stop) {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Err(FitError::NoWay { fleet: fleet.clone(), grid, touch, rocks: rocks.len() }),
        Err(CensusError::Budget(_) | CensusError::Overflow) => Err(FitError::Undecided { grid, positions }),
        Err(CensusError::Stopped(stopped)) => Err(stopped.into()),
    }
}

/// The bounds that prove that a fleet doesn't fit.
pub(crate) fn refute(grid: Grid, fleet: &Fleet, touch: Touch, rocks: &CellSet) -> Result<(), FitError> {
    let (length, needed, room) = (fleet.longest(), fleet.cells(), grid.len() - rocks.len());
    if length.get() > grid.rows().max(grid.cols()) {
        return Err(FitError::TooLong { length, grid });
    }
    if needed > room {
        return Err(FitError::TooManyCells { needed, room, grid });
    }
    let blocks = grid.rows().div_ceil(2) * grid.cols().div_ceil(2);
    let bounds = match touch {
        Touch::Allowed => vec![],
        // Three cells of a 2x2 block are joined by sides, so they would be one bent ship.
        Touch::Corners => vec![(needed, 2 * blocks, "cells (a block of 2x2 cells holds at most two)")],
        Touch::Never => vec![
            // Two ships in one block of 2x2 cells would touch, and a ship reaches into half as many blocks as it is long.
            (
                fleet.lengths().iter().map(|l| l.get().div_ceil(2)).sum(),
                blocks,
                "blocks of 2x2 cells (a block holds one ship at most)",
            ),
            // Ships with the water on their right, below and at the corner between are disjoint patches of
            // (length + 1) x 2 on a board that is larger by one row and one column.
            (2 * (needed + fleet.len()), (grid.rows() + 1) * (grid.cols() + 1), "squares (each ship with water on two sides)"),
        ],
    };
    match bounds.into_iter().find(|(needed, room, _)| needed > room) {
        Some((needed, room, unit)) => Err(FitError::TooCrowded { touch, needed, unit, room, grid }),
        None => Ok(()),
    }
}

/// Whether the ships, longest first, each in the first run of cells with room, all find a place along the rows.
fn packs(rows: usize, cols: usize, is_rock: impl Fn(usize, usize) -> bool, fleet: &Fleet, touch: Touch) -> bool {
    let margin = usize::from(!touch.allows_sides());
    // The cells between rocks, with water after each ship, the last one's on the rock or past the edge.
    let mut room = Vec::new();
    for row in (0..rows).step_by(1 + margin) {
        let rocks = (0..cols).filter(|&col| is_rock(row, col)).chain([cols]);
        room.extend(rocks.scan(0, |start, rock| Some(rock - std::mem::replace(start, rock + 1) + margin)));
    }
    fleet.lengths().iter().all(|length| {
        let needed = length.get() + margin;
        room.iter_mut().find(|room| **room >= needed).map(|room| *room -= needed).is_some()
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Placement;

    fn fits(grid: &str, fleet: &str, touch: Touch) -> Result<(), FitError> {
        let grid = grid.parse().unwrap();
        check(grid, &fleet.parse().unwrap(), touch, &CellSet::empty(grid), default_positions(grid), Stop::never())
    }

    /// Every way to place the ships, one after the other.
    fn fits_by_trying(rocks: &CellSet, lengths: &[Length], touch: Touch, placed: &mut Vec<Placement>) -> bool {
        let Some((&length, rest)) = lengths.split_first() else { return true };
        Placement::all(rocks.grid(), length).filter(|ship| !ship.cells().any(|cell| rocks.contains(cell))).any(|ship| {
            placed.iter().all(|other| ship.compatible(*other, touch)) && {
                placed.push(ship);
                let fits = fits_by_trying(rocks, rest, touch, placed);
                placed.pop();
                fits
            }
        })
    }

    proptest! {
        #[test]
        fn the_verdict_is_that_of_trying_every_way(
            rows in 1usize..=4, cols in 1usize..=4,
            lengths in proptest::collection::vec(1usize..=4, 1..=5),
            touch in proptest::sample::select(Touch::ALL),
            rock_bits: u16, more_bits: u16,
        ) {
            let grid = Grid::new(rows, cols).unwrap();
            let fleet = Fleet::new(lengths.into_iter().filter_map(Length::new)).unwrap();
            // A rock on a quarter of the cells, and a board without rocks.
            for bits in [0, rock_bits & more_bits] {
                let rocks = CellSet::from_cells(grid, grid.cells().filter(|&cell| bits >> grid.index(cell) & 1 == 1));
                let tried = fits_by_trying(&rocks, fleet.lengths(), touch, &mut Vec::new());
                prop_assert_eq!(check(grid, &fleet, touch, &rocks, default_positions(grid), Stop::never()).is_ok(), tried);
            }
        }
    }

    #[test]
    fn the_reason_is_given() {
        use FitError as E;
        assert!(matches!(fits("10x10", "11", Touch::Allowed), Err(E::TooLong { .. })));
        assert!(matches!(fits("2x2", "2,2,1", Touch::Allowed), Err(E::TooManyCells { needed: 5, .. })));
        assert!(matches!(fits("10x10", &["1"; 51].join(","), Touch::Corners), Err(E::TooCrowded { room: 50, .. })));
        assert!(matches!(fits("10x10", &["1"; 31].join(","), Touch::Never), Err(E::TooCrowded { room: 25, .. })));
        assert!(matches!(fits("3x3", "1,1,1,1,1", Touch::Never), Err(E::TooCrowded { room: 4, .. })));
        assert!(matches!(fits("3x3", "3,3,2,1", Touch::Allowed), Ok(())));
        assert!(matches!(fits("3x3", "2,2,2,2", Touch::Corners), Err(E::NoWay { .. })));
    }

    #[test]
    fn full_boards_and_the_largest_boards_are_decided() {
        assert_eq!(fits("10x10", &["10"; 10].join(","), Touch::Allowed), Ok(()));
        assert_eq!(fits("64x64", &["64"; 64].join(","), Touch::Allowed), Ok(()));
        assert_eq!(fits("10x10", &["1"; 25].join(","), Touch::Never), Ok(()));
        assert_eq!(fits("64x64", &["64"; 32].join(","), Touch::Never), Ok(()));
        assert!(fits("64x64", &["64"; 33].join(","), Touch::Never).is_err());
    }
}
