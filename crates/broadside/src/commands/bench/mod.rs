//! `broadside bench`: how fast things are, as ratios against a named baseline in the same run.

pub(crate) mod games;
#[cfg(feature = "gpu")]
mod gpu;
pub(crate) mod odds;
pub(crate) mod serve;
pub(crate) mod validate;

use crate::exit::{Failure, Outcome};

/// Measure how fast things are, against a baseline in the same run
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

const EXAMPLES: &str = "\
Examples:
  broadside bench games
  broadside bench odds
  broadside bench serve
  broadside bench validate
  broadside bench validate --format json";

#[derive(clap::Subcommand)]
enum What {
    Games(games::Args),
    Odds(odds::Args),
    Serve(serve::Args),
    Validate(validate::Args),
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    match &args.what {
        What::Games(args) => games::run(args),
        What::Odds(args) => odds::run(args),
        What::Serve(args) => serve::run(args),
        What::Validate(args) => validate::run(args),
    }
}
