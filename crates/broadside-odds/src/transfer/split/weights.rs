//! What one placement multiplies into a layout.

use super::number::{Fused, Number};
use crate::Problem;
use crate::transfer::weights::WeightTable;

/// Where a ship of some class starts, and which way it points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Index of the class.
    pub(crate) class: usize,
    /// Whether the ship points down the rows.
    pub(crate) vertical: bool,
    /// First row.
    pub(crate) row: usize,
    /// First column.
    pub(crate) col: usize,
}

/// A factor for each placement; a layout's weight is the product over its ships.
pub(crate) trait Weigh<N: Number>: Sync {
    /// `value` times the factor of the placement.
    fn weigh(&self, value: N, place: Place) -> N;
    /// Whether the factors of a board that is its own mirror image from top to bottom are their own image too.
    fn is_mirrored(&self, board: &Problem) -> bool;
    /// Whether the factors of a board that is its own transpose, `turned` once it is transposed, stay as they are.
    fn is_transpose(&self, turned: &Self) -> bool;
    /// Half of what two images have together.
    fn half(both: N) -> N;
}

/// Every layout counts once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unweighted;

impl<N: Number> Weigh<N> for Unweighted {
    #[inline(always)]
    fn weigh(&self, value: N, _: Place) -> N {
        value
    }

    fn is_mirrored(&self, _: &Problem) -> bool {
        true
    }

    fn is_transpose(&self, _: &Self) -> bool {
        true
    }

    #[inline(always)]
    fn half(both: N) -> N {
        both.half()
    }
}

/// Numbers that weights are computed in: plain floating point, however large.
pub(crate) trait Float: Number + From<f64> + Into<f64> {}

impl Float for f64 {}
impl Float for Fused {}

impl<N: Float> Weigh<N> for WeightTable {
    fn weigh(&self, value: N, place: Place) -> N {
        value.times(self.get(place.class, place.vertical, place.row, place.col).into())
    }

    fn is_mirrored(&self, board: &Problem) -> bool {
        self.is_mirrored_like(board)
    }

    fn is_transpose(&self, turned: &Self) -> bool {
        self.is_like(turned)
    }

    #[inline(always)]
    fn half(both: N) -> N {
        both.times(0.5.into())
    }
}
