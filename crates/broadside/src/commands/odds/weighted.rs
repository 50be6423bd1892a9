//! Odds against an opponent with habits.

use std::io::{self, Write};

use broadside_lab::draw::Board;
use broadside_lab::generator;
use broadside_odds::{Budget, OutOfReach, PlacementWeights, Transfer, WeightedOdds};
use broadside_rules::{Cell, ShotLog};
use serde::Serialize;

use super::{LINES, names, ships_left};
use crate::draw::heat_map;
use crate::exit::{Failure, Outcome};
use crate::options::Format;
use crate::picture::Picture;
use crate::{output, progress};

/// There are no odds.
#[derive(Debug, thiserror::Error)]
enum WeightedError {
    #[error("the weighted odds can't be counted: allow a larger --budget, or leave out --weights for an estimate")]
    OutOfReach(#[from] OutOfReach),
    #[error("no layout that the weights allow fits the log: check the shots, or the placements of weight 0")]
    Impossible,
}

/// Draws for an estimate, and their seed.
const DRAWS: usize = 20_000;
const SEED: u64 = 1;

/// The odds as JSON has them. Weights are no whole numbers, so they are written as numbers.
#[derive(Serialize)]
struct WeightedJson {
    weight: f64,
    odds: Vec<Vec<f64>>,
    best: Vec<String>,
    exact: bool,
    weighted: bool,
    /// The standard error of each chance, if they are estimates.
    #[serde(skip_serializing_if = "Option::is_none")]
    odds_std_err: Option<Vec<Vec<f64>>>,
}

pub(super) fn print(
    log: &ShotLog,
    weights: &PlacementWeights,
    budget: Budget,
    picture: Option<Picture>,
    format: Format,
) -> Result<Outcome, Failure> {
    let spinner = progress::spinner("weighing".to_owned());
    let counts = Transfer::new(budget).weighted_odds(log, weights, &mut generator(SEED, 0), DRAWS);
    spinner.finish_and_clear();
    let counts = counts.map_err(|error| Failure::no_answer(WeightedError::from(error)))?;
    if counts.layouts() <= 0.0 {
        return Err(Failure::no_answer(WeightedError::Impossible));
    }
    if let Some(picture) = picture {
        let caption = "against an opponent with habits";
        picture.write(&Board::from_log(log).with_caption(caption).with_chances(|cell| counts.chance(cell)))?;
    }
    output::print(format, |out| write_text(out, log, &counts), || json(log, &counts))
}

/// How rough an estimate is.
fn roughness(log: &ShotLog, counts: &WeightedOdds) -> String {
    let worst = log.rules().grid().cells().map(|cell| counts.std_err(cell)).fold(0.0, f64::max);
    format!("an estimate from {DRAWS} draws, since ships that touch count: each chance to ± {:.2} % at most", worst * 100.0)
}

/// The cells not fired at, the likeliest first.
fn open(log: &ShotLog, counts: &WeightedOdds) -> Vec<Cell> {
    let mut open: Vec<Cell> = log.rules().grid().cells().filter(|&cell| !log.fired().contains(cell)).collect();
    open.sort_by(|&a, &b| counts.chance(b).total_cmp(&counts.chance(a)));
    open
}

fn json(log: &ShotLog, counts: &WeightedOdds) -> WeightedJson {
    let odds: Vec<f64> = log.rules().grid().cells().map(|cell| counts.chance(cell)).collect();
    let best = if log.is_over() { Vec::new() } else { counts.best(log.fired()) };
    let best = best.iter().map(Cell::to_string).collect();
    let odds = odds.chunks(log.rules().grid().cols()).map(<[f64]>::to_vec).collect();
    let std_err: Vec<f64> = log.rules().grid().cells().map(|cell| counts.std_err(cell)).collect();
    let odds_std_err = (!counts.is_exact()).then(|| std_err.chunks(log.rules().grid().cols()).map(<[f64]>::to_vec).collect());
    WeightedJson { weight: counts.layouts(), odds, best, exact: counts.is_exact(), weighted: true, odds_std_err }
}

fn write_text(out: &mut dyn Write, log: &ShotLog, counts: &WeightedOdds) -> io::Result<()> {
    let how = if counts.is_exact() { "exact, by transfer".to_owned() } else { roughness(log, counts) };
    writeln!(out, "odds against an opponent with habits ({how})")?;
    writeln!(out, "{}\n", ships_left(log))?;
    heat_map(out, log, |cell| counts.chance(cell))?;
    if log.is_over() {
        return writeln!(out, "\nAll ships are sunk: the game is over.");
    }
    writeln!(out, "\nBest shots")?;
    let open = open(log, counts);
    let shown = |cell: Cell| format!("{:.2}", counts.chance(cell) * 100.0);
    let mut tied = open.chunk_by(|&a, &b| shown(a) == shown(b)).take(LINES);
    tied.try_for_each(|tied| writeln!(out, "  {:>6} %  {}", shown(tied[0]), names(tied)))
}
