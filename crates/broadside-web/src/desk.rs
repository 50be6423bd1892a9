//! Work that takes processor time, bounded: a few at once, a few more who wait, and a refusal for the rest.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task;

use crate::refusal::Refusal;

/// Where work is done that would hold up everybody else's requests.
#[derive(Clone)]
pub(crate) struct Desk {
    /// Everybody at work or waiting.
    places: Arc<Semaphore>,
    /// Everybody at work.
    chairs: Arc<Semaphore>,
}

impl Desk {
    /// A desk for so many at once, with so many waiting.
    pub(crate) fn new(at_once: usize, waiting: usize) -> Self {
        Self { places: Arc::new(Semaphore::new(at_once + waiting)), chairs: Arc::new(Semaphore::new(at_once)) }
    }

    /// Does the work on a thread of its own. Work whose asker has left is done to its end, and keeps its chair until
    /// then.
    pub(crate) async fn think<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refusal> {
        let place = self.places.clone().try_acquire_owned().map_err(|_| Refusal::Busy)?;
        let chair = self.chairs.clone().acquire_owned().await.map_err(|_| Refusal::Busy)?;
        let thinking = task::spawn_blocking(move || {
            let _held = (place, chair);
            work()
        });
        thinking.await.map_err(|error| {
            tracing::error!(%error, "work failed");
            Refusal::Broken
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn more_than_may_wait_are_refused_and_places_come_back() {
        let desk = Desk::new(1, 1);
        let (go, wait) = mpsc::channel::<()>();
        let working = tokio::spawn({
            let desk = desk.clone();
            async move { desk.think(move || wait.recv().is_ok()).await }
        });
        while desk.chairs.available_permits() > 0 {
            task::yield_now().await;
        }
        let waiting = tokio::spawn({
            let desk = desk.clone();
            async move { desk.think(|| 2).await }
        });
        while desk.places.available_permits() > 0 {
            task::yield_now().await;
        }
        assert!(matches!(desk.think(|| 3).await, Err(Refusal::Busy)));
        go.send(()).unwrap();
        assert!(working.await.unwrap().unwrap());
        assert_eq!(waiting.await.unwrap().unwrap(), 2);
        assert_eq!(desk.think(|| 4).await.unwrap(), 4);
    }

    #[tokio::test]
    async fn work_that_panics_is_told_of_and_gives_its_chair_back() {
        let desk = Desk::new(1, 0);
        assert!(matches!(desk.think(|| panic!("on purpose")).await, Err::<(), _>(Refusal::Broken)));
        assert_eq!(desk.think(|| 1).await.unwrap(), 1);
    }
}
