//! Queues for work that takes processor time: a few jobs at once, a fair order for those that wait, and an error for the
//! rest.
//!
//! Nobody knows beforehand how long a job takes. So a job gets a short turn first; one that isn't done by then is stopped, makes
//! room, and begins anew in a longer turn, where it waits with others that take as long and runs on a thread of lower priority.
//! What is done in a moment never waits for what takes seconds, and beginning anew adds little to what takes long. What costs too
//! much for a turn by the estimate doesn't try it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use broadside_rules::Stop;
use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};
use tokio::time::{sleep, timeout};

use crate::background::lower_priority;
use crate::error::ApiError;
use crate::fair::{FairQueue, JobInfo};
use crate::peer::ClientId;

/// How many times as long as estimated a job may take in its first turn.
const ESTIMATE_MARGIN: u128 = 8;
/// The first of several turns is so many times as long for a job that should be done in a small part of it: such a job is late
/// because others keep the processor busy, and beginning anew at a lower priority would make it later still.
const CHEAP_JOBS_TIME: u32 = 2;

/// One of the turns that a job gets, each longer than the one before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    /// Jobs at once. One client has at most one less, if there is more than one.
    pub(crate) running: usize,
    /// How long a job may run. In the first of several turns a cheap one may run somewhat longer.
    pub(crate) time: Duration,
    /// How much the thread's priority is lowered, from 0 to 19. With 0 the thread is one that is there already, on any core.
    pub(crate) nice: u8,
}

/// What a queue allows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueLimits {
    /// Jobs that may wait for each turn. With one more, that of whoever has used the most is refused.
    pub(crate) waiting: usize,
    /// How long a job may wait for each turn.
    pub(crate) wait: Duration,
}

/// Runs work on threads of its own, so that it holds up nobody else's requests.
#[derive(Clone)]
pub(crate) struct WorkQueue(Arc<Shared>);

struct Shared {
    limits: QueueLimits,
    turns: Vec<(Turn, Mutex<State>)>,
    /// Becomes true when the server is to stop.
    stopping: watch::Receiver<bool>,
    /// Whose threads run jobs of full priority, whoever asks for them.
    runtime: Handle,
}

#[derive(Default)]
struct State {
    running: usize,
    running_of_client: HashMap<ClientId, usize>,
    waiting: FairQueue<oneshot::Sender<Slot>>,
}

/// How many jobs wait and how many run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct QueueLengths {
    pub(crate) waiting: usize,
    pub(crate) running: usize,
}

/// How a turn ended.
enum Turned<T> {
    Done(T),
    /// The time was up, and the work gave up.
    GaveUp,
}

impl WorkQueue {
    pub(crate) fn new(turns: &[Turn], limits: QueueLimits, stopping: watch::Receiver<bool>) -> Self {
        let turns = turns.iter().map(|&turn| (turn, Mutex::default())).collect();
        Self(Arc::new(Shared { limits, turns, stopping, runtime: Handle::current() }))
    }

    /// Runs a job on another thread when its turn comes, and anew in the next turn if it isn't done in time. The job is asked
    /// to stop when this future is dropped, at the end of its turn, and when the server stops; it counts as running until it
    /// has ended.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        info: JobInfo,
        work: impl Fn(&Stop) -> T + Send + Sync + 'static,
    ) -> Result<T, ApiError> {
        let work = Arc::new(work);
        for number in self.first_turn(info.cost)..self.0.turns.len() {
            let work = work.clone();
            if let Turned::Done(done) = self.take_turn(number, info.clone(), move |stop| work(stop)).await? {
                return Ok(done);
            }
        }
        let (last, _) = self.0.turns.last().expect("a turn");
        Err(ApiError::TooLong(last.time.as_secs()))
    }

    /// The first turn that a job of this cost is surely done in, if the estimate is any good: what is doubtful takes no time from
    /// the others there.
    fn first_turn(&self, cost: u64) -> usize {
        self.0.turns.iter().position(|(turn, _)| is_short(cost, turn.time)).unwrap_or(self.0.turns.len() - 1)
    }

    /// How long a job of this cost may run in a turn.
    fn time(&self, number: usize, cost: u64) -> Duration {
        let ((turn, _), is_first) = (&self.0.turns[number], number == 0 && self.0.turns.len() > 1);
        let is_cheap = is_first && is_short(cost, turn.time / CHEAP_JOBS_TIME);
        turn.time * if is_cheap { CHEAP_JOBS_TIME } else { 1 }
    }

    /// Runs a job that can't begin anew, in the last turn.
    pub(crate) async fn run_once<T: Send + 'static>(
        &self,
        info: JobInfo,
        work: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let last = self.0.turns.len() - 1;
        match self.take_turn(last, info, work).await? {
            Turned::Done(done) => Ok(done),
            Turned::GaveUp => Err(ApiError::TooLong(self.0.turns[last].0.time.as_secs())),
        }
    }

    /// How many jobs wait and how many run now, in all turns together.
    pub(crate) fn lengths(&self) -> QueueLengths {
        let states = (0..self.0.turns.len()).map(|turn| self.state(turn));
        states.fold(QueueLengths::default(), |sum, state| QueueLengths {
            waiting: sum.waiting + state.waiting.len(),
            running: sum.running + state.running,
        })
    }

    async fn take_turn<T: Send + 'static>(
        &self,
        number: usize,
        info: JobInfo,
        work: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Result<Turned<T>, ApiError> {
        let ((turn, _), time) = (&self.0.turns[number], self.time(number, info.cost));
        let slot = self.wait_for_slot(number, info).await?;
        let stop = Stop::new();
        let _stop_when_dropped = StopWhenDropped(stop.clone());
        let begun = Arc::new(OnceLock::new());
        let mut job = start(&self.0.runtime, turn.nice, {
            let (stop, begun) = (stop.clone(), begun.clone());
            move || {
                begun.get_or_init(Instant::now);
                let _held = slot;
                work(&stop)
            }
        })?;
        let mut stopping = self.0.stopping.clone();
        tokio::select! {
            done = &mut job => return done.map(Turned::Done).map_err(|_| failed()),
            () = time_is_up(time, &begun) => stop.stop(),
            _ = stopping.wait_for(|&stopping| stopping) => return Err(ApiError::Busy),
        }
        if number + 1 == self.0.turns.len() {
            return Ok(Turned::GaveUp);
        }
        // It gives up within 20 ms. What it gives without having looked is whole.
        let done = job.await.map_err(|_| failed())?;
        Ok(if stop.was_noticed() { Turned::GaveUp } else { Turned::Done(done) })
    }

    async fn wait_for_slot(&self, turn: usize, info: JobInfo) -> Result<Slot, ApiError> {
        let mut slot = self.enter(turn, info);
        match slot.try_recv() {
            Ok(slot) => return Ok(slot),
            Err(oneshot::error::TryRecvError::Closed) => return Err(ApiError::Busy),
            Err(oneshot::error::TryRecvError::Empty) => {}
        }
        match timeout(self.0.limits.wait, slot).await {
            Ok(Ok(slot)) => Ok(slot),
            // Too many wait, or it took too long.
            Ok(Err(_)) | Err(_) => Err(ApiError::Busy),
        }
    }

    /// Adds a job to those that wait for a turn, and starts it if there is room.
    fn enter(&self, turn: usize, info: JobInfo) -> oneshot::Receiver<Slot> {
        let (wake, slot) = oneshot::channel();
        self.state(turn).waiting.push(info, wake);
        self.start_next(turn);
        self.refuse_too_many(turn);
        slot
    }

    fn refuse_too_many(&self, turn: usize) {
        let mut state = self.state(turn);
        if state.waiting.len() > self.0.limits.waiting {
            // Those who have left make room.
            state.waiting.retain(|wake| !wake.is_closed());
        }
        if state.waiting.len() > self.0.limits.waiting {
            drop(state.waiting.pop_last());
        }
    }

    /// Starts jobs while there is room and one may start.
    fn start_next(&self, turn: usize) {
        while let Some((wake, slot)) = self.next_to_start(turn) {
            // Without the lock: the thread that wakes up may take the core of this one at once, and a slot that comes back is
            // dropped, which takes the lock.
            drop(wake.send(slot));
        }
    }

    /// Gives a slot to the next job, if there is room and one may start.
    fn next_to_start(&self, turn: usize) -> Option<(oneshot::Sender<Slot>, Slot)> {
        let running = self.0.turns[turn].0.running;
        let of_one_client = (running - 1).max(1);
        let mut state = self.state(turn);
        if state.running >= running {
            return None;
        }
        let State { waiting, running_of_client, .. } = &mut *state;
        let may_start = |client| running_of_client.get(&client).is_none_or(|&count| count < of_one_client);
        let (info, wake) = waiting.pop(may_start)?;
        *state.running_of_client.entry(info.client).or_default() += 1;
        state.running += 1;
        Some((wake, Slot { queue: self.clone(), turn, info, start: Instant::now() }))
    }

    fn state(&self, turn: usize) -> MutexGuard<'_, State> {
        self.0.turns[turn].1.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a job of this cost is surely done within a time, if the estimate is any good.
fn is_short(cost: u64, time: Duration) -> bool {
    u128::from(cost) * ESTIMATE_MARGIN <= time.as_micros()
}

/// Ends when a job has run for this time. One whose thread has to wait for a processor first has its whole turn: to begin anew at a
/// lower priority would make it later still.
async fn time_is_up(time: Duration, begun: &OnceLock<Instant>) {
    let left = || time.saturating_sub(begun.get().map_or(Duration::ZERO, Instant::elapsed));
    while !left().is_zero() {
        sleep(left()).await;
    }
}

fn failed() -> ApiError {
    tracing::error!("work failed");
    ApiError::Internal
}

/// Runs work on another thread, one of lower priority if so wished. No answer comes from work that panics.
fn start<T: Send + 'static>(
    runtime: &Handle,
    nice: u8,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<oneshot::Receiver<T>, ApiError> {
    let (reply, answer) = oneshot::channel();
    let run = move || _ = reply.send(work());
    if nice == 0 {
        runtime.spawn_blocking(run);
        return Ok(answer);
    }
    let thread = std::thread::Builder::new().name("work".to_owned()).spawn(move || {
        lower_priority(nice);
        run();
    });
    thread.map(|_| answer).map_err(|error| {
        tracing::error!(%error, "no thread for work");
        ApiError::Busy
    })
}

/// The right to run a job, until dropped.
struct Slot {
    queue: WorkQueue,
    turn: usize,
    info: JobInfo,
    start: Instant,
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.queue.state(self.turn).end(&self.info, self.start.elapsed());
        self.queue.start_next(self.turn);
    }
}

impl State {
    /// Makes the room of a job free again.
    fn end(&mut self, info: &JobInfo, took: Duration) {
        self.waiting.charge(info, took);
        self.running -= 1;
        if let Some(count) = self.running_of_client.get_mut(&info.client) {
            *count -= 1;
            if *count == 0 {
                self.running_of_client.remove(&info.client);
            }
        }
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

    use tokio::task;

    use super::*;

    const LIMITS: QueueLimits = QueueLimits { waiting: 1, wait: Duration::from_secs(60) };
    const TURN: Turn = Turn { running: 1, time: Duration::from_secs(60), nice: 0 };

    /// The sender keeps the receiver open.
    fn queue(turns: &[Turn], limits: QueueLimits) -> (WorkQueue, watch::Sender<bool>) {
        let (stop, stopping) = watch::channel(false);
        (WorkQueue::new(turns, limits, stopping), stop)
    }

    fn of(client: u64, cost: u64) -> JobInfo {
        JobInfo { client: ClientId::Connection(client), game: None, cost }
    }

    /// A job that runs until the returned sender is dropped.
    fn block(queue: &WorkQueue, client: u64) -> (mpsc::Sender<()>, task::JoinHandle<Result<bool, ApiError>>) {
        let (go, wait) = mpsc::channel::<()>();
        let queue = queue.clone();
        (go, tokio::spawn(async move { queue.run_once(of(client, 1), move |_| wait.recv().is_err()).await }))
    }

    async fn until(is_so: impl Fn() -> bool) {
        while !is_so() {
            sleep(Duration::from_millis(1)).await;
        }
    }

    #[tokio::test]
    async fn of_more_than_may_wait_the_one_of_who_used_the_most_is_refused_and_slots_come_back() {
        let (queue, _stop) = queue(&[TURN], LIMITS);
        let (go, working) = block(&queue, 1);
        until(|| queue.state(0).running == 1).await;
        let waiting = tokio::spawn({
            let queue = queue.clone();
            async move { queue.run(of(2, 1), |_| 2).await }
        });
        until(|| queue.state(0).waiting.len() == 1).await;
        assert!(matches!(queue.run(of(3, 5), |_| 3).await, Err(ApiError::Busy)), "it costs more");
        assert!(matches!(queue.run(of(1, 1), |_| 3).await, Err(ApiError::Busy)), "it has used more");
        drop(go);
        assert!(working.await.unwrap().unwrap());
        assert_eq!(waiting.await.unwrap().unwrap(), 2);
        assert_eq!(queue.run(of(3, 1), |_| 4).await.unwrap(), 4);
    }

    #[tokio::test]
    async fn work_that_panics_is_an_error_and_gives_its_slot_back() {
        for nice in [0, 5] {
            let (queue, _stop) = queue(&[Turn { nice, ..TURN }], LIMITS);
            assert!(matches!(queue.run(of(1, 1), |_| panic!("on purpose")).await, Err::<(), _>(ApiError::Internal)));
            assert_eq!(queue.run(of(1, 1), |_| 1).await.unwrap(), 1);
        }
    }

    #[tokio::test]
    async fn a_clients_hundredth_job_runs_after_anothers_first() {
        let (queue, _stop) = queue(&[TURN], QueueLimits { waiting: 1000, ..LIMITS });
        let (go, working) = block(&queue, 0);
        until(|| queue.state(0).running == 1).await;
        let (done, order) = mpsc::channel();
        let mut tasks = Vec::new();
        for number in 0..101 {
            let (entered, done, client) = (queue.clone(), done.clone(), if number < 100 { 1 } else { 2 });
            tasks.push(tokio::spawn(async move { entered.run(of(client, 5), move |_| done.send(client)).await }));
            until(|| queue.state(0).waiting.len() == number + 1).await;
        }
        drop((go, done));
        working.await.unwrap().unwrap();
        for task in tasks {
            task.await.unwrap().unwrap().unwrap();
        }
        let order: Vec<u64> = order.iter().collect();
        assert!(order.iter().position(|&client| client == 2) <= Some(1), "{order:?}");
    }

    #[tokio::test]
    async fn one_client_never_has_every_slot() {
        let (queue, _stop) = queue(&[Turn { running: 2, ..TURN }], QueueLimits { waiting: 10, ..LIMITS });
        let blocked: Vec<_> = (0..5).map(|_| block(&queue, 1)).collect();
        until(|| queue.state(0).waiting.len() == 4).await;
        assert_eq!(queue.run(of(2, 1000), |_| 7).await.unwrap(), 7);
        for (go, working) in blocked {
            drop(go);
            assert!(working.await.unwrap().unwrap());
        }
    }

    /// A job that runs until it is asked to stop, and says so.
    fn endless(told: mpsc::Sender<()>) -> impl Fn(&Stop) + Send + Sync + 'static {
        move |stop| {
            while !stop.is_stopped() {
                std::thread::sleep(Duration::from_millis(1));
            }
            told.send(()).unwrap();
        }
    }

    const SHORT: Turn = Turn { time: Duration::from_millis(20), ..TURN };

    #[test]
    fn a_job_whose_thread_begins_late_has_its_whole_turn() {
        // The only thread of the runtime for such jobs is busy for longer than the turn.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().max_blocking_threads(1).build().unwrap();
        runtime.block_on(async {
            let (queue, _stop) = queue(&[SHORT, TURN], LIMITS);
            task::spawn_blocking(|| std::thread::sleep(3 * SHORT.time));
            let (told, begun) = mpsc::channel();
            let job = move |stop: &Stop| {
                told.send(()).unwrap();
                stop.is_stopped()
            };
            assert!(!queue.run(of(1, 1), job).await.unwrap());
            assert_eq!(begun.iter().count(), 1, "it doesn't begin anew");
        });
    }

    #[tokio::test]
    async fn what_takes_long_makes_room_and_begins_anew_in_a_longer_turn() {
        let (queue, _stop) = queue(&[SHORT, Turn { nice: 5, ..TURN }], QueueLimits { waiting: 100, ..LIMITS });
        let (told, stopped) = mpsc::channel();
        let mut long = Vec::new();
        for client in 0..3 {
            let (queue, told) = (queue.clone(), told.clone());
            long.push(tokio::spawn(async move { queue.run(of(client, 1), endless(told)).await }));
        }
        // All three give up their short turn; then one is in the long turn, and two wait for it.
        until(|| queue.state(1).running == 1 && queue.state(1).waiting.len() == 2).await;
        assert_eq!(queue.lengths(), QueueLengths { waiting: 2, running: 1 });
        assert_eq!(stopped.try_iter().count(), 3);
        assert_eq!(queue.run(of(9, 1000), |_| 7).await.unwrap(), 7, "a short job waits for none of them");
        assert_eq!([2500, 2501, u64::MAX].map(|cost| queue.first_turn(cost)), [0, 1, 1]);
        for task in long {
            task.abort();
        }
    }

    #[tokio::test]
    async fn a_cheap_job_has_more_time_in_the_first_of_several_turns_alone() {
        let (several, _stop) = queue(&[SHORT, TURN], LIMITS);
        let times = |costs: [u64; 3]| costs.map(|cost| several.time(0, cost).as_millis());
        assert_eq!(times([1, 1250, 1251]), [40, 40, 20]);
        let (single, _stop) = queue(&[SHORT], LIMITS);
        assert_eq!([several.time(1, 1), single.time(0, 1)], [TURN.time, SHORT.time]);
    }

    #[tokio::test]
    async fn what_is_done_without_looking_is_not_done_again() {
        let (queue, _stop) = queue(&[SHORT, TURN], LIMITS);
        let (count, counted) = mpsc::channel();
        let slow = move |_: &Stop| {
            count.send(()).unwrap();
            std::thread::sleep(Duration::from_millis(60));
            5
        };
        assert_eq!(queue.run(of(1, 1), slow).await.unwrap(), 5);
        assert_eq!(counted.iter().count(), 1);
    }

    #[tokio::test]
    async fn work_is_asked_to_stop_when_its_client_leaves_at_its_deadline_and_when_the_server_stops() {
        let (told, stopped) = mpsc::channel();
        let is_told = || stopped.try_recv().is_ok();
        let (queue_of_client, _stop) = queue(&[TURN], LIMITS);
        let left = timeout(Duration::from_millis(20), queue_of_client.run(of(1, 1), endless(told.clone()))).await;
        assert!(left.is_err());
        until(is_told).await;
        let (short, _stop) = queue(&[SHORT], LIMITS);
        assert!(matches!(short.run(of(1, 1), endless(told.clone())).await, Err(ApiError::TooLong(_))));
        until(is_told).await;
        let (ending, stop) = queue(&[TURN], LIMITS);
        let running = tokio::spawn(async move { ending.run(of(1, 1), endless(told)).await });
        sleep(Duration::from_millis(20)).await;
        stop.send_replace(true);
        assert!(matches!(running.await.unwrap(), Err(ApiError::Busy)));
        until(is_told).await;
    }

    #[tokio::test]
    async fn nobody_waits_without_end() {
        let (queue, _stop) = queue(&[TURN], QueueLimits { wait: Duration::from_millis(20), ..LIMITS });
        let (go, working) = block(&queue, 1);
        until(|| queue.state(0).running == 1).await;
        assert!(matches!(queue.run(of(2, 1), |_| 2).await, Err(ApiError::Busy)));
        drop(go);
        assert!(working.await.unwrap().unwrap());
        assert_eq!(queue.run(of(2, 1), |_| 3).await.unwrap(), 3, "the one that left gets no slot");
    }
}
