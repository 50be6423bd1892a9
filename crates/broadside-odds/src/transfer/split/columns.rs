//! The upright ships that one column may hold, by row.
//!
//! Every cell in which an upright ship may start gets one of eight slots for as long as the ship
//! could go on; slots are used again. The tables of the sweep then have a vector per column and
//! row, with a lane per slot.

use super::lanes::{LANES, Lanes};
use super::number::Number;
use super::weights::Place;
use crate::problem::Problem;

/// One cell of a column, as the upright ships that may cover it see it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Crossing {
    /// The slots of the ships that may cover the cell, as a mask.
    pub(crate) alive: u8,
    /// The slot of the ship that may start here.
    pub(crate) start: Option<u8>,
    /// Per slot: the class of the ship that ends here, if it is one and may.
    ends: [Option<u8>; LANES],
    /// Per slot: the first row.
    first: [u8; LANES],
}

impl Crossing {
    /// The slots of the ships that may come from above, as a mask.
    pub(crate) fn kept(&self) -> u8 {
        self.alive & !self.start.map_or(0, |slot| 1 << slot)
    }

    /// One in the lanes of [`Crossing::kept`].
    #[inline(always)]
    pub(crate) fn keep<N: Number>(&self) -> Lanes<N> {
        mask_lanes(self.kept())
    }

    /// The ships that may end here, with their slots.
    #[inline(always)]
    pub(crate) fn ends(&self, col: usize) -> impl Iterator<Item = (usize, Place)> {
        self.ends.into_iter().enumerate().filter_map(move |(slot, class)| {
            let (class, row) = (usize::from(class?), usize::from(self.first[slot]));
            Some((slot, Place { class, upright: true, row, col }))
        })
    }
}

/// One in the lanes of the mask, zero elsewhere.
#[inline(always)]
pub(crate) fn mask_lanes<N: Number>(mask: u8) -> Lanes<N> {
    Lanes(std::array::from_fn(|lane| if mask >> lane & 1 == 1 { N::ONE } else { N::ZERO }))
}

/// A column that may hold upright ships.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    /// Which column.
    pub(crate) col: usize,
    /// Slots in use.
    pub(crate) slots: usize,
    /// By row.
    pub(crate) cells: Vec<Crossing>,
}

impl Column {
    /// The column's upright ships; `None` if more than eight could cover one cell.
    fn new(board: &Problem, col: usize) -> Option<Self> {
        let mut column = Column { col, slots: 0, cells: vec![Crossing::default(); board.rows] };
        for row in 0..board.rows {
            let reach = reach(board, row, col);
            if reach > 0 {
                let slot = column.cells[row].alive.trailing_ones() as usize;
                if slot == LANES {
                    return None;
                }
                column.occupy(board, row, reach, slot);
            }
        }
        Some(column)
    }

    /// Gives the slot to the ship that starts in `row` and may be `reach` long.
    #[allow(clippy::cast_possible_truncation)] // slots, rows and classes are at most 64
    fn occupy(&mut self, board: &Problem, row: usize, reach: usize, slot: usize) {
        self.slots = self.slots.max(slot + 1);
        self.cells[row].start = Some(slot as u8);
        for cell in &mut self.cells[row..row + reach] {
            cell.alive |= 1 << slot;
            cell.first[slot] = row as u8;
        }
        for (class, ships) in board.classes.iter().enumerate() {
            if ships.count > 0 && ships.upright[row] >> self.col & 1 == 1 {
                self.cells[row + ships.length - 1].ends[slot] = Some(class as u8);
            }
        }
    }
}

/// The longest upright ship that may start at the cell, 0 for none.
fn reach(board: &Problem, row: usize, col: usize) -> usize {
    let fits = |ships: &&crate::Class| ships.count > 0 && ships.upright[row] >> col & 1 == 1;
    board.classes.iter().filter(fits).map(|ships| ships.length).max().unwrap_or(0)
}

/// The columns that may hold upright ships; `None` if one of them needs more than eight slots.
pub(crate) fn open_columns(board: &Problem) -> Option<Vec<Column>> {
    let masks = board.classes.iter().filter(|ships| ships.count > 0);
    let open = masks.flat_map(|ships| &ships.upright).fold(0, |all, mask| all | mask);
    crate::problem::bits(open).map(|col| Column::new(board, col)).collect()
}
