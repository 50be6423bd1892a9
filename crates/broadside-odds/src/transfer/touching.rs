//! Weights that know whether ships touch.
//!
//! Such a factor couples ships, which the sweeps place one by one. Where few layouts fit they are listed, and everything is exact.
//! Elsewhere layouts are drawn by the weights of their placements, which is exact, and each counts by its factor: an estimate with
//! its error.

use broadside_rules::{CellSet, Layout, ShotLog};
use rand::{Rng, RngExt};

use super::Transfer;
use crate::estimate::{EstimatedCounts, Sums};
use crate::noise::{AnswerWeights, covered_cells};
use crate::{OutOfReach, PlacementWeights, WeightedCounts};

/// Layouts that are listed at most.
const LISTED: usize = 200_000;

/// Layouts that are drawn for each one that is wanted, at most.
const DRAWS_EACH: usize = 1000;

/// Layouts that are drawn at once.
const DRAWN_AT_ONCE: usize = 1000;

/// Weighted odds, exact or estimated.
#[derive(Clone, Debug, PartialEq)]
pub enum WeightedOdds {
    /// Exact up to rounding.
    Exact(WeightedCounts),
    /// From draws, with standard errors: of the weight of all layouts that fit, and of the chances.
    Estimate(EstimatedCounts),
}

impl WeightedOdds {
    /// Whether the numbers are exact up to rounding.
    pub fn is_exact(&self) -> bool {
        matches!(self, Self::Exact(_))
    }

    /// The weight of all layouts that fit, or an estimate of it.
    pub fn layouts(&self) -> f64 {
        match self {
            Self::Exact(counts) => counts.layouts(),
            Self::Estimate(rough) => rough.layouts().mean,
        }
    }

    /// The chance that a ship lies on the cell, or an estimate of it.
    pub fn chance(&self, cell: broadside_rules::Cell) -> f64 {
        match self {
            Self::Exact(counts) => counts.chance(cell),
            Self::Estimate(rough) => rough.chance(cell).mean,
        }
    }

    /// The standard error of that; 0 where it is exact.
    pub fn std_err(&self, cell: broadside_rules::Cell) -> f64 {
        match self {
            Self::Exact(_) => 0.0,
            Self::Estimate(rough) => rough.chance(cell).std_err,
        }
    }

    /// The cells outside `fired` with the highest chance, in reading order.
    pub fn best(&self, fired: &broadside_rules::CellSet) -> Vec<broadside_rules::Cell> {
        match self {
            Self::Exact(counts) => counts.best(fired),
            Self::Estimate(rough) => rough.best(fired),
        }
    }
}

impl Transfer {
    /// The weighted odds of a log: exact where [`Transfer::weigh`] has them, and otherwise, if a factor for ships that touch is the
    /// reason, an estimate from so many draws. An estimate of weight 0 says that no layout came up that the weights allow.
    ///
    /// ```
    /// use broadside_odds::{Budget, PlacementWeights, Transfer};
    /// use broadside_rules::{Preset, ShotLog};
    /// use rand::SeedableRng;
    ///
    /// let rules = Preset::Classic.rules();
    /// let weights = PlacementWeights::parse(&rules, "side 0.2")?;
    /// let (log, mut rng) = (ShotLog::new(&rules), rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1));
    /// let odds = Transfer::new(Budget::default()).weighted_odds(&log, &weights, &mut rng, 1000)?;
    /// assert!(!odds.is_exact() && odds.std_err("E5".parse()?) < 0.03);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When that takes more than the budget.
    pub fn weighted_odds(
        &mut self,
        log: &ShotLog,
        weights: &PlacementWeights,
        rng: &mut impl Rng,
        draws: usize,
    ) -> Result<WeightedOdds, OutOfReach> {
        match self.weigh(log, weights) {
            Err(OutOfReach::Steps) if !weights.touching().is_either() => {}
            weighed => return weighed.map(WeightedOdds::Exact),
        }
        let plain = weights.clone().with_touching(crate::Touching::EITHER);
        let total = self.weigh(log, &plain)?.layouts();
        let grid = log.rules().grid();
        let mut sums = Sums::new(grid.len());
        for layout in self.sample_weighted(log, &plain, rng, draws)? {
            let covered = layout.cells();
            let cells: Vec<f64> = grid.cells().map(|cell| f64::from(u8::from(covered.contains(cell)))).collect();
            sums.add(total * weights.touching().factor(layout.ships()), &cells);
        }
        Ok(WeightedOdds::Estimate(sums.estimate(grid)))
    }

    /// The weighted odds by listing all layouts that fit.
    pub(super) fn weigh_listed(&self, log: &ShotLog, weights: &PlacementWeights) -> Result<WeightedCounts, OutOfReach> {
        let grid = log.rules().grid();
        let (answers, covered) = (AnswerWeights::new(log), covered_cells(log));
        let (mut total, mut cells) = (0.0, vec![0.0; grid.len()]);
        for ships in self.list(log, LISTED).ok_or(OutOfReach::Steps)? {
            let is_sunk = |covered: &CellSet| ships.iter().flat_map(|ship| ship.cells()).all(|cell| covered.contains(cell));
            if covered.as_ref().is_some_and(is_sunk) {
                continue;
            }
            let likelihood = |answers: &AnswerWeights| ships.iter().map(|&ship| answers.get(ship)).product::<f64>();
            let weight = weights.of_ships(&ships) * answers.as_ref().map_or(1.0, likelihood);
            total += weight;
            ships.iter().flat_map(|ship| ship.cells()).for_each(|cell| cells[grid.index(cell)] += weight);
        }
        Ok(WeightedCounts::new(grid, total, cells))
    }

    /// Draws by the weights of the placements, of which each layout is kept as often as its factor says.
    pub(super) fn sample_touching(
        &mut self,
        log: &ShotLog,
        weights: &PlacementWeights,
        rng: &mut impl Rng,
        n: usize,
    ) -> Result<Vec<Layout>, OutOfReach> {
        let (touching, plain) = (weights.touching(), weights.clone().with_touching(crate::Touching::EITHER));
        let most = touching.most(log.rules().fleet().len());
        let (mut kept, mut drawn) = (Vec::new(), 0);
        while kept.len() < n {
            let batch = self.sample_weighted(log, &plain, rng, DRAWN_AT_ONCE)?;
            drawn += DRAWN_AT_ONCE;
            if batch.is_empty() {
                break;
            }
            kept.extend(batch.into_iter().filter(|layout| rng.random::<f64>() * most < touching.factor(layout.ships())));
            if drawn > DRAWS_EACH * n.max(DRAWN_AT_ONCE) {
                return Err(OutOfReach::Steps);
            }
        }
        kept.truncate(n);
        Ok(kept)
    }
}
