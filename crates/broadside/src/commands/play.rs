//! `broadside play`: the game in a terminal.

use std::env;
use std::io::{self, IsTerminal};

use broadside_rules::Turns;

use crate::exit::{Failure, Outcome};
use crate::habits::HabitsOption;
use crate::options::RuleOptions;
use crate::play::{self, Setup};
use crate::policy::PolicyOption;
use crate::weights::WeightsOption;

/// Play against a captain in the terminal, with keys or the mouse
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Who you play against
    #[arg(long, value_name = "NAME", default_value = "density")]
    captain: String,
    /// Whoever hits fires again, until a miss; without this the two sides take turns, a shot each
    #[arg(long)]
    hit_again: bool,
    /// Seed of the layouts and of the captain's random choices; without it each start differs
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    policy: PolicyOption,
    #[command(flatten)]
    weights: WeightsOption,
    #[command(flatten)]
    habits: HabitsOption,
    #[command(flatten)]
    rules: RuleOptions,
}

const EXAMPLES: &str = "\
Examples:
  broadside play                                 the classic game against density
  broadside play --captain hunt-target           against somebody easier
  broadside play --captain density@people        against somebody who knows how people hide
  broadside play --captain density@weights --weights habits.txt    … or how you do, by ‘broadside learn’
  broadside play --captain density@uniform+habits --habits me.txt  … or who learns from every game how you hide
  broadside play --preset russian --hit-again    ships that never touch, and an extra shot after a hit

You fire first in the first game, the captain in the second, and so on. In the game, ? lists the keys. h moves to the best cell and shows its exact chance, o shows the chances of all cells; \
when the game is over, every shot is set beside the best one. 80x24 is enough for the classic board.";

/// There is no terminal to play in.
#[derive(Debug, thiserror::Error)]
#[error("the game needs a terminal for its input and output: run ‘broadside play’ in one, without a pipe")]
struct NoTerminal;

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let rules = args.rules.rules()?;
    let registry = args.habits.registry(args.weights.registry(args.policy.registry(&rules)?, &rules)?, &rules)?;
    let opponent = registry.captain_against_people(&args.captain, &rules).map_err(Failure::bad_request)?;
    let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    if dumb || !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(Failure::bad_request(NoTerminal));
    }
    let turns = if args.hit_again { Turns::HitAgain } else { Turns::Alternate };
    let seed = args.seed.unwrap_or_else(rand::random);
    play::run(Setup { rules, turns, captain: args.captain.clone(), seed, habits: args.habits.habits.clone() }, opponent)?;
    Ok(Outcome::Done)
}
