//! Pictures.

mod board;
mod colour;
mod png;

pub use board::{Board, Mark};
pub use png::{PngError, png};
