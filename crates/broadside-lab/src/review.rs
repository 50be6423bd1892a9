//! How well a game was played, apart from luck.
//!
//! Before every shot the exact odds give each cell's chance. The sum of the chances of the chosen cells is the expected
//! number of hits; hits beyond that are luck. The sum of the highest chances is the most that could be expected, and the
//! ratio of the two sums is the accuracy. (The highest chance is not always the best shot of a whole game, but everybody
//! can check it.)

use broadside_odds::{Counts, OddsError, OutOfReach, Transfer, WorkLimits, odds_from_counts};
use broadside_rules::{Cell, Shot, ShotLog};
use rand::Rng;

/// A shot, compared with the best one.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedShot {
    /// The shot with its answer.
    pub shot: Shot,
    /// The chance that it would hit.
    pub chance: f64,
    /// The highest chance that any cell had.
    pub best_chance: f64,
    /// The cells that had it.
    pub best: Vec<Cell>,
    /// Whether the chances are exact, and not estimates.
    pub exact: bool,
}

impl ReviewedShot {
    /// The expected hits that the shot lost against the best one.
    pub fn cost(&self) -> f64 {
        self.best_chance - self.chance
    }
}

/// The shots of one side, each compared with the best one.
///
/// ```
/// use broadside_lab::Review;
/// use broadside_odds::Budget;
/// use broadside_rules::{Preset, ShotLog};
/// use rand::SeedableRng;
///
/// let log = ShotLog::parse(&Preset::Classic.rules(), "E5+ E6-")?;
/// let mut rng = broadside_captains::GameRng::seed_from_u64(1);
/// let review = Review::new(&log, Budget::default(), &mut rng, |_| {})?;
/// assert!((review.accuracy() - 1.0).abs() < 1e-12, "nobody could have done better so far");
/// assert!(review.luck() > 0.0, "and the first shot needn't have hit");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Review {
    /// The shots in order.
    pub shots: Vec<ReviewedShot>,
}

/// Draws for an estimate where exact odds are out of reach.
const SAMPLES: u64 = 2000;

impl Review {
    /// Reviews every shot of a log. `reviewed` is called with each as soon as it is ready. The generator is used only
    /// where exact odds are out of the budget's reach.
    ///
    /// The budget is for each shot. What the whole review costs is bounded too: after an exact count was out of reach,
    /// the next shots are estimated at once, for twice as many shots each time, until one is in reach again.
    ///
    /// # Errors
    /// When no layout fits the log, which can't be when a referee answered, or when the review is stopped.
    pub fn new(
        log: &ShotLog,
        limits: impl Into<WorkLimits>,
        rng: &mut impl Rng,
        mut reviewed: impl FnMut(&ReviewedShot),
    ) -> Result<Self, OddsError> {
        let limits = limits.into();
        let mut counter = Counter::new(&limits);
        let mut review = Self::default();
        for (number, &shot) in log.shots().iter().enumerate() {
            limits.stop.check()?;
            let before = log.seen_after(number);
            let exact = counter.count(&before);
            let odds = odds_from_counts(&before, exact, limits.clone(), SAMPLES, rng)?;
            let best = odds.best(before.fired());
            let (chance, best_chance) = (odds.chance(shot.cell), odds.chance(best[0]));
            let reviewed_shot = ReviewedShot { shot, chance, best_chance, best, exact: odds.is_exact() };
            reviewed(&reviewed_shot);
            review.shots.push(reviewed_shot);
        }
        Ok(review)
    }

    /// The expected hits of the shots as a share of the most that could be expected; 1 for no shots.
    pub fn accuracy(&self) -> f64 {
        let best = self.sum(|shot| shot.best_chance);
        if best > 0.0 { self.expected_hits() / best } else { 1.0 }
    }

    /// The hits to be expected from these shots.
    pub fn expected_hits(&self) -> f64 {
        self.sum(|shot| shot.chance)
    }

    /// The shots that hit.
    pub fn hits(&self) -> usize {
        self.shots.iter().filter(|shot| shot.shot.answer.is_hit()).count()
    }

    /// Hits beyond those to be expected.
    pub fn luck(&self) -> f64 {
        self.hits() as f64 - self.expected_hits()
    }

    fn sum(&self, value: impl Fn(&ReviewedShot) -> f64) -> f64 {
        self.shots.iter().map(value).sum()
    }
}

/// Counts exactly where that is likely to succeed, so that a whole review has few counts that fail.
struct Counter {
    /// One engine for all shots: it goes on from one position to the next.
    engine: Transfer,
    /// The last failure.
    failure: Option<OutOfReach>,
    /// Shots to estimate without trying.
    to_skip: usize,
    /// How many were skipped after the last failure.
    skipped: usize,
}

impl Counter {
    fn new(limits: &WorkLimits) -> Self {
        Self { engine: Transfer::new(limits.clone()), failure: None, to_skip: 0, skipped: 0 }
    }

    fn count(&mut self, log: &ShotLog) -> Result<Counts, OutOfReach> {
        if let Some(failure) = self.failure.filter(|_| self.to_skip > 0) {
            self.to_skip -= 1;
            return Err(failure);
        }
        let counted = self.engine.count(log);
        self.failure = counted.as_ref().err().copied();
        // Weights are as cheap as counts.
        self.failure = self.failure.filter(|failure| *failure != OutOfReach::FalseAnswers);
        self.skipped = if self.failure.is_some() { 2 * self.skipped + 1 } else { 0 };
        self.to_skip = self.skipped;
        counted
    }
}

#[cfg(test)]
mod tests {
    use broadside_captains::GameRng;
    use broadside_odds::Budget;
    use broadside_rules::Stop;
    use rand::SeedableRng;

    use super::*;

    fn review(rules: &str, shots: &str, budget: Budget) -> Review {
        let log = ShotLog::parse(&rules.parse().unwrap(), shots).unwrap();
        let mut reported = Vec::new();
        let review = Review::new(&log, budget, &mut GameRng::seed_from_u64(1), |shot| reported.push(shot.clone())).unwrap();
        assert_eq!(reported, review.shots);
        review
    }

    #[test]
    fn the_figures_of_a_small_game_are_those_worked_out_by_hand() {
        // Seven places for a ship of 2 on 2x3: the corners are in two of them, the middle cells in three.
        let game = review("2x3 2 allowed ship", "A1- A2+ B2#2", Budget::default());
        let chances: Vec<_> = game.shots.iter().map(|shot| (shot.chance, shot.best_chance)).collect();
        // After the miss five are left, three of them through B2; after the hit at A2 the other cell is A3 or B2.
        assert_eq!(chances, [(2.0 / 7.0, 3.0 / 7.0), (2.0 / 5.0, 3.0 / 5.0), (0.5, 0.5)]);
        assert_eq!(game.shots[0].best.iter().map(ToString::to_string).collect::<Vec<_>>(), ["A2", "B2"]);
        assert!((game.accuracy() - (2.0 / 7.0 + 0.4 + 0.5) / (3.0 / 7.0 + 0.6 + 0.5)).abs() < 1e-12);
        assert!((game.luck() - (2.0 - 2.0 / 7.0 - 0.9)).abs() < 1e-12);
        assert!((game.shots[0].cost() - 1.0 / 7.0).abs() < 1e-12);
    }

    #[test]
    fn a_log_without_shots_is_a_perfect_review() {
        let nothing = review("2x3 2 allowed ship", "", Budget::default());
        assert_eq!((nothing.accuracy(), nothing.hits(), nothing.luck()), (1.0, 0, 0.0));
    }

    #[test]
    fn out_of_reach_the_chances_are_marked_as_estimates() {
        let small = Budget { bytes: 1, ..Budget::default() };
        let game = review("8x8 4,3,2 never ship", "D4- E5+", small);
        let exact = review("8x8 4,3,2 never ship", "D4- E5+", Budget::default());
        for (rough, exact) in game.shots.iter().zip(&exact.shots) {
            assert!(!rough.exact && exact.exact && (rough.chance - exact.chance).abs() < 0.05, "{rough:?} {exact:?}");
        }
    }

    #[test]
    fn few_counts_fail_in_a_whole_review() {
        let rules = "classic".parse().unwrap();
        let mut counter = Counter::new(&Budget { bytes: 1, ..Budget::default() }.into());
        let log = ShotLog::new(&rules);
        let tries = (0..100).filter(|_| {
            let tries_now = counter.to_skip == 0;
            assert_eq!(counter.count(&log).unwrap_err(), OutOfReach::Memory);
            tries_now
        });
        assert_eq!(tries.count(), 6, "shots 1, 3, 7, 15, 31 and 63");
        // The next try is shot 127; when it succeeds, exact counts are back.
        counter.to_skip = 0;
        counter.engine = Transfer::new(Budget::default());
        assert!(counter.count(&log).is_ok() && counter.to_skip == 0);
    }

    #[test]
    fn a_review_can_be_stopped() {
        let log = ShotLog::parse(&"classic".parse().unwrap(), "A1- B2- C3-").unwrap();
        let (stop, mut ready) = (Stop::new(), 0);
        let stopped = Review::new(&log, Budget::default().until(&stop), &mut GameRng::seed_from_u64(1), |_| {
            ready += 1;
            stop.stop();
        });
        assert!(matches!(stopped, Err(OddsError::Stopped(_))));
        assert_eq!(ready, 1);
    }
}
