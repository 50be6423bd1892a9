//! Shots to go: what a shot costs to the end of the game.
//!
//! The cell with the highest chance is not always the best one. What counts is the expected number of shots to the end of the
//! game if a cell is fired at now and a good captain plays on. Here that captain is `admiral`, whose choices follow
//! from the log alone.
//!
//! ```
//! use broadside_captains::shots_to_go::{Settings, ShotsToGo};
//! use broadside_rules::{Rules, ShotLog, Stop};
//!
//! let log = ShotLog::parse(&"classic".parse::<Rules>()?, "E5+ E6-")?;
//! let stop = Stop::new();
//! let mut shots_to_go = ShotsToGo::new(&log, &Settings::default(), &stop)?;
//! while shots_to_go.playouts() < 1000 && shots_to_go.refine(1000, &stop)? {
//!     let report = shots_to_go.look().expect("something is known after a round");
//!     println!("{:?}: {:.2} ± {:.2}", report.best, report.shots_to_go, report.std_err);
//! }
//! assert_eq!(shots_to_go.playouts(), 1000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Three ways, the first that is possible ([`Method`]). Where the rest of the game can be solved, best play is. Where few layouts are
//! left, all are played on, and the number is exact. Else layouts are drawn, each that fits the log with the same chance, and
//! the numbers have standard errors. All candidates play on the same layouts, so that their differences are sharp. Some
//! layouts choose: they say which cell leads and which are [dropped](CellReport::dropped). The others measure: every number
//! in a [`Report`] is theirs, so the winner isn't flattered for having been lucky.
//!
//! The work is done in rounds. What a round does depends on the position, the settings and the rounds before it, never on the
//! clock or the number of threads: the same number of playouts gives the same report everywhere.

mod boards;
mod candidates;
mod engine;
mod playout;
mod report;
mod solved;
mod source;
mod sums;

use std::sync::Arc;

use broadside_odds::{Budget, OutOfReach, PlacementWeights, Transfer};
use broadside_rules::{Cell, Placement, ShotLog, Stop, Stopped};
use rand::SeedableRng;

pub(crate) use self::boards::Boards;
use self::candidates::{Chances, candidates};
use self::engine::{Compare, Comparison, Done};
pub(crate) use self::playout::Player;
use self::source::{Source, WeightedSource};
pub(crate) use self::sums::Sums;
use crate::bits::for_width;
use crate::registry::admiral;
use crate::{Captain, GameRng};
use report::finished;
pub use report::{CellReport, Method, NEAR, Report, SETTLED};

/// How shots to go are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many cells are compared at most: half by the captain's own ranking, half by their chances.
    pub candidates: usize,
    /// A cell that is compared in any case, and never dropped.
    pub watched: Option<Cell>,
    /// Up to so many layouts are all played on, and not drawn.
    pub listed: usize,
    /// Whether best play is found where it can be.
    pub best_play: bool,
    /// Seed of the layouts drawn.
    pub seed: u64,
    /// Threads to play on.
    pub threads: usize,
    /// What exact chances and the tables for drawing may take.
    pub budget: Budget,
    /// How the opponent hides. With weights, layouts are always drawn, each as likely as they say; `admiral`, who plays on, doesn't
    /// know them.
    pub weights: Option<Arc<PlacementWeights>>,
}

impl Default for Settings {
    fn default() -> Self {
        let budget = Budget { bytes: 256 << 20, steps: 0 };
        Self { candidates: 16, watched: None, listed: 12_000, best_play: true, seed: 1, threads: 1, budget, weights: None }
    }
}

/// What was played so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// The games played to their end: each layout once for each cell that was tried on it.
    pub games: u64,
    /// How often `admiral` was asked for a shot. Games that share their beginning share the asking.
    pub thoughts: u64,
}

/// Why there are no shots to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No layout fits the log.
    #[error("no layout fits the log")]
    Impossible,
    /// Answers come after the turn.
    #[error("shots to go are counted where each shot is answered at once: use --salvo N:each, or one shot a turn")]
    Withheld,
    /// Answers may be false.
    #[error("shots to go are counted where every answer is true: leave out --noise")]
    FalseAnswers,
    /// Layouts can't be drawn within the budget, or the work was stopped.
    #[error(transparent)]
    OutOfReach(#[from] OutOfReach),
}

impl From<Stopped> for Error {
    fn from(_: Stopped) -> Self {
        Self::OutOfReach(OutOfReach::Stopped)
    }
}

/// The shots to go of a position: refine it, look at it, stop when it is good enough.
pub struct ShotsToGo {
    comparison: Box<dyn Compare>,
}

impl ShotsToGo {
    /// Chooses the cells to compare. Nothing is played yet.
    ///
    /// # Errors
    /// When answers come after the turn or may be false, no layout fits the log, layouts can't be drawn within the budget, or the work was stopped.
    pub fn new(log: &ShotLog, settings: &Settings, stop: &Stop) -> Result<Self, Error> {
        if log.rules().salvo().withholds() {
            return Err(Error::Withheld);
        }
        if !log.rules().noise().is_none() {
            return Err(Error::FalseAnswers);
        }
        if log.is_over() {
            return Ok(Self { comparison: Box::new(Done(finished(Vec::new(), Method::Listed, 1, true))) });
        }
        if let Some(weights) = &settings.weights {
            let (source, chances) = WeightedSource::new(log, weights, settings.budget, stop)?;
            let cells = cells(log, &chances, settings);
            return Ok(Self { comparison: sampled(log, settings, cells, chances, Source::Weighted(source)) });
        }
        let transfer = Transfer::new(settings.budget.until(stop));
        let mut sampler = transfer.sampler(log)?.ok_or(Error::Impossible)?;
        let chances = Chances::new(log, settings.budget, &mut sampler, settings.seed, stop)?;
        let cells = cells(log, &chances, settings);
        let listed = transfer.list(log, settings.listed);
        if settings.best_play
            && let Some(layouts) = &listed
            && let Some(solved) = solved::solve::<u128>(log, layouts, &cells, &chances, stop)?
        {
            return Ok(Self { comparison: Box::new(solved) });
        }
        let Some(layouts) = listed else {
            return Ok(Self { comparison: sampled(log, settings, cells, chances, Source::Even(sampler)) });
        };
        let comparison: Box<dyn Compare> = for_width!(log.rules().grid(), B => {
            Box::new(Comparison::<B>::new(log, settings, cells, chances).listed(&layouts))
        });
        Ok(Self { comparison })
    }

    /// Plays another round, but no more than so many layouts in all. Says whether another round could say more.
    ///
    /// # Errors
    /// When it was stopped: then the round counts for nothing, and what was known before still is.
    pub fn refine(&mut self, most_playouts: u64, stop: &Stop) -> Result<bool, Stopped> {
        self.comparison.refine(most_playouts, stop)
    }

    /// How many layouts were played on.
    pub fn playouts(&self) -> u64 {
        self.comparison.playouts()
    }

    /// What was played so far; nothing where the rest of the game was solved.
    pub fn work(&self) -> Work {
        self.comparison.work()
    }

    /// What is known so far; nothing before the first round.
    pub fn look(&self) -> Option<Report> {
        self.comparison.look()
    }

    /// The cell that leads on all layouts together: for whoever has to choose now and needs no unbiased number.
    pub fn leader(&self) -> Option<Cell> {
        self.comparison.leader()
    }

    /// Plays rounds until so many layouts were played on, at least one round, or until there is nothing more to say.
    ///
    /// # Errors
    /// When it was stopped.
    ///
    /// # Panics
    /// Never: after a round something is known.
    pub fn run(&mut self, playouts: u64, stop: &Stop) -> Result<Report, Stopped> {
        while self.refine(playouts, stop)? && self.playouts() < playouts {}
        Ok(self.look().expect("something is known after a round"))
    }
}

/// The cells to compare.
fn cells(log: &ShotLog, chances: &Chances, settings: &Settings) -> Vec<Cell> {
    candidates(log, admiral(log.rules()).as_mut(), chances, settings.candidates.max(1), settings.watched)
}

/// The comparison on layouts that are drawn.
fn sampled(log: &ShotLog, settings: &Settings, cells: Vec<Cell>, chances: Chances, source: Source) -> Box<dyn Compare> {
    for_width!(log.rules().grid(), B => Box::new(Comparison::<B>::new(log, settings, cells, chances).sampled(source, settings)))
}

/// Lets a captain play on from a position on each of these layouts, which must fit the log, as one tree. Returns the shots to the end, in the
/// order of the layouts. The captain must not make random choices.
///
/// ```
/// use broadside_captains::{captain, shots_to_go::play_on};
/// use broadside_odds::{Budget, Transfer};
/// use broadside_rules::{Rules, ShotLog, Stop};
///
/// let log = ShotLog::parse(&"1x4 2 allowed ship".parse::<Rules>()?, "A1-")?;
/// let layouts = Transfer::new(Budget::default()).list(&log, 10).expect("two layouts are left");
/// let mut shots = play_on(&log, captain("admiral", log.rules())?, &layouts, &Stop::never())?;
/// shots.sort_unstable();
/// assert_eq!(shots, [2, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When it was stopped.
pub fn play_on(
    log: &ShotLog,
    mut captain: Box<dyn Captain>,
    layouts: &[Vec<Placement>],
    stop: &Stop,
) -> Result<Vec<u16>, Stopped> {
    if log.is_over() {
        return Ok(vec![0; layouts.len()]);
    }
    let first = captain.aim(log, &mut GameRng::seed_from_u64(0));
    for_width!(log.rules().grid(), B => {
        let mut boards = Boards::<B>::new(log.rules());
        boards.extend(layouts);
        Ok(Player::new(log, captain).play(&boards, 0..layouts.len(), &[first], stop)?.remove(0))
    })
}

impl std::fmt::Debug for ShotsToGo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ShotsToGo").field("report", &self.look()).finish_non_exhaustive()
    }
}
