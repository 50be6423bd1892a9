//! `broadside solve`: best play on small boards, and what no play can beat on any.

mod bound;
mod captains;
mod equilibrium;

use std::io::{self, Write};
use std::path::PathBuf;

use broadside_odds::Budget;
use broadside_rules::{Cell, Rules, ShotLog};
use broadside_solve::{Progress, Solution, SolveError, Solver};
use indicatif::ProgressBar;
use num_rational::Ratio;
use serde::Serialize;

use self::captains::CaptainTable;
use crate::exit::{Failure, Outcome};
use crate::files::OutputFile;
use crate::options::{FormatOption, RuleOptions};
use crate::{output, progress};

/// The least expected number of shots on a small board, exactly, beside those of every captain
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Memory that the search may take, such as 64MB or 2GB
    #[arg(long, value_name = "MEMORY", default_value_t)]
    budget: Budget,
    /// Also write best play to this file, as a table of positions and shots; with --equilibrium, the proof of the value
    #[arg(long, value_name = "FILE", conflicts_with = "bound")]
    save: Option<PathBuf>,
    /// Don't solve: prove a number of shots that no play can beat, on a board of any size
    #[arg(long)]
    bound: bool,
    /// Solve the whole game instead: how to hide and how to shoot if the opponent knows how one does it
    #[arg(long, conflicts_with = "bound")]
    equilibrium: bool,
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
  broadside solve --equilibrium --board 4x4 --fleet 3     the value if the hider chooses layouts as cleverly
  broadside solve --equilibrium --board 4x4 --fleet 3 --save proof.txt

Without --equilibrium every layout is equally likely. The expected shots of captains without random choices are exact, found by playing every \
layout; those of the others are estimates, with a standard error.

Exit status: 0 done; 1 the board is out of reach within the budget; 2 the request can't be read.";

/// The board is too large.
#[derive(Debug, thiserror::Error)]
#[error("the board can't be solved: allow a larger --budget, choose a smaller --board or --fleet, or ask for a --bound")]
struct OutOfReachError(#[from] SolveError);

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let rules = args.rules.rules()?;
    if args.bound {
        return bound::print(&rules, args.budget, args.format.format);
    }
    // Before the work, so that a wrong name is not found out after it.
    let file = args.save.as_deref().map(OutputFile::claim).transpose()?;
    if args.equilibrium {
        return equilibrium::print(&rules, args.budget, file, args.format.format);
    }
    let report = solve(&rules, args.budget, file)?;
    output::print(args.format.format, |out| report.write_text(out), || report.json())
}

/// What the command has found.
struct SolveReport {
    rules: Rules,
    solution: Solution,
    worst: usize,
    captains: CaptainTable,
}

fn solve(rules: &Rules, budget: Budget, file: Option<OutputFile>) -> Result<SolveReport, Failure> {
    let spinner = progress::spinner("listing layouts".to_owned());
    let report = solve_with_spinner(rules, budget, file, &spinner);
    spinner.finish_and_clear();
    report
}

fn solve_with_spinner(
    rules: &Rules,
    budget: Budget,
    file: Option<OutputFile>,
    spinner: &ProgressBar,
) -> Result<SolveReport, Failure> {
    let out_of_reach = |error| Failure::no_answer(OutOfReachError(error));
    let mut solver = Solver::new(&ShotLog::new(rules), budget).map_err(out_of_reach)?;
    let solution = solver.solve(&mut |taken| show_progress(spinner, "least expected shots", taken)).map_err(out_of_reach)?;
    if let Some(file) = file {
        let policy = solver.policy(&mut |taken| show_progress(spinner, "table of best play", taken)).map_err(out_of_reach)?;
        file.write(policy.to_string().as_bytes())?;
    }
    let worst = solver.worst_case(&mut |taken| show_progress(spinner, "least worst case", taken)).map_err(out_of_reach)?;
    spinner.set_message("captains");
    let captains = CaptainTable::new(rules, budget)?;
    Ok(SolveReport { rules: rules.clone(), solution, worst, captains })
}

fn show_progress(spinner: &ProgressBar, what: &str, taken: Progress) {
    spinner.set_message(format!("{what}: {} positions, {} MB", taken.positions, taken.bytes >> 20));
}

#[derive(Serialize)]
struct SolutionJson<'a> {
    expected: String,
    worst: usize,
    first: Vec<String>,
    layouts: String,
    #[serde(flatten)]
    captains: &'a CaptainTable,
}

impl SolveReport {
    fn json(&self) -> SolutionJson<'_> {
        SolutionJson {
            expected: self.solution.expected().to_string(),
            worst: self.worst,
            first: names(&self.solution.best_shots),
            layouts: self.solution.layouts.to_string(),
            captains: &self.captains,
        }
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}: {} layouts", self.rules, self.solution.layouts)?;
        writeln!(out, "least expected shots  {}", decimal(self.solution.expected()))?;
        writeln!(out, "best first shots      {}", names(&self.solution.best_shots).join(" "))?;
        writeln!(out, "least worst case      {}", self.worst)?;
        writeln!(out, "\nExpected shots of the captains")?;
        self.captains.write_text(out)
    }
}

fn names(cells: &[Cell]) -> Vec<String> {
    cells.iter().map(Cell::to_string).collect()
}

/// A fraction as a decimal number and as itself.
fn decimal(ratio: Ratio<u64>) -> String {
    format!("{:.4} ({ratio})", *ratio.numer() as f64 / *ratio.denom() as f64)
}
