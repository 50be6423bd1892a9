//! Weighted odds beside the odds of layouts that are all alike.

use std::io::{self, Write};
use std::time::Duration;

use broadside_odds::{Budget, PlacementWeights, Transfer};
use broadside_rules::ShotLog;
use serde::Serialize;

use super::measure::{median, micros, timed};

/// How often the odds of the empty board are counted for their median time.
const REPETITIONS: usize = 21;

/// Positions against an opponent who hides as people do.
#[derive(Serialize)]
pub(super) struct Row {
    position: String,
    /// Odds without weights, as in the first table, measured again beside the others.
    plain_us: f64,
    weighted_us: f64,
    /// The speed against that without weights.
    speed: f64,
}

pub(super) type Rows = Vec<Row>;

/// All groups of positions, with the weights of the model `people`.
pub(super) fn rows(groups: &[(String, Vec<ShotLog>)]) -> Rows {
    let mut engine = Transfer::new(Budget::default());
    groups.iter().map(|(position, logs)| row(&mut engine, position, logs)).collect()
}

fn row(engine: &mut Transfer, position: &str, logs: &[ShotLog]) -> Row {
    let weights = PlacementWeights::people(logs[0].rules());
    let repetitions = if logs.len() == 1 { REPETITIONS } else { 3 };
    let times: Vec<(Duration, Duration)> =
        logs.iter().flat_map(|log| (0..repetitions).map(|_| times(engine, log, &weights)).collect::<Vec<_>>()).collect();
    let plain = median(times.iter().map(|times| times.0));
    let weighted = median(times.iter().map(|times| times.1));
    let speed = plain.as_secs_f64() / weighted.as_secs_f64();
    Row { position: position.to_owned(), plain_us: micros(plain), weighted_us: micros(weighted), speed }
}

/// The times of both for one log.
fn times(engine: &mut Transfer, log: &ShotLog, weights: &PlacementWeights) -> (Duration, Duration) {
    let (plain, counts) = timed(|| engine.count(log).expect("classic boards are in reach"));
    let (weighted, counts_by_weight) = timed(|| engine.weigh(log, weights).expect("classic boards are in reach"));
    assert_eq!(counts.layouts() > 0, counts_by_weight.layouts() > 0.0, "no weight is 0");
    (plain, weighted)
}

pub(super) fn write_text(out: &mut dyn Write, rows: &[Row]) -> io::Result<()> {
    writeln!(out, "\nagainst an opponent who hides as people do: odds with a weight for each placement; µs, median\n")?;
    writeln!(out, "{:<16} {:>12} {:>12} {:>9}", "position", "transfer", "weighted", "speed")?;
    for Row { position, plain_us, weighted_us, speed } in rows {
        writeln!(out, "{position:<16} {plain_us:>12.1} {weighted_us:>12.1} {speed:>9.2}")?;
    }
    Ok(())
}
