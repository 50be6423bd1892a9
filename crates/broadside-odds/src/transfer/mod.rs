//! The fast engine, and the default.
//!
//! Two sweeps share the work. Where ships may touch, `split` goes down the rows with the few upright ships as its
//! state; where they may not, and where that state grows too large, the profile sweep goes cell by cell with the contents
//! of the last row as its state. Both give all marginals from one pass forward and one backward, and exact uniform samples
//! from the same tables.

mod profile;
mod split;
mod weights;

use broadside_rules::{Draft, Layout, Rules, ShotLog, Stop, Touch};
use rand::Rng;

use crate::problem::ShipPosition;
use crate::{Budget, Counts, OutOfReach, PlacementWeights, Problem, WeightedCounts, WorkLimits};

/// Counts positions one after the other. Keep one and use it again: it keeps its tables.
#[derive(Debug)]
pub struct Transfer {
    budget: Budget,
    /// Looked at before each count so far. The sweeps are to look at it between blocks, at least every 20 ms.
    stop: Stop,
    split: split::Engine,
}

impl Transfer {
    /// An engine with this budget, or with [`Budget::until`] one that can be stopped.
    pub fn new(limits: impl Into<WorkLimits>) -> Self {
        let WorkLimits { budget, stop } = limits.into();
        // Its numbers take up to 16 bytes.
        Self { budget, stop, split: split::Engine::with_budget(budget.bytes / 16) }
    }

    /// The exact counts of a log.
    ///
    /// # Errors
    /// When that takes more than the budget.
    pub fn count(&mut self, log: &ShotLog) -> Result<Counts, OutOfReach> {
        self.count_problem(&Problem::from_log(log))
    }

    /// The exact counts of a problem.
    ///
    /// # Errors
    /// When that takes more than the budget.
    pub fn count_problem(&mut self, problem: &Problem) -> Result<Counts, OutOfReach> {
        self.stop.check()?;
        match problem.touch {
            Touch::Allowed => match self.split.count(problem) {
                Err(OutOfReach::Memory) => profile::count(problem, self.budget),
                counts => counts,
            },
            Touch::Corners | Touch::Never => profile::count(problem, self.budget),
        }
    }

    /// The number of layouts alone.
    ///
    /// # Errors
    /// When that takes more than the budget.
    pub fn total(&mut self, problem: &Problem) -> Result<u128, OutOfReach> {
        self.stop.check()?;
        match problem.touch {
            Touch::Allowed => self.count_problem(problem).map(|counts| counts.layouts()),
            Touch::Corners | Touch::Never => profile::total(problem, self.budget),
        }
    }

    /// The weight of all layouts that fit the log, and for each cell of those with a ship there.
    ///
    /// # Errors
    /// When that takes more than the budget.
    pub fn weigh(&mut self, log: &ShotLog, weights: &PlacementWeights) -> Result<WeightedCounts, OutOfReach> {
        let problem = Problem::from_log(log);
        let table = table(&problem, weights);
        match problem.touch {
            Touch::Allowed => match self.split.count_weighted(&problem, &table) {
                Err(OutOfReach::Memory) => profile::weigh(&problem, &table, self.budget),
                weighed => weighed,
            },
            Touch::Corners | Touch::Never => profile::weigh(&problem, &table, self.budget),
        }
    }

    /// Draws `n` layouts that fit the log, each with the same chance, independently; none when no layout fits. The same
    /// generator gives the same layouts.
    ///
    /// # Errors
    /// When that takes more than the budget.
    pub fn sample(&mut self, log: &ShotLog, rng: &mut impl Rng, n: usize) -> Result<Vec<Layout>, OutOfReach> {
        let problem = Problem::from_log(log);
        let drawn = match problem.touch {
            Touch::Allowed => match self.split.sample(&problem, rng, n) {
                Err(OutOfReach::Memory) => profile::sample(&problem, self.budget, rng, n),
                drawn => drawn,
            },
            Touch::Corners | Touch::Never => profile::sample(&problem, self.budget, rng, n),
        };
        Ok(drawn?.into_iter().map(|ships| layout(log.rules(), ships)).collect())
    }

    /// Draws `n` layouts that fit the log, each with a chance in proportion to its weight.
    ///
    /// # Errors
    /// When that takes more than the budget.
    pub fn sample_weighted(
        &mut self,
        log: &ShotLog,
        weights: &PlacementWeights,
        rng: &mut impl Rng,
        n: usize,
    ) -> Result<Vec<Layout>, OutOfReach> {
        let problem = Problem::from_log(log);
        let drawn = profile::sample_weighted(&problem, &table(&problem, weights), self.budget, rng, n)?;
        Ok(drawn.into_iter().map(|ships| layout(log.rules(), ships)).collect())
    }
}

/// The weights as the sweeps look them up.
fn table(problem: &Problem, weights: &PlacementWeights) -> weights::Weights {
    weights::Weights::new(problem, |class, upright, row, col| {
        let spot = ShipPosition { length: problem.classes[class].length, row, col, upright };
        spot.placement().map_or(0.0, |placement| weights.get(placement))
    })
}

/// The layout of ships that a sweep has drawn.
fn layout(rules: &Rules, ships: Vec<ShipPosition>) -> Layout {
    let ships = ships.into_iter().filter_map(ShipPosition::placement).collect();
    Draft::Ships(ships).check(rules).into_layout().expect("a sweep draws legal layouts")
}
