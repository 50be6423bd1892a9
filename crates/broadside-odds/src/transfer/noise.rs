//! Weighted odds where answers may be false: see [`crate::noise`].

use broadside_rules::{Layout, ShotLog};
use rand::Rng;

use super::weights::WeightTable;
use super::{Transfer, layout, profile};
use crate::noise::{AnswerWeights, beyond, covered_cells, within};
use crate::{OutOfReach, PlacementWeights, Problem, WeightedCounts};

/// Where less than this share of the weight is left once some of it is taken away, what is left is added up instead: a difference of
/// nearly equal numbers has few right digits.
const LEAST_LEFT: f64 = 0.1;

/// Layouts that are drawn for each one that is wanted, at most.
const DRAWS_EACH: usize = 1000;

impl Transfer {
    /// The weights of a log, with those of placements and the answers besides.
    pub(super) fn weigh_by(&mut self, log: &ShotLog, weights: &PlacementWeights) -> Result<WeightedCounts, OutOfReach> {
        let problem = Problem::from_log(log);
        let Some(answers) = AnswerWeights::new(log) else { return self.weigh_problem(&problem, weights) };
        let weights = &answers.times(weights, &problem);
        let all = self.weigh_problem(&problem, weights)?;
        let Some(covered) = covered_cells(log) else { return Ok(all) };
        let sunk = self.weigh_problem(&within(&problem, &covered), weights)?;
        if all.layouts() - sunk.layouts() >= LEAST_LEFT * all.layouts() {
            return Ok(all.combined(&sunk, |all, sunk| (all - sunk).max(0.0)));
        }
        let none = WeightedCounts::new(log.rules().grid(), 0.0, vec![0.0; log.rules().grid().len()]);
        beyond(&problem, &covered)
            .try_fold(none, |sum, part| Ok(sum.combined(&self.weigh_problem(&part, weights)?, |a, b| a + b)))
    }

    /// Draws `n` layouts, each with a chance in proportion to its weight and to how likely the answers are with it.
    pub(super) fn sample_by(
        &self,
        log: &ShotLog,
        weights: &PlacementWeights,
        rng: &mut impl Rng,
        n: usize,
    ) -> Result<Vec<Layout>, OutOfReach> {
        let problem = Problem::from_log(log);
        let weighed = AnswerWeights::new(log).map(|answers| answers.times(weights, &problem));
        let table = WeightTable::of(&problem, weighed.as_ref().unwrap_or(weights));
        let mut draw = |n| {
            let drawn = profile::sample_weighted(&problem, &table, &self.limits, rng, n)?;
            Ok(drawn.into_iter().map(|ships| layout(log.rules(), ships)).collect::<Vec<Layout>>())
        };
        let Some(covered) = covered_cells(log) else { return draw(n) };
        let mut kept = Vec::new();
        for _ in 0..DRAWS_EACH {
            kept.extend(draw(n)?.into_iter().filter(|layout| !layout.cells().is_subset(&covered)));
            if kept.len() >= n {
                kept.truncate(n);
                return Ok(kept);
            }
        }
        Err(OutOfReach::Steps)
    }
}
