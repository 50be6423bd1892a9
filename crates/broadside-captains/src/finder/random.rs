//! Finder `random`: algorithm 1 of “CSE 202: Project Algorithmic Solutions” (Martakis, Sharan, Choudhary and Gupta, UC San Diego, 2023).
//!
//! The report shuffles the available cells once and goes through them. Choosing a random one each time gives the same
//! distribution, and the choice follows from the log and the generator alone.

use crate::GameRng;
use crate::bits::Bits;
use crate::pair::Finder;
use crate::position::Position;
use crate::random::random_cell;

/// Looks at a random cell not fired at.
pub(crate) struct RandomFinder;

impl<B: Bits> Finder<B> for RandomFinder {
    fn find(&mut self, position: &Position<B>, rng: &mut GameRng) -> usize {
        random_cell(position.unfired(), rng)
    }

    fn scores(&mut self, position: &Position<B>) -> (Vec<Option<f64>>, String) {
        let unfired = position.unfired();
        (position.scores(unfired, |_| 1.0), format!("one of {} cells not fired at, chosen at random", unfired.count()))
    }
}
