//! Progress while something takes its time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

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

/// How often a log gets a line.
const LINE_EVERY: Duration = Duration::from_secs(15);

/// How far a long piece of work has got: a bar with rate and time left on a terminal, a line now and then in a log.
pub(crate) struct Meter {
    bar: ProgressBar,
    total: u64,
    /// How much had been done when the program started.
    before: u64,
    start: Instant,
    done: AtomicU64,
    /// When the last line was written; `None` where no lines are wanted.
    line: Option<Mutex<Instant>>,
}

impl Meter {
    /// A meter for so many games, some of which are done; silent if it shall be quiet.
    pub(crate) fn new(quiet: bool, done: u64, total: u64) -> Self {
        let style = ProgressStyle::with_template("{wide_bar} {percent:>3}%  {per_sec:>14}  {eta} left");
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(total) };
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_position(done);
        bar.reset_eta();
        let line = (!quiet && bar.is_hidden()).then(|| Mutex::new(Instant::now()));
        Self { bar, total, before: done, start: Instant::now(), done: AtomicU64::new(done), line }
    }

    /// Tells of games that are done.
    pub(crate) fn add(&self, games: u64) {
        self.bar.inc(games);
        let done = self.done.fetch_add(games, Ordering::Relaxed) + games;
        // Whoever finds the lock taken leaves the line to the other.
        let Some(mut last) = self.line.as_ref().and_then(|line| line.try_lock().ok()) else { return };
        if last.elapsed() >= LINE_EVERY {
            *last = Instant::now();
            let rate = (done - self.before) as f64 / self.start.elapsed().as_secs_f64();
            anstream::eprintln!("{}", line(done, self.total, rate));
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn line(done: u64, total: u64, rate: f64) -> String {
    let percent = 100.0 * done as f64 / total as f64;
    let left = HumanDuration(Duration::try_from_secs_f64((total - done) as f64 / rate).unwrap_or(Duration::MAX));
    // Slow games are told with a digit that isn't 0.
    let digits = if rate < 10.0 { 2 } else { 0 };
    format!("{done} of {total} games ({percent:.1}%), {rate:.digits$} games/s, {left} left")
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn a_line_tells_how_far_how_fast_and_how_long() {
        assert_eq!(line(250, 1000, 50.0), "250 of 1000 games (25.0%), 50 games/s, 15 seconds left");
        assert_eq!(line(9, 10, 0.25), "9 of 10 games (90.0%), 0.25 games/s, 4 seconds left");
    }
}
