//! Queues for work that takes processor time: a few jobs at once, a fair order for those that wait, and an error for the
//! rest.
//!
//! The order is start-time fair queueing. Each job gets a start time on a clock that counts cost: the time of the job that
//! started last, or later, when earlier jobs of the same client or game have used theirs up. The earliest start goes first
//! and, of equal ones, the least cost. So the hundredth job of one client starts after the first of every other.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use broadside_rules::Stop;
use tokio::sync::{oneshot, watch};
use tokio::task;
use tokio::time::{sleep, timeout};

use crate::error::ApiError;
use crate::peer::ClientId;

/// Clients and games whose use of a queue is remembered before the past is forgotten.
const REMEMBERED: usize = 10_000;

/// For whom a job is done, and what it costs.
#[derive(Clone, Debug)]
pub(crate) struct JobInfo {
    pub(crate) client: ClientId,
    /// The id of the game that the job belongs to.
    pub(crate) game: Option<String>,
    /// A rough estimate, in steps: only the order of jobs depends on it.
    pub(crate) cost: u64,
}

/// What a queue allows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueLimits {
    /// Jobs at once. One client has at most one less, if there is more than one.
    pub(crate) running: usize,
    /// Jobs that may wait.
    pub(crate) waiting: usize,
    /// How long a job may wait.
    pub(crate) wait: Duration,
    /// How long a job may run.
    pub(crate) run: Duration,
}

/// Runs work on threads of its own, so that it holds up nobody else's requests.
#[derive(Clone)]
pub(crate) struct WorkQueue(Arc<Shared>);

struct Shared {
    limits: QueueLimits,
    state: Mutex<State>,
    /// Becomes true when the server is to stop.
    stopping: watch::Receiver<bool>,
}

#[derive(Default)]
struct State {
    running: usize,
    running_of_client: HashMap<ClientId, usize>,
    waiting: Vec<Waiting>,
    /// The start time of the job that started last.
    now: u64,
    /// When each client and game has used up what it asked for.
    used_until: HashMap<Account, u64>,
    /// Counts the jobs.
    next_number: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Account {
    Client(ClientId),
    Game(String),
}

struct Waiting {
    number: u64,
    start: u64,
    cost: u64,
    client: ClientId,
    wake: oneshot::Sender<Slot>,
}

impl WorkQueue {
    pub(crate) fn new(limits: QueueLimits, stopping: watch::Receiver<bool>) -> Self {
        Self(Arc::new(Shared { limits, state: Mutex::default(), stopping }))
    }

    /// Runs a job on a thread of its own when its turn comes. The job is asked to stop when this future is dropped, at the
    /// deadline, and when the server stops; it counts as running until it has ended.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        info: JobInfo,
        work: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let slot = self.wait_for_slot(info).await?;
        let stop = Stop::new();
        let _stop_when_dropped = StopWhenDropped(stop.clone());
        let job = task::spawn_blocking(move || {
            let _held = slot;
            work(&stop)
        });
        let mut stopping = self.0.stopping.clone();
        tokio::select! {
            done = job => done.map_err(|error| {
                tracing::error!(%error, "work failed");
                ApiError::Internal
            }),
            () = sleep(self.0.limits.run) => Err(ApiError::TooLong(self.0.limits.run.as_secs())),
            _ = stopping.wait_for(|&stopping| stopping) => Err(ApiError::Busy),
        }
    }

    async fn wait_for_slot(&self, info: JobInfo) -> Result<Slot, ApiError> {
        let mut turn = self.enter(info)?;
        if let Ok(slot) = turn.try_recv() {
            return Ok(slot);
        }
        match timeout(self.0.limits.wait, turn).await {
            Ok(Ok(slot)) => Ok(slot),
            // The sender goes with its entry when the receiver is gone.
            Ok(Err(_)) | Err(_) => Err(ApiError::Busy),
        }
    }

    /// Adds a job to those that wait, and starts it if there is room.
    fn enter(&self, info: JobInfo) -> Result<oneshot::Receiver<Slot>, ApiError> {
        let mut state = self.state();
        // Those who have left make room.
        state.waiting.retain(|waiting| !waiting.wake.is_closed());
        if state.waiting.len() >= self.0.limits.waiting + self.0.limits.running - state.running.min(self.0.limits.running) {
            return Err(ApiError::Busy);
        }
        let (wake, turn) = oneshot::channel();
        state.add(info, wake);
        self.start_next(state);
        Ok(turn)
    }

    /// Starts jobs while there is room and one may start.
    fn start_next(&self, mut state: MutexGuard<'_, State>) {
        let of_one_client = (self.0.limits.running - 1).max(1);
        while state.running < self.0.limits.running {
            let Some(next) = state.take_next(of_one_client) else { return };
            let slot = Slot { queue: self.clone(), client: next.client };
            *state.running_of_client.entry(next.client).or_default() += 1;
            state.running += 1;
            state.now = state.now.max(next.start);
            // A slot that comes back is dropped without the lock, which dropping it takes.
            if let Err(slot) = next.wake.send(slot) {
                drop(state);
                drop(slot);
                return;
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn add(&mut self, info: JobInfo, wake: oneshot::Sender<Slot>) {
        let JobInfo { client, game, cost } = info;
        let now = self.now;
        if self.used_until.len() > REMEMBERED {
            self.used_until.retain(|_, until| *until > now);
        }
        let accounts = [Some(Account::Client(client)), game.map(Account::Game)];
        let used = accounts.iter().flatten().filter_map(|account| self.used_until.get(account)).max();
        let start = used.map_or(now, |&used| used.max(now));
        for account in accounts.into_iter().flatten() {
            self.used_until.insert(account, start.saturating_add(cost));
        }
        let number = self.next_number;
        self.next_number += 1;
        self.waiting.push(Waiting { number, start, cost, client, wake });
    }

    /// Takes the job whose turn it is; clients that have enough jobs running must wait.
    fn take_next(&mut self, of_one_client: usize) -> Option<Waiting> {
        let may_start =
            |waiting: &Waiting| self.running_of_client.get(&waiting.client).is_none_or(|&count| count < of_one_client);
        let jobs = self.waiting.iter().enumerate().filter(|(_, waiting)| may_start(waiting));
        let (index, _) = jobs.min_by_key(|(_, waiting)| (waiting.start, waiting.cost, waiting.number))?;
        Some(self.waiting.swap_remove(index))
    }
}

/// The right to run a job, until dropped.
struct Slot {
    queue: WorkQueue,
    client: ClientId,
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut state = self.queue.state();
        state.running -= 1;
        if let Some(count) = state.running_of_client.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                state.running_of_client.remove(&self.client);
            }
        }
        self.queue.start_next(state);
    }
}

struct StopWhenDropped(Stop);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    const LIMITS: QueueLimits =
        QueueLimits { running: 1, waiting: 1, wait: Duration::from_secs(60), run: Duration::from_secs(60) };

    /// The sender keeps the receiver open.
    fn queue(limits: QueueLimits) -> (WorkQueue, watch::Sender<bool>) {
        let (stop, stopping) = watch::channel(false);
        (WorkQueue::new(limits, stopping), stop)
    }

    fn of(client: u64, cost: u64) -> JobInfo {
        JobInfo { client: ClientId::Connection(client), game: None, cost }
    }

    /// A job that runs until the returned sender is dropped.
    fn block(queue: &WorkQueue, client: u64) -> (mpsc::Sender<()>, task::JoinHandle<Result<bool, ApiError>>) {
        let (go, wait) = mpsc::channel::<()>();
        let queue = queue.clone();
        (go, tokio::spawn(async move { queue.run(of(client, 1), move |_| wait.recv().is_err()).await }))
    }

    async fn until(is_so: impl Fn() -> bool) {
        while !is_so() {
            sleep(Duration::from_millis(1)).await;
        }
    }

    #[tokio::test]
    async fn more_than_may_wait_are_refused_and_slots_come_back() {
        let (queue, _stop) = queue(LIMITS);
        let (go, working) = block(&queue, 1);
        until(|| queue.state().running == 1).await;
        let waiting = tokio::spawn({
            let queue = queue.clone();
            async move { queue.run(of(2, 1), |_| 2).await }
        });
        until(|| queue.state().waiting.len() == 1).await;
        assert!(matches!(queue.run(of(3, 1), |_| 3).await, Err(ApiError::Busy)));
        drop(go);
        assert!(working.await.unwrap().unwrap());
        assert_eq!(waiting.await.unwrap().unwrap(), 2);
        assert_eq!(queue.run(of(3, 1), |_| 4).await.unwrap(), 4);
    }

    #[tokio::test]
    async fn work_that_panics_is_an_error_and_gives_its_slot_back() {
        let (queue, _stop) = queue(LIMITS);
        assert!(matches!(queue.run(of(1, 1), |_| panic!("on purpose")).await, Err::<(), _>(ApiError::Internal)));
        assert_eq!(queue.run(of(1, 1), |_| 1).await.unwrap(), 1);
    }

    /// The order in which jobs run that are all entered while another one runs.
    async fn order(jobs: Vec<(&'static str, JobInfo)>) -> Vec<&'static str> {
        let (queue, _stop) = queue(QueueLimits { waiting: 1000, ..LIMITS });
        let (go, working) = block(&queue, 0);
        until(|| queue.state().running == 1).await;
        let (done, order) = mpsc::channel();
        let mut tasks = Vec::new();
        for (number, (name, info)) in jobs.into_iter().enumerate() {
            let (entered, done) = (queue.clone(), done.clone());
            tasks.push(tokio::spawn(async move { entered.run(info, move |_| done.send(name)).await }));
            until(|| queue.state().waiting.len() == number + 1).await;
        }
        drop((go, done));
        working.await.unwrap().unwrap();
        for task in tasks {
            task.await.unwrap().unwrap().unwrap();
        }
        order.iter().collect()
    }

    #[tokio::test]
    async fn a_clients_hundredth_job_comes_after_anothers_first() {
        let mut jobs = vec![("flood", of(1, 5)); 100];
        jobs.push(("other", of(2, 500)));
        let order = order(jobs).await;
        assert!(order.iter().position(|&name| name == "other") <= Some(1), "{order:?}");
    }

    #[tokio::test]
    async fn the_least_cost_goes_first_among_equals_and_a_game_is_one_account() {
        assert_eq!(order(vec![("long", of(1, 9)), ("short", of(2, 3))]).await, ["short", "long"]);
        let in_game = |client, cost| JobInfo { game: Some("game".to_owned()), ..of(client, cost) };
        assert_eq!(order(vec![("a", in_game(1, 9)), ("b", in_game(2, 3)), ("c", of(3, 9))]).await, ["a", "c", "b"]);
    }

    #[tokio::test]
    async fn one_client_never_has_every_slot() {
        let (queue, _stop) = queue(QueueLimits { running: 2, waiting: 10, ..LIMITS });
        let blocked: Vec<_> = (0..5).map(|_| block(&queue, 1)).collect();
        until(|| queue.state().waiting.len() == 4).await;
        assert_eq!(queue.run(of(2, 1000), |_| 7).await.unwrap(), 7);
        for (go, working) in blocked {
            drop(go);
            assert!(working.await.unwrap().unwrap());
        }
    }

    /// A job that runs until it is asked to stop, and says so.
    fn endless(told: mpsc::Sender<()>) -> impl FnOnce(&Stop) + Send + 'static {
        move |stop| {
            while !stop.is_stopped() {
                std::thread::sleep(Duration::from_millis(1));
            }
            told.send(()).unwrap();
        }
    }

    #[tokio::test]
    async fn work_is_asked_to_stop_when_its_client_leaves_at_its_deadline_and_when_the_server_stops() {
        let (told, stopped) = mpsc::channel();
        let is_told = || stopped.try_recv().is_ok();
        let (queue_of_client, _stop) = queue(LIMITS);
        let left = timeout(Duration::from_millis(20), queue_of_client.run(of(1, 1), endless(told.clone()))).await;
        assert!(left.is_err());
        until(is_told).await;
        let (short, _stop) = queue(QueueLimits { run: Duration::from_millis(20), ..LIMITS });
        assert!(matches!(short.run(of(1, 1), endless(told.clone())).await, Err(ApiError::TooLong(_))));
        until(is_told).await;
        let (ending, stop) = queue(LIMITS);
        let running = tokio::spawn(async move { ending.run(of(1, 1), endless(told)).await });
        sleep(Duration::from_millis(20)).await;
        stop.send_replace(true);
        assert!(matches!(running.await.unwrap(), Err(ApiError::Busy)));
        until(is_told).await;
    }

    #[tokio::test]
    async fn nobody_waits_without_end() {
        let (queue, _stop) = queue(QueueLimits { wait: Duration::from_millis(20), ..LIMITS });
        let (go, working) = block(&queue, 1);
        until(|| queue.state().running == 1).await;
        assert!(matches!(queue.run(of(2, 1), |_| 2).await, Err(ApiError::Busy)));
        drop(go);
        assert!(working.await.unwrap().unwrap());
        assert_eq!(queue.run(of(2, 1), |_| 3).await.unwrap(), 3, "the one that left gets no slot");
    }
}
