//! Counters of what the server does, for whoever runs it.

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counters that all parts of a server share. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Metrics {
    counters: Arc<Counters>,
}

#[derive(Debug, Default)]
struct Counters {
    /// Answers by the first digit of their status.
    answers: [AtomicU64; 6],
    game_reads: AtomicU64,
    game_replays: AtomicU64,
    connections: AtomicU64,
    connections_refused: AtomicU64,
    refinements: AtomicU64,
    refinements_ended: AtomicU64,
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

    /// How many positions are being refined for shots to go, or judged by them.
    pub fn refining(&self) -> u64 {
        // Those that have ended are read first, so that there are never more of them.
        let ended = self.counters.refinements_ended.load(Ordering::SeqCst);
        self.counters.refinements.load(Ordering::SeqCst).saturating_sub(ended)
    }

    /// Counts work on shots to go, until dropped.
    pub(crate) fn count_refinement(&self) -> Refinement {
        self.counters.refinements.fetch_add(1, Ordering::SeqCst);
        Refinement(self.clone())
    }

    pub(crate) fn count_game_read(&self) {
        self.counters.game_reads.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_game_replay(&self) {
        self.counters.game_replays.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_connection(&self, is_refused: bool) {
        let counters = &self.counters;
        let counter = if is_refused { &counters.connections_refused } else { &counters.connections };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_answer(&self, status: u16) {
        if let Some(counter) = self.counters.answers.get(usize::from(status / 100)) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// All counters in the text format of Prometheus.
    pub fn prometheus(&self) -> String {
        let Counters { answers, game_reads, game_replays, connections, connections_refused, refinements, .. } = &*self.counters;
        let mut text = counter("answers_total", "Answers to requests, by status.");
        for (class, answers) in answers.iter().enumerate().skip(1) {
            let label = format!("answers_total{{status=\"{class}xx\"}}");
            text.push_str(&value(&label, answers.load(Ordering::Relaxed)));
        }
        for (name, help, count) in [
            ("connections_total", "Connections that were accepted.", connections),
            ("connections_refused_total", "Connections over the limit of their address.", connections_refused),
            ("game_reads_total", "Games read from the database.", game_reads),
            ("game_replays_total", "Games replayed from their shots.", game_replays),
            ("refinements_total", "Positions refined for shots to go, or judged by them.", refinements),
        ] {
            text.push_str(&counter(name, help));
            text.push_str(&value(name, count.load(Ordering::Relaxed)));
        }
        text
    }
}

/// Work on shots to go, until dropped.
pub(crate) struct Refinement(Metrics);

impl Drop for Refinement {
    fn drop(&mut self) {
        self.0.counters.refinements_ended.fetch_add(1, Ordering::SeqCst);
    }
}

/// The line of a value.
pub(crate) fn value(name: &str, value: impl Display) -> String {
    format!("broadside_{name} {value}\n")
}

/// The lines before the values of a counter, which only grows.
pub(crate) fn counter(name: &str, help: &str) -> String {
    heading(name, help, "counter")
}

/// The lines before a value that goes up and down.
pub(crate) fn gauge(name: &str, help: &str) -> String {
    heading(name, help, "gauge")
}

fn heading(name: &str, help: &str, kind: &str) -> String {
    format!("# HELP broadside_{name} {help}\n# TYPE broadside_{name} {kind}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_written_as_prometheus_reads_them() {
        let metrics = Metrics::default();
        metrics.count_game_read();
        metrics.count_answer(204);
        metrics.count_answer(503);
        let text = metrics.prometheus();
        for line in [
            "broadside_game_reads_total 1",
            "broadside_answers_total{status=\"2xx\"} 1",
            "# TYPE broadside_answers_total counter",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in {text}");
        }
    }
}
