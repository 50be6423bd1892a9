//! The threads that commands work with.

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

use crate::exit::Failure;

/// How many threads to work with. Every command takes it.
#[derive(clap::Args)]
pub(crate) struct ThreadsOption {
    /// Threads for work that can be shared out; by default one for each core
    #[arg(long, global = true, value_name = "N", default_value_t = 0, hide_default_value = true)]
    threads: usize,
}

/// The threads can't be started.
#[derive(Debug, thiserror::Error)]
#[error("can't start the threads: choose fewer --threads")]
struct ThreadsError(#[from] ThreadPoolBuildError);

impl ThreadsOption {
    /// Makes everything that follows work with so many threads.
    pub(crate) fn apply(&self) -> Result<(), Failure> {
        if self.threads == 0 {
            return Ok(());
        }
        let started = ThreadPoolBuilder::new().num_threads(self.threads).build_global();
        started.map_err(|error| Failure::system(ThreadsError(error)))
    }
}
