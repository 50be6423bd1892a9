//! Pictures.

mod board;
mod colour;
mod png;
mod spread;

pub(crate) use board::escape;
pub use board::{Board, Mark};
pub(crate) use colour::heat;
pub(crate) use png::pixels;
pub use png::{PngError, png};
pub use spread::beside;
