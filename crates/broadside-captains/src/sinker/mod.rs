//! Ways to sink a ship that was hit.

mod brute;
mod smart;

pub(crate) use brute::Brute;
pub(crate) use smart::Smart;

use crate::bits::Bits;
use crate::position::Position;

/// The cells worth firing at: not fired at, and not known to be water.
fn open<B: Bits>(position: &Position<B>) -> B {
    position.unfired() & !position.ruled_out()
}

/// A cell beside the oldest live hit that has one open, where the algorithm by itself has nothing left to try.
fn beside_any<B: Bits>(position: &Position<B>, open: B) -> Option<usize> {
    position.live_in_order().find_map(|hit| (position.board().beside(B::only(hit.cell)) & open).first())
}
