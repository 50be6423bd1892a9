//! `broadside ubi`: a captain that other programs can talk to.

use std::io;

use broadside_bots::Speaker;

use crate::exit::{Failure, Outcome};
use crate::policy::PolicyOption;

/// Let a captain speak UBI, the protocol of bots: lines on standard input, answers on standard output
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The captain, as ‘simulate’ knows it
    #[arg(value_name = "CAPTAIN")]
    captain: String,
    #[command(flatten)]
    policy: PolicyOption,
}

const EXAMPLES: &str = "\
Examples:
  broadside ubi density
  broadside tournament --bot 'broadside ubi density' --captain density --games 10

docs/ubi.md describes the protocol. The option ‘seed’ decides the captain's random choices, and with ‘explain’ it gives a reason \
for every shot: setoption name explain value true.";

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let registry = args.policy.any_registry()?;
    let mut speaker = Speaker::new(registry, &args.captain).map_err(Failure::bad_request)?;
    speaker.run(io::stdin().lock(), io::stdout().lock())?;
    Ok(Outcome::Done)
}
