//! Many logs at once, on all threads.

use std::sync::{Mutex, PoisonError};

use broadside_rules::ShotLog;
use rayon::prelude::*;

use super::Transfer;
use crate::{Counts, OutOfReach, WorkLimits};

/// The exact counts of many logs, in their order, on all threads of the current rayon pool. Each thread keeps one
/// [`Transfer`] for all its logs, with the whole budget.
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
    let limits = limits.into();
    let engines: Vec<Mutex<Transfer>> =
        (0..rayon::current_num_threads()).map(|_| Mutex::new(Transfer::new(limits.clone()))).collect();
    let count = |log: &ShotLog| {
        let engine = &engines[rayon::current_thread_index().unwrap_or(0)];
        // A count that panicked leaves tables that the next one clears.
        engine.lock().unwrap_or_else(PoisonError::into_inner).count(log)
    };
    // Each log by itself: left alone, rayon would give a thread a whole quarter of them, which may be the one with all the slow ones.
    logs.par_iter().with_max_len(1).map(count).collect()
}
