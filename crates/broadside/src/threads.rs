//! The threads that commands run on.

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::exit::Failure;

/// The threads can't be started.
#[derive(Debug, thiserror::Error)]
#[error("can't start the threads: choose fewer --threads")]
struct ThreadsError(#[from] ThreadPoolBuildError);

/// A pool of so many threads; 0 for as many as the machine has cores.
pub(crate) fn pool(threads: usize) -> Result<ThreadPool, Failure> {
    ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| Failure::unreadable(ThreadsError(error)))
}
