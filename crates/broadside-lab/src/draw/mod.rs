//! Pictures.

mod axis;
mod board;
mod chart;
mod colour;
mod png;
mod series;
mod shots;
mod svg;

pub use axis::Axis;
pub(crate) use axis::thousands;
pub use board::{Board, Mark};
pub use chart::Chart;
pub use png::{PngError, png};
pub use series::Series;
pub use shots::{cumulative, histogram};
