//! Connections whose requests come without a pause are served by threads of lower priority, so that those of people don't wait
//! behind all of theirs.
//!
//! The threads of connections run whatever is ready, one step after the other. Hundreds of connections that always have a next
//! request would be hundreds of steps ahead of everybody else's next one, and would leave no processor to the database and to
//! captains. So such a connection moves to threads of its kind, and back as soon as it pauses.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};

use crate::background::lower_priority;

/// A request that comes so soon after the last answer comes without a pause. People take longer.
const NO_PAUSE: Duration = Duration::from_millis(1);
/// So many requests without a pause make a connection a busy one. A page that is opened asks for fewer.
const BUSY_AFTER: u32 = 8;
/// How much the priority of the threads for busy connections is lowered.
const BUSY_NICE: u8 = 10;
/// No answer was given yet.
const NONE: u64 = u64::MAX;

/// Threads for busy connections. They end with the last of the handles.
#[derive(Clone)]
pub(crate) struct BusyThreads(Arc<EndedInBackground>);

/// A runtime that may be dropped by a task.
struct EndedInBackground(Option<Runtime>);

impl Drop for EndedInBackground {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl BusyThreads {
    /// One thread less than this runtime has, and at least one.
    pub(crate) fn start() -> io::Result<Self> {
        let threads = Handle::current().metrics().num_workers().saturating_sub(1).max(1);
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(threads).thread_name("busy").on_thread_start(|| lower_priority(BUSY_NICE)).enable_all();
        Ok(Self(Arc::new(EndedInBackground(Some(builder.build()?)))))
    }

    fn runtime(&self) -> &Runtime {
        self.0.0.as_ref().expect("taken only when dropped")
    }
}

/// How closely the requests of one connection follow each other.
pub(crate) struct Pace {
    start: Instant,
    /// When the last answer was given, in microseconds after the start.
    answered: AtomicU64,
    /// Requests without a pause since the last pause.
    in_a_row: AtomicU32,
}

impl Pace {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { start: Instant::now(), answered: AtomicU64::new(NONE), in_a_row: AtomicU32::new(0) })
    }

    /// Answers a request of the connection.
    pub(crate) async fn note<T>(&self, answer: impl Future<Output = T>) -> T {
        self.note_request(self.now());
        let done = answer.await;
        self.answered.store(self.now(), Ordering::Relaxed);
        done
    }

    fn note_request(&self, now: u64) {
        let answered = self.answered.load(Ordering::Relaxed);
        let is_without_pause = answered != NONE && now.saturating_sub(answered) < NO_PAUSE.as_micros() as u64;
        let before = if is_without_pause { self.in_a_row.load(Ordering::Relaxed) } else { 0 };
        self.in_a_row.store(before.saturating_add(u32::from(is_without_pause)), Ordering::Relaxed);
    }

    fn is_busy(&self) -> bool {
        self.in_a_row.load(Ordering::Relaxed) >= BUSY_AFTER
    }

    fn now(&self) -> u64 {
        self.start.elapsed().as_micros() as u64
    }

    /// Serves a connection to its end, on the other threads while it is busy.
    pub(crate) async fn serve(self: Arc<Self>, connection: impl Future<Output = ()> + Send + 'static, threads: BusyThreads) {
        let (mut connection, mut is_busy) = (Box::pin(connection), false);
        loop {
            let part = self.clone().serve_while(is_busy, connection);
            let left = if is_busy { threads.runtime().spawn(part).await.unwrap_or_default() } else { part.await };
            let Some(rest) = left else { return };
            (connection, is_busy) = (rest, !is_busy);
        }
    }

    /// Serves a connection until it becomes busy or ceases to be so, and gives what is left of it.
    async fn serve_while<F: Future<Output = ()>>(
        self: Arc<Self>,
        is_busy: bool,
        mut connection: Pin<Box<F>>,
    ) -> Option<Pin<Box<F>>> {
        let is_over = poll_fn(|context| match connection.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(true),
            // Whoever goes on polls it at once, so that nothing is missed.
            Poll::Pending if self.is_busy() != is_busy => Poll::Ready(false),
            Poll::Pending => Poll::Pending,
        });
        (!is_over.await).then_some(connection)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::thread;

    use super::*;

    #[test]
    fn requests_that_follow_the_last_answer_without_a_pause_make_a_connection_busy() {
        let pace = Pace::new();
        let busy_after = |last_answer, requests: u32, later| {
            pace.answered.store(last_answer, Ordering::Relaxed);
            (0..requests).for_each(|_| pace.note_request(last_answer + later));
            pace.is_busy()
        };
        assert!(!busy_after(NONE - 1000, 1, 0), "the first");
        assert!(!busy_after(5000, BUSY_AFTER - 2, 999));
        assert!(busy_after(9000, 1, 999), "one more");
        assert!(!busy_after(20_000, 1, 1000), "after a pause");
        assert!(!busy_after(30_000, BUSY_AFTER - 1, 0), "the count begins anew");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_busy_connection_moves_to_the_other_threads_and_back_after_a_pause() {
        let (pace, result) = (Pace::new(), Arc::new(Mutex::new(None)));
        let (seen, found) = (pace.clone(), result.clone());
        let is_moved_after_request = async move || {
            seen.note(async {}).await;
            tokio::task::yield_now().await;
            thread::current().name() == Some("busy")
        };
        let connection = async move {
            let first = is_moved_after_request().await;
            // On a machine that is busy itself there may be pauses.
            let mut left = 100_000;
            while left > 0 && !is_moved_after_request().await {
                left -= 1;
            }
            tokio::time::sleep(NO_PAUSE * 5).await;
            *found.lock().unwrap() = Some((first, left > 0, is_moved_after_request().await));
        };
        pace.serve(connection, BusyThreads::start().unwrap()).await;
        assert_eq!(
            *result.lock().unwrap(),
            Some((false, true, false)),
            "the first request, one of many, and the one after a pause"
        );
    }
}
