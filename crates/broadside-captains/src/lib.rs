#![doc = include_str!("../README.md")]

pub mod admiral;
mod baseline;
mod beliefs;
mod bits;
mod board;
mod cell_counts;
mod choice;
mod commodore;
mod density;
mod doubter;
mod erring;
mod exact;
mod exact_openings;
mod finder;
mod hunt;
mod ladder;
mod mixed_density;
mod model_admiral;
mod opening;
mod optimal;
mod pair;
mod placements;
mod position;
mod random;
mod reason;
mod registry;
#[cfg(test)]
mod same_games;
mod ships_left;
pub mod shots_to_go;
mod sinker;
mod sinkings;
#[cfg(test)]
mod testing;
mod trusting;
mod turned;
mod volley;
mod weighted_density;

use broadside_odds::Budget;
use broadside_rules::{Cell, Layout, ShotLog, Stop, Symmetry};

pub use erring::BadErrorRate;
pub use ladder::{LADDER, MeanShots, Rung};
pub use reason::{Mode, Reason};
pub use registry::{CaptainError, CaptainInfo, DOUBTER, OPTIMAL, ROSTER, Registry, UnknownCaptain, captain};

/// The random generator of a captain. Its state is part of what decides the next shot.
///
/// ```
/// use broadside_captains::{GameRng, captain};
/// use broadside_rules::{Preset, ShotLog};
/// use rand::SeedableRng;
///
/// let rules = Preset::Classic.rules();
/// let mut random = captain("random", &rules)?;
/// let mut first_shot = |seed| random.aim(&ShotLog::new(&rules), &mut GameRng::seed_from_u64(seed));
/// assert_eq!(first_shot(1), first_shot(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type GameRng = rand_xoshiro::Xoshiro256PlusPlus;

/// Somebody who chooses where to fire.
///
/// ```
/// use broadside_captains::{GameRng, captain};
/// use broadside_rules::{Rules, ShotLog};
/// use rand::SeedableRng;
///
/// let rules: Rules = "classic".parse()?;
/// let log = ShotLog::parse(&rules, "E5+ E6+ E7-")?;
/// let cell = captain("admiral", &rules)?.aim(&log, &mut GameRng::seed_from_u64(1));
/// assert_eq!(cell.to_string(), "E4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A captain of your own needs a name and a way to choose. This one goes through the board row by row:
///
/// ```
/// use broadside_captains::{Captain, GameRng, Mode, Reason};
/// use broadside_rules::{Cell, Rules, ShotLog};
/// use rand::SeedableRng;
///
/// struct RowByRow;
///
/// impl Captain for RowByRow {
///     fn name(&self) -> &str {
///         "row-by-row"
///     }
///
///     fn aim(&mut self, log: &ShotLog, _rng: &mut GameRng) -> Cell {
///         log.rules().grid().cells().find(|&cell| !log.fired().contains(cell)).expect("a cell is left")
///     }
///
///     fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
///         let cell = self.aim(log, rng);
///         let scores = log.rules().grid().cells().map(|other| (other == cell).then_some(1.0)).collect();
///         Reason { cell, mode: Mode::Hunt, scores, words: "it comes next".to_owned() }
///     }
/// }
///
/// let rules: Rules = "classic".parse()?;
/// let log = ShotLog::parse(&rules, "A1- A2+")?;
/// assert_eq!(RowByRow.aim(&log, &mut GameRng::seed_from_u64(1)).to_string(), "A3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// Both methods panic when the log is of a game by other rules than the captain was made for, or when no cell is left to
/// fire at.
pub trait Captain: Send {
    /// The name in the roster.
    fn name(&self) -> &str;

    /// The cell to fire at next: never one that was fired at, unless answers may be false.
    ///
    /// The same log and the same state of the generator give the same cell.
    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell;

    /// The cell that [`Captain::aim`] would choose, and why.
    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason;

    /// Lets somebody else hurry the captain. Once the token is stopped, the other methods return at once with a cell that
    /// may be fired at, but not always the one that they would have chosen.
    ///
    /// Captains that never take long do nothing here.
    ///
    /// ```
    /// use broadside_captains::{GameRng, captain};
    /// use broadside_rules::{Preset, ShotLog, Stop};
    /// use rand::SeedableRng;
    ///
    /// let rules = Preset::Russian.rules();
    /// let (mut exact, stop) = (captain("exact", &rules)?, Stop::new());
    /// exact.set_stop(&stop);
    /// // Elsewhere: the player has left, or the time is up.
    /// stop.stop();
    /// let log = ShotLog::new(&rules);
    /// let cell = exact.aim(&log, &mut GameRng::seed_from_u64(1));
    /// assert!(!log.fired().contains(cell));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn set_stop(&mut self, _stop: &Stop) {}

    /// Tells the captain where the opponent's ships were, after a game that it may learn from.
    ///
    /// Captains that learn nothing from one game for the next do nothing here.
    ///
    /// ```
    /// use broadside_captains::{GameRng, Registry};
    /// use broadside_odds::PlacementWeights;
    /// use broadside_rules::{Draft, Rules, ShotLog};
    /// use rand::SeedableRng;
    ///
    /// let rules: Rules = "1x7 2 allowed ship".parse()?;
    /// let left = PlacementWeights::from_cells(&rules, |cell| if cell.col() < 2 { 9.0 } else { 1.0 });
    /// let mut captain = Registry::new().with_model("left", left).captain("density@uniform+left", &rules)?;
    /// for _ in 0..20 {
    ///     captain.remember(&"A6-A7".parse::<Draft>()?.check(&rules).into_layout().expect("a legal layout"));
    /// }
    /// // By now it believes that the opponent has no habit, at least not this one.
    /// let cell = captain.aim(&ShotLog::new(&rules), &mut GameRng::seed_from_u64(1));
    /// assert!(cell.col() >= 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn remember(&mut self, _layout: &Layout) {}

    /// Sets how much memory the captain's tables may take, and says whether it has tables that the budget is for.
    ///
    /// Captains that need no tables to speak of do nothing here.
    fn set_budget(&mut self, _budget: Budget) -> bool {
        false
    }

    /// For a captain that turns or reflects the board at random before each game: who then plays, and in which ways the board may be laid.
    ///
    /// To let that one play the turned layout is the same game as to let this one play the layout, and faster: this one sees only the log,
    /// from which it has to find out at each shot how the board may have been laid.
    ///
    /// ```
    /// use broadside_captains::captain;
    ///
    /// let rules = "classic".parse()?;
    /// let mut turns = captain("admiral~", &rules)?;
    /// let (plays, ways) = turns.turned_board().expect("it turns the board");
    /// assert_eq!((plays.name(), ways.len()), ("admiral", 8));
    /// assert!(plays.turned_board().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn turned_board(&mut self) -> Option<(&mut dyn Captain, &[Symmetry])> {
        None
    }

    /// Whether the last shot was chosen by a simpler method, because the captain's own needs more memory than its budget.
    fn was_out_of_reach(&self) -> bool {
        false
    }
}
