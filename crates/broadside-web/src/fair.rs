//! A fair order for jobs that wait: start-time fair queueing.
//!
//! Each job gets a start time on a clock that counts what jobs take, in microseconds: the start of the job that was taken
//! last, or later, when earlier jobs of the same client or game have used more than their share. The earliest start goes first
//! and, of equal ones, the least cost. So the hundredth job of one client is taken after the first of every other.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use crate::peer::ClientId;

/// Clients and games whose use is remembered. With one more, all of the past is forgotten.
const REMEMBERED: usize = 10_000;

/// For whom a job is done, and what it costs.
#[derive(Clone, Debug)]
pub(crate) struct JobInfo {
    pub(crate) client: ClientId,
    /// The id of the game that the job belongs to.
    pub(crate) game: Option<String>,
    /// A rough estimate in microseconds: only the order of jobs depends on it.
    pub(crate) cost: u64,
}

impl JobInfo {
    fn accounts(&self) -> impl Iterator<Item = Account> {
        [Some(Account::Client(self.client)), self.game.clone().map(Account::Game)].into_iter().flatten()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Account {
    Client(ClientId),
    Game(String),
}

/// The place of a job: when it may start, what it costs, and its number.
type Place = (u64, u64, u64);

/// Jobs that wait, in a fair order.
pub(crate) struct FairQueue<T> {
    waiting: BTreeMap<Place, (JobInfo, T)>,
    /// The start of the job that was taken last.
    now: u64,
    /// When each client and game has used up what it asked for.
    used_until: HashMap<Account, u64>,
    /// Counts the jobs.
    next_number: u64,
}

impl<T> Default for FairQueue<T> {
    fn default() -> Self {
        Self { waiting: BTreeMap::new(), now: 0, used_until: HashMap::new(), next_number: 0 }
    }
}

impl<T> FairQueue<T> {
    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Adds a job.
    pub(crate) fn push(&mut self, info: JobInfo, job: T) {
        let used = info.accounts().filter_map(|account| self.used_until.get(&account)).max();
        let start = used.map_or(self.now, |&used| used.max(self.now));
        self.use_until(&info, start.saturating_add(info.cost));
        self.waiting.insert((start, info.cost, self.next_number), (info, job));
        self.next_number += 1;
    }

    /// Takes the first job of those whose client may have one.
    pub(crate) fn pop(&mut self, may_start: impl Fn(ClientId) -> bool) -> Option<(JobInfo, T)> {
        let (&place, _) = self.waiting.iter().find(|(_, (info, _))| may_start(info.client))?;
        self.now = self.now.max(place.0);
        self.waiting.remove(&place)
    }

    /// Takes away the last job: that of whoever has used the most.
    pub(crate) fn pop_last(&mut self) -> Option<T> {
        self.waiting.pop_last().map(|(_, (_, job))| job)
    }

    /// Drops the jobs that nobody waits for any more.
    pub(crate) fn retain(&mut self, is_wanted: impl Fn(&T) -> bool) {
        self.waiting.retain(|_, (_, job)| is_wanted(job));
    }

    /// Counts the time that a job has taken, which its cost was only a guess of.
    pub(crate) fn charge(&mut self, info: &JobInfo, took: Duration) {
        let used = info.accounts().filter_map(|account| self.used_until.get(&account)).max();
        let from = used.map_or(self.now, |&used| used.max(self.now));
        self.use_until(info, from.saturating_add(took.as_micros() as u64));
    }

    fn use_until(&mut self, info: &JobInfo, until: u64) {
        if self.used_until.len() > REMEMBERED {
            self.used_until.clear();
        }
        for account in info.accounts() {
            self.used_until.insert(account, until);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(client: u64, cost: u64) -> JobInfo {
        JobInfo { client: ClientId::Connection(client), game: None, cost }
    }

    /// The order in which jobs are taken that are all added at once.
    fn order(jobs: impl IntoIterator<Item = (&'static str, JobInfo)>) -> Vec<&'static str> {
        let mut queue = FairQueue::default();
        jobs.into_iter().for_each(|(name, info)| queue.push(info, name));
        std::iter::from_fn(|| queue.pop(|_| true)).map(|(_, name)| name).collect()
    }

    #[test]
    fn a_clients_hundredth_job_comes_after_anothers_first() {
        let mut jobs = vec![("flood", of(1, 5)); 100];
        jobs.push(("other", of(2, 500)));
        let order = order(jobs);
        assert!(order.iter().position(|&name| name == "other") <= Some(1), "{order:?}");
    }

    #[test]
    fn the_least_cost_goes_first_among_equals_and_a_game_is_one_account() {
        assert_eq!(order([("long", of(1, 9)), ("short", of(2, 3))]), ["short", "long"]);
        let in_game = |client, cost| JobInfo { game: Some("game".to_owned()), ..of(client, cost) };
        assert_eq!(order([("a", in_game(1, 9)), ("b", in_game(2, 3)), ("c", of(3, 9))]), ["a", "c", "b"]);
    }

    #[test]
    fn who_has_used_more_time_than_it_looked_comes_later() {
        let mut queue = FairQueue::default();
        for client in [1, 2] {
            queue.push(of(client, 1), "first");
        }
        while let Some((info, _)) = queue.pop(|_| true) {
            let took = if info.client == ClientId::Connection(1) { 500 } else { 3 };
            queue.charge(&info, Duration::from_micros(took));
        }
        queue.push(of(1, 1), "long before");
        queue.push(of(2, 1), "short before");
        assert_eq!(queue.pop(|_| true).map(|(_, name)| name), Some("short before"));
        assert_eq!(queue.pop(|_| true).map(|(_, name)| name), Some("long before"), "and nobody waits for nothing");
    }

    #[test]
    fn the_last_one_is_of_who_has_used_the_most_and_clients_can_be_passed_over() {
        let mut queue = FairQueue::default();
        for number in 0..3 {
            queue.push(of(1, 5), number);
        }
        queue.push(of(2, 50), 3);
        assert_eq!(queue.pop_last(), Some(2));
        assert_eq!(queue.pop(|client| client != ClientId::Connection(1)).map(|(_, number)| number), Some(3));
        queue.retain(|&number| number != 0);
        assert_eq!((queue.len(), queue.pop(|_| true).map(|(_, number)| number)), (1, Some(1)));
    }
}
