//! `broadside count`: how many layouts there are.

use std::io::Write;

use broadside_rules::{Census, CensusError, Rules};
use serde::Serialize;

use crate::exit::{Failure, Outcome};
use crate::options::{Format, FormatOption, RuleOptions};
use crate::output;

/// Count all layouts of the fleet on the board, exactly
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    rules: RuleOptions,
}

const EXAMPLES: &str = "\
Examples:
  broadside count --board 4x4 --fleet 3,2        264
  broadside count --preset sploosh               604584
  broadside count --preset sploosh --touch never --format json

Ships of one length are interchangeable, so a layout is counted once. A board that is too large to be counted \
is refused with exit status 1.";

/// How much memory counting may take, roughly.
const MEMORY: usize = 512 << 20;

/// What a position of the count takes beside its set of cells: peak memory over positions, on 10x10 and 64x64.
const POSITION: usize = 240;

/// The board is too large.
#[derive(Debug, thiserror::Error)]
#[error("the layouts can't be counted: choose a smaller --board or --fleet")]
struct CountError(#[from] CensusError);

#[derive(Serialize)]
struct Answer {
    /// A decimal string, since readers of JSON lose digits of numbers past 2^53.
    layouts: String,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let layouts = layouts(&args.rules.rules()?).map_err(|error| Failure::unanswerable(CountError(error)))?;
    let mut out = output::stdout();
    match args.format.format {
        Format::Text => writeln!(out, "{layouts}")?,
        Format::Json => output::json_line(&mut out, &Answer { layouts: layouts.to_string() })?,
    }
    out.flush()?;
    Ok(Outcome::Done)
}

fn layouts(rules: &Rules) -> Result<u128, CensusError> {
    let budget = MEMORY / (POSITION + rules.grid().len() / 8);
    Census::take(rules, budget).map(|census| census.layouts())
}
