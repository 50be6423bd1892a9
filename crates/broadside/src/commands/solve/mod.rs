//! `broadside solve`: best play on small boards, and what no play can beat on any.

mod bound;
mod prices;

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use broadside_odds::Budget;
use broadside_rules::{Cell, Rules, ShotLog};
use broadside_solve::{Progress, Solution, SolveError, Solver};
use indicatif::ProgressBar;
use num_rational::Ratio;
use serde::Serialize;

use self::prices::PriceList;
use crate::exit::{Failure, Outcome};
use crate::options::{Format, FormatOption, RuleOptions};
use crate::{output, progress};

/// The least expected number of shots on a small board, exactly, and the price of every captain beside it
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Memory that the search may take, such as 64MB or 2GB
    #[arg(long, value_name = "MEMORY", default_value_t)]
    budget: Budget,
    /// Also write best play to this file, as a table of positions and shots
    #[arg(long, value_name = "FILE", conflicts_with = "bound")]
    save: Option<PathBuf>,
    /// Don't solve: prove a number of shots that no play can beat, on a board of any size
    #[arg(long)]
    bound: bool,
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    rules: RuleOptions,
}

const EXAMPLES: &str = "\
Examples:
  broadside solve --board 4x4 --fleet 3,2                 8.7538 shots (2311/264)
  broadside solve --board 3x4 --fleet 2,2 --call bare --format json
  broadside solve --board 4x4 --fleet 3,2 --save best.txt
  broadside solve --board 5x5 --fleet 3,2 --budget 4GB    takes a while
  broadside solve --bound                                 the classic board is out of reach, but not a bound

Every layout is equally likely. Captains that draw no lots are priced exactly, by playing every layout; those that do
are marked as estimates, with a standard error.

Exit status: 0 done; 1 the board is out of reach within the budget; 2 the request can't be read.";

/// The board is too large.
#[derive(Debug, thiserror::Error)]
#[error("the board can't be solved: allow a larger --budget, choose a smaller --board or --fleet, or ask for a --bound")]
struct OutOfReachError(#[from] SolveError);

/// The table can't be written.
#[derive(Debug, thiserror::Error)]
#[error("can't write {}", .path.display())]
struct SaveError {
    path: PathBuf,
    source: io::Error,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let rules = args.rules.rules()?;
    let mut out = output::stdout();
    if args.bound {
        bound::write(&mut out, &rules, args.budget, args.format.format)?;
    } else {
        // Before the work, so that a wrong name is not found out after it.
        let file = args.save.as_deref().map(open).transpose()?;
        let report = solve(&rules, args.budget, file)?;
        match args.format.format {
            Format::Text => report.write_text(&mut out)?,
            Format::Json => output::json_line(&mut out, &report.answer())?,
        }
    }
    out.flush()?;
    Ok(Outcome::Done)
}

fn open(path: &Path) -> Result<(File, &Path), Failure> {
    let file = File::create(path).map_err(|source| Failure::unreadable(SaveError { path: path.into(), source }))?;
    Ok((file, path))
}

/// What the command has found.
struct Report {
    rules: Rules,
    solution: Solution,
    worst: usize,
    prices: PriceList,
}

fn solve(rules: &Rules, budget: Budget, file: Option<(File, &Path)>) -> Result<Report, Failure> {
    let spinner = progress::spinner("listing layouts".to_owned());
    let report = solve_and_tell(rules, budget, file, &spinner);
    spinner.finish_and_clear();
    report
}

fn solve_and_tell(rules: &Rules, budget: Budget, file: Option<(File, &Path)>, spinner: &ProgressBar) -> Result<Report, Failure> {
    let out_of_reach = |error| Failure::unanswerable(OutOfReachError(error));
    let mut solver = Solver::new(&ShotLog::new(rules), budget).map_err(out_of_reach)?;
    let solution = solver.solve(&mut |taken| tell(spinner, "least expected shots", taken)).map_err(out_of_reach)?;
    if let Some((mut file, path)) = file {
        let policy = solver.policy(&mut |taken| tell(spinner, "table of best play", taken)).map_err(out_of_reach)?;
        let saved = write!(file, "{policy}");
        saved.map_err(|source| Failure::unreadable(SaveError { path: path.into(), source }))?;
    }
    let worst = solver.worst_case(&mut |taken| tell(spinner, "least worst case", taken)).map_err(out_of_reach)?;
    spinner.set_message("captains");
    let prices = PriceList::of(rules, budget)?;
    Ok(Report { rules: rules.clone(), solution, worst, prices })
}

fn tell(spinner: &ProgressBar, what: &str, taken: Progress) {
    spinner.set_message(format!("{what}: {} positions, {} MB", taken.positions, taken.bytes >> 20));
}

#[derive(Serialize)]
struct Answer<'a> {
    expected: String,
    worst: usize,
    first: Vec<String>,
    layouts: String,
    #[serde(flatten)]
    prices: &'a PriceList,
}

impl Report {
    fn answer(&self) -> Answer<'_> {
        Answer {
            expected: self.solution.expected().to_string(),
            worst: self.worst,
            first: names(&self.solution.best_shots),
            layouts: self.solution.layouts.to_string(),
            prices: &self.prices,
        }
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}: {} layouts", self.rules, self.solution.layouts)?;
        writeln!(out, "least expected shots  {}", decimal(self.solution.expected()))?;
        writeln!(out, "best first shots      {}", names(&self.solution.best_shots).join(" "))?;
        writeln!(out, "least worst case      {}", self.worst)?;
        writeln!(out, "\nExpected shots of the captains")?;
        self.prices.write_text(out)
    }
}

fn names(cells: &[Cell]) -> Vec<String> {
    cells.iter().map(Cell::to_string).collect()
}

/// A fraction as a decimal number and as itself.
fn decimal(ratio: Ratio<u64>) -> String {
    format!("{:.4} ({ratio})", *ratio.numer() as f64 / *ratio.denom() as f64)
}
