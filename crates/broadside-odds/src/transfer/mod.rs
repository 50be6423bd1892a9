//! The fast engine, and the default.
//!
//! Two sweeps share the work. Where ships may touch, `split` goes down the rows with the few vertical ships as its
//! state; where they may not, and where that state grows too large, the profile sweep goes cell by cell with the contents
//! of the last row as its state. Both give all marginals from one pass forward and one backward. A few ships that may not
//! touch are counted placement by placement (`apart`).
//! Exact uniform samples have ways of their own (`sampler`).

mod apart;
mod batch;
mod instructions;
mod profile;
mod sampler;
mod split;
mod weights;

use broadside_rules::{Draft, Layout, Placement, Rules, ShotLog, Touch};
use rand::Rng;

pub use self::batch::odds_many;
pub use self::instructions::InstructionSet;
pub(crate) use self::profile::Sampler as SweepSampler;
pub use self::sampler::Sampler;
use crate::problem::ShipPosition;
use crate::{Counts, OutOfReach, PlacementWeights, Problem, WeightedCounts, WorkLimits};

/// Counts positions one after the other. Keep one and use it again: it keeps its tables.
#[derive(Debug)]
pub struct Transfer {
    limits: WorkLimits,
    split: split::Engine,
}

impl Transfer {
    /// An engine with this budget, or with [`Budget::until`](crate::Budget::until) one that can be stopped.
    pub fn new(limits: impl Into<WorkLimits>) -> Self {
        let limits = limits.into();
        Self { split: split::Engine::new(&limits, InstructionSet::fastest()), limits }
    }

    /// An engine whose row sweep uses these instructions; none if this processor doesn't have them. For tests and
    /// measurements: [`Transfer::new`] takes the fastest.
    pub fn with_instructions(limits: impl Into<WorkLimits>, instructions: InstructionSet) -> Option<Self> {
        let limits = limits.into();
        instructions.is_available().then(|| Self { split: split::Engine::new(&limits, instructions), limits })
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
        self.limits.check()?;
        match problem.touch {
            Touch::Allowed => match self.split.count(problem) {
                Err(OutOfReach::Memory) => profile::count(problem, &self.limits),
                counts => counts,
            },
            Touch::Corners | Touch::Never => match apart::count(problem, &self.limits)? {
                Some(counts) => Ok(counts),
                None => profile::count(problem, &self.limits),
            },
        }
    }

    /// The number of layouts alone.
    ///
    /// # Errors
    /// When that takes more than the budget.
    pub fn total(&mut self, problem: &Problem) -> Result<u128, OutOfReach> {
        self.limits.check()?;
        match problem.touch {
            Touch::Allowed => self.count_problem(problem).map(|counts| counts.layouts()),
            Touch::Corners | Touch::Never => profile::total(problem, &self.limits),
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
                Err(OutOfReach::Memory) => profile::weigh(&problem, &table, &self.limits),
                weighed => weighed,
            },
            Touch::Corners | Touch::Never => profile::weigh(&problem, &table, &self.limits),
        }
    }

    /// A sampler of the layouts that fit the log; none if no layout fits.
    ///
    /// # Errors
    /// When that takes more than the budget.
    pub fn sampler(&self, log: &ShotLog) -> Result<Option<Sampler>, OutOfReach> {
        Sampler::new(log, &self.limits)
    }

    /// All layouts that fit the log, each as its ships in no particular order; none if there are more than so many, or if the
    /// search meets too many dead ends.
    ///
    /// ```
    /// use broadside_odds::{Budget, Transfer};
    /// use broadside_rules::ShotLog;
    ///
    /// let log = ShotLog::parse(&"4x4 3,2 allowed ship".parse()?, "B2+")?;
    /// let transfer = Transfer::new(Budget::default());
    /// assert_eq!(transfer.list(&log, 1000).map(|layouts| layouts.len()), Some(100));
    /// assert_eq!(transfer.list(&log, 99), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn list(&self, log: &ShotLog, most: usize) -> Option<Vec<Vec<Placement>>> {
        sampler::list(&Problem::from_log(log), most)
    }

    /// Draws `n` layouts that fit the log, each with the same chance, independently; none when no layout fits. The same
    /// generator gives the same layouts.
    ///
    /// # Errors
    /// When that takes more than the budget.
    pub fn sample(&self, log: &ShotLog, rng: &mut impl Rng, n: usize) -> Result<Vec<Layout>, OutOfReach> {
        let sampler = self.sampler(log)?;
        Ok(sampler.map_or_else(Vec::new, |mut sampler| (0..n).map(|_| sampler.draw(rng)).collect()))
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
        let drawn = profile::sample_weighted(&problem, &table(&problem, weights), &self.limits, rng, n)?;
        Ok(drawn.into_iter().map(|ships| layout(log.rules(), ships)).collect())
    }
}

/// The weights as the sweeps look them up.
fn table(problem: &Problem, weights: &PlacementWeights) -> weights::WeightTable {
    weights::WeightTable::new(problem, |class, vertical, row, col| {
        let spot = ShipPosition { length: problem.classes[class].length, row, col, vertical };
        spot.placement().map_or(0.0, |placement| weights.get(placement))
    })
}

/// The layout of ships that a sweep has drawn.
pub(crate) fn layout(rules: &Rules, ships: Vec<ShipPosition>) -> Layout {
    let ships = ships.into_iter().filter_map(ShipPosition::placement).collect();
    Draft::Ships(ships).check(rules).into_layout().expect("a sweep draws legal layouts")
}
