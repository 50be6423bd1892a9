//! More of the transfer engine for `broadside bench odds`: samples, instruction sets, many logs at once.

use std::hint::black_box;
use std::io::{self, Write};
use std::time::Duration;

use broadside_odds::{BatchTransfer, Budget, InstructionSet, Transfer};
use broadside_rules::{CellSet, ShotLog};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde::Serialize;

use super::measure::{median, micros, timed};

/// Layouts drawn for each log.
const DRAWS: u32 = 10_000;

/// How often the tables of a log are made and its first layouts drawn, as often as its odds are counted.
const REPETITIONS: usize = 5;

/// How often all logs are counted on one thread and then on all. A round takes a tenth of a second, in which the speed of a shared
/// machine hardly changes; from round to round it does.
const ROUNDS: usize = 15;

/// Exact samples of the logs of one group; medians.
#[derive(Serialize)]
struct Samples {
    position: String,
    tables_us: f64,
    /// The first thousand sets of cells, with the tables.
    first_thousand_us: f64,
    /// The same against the odds of the position, counted in turn with it.
    of_odds: f64,
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
    let mut engine = Transfer::new(Budget::default());
    let times: Vec<[Duration; 4]> = logs.iter().map(|log| draw_often(&mut engine, log)).collect();
    let of = |at: usize| median(times.iter().map(|times| times[at]));
    Samples {
        position: position.to_owned(),
        tables_us: micros(of(1)),
        first_thousand_us: micros(of(2)),
        of_odds: of(2).as_secs_f64() / of(0).as_secs_f64(),
        per_second: f64::from(DRAWS) / of(3).as_secs_f64(),
    }
}

/// The medians of the times of the odds and of [`draw`], each in its turn.
fn draw_often(engine: &mut Transfer, log: &ShotLog) -> [Duration; 4] {
    let mut turn = || {
        let odds = timed(|| black_box(engine.count(log).expect("classic boards are in reach"))).0;
        let [tables, first, all] = draw(engine, log);
        [odds, tables, first, all]
    };
    let times: Vec<[Duration; 4]> = (0..REPETITIONS).map(|_| turn()).collect();
    std::array::from_fn(|at| median(times.iter().map(|times| times[at])))
}

/// The times of the tables, of the tables and a thousand draws, and of all draws. Every draw is checked.
fn draw(engine: &Transfer, log: &ShotLog) -> [Duration; 3] {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
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

/// The logs of all groups but the empty board, on one thread and on all, in turn; medians.
fn batch(groups: &[(String, Vec<ShotLog>)]) -> Batch {
    let logs: Vec<ShotLog> = groups[1..].iter().flat_map(|(_, logs)| logs).cloned().collect();
    let (mut engine, mut engines) = (Transfer::new(Budget::default()), BatchTransfer::new(Budget::default()));
    let mut round = || {
        let (alone, one_by_one) = timed(|| logs.iter().map(|log| engine.count(log)).collect::<Vec<_>>());
        let (together, many) = timed(|| engines.count(&logs));
        assert_eq!(many, one_by_one, "many at once and one by one agree");
        (alone, together)
    };
    let rounds: Vec<(Duration, Duration)> = (0..ROUNDS).map(|_| round()).collect();
    let threads = rayon::current_num_threads();
    let mut ratios: Vec<f64> = rounds.iter().map(|(alone, together)| alone.as_secs_f64() / together.as_secs_f64()).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    Batch {
        threads,
        logs: logs.len(),
        per_second: logs.len() as f64 / median(rounds.iter().map(|round| round.1)).as_secs_f64(),
        of_threads: ratios[ROUNDS / 2] / threads as f64,
    }
}

/// Writes the rows.
pub(super) fn write_text(out: &mut dyn Write, rows: &Rows) -> io::Result<()> {
    writeln!(out, "\nexact samples as sets of cells, one thread; medians over the logs\n")?;
    writeln!(out, "{:<16} {:>12} {:>18} {:>9} {:>14}", "position", "tables µs", "first thousand µs", "of odds", "a second")?;
    for row in &rows.samples {
        let (tables, first, of_odds) = (row.tables_us, row.first_thousand_us, row.of_odds);
        writeln!(out, "{:<16} {tables:>12.1} {first:>18.1} {of_odds:>9.2} {:>14.0}", row.position, row.per_second)?;
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
