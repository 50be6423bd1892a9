//! Ctrl-C, and the request to end that systems send when they shut down.

use crate::exit;

/// Ctrl-C can't be listened for.
#[derive(Debug, thiserror::Error)]
#[error("can't listen for Ctrl-C")]
pub(crate) struct ListenError(#[from] ctrlc::Error);

/// Calls `stop` at the first Ctrl-C, for a clean end; a second one ends the program at once.
pub(crate) fn listen(stop: impl FnOnce() + Send + 'static) -> Result<(), ListenError> {
    let mut stop = Some(stop);
    ctrlc::set_handler(move || match stop.take() {
        Some(stop) => stop(),
        None => std::process::exit(exit::INTERRUPTED.into()),
    })?;
    Ok(())
}
