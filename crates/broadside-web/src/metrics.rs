//! Counters of what the server does.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counters that all parts of a server share. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Metrics {
    counters: Arc<Counters>,
}

#[derive(Debug, Default)]
struct Counters {
    game_reads: AtomicU64,
    game_replays: AtomicU64,
}

impl Metrics {
    /// How often a game was read from the database.
    pub fn game_reads(&self) -> u64 {
        self.counters.game_reads.load(Ordering::Relaxed)
    }

    /// How often a game was replayed from its stored shots.
    pub fn game_replays(&self) -> u64 {
        self.counters.game_replays.load(Ordering::Relaxed)
    }

    pub(crate) fn count_game_read(&self) {
        self.counters.game_reads.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_game_replay(&self) {
        self.counters.game_replays.fetch_add(1, Ordering::Relaxed);
    }
}
