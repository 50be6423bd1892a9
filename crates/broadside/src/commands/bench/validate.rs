//! `broadside bench validate`: table 2 of the paper on checking a hidden board, with a third method beside its two.
//!
//! The paper gives milliseconds for fifteen runs over nine boards. A pass over nine boards takes microseconds now, so a
//! run repeats it and the table shows the time of one pass.

use std::hint::black_box;
use std::io::{self, Write};

use broadside_lab::report::{INVALID_BOARDS, VALID_BOARDS, ValidationTimes};
use broadside_rules::{Picture, Rules, baseline};
use serde::Serialize;

use super::measure::timed;
use crate::exit::Failure;

/// Time two published ways to check a board beside the default one
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// How many runs, each a row of the table
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,
    /// How many times a run checks the nine boards
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    repetitions: u32,
}

const EXAMPLES: &str = "\
Examples:
  broadside bench validate
  broadside bench validate --runs 5 --repetitions 100000
  broadside bench validate --format json

Nine boards of the fleet 4,3,3,2,2,2,1,1,1,1 on 10x10, four of them valid, are checked by ‘brute force’ (every square \
for every length), by ‘skip’ (passing over squares of ships already counted) and by the default method. Every answer \
is compared with the known one.";

/// Passes over the boards before the next method has its turn: a few milliseconds at most.
const TURN: u32 = 500;

/// A way to check a board.
struct Method {
    name: &'static str,
    check: fn(&Picture, &Rules) -> bool,
}

/// The baseline first.
const METHODS: [Method; 3] = [
    Method { name: "brute force", check: |picture, _| baseline::brute_force(picture) },
    Method { name: "skip", check: |picture, _| baseline::skip(picture) },
    Method { name: "default", check: Picture::is_legal },
];

/// What was measured.
#[derive(Serialize)]
pub(super) struct Table {
    boards: usize,
    repetitions: u32,
    methods: Vec<Column>,
}

/// The times of one method, in nanoseconds for one pass over all boards.
#[derive(Serialize)]
struct Column {
    method: &'static str,
    runs: Vec<f64>,
    mean: f64,
    sd: f64,
    fastest: f64,
    /// How many times as fast as the first method, by the means.
    ratio: f64,
    /// The same by the fastest runs, on which other work of the machine weighs least.
    ratio_of_fastest: f64,
}

/// A method gave a wrong answer.
#[derive(Debug, thiserror::Error)]
#[error("the method ‘{method}’ is wrong about board {number} of the nine")]
struct WrongAnswer {
    method: &'static str,
    number: usize,
}

pub(super) fn measure(args: &Args) -> Result<Table, Failure> {
    time_methods(args.runs, args.repetitions)
}

/// The times of all runs, once every method has been found right.
fn time_methods(runs: u32, repetitions: u32) -> Result<Table, Failure> {
    let (cases, rules) = (cases(), baseline::rules());
    compare_with_known(&cases, &rules).map_err(Failure::no_answer)?;
    Ok(time_runs(&cases, &rules, runs, repetitions))
}

/// The same for a report.
pub(crate) fn checking(runs: u32, repetitions: u32) -> Result<ValidationTimes, Failure> {
    let table = time_methods(runs, repetitions)?;
    let seconds = |method: usize| table.methods[method].runs.iter().map(|nanoseconds| nanoseconds / 1e9).collect();
    Ok(ValidationTimes { brute: seconds(0), skip: seconds(1), fast_check: seconds(2) })
}

/// The nine boards with their known answers.
fn cases() -> Vec<(Picture, bool)> {
    let pictures = |text: &'static str, valid| {
        text.split("\n\n").map(move |picture| (picture.parse().expect("a picture of the test data"), valid))
    };
    pictures(VALID_BOARDS, true).chain(pictures(INVALID_BOARDS, false)).collect()
}

fn compare_with_known(cases: &[(Picture, bool)], rules: &Rules) -> Result<(), WrongAnswer> {
    for Method { name, check } in &METHODS {
        if let Some(wrong) = cases.iter().position(|(picture, valid)| check(picture, rules) != *valid) {
            return Err(WrongAnswer { method: name, number: wrong + 1 });
        }
    }
    Ok(())
}

fn time_runs(cases: &[(Picture, bool)], rules: &Rules, runs: u32, repetitions: u32) -> Table {
    let mut times = METHODS.map(|_| Vec::new());
    for _ in 0..runs {
        let totals = time_of_a_run(cases, rules, repetitions);
        times.iter_mut().zip(totals).for_each(|(times, total)| times.push(total * 1e9 / f64::from(repetitions)));
    }
    let baseline = times[0].clone();
    let column = |(method, runs): (&Method, Vec<f64>)| Column {
        method: method.name,
        mean: mean(&runs),
        sd: deviation(&runs),
        fastest: fastest(&runs),
        ratio: mean(&baseline) / mean(&runs),
        ratio_of_fastest: fastest(&baseline) / fastest(&runs),
        runs,
    };
    Table { boards: cases.len(), repetitions, methods: METHODS.iter().zip(times).map(column).collect() }
}

/// Seconds that each method takes for all repetitions. The methods take turns at short intervals, so that a slow moment
/// of the machine falls on all of them.
fn time_of_a_run(cases: &[(Picture, bool)], rules: &Rules, repetitions: u32) -> [f64; METHODS.len()] {
    let mut totals = [0.0; METHODS.len()];
    let mut left = repetitions;
    while left > 0 {
        let turn = left.min(TURN);
        for (method, total) in METHODS.iter().zip(&mut totals) {
            *total += time_of_a_turn(method, cases, rules, turn);
        }
        left -= turn;
    }
    totals
}

/// Seconds for some passes over all boards.
fn time_of_a_turn(method: &Method, cases: &[(Picture, bool)], rules: &Rules, passes: u32) -> f64 {
    let valid_boards = || cases.iter().filter(|(picture, _)| (method.check)(black_box(picture), black_box(rules))).count();
    let (time, valid) = timed(|| (0..passes).map(|_| valid_boards()).sum::<usize>());
    let known = cases.iter().filter(|(_, valid)| *valid).count();
    assert_eq!(valid, known * passes as usize, "{} gives the same answers every time", method.name);
    time.as_secs_f64()
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len() as f64
}

fn fastest(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The standard deviation of the sample; 0 for a single run.
fn deviation(times: &[f64]) -> f64 {
    let mean = mean(times);
    let squares: f64 = times.iter().map(|time| (time - mean).powi(2)).sum();
    (squares / (times.len() - 1).max(1) as f64).sqrt()
}

impl super::Table for Table {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "Microseconds to check {} boards (each run: {} repetitions)\n", self.boards, self.repetitions)?;
        let mut row = |head: &str, cell: &dyn Fn(&Column) -> String| {
            write!(out, "{head:>7}")?;
            self.methods.iter().try_for_each(|column| write!(out, "  {:>11}", cell(column)))?;
            writeln!(out)
        };
        let microseconds = |nanoseconds: f64| format!("{:.3}", nanoseconds / 1000.0);
        row("run", &|column| column.method.to_owned())?;
        for run in 0..self.methods[0].runs.len() {
            row(&(run + 1).to_string(), &|column| microseconds(column.runs[run]))?;
        }
        row("average", &|column| microseconds(column.mean))?;
        row("± sd", &|column| microseconds(column.sd))?;
        row("ratio", &|column| format!("{:.1}x", column.ratio))?;
        row("fastest", &|column| microseconds(column.fastest))?;
        row("ratio", &|column| format!("{:.1}x", column.ratio_of_fastest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_nine_boards_and_every_method_knows_them() {
        assert_eq!(cases().len(), 9);
        assert!(compare_with_known(&cases(), &baseline::rules()).is_ok());
    }

    #[test]
    fn a_wrong_answer_is_named() {
        let mut cases = cases();
        cases[5].1 = true;
        let wrong = compare_with_known(&cases, &baseline::rules()).unwrap_err();
        assert_eq!(wrong.to_string(), "the method ‘brute force’ is wrong about board 6 of the nine");
    }

    #[test]
    fn the_spread_is_that_of_a_sample() {
        assert!((deviation(&[1.0, 2.0, 3.0, 4.0]) - (5.0f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!(deviation(&[7.0]).abs() < 1e-12);
    }
}
