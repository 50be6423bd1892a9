//! `broadside best`: the best next shot, judged by the shots to the end of the game.

use std::io::{self, Write};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use broadside_captains::shots_to_go::{CellReport, Error, Method, Report, Settings, ShotsToGo};
use broadside_lab::BestTable;
use broadside_odds::{Budget, OutOfReach, PlacementWeights, explain};
use broadside_rules::{ShotLog, Stop};

use crate::exit::{Failure, Outcome};
use crate::logs::{ImpossibleError, LogOptions};
use crate::options::{FormatOption, RuleOptions};
use crate::weights::WeightsOption;
use crate::{output, progress};

/// The best next shot: what each of the leading cells costs to the end of the game
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    log: LogOptions,
    /// How long to refine an estimate, such as 2s or 500ms
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = duration, conflicts_with = "playouts")]
    time: Duration,
    /// Play on so many layouts instead, however long it takes; the same number gives the same answer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(4..=1_000_000_000))]
    playouts: Option<u64>,
    /// How many cells to compare
    #[arg(long, value_name = "K", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=100))]
    candidates: u64,
    /// Seed of the layouts drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    weights: WeightsOption,
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    rules: RuleOptions,
}

const EXAMPLES: &str = "\
Examples:
  broadside best                                           the empty classic board
  broadside best --shots 'E5- C3+ C4+ C5#3'                a miss, two hits, a ship of length 3 sunk
  broadside best --shots 'E5+' --time 10s                  refine it for ten seconds
  broadside best --shots 'E5+' --playouts 20000 --format json
  broadside best --board 4x4 --fleet 3,2                   best play, since the board can be solved
  broadside best game.log --candidates 30
  broadside best --shots 'E5-' --weights people            the opponent hides as people do

‘shots to go’ is the expected number of shots to the end of the game if the cell is fired at now and the captain admiral \
plays on. All cells are tried on the same layouts, drawn from those that fit the log. Half of the layouts choose the best \
cell, the other half measure, so that the best is not flattered. Where up to 12000 layouts are left, all of them are played on, and \
the numbers are exact. Where the rest of the game can be solved, they are those of best play. ‘loss’ is what is lost against \
the best cell; ± is one standard error. With --weights, layouts are always drawn, each as likely as the weights say; admiral doesn't know \
them. A cell is settled when it is worse than the best by 2.5 standard errors, or \
certainly within 0.05 shots of it.

Exit status: 0 done; 1 no layout fits the log, or none can be drawn; 2 the request can't be read.";

fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.trim().parse::<f64>().ok().map(|number| number * unit).filter(|&seconds| seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "give a time, such as 2s or 500ms".to_owned())
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let rules = args.rules.rules()?;
    let log = args.log.read(&rules)?;
    let weights = args.weights.read(&rules)?.map(Arc::new);
    let spinner = progress::spinner("playing on".to_owned());
    let report = compare(args, &log, weights);
    spinner.finish_and_clear();
    let report = report.map_err(|error| failure(&log, error))?;
    output::print(args.format.format, |out| write_text(out, &report), || BestTable::new(&report))
}

fn compare(args: &Args, log: &ShotLog, weights: Option<Arc<PlacementWeights>>) -> Result<Report, Error> {
    let settings = Settings {
        candidates: args.candidates as usize,
        seed: args.seed,
        threads: rayon::current_num_threads(),
        weights,
        ..Settings::default()
    };
    let never = Stop::never();
    let mut shots_to_go = ShotsToGo::new(log, &settings, &never)?;
    if let Some(playouts) = args.playouts {
        return Ok(shots_to_go.run(playouts, &never)?);
    }
    // One round in any case, so that there is something to tell.
    let first = shots_to_go.run(0, &never)?;
    refine_for(args.time, &mut shots_to_go);
    Ok(shots_to_go.look().unwrap_or(first))
}

/// Refines until the time is up or there is nothing more to say.
fn refine_for(time: Duration, shots_to_go: &mut ShotsToGo) {
    let (stop, (done, wait)) = (Stop::new(), mpsc::channel::<()>());
    thread::scope(|scope| {
        let alarm = stop.clone();
        scope.spawn(move || {
            _ = wait.recv_timeout(time);
            alarm.stop();
        });
        while shots_to_go.refine(u64::MAX, &stop).unwrap_or(false) {}
        drop(done);
    });
}

fn failure(log: &ShotLog, error: Error) -> Failure {
    match (error, explain(log, Budget::default())) {
        (Error::Impossible, Ok(Some(contradiction))) => Failure::no_answer(ImpossibleError::Layouts(contradiction)),
        (Error::OutOfReach(error), _) => Failure::no_answer(ReachError(error)),
        (error, _) => Failure::no_answer(error),
    }
}

/// Layouts can't be drawn.
#[derive(Debug, thiserror::Error)]
#[error("no layouts can be drawn for this log: try it with more shots")]
struct ReachError(#[source] OutOfReach);

fn write_text(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    if report.best.is_empty() {
        return writeln!(out, "All ships are sunk: the game is over.");
    }
    writeln!(out, "{}", headline(report))?;
    let names = report.best.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    writeln!(out, "best: {names}{}", if report.settled { "" } else { " (not settled yet)" })?;
    if let Some(why) = report.why() {
        writeln!(out, "{why}")?;
    }
    let width = if report.is_exact() { [11, 7] } else { [17, 13] };
    writeln!(out, "\ncell   chance  {:>w$}  {:>v$}", "shots to go", "loss", w = width[0], v = width[1])?;
    report.cells.iter().try_for_each(|cell| writeln!(out, "{}", line(cell, report).trim_end()))
}

fn headline(report: &Report) -> String {
    match (report.method, report.exact) {
        (Method::BestPlay, Some(shots)) => {
            format!("{shots} = {:.4} shots to go (exact: best play on all {} layouts left)", report.shots_to_go, report.playouts)
        }
        (_, Some(shots)) => format!(
            "{shots} = {:.4} shots to go (exact: admiral plays on, on all {} layouts left)",
            report.shots_to_go, report.playouts
        ),
        _ => format!(
            "{:.2} ± {:.2} shots to go (an ESTIMATE from {} layouts, admiral plays on)",
            report.shots_to_go, report.std_err, report.playouts
        ),
    }
}

fn line(cell: &CellReport, report: &Report) -> String {
    let chance = format!("{:.1} %", cell.chance * 100.0);
    let start = format!("{:<5} {chance:>7}", cell.cell.to_string());
    let best = report.best.contains(&cell.cell);
    if report.is_exact() {
        let loss = if best { "best".to_owned() } else { format!("{:.4}", cell.loss) };
        return format!("{start}  {:>11.4}  {loss:>7}", cell.shots_to_go);
    }
    let loss = if best { "best".to_owned() } else { format!("{:.2} ± {:.2}", cell.loss, cell.loss_std_err) };
    let open = if best || cell.is_settled() { "" } else { "  open" };
    format!("{start}  {:>9.2} ± {:<5.2}  {loss:>13}{open}", cell.shots_to_go, cell.std_err)
}

#[cfg(test)]
mod tests {
    use super::duration;
    use std::time::Duration;

    #[test]
    fn times_are_seconds_unless_they_say_otherwise() {
        assert_eq!(duration("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        for bad in ["", "0s", "-1s", "soon", "1e400s", "nan"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }
}
