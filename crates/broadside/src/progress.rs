//! Signs of life on a terminal while something takes its time.

use std::time::Duration;

use indicatif::ProgressBar;

/// A spinner with the time so far on standard error; nothing at all where that is not a terminal.
pub(crate) fn spinner(message: String) -> ProgressBar {
    let spinner = ProgressBar::new_spinner().with_message(message);
    spinner.enable_steady_tick(Duration::from_millis(200));
    spinner
}
