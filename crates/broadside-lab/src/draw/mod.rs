//! Pictures of boards and charts, as SVG, PNG and GIF.

mod axis;
mod board;
mod campaign_charts;
mod chart;
mod heat;
mod html_head;
mod mark;
mod matrix;
mod odds;
mod png;
mod results;
mod series;
mod side_by_side;
mod svg;

pub use axis::Axis;
pub use board::Board;
pub use campaign_charts::{cumulative, histogram};
pub use chart::Chart;
pub use heat::{HeatColour, Rgb};
pub use html_head::html_head;
pub use mark::{Mark, marks};
pub(crate) use png::pixels;
pub use png::{PngError, png};
pub use series::Series;
pub use side_by_side::side_by_side;
