//! Ways to find a ship.

mod anywhere;
mod diagonal;
mod mask;
mod pdf;

pub(crate) use anywhere::Anywhere;
pub(crate) use diagonal::Diagonal;
pub(crate) use mask::Mask;
pub(crate) use pdf::Pdf;
