//! The profile: all that the cells already passed mean for the cells to come.
//!
//! The sweep passes the cells row by row, from left to right. Standing before cell (r, c), each
//! column is known by a *mark* that speaks of the next cell to come in it: row r for the columns
//! from c on, row r + 1 for those before c.
//!
//! - `FREE`: nothing is known against a ship there.
//! - `SHUT`: no ship may be there, since one that is already placed would touch it.
//! - `SHUT_TWICE`: nor in the row after. Only column c can have it, and only under
//!   [`Touch::Never`]: it is the cell to the right of a ship that has just been placed, whose lower
//!   neighbour touches the ship's corner.
//! - `GOING + k`: the next k cells (at least 1) belong to a vertical ship that has begun above.
//!
//! [`Touch::Never`]: broadside_rules::Touch::Never

use crate::problem::low_bits;

/// Nothing is known against a ship there.
pub(crate) const FREE: usize = 0;
/// No ship may be there.
pub(crate) const SHUT: usize = 1;
/// No ship may be there nor in the row after.
pub(crate) const SHUT_TWICE: usize = 2;
/// `GOING + k`: the next k cells of the column (k at least 1) belong to a vertical ship.
pub(crate) const GOING: usize = 2;

/// The marks of all columns, in bit planes: bit c of plane i is bit i of the mark of column c.
/// Planes make "are all these columns free" and "mark all of these" single operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Profile<const PLANES: usize>([u64; PLANES]);

impl<const PLANES: usize> Profile<PLANES> {
    /// The longest ship whose marks fit into the planes.
    pub(crate) const LONGEST: usize = (1 << PLANES) - GOING;

    /// All columns free.
    pub(crate) const OPEN: Self = Self([0; PLANES]);

    /// One word for all planes: no two profiles of up to 21 columns have the same word, if they have three planes.
    #[inline]
    pub(crate) fn word(&self) -> u64 {
        self.0.iter().fold(0, |word: u64, plane| word.rotate_left(21) ^ plane)
    }

    /// The mark of a column.
    pub(crate) fn mark(&self, col: usize) -> usize {
        self.0.iter().enumerate().fold(0, |mark, (i, plane)| mark | usize::from(plane >> col & 1 == 1) << i)
    }

    /// The columns that are not free.
    pub(crate) fn taken(&self) -> u64 {
        self.0.iter().fold(0, |all, plane| all | plane)
    }

    /// The columns in which a ship goes on.
    pub(crate) fn going(&self) -> u64 {
        self.0[2..].iter().fold(self.0[0] & self.0[1], |all, plane| all | plane)
    }

    /// In how many columns at least `k` cells of a vertical ship are to come.
    pub(crate) fn going_at_least(&self, k: usize) -> usize {
        let mut left = self.going();
        let mut found = 0;
        while left != 0 {
            let col = left.trailing_zeros() as usize;
            found += usize::from(self.mark(col) >= GOING + k);
            left &= left - 1;
        }
        found
    }

    /// The same with one mark for all of `cols`.
    pub(crate) fn with(mut self, cols: u64, mark: usize) -> Self {
        for (i, plane) in self.0.iter_mut().enumerate() {
            let bits = if mark >> i & 1 == 1 { cols } else { 0 };
            *plane = *plane & !cols | bits;
        }
        self
    }

    /// The same with some neighbouring columns set free.
    pub(crate) fn without(self, cols: std::ops::Range<usize>) -> Self {
        let kept = !(low_bits(cols.len()) << cols.start);
        Self(self.0.map(|plane| plane & kept))
    }
}
