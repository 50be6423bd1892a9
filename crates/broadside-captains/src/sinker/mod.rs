//! Ways to sink a ship that was hit.

mod brute;
mod smart;

pub(crate) use brute::Brute;
pub(crate) use smart::Smart;

use crate::bits::Bits;
use crate::chart::Chart;

/// The cells worth firing at: not fired at, and not known to be water.
fn open<B: Bits>(chart: &Chart<B>) -> B {
    chart.unfired() & !chart.ruled_out()
}

/// A cell beside the oldest live hit that has one open, where the algorithm by itself has nothing left to try.
fn beside_any<B: Bits>(chart: &Chart<B>, open: B) -> Option<usize> {
    chart.live_list().find_map(|hit| (chart.field().beside(B::only(hit.cell)) & open).first())
}
