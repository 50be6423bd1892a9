//! Pictures.

mod axis;
mod board;
mod chart;
mod colour;
mod png;
mod series;
mod shots;
mod spread;
mod svg;

pub use axis::Axis;
pub(crate) use axis::thousands;
pub use board::{Board, Mark};
pub use chart::Chart;
pub(crate) use colour::heat;
pub(crate) use png::pixels;
pub use png::{PngError, png};
pub use series::Series;
pub use shots::{cumulative, histogram};
pub use spread::beside;
pub(crate) use svg::escape;
