//! Counters of what the server does, for whoever runs it.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Counters that all parts of a server share. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Metrics {
    counters: Arc<Counters>,
}

/// The upper bounds of the times of answers that are counted together, in milliseconds.
const BOUNDS: [u64; 14] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 60_000];

/// How many answers took how long.
#[derive(Debug, Default)]
struct Histogram {
    /// For each bound those that took no longer, and longer than the bound before.
    counts: [AtomicU64; BOUNDS.len()],
    longer: AtomicU64,
    microseconds: AtomicU64,
}

impl Histogram {
    fn add(&self, took: Duration) {
        let bound = BOUNDS.iter().position(|&bound| took <= Duration::from_millis(bound));
        bound.map_or(&self.longer, |bound| &self.counts[bound]).fetch_add(1, Ordering::Relaxed);
        self.microseconds.fetch_add(took.as_micros() as u64, Ordering::Relaxed);
    }

    fn prometheus(&self, name: &str, help: &str) -> String {
        let (mut text, mut sum) = (heading(name, help, "histogram"), 0);
        for (bound, count) in BOUNDS.iter().zip(&self.counts) {
            sum += count.load(Ordering::Relaxed);
            text += &value(&format!("{name}_bucket{{le=\"{}\"}}", *bound as f64 / 1000.0), sum);
        }
        sum += self.longer.load(Ordering::Relaxed);
        text += &value(&format!("{name}_bucket{{le=\"+Inf\"}}"), sum);
        text += &value(&format!("{name}_sum"), self.microseconds.load(Ordering::Relaxed) as f64 / 1e6);
        text + &value(&format!("{name}_count"), sum)
    }
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
    games_made: AtomicU64,
    games_removed: AtomicU64,
    shots: AtomicU64,
    /// Refused requests by the code of their error.
    refusals: Mutex<BTreeMap<&'static str, u64>>,
    answer_times: Histogram,
    failed_writes: AtomicU64,
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

    pub(crate) fn count_game_made(&self) {
        self.counters.games_made.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_games_removed(&self, removed: usize) {
        self.counters.games_removed.fetch_add(removed as u64, Ordering::Relaxed);
    }

    pub(crate) fn count_shot(&self) {
        self.counters.shots.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_refusal(&self, kind: &'static str) {
        *self.counters.refusals.lock().unwrap_or_else(PoisonError::into_inner).entry(kind).or_default() += 1;
    }

    pub(crate) fn count_failed_write(&self) {
        self.counters.failed_writes.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_answer(&self, status: u16, took: Duration) {
        self.counters.answer_times.add(took);
        if let Some(counter) = self.counters.answers.get(usize::from(status / 100)) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// All counters in the text format of Prometheus.
    pub fn prometheus(&self) -> String {
        let counters = &*self.counters;
        let Counters { answers, game_reads, game_replays, connections, connections_refused, refinements, .. } = counters;
        let mut text = counters.answer_times.prometheus("answer_seconds", "How long answers took.");
        text += &counter("refusals_total", "Refused requests, by the code of their error.");
        for (kind, count) in &*counters.refusals.lock().unwrap_or_else(PoisonError::into_inner) {
            text += &value(&format!("refusals_total{{kind=\"{kind}\"}}"), count);
        }
        text += &counter("answers_total", "Answers to requests, by status.");
        for (class, answers) in answers.iter().enumerate().skip(1) {
            let label = format!("answers_total{{status=\"{class}xx\"}}");
            text.push_str(&value(&label, answers.load(Ordering::Relaxed)));
        }
        for (name, help, count) in [
            ("connections_total", "Connections that were accepted.", connections),
            ("connections_refused_total", "Connections over the limit of their address.", connections_refused),
            ("games_made_total", "New games.", &counters.games_made),
            ("games_removed_total", "Games that were removed because of their age.", &counters.games_removed),
            ("shots_total", "Shots of people and captains.", &counters.shots),
            ("failed_writes_total", "Transactions that could not be written to disk.", &counters.failed_writes),
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
        metrics.count_answer(204, Duration::from_millis(7));
        metrics.count_answer(503, Duration::from_secs(61));
        metrics.count_refusal("busy");
        let text = metrics.prometheus();
        for line in [
            "broadside_game_reads_total 1",
            "broadside_answers_total{status=\"2xx\"} 1",
            "# TYPE broadside_answers_total counter",
            "broadside_refusals_total{kind=\"busy\"} 1",
            "broadside_answer_seconds_bucket{le=\"0.005\"} 0",
            "broadside_answer_seconds_bucket{le=\"0.01\"} 1",
            "broadside_answer_seconds_bucket{le=\"60\"} 1",
            "broadside_answer_seconds_bucket{le=\"+Inf\"} 2",
            "broadside_answer_seconds_count 2",
            "broadside_answer_seconds_sum 61.007",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in {text}");
        }
    }
}
