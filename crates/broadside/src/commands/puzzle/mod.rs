//! `broadside puzzle`: the puzzle of the newspapers, also called Bimaru or Battleship Solitaire.

mod hint;
mod input;
mod new;
mod print;
mod solve;

use crate::exit::{Failure, Outcome};

/// The puzzle of the newspapers (Bimaru, Battleship Solitaire): solve it, make new ones, get hints, print them
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    job: Job,
}

const EXAMPLES: &str = "\
Examples:
  broadside puzzle new --grade hard                          a new puzzle
  broadside puzzle new -n 20 --seed 7 | broadside puzzle print --out puzzles.html
  broadside puzzle solve --puzzle '2,1 2,0,1 1,1,1 C3o'      its solution, and how hard it is
  broadside puzzle hint --puzzle '2,1 2,0,1 1,1,1 C3o'       what can be deduced next

The numbers along the edges say how many cells of each row and column hold a ship. Ships
never touch, not even at corners. Some cells are revealed. That determines where the fleet is.";

#[derive(clap::Subcommand)]
enum Job {
    Solve(solve::Args),
    New(new::Args),
    Hint(hint::Args),
    Print(print::Args),
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    match &args.job {
        Job::Solve(args) => solve::run(args),
        Job::New(args) => new::run(args),
        Job::Hint(args) => hint::run(args),
        Job::Print(args) => print::run(args),
    }
}
