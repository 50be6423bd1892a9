//! The ships that lie in one row.
//!
//! With the vertical ships fixed, the horizontal ships of different rows can't meet. What is left of a
//! row is the polynomial Σ (ways to lay ships into the row's free cells, covering its must-cells)
//! · (the part of the fleet used), read off a walk along the row: `prefix[b]` is that polynomial
//! for the cells left of `b`, and the last of them serves the whole row.

use super::fleet::Parts;
use super::number::Number;
use super::polynomial::{add_shifted, add_unshifted, shifted_dot};
use super::weights::{Place, Weigh};
use crate::problem::{Problem, low_bits};

/// One row of a board, with some of its columns occupied by vertical ships.
pub(crate) struct Row<'a, W> {
    /// The board.
    pub(crate) board: &'a Problem,
    /// The parts of its fleet.
    pub(crate) parts: &'a Parts,
    /// The weights of the placements.
    pub(crate) weights: &'a W,
    /// Which row.
    pub(crate) at: usize,
    /// The columns that vertical ships hold.
    pub(crate) occupied: u64,
}

impl<W> Row<'_, W> {
    /// Whether the cell left of `b` may stay without a horizontal ship.
    pub(crate) fn may_skip(&self, b: usize) -> bool {
        let cell = 1 << (b - 1);
        self.occupied & cell != 0 || self.board.must[self.at] & cell == 0
    }

    /// The horizontal placements whose last cell is the one left of `b`.
    pub(crate) fn ending(&self, b: usize) -> impl Iterator<Item = Place> {
        self.board.classes.iter().enumerate().filter_map(move |(class, ships)| {
            let col = b.checked_sub(ships.length)?;
            let allowed = ships.horizontal[self.at] >> col & 1 == 1;
            let free = self.occupied & (low_bits(ships.length) << col) == 0;
            (allowed && free).then_some(Place { class, vertical: false, row: self.at, col })
        })
    }

    /// The polynomials of all prefixes of the row, one after another.
    pub(crate) fn prefixes<N: Number>(&self) -> Vec<N>
    where
        W: Weigh<N>,
    {
        let len = self.parts.len;
        let mut prefixes = vec![N::ZERO; (self.board.cols + 1) * len];
        prefixes[0] = N::ONE;
        for b in 1..=self.board.cols {
            let (before, rest) = prefixes.split_at_mut(b * len);
            let prefix = &mut rest[..len];
            if self.may_skip(b) {
                prefix.copy_from_slice(&before[(b - 1) * len..]);
            }
            for place in self.ending(b) {
                let from = &before[place.col * len..][..len];
                let weight = self.weights.weigh(N::ONE, place);
                add_shifted(prefix, from, self.parts.grown(place.class), weight);
            }
        }
        prefixes
    }

    /// The polynomial of the whole row.
    pub(crate) fn polynomial<N: Number>(&self) -> Vec<N>
    where
        W: Weigh<N>,
    {
        let mut prefixes = self.prefixes();
        prefixes.split_off(self.board.cols * self.parts.len)
    }

    /// Given how much each coefficient of the row's polynomial is worth, adds to `cells` (those
    /// of this row) what the horizontal ships on them are worth.
    pub(crate) fn add_cells<N: Number>(&self, worth: &[N], cells: &mut [N])
    where
        W: Weigh<N>,
    {
        let len = self.parts.len;
        let prefixes = self.prefixes();
        let mut worths = vec![N::ZERO; prefixes.len()];
        worths[self.board.cols * len..].copy_from_slice(worth);
        for b in (1..=self.board.cols).rev() {
            let (before, rest) = worths.split_at_mut(b * len);
            let worth = &rest[..len];
            if self.may_skip(b) {
                let skipped = &mut before[(b - 1) * len..];
                skipped.iter_mut().zip(worth).for_each(|(to, &w)| *to = to.plus(w));
            }
            for place in self.ending(b) {
                let pairs = self.parts.grown(place.class);
                let weight = self.weights.weigh(N::ONE, place);
                let from = place.col * len..(place.col + 1) * len;
                add_unshifted(&mut before[from.clone()], worth, pairs, weight);
                let total = weight.times(shifted_dot(&prefixes[from], worth, pairs));
                cells[place.col..b].iter_mut().for_each(|cell| *cell = cell.plus(total));
            }
        }
    }
}
