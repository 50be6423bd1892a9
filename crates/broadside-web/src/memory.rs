//! The memory of the process: one account, from which work takes its share before it starts.
//!
//! A part of the memory is set aside for what is always there: the program, the database, the connections. The rest is for
//! work. A job is done with little memory first (a light share), and only where that isn't enough a second time with much (a
//! heavy share), so that the many jobs that need little never wait for the few that need much.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use broadside_odds::Budget;
use broadside_rules::Stop;

use crate::error::ApiError;

const MB: usize = 1 << 20;
/// The least that a server can be given.
pub(crate) const LEAST: usize = 128 * MB;
/// For the program, the database and its thread, large bodies, and what is remembered of addresses.
const BASE: usize = 56 * MB;
/// What a connection may take: its buffers, its request, and the game that it watches.
const CONNECTION: usize = 64 << 10;
/// Connections may take one part in so many of the memory.
const CONNECTIONS_PART: usize = 4;
/// What a light job may take, all in all.
const LIGHT: usize = 32 * MB;
/// The tables of a light job.
const LIGHT_TABLES: usize = 16 * MB;
/// Positions of the search whether a fleet fits, in a light job: about 4 MB.
const LIGHT_POSITIONS: usize = 20_000;
/// The most that a heavy job takes.
const HEAVY: usize = 384 * MB;
/// The most for the tables of a heavy job.
const HEAVY_TABLES: usize = 256 * MB;
/// Positions of the search whether a fleet fits, in a heavy job: some seconds, and 35 MB on the largest board.
const HEAVY_POSITIONS: usize = 200_000;
/// Layouts that a job may list.
const STEPS: u64 = 1 << 24;
/// How long a job may wait for its share.
const WAIT: Duration = Duration::from_secs(10);
/// How often a job that waits for its share looks whether it should stop.
const LOOK: Duration = Duration::from_millis(10);

/// How much of the memory each part of the server may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryPlan {
    /// All of it, in bytes.
    limit: usize,
    /// What is for work.
    work: usize,
    /// Connections at once.
    pub(crate) connections: usize,
}

impl MemoryPlan {
    /// The plan for so many bytes and at most so many connections.
    pub(crate) fn new(limit: usize, connections: usize) -> Self {
        let connections = connections.min(limit / CONNECTIONS_PART / CONNECTION).max(1);
        Self { limit, work: limit.saturating_sub(BASE + connections * CONNECTION), connections }
    }
}

/// What a job may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JobBudget {
    /// What it takes from the account, in bytes.
    pub(crate) share: usize,
    /// For tables and lists.
    pub(crate) tables: Budget,
    /// Positions of the search whether a fleet fits.
    pub(crate) positions: usize,
    /// Whether there is a second try with more.
    pub(crate) is_light: bool,
}

/// The account. Cheap to clone.
#[derive(Clone)]
pub(crate) struct MemoryAccount(Arc<Account>);

struct Account {
    plan: MemoryPlan,
    taken: Mutex<Taken>,
    /// Notified when a share comes back.
    returned: Condvar,
}

#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    now: usize,
    peak: usize,
}

impl MemoryAccount {
    pub(crate) fn new(plan: MemoryPlan) -> Self {
        Self(Arc::new(Account { plan, taken: Mutex::default(), returned: Condvar::new() }))
    }

    /// All of the server's memory, in bytes.
    pub(crate) fn limit(&self) -> usize {
        self.0.plan.limit
    }

    /// The memory for work, in bytes: all of it, what is taken now, and the most that was ever taken at once.
    pub(crate) fn for_work(&self) -> [usize; 3] {
        let Taken { now, peak } = *self.taken();
        [self.0.plan.work, now, peak]
    }

    /// What a light job may use.
    pub(crate) fn light(&self) -> JobBudget {
        let share = LIGHT.min(self.0.plan.work);
        let tables = Budget { bytes: LIGHT_TABLES.min(share / 2), steps: STEPS };
        JobBudget { share, tables, positions: LIGHT_POSITIONS, is_light: true }
    }

    /// What a heavy job may use.
    pub(crate) fn heavy(&self) -> JobBudget {
        let share = HEAVY.min(self.for_heavy());
        let tables = Budget { bytes: HEAVY_TABLES.min(share / 3 * 2), steps: STEPS };
        JobBudget { share, tables, positions: HEAVY_POSITIONS, is_light: false }
    }

    /// How many heavy jobs there is memory for.
    pub(crate) fn heavy_jobs(&self) -> usize {
        (self.for_heavy() / self.heavy().share.max(1)).max(1)
    }

    /// Waits for a share, and blocks the thread meanwhile. What is more than a light job takes leaves a quarter for light
    /// jobs.
    pub(crate) fn take(&self, bytes: usize, stop: &Stop) -> Result<MemoryShare, ApiError> {
        let most = if bytes > LIGHT { self.for_heavy() } else { self.0.plan.work };
        let (start, mut taken) = (Instant::now(), self.taken());
        while taken.now + bytes > most {
            stop.check().map_err(|_| ApiError::Busy)?;
            if start.elapsed() > WAIT {
                return Err(ApiError::NoMemory(self.limit()));
            }
            (taken, _) = self.0.returned.wait_timeout(taken, LOOK).unwrap_or_else(PoisonError::into_inner);
        }
        taken.now += bytes;
        taken.peak = taken.peak.max(taken.now);
        Ok(MemoryShare { account: self.clone(), bytes })
    }

    fn for_heavy(&self) -> usize {
        self.0.plan.work / 4 * 3
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.0.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A part of the memory, until dropped.
pub(crate) struct MemoryShare {
    account: MemoryAccount,
    bytes: usize,
}

impl Drop for MemoryShare {
    fn drop(&mut self) {
        self.account.taken().now -= self.bytes;
        self.account.0.returned.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn account(megabytes: usize) -> MemoryAccount {
        MemoryAccount::new(MemoryPlan::new(megabytes * MB, 4096))
    }

    fn stopped() -> Stop {
        let stop = Stop::new();
        stop.stop();
        stop
    }

    #[test]
    fn no_more_is_taken_than_there_is_and_it_comes_back() {
        let (account, stopped) = (account(1024), stopped());
        let take = |bytes| account.take(bytes, &stopped).ok();
        let heavy = account.heavy().share;
        let mut shares: Vec<_> = std::iter::from_fn(|| take(heavy)).collect();
        assert_eq!(shares.len(), account.heavy_jobs());
        let light: Vec<_> = std::iter::from_fn(|| take(LIGHT)).collect();
        assert!(light.len() >= 4, "heavy jobs leave room for light ones");
        let [all, now, peak] = account.for_work();
        assert!(now <= all && now == peak && all < account.limit());
        assert!(take(heavy).is_none());
        shares.pop();
        drop(light);
        assert!(take(heavy).is_some());
        assert_eq!(account.for_work()[2], peak);
    }

    #[test]
    fn many_threads_at_once_never_take_more_than_there_is_and_all_have_their_turn() {
        let account = account(1024);
        let [all, ..] = account.for_work();
        let held = Mutex::new(0);
        thread::scope(|scope| {
            for number in 0..24 {
                let share = if number % 2 == 0 { account.heavy().share } else { account.light().share };
                let (account, held) = (&account, &held);
                scope.spawn(move || {
                    for _ in 0..20 {
                        let taken = account.take(share, &Stop::never()).expect("a share");
                        let mut sum = held.lock().unwrap();
                        *sum += share;
                        assert!(*sum <= all, "{sum} of {all}");
                        drop(sum);
                        thread::yield_now();
                        *held.lock().unwrap() -= share;
                        drop(taken);
                    }
                });
            }
        });
        let [_, now, peak] = account.for_work();
        assert!(now == 0 && peak <= all && peak > account.heavy().share, "{now} {peak} {all}");
    }

    #[test]
    fn every_plan_has_room_for_connections_and_for_a_job_of_each_kind() {
        for megabytes in [128, 200, 256, 1024, 100_000] {
            let (plan, account) = (MemoryPlan::new(megabytes * MB, 4096), account(megabytes));
            assert!(plan.connections >= 500, "{megabytes}: {}", plan.connections);
            for job in [account.light(), account.heavy()] {
                assert!(account.take(job.share, &stopped()).is_ok(), "{megabytes}: {job:?}");
                assert!(job.tables.bytes < job.share && job.share <= account.for_work()[0], "{megabytes}: {job:?}");
            }
        }
    }
}
