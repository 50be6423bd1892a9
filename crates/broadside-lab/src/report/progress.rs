//! How far a report is.

/// Called while a report is measured, to show how far it is.
pub trait Progress: Sync {
    /// A new piece of work begins.
    fn begin(&self, what: &str);
    /// So many games more are over, of [`Settings::all_games`](super::Settings::all_games).
    fn played(&self, games: u64);
}
