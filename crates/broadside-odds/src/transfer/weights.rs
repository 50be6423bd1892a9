//! A weight for each placement, as the sweeps look them up.

use crate::PlacementWeights;
use crate::problem::{Problem, ShipPosition};

/// A weight for each placement: how likely an opponent is to choose it, up to a common factor. A layout's
/// weight is the product over its ships.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WeightTable<T = f64> {
    rows: usize,
    cols: usize,
    /// For each class: horizontal then vertical, row by row.
    weights: Vec<T>,
}

/// Weights that differ by less than this share of them are taken to be the same: what rounding does to products of a few
/// factors. The weight of a layout is then off by at most as many times that as it has ships.
const ROUNDED: f64 = 1e-14;

impl<T: Copy> WeightTable<T> {
    /// The weights that a function of class, orientation (vertical or not), row and column gives.
    #[must_use]
    pub(crate) fn new(problem: &Problem, weight: impl Fn(usize, bool, usize, usize) -> T) -> Self {
        let (rows, cols) = (problem.rows, problem.cols);
        let mut weights = Vec::with_capacity(problem.classes.len() * 2 * rows * cols);
        for class in 0..problem.classes.len() {
            for vertical in [false, true] {
                weights.extend((0..rows * cols).map(|cell| weight(class, vertical, cell / cols, cell % cols)));
            }
        }
        Self { rows, cols, weights }
    }

    /// The weight of the placement of a ship of `class` whose first cell is `(row, col)`.
    #[must_use]
    pub(crate) fn get(&self, class: usize, vertical: bool, row: usize, col: usize) -> T {
        self.weights[((class * 2 + usize::from(vertical)) * self.rows + row) * self.cols + col]
    }

    /// The weights of the transposed problem, which is given.
    pub(crate) fn transposed(&self, turned: &Problem) -> Self {
        Self::new(turned, |class, vertical, row, col| {
            // A ship of one cell always counts as horizontal.
            self.get(class, turned.classes[class].length > 1 && !vertical, col, row)
        })
    }
}

impl WeightTable {
    /// The weights of the placements that a problem allows, and 0 for the others.
    pub(crate) fn of(problem: &Problem, weights: &PlacementWeights) -> Self {
        Self::new(problem, |class, vertical, row, col| {
            let ships = &problem.classes[class];
            let allowed = if vertical { &ships.vertical } else { &ships.horizontal };
            if allowed[row] >> col & 1 == 0 {
                return 0.0;
            }
            let ship = ShipPosition { length: ships.length, row, col, vertical };
            ship.placement().map_or(0.0, |ship| weights.get(ship))
        })
    }

    /// Whether they are the same but for what was rounded.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let same_board = (self.rows, self.cols) == (other.rows, other.cols);
        same_board && self.weights.iter().zip(&other.weights).all(|(&one, &other)| is_alike(one, other))
    }

    /// Whether they are their own mirror image from top to bottom but for what was rounded, as the board is.
    pub(crate) fn is_mirrored_like(&self, board: &Problem) -> bool {
        board.classes.iter().enumerate().all(|(class, ships)| {
            let is_palindrome = |vertical: bool, starts: usize| {
                let alike = |row: usize, col: usize| {
                    is_alike(self.get(class, vertical, row, col), self.get(class, vertical, starts - 1 - row, col))
                };
                (0..starts / 2).all(|row| (0..self.cols).all(|col| alike(row, col)))
            };
            is_palindrome(false, self.rows) && is_palindrome(true, self.rows.saturating_sub(ships.length - 1))
        })
    }
}

fn is_alike(one: f64, other: f64) -> bool {
    (one - other).abs() <= ROUNDED * one.max(other)
}
