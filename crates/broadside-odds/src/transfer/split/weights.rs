//! What one placement multiplies into a layout.

use super::number::Number;
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
    /// Whether all placements have the factor 1.
    const EVEN: bool;
    /// `value` times the factor of the placement.
    fn weigh(&self, value: N, place: Place) -> N;
}

/// Every layout counts once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unweighted;

impl<N: Number> Weigh<N> for Unweighted {
    const EVEN: bool = true;
    #[inline(always)]
    fn weigh(&self, value: N, _: Place) -> N {
        value
    }
}

impl Weigh<f64> for WeightTable {
    const EVEN: bool = false;
    fn weigh(&self, value: f64, place: Place) -> f64 {
        value * self.get(place.class, place.vertical, place.row, place.col)
    }
}
