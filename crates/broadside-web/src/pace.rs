//! Connections whose requests come without a pause take turns, so that those of people don't wait behind all of theirs.
//!
//! The threads of connections run whatever is ready, one step after the other. Hundreds of connections that always have a next
//! request would be hundreds of steps ahead of everybody else's next one. So their steps go through a lane that is narrower than the
//! threads are many, and of all of them only a few are ready at once.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::Semaphore;

/// A request that comes so soon after the last answer comes without a pause. People take longer.
const NO_PAUSE: Duration = Duration::from_millis(1);
/// No answer was given yet.
const NONE: u64 = u64::MAX;

/// The way of all requests that come without a pause.
#[derive(Clone)]
pub(crate) struct BusyLane(Arc<Semaphore>);

impl BusyLane {
    /// One thread of the runtime is always left for others, if it has more than one.
    pub(crate) fn new() -> Self {
        let threads = Handle::current().metrics().num_workers();
        Self(Arc::new(Semaphore::new(threads.saturating_sub(1).max(1))))
    }

    /// Runs work, of which every step waits for its turn.
    async fn run<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        loop {
            // The lane is never closed.
            let turn = self.0.acquire().await;
            let step = poll_fn(|context| Poll::Ready(work.as_mut().poll(context))).await;
            drop(turn);
            match step {
                Poll::Ready(done) => return done,
                Poll::Pending => until_woken().await,
            }
        }
    }
}

/// Waits until somebody wakes the task, as the work that was polled just now asked for.
async fn until_woken() {
    let mut is_woken = false;
    poll_fn(|_| if std::mem::replace(&mut is_woken, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

/// How closely the requests of one connection follow each other.
pub(crate) struct Pace {
    lane: BusyLane,
    start: Instant,
    /// When the last answer was given, in microseconds after the start.
    answered: AtomicU64,
}

impl Pace {
    pub(crate) fn new(lane: BusyLane) -> Arc<Self> {
        Arc::new(Self { lane, start: Instant::now(), answered: AtomicU64::new(NONE) })
    }

    /// Answers a request, in the lane if it came without a pause.
    pub(crate) async fn run<T>(&self, answer: impl Future<Output = T>) -> T {
        let done = if self.is_without_pause(self.now()) {
            // The steps of others that are ready come first.
            tokio::task::yield_now().await;
            self.lane.run(answer).await
        } else {
            answer.await
        };
        self.answered.store(self.now(), Ordering::Relaxed);
        done
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_micros() as u64
    }

    fn is_without_pause(&self, now: u64) -> bool {
        let answered = self.answered.load(Ordering::Relaxed);
        answered != NONE && now.saturating_sub(answered) < NO_PAUSE.as_micros() as u64
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    fn lane() -> BusyLane {
        BusyLane(Arc::new(Semaphore::new(1)))
    }

    #[test]
    fn the_first_request_and_those_after_a_pause_are_not_in_the_lane() {
        let pace = Pace::new(lane());
        assert!(!pace.is_without_pause(0));
        pace.answered.store(5000, Ordering::Relaxed);
        assert_eq!([5000, 5999, 6000, 90_000].map(|now| pace.is_without_pause(now)), [true, true, false, false]);
    }

    #[tokio::test]
    async fn steps_wait_for_the_lane_and_work_that_waits_leaves_it_to_others() {
        let lane = lane();
        let (go, wait) = oneshot::channel();
        let waiting = tokio::spawn({
            let lane = lane.clone();
            async move { lane.run(wait).await }
        });
        tokio::task::yield_now().await;
        assert_eq!(lane.run(async { 1 }).await, 1, "nobody is in the lane while the other waits");
        let turn = lane.0.acquire().await.unwrap();
        go.send(2).unwrap();
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished(), "its next step waits for the lane");
        drop(turn);
        assert_eq!(waiting.await.unwrap(), Ok(2));
    }

    #[tokio::test]
    async fn a_request_without_a_pause_is_answered_in_the_lane() {
        let (lane, pace) = (lane(), Pace::new(lane()));
        let pace = Pace { lane: lane.clone(), start: pace.start, answered: AtomicU64::new(NONE) };
        let turn = lane.0.acquire().await.unwrap();
        assert_eq!(pace.run(async { 1 }).await, 1);
        let mut second = pin!(pace.run(async { 2 }));
        assert!(tokio::time::timeout(Duration::from_millis(20), second.as_mut()).await.is_err());
        drop(turn);
        assert_eq!(second.await, 2);
    }
}
