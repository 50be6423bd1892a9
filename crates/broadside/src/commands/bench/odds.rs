//! `broadside bench odds`: the transfer engine beside the paper's, on the same positions in one run.

use std::io::{self, Write};
use std::time::Duration;

use broadside_lab::report::CountingTimes;
use broadside_odds::{Budget, Counts, Engine, Problem, Transfer, baseline};
use broadside_rules::{Preset, ShotLog};
use serde::Serialize;

use super::measure::{median, micros, peak_memory_kb, timed};
use crate::exit::Failure;
use crate::progress;

/// Time the transfer engine beside clique listing
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Leave out the listing engines on the empty board and the russian board, which take a minute
    #[arg(long)]
    quick: bool,
    #[cfg(feature = "gpu")]
    #[command(flatten)]
    adapter: crate::gpu::AdapterOption,
}

const EXAMPLES: &str = "\
Examples:
  broadside bench odds
  broadside bench odds --quick --format json

Positions: the empty classic board, and logs of games played well, after 5, 10, 20 and 30 shots, over a hundred each. The
transfer engine runs on all of them, on one thread, and the median time counts; the listing engines run on the first of
each. The same positions are also weighed against an opponent who hides as people do. Every count is checked: against the published number on the empty board, between the engines elsewhere. Built with the
feature gpu, the empty board is also counted by a GPU, and 2000 logs after 30 shots in one batch; a GPU in software is marked.";

/// The positions of games, with a heading before each group.
const LOGS: &str = include_str!("midgame.txt");

/// Layouts of the empty classic board: half of the 30,093,975,536 configurations of the paper, which tells the two ships of
/// length 3 apart.
const EMPTY: u128 = 30_093_975_536 / 2;

/// How often the empty board is counted for its median time.
const REPETITIONS: usize = 101;

/// A row of the table.
#[derive(Serialize)]
struct Row {
    position: String,
    logs: usize,
    transfer_us: f64,
    /// Against the empty board.
    share_of_empty: f64,
    clique_us: Option<f64>,
    clique_parallel_us: Option<f64>,
    /// How many times as fast as listing on one thread, on the log that was listed.
    ratio: Option<f64>,
}

/// The empty russian board.
#[derive(Serialize)]
struct Russian {
    layouts: String,
    /// All marginals.
    transfer_us: f64,
    /// The number of layouts alone, by a sweep with a hash map.
    plain_count_us: f64,
    ratio: f64,
    transfer_peak_kb: Option<u64>,
}

#[derive(Serialize)]
pub(super) struct Table {
    threads: usize,
    rows: Vec<Row>,
    russian: Option<Russian>,
    engine: super::engine::Rows,
    boards: super::boards::Rows,
    weighted: super::weighted::Rows,
    /// The process's peak memory after all transfer counts and before any listing.
    transfer_peak_kb: Option<u64>,
    /// The process's peak memory at the end.
    peak_kb: Option<u64>,
    #[cfg(feature = "gpu")]
    gpu: Option<super::gpu::Rows>,
}

#[cfg_attr(not(feature = "gpu"), expect(clippy::unnecessary_wraps, reason = "opening a GPU can fail"))]
pub(super) fn measure(args: &Args) -> Result<Table, Failure> {
    let groups = groups();
    let spinner = progress::spinner("counting by transfer".to_owned());
    let mut engine = Transfer::new(Budget::default());
    let medians: Vec<Transferred> = groups.iter().map(|group| Transferred::measure(&mut engine, &group.1)).collect();
    let transfer_peak_kb = peak_memory_kb();
    spinner.set_message("drawing samples");
    let more = super::engine::rows(&groups);
    spinner.set_message("counting ships that keep apart");
    let boards = super::boards::rows(args.quick);
    spinner.set_message("weighing");
    let weighted = super::weighted::rows(&groups);
    spinner.set_message("counting the russian board");
    let russian = (!args.quick).then(russian);
    let rows = groups.iter().zip(&medians).map(|(group, transferred)| {
        spinner.set_message(format!("listing cliques: {}", group.0));
        row(group, transferred, &medians[0], args.quick)
    });
    let (rows, peak_kb) = (rows.collect(), peak_memory_kb());
    #[cfg(feature = "gpu")]
    let gpu = {
        spinner.set_message("counting by a GPU");
        super::gpu::rows(&args.adapter, &groups, &mut engine, args.quick)?
    };
    spinner.finish_and_clear();
    Ok(Table {
        threads: rayon::current_num_threads(),
        rows,
        russian,
        engine: more,
        boards,
        weighted,
        transfer_peak_kb,
        peak_kb,
        #[cfg(feature = "gpu")]
        gpu,
    })
}

/// A group of positions as a row: the transfer engine on all of them, the listing engines on the first.
fn row((position, logs): &Group, transferred: &Transferred, empty: &Transferred, quick: bool) -> Row {
    let listed = (!quick || !logs[0].is_empty()).then(|| list(&logs[0], &transferred.counts));
    Row {
        position: position.clone(),
        logs: logs.len(),
        transfer_us: micros(transferred.median),
        share_of_empty: transferred.median.as_secs_f64() / empty.median.as_secs_f64(),
        clique_us: listed.map(|(one, _)| micros(one)),
        clique_parallel_us: listed.map(|(_, all)| micros(all)),
        ratio: listed.map(|(one, _)| one.as_secs_f64() / transferred.first.as_secs_f64()),
    }
}

/// The times of the empty classic board for a report: the listing engines once each, as they take seconds, if at all.
pub(crate) fn counting(with_listing: bool) -> CountingTimes {
    let log = ShotLog::new(&Preset::Classic.rules());
    let transferred = Transferred::measure(&mut Transfer::new(Budget::default()), std::slice::from_ref(&log));
    let listed = with_listing.then(|| list(&log, &transferred.counts));
    CountingTimes {
        listing: listed.map(|(one, all)| (one.as_secs_f64(), all.as_secs_f64())),
        threads: rayon::current_num_threads(),
        transfer: transferred.median.as_secs_f64(),
    }
}

/// Positions with their heading.
type Group = (String, Vec<ShotLog>);

/// The empty board, then the groups of the file.
fn groups() -> Vec<Group> {
    let rules = Preset::Classic.rules();
    let mut groups = vec![("empty board".to_owned(), vec![ShotLog::new(&rules)])];
    for line in LOGS.lines() {
        if let Some(heading) = line.strip_prefix("# ") {
            groups.push((heading.to_owned(), Vec::new()));
        } else {
            let log = ShotLog::parse(&rules, line).expect("the committed logs can be read");
            groups.last_mut().expect("a group was begun").1.push(log);
        }
    }
    groups
}

/// The transfer engine on a group of positions.
struct Transferred {
    /// The median time over the logs.
    median: Duration,
    /// The time of the first log.
    first: Duration,
    /// The counts of the first log.
    counts: Counts,
}

impl Transferred {
    fn measure(engine: &mut Transfer, logs: &[ShotLog]) -> Self {
        let repetitions = if logs.len() == 1 { REPETITIONS } else { 5 };
        let mut count = |log: &ShotLog| timed(|| engine.count(log).expect("classic boards are in reach"));
        let times: Vec<Duration> = logs.iter().map(|log| median((0..repetitions).map(|_| count(log).0))).collect();
        let counts = count(&logs[0]).1;
        if logs[0].is_empty() {
            assert_eq!(counts.layouts(), EMPTY, "the published number");
        }
        Self { median: median(times.iter().copied()), first: times[0], counts }
    }
}

/// The times of the listing engines, on one thread and on all.
fn list(log: &ShotLog, counts: &Counts) -> (Duration, Duration) {
    (listing(Engine::Clique, log, counts), listing(Engine::CliqueParallel, log, counts))
}

/// The time of a listing engine, whose counts must be those of the transfer engine.
fn listing(engine: Engine, log: &ShotLog, counts: &Counts) -> Duration {
    let (time, listed) = timed(|| engine.count(log, Budget::default()).expect("classic boards are in reach"));
    assert_eq!(&listed, counts, "{engine} and transfer agree");
    time
}

/// The russian board, empty: the profile sweep with all marginals beside a plain one with a hash map, which only counts.
fn russian() -> Russian {
    let log = ShotLog::new(&Preset::Russian.rules());
    let mut engine = Transfer::new(Budget::default());
    let mut runs: Vec<(Duration, Counts)> =
        (0..5).map(|_| timed(|| engine.count(&log).expect("the russian board is in reach"))).collect();
    let transfer_peak_kb = peak_memory_kb();
    runs.sort_by_key(|(time, _)| *time);
    let (time, counts) = runs.swap_remove(2);
    let (plain_time, layouts) = timed(|| baseline::plain_sweep::count(&Problem::from_log(&log)));
    assert_eq!(u128::from(layouts), counts.layouts(), "the two sweeps agree");
    Russian {
        layouts: counts.layouts().to_string(),
        transfer_us: micros(time),
        plain_count_us: micros(plain_time),
        ratio: plain_time.as_secs_f64() / time.as_secs_f64(),
        transfer_peak_kb,
    }
}

impl super::Table for Table {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "classic board, all 100 marginals; µs, median over the logs; listing on the first log of each\n")?;
        let parallel = format!("clique ×{}", self.threads);
        writeln!(
            out,
            "{:<16} {:>5} {:>12} {:>9} {:>13} {:>13} {:>9}",
            "position", "logs", "transfer", "of empty", "clique", parallel, "ratio"
        )?;
        self.rows.iter().try_for_each(|row| write_row(out, row))?;
        let peaks = (megabytes(self.transfer_peak_kb), megabytes(self.peak_kb));
        writeln!(out, "\npeak memory: {} after transfer, {} at the end", peaks.0, peaks.1)?;
        super::engine::write_text(out, &self.engine)?;
        super::boards::write_text(out, &self.boards)?;
        super::weighted::write_text(out, &self.weighted)?;
        #[cfg(feature = "gpu")]
        super::gpu::write_text(out, self.gpu.as_ref())?;
        self.russian.as_ref().map_or(Ok(()), |russian| write_russian(out, russian))
    }
}

fn write_row(out: &mut dyn Write, row: &Row) -> io::Result<()> {
    let listed = |time: Option<f64>| time.map_or_else(|| "-".to_owned(), |time| format!("{time:.0}"));
    writeln!(
        out,
        "{:<16} {:>5} {:>12.1} {:>8.1}% {:>13} {:>13} {:>9}",
        row.position,
        row.logs,
        row.transfer_us,
        row.share_of_empty * 100.0,
        listed(row.clique_us),
        listed(row.clique_parallel_us),
        listed(row.ratio),
    )
}

fn write_russian(out: &mut dyn Write, russian: &Russian) -> io::Result<()> {
    let (all, plain) = (russian.transfer_us / 1e3, russian.plain_count_us / 1e3);
    writeln!(out, "\nrussian board, empty: {} layouts", russian.layouts)?;
    writeln!(out, "  transfer, all 100 marginals: {all:.0} ms, peak memory {}", megabytes(russian.transfer_peak_kb))?;
    writeln!(out, "  plain sweep with a hash map, count alone: {plain:.0} ms, {:.1} times as long", russian.ratio)
}

fn megabytes(kilobytes: Option<u64>) -> String {
    kilobytes.map_or_else(|| "unknown".to_owned(), |kilobytes| format!("{:.1} MB", kilobytes as f64 / 1024.0))
}
