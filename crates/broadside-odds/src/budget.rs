//! How much an engine may use.

use std::fmt;
use std::str::FromStr;

use broadside_rules::{Stop, Stopped};

/// How much memory and how many steps an engine may use before it gives up.
///
/// Engines know no clock, so that the same request always gets the same answer. The memory bounds the time of the transfer
/// engine, which goes through its tables a fixed number of times; the steps bound the engines that list layouts.
///
/// ```
/// use broadside_odds::{Budget, Engine, OutOfReach};
/// use broadside_rules::{Preset, ShotLog};
///
/// let log = ShotLog::new(&Preset::Russian.rules());
/// let budget: Budget = "4MB".parse()?;
/// assert_eq!(Engine::Transfer.count(&log, budget), Err(OutOfReach::Memory));
/// # Ok::<(), broadside_odds::ParseBudgetError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Bytes for tables.
    pub bytes: usize,
    /// Layouts listed.
    pub steps: u64,
}

impl Default for Budget {
    /// One gigabyte, and enough steps for an hour or so.
    fn default() -> Self {
        Self { bytes: 1 << 30, steps: 1 << 42 }
    }
}

impl Budget {
    /// The same budget for work that gives up when it is asked to stop.
    ///
    /// ```
    /// use broadside_odds::{Budget, Engine, OutOfReach};
    /// use broadside_rules::{Preset, ShotLog, Stop};
    ///
    /// let log = ShotLog::new(&Preset::Classic.rules());
    /// let stop = Stop::new();
    /// stop.stop();
    /// let counts = Engine::Transfer.count(&log, Budget::default().until(&stop));
    /// assert_eq!(counts, Err(OutOfReach::Stopped));
    /// ```
    pub fn until(self, stop: &Stop) -> WorkLimits {
        WorkLimits { budget: self, stop: stop.clone() }
    }
}

/// How much an engine may use, and who may stop it. A [`Budget`] alone is one that nobody stops.
///
/// An engine looks at [`WorkLimits::check`] at least every 20 ms. What it returns when it isn't stopped doesn't depend on
/// who might have.
#[derive(Clone, Debug, Default)]
pub struct WorkLimits {
    /// The memory and the steps.
    pub budget: Budget,
    /// Whether to give up.
    pub stop: Stop,
}

impl WorkLimits {
    /// An error once the work was asked to stop.
    ///
    /// # Errors
    /// [`OutOfReach::Stopped`] when it was.
    pub fn check(&self) -> Result<(), OutOfReach> {
        Ok(self.stop.check()?)
    }
}

impl From<Budget> for WorkLimits {
    fn from(budget: Budget) -> Self {
        Self { budget, stop: Stop::never() }
    }
}

/// An engine would need more than its budget, or was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OutOfReach {
    /// The tables would pass the budget.
    #[error("the tables would need more memory than the budget")]
    Memory,
    /// There are more layouts to list than the budget allows.
    #[error("there are more layouts to list than the budget allows")]
    Steps,
    /// The number of layouts could pass `u128`.
    #[error("the number of layouts could pass 2^128")]
    Overflow,
    /// Answers may be false, so that there are weights of layouts and no counts.
    #[error("with false answers layouts are weighed, not counted")]
    FalseAnswers,
    /// The weights of layouts pass the range of numbers.
    #[error("the weights of the layouts pass the range of floating-point numbers")]
    Range,
    /// The work was asked to stop.
    #[error("the work was stopped before it was done")]
    Stopped,
    /// The GPU can't be used.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] crate::gpu::GpuError),
}

impl From<Stopped> for OutOfReach {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// The text is not a budget.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write a budget as an amount of memory, such as 64MB or 2GB")]
pub struct ParseBudgetError;

impl FromStr for Budget {
    type Err = ParseBudgetError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let upper = text.trim().to_ascii_uppercase();
        let (number, unit) = ["KB", "MB", "GB"]
            .iter()
            .zip([1usize << 10, 1 << 20, 1 << 30])
            .find_map(|(suffix, unit)| Some((upper.strip_suffix(suffix)?, unit)))
            .ok_or(ParseBudgetError)?;
        let number: usize = number.trim().parse().map_err(|_| ParseBudgetError)?;
        let bytes = number.checked_mul(unit).filter(|&bytes| bytes > 0).ok_or(ParseBudgetError)?;
        Ok(Self { bytes, ..Self::default() })
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bytes {
            bytes if bytes % (1 << 30) == 0 => write!(f, "{}GB", bytes >> 30),
            bytes if bytes % (1 << 20) == 0 => write!(f, "{}MB", bytes >> 20),
            bytes => write!(f, "{}KB", bytes.div_ceil(1 << 10)),
        }
    }
}
