//! `broadside count`: how many layouts there are.

use broadside_odds::{Budget, OutOfReach, Problem, Transfer};
use serde::Serialize;

use crate::exit::{Failure, Outcome};
use crate::options::{FormatOption, RuleOptions};
use crate::{output, progress};

/// Count all layouts of the fleet on the board, exactly
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Memory that counting may take, such as 64MB or 2GB
    #[arg(long, value_name = "MEMORY", default_value_t)]
    budget: Budget,
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    rules: RuleOptions,
}

const EXAMPLES: &str = "\
Examples:
  broadside count --board 4x4 --fleet 3,2        264
  broadside count                                15046987768
  broadside count --preset russian               1855545978831780
  broadside count --preset sploosh --touch never --format json

Ships of one length are interchangeable, so a layout is counted once. A board that is too large to be counted \
is refused with exit status 1.";

/// The board is too large.
#[derive(Debug, thiserror::Error)]
#[error("the layouts can't be counted: allow a larger --budget, or choose a smaller --board or --fleet")]
struct CountError(#[from] OutOfReach);

#[derive(Serialize)]
struct CountJson {
    /// A decimal string, since readers of JSON lose digits of numbers past 2^53.
    layouts: String,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let problem = Problem::for_rules(&args.rules.rules()?);
    let spinner = progress::spinner("counting".to_owned());
    let layouts = Transfer::new(args.budget).total(&problem);
    spinner.finish_and_clear();
    let layouts = layouts.map_err(|error| Failure::no_answer(CountError(error)))?;
    output::print(args.format.format, |out| writeln!(out, "{layouts}"), || CountJson { layouts: layouts.to_string() })
}
