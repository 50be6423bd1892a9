//! `broadside bench best`: how fast shots to go are found, and how sure they are in a given time.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use broadside_captains::shots_to_go::{Error, Report, Settings, ShotsToGo, Work};
use broadside_captains::{GameRng, Registry, captain};
use broadside_lab::replay::Replay;
use broadside_lab::{CampaignError, ReviewSettings, ShotsReview};
use broadside_odds::{Budget, Transfer};
use broadside_rules::{Cell, Layout, Preset, Referee, Rules, ShotLog, Stop};
use rand::SeedableRng;
use serde::Serialize;

use super::measure::timed;
use crate::exit::Failure;

/// Time shots to go, and tell how sure they are
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Seconds for each position
    #[arg(long, value_name = "S", default_value_t = 2.0, value_parser = seconds)]
    seconds: f64,
    /// Leave out the review
    #[arg(long)]
    no_review: bool,
}

const EXAMPLES: &str = "\
Examples:
  broadside bench best
  broadside bench best --seconds 10 --no-review
  broadside bench best --format json

Four stored positions of the classic board, from five ships left to two. ‘games/s’ are games played on to their end as one tree, \
where games that share their beginning share the thinking; ‘one by one’ are games of the same position played each by itself, on one thread. \
‘asked’ is how often admiral was asked for a shot in a game. ‘difference’ is the standard error of the difference between the two \
leading cells, which are compared most, when the time was up. Both ways must agree on the shots to go. The review is of a game of 45 shots.";

/// Positions of the classic board, by the ships left.
const POSITIONS: [(usize, &str); 4] = [
    (5, "E5- D4- G7- C6-"),
    (4, "E5- D4- G7- C6- B3- H4- F8- E2+ E3#2"),
    (3, "E5- D4- G7- C6- B3- H4- F8- E2+ E3#2 I9- A8- C9+ D9+ B9#3 J3- G2- H6-"),
    (2, "E5- D4- G7- C6- B3- H4- F8- E2+ E3#2 I9- A8- C9+ D9+ B9#3 J3- G2- H6- A2+ A3+ A1+ A4#4"),
];

/// The length of the game that is reviewed.
const REVIEWED: usize = 45;

/// Games played one by one for each millisecond of a position, and at least so many.
const ONE_BY_ONE: (usize, usize) = (2, 100);

/// Means further apart than so many standard errors are different.
const TOLERANCE: f64 = 5.0;

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| (0.01..=600.0).contains(seconds));
    seconds.ok_or_else(|| "give seconds from 0.01 to 600".to_owned())
}

/// What was measured.
#[derive(Serialize)]
pub(super) struct Table {
    threads: usize,
    seconds: f64,
    rows: Vec<Row>,
    review: Option<Review>,
}

/// One position.
#[derive(Serialize)]
struct Row {
    ships_left: usize,
    method: &'static str,
    /// Layouts played on.
    playouts: u64,
    games: u64,
    games_per_s: f64,
    one_by_one_per_s: f64,
    /// How many times as many games a second as one by one on one thread.
    ratio: f64,
    /// How often the captain was asked, for each game.
    asked_a_game: f64,
    shots_to_go: f64,
    std_err: f64,
    /// The standard error of the difference between the two leading cells.
    difference_err: f64,
}

/// A game reviewed in shots.
#[derive(Serialize)]
struct Review {
    shots: usize,
    seconds: f64,
    /// How many shots are judged exactly.
    exact: usize,
    /// The standard errors of the mistakes.
    mean_err: f64,
    largest_err: f64,
}

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
enum BenchError {
    #[error(transparent)]
    ShotsToGo(#[from] Error),
    #[error(transparent)]
    Campaign(#[from] CampaignError),
    #[error(
        "with {ships} ships left, games one by one take {alone:.2} ± {alone_err:.2} shots, and as one tree {tree:.2} ± {tree_err:.2}"
    )]
    Differ { ships: usize, alone: f64, alone_err: f64, tree: f64, tree_err: f64 },
}

pub(super) fn measure(args: &Args) -> Result<Table, Failure> {
    let (rules, threads) = (Preset::Classic.rules(), rayon::current_num_threads());
    let rows = POSITIONS.into_iter().map(|(ships, shots)| row(&rules, ships, shots, args.seconds, threads));
    let rows = rows.collect::<Result<_, _>>().map_err(Failure::no_answer)?;
    let review = if args.no_review { None } else { Some(review(&rules, threads).map_err(Failure::no_answer)?) };
    Ok(Table { threads, seconds: args.seconds, rows, review })
}

fn row(rules: &Rules, ships: usize, shots: &str, seconds: f64, threads: usize) -> Result<Row, BenchError> {
    let log = ShotLog::parse(rules, shots).expect("a log of the classic board");
    let asked = Duration::from_secs_f64(seconds);
    let (time, (report, work)) = refine(&log, asked, threads)?;
    let alone = one_by_one(&log, report.best[0], (asked.as_millis() as usize * ONE_BY_ONE.0).max(ONE_BY_ONE.1))?;
    let tree_err = report.std_err;
    if (alone.mean - report.shots_to_go).abs() > TOLERANCE * alone.std_err.hypot(tree_err) {
        let (alone, alone_err, tree) = (alone.mean, alone.std_err, report.shots_to_go);
        return Err(BenchError::Differ { ships, alone, alone_err, tree, tree_err });
    }
    let games_per_s = work.games as f64 / time.as_secs_f64();
    Ok(Row {
        ships_left: ships,
        method: report.method.word(),
        playouts: report.playouts,
        games: work.games,
        games_per_s,
        one_by_one_per_s: alone.per_s,
        ratio: games_per_s / alone.per_s,
        asked_a_game: work.thoughts as f64 / work.games as f64,
        shots_to_go: report.shots_to_go,
        std_err: report.std_err,
        difference_err: leaders_difference(&report),
    })
}

/// Refines a position for so long, or until there is nothing more to say.
fn refine(log: &ShotLog, time: Duration, threads: usize) -> Result<(Duration, (Report, Work)), Error> {
    let (never, settings) = (Stop::never(), Settings { threads, best_play: false, ..Settings::default() });
    let start = Instant::now();
    let mut shots_to_go = ShotsToGo::new(log, &settings, &never)?;
    while shots_to_go.refine(u64::MAX, &never)? && start.elapsed() < time {}
    let report = shots_to_go.look().expect("something is known after a round");
    Ok((start.elapsed(), (report, shots_to_go.work())))
}

/// The standard error between the best cell and the one that was compared with it most: the others rest most of the time.
fn leaders_difference(report: &Report) -> f64 {
    let others = report.cells.iter().filter(|cell| !report.best.contains(&cell.cell) && !cell.dropped);
    others.map(|cell| cell.loss_std_err).min_by(f64::total_cmp).unwrap_or(0.0)
}

/// Games that share nothing.
struct Alone {
    mean: f64,
    std_err: f64,
    per_s: f64,
}

/// Plays on from a position on so many layouts, one after the other.
fn one_by_one(log: &ShotLog, first: Cell, games: usize) -> Result<Alone, Error> {
    let mut rng = GameRng::seed_from_u64(2);
    let mut sampler = Transfer::new(Budget::default()).sampler(log)?.ok_or(Error::Impossible)?;
    let layouts: Vec<Layout> = (0..games).map(|_| sampler.draw(&mut rng)).collect();
    let mut admiral = captain("admiral", log.rules()).expect("a captain of the roster");
    let mut referee = Referee::new(log.rules(), layouts[0].clone());
    let (time, shots) = timed(|| {
        let play = |layout: Layout| {
            referee.restart(layout);
            log.shots().iter().for_each(|shot| _ = referee.fire(shot.cell));
            _ = referee.fire(first);
            while !referee.is_over() {
                let cell = admiral.aim(referee.log(), &mut rng);
                referee.fire(cell).expect("a captain's shots are legal");
            }
            (referee.log().len() - log.len()) as f64
        };
        layouts.into_iter().map(play).collect::<Vec<f64>>()
    });
    let n = shots.len() as f64;
    let mean = shots.iter().sum::<f64>() / n;
    let variance = shots.iter().map(|shots| (shots - mean).powi(2)).sum::<f64>() / (n - 1.0);
    Ok(Alone { mean, std_err: (variance / n).sqrt(), per_s: n / time.as_secs_f64() })
}

/// Reviews the first game of `density` that has the length.
fn review(rules: &Rules, threads: usize) -> Result<Review, BenchError> {
    let registry = Registry::new();
    let mut game = 0;
    let log = loop {
        let log = Replay::play(&registry, rules, "density", 1, game)?.record().log().clone();
        if log.len() == REVIEWED {
            break log;
        }
        game += 1;
    };
    let settings = ReviewSettings { threads, ..ReviewSettings::default() };
    let (time, review) = timed(|| ShotsReview::new(&log, &settings, &Stop::never(), |_| {}));
    let shots = review?.shots;
    let errors = || shots.iter().map(|shot| shot.std_err);
    Ok(Review {
        shots: shots.len(),
        seconds: time.as_secs_f64(),
        exact: shots.iter().filter(|shot| shot.exact).count(),
        mean_err: errors().sum::<f64>() / shots.len() as f64,
        largest_err: errors().fold(0.0, f64::max),
    })
}

impl super::Table for Table {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "classic board, {} threads, {} s a position\n", self.threads, self.seconds)?;
        writeln!(out, "ships  method   layouts    games  games/s  one by one  ratio  asked      shots to go  difference")?;
        self.rows.iter().try_for_each(|row| write_row(out, row))?;
        let Some(review) = &self.review else { return Ok(()) };
        writeln!(
            out,
            "\nreview of {} shots: {:.2} s; error of a mistake {:.3} on average, {:.3} at most; {} shots exact",
            review.shots, review.seconds, review.mean_err, review.largest_err, review.exact
        )
    }
}

fn write_row(out: &mut dyn Write, row: &Row) -> io::Result<()> {
    writeln!(
        out,
        "{:>5}  {:<7} {:>8} {:>8} {:>8.0} {:>11.0} {:>6.2} {:>6.1} {:>16} {:>11.4}",
        row.ships_left,
        row.method,
        row.playouts,
        row.games,
        row.games_per_s,
        row.one_by_one_per_s,
        row.ratio,
        row.asked_a_game,
        format!("{:.3} ± {:.3}", row.shots_to_go, row.std_err),
        row.difference_err,
    )
}
