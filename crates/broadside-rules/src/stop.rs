//! Asking work to stop from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// A way to ask for work to stop. Clones belong together: who waits keeps one and who works looks at the other.
///
/// Work that takes a `Stop` looks at it at least every 20 ms, and ends with an error when it has been asked to. Work that
/// isn't stopped gives the same answer whatever it was given.
///
/// ```
/// use broadside_rules::Stop;
///
/// let stop = Stop::new();
/// let worker = std::thread::spawn({
///     let stop = stop.clone();
///     move || while stop.check().is_ok() {}
/// });
/// stop.stop();
/// worker.join().unwrap();
/// assert!(stop.is_stopped() && !Stop::never().is_stopped());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Option<Arc<AtomicU8>>);

/// What a [`Stop`] counts up to.
const ASKED: u8 = 1;
const NOTICED: u8 = 2;

/// The work was asked to stop before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the work was stopped before it was done")]
pub struct Stopped;

impl Stop {
    /// One that nobody has asked to stop yet.
    pub fn new() -> Self {
        Self(Some(Arc::default()))
    }

    /// One that is never stopped: the default.
    pub const fn never() -> Self {
        Self(None)
    }

    /// Asks all work that was given this or a clone of it to stop. Without effect on [`Stop::never`].
    pub fn stop(&self) {
        if let Some(state) = &self.0 {
            state.fetch_max(ASKED, Ordering::Relaxed);
        }
    }

    /// Whether the work was asked to stop. Cheap enough for inner loops.
    pub fn is_stopped(&self) -> bool {
        self.0.as_ref().is_some_and(|state| match state.load(Ordering::Relaxed) {
            0 => false,
            NOTICED => true,
            _ => {
                state.store(NOTICED, Ordering::Relaxed);
                true
            }
        })
    }

    /// Whether somebody was told that the work should stop. If not, the work was done, and what it gave is whole, even if
    /// [`Stop::stop`] was called before its end.
    ///
    /// ```
    /// let stop = broadside_rules::Stop::new();
    /// stop.stop();
    /// assert!(!stop.was_noticed());
    /// assert!(stop.is_stopped() && stop.was_noticed());
    /// ```
    pub fn was_noticed(&self) -> bool {
        self.0.as_ref().is_some_and(|state| state.load(Ordering::Relaxed) == NOTICED)
    }

    /// An error once the work was asked to stop.
    ///
    /// # Errors
    /// When it was.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }
}
