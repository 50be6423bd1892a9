//! How often the cell with the highest chance of a hit is not the best one, and what it costs to fire there.
//!
//! Positions are taken from games of `admiral`, every so many shots with a random start, so that each shot of a game has the same
//! chance to be looked at. In each, the likeliest cell (the first in reading order of equals) is compared with the best one by the shots to go.
//! Where these are estimates, the best cell was chosen by other layouts than those that measure the difference: the mean cost
//! is not too large for having looked for a better cell, and it is too small where a better one was missed.

use broadside_captains::shots_to_go::{Error, Report, Settings, ShotsToGo};
use broadside_captains::{captain, shots_to_go::CellReport};
use broadside_odds::Dealer;
use broadside_rules::{Referee, Rules, ShotLog, Stop};
use rand::RngExt;
use rayon::prelude::*;

use crate::{CampaignError, generator};

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LikeliestSettings {
    /// How many games.
    pub games: u64,
    /// One shot in so many is looked at.
    pub one_in: usize,
    /// Layouts played on for one position.
    pub playouts: u64,
    /// What all games and layouts derive from.
    pub seed: u64,
}

/// A part of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Phase {
    /// How many ships are left.
    pub ships: usize,
    /// Whether a ship is hit and afloat.
    pub ship_hit: bool,
}

/// What was found in one phase of the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LikeliestCost {
    /// The phase.
    pub phase: Phase,
    /// Positions looked at.
    pub positions: u64,
    /// Those in which another cell is certainly better: exactly, or by 2.5 standard errors.
    pub worse: u64,
    /// Those in which the order is still open.
    pub open: u64,
    /// The mean of the shots lost.
    pub mean: f64,
    /// Its standard error; 0 for a single position.
    pub std_err: f64,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum LikeliestError {
    /// Games can't be played.
    #[error(transparent)]
    Games(#[from] CampaignError),
    /// There are no shots to go.
    #[error(transparent)]
    ShotsToGo(#[from] Error),
}

/// One position.
#[derive(Clone, Copy, Debug)]
struct Looked {
    phase: Phase,
    loss: f64,
    worse: bool,
    open: bool,
}

/// What it costs to fire at the likeliest cell, by phase, the most ships first; the same on any number of threads.
///
/// # Errors
/// When games can't be played or layouts can't be drawn, as on boards that are too tight.
///
/// ```
/// use broadside_lab::{LikeliestSettings, likeliest_costs};
///
/// let settings = LikeliestSettings { games: 3, one_in: 4, playouts: 10, seed: 1 };
/// let costs = likeliest_costs(&"4x4 3,2 allowed ship".parse()?, settings)?;
/// assert!(costs.iter().all(|cost| cost.positions >= cost.worse + cost.open));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn likeliest_costs(rules: &Rules, settings: LikeliestSettings) -> Result<Vec<LikeliestCost>, LikeliestError> {
    let games = (0..settings.games).into_par_iter().map(|game| look_at_game(rules, settings, game));
    let looked: Vec<Looked> = games.collect::<Result<Vec<_>, _>>()?.concat();
    let mut phases: Vec<Phase> = looked.iter().map(|looked| looked.phase).collect();
    phases.sort_by(|a, b| b.cmp(a));
    phases.dedup();
    Ok(phases.into_iter().map(|phase| LikeliestCost::new(phase, looked.iter().filter(|looked| looked.phase == phase))).collect())
}

impl LikeliestCost {
    fn new<'a>(phase: Phase, looked: impl Iterator<Item = &'a Looked> + Clone) -> Self {
        let positions = looked.clone().count() as u64;
        let n = positions as f64;
        let mean = looked.clone().map(|looked| looked.loss).sum::<f64>() / n;
        let squares = looked.clone().map(|looked| (looked.loss - mean).powi(2)).sum::<f64>();
        Self {
            phase,
            positions,
            worse: looked.clone().filter(|looked| looked.worse).count() as u64,
            open: looked.filter(|looked| looked.open).count() as u64,
            mean,
            std_err: if positions > 1 { (squares / (n - 1.0) / n).sqrt() } else { 0.0 },
        }
    }
}

/// Plays a game, and looks at some of its positions.
fn look_at_game(rules: &Rules, settings: LikeliestSettings, game: u64) -> Result<Vec<Looked>, LikeliestError> {
    let mut rng = generator(settings.seed, game);
    let mut captain = captain("admiral", rules).map_err(CampaignError::from)?;
    let mut referee = Referee::new(rules, Dealer::new(rules).uniform(&mut rng).map_err(CampaignError::from)?);
    let (start, mut looked) = (rng.random_range(0..settings.one_in.max(1)), Vec::new());
    while !referee.is_over() {
        if referee.log().len() % settings.one_in.max(1) == start {
            looked.push(look(referee.log(), settings, game)?);
        }
        let cell = captain.aim(referee.log(), &mut rng);
        referee.fire(cell).expect("a captain's shots are legal");
    }
    Ok(looked)
}

/// Compares the likeliest cell with the best one.
fn look(log: &ShotLog, settings: LikeliestSettings, game: u64) -> Result<Looked, LikeliestError> {
    let seed = settings.seed ^ game.rotate_left(32) ^ log.len() as u64;
    let (never, work) = (Stop::never(), Settings { best_play: false, seed, ..Settings::default() });
    let report = ShotsToGo::new(log, &work, &never)?.run(settings.playouts, &never).map_err(Error::from)?;
    let likeliest = likeliest(&report);
    let is_best = report.best.contains(&likeliest.cell);
    let settled = report.is_exact() || likeliest.is_settled();
    let worse = !is_best && settled && likeliest.loss > if report.is_exact() { 0.0 } else { NEAR };
    Ok(Looked { phase: Phase::of(log), loss: likeliest.loss, worse, open: !is_best && !settled })
}

/// An estimated loss within this is no loss.
const NEAR: f64 = broadside_captains::shots_to_go::NEAR;

/// The cell with the highest chance, the first of equals.
fn likeliest(report: &Report) -> &CellReport {
    let first = |a: &&CellReport, b: &&CellReport| a.chance.total_cmp(&b.chance).then(b.cell.cmp(&a.cell));
    report.cells.iter().max_by(first).expect("a game that isn't over has a cell to fire at")
}

impl Phase {
    /// The phase of a position by rules that call lengths.
    fn of(log: &ShotLog) -> Self {
        let left: usize = log.lengths_left().iter().map(|length| length.get()).sum();
        let sunk = log.rules().fleet().cells() - left;
        Self { ships: log.rules().fleet().len() - log.sinkings(), ship_hit: log.hit_count() > sunk }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_follow_from_the_log() {
        let phase = |shots: &str| Phase::of(&ShotLog::parse(&"classic".parse().unwrap(), shots).unwrap());
        assert_eq!(phase("A1-"), Phase { ships: 5, ship_hit: false });
        assert_eq!(phase("A1+ B1-"), Phase { ships: 5, ship_hit: true });
        assert_eq!(phase("A1+ A2#2 B1-"), Phase { ships: 4, ship_hit: false });
    }

    #[test]
    fn on_a_small_board_the_cost_is_exact() {
        // A ship of two on a row of four: A2 and A3 are the likeliest and the best. After a hit at A2 both sides are alike, or one is blocked.
        let settings = LikeliestSettings { games: 8, one_in: 1, playouts: 4, seed: 3 };
        let costs = likeliest_costs(&"1x4 2 allowed ship".parse().unwrap(), settings).unwrap();
        assert!(costs.iter().all(|cost| cost.mean == 0.0 && cost.worse + cost.open == 0), "{costs:?}");
        assert_eq!(costs.iter().map(|cost| cost.phase.ship_hit).collect::<Vec<_>>(), [true, false]);
    }
}
