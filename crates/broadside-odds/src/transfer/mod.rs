//! The fast engine, and the default.
//!
//! Two sweeps share the work. Where ships may touch, `split` goes down the rows with the few vertical ships as its
//! state; where they may not, and where that state grows too large, the profile sweep goes cell by cell with the contents
//! of the last row as its state. Both give all marginals from one pass forward and one backward. A few ships that may not
//! touch are counted placement by placement (`apart`).
//! Exact uniform samples have ways of their own (`sampler`).

mod along;
mod apart;
mod batch;
mod called;
mod instructions;
mod likely;
mod noise;
mod profile;
mod sampler;
mod split;
mod touching;
mod turns;
mod weights;

use broadside_rules::{Draft, Layout, Placement, Rules, ShotLog, Touch};
use rand::Rng;

pub use self::batch::{BatchTransfer, odds_many};
pub(crate) use self::called::add_up;
pub use self::instructions::InstructionSet;
pub(crate) use self::profile::Sampler as SweepSampler;
pub use self::sampler::Sampler;
pub use self::touching::WeightedOdds;
use crate::problem::ShipPosition;
use crate::{Counts, OutOfReach, PlacementWeights, Problem, WeightedCounts, WorkLimits};

/// Counts positions one after the other. Keep one and use it again: it keeps its tables, and along a game it goes on from
/// the layouts that were left before, once these are few.
///
/// ```
/// use broadside_odds::{Budget, Transfer};
/// use broadside_rules::{Preset, ShotLog};
///
/// // A game as it goes on: every answer leaves fewer layouts.
/// let rules = Preset::Classic.rules();
/// let mut engine = Transfer::new(Budget::default());
/// let mut layouts = engine.count(&ShotLog::new(&rules))?.layouts();
/// assert_eq!(layouts, 15_046_987_768);
/// for shots in ["E5-", "E5- C3+", "E5- C3+ C4#2"] {
///     let left = engine.count(&ShotLog::parse(&rules, shots)?)?.layouts();
///     assert!(0 < left && left < layouts);
///     layouts = left;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Transfer {
    limits: WorkLimits,
    split: split::Engine,
    last: along::LastPosition,
    last_cases: called::LastCases,
    likely: likely::LikelyCases,
}

impl Transfer {
    /// An engine with this budget, or with [`Budget::until`](crate::Budget::until) one that can be stopped.
    pub fn new(limits: impl Into<WorkLimits>) -> Self {
        Self::with_engine(limits.into(), InstructionSet::fastest())
    }

    /// An engine whose row sweep uses these instructions; none if this processor doesn't have them. For tests and
    /// measurements: [`Transfer::new`] takes the fastest.
    pub fn with_instructions(limits: impl Into<WorkLimits>, instructions: InstructionSet) -> Option<Self> {
        instructions.is_available().then(|| Self::with_engine(limits.into(), instructions))
    }

    fn with_engine(limits: WorkLimits, instructions: InstructionSet) -> Self {
        let split = split::Engine::new(&limits, instructions);
        Self {
            split,
            limits,
            last: along::LastPosition::default(),
            last_cases: called::LastCases::default(),
            likely: likely::LikelyCases::default(),
        }
    }

    /// The exact counts of a log. Turns of which only the number of hits is known are taken apart into cases, or
    /// the ships are placed one after the other, whichever takes less; each case counts as 64 KB of the budget, and so does the time that one takes.
    ///
    /// ```
    /// use broadside_odds::{Budget, Transfer};
    /// use broadside_rules::ShotLog;
    ///
    /// // A ship of two on a row of three lies at one end or at the other; one of its ends was hit, or the middle.
    /// let log = ShotLog::parse(&"1x3 2 allowed ship salvo=2:count".parse()?, "A1? A2? =1")?;
    /// let counts = Transfer::new(Budget::default()).count(&log)?;
    /// assert_eq!((counts.layouts(), counts.cells()), (1, &[0, 1, 1][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When that takes more than the budget, or answers may be false: then there are weights and no counts.
    pub fn count(&mut self, log: &ShotLog) -> Result<Counts, OutOfReach> {
        self.limits.check()?;
        if !log.rules().noise().is_none() {
            return Err(OutOfReach::FalseAnswers);
        }
        if !log.called_turns().is_empty() {
            return self.count_called(log);
        }
        let problem = Problem::from_log(log);
        if let Some(counts) = self.last.next(log, &problem) {
            return Ok(counts);
        }
        let counts = self.count_problem(&problem)?;
        self.last.remember(log, &counts);
        Ok(counts)
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
    /// ```
    /// use broadside_odds::{Budget, Problem, Transfer};
    /// use broadside_rules::Preset;
    ///
    /// // Of the 15,046,987,768 classic layouts, how many have the ship of 5 in the upper left corner?
    /// let empty = Problem::for_rules(&Preset::Classic.rules());
    /// let mut engine = Transfer::new(Budget::default());
    /// let right = engine.total(&empty.with_ship("A1-A5".parse()?).expect("it may lie there"))?;
    /// let down = engine.total(&empty.with_ship("A1-E1".parse()?).expect("it may lie there"))?;
    /// assert_eq!(right, down, "a square board looks the same in a mirror");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
    /// ```
    /// use broadside_odds::{Budget, PlacementWeights, Transfer};
    /// use broadside_rules::ShotLog;
    ///
    /// // Somebody puts the ship at the left end three times as often as at the right.
    /// let log = ShotLog::new(&"1x3 2 allowed ship".parse()?);
    /// let mut weights = PlacementWeights::uniform();
    /// weights.set("A1-A2".parse()?, 3.0);
    /// let counts = Transfer::new(Budget::default()).weigh(&log, &weights)?;
    /// assert_eq!((counts.layouts(), counts.chance("A1".parse()?)), (4.0, 0.75));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Where answers may be false, each layout also weighs as much as the answers are likely with it, up to a common factor.
    ///
    /// ```
    /// use broadside_odds::{Budget, PlacementWeights, Transfer};
    /// use broadside_rules::ShotLog;
    ///
    /// // The ship lies at one end or at the other; one answer in ten is false.
    /// let log = ShotLog::parse(&"1x3 2 allowed ship noise=0.1".parse()?, "A1+")?;
    /// let counts = Transfer::new(Budget::default()).weigh(&log, &PlacementWeights::uniform())?;
    /// assert!((counts.chance("A1".parse()?) - 0.9).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// With a factor for ships that touch, the layouts are listed, as long as they are few; [`Transfer::weighted_odds`] has an
    /// estimate for the rest.
    ///
    /// # Errors
    /// When that takes more than the budget, or there are too many layouts to list.
    pub fn weigh(&mut self, log: &ShotLog, weights: &PlacementWeights) -> Result<WeightedCounts, OutOfReach> {
        if !weights.touching().is_either() {
            return self.weigh_listed(log, weights);
        }
        if log.called_turns().is_empty() {
            return self.weigh_by(log, weights);
        }
        let grid = log.rules().grid();
        let (mut layouts, mut cells) = (0.0, vec![0.0; grid.len()]);
        for (problem, _) in self.cases(log)? {
            let weighed = self.weigh_problem(&problem, weights)?;
            layouts += weighed.layouts();
            grid.cells().zip(&mut cells).for_each(|(cell, sum)| *sum += weighed.at(cell));
        }
        Ok(WeightedCounts::new(grid, layouts, cells))
    }

    fn weigh_problem(&mut self, problem: &Problem, weights: &PlacementWeights) -> Result<WeightedCounts, OutOfReach> {
        let by_profile = || profile::weigh(problem, &weights::WeightTable::of(problem, weights), &self.limits);
        match problem.touch {
            Touch::Allowed => match self.split.weigh(problem, weights) {
                Err(OutOfReach::Memory) => by_profile(),
                weighed => weighed,
            },
            Touch::Corners | Touch::Never => by_profile(),
        }
    }

    /// A sampler of the layouts that fit the log; none if no layout fits.
    ///
    /// # Errors
    /// When that takes more than the budget, or answers may be false: [`Transfer::sample`] draws then too.
    pub fn sampler(&self, log: &ShotLog) -> Result<Option<Sampler>, OutOfReach> {
        if log.called_turns().is_empty() {
            return Sampler::new(log, &self.limits);
        }
        self.limits.check()?;
        if let Some(sampler) = self.sampler_of_turns(log) {
            return Ok(sampler);
        }
        Sampler::of_cases(log, Self::new(self.limits.clone()).cases(log)?)
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
        if log.called_turns().is_empty() {
            return sampler::list(&Problem::from_log(log), most);
        }
        let mut found = Vec::new();
        for (problem, _) in Self::new(self.limits.clone()).cases(log).ok()? {
            found.extend(sampler::list(&problem, most - found.len())?);
        }
        Some(found)
    }

    /// Draws `n` layouts that fit the log, each with the same chance, independently; none when no layout fits. The same
    /// generator gives the same layouts.
    ///
    /// ```
    /// use broadside_odds::{Budget, Transfer};
    /// use broadside_rules::{Preset, ShotLog};
    /// use rand::SeedableRng;
    ///
    /// // How likely is it that E5 and E6 are two different ships? Odds by cell don't tell; layouts do.
    /// let log = ShotLog::parse(&Preset::Classic.rules(), "E5+ E6+")?;
    /// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
    /// let layouts = Transfer::new(Budget::default()).sample(&log, &mut rng, 1000)?;
    /// let [one, other] = ["E5".parse()?, "E6".parse()?];
    /// let two = layouts.iter().filter(|layout| layout.ship_at(one) != layout.ship_at(other)).count();
    /// assert!(0 < two && two < 500, "{two} of 1000");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When that takes more than the budget.
    pub fn sample(&self, log: &ShotLog, rng: &mut impl Rng, n: usize) -> Result<Vec<Layout>, OutOfReach> {
        if !log.rules().noise().is_none() {
            return self.sample_by(log, &PlacementWeights::uniform(), rng, n);
        }
        let sampler = self.sampler(log)?;
        Ok(sampler.map_or_else(Vec::new, |mut sampler| (0..n).map(|_| sampler.draw(rng)).collect()))
    }

    /// Draws `n` layouts that fit the log, each with a chance in proportion to its weight.
    ///
    /// ```
    /// use broadside_odds::{Budget, PlacementWeights, Transfer};
    /// use broadside_rules::ShotLog;
    /// use rand::SeedableRng;
    ///
    /// let log = ShotLog::new(&"1x3 2 allowed ship".parse()?);
    /// let mut weights = PlacementWeights::uniform();
    /// weights.set("A1-A2".parse()?, 0.0);
    /// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
    /// let layouts = Transfer::new(Budget::default()).sample_weighted(&log, &weights, &mut rng, 10)?;
    /// assert!(layouts.len() == 10 && layouts.iter().all(|layout| layout.to_string() == "A2-A3"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
        if !weights.touching().is_either() {
            return self.sample_touching(log, weights, rng, n);
        }
        if !log.called_turns().is_empty() {
            return self.sample_weighted_cases(log, weights, rng, n);
        }
        self.sample_by(log, weights, rng, n)
    }

    fn sample_weighted_problem(
        &self,
        rules: &Rules,
        problem: &Problem,
        weights: &PlacementWeights,
        rng: &mut impl Rng,
        n: usize,
    ) -> Result<Vec<Layout>, OutOfReach> {
        let drawn = profile::sample_weighted(problem, &weights::WeightTable::of(problem, weights), &self.limits, rng, n)?;
        Ok(drawn.into_iter().map(|ships| layout(rules, ships)).collect())
    }
}

/// The layout of ships that a sweep has drawn.
pub(crate) fn layout(rules: &Rules, ships: Vec<ShipPosition>) -> Layout {
    let ships = ships.into_iter().filter_map(ShipPosition::placement).collect();
    Draft::Ships(ships).check(rules).into_layout().expect("a sweep draws legal layouts")
}
