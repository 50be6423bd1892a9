//! Many logs at once, on all threads.

use std::sync::{Mutex, PoisonError};

use broadside_rules::ShotLog;
use rayon::prelude::*;

use super::Transfer;
use crate::{Counts, OutOfReach, WorkLimits};

/// Counts many logs at once, on all threads of the current rayon pool. Each thread has one [`Transfer`] for all its logs, with the
/// whole budget. Keep one and use it again: its engines keep their tables.
///
/// ```
/// use broadside_odds::{BatchTransfer, Budget};
/// use broadside_rules::{Preset, ShotLog};
///
/// let rules = Preset::Classic.rules();
/// let mut engines = BatchTransfer::new(Budget::default());
/// for shots in ["E5-", "E5+"] {
///     let answers = ["", " F6-", " F6+"].map(|more| ShotLog::parse(&rules, &format!("{shots}{more}")).unwrap());
///     let layouts: Vec<u128> = engines.count(&answers).into_iter().map(|counts| counts.unwrap().layouts()).collect();
///     assert_eq!(layouts[0], layouts[1] + layouts[2], "the second shot misses or hits; it can't sink yet");
/// }
/// ```
#[derive(Debug)]
pub struct BatchTransfer {
    limits: WorkLimits,
    engines: Vec<Mutex<Transfer>>,
}

impl BatchTransfer {
    /// Engines with this budget each, or with [`Budget::until`](crate::Budget::until) some that can be stopped.
    pub fn new(limits: impl Into<WorkLimits>) -> Self {
        Self { limits: limits.into(), engines: Vec::new() }
    }

    /// The exact counts of the logs, in their order.
    pub fn count(&mut self, logs: &[ShotLog]) -> Vec<Result<Counts, OutOfReach>> {
        // The pool may be another one than last time.
        let threads = self.engines.len().max(rayon::current_num_threads());
        self.engines.resize_with(threads, || Mutex::new(Transfer::new(self.limits.clone())));
        let count = |log: &ShotLog| {
            let engine = &self.engines[rayon::current_thread_index().unwrap_or(0)];
            // A count that panicked leaves tables that the next one clears.
            engine.lock().unwrap_or_else(PoisonError::into_inner).count(log)
        };
        // Each log by itself: left alone, rayon would give a thread a whole quarter of them, which may be the one with all the slow ones.
        logs.par_iter().with_max_len(1).map(count).collect()
    }
}

/// The exact counts of many logs, in their order, on all threads: [`BatchTransfer`] for a single time.
///
/// ```
/// use broadside_odds::{Budget, odds_many};
/// use broadside_rules::{Preset, ShotLog};
///
/// let logs = ["", "E5-", "E5- F6+"].map(|shots| ShotLog::parse(&Preset::Classic.rules(), shots).unwrap());
/// let counts = odds_many(&logs, Budget::default());
/// assert_eq!(counts[0].as_ref().unwrap().layouts(), 15_046_987_768);
/// assert!(counts.iter().is_sorted_by(|a, b| a.as_ref().unwrap().layouts() > b.as_ref().unwrap().layouts()));
/// ```
pub fn odds_many(logs: &[ShotLog], limits: impl Into<WorkLimits>) -> Vec<Result<Counts, OutOfReach>> {
    BatchTransfer::new(limits).count(logs)
}
