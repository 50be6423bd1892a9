//! Ways to find a ship.

mod diagonal;
mod mask;
mod pdf;
mod random;

pub(crate) use diagonal::Diagonal;
pub(crate) use mask::Mask;
pub(crate) use pdf::Pdf;
pub(crate) use random::RandomFinder;
