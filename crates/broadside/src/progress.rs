//! Signs of life on a terminal while something takes its time.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A spinner with the time so far on standard error; nothing at all where that is not a terminal.
pub(crate) fn spinner(message: String) -> ProgressBar {
    let spinner = ProgressBar::new_spinner().with_message(message);
    spinner.enable_steady_tick(Duration::from_millis(200));
    spinner
}

/// A bar that fills up, under the same conditions.
pub(crate) fn bar(message: String, length: u64) -> ProgressBar {
    // Only the template's own words decide whether it can be read, so there is nothing to tell the user.
    let style =
        ProgressStyle::with_template("{msg:<30} {wide_bar} {percent:>3}% {eta}").unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_message(message).with_style(style)
}
