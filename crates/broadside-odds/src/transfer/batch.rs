//! Many logs at once, on all threads.

use std::sync::atomic::{AtomicUsize, Ordering};

use broadside_rules::ShotLog;

use super::Transfer;
use crate::{Counts, OutOfReach, WorkLimits};

/// Counts many logs at once, on the caller's thread and on as many more of the current rayon pool as make up its number. Each has one
/// [`Transfer`] for all its logs, with the whole budget. Keep one and use it again: its engines keep their tables.
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
    engines: Vec<Transfer>,
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
        self.engines.resize_with(threads, || Transfer::new(self.limits.clone()));
        let Some((own, others)) = self.engines[..rayon::current_num_threads()].split_first_mut() else { return Vec::new() };
        // Each log by itself: whole shares of them might leave one thread with all the slow ones.
        let next = AtomicUsize::new(0);
        let count = |engine: &mut Transfer| -> Vec<(usize, Result<Counts, OutOfReach>)> {
            let left = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&at| at < logs.len());
            std::iter::from_fn(left).map(|at| (at, engine.count(&logs[at]))).collect()
        };
        let mut counted = vec![Vec::new(); others.len()];
        // The caller counts too. If it only woke the others and slept, two of them would often begin on one core, and stay there for milliseconds.
        let mut all = rayon::in_place_scope(|scope| {
            for (engine, counted) in others.iter_mut().zip(&mut counted) {
                scope.spawn(|_| *counted = count(engine));
            }
            count(own)
        });
        all.extend(counted.into_iter().flatten());
        all.sort_unstable_by_key(|&(at, _)| at);
        all.into_iter().map(|(_, counts)| counts).collect()
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
