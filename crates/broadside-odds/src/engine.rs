//! The engines by name, and the one question that all of them answer.

use std::fmt;
use std::str::FromStr;

use broadside_rules::{Cell, CellSet, ShotLog, Stopped};
use rand::Rng;

use crate::baseline::clique;
use crate::contradiction::{Contradiction, explain};
use crate::estimate::estimate_until;
#[cfg(feature = "gpu")]
use crate::gpu::{AdapterChoice, Gpu, GpuError};
use crate::{Counts, EstimatedCounts, OutOfReach, PlacementWeights, Transfer, WeightedCounts, WorkLimits, oracle};

/// A way to count. All give the same integers.
///
/// ```
/// use broadside_odds::{Budget, Engine};
/// use broadside_rules::ShotLog;
///
/// let log = ShotLog::parse(&"4x4 3,2 allowed ship".parse()?, "B2+")?;
/// let counts = Engine::Transfer.count(&log, Budget::default())?;
/// let oracle: Engine = "oracle".parse()?;
/// assert_eq!(oracle.count(&log, Budget::default())?, counts);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// The fast one: see [`Transfer`].
    #[default]
    Transfer,
    /// The paper's, on one thread: see [`clique`].
    Clique,
    /// The paper's, on all threads of the current rayon pool.
    CliqueParallel,
    /// The definition: see [`oracle`].
    Oracle,
    /// The paper's on the fastest GPU, opened anew for every count: see [`gpu`](crate::gpu).
    #[cfg(feature = "gpu")]
    Gpu,
}

impl Engine {
    /// Every engine, the default first.
    pub const ALL: &[Self] = &[
        Self::Transfer,
        Self::Clique,
        Self::CliqueParallel,
        Self::Oracle,
        #[cfg(feature = "gpu")]
        Self::Gpu,
    ];

    /// Its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Transfer => "transfer",
            Self::Clique => "clique",
            Self::CliqueParallel => "clique-parallel",
            Self::Oracle => "oracle",
            #[cfg(feature = "gpu")]
            Self::Gpu => "gpu",
        }
    }

    /// The exact counts of a log.
    ///
    /// # Errors
    /// When that takes more than the budget, answers may be false, or it is stopped.
    pub fn count(self, log: &ShotLog, limits: impl Into<WorkLimits>) -> Result<Counts, OutOfReach> {
        if !log.rules().noise().is_none() {
            return Err(OutOfReach::FalseAnswers);
        }
        match self {
            Self::Transfer => Transfer::new(limits).count(log),
            Self::Clique => clique::count(log, limits),
            Self::CliqueParallel => clique::count_parallel(log, limits),
            Self::Oracle => oracle::count(log, limits),
            #[cfg(feature = "gpu")]
            Self::Gpu => Gpu::open(&AdapterChoice::Fastest, None)?.count(log, limits),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// The text is not the name of an engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such engine: use one of {}", Engine::ALL.iter().map(|engine| engine.word()).collect::<Vec<_>>().join(", "))]
pub struct ParseEngineError;

impl FromStr for Engine {
    type Err = ParseEngineError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.iter().copied().find(|engine| engine.word().eq_ignore_ascii_case(text)).ok_or(ParseEngineError)
    }
}

/// The odds of a position. The type says whether they are exact.
///
/// ```
/// use broadside_odds::{Budget, Engine, Odds, odds};
/// use broadside_rules::ShotLog;
/// use rand::SeedableRng;
///
/// let log = ShotLog::new(&"1x3 2 allowed ship".parse()?);
/// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
/// match odds(&log, Engine::Transfer, Budget::default(), 1000, &mut rng)? {
///     Odds::Exact(counts) => assert_eq!(counts.layouts(), 2),
///     Odds::Weighted(_) => unreachable!("every answer is true"),
///     Odds::Estimate(counts) => println!("about {} layouts", counts.layouts().mean),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Odds {
    /// Exact integers.
    Exact(Counts),
    /// Weights that are exact up to rounding, where answers may be false: every layout is as likely as the answers are with it.
    Weighted(WeightedCounts),
    /// An estimate with its error, where exact was out of reach.
    Estimate(EstimatedCounts),
}

impl Odds {
    /// The chance that a ship lies on the cell.
    pub fn chance(&self, cell: Cell) -> f64 {
        match self {
            Self::Exact(counts) => counts.chance(cell),
            Self::Weighted(counts) => counts.chance(cell),
            Self::Estimate(rough) => rough.chance(cell).mean,
        }
    }

    /// The cells not fired at with the highest chance.
    pub fn best(&self, fired: &CellSet) -> Vec<Cell> {
        match self {
            Self::Exact(counts) => counts.best(fired),
            Self::Weighted(counts) => counts.best(fired),
            Self::Estimate(rough) => rough.best(fired),
        }
    }

    /// Whether they are exact, up to rounding where answers may be false.
    pub fn is_exact(&self) -> bool {
        matches!(self, Self::Exact(_) | Self::Weighted(_))
    }
}

/// There are no odds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OddsError {
    /// No layout fits the log.
    #[error(transparent)]
    Impossible(#[from] Contradiction),
    /// Neither an exact count nor an estimate was found.
    #[error("the odds are out of reach, and not one of {samples} random draws fits the log")]
    OutOfReach {
        /// How many draws were made for an estimate.
        samples: u64,
        /// Why an exact count was not possible.
        source: OutOfReach,
    },
    /// The work was asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The GPU can't be used.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

/// The odds of a log: exact within the budget, otherwise an estimate from `samples` draws.
///
/// ```
/// use broadside_odds::{Budget, Engine, odds};
/// use broadside_rules::{Preset, ShotLog};
/// use rand::SeedableRng;
///
/// let log = ShotLog::parse(&Preset::Classic.rules(), "E5- C3+")?;
/// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
/// let exact = odds(&log, Engine::Transfer, Budget::default(), 10_000, &mut rng)?;
/// let estimated = odds(&log, Engine::Transfer, "1KB".parse::<Budget>()?, 10_000, &mut rng)?;
/// assert!(exact.is_exact() && !estimated.is_exact());
/// let cell = exact.best(log.fired())[0];
/// assert!((exact.chance(cell) - estimated.chance(cell)).abs() < 0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When no layout fits the log, with an explanation; when nothing can be said within the budget; or when it is stopped.
pub fn odds(
    log: &ShotLog,
    engine: Engine,
    limits: impl Into<WorkLimits>,
    samples: u64,
    rng: &mut impl Rng,
) -> Result<Odds, OddsError> {
    let limits = limits.into();
    odds_from_counts(log, engine.count(log, limits.clone()), limits, samples, rng)
}

/// The odds of a log that has been counted, or was out of reach: the second half of [`odds`].
///
/// # Errors
/// When no layout fits the log, with an explanation; when nothing can be said within the budget; or when it is stopped.
pub fn odds_from_counts(
    log: &ShotLog,
    counted: Result<Counts, OutOfReach>,
    limits: impl Into<WorkLimits>,
    samples: u64,
    rng: &mut impl Rng,
) -> Result<Odds, OddsError> {
    let limits = limits.into();
    match counted {
        Ok(counts) if counts.layouts() > 0 => Ok(Odds::Exact(counts)),
        Err(OutOfReach::Stopped) => Err(Stopped.into()),
        Err(OutOfReach::FalseAnswers) => weighted_odds(log, limits),
        Ok(_) => Err(impossible(log, limits)),
        #[cfg(feature = "gpu")]
        Err(OutOfReach::Gpu(error)) => Err(error.into()),
        Err(source) => {
            let estimated = estimate_until(log, samples, rng, &limits.stop)?;
            estimated.map(Odds::Estimate).ok_or(OddsError::OutOfReach { samples, source })
        }
    }
}

/// The odds of a log whose answers may be false. There is no estimate where they are out of reach.
fn weighted_odds(log: &ShotLog, limits: WorkLimits) -> Result<Odds, OddsError> {
    match Transfer::new(limits.clone()).weigh(log, &PlacementWeights::uniform()) {
        Ok(counts) if counts.layouts() > 0.0 && counts.layouts().is_finite() => Ok(Odds::Weighted(counts)),
        Ok(_) => Err(impossible(log, limits)),
        Err(OutOfReach::Stopped) => Err(Stopped.into()),
        Err(source) => Err(OddsError::OutOfReach { samples: 0, source }),
    }
}

/// Why a log that nothing was counted for has no odds.
fn impossible(log: &ShotLog, limits: WorkLimits) -> OddsError {
    match explain(log, limits) {
        Ok(Some(contradiction)) => OddsError::Impossible(contradiction),
        Ok(None) if !log.rules().noise().is_none() => OddsError::OutOfReach { samples: 0, source: OutOfReach::Range },
        Ok(None) => unreachable!("the engines agree on whether a layout fits"),
        Err(OutOfReach::Stopped) => Stopped.into(),
        Err(source) => OddsError::OutOfReach { samples: 0, source },
    }
}
