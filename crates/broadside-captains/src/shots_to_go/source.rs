//! Where the layouts come from that are played on.

use std::sync::Arc;

use broadside_odds::{Budget, OutOfReach, PlacementWeights, Sampler, Transfer};
use broadside_rules::{Layout, Placement, ShotLog, Stop};
use rand::SeedableRng;

use super::Error;
use super::candidates::Chances;
use crate::GameRng;

/// Layouts that fit a log.
pub(super) enum Source {
    /// Each equally likely.
    Even(Sampler),
    /// Each as likely as the product of its ships' weights.
    Weighted(WeightedSource),
}

/// Layouts drawn at once: the tables of a draw are made anew each time.
const BATCH: usize = 4096;

/// Draws for the chances, where these are estimates.
const DRAWS: usize = 4000;

/// Draws by weights, many at once.
pub(super) struct WeightedSource {
    log: ShotLog,
    weights: Arc<PlacementWeights>,
    budget: Budget,
    waiting: Vec<Layout>,
    drawn: Option<Layout>,
}

impl Source {
    /// The next layout, as its ships.
    pub(super) fn draw_ships(&mut self, rng: &mut GameRng) -> &[Placement] {
        match self {
            Self::Even(sampler) => sampler.draw_ships(rng),
            Self::Weighted(weighted) => weighted.draw_ships(rng),
        }
    }
}

impl WeightedSource {
    /// The source and the chances, which are exact unless the weights have a factor for ships that touch.
    pub(super) fn new(
        log: &ShotLog,
        weights: &Arc<PlacementWeights>,
        budget: Budget,
        stop: &Stop,
    ) -> Result<(Self, Chances), Error> {
        let counts = Transfer::new(budget.until(stop)).weighted_odds(log, weights, &mut GameRng::seed_from_u64(0), DRAWS)?;
        if counts.layouts() <= 0.0 {
            return Err(Error::Impossible);
        }
        let of_cell = log.rules().grid().cells().map(|cell| counts.chance(cell)).collect();
        let source = Self { log: log.clone(), weights: weights.clone(), budget, waiting: Vec::new(), drawn: None };
        // So that whoever asks is told now that it can't be done.
        source.batch(&mut GameRng::seed_from_u64(0), 1)?;
        Ok((source, Chances { of_cell, exact: counts.is_exact() }))
    }

    fn batch(&self, rng: &mut GameRng, layouts: usize) -> Result<Vec<Layout>, OutOfReach> {
        Transfer::new(self.budget).sample_weighted(&self.log, &self.weights, rng, layouts)
    }

    fn draw_ships(&mut self, rng: &mut GameRng) -> &[Placement] {
        if self.waiting.is_empty() {
            self.waiting = self.batch(rng, BATCH).expect("a layout was drawn before, with the same tables");
        }
        self.drawn = self.waiting.pop();
        self.drawn.as_ref().expect("a batch has layouts").ships()
    }
}
