//! Puzzles from an option, a file or standard input.

use std::io;
use std::path::{Path, PathBuf};

use broadside_puzzle::{Puzzle, ReadError, split};
use broadside_rules::Fleet;

use crate::exit::Failure;
use crate::files;
use crate::options::notation;

/// Where the puzzles are.
#[derive(clap::Args)]
pub(super) struct PuzzleOptions {
    /// File with puzzles, blank lines between them; ‘-’ or none for standard input
    #[arg(value_name = "FILE", conflicts_with = "puzzle")]
    file: Option<PathBuf>,
    /// A puzzle on one line: fleet, counts of the rows, counts of the columns, revealed cells
    #[arg(long, value_name = "TEXT")]
    puzzle: Option<String>,
    /// Lengths of the ships, such as 4,3,3,2,2,2,1,1,1,1; overrules what the puzzle says
    #[arg(long, value_name = "LENGTHS", value_parser = notation::<Fleet>)]
    fleet: Option<Fleet>,
    /// How many guesses to make before giving up
    #[arg(long, value_name = "N", default_value_t = Puzzle::ENOUGH)]
    pub(super) guesses: u64,
}

pub(super) const FORMATS: &str = "\
A puzzle is a picture, a line for each row with a mark for each cell and the count of the row,
then a line with the counts of the columns, and perhaps ‘fleet 4,3,2,1’ before it:
  .  nothing revealed    ~  water    o  a ship of one cell    m  the middle of a ship
  ^ v < >  the upper, lower, left or right end of a ship      x  a ship
Or it is one line, such as ‘2,1 2,0,1 1,1,1 C3o’, with ? for a count that isn't told. The text
formats of problem 14 of CSPLib and of two universities' courses (digits and a grid; lines with
ROW, COLUMN and HINT) are understood too. Without a fleet, boards of 10x10 have 4,3,3,2,2,2,1,1,1,1.";

/// Files longer than this, in bytes, are refused: a thousand of the largest puzzles.
const MAX: u64 = 1 << 20;

/// The puzzles can't be read.
#[derive(Debug, thiserror::Error)]
enum InputError {
    #[error("can't read {name}")]
    Open { name: String, source: io::Error },
    #[error("{name} is longer than {MAX} bytes: give a file with fewer puzzles")]
    Long { name: String },
    #[error("the puzzle can't be read")]
    Puzzle(#[from] ReadError),
    #[error("the puzzle at line {line} of {name} can't be read")]
    InFile { line: usize, name: String, source: ReadError },
}

impl PuzzleOptions {
    /// All puzzles, at least one.
    pub(super) fn read_all(&self) -> Result<Vec<Puzzle>, Failure> {
        self.puzzles().map_err(Failure::bad_request)
    }

    fn puzzles(&self) -> Result<Vec<Puzzle>, InputError> {
        if let Some(text) = &self.puzzle {
            return Ok(vec![Puzzle::read(text, self.fleet.clone())?]);
        }
        let path = self.file.as_deref().unwrap_or(Path::new("-"));
        let name = files::name(path);
        let text = files::read_text(path, MAX).map_err(|source| InputError::Open { name: name.clone(), source })?;
        if text.len() as u64 > MAX {
            return Err(InputError::Long { name });
        }
        let puzzles = split(&text);
        if puzzles.is_empty() {
            return Err(InputError::Puzzle(ReadError::Empty));
        }
        let read = |(line, text): (usize, String)| {
            Puzzle::read(&text, self.fleet.clone()).map_err(|source| InputError::InFile { line, name: name.clone(), source })
        };
        puzzles.into_iter().map(read).collect()
    }
}
