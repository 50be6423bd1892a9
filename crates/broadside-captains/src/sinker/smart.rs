//! Sinker `smart` (seed document 000, algorithms 10 to 12).
//!
//! Instead of the neighbours of the first hit it probes at half the length of the shortest ship left in each of the four
//! directions: whatever ship was hit, it reaches that far one way or the other. A hit there gives the direction; the
//! cells between are fired at from the first hit on, till a miss, and then those on the opposite side. The hope is that
//! probes further out find other ships.
//!
//! Where this departs from the pseudocode: the probe is made only on the board and only at a cell not fired at, and its
//! outcome counts like that of any shot; a probe at a cell hit before needs no shot. For a shortest ship of length 1 the
//! distance would be 0; it is at least 1. A line passes over cells already hit, such as the probe, instead of ending
//! there. Algorithm 10 goes on through all four directions; the problem it solves (section 4.2.3) ends with the shot
//! that sinks the ship, and so does this. Hits left over are live hits, and the oldest is next.

use crate::bits::Bits;
use crate::chart::Chart;
use crate::field::Way;
use crate::pair::Sinker;
use crate::sinker::{beside_any, open};

/// Probes further out.
pub(crate) struct Smart;

/// Algorithm 10, from one first hit.
fn chase<B: Bits>(chart: &Chart<B>, open: B, first: usize) -> Option<usize> {
    let distance = (chart.left().shortest() / 2).max(1);
    Way::ALL.iter().find_map(|&way| {
        let probe = chart.field().step(first, way, distance)?;
        if open.has(probe) {
            return Some(probe);
        }
        chart.live().has(probe).then(|| destroy(chart, open, first, way)).flatten()
    })
}

/// Algorithms 11 and 12: the cells from the first hit towards the probe, then those the other way.
fn destroy<B: Bits>(chart: &Chart<B>, open: B, first: usize, way: Way) -> Option<usize> {
    let (field, live) = (chart.field(), chart.live());
    let end = |way: Way, reach: usize| field.step(first, way, reach + 1).filter(|&cell| open.has(cell));
    let reach = |way: Way| field.reach(live, first, way, usize::MAX);
    let ahead = reach(way);
    match end(way, ahead) {
        Some(cell) => Some(cell),
        // A miss right beside the first hit: the probe hit another ship.
        None if ahead == 0 => None,
        None => end(way.back(), reach(way.back())),
    }
}

impl<B: Bits> Sinker<B> for Smart {
    fn pursue(&self, chart: &Chart<B>) -> Option<usize> {
        let open = open(chart);
        if !chart.field().beside(chart.live()).meets(open) {
            return None;
        }
        let next = chart.live_list().find_map(|hit| chase(chart, open, hit.cell));
        next.or_else(|| beside_any(chart, open))
    }

    fn words(&self, chart: &Chart<B>) -> String {
        let distance = (chart.left().shortest() / 2).max(1);
        format!("{} live hits; probing {distance} away from the oldest, or along its line", chart.live().count())
    }
}
