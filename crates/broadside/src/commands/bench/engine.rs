//! More of the transfer engine for `broadside bench odds`: samples, instruction sets, many logs at once.

use std::hint::black_box;
use std::io::{self, Write};
use std::time::Duration;

use broadside_odds::{Budget, InstructionSet, Transfer, odds_many};
use broadside_rules::{CellSet, ShotLog};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde::Serialize;

use super::measure::{median, micros, timed};

/// Layouts drawn for each log.
const DRAWS: u32 = 10_000;

/// Exact samples of the logs of one group; medians.
#[derive(Serialize)]
struct Samples {
    position: String,
    tables_us: f64,
    /// The first thousand sets of cells, with the tables.
    first_thousand_us: f64,
    /// Of sets of cells.
    per_second: f64,
}

/// The empty board with one instruction set.
#[derive(Serialize)]
struct Forced {
    instructions: String,
    transfer_us: f64,
}

/// All logs at once on all threads.
#[derive(Serialize)]
struct Batch {
    threads: usize,
    logs: usize,
    per_second: f64,
    /// Against as many single threads.
    of_threads: f64,
}

/// The rows.
#[derive(Serialize)]
pub(super) struct Rows {
    samples: Vec<Samples>,
    instructions: Vec<Forced>,
    batch: Batch,
}

/// Measures all.
pub(super) fn rows(groups: &[(String, Vec<ShotLog>)]) -> Rows {
    Rows {
        samples: groups.iter().map(|(position, logs)| samples(position, logs)).collect(),
        instructions: InstructionSet::available().into_iter().map(|set| forced(set, &groups[0].1[0])).collect(),
        batch: batch(groups),
    }
}

fn samples(position: &str, logs: &[ShotLog]) -> Samples {
    let times: Vec<[Duration; 3]> = logs.iter().map(draw).collect();
    let of = |at: usize| median(times.iter().map(|times| times[at]));
    Samples {
        position: position.to_owned(),
        tables_us: micros(of(0)),
        first_thousand_us: micros(of(1)),
        per_second: f64::from(DRAWS) / of(2).as_secs_f64(),
    }
}

/// The times of the tables, of the tables and a thousand draws, and of all draws. Every draw is checked.
fn draw(log: &ShotLog) -> [Duration; 3] {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let engine = Transfer::new(Budget::default());
    let (tables, sampler) = timed(|| engine.sampler(log).expect("classic boards are in reach"));
    let mut sampler = sampler.expect("the logs of games are possible");
    let (first, ()) = timed(|| (0..1000).for_each(|_| drop(black_box(sampler.draw_cells(&mut rng)))));
    let (all, drawn) = timed(|| (0..DRAWS).map(|_| sampler.draw_cells(&mut rng)).collect::<Vec<CellSet>>());
    let fits = |cells: &CellSet| log.hits().is_subset(cells) && log.misses().is_disjoint(cells);
    assert!(drawn.iter().all(fits), "samples of {log} fit");
    [tables, tables + first, all]
}

fn forced(set: InstructionSet, log: &ShotLog) -> Forced {
    let mut engine = Transfer::with_instructions(Budget::default(), set).expect("it is available");
    let times = (0..101).map(|_| timed(|| black_box(engine.count(log).expect("classic boards are in reach"))).0);
    Forced { instructions: format!("{set:?}"), transfer_us: micros(median(times)) }
}

/// The logs of all groups but the empty board, on one thread and on all.
fn batch(groups: &[(String, Vec<ShotLog>)]) -> Batch {
    let logs: Vec<ShotLog> = groups[1..].iter().flat_map(|(_, logs)| logs).cloned().collect();
    let mut engine = Transfer::new(Budget::default());
    let single = || logs.iter().map(|log| engine.count(log).expect("in reach")).collect::<Vec<_>>();
    let (alone, one_by_one) = timed(single);
    let (together, many) = timed(|| odds_many(&logs, Budget::default()));
    assert!(many.into_iter().eq(one_by_one.into_iter().map(Ok)), "many at once and one by one agree");
    let threads = rayon::current_num_threads();
    let per_second = logs.len() as f64 / together.as_secs_f64();
    let of_threads = alone.as_secs_f64() / together.as_secs_f64() / threads as f64;
    Batch { threads, logs: logs.len(), per_second, of_threads }
}

/// Writes the rows.
pub(super) fn write_text(out: &mut dyn Write, rows: &Rows) -> io::Result<()> {
    writeln!(out, "\nexact samples as sets of cells, one thread; medians over the logs\n")?;
    writeln!(out, "{:<16} {:>12} {:>18} {:>14}", "position", "tables µs", "first thousand µs", "a second")?;
    for row in &rows.samples {
        let (tables, first) = (row.tables_us, row.first_thousand_us);
        writeln!(out, "{:<16} {tables:>12.1} {first:>18.1} {:>14.0}", row.position, row.per_second)?;
    }
    writeln!(out)?;
    for row in &rows.instructions {
        writeln!(out, "empty board with {}: {:.1} µs", row.instructions, row.transfer_us)?;
    }
    let Batch { threads, logs, per_second, of_threads } = rows.batch;
    writeln!(
        out,
        "{logs} logs at once on {threads} threads: {per_second:.0} a second, {of_threads:.2} of {threads} single threads"
    )
}
