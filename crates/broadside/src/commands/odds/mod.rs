//! `broadside odds`: where the ships are, exactly.

mod weighted;

use std::cmp::Reverse;
use std::io::{self, Write};
use std::path::PathBuf;

use broadside_lab::OddsTable;
use broadside_lab::draw::Board;
use broadside_odds::{Budget, Counts, Engine, Odds, OddsError, OutOfReach, odds_from_counts};
use broadside_rules::{Cell, ShotLog};

use crate::draw::heat_map;
use crate::exit::{Failure, Outcome};
use crate::logs::{ImpossibleError, LogOptions};
use crate::options::{FormatOption, RuleOptions};
use crate::picture::Picture;
use crate::weights::WeightsOption;
use crate::{output, progress};

/// Exact odds and the best shots for a log of shots
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    log: LogOptions,
    /// How to count: transfer is the fast one; clique, clique-parallel, oracle and gpu are for comparison
    #[arg(long, value_name = "ENGINE", default_value_t, value_parser = engine)]
    engine: Engine,
    #[cfg(feature = "gpu")]
    #[command(flatten)]
    adapter: crate::gpu::AdapterOption,
    /// Memory that an exact count may take before an estimate is given instead, such as 64MB or 2GB
    #[arg(long, value_name = "MEMORY", default_value_t)]
    budget: Budget,
    /// Random draws for an estimate
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    samples: u64,
    /// Seed of the random draws for an estimate
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Also draw the board to this file, as .svg or .png
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    #[command(flatten)]
    weights: WeightsOption,
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    rules: RuleOptions,
}

const EXAMPLES: &str = "\
Examples:
  broadside odds                                     the empty classic board
  broadside odds --shots 'E5- C3+ C4+ C5#3'          a miss, two hits, a ship of length 3 sunk
  broadside odds --preset russian --shots 'B2+' --format json
  broadside odds --shots 'E5- F7+' --picture odds.png
  broadside odds --weights people                    the opponent hides as people do
  broadside odds game.log

A shot is a cell and its answer: B7- miss, C3+ hit, C5#3 sank a ship of length 3, C5# sank (--call bare), C3+4 hit a
ship of length 4 (--call every). Blanks, commas or line ends stand between shots. The order counts: a ship sunk at C5
covers C5 and cells hit before it.

Exit status: 0 done; 1 no layout fits the log; 2 the log can't be read.";

/// How many lines of best shots are shown.
const LINES: usize = 5;

#[cfg(not(feature = "gpu"))]
fn engine(text: &str) -> Result<Engine, Box<dyn std::error::Error + Send + Sync>> {
    if text == "gpu" { Err(crate::gpu::MissingError.into()) } else { Ok(text.parse()?) }
}

#[cfg(feature = "gpu")]
fn engine(text: &str) -> Result<Engine, broadside_odds::ParseEngineError> {
    text.parse()
}

/// The counts by the engine, with progress.
#[cfg_attr(not(feature = "gpu"), expect(clippy::unnecessary_wraps, reason = "opening a GPU can fail"))]
fn count(args: &Args, log: &ShotLog) -> Result<Result<Counts, OutOfReach>, Failure> {
    #[cfg(feature = "gpu")]
    if args.engine == Engine::Gpu {
        let gpu = args.adapter.open()?;
        let bar = progress::bar(format!("counting by {}", gpu.adapter().name), 1);
        let counts = gpu.count_with_progress(log, args.budget, &mut |progress| {
            bar.set_length(progress.total);
            bar.set_position(progress.done);
        });
        bar.finish_and_clear();
        return Ok(counts);
    }
    let spinner = progress::spinner(format!("counting by {}", args.engine));
    let counts = args.engine.count(log, args.budget);
    spinner.finish_and_clear();
    Ok(counts)
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let rules = args.rules.rules()?;
    let log = args.log.read(&rules)?;
    // Before the work, so that a wrong name is not found out after it.
    let picture = args.picture.as_deref().map(Picture::claim).transpose()?;
    if let Some(weights) = args.weights.read(&rules)? {
        return weighted::print(&log, &weights, args.budget, picture, args.format.format);
    }
    let counts = count(args, &log)?;
    let odds = odds_from_counts(&log, counts, args.budget, args.samples, &mut broadside_lab::generator(args.seed, 0));
    let odds = odds.map_err(|error| match error {
        OddsError::Impossible(contradiction) => Failure::no_answer(ImpossibleError::Layouts(contradiction)),
        error => Failure::no_answer(error),
    })?;
    if let Some(picture) = picture {
        picture.write(&Board::from_odds(&log, &odds))?;
    }
    let text = |out: &mut dyn Write| write_text(out, &log, &odds, args.engine);
    output::print(args.format.format, text, || OddsTable::new(&log, &odds, args.engine))
}

fn write_text(out: &mut dyn Write, log: &ShotLog, odds: &Odds, engine: Engine) -> io::Result<()> {
    writeln!(out, "{}", headline(log, odds, engine))?;
    writeln!(out, "{}\n", ships_left(log))?;
    heat_map(out, log, |cell| odds.chance(cell))?;
    if log.is_over() {
        return writeln!(out, "\nAll ships are sunk: the game is over.");
    }
    writeln!(out, "\nBest shots")?;
    let mut open: Vec<Cell> = log.rules().grid().cells().filter(|&cell| !log.fired().contains(cell)).collect();
    match odds {
        Odds::Exact(counts) => {
            open.sort_by_key(|&cell| Reverse(counts.at(cell)));
            for tied in open.chunk_by(|&a, &b| counts.at(a) == counts.at(b)).take(LINES).filter(|tied| counts.at(tied[0]) > 0) {
                let fraction = format!("{}/{}", counts.at(tied[0]), counts.layouts());
                writeln!(out, "  {:6.2} %  {fraction}  {}", counts.chance(tied[0]) * 100.0, names(tied))?;
            }
        }
        Odds::Weighted(counts) => {
            open.sort_by(|&a, &b| counts.at(b).total_cmp(&counts.at(a)));
            let shown = |cell: Cell| format!("{:.2}", counts.chance(cell) * 100.0);
            for tied in open.chunk_by(|&a, &b| shown(a) == shown(b)).take(LINES) {
                writeln!(out, "  {:>6} %  {}", shown(tied[0]), names(tied))?;
            }
        }
        Odds::Estimate(rough) => {
            open.sort_by(|&a, &b| rough.chance(b).mean.total_cmp(&rough.chance(a).mean));
            for &cell in open.iter().take(LINES) {
                let chance = rough.chance(cell);
                writeln!(out, "  {:6.2} % ± {:.2}  {cell}", chance.mean * 100.0, chance.std_err * 100.0)?;
            }
        }
    }
    Ok(())
}

fn headline(log: &ShotLog, odds: &Odds, engine: Engine) -> String {
    match odds {
        Odds::Exact(counts) if counts.layouts() == 1 => format!("1 layout fits (exact, by {engine})"),
        Odds::Exact(counts) => format!("{} layouts fit (exact, by {engine})", counts.layouts()),
        Odds::Weighted(_) => {
            format!("odds with answers that are false with chance {} (exact, by {})", log.rules().noise(), Engine::Transfer)
        }
        Odds::Estimate(rough) => {
            let layouts = rough.layouts();
            let samples = rough.samples();
            format!("about {:.3e} ± {:.0e} layouts fit (an ESTIMATE from {samples} random draws)", layouts.mean, layouts.std_err)
        }
    }
}

/// The ships not announced as sunk, with their customary names while the whole fleet is there to tell them apart.
fn ships_left(log: &ShotLog) -> String {
    let left = log.lengths_left();
    let whole = left.len() == log.rules().fleet().len();
    let names = log.rules().fleet().names();
    let ship = |(i, length): (usize, &broadside_rules::Length)| match names[i] {
        Some(name) if whole => format!("{name} ({length})"),
        _ => length.to_string(),
    };
    match left.iter().enumerate().map(ship).collect::<Vec<_>>() {
        ships if ships.is_empty() => "ships left: none".to_owned(),
        ships => format!("ships left: {}", ships.join(", ")),
    }
}

fn names(cells: &[Cell]) -> String {
    cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
