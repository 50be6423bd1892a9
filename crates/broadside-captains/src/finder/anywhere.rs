//! Finder `random` (seed document 000, algorithm 1).
//!
//! The document shuffles the available cells once and goes through them. Drawing the next one each time gives the same
//! distribution, and the choice follows from the log and the generator alone.

use crate::GameRng;
use crate::bits::Bits;
use crate::chart::Chart;
use crate::pair::Finder;
use crate::random::draw;

/// Looks anywhere.
pub(crate) struct Anywhere;

impl<B: Bits> Finder<B> for Anywhere {
    fn find(&mut self, chart: &Chart<B>, rng: &mut GameRng) -> usize {
        draw(chart.unfired(), rng)
    }

    fn judge(&mut self, chart: &Chart<B>) -> (Vec<Option<f64>>, String) {
        let unfired = chart.unfired();
        (chart.scores(unfired, |_| 1.0), format!("one of {} cells not fired at, drawn by lot", unfired.count()))
    }
}
