//! `broadside puzzle new`.

use std::io::{self, Write};
use std::time::Instant;

use broadside_puzzle::{Generator, Grade, NewPuzzle};
use broadside_rules::{Fleet, Grid};
use rayon::prelude::*;
use serde::Serialize;

use crate::exit::{Failure, Outcome};
use crate::options::{Format, FormatOption, notation, random_seed, word};
use crate::output;

/// Make new puzzles, each with one solution and no revealed cell too many
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// How many puzzles
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    number: u64,
    /// How hard they are
    #[arg(long, value_name = "GRADE", default_value = "medium", ignore_case = true, value_parser = word(Grade::ALL, Grade::word))]
    grade: Grade,
    /// Size of the board; each side 6 to 15
    #[arg(long, value_name = "ROWSxCOLUMNS", default_value = "10x10", value_parser = notation::<Grid>)]
    board: Grid,
    /// Lengths of the ships; without them, those that are customary for the size
    #[arg(long, value_name = "LENGTHS", value_parser = notation::<Fleet>)]
    fleet: Option<Fleet>,
    /// Seed of the puzzles; without it one is chosen at random and printed to standard error
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How many boards to try for a puzzle before giving up
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    attempts: u32,
    /// How a puzzle is written
    #[arg(long = "as", value_name = "FORM", default_value = "picture", value_enum)]
    form: Form,
    /// Say to standard error how long it took
    #[arg(long)]
    time: bool,
    #[command(flatten)]
    format: FormatOption,
}

const EXAMPLES: &str = "\
Examples:
  broadside puzzle new                                  one of medium difficulty on 10x10
  broadside puzzle new --board 6x6 --grade easy
  broadside puzzle new -n 100 --seed 7 --grade expert --as line > puzzles.txt
  broadside puzzle new -n 1000 --seed 7 --time --format json

Grades, by the deductions that a person needs:
  easy     counting along rows and columns, water around what is known
  medium   where a single ship ends, goes on or has no room
  hard     the only place for the longest ship, what all ways to fill a row share
  expert   one step of ‘what if’: a cell's opposite leads to a contradiction
Without any one of its revealed cells a puzzle would have several solutions. Puzzle i depends on
the seed and on i only: a larger -n continues the same sequence.";

/// How a puzzle is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// The fleet, a line for each row, and the counts of the columns, with a blank line between puzzles
    Picture,
    /// One line
    Line,
}

/// No such puzzle came up.
#[derive(Debug, thiserror::Error)]
#[error("no {grade} puzzle came up in {attempts} attempts: choose another --grade, --board or --fleet, or more --attempts")]
struct NoneError {
    grade: Grade,
    attempts: u32,
}

#[derive(Serialize)]
struct Made {
    puzzle: String,
    grade: &'static str,
    solution: String,
}

/// Puzzles that are made before any is written, so that long runs show something early.
const BATCH: u64 = 256;

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let generator = Generator::new(args.board, args.fleet.clone(), args.grade).map_err(Failure::bad_request)?;
    let seed = args.seed.unwrap_or_else(|| random_seed("make"));
    let (mut out, start) = (output::stdout(), Instant::now());
    for first in (0..args.number).step_by(BATCH as usize) {
        let batch: Vec<Option<NewPuzzle>> = (first..args.number.min(first + BATCH))
            .into_par_iter()
            .map_init(
                || generator.clone(),
                |generator, index| generator.generate(args.attempts, &mut broadside_lab::generator(seed, index)),
            )
            .collect();
        for (index, made) in (first..).zip(batch) {
            let made = made.ok_or_else(|| Failure::no_answer(NoneError { grade: args.grade, attempts: args.attempts }))?;
            write(&mut out, args, &made, index)?;
        }
    }
    out.flush()?;
    if args.time {
        print_time(args.number, start);
    }
    Ok(Outcome::Done)
}

fn print_time(number: u64, start: Instant) {
    let seconds = start.elapsed().as_secs_f64();
    anstream::eprintln!("{number} puzzles in {seconds:.2} s: {:.0} a minute", number as f64 * 60.0 / seconds);
}

fn write(out: &mut dyn Write, args: &Args, made: &NewPuzzle, index: u64) -> io::Result<()> {
    if args.format.format == Format::Json {
        let made = Made { puzzle: made.puzzle.to_string(), grade: args.grade.word(), solution: made.solution.to_string() };
        return output::json_line(out, &made);
    }
    match args.form {
        Form::Picture => writeln!(out, "{}{}", if index == 0 { "" } else { "\n" }, made.puzzle.picture()),
        Form::Line => writeln!(out, "{}", made.puzzle),
    }
}
