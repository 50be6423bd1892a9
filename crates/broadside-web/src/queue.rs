//! A bounded queue for work that takes processor time: a few jobs at once, a few more that wait, and an error for the rest.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task;

use crate::error::ApiError;

/// Runs work on threads of its own, so that it holds up nobody else's requests.
#[derive(Clone)]
pub(crate) struct WorkQueue {
    /// A permit for each job that runs or waits.
    queued: Arc<Semaphore>,
    /// A permit for each job that runs.
    running: Arc<Semaphore>,
}

impl WorkQueue {
    /// A queue with so many jobs at once, and so many waiting.
    pub(crate) fn new(at_once: usize, waiting: usize) -> Self {
        Self { queued: Arc::new(Semaphore::new(at_once + waiting)), running: Arc::new(Semaphore::new(at_once)) }
    }

    /// Runs a job on a thread of its own. A job whose client has left runs to its end, and counts until then.
    pub(crate) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        let queued = self.queued.clone().try_acquire_owned().map_err(|_| ApiError::Busy)?;
        let running = self.running.clone().acquire_owned().await.map_err(|_| ApiError::Busy)?;
        let job = task::spawn_blocking(move || {
            let _held = (queued, running);
            work()
        });
        job.await.map_err(|error| {
            tracing::error!(%error, "work failed");
            ApiError::Internal
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn more_than_may_wait_are_refused_and_permits_come_back() {
        let queue = WorkQueue::new(1, 1);
        let (go, wait) = mpsc::channel::<()>();
        let working = tokio::spawn({
            let queue = queue.clone();
            async move { queue.run(move || wait.recv().is_ok()).await }
        });
        while queue.running.available_permits() > 0 {
            task::yield_now().await;
        }
        let waiting = tokio::spawn({
            let queue = queue.clone();
            async move { queue.run(|| 2).await }
        });
        while queue.queued.available_permits() > 0 {
            task::yield_now().await;
        }
        assert!(matches!(queue.run(|| 3).await, Err(ApiError::Busy)));
        go.send(()).unwrap();
        assert!(working.await.unwrap().unwrap());
        assert_eq!(waiting.await.unwrap().unwrap(), 2);
        assert_eq!(queue.run(|| 4).await.unwrap(), 4);
    }

    #[tokio::test]
    async fn work_that_panics_is_an_error_and_gives_its_permit_back() {
        let queue = WorkQueue::new(1, 0);
        assert!(matches!(queue.run(|| panic!("on purpose")).await, Err::<(), _>(ApiError::Internal)));
        assert_eq!(queue.run(|| 1).await.unwrap(), 1);
    }
}
