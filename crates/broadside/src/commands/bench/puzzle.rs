//! `broadside bench puzzle`: how many puzzles of each size and grade are made in a minute.

use std::io::{self, Write};
use std::time::Instant;

use broadside_captains::GameRng;
use broadside_puzzle::{Generator, Grade, Puzzle, Verdict};
use broadside_rules::{Call, Cell, Fleet, Grid, RejectionSampler, Rules, Touch};
use rand::seq::SliceRandom;
use serde::Serialize;

use super::measure::processor_time;
use crate::exit::Failure;
use crate::options::{notation, word};

/// Time making puzzles of each size and grade, and check every one of them
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Sizes of the boards
    #[arg(long, value_name = "ROWSxCOLUMNS", num_args = 1.., value_parser = notation::<Grid>,
        default_values = ["6x6", "8x8", "10x10", "12x12", "15x15"])]
    board: Vec<Grid>,
    /// Grades; by default all of them
    #[arg(long, value_name = "GRADE", num_args = 1.., ignore_case = true, value_parser = word(Grade::ALL, Grade::word))]
    grade: Vec<Grade>,
    /// Seconds of processor time for each size and grade
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    seconds: f64,
    /// Seed of the puzzles
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many puzzles a minute it must be; with fewer the exit status is 1
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    at_least: u64,
}

const EXAMPLES: &str = "\
Examples:
  broadside bench puzzle
  broadside bench puzzle --board 15x15 --grade easy --seconds 10
  broadside bench puzzle --seconds 0.2 --format json

‘a minute’ is puzzles in a minute of two cores, by the processor time of one thread, which other work on the machine disturbs \
least. ‘tried’ is how many layouts it takes for a puzzle. ‘by chance’ is the baseline: random layouts, cells revealed at \
random until there is one solution, superfluous ones left out, and the puzzle kept if it is of the grade; it has a quarter of the time. \
Every puzzle is solved again: it must have one solution, be of its grade, and have several solutions without any one of its \
revealed cells.";

/// The table counts a minute of so many cores.
const CORES: f64 = 2.0;
/// Layouts that are tried before the clock is looked at.
const ATTEMPTS: u64 = 8;
/// Guesses of the baseline, which gives up puzzles that take more.
const GUESSES: u64 = 100;

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.01..=600.0).contains(seconds));
    seconds.ok_or_else(|| "give 0.01 to 600 seconds".to_owned())
}

/// What was measured.
#[derive(Serialize)]
pub(super) struct Table {
    seconds: f64,
    seed: u64,
    at_least: u64,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    board: String,
    grade: &'static str,
    /// Puzzles that were made and checked.
    puzzles: usize,
    /// Puzzles in a minute of two cores.
    a_minute: f64,
    /// Revealed cells of a puzzle, on average.
    revealed: Option<f64>,
    /// Layouts for a puzzle, on average.
    tried: Option<f64>,
    /// Puzzles of the baseline in a minute of two cores.
    by_chance: f64,
    /// How many times as many puzzles as by chance, if there were any.
    ratio: Option<f64>,
}

impl Table {
    /// Whether enough puzzles of every size and grade were made.
    pub(super) fn holds(&self) -> bool {
        self.rows.iter().all(|row| row.a_minute >= self.at_least as f64)
    }
}

/// A puzzle isn't what it should be.
#[derive(Debug, thiserror::Error)]
#[error("the puzzle ‘{puzzle}’ {fault}")]
struct WrongPuzzle {
    puzzle: Puzzle,
    fault: String,
}

pub(super) fn measure(args: &Args) -> Result<Table, Failure> {
    let grades = if args.grade.is_empty() { Grade::ALL } else { &args.grade };
    let mut rows = Vec::new();
    for &board in &args.board {
        for &grade in grades {
            rows.push(measure_one(args, board, grade)?);
        }
    }
    Ok(Table { seconds: args.seconds, seed: args.seed, at_least: args.at_least, rows })
}

fn measure_one(args: &Args, board: Grid, grade: Grade) -> Result<Row, Failure> {
    let mut generator = Generator::new(board, None, grade).map_err(Failure::bad_request)?;
    let mut rng = broadside_lab::generator(args.seed, 0);
    let mut fleet = None;
    let made = make(args.seconds, || generator.generate(1, &mut rng).map(|made| made.puzzle));
    for puzzle in &made.puzzles {
        check(puzzle, grade).map_err(|fault| Failure::no_answer(WrongPuzzle { puzzle: puzzle.clone(), fault }))?;
        fleet = Some(puzzle.fleet());
    }
    let number = made.puzzles.len();
    let by_chance = fleet.map_or(0.0, |fleet| measure_chance(args, board, fleet, grade));
    let revealed: usize = made.puzzles.iter().map(|puzzle| puzzle.revealed().count()).sum();
    let average = |sum: f64| (number > 0).then(|| sum / number as f64);
    Ok(Row {
        board: board.to_string(),
        grade: grade.word(),
        puzzles: number,
        a_minute: made.a_minute(),
        revealed: average(revealed as f64),
        tried: average(made.tried as f64),
        by_chance,
        ratio: (by_chance > 0.0).then(|| made.a_minute() / by_chance),
    })
}

/// What came of trying for some time.
struct Made {
    puzzles: Vec<Puzzle>,
    tried: u64,
    seconds: f64,
}

impl Made {
    fn a_minute(&self) -> f64 {
        self.puzzles.len() as f64 * 60.0 * CORES / self.seconds
    }
}

/// Tries again and again for so many seconds of processor time.
fn make(seconds: f64, mut attempt: impl FnMut() -> Option<Puzzle>) -> Made {
    let (clock, from) = (Instant::now(), processor_time());
    let elapsed = || processor_time().zip(from).map_or_else(|| clock.elapsed().as_secs_f64(), |(now, from)| now - from);
    let (mut puzzles, mut tried) = (Vec::new(), 0);
    loop {
        puzzles.extend((0..ATTEMPTS).filter_map(|_| attempt()));
        tried += ATTEMPTS;
        let passed = elapsed();
        if passed >= seconds {
            return Made { puzzles, tried, seconds: passed };
        }
    }
}

/// One solution, the grade, and no revealed cell that could be left out; otherwise what is wrong.
fn check(puzzle: &Puzzle, grade: Grade) -> Result<(), String> {
    let is_unique = |puzzle: &Puzzle| match puzzle.solve(Puzzle::ENOUGH) {
        Ok(verdict) => Ok(matches!(verdict, Verdict::Unique(_))),
        Err(error) => Err(error.to_string()),
    };
    if !is_unique(puzzle)? {
        return Err("doesn't have one solution".to_owned());
    }
    if puzzle.grade() != Some(grade) {
        return Err(format!("isn't {grade}"));
    }
    for (cell, _) in puzzle.revealed() {
        if is_unique(&puzzle.without(cell))? {
            return Err(format!("doesn't need {cell}"));
        }
    }
    Ok(())
}

/// Puzzles of the baseline in a minute of two cores.
fn measure_chance(args: &Args, board: Grid, fleet: &Fleet, grade: Grade) -> f64 {
    let rules = Rules::new(board, fleet.clone(), Touch::Never, Call::Ship).expect("a fleet that fits");
    let mut sampler = RejectionSampler::new(&rules);
    let mut rng = broadside_lab::generator(args.seed, 1);
    make(args.seconds / 4.0, || by_chance(&mut sampler, grade, &mut rng)).a_minute()
}

/// Reveals cells of a random layout at random until there is one solution, and leaves out those that are superfluous.
fn by_chance(sampler: &mut RejectionSampler, grade: Grade, rng: &mut GameRng) -> Option<Puzzle> {
    let layout = sampler.sequential(1_000, rng)?;
    let mut cells: Vec<Cell> = layout.grid().cells().collect();
    cells.shuffle(rng);
    let with = |cells: &[Cell]| Puzzle::from_layout(&layout, cells.iter().copied()).expect("cells of the board, each once");
    let is_unique = |puzzle: &Puzzle| matches!(puzzle.solve(GUESSES), Ok(Verdict::Unique(_)));
    let numbers: Vec<usize> = (0..=cells.len()).collect();
    let enough = numbers.partition_point(|&number| !is_unique(&with(&cells[..number])));
    let needed = cells[..enough].iter().fold(with(&cells[..enough]), |puzzle, &cell| {
        let fewer = puzzle.without(cell);
        if is_unique(&fewer) { fewer } else { puzzle }
    });
    check(&needed, grade).is_ok().then_some(needed)
}

impl super::Table for Table {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "Puzzles in a minute of two cores, {} s of processor time each, seed {}\n", self.seconds, self.seed)?;
        writeln!(out, "board  grade   puzzles  a minute  revealed   tried  by chance   ratio")?;
        let number = |number: Option<f64>| number.map_or_else(|| "–".to_owned(), |number| format!("{number:.1}"));
        for row in &self.rows {
            writeln!(
                out,
                "{:<6} {:<7} {:>7} {:>9.0} {:>9} {:>7} {:>10.0} {:>7}",
                row.board,
                row.grade,
                row.puzzles,
                row.a_minute,
                number(row.revealed),
                number(row.tried),
                row.by_chance,
                number(row.ratio)
            )?;
        }
        writeln!(out, "\nall have one solution, their grade, and no superfluous revealed cell")?;
        let below = self.rows.iter().filter(|row| row.a_minute < self.at_least as f64).count();
        match below {
            0 => writeln!(out, "every size and grade comes to {} a minute", self.at_least),
            below => writeln!(out, "{below} of {} come to fewer than {} a minute", self.rows.len(), self.at_least),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(puzzle: &str, grade: Grade) -> String {
        check(&puzzle.parse().unwrap(), grade).unwrap_err()
    }

    #[test]
    fn what_is_wrong_with_a_puzzle_is_told() {
        assert_eq!(check(&"2,1 2,0,1 2,1,0".parse().unwrap(), Grade::Easy), Ok(()));
        assert_eq!(fault("1 ?,? ?,?", Grade::Easy), "doesn't have one solution");
        assert_eq!(fault("2,1 2,0,1 2,1,0", Grade::Hard), "isn't hard");
        assert_eq!(fault("2,1 2,0,1 2,1,0 A1<", Grade::Easy), "doesn't need A1");
    }
}
