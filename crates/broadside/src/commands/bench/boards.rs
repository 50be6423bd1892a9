//! Boards where ships keep apart, the review of a game, and estimates, for `broadside bench odds`.

use std::io::{self, Write};

use broadside_captains::GameRng;
use broadside_lab::Review;
use broadside_odds::{BatchTransfer, Budget, Dealer, EstimatedCounts, Transfer, baseline, estimate};
use broadside_rules::{Preset, Referee, Rules, ShotLog};
use rand::SeedableRng;
use serde::Serialize;

use super::measure::{median, micros, timed};

/// The same fleet where ships may touch by corners only, and not at all.
const APART: [&str; 2] = ["10x10 5,4,3,3,2 corners ship", "10x10 5,4,3,3,2 never ship"];
/// Boards out of reach of exact odds within the default budget.
const ESTIMATED: [&str; 2] = ["15x15 5,5,4,4,4,3,3,3,3,2,2,2,2,2 allowed ship", "20x20 5,5,4,4,3,3,3,2,2,2 never ship"];
/// Draws for each estimate.
const DRAWS: u64 = 1000;
/// Shots of the game that is reviewed.
const REVIEWED: usize = 45;
/// Shots after which the russian board is counted.
const SHOTS: [usize; 5] = [1, 5, 10, 20, 30];
/// Games of the russian board.
const GAMES: u64 = 9;

/// Exact odds of positions, median.
#[derive(Serialize)]
struct Position {
    name: String,
    logs: usize,
    transfer_us: f64,
}

/// Two estimates from the same draws.
#[derive(Serialize)]
struct Estimated {
    rules: &'static str,
    draws: u64,
    /// The root of the mean square of the cells' errors, from the cells under the ships.
    plain_error: f64,
    /// The same from all the places that each ship could have.
    error: f64,
    /// How many times as many draws the plain way needs for the same error.
    fewer_draws: f64,
    /// How many times as long a draw takes.
    time_of_a_draw: f64,
}

/// The rows.
#[derive(Serialize)]
pub(super) struct Rows {
    positions: Vec<Position>,
    review_shots: usize,
    review_us: f64,
    /// The odds at all shots of the same game, on all threads.
    together_us: f64,
    threads: usize,
    estimates: Vec<Estimated>,
}

/// Measures all; the russian board only if it is asked for.
pub(super) fn rows(quick: bool) -> Rows {
    let mut engine = Transfer::new(Budget::default());
    let mut positions: Vec<Position> = APART.iter().map(|rules| empty(rules, &mut engine)).collect();
    if !quick {
        positions.extend(russian(&mut engine));
    }
    let log = game_of(REVIEWED);
    let review_us = micros(median((0..11).map(|_| timed(|| review(&log)).0)));
    let (together_us, threads) = (together_us(&log), rayon::current_num_threads());
    Rows { positions, review_shots: log.len(), review_us, together_us, threads, estimates: ESTIMATED.map(estimated).into() }
}

/// The time of the odds at all shots of a game, on all threads.
fn together_us(log: &ShotLog) -> f64 {
    let logs: Vec<ShotLog> = (0..log.len()).map(|shots| log.seen_after(shots)).collect();
    let (mut engine, mut engines) = (Transfer::new(Budget::default()), BatchTransfer::new(Budget::default()));
    let one_by_one: Vec<_> = logs.iter().map(|log| engine.count(log)).collect();
    let mut together = || {
        let (time, counts) = timed(|| engines.count(&logs));
        assert_eq!(counts, one_by_one, "many at once and one by one agree");
        time
    };
    micros(median((0..11).map(|_| together())))
}

fn empty(rules: &str, engine: &mut Transfer) -> Position {
    let log = ShotLog::new(&rules.parse::<Rules>().expect("rules"));
    position(format!("empty {rules}"), &[log], engine)
}

fn position(name: String, logs: &[ShotLog], engine: &mut Transfer) -> Position {
    let mut count = |log: &ShotLog| timed(|| engine.count(log).expect("in reach")).0;
    let times: Vec<_> = logs.iter().map(|log| median((0..3).map(|_| count(log)))).collect();
    Position { name, logs: logs.len(), transfer_us: micros(median(times.into_iter())) }
}

/// The russian board along games of `density`.
fn russian(engine: &mut Transfer) -> Vec<Position> {
    let rules = Preset::Russian.rules();
    let games: Vec<ShotLog> = (0..GAMES).map(|seed| game(&rules, seed)).collect();
    let after = |shots: usize| -> Vec<ShotLog> {
        let begun = games.iter().filter(|game| game.len() > shots);
        begun.map(|game| ShotLog::from_shots(&rules, game.shots()[..shots].iter().copied()).expect("a log's beginning")).collect()
    };
    SHOTS.iter().map(|&shots| position(format!("russian after {shots} shots"), &after(shots), engine)).collect()
}

/// A game of `density`.
fn game(rules: &Rules, seed: u64) -> ShotLog {
    let mut rng = GameRng::seed_from_u64(seed);
    let layout = Dealer::new(rules).uniform(&mut rng).expect("the presets can be dealt");
    let mut captain = broadside_captains::captain("density", rules).expect("a captain of the list");
    let mut referee = Referee::new(rules, layout);
    while !referee.is_over() {
        let cell = captain.aim(referee.log(), &mut rng);
        referee.fire(cell).expect("captains fire at new cells");
    }
    referee.log().clone()
}

/// A classic game that took so many shots.
fn game_of(shots: usize) -> ShotLog {
    let rules = Preset::Classic.rules();
    (0..10_000).map(|seed| game(&rules, seed)).find(|game| game.len() == shots).expect("some game is as long")
}

fn review(log: &ShotLog) -> Review {
    let review = Review::new(log, Budget::default(), &mut GameRng::seed_from_u64(1), |_| {}).expect("a referee answered");
    assert!(review.shots.iter().all(|shot| shot.exact), "all odds of a classic game are exact");
    review
}

fn estimated(text: &'static str) -> Estimated {
    let log = ShotLog::new(&text.parse::<Rules>().expect("rules"));
    let rng = GameRng::seed_from_u64(1);
    let (plain_time, plain) = timed(|| baseline::plain_estimate(&log, DRAWS, &mut rng.clone()).expect("a roomy board"));
    let (time, better) = timed(|| estimate(&log, DRAWS, &mut rng.clone()).expect("a roomy board"));
    let (plain_error, error) = (mean_error(&plain), mean_error(&better));
    let fewer_draws = (plain_error / error).powi(2);
    let time_of_a_draw = time.as_secs_f64() / plain_time.as_secs_f64();
    Estimated { rules: text, draws: DRAWS, plain_error, error, fewer_draws, time_of_a_draw }
}

/// The root of the mean square of the cells' errors.
fn mean_error(estimated: &EstimatedCounts) -> f64 {
    let squares: f64 = estimated.grid().cells().map(|cell| estimated.chance(cell).std_err.powi(2)).sum();
    (squares / estimated.grid().len() as f64).sqrt()
}

/// Writes the rows.
pub(super) fn write_text(out: &mut dyn Write, rows: &Rows) -> io::Result<()> {
    writeln!(out, "\nships that keep apart, all marginals; ms, median over the logs\n")?;
    for row in &rows.positions {
        writeln!(out, "{:<40} {:>5} {:>10.2}", row.name, row.logs, row.transfer_us / 1e3)?;
    }
    writeln!(
        out,
        "\nreview of a classic game of {} shots, exact odds at each: {:.2} ms; the odds on {} threads at once {:.2} ms",
        rows.review_shots,
        rows.review_us / 1e3,
        rows.threads,
        rows.together_us / 1e3
    )?;
    writeln!(out, "\nestimates from the same draws: mean error of a cell from the cells under the ships, and from all places\n")?;
    for row in &rows.estimates {
        let (plain, error) = (100.0 * row.plain_error, 100.0 * row.error);
        writeln!(out, "{}, {} draws: {plain:.3}% and {error:.3}%;", row.rules, row.draws)?;
        writeln!(out, "  {:.1} times fewer draws, each {:.1} times as long", row.fewer_draws, row.time_of_a_draw)?;
    }
    Ok(())
}
