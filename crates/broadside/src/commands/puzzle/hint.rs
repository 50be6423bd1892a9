//! `broadside puzzle hint`.

use broadside_puzzle::{HintTable, PuzzleError};

use super::input::PuzzleOptions;
use crate::exit::{Failure, Outcome};
use crate::options::FormatOption;
use crate::output;

/// Say in words what can be deduced next, or what is marked wrongly
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    input: PuzzleOptions,
    /// The cells marked so far: ~ for water, x for a ship, such as 'A1x B2~'
    #[arg(long, value_name = "CELLS", default_value = "")]
    marks: String,
    #[command(flatten)]
    format: FormatOption,
}

const EXAMPLES: &str = "\
Examples:
  broadside puzzle hint puzzle.txt
  broadside puzzle hint --puzzle '2,1 2,0,1 1,1,1 C3o' --marks 'A3~ B1~'

Exit status: 0 a hint, or everything is found; 1 a cell is marked wrongly, or the puzzle has no
solution, several, or takes too many guesses; 2 something can't be read.";

/// The request can't be read.
#[derive(Debug, thiserror::Error)]
enum HintError {
    #[error("the marks can't be read: write cells and ~ for water or x for a ship, such as ‘A1x B2~’")]
    Marks(#[from] PuzzleError),
    #[error("a hint is for one puzzle, and there are {0}: give one with --puzzle")]
    Many(usize),
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let puzzles = args.input.read_all()?;
    let [puzzle] = &puzzles[..] else { return Err(Failure::bad_request(HintError::Many(puzzles.len()))) };
    let marks = puzzle.read_marks(&args.marks).map_err(|error| Failure::bad_request(HintError::Marks(error)))?;
    let hint = puzzle.hint(&marks, args.input.guesses).map_err(Failure::no_answer)?;
    let table = HintTable::from(&hint);
    let good = ["next", "look", "done"].contains(&table.kind);
    output::print(args.format.format, |out| writeln!(out, "{hint}"), || &table)?;
    Ok(if good { Outcome::Done } else { Outcome::No })
}
