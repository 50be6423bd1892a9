//! Statistics of whole numbers, each formula with its source.
//!
//! A [`Histogram`] keeps all that was counted. From it come an [`Interval`] around a mean or a share,
//! the [`Difference`] between two captains on the same layouts, and [`ChiSquare`], how well a histogram agrees with a
//! distribution known in closed form.

mod chi_square;
mod difference;
mod histogram;
mod interval;

pub use chi_square::{ChiSquare, last_hit_chance};
pub use difference::Difference;
pub use histogram::Histogram;
pub use interval::{Interval, wilson};

#[cfg(test)]
mod coverage;
