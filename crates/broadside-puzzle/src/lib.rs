#![doc = include_str!("../README.md")]

mod board;
mod deduce;
mod explain;
mod generate;
mod json;
mod line;
mod mark;
mod puzzle;
mod solve;
mod svg;
mod text;

pub use deduce::{Contradiction, Deduction, Grade, Reason, Technique};
pub use explain::{Explanation, Hint};
pub use generate::{GenerateError, Generator, NewPuzzle};
pub use json::HintTable;
pub use line::Line;
pub use mark::Mark;
pub use puzzle::{Puzzle, PuzzleError};
pub use solve::{OutOfReach, Verdict};
pub use svg::{PrintedPuzzle, page};
pub use text::{LineProblem, ReadError, split};
