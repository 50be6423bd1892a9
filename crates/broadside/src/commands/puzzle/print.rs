//! `broadside puzzle print`.

use std::path::PathBuf;

use broadside_puzzle::{PrintedPuzzle, Puzzle, Verdict, page};

use super::input::PuzzleOptions;
use crate::exit::{Failure, Outcome};
use crate::files::OutputFile;

/// Draw puzzles to a file: pages for printing with the solutions at the end, or one picture
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    input: PuzzleOptions,
    /// The file: .html for pages of any number of puzzles, .svg for a picture of one
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Draw the solution into the picture; pages have the solutions anyway
    #[arg(long)]
    solved: bool,
}

const EXAMPLES: &str = "\
Examples:
  broadside puzzle new -n 12 --seed 7 | broadside puzzle print --out puzzles.html
  broadside puzzle print puzzle.txt --out puzzle.svg
  broadside puzzle print puzzle.txt --out solution.svg --solved

The pages are laid out for A4: print them from a browser, or save them as PDF there.

Exit status: 0 done; 1 some puzzle has no solution or several; 2 something can't be read or written.";

/// The puzzles can't be printed.
#[derive(Debug, thiserror::Error)]
enum PrintError {
    #[error("give the file a name that ends in .html or .svg, not {}", .0.display())]
    Ending(PathBuf),
    #[error("a picture shows one puzzle, and there are {0}: use a name that ends in .html")]
    Many(usize),
    #[error("puzzle {number} has {what}: puzzles are printed only with exactly one solution")]
    Unsound { number: usize, what: &'static str },
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let ending = args.out.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    if !["html", "svg"].contains(&ending.as_str()) {
        return Err(Failure::bad_request(PrintError::Ending(args.out.clone())));
    }
    let file = OutputFile::claim(&args.out)?;
    let puzzles = args.input.read_all()?;
    let printed: Vec<PrintedPuzzle> =
        (1..).zip(puzzles).map(|(number, puzzle)| printed(number, puzzle, args.input.guesses)).collect::<Result<_, _>>()?;
    let text = match (&ending[..], &printed[..]) {
        ("html", all) => page(all),
        (_, [one]) => one.puzzle.svg(args.solved.then_some(&one.solution)),
        (_, many) => return Err(Failure::bad_request(PrintError::Many(many.len()))),
    };
    file.write(text.as_bytes())?;
    Ok(Outcome::Done)
}

/// The puzzle with its number, grade and solution.
fn printed(number: usize, puzzle: Puzzle, guesses: u64) -> Result<PrintedPuzzle, Failure> {
    let unsound = |what| Err(Failure::no_answer(PrintError::Unsound { number, what }));
    match puzzle.solve(guesses).map_err(Failure::no_answer)? {
        Verdict::None => unsound("no solution"),
        Verdict::Several(_) => unsound("several solutions"),
        Verdict::Unique(solution) => {
            let grade = puzzle.grade().map_or("beyond expert", |grade| grade.word());
            Ok(PrintedPuzzle { title: format!("{number}. {grade}"), puzzle, solution })
        }
    }
}
