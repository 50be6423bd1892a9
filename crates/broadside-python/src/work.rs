//! Long work: without the interpreter's lock, with progress, and ended soon after Ctrl-C.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::scope;
use std::time::Duration;

use broadside_rules::Stop;
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;

use crate::errors::{BroadsideError, as_exception};

/// How often the interpreter is asked whether somebody pressed Ctrl-C, and progress is told.
const LOOK: Duration = Duration::from_millis(50);

/// What the work is told, and tells.
#[derive(Default)]
pub(crate) struct Watch {
    /// Set when the work shall end.
    pub(crate) stop: Stop,
    /// The same as a plain flag, for work that wants one.
    pub(crate) halt: AtomicBool,
    /// How much is done.
    pub(crate) done: AtomicU64,
    finished: Mutex<bool>,
    wake: Condvar,
}

impl Watch {
    fn new() -> Self {
        Self { stop: Stop::new(), ..Self::default() }
    }

    /// Tells that more is done.
    pub(crate) fn add(&self, number: u64) {
        self.done.fetch_add(number, Ordering::Relaxed);
    }

    /// Waits a little, or until the work is finished; says whether it is.
    fn wait(&self) -> bool {
        let finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.wake.wait_timeout_while(finished, LOOK, |finished| !*finished);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// Wakes the thread that waits, also when the work panics.
struct Finish<'a>(&'a Watch);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        *self.0.finished.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.wake.notify_all();
    }
}

/// Runs work on a thread of its own without the interpreter's lock. `progress` is called with what is done now and then, and
/// once at the end. When a signal's handler or `progress` raises an exception, the work is stopped and the exception is returned.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    let watch = Watch::new();
    scope(|threads| {
        let worker = threads.spawn(|| {
            let _finish = Finish(&watch);
            work(&watch)
        });
        let mut raised = Ok(());
        while !py.detach(|| watch.wait()) && raised.is_ok() {
            raised = look(py, progress, &watch);
            if raised.is_err() {
                watch.stop.stop();
                watch.halt.store(true, Ordering::Relaxed);
            }
        }
        let result = py.detach(|| worker.join()).unwrap_or_else(|panic| resume_unwind(panic));
        raised?;
        look(py, progress, &watch)?;
        Ok(result)
    })
}

/// Lets signals be handled, and tells how much is done.
fn look(py: Python<'_>, progress: Option<&Bound<'_, PyAny>>, watch: &Watch) -> PyResult<()> {
    py.check_signals()?;
    if let Some(progress) = progress {
        progress.call1((watch.done.load(Ordering::Relaxed),))?;
    }
    Ok(())
}

/// Does work on so many threads; on those of all cores if no number is given.
pub(crate) fn on_threads<T: Send>(threads: Option<usize>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let Some(number) = threads else { return Ok(work()) };
    let pool = ThreadPoolBuilder::new().num_threads(number).build();
    Ok(pool.map_err(as_exception::<BroadsideError, _>())?.install(work))
}

/// A value that only its owner uses. Objects of Python must be safe to share between threads, which captains are not; whoever has
/// the object to itself needs no lock.
pub(crate) struct Owned<T>(Mutex<T>);

impl<T> Owned<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    /// The value.
    pub(crate) fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}
