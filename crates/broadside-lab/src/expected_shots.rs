//! Expected shots of a captain over all layouts of a small board.
//!
//! A captain without random choices plays every layout once, and the mean is an exact fraction. `random` has a closed
//! form. Other captains with random choices play every layout several times, and the result is an estimate with its
//! error: the other variant of [`ExpectedShots`].

use broadside_captains::{Captain, CaptainError, Registry};
use broadside_odds::{Budget, OutOfReach, oracle};
use broadside_rules::{Layout, Referee, Rules};
use num_rational::Ratio;

use crate::campaign::play_game;
use crate::generator;

/// The expected number of shots of a captain when all layouts are equally likely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ExpectedShots {
    /// Exactly this.
    Exact(Ratio<u64>),
    /// The captain makes random choices: the mean over all layouts, each played several times.
    Estimate {
        /// The mean.
        mean: f64,
        /// Its standard error, from the means of the rounds.
        std_err: f64,
        /// How often each layout was played.
        rounds: u64,
    },
}

/// Expected shots that can't be found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExpectedShotsError {
    /// There is no such captain, or not for these rules.
    #[error(transparent)]
    Captain(#[from] CaptainError),
    /// There are too many layouts.
    #[error(transparent)]
    OutOfReach(#[from] OutOfReach),
}

/// How often a captain with random choices plays each layout.
const ROUNDS: u64 = 16;

/// All layouts of some rules.
pub struct AllLayouts {
    rules: Rules,
    layouts: Vec<Layout>,
    registry: Registry,
}

impl AllLayouts {
    /// Lists the layouts.
    ///
    /// ```
    /// use broadside_lab::{ExpectedShots, AllLayouts};
    /// let rules = "4x4 3,2 allowed ship".parse()?;
    /// let layouts = AllLayouts::list(&rules, Default::default())?;
    /// assert!(matches!(layouts.expected_shots("exact")?, ExpectedShots::Exact(shots) if shots.to_string() == "98/11"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there are more layouts to list than the budget allows.
    pub fn list(rules: &Rules, budget: Budget) -> Result<Self, ExpectedShotsError> {
        let mut layouts = Vec::new();
        oracle::each_layout(rules, budget, &mut |layout| layouts.push(layout.clone()))?;
        Ok(Self { rules: rules.clone(), layouts, registry: Registry::new() })
    }

    /// The expected shots of a captain.
    ///
    /// # Errors
    /// When there is no such captain, or not for these rules.
    pub fn expected_shots(&self, name: &str) -> Result<ExpectedShots, ExpectedShotsError> {
        let mut captain = self.captain(name)?;
        if name == "random" {
            return Ok(ExpectedShots::Exact(self.random()));
        }
        let (shots, is_random) = self.round(captain.as_mut(), 0);
        if !is_random {
            return Ok(ExpectedShots::Exact(Ratio::new(shots, self.layouts.len() as u64)));
        }
        let rounds = (1..ROUNDS).map(|round| self.round(captain.as_mut(), round).0);
        let means: Vec<f64> =
            std::iter::once(shots).chain(rounds).map(|shots| shots as f64 / self.layouts.len() as f64).collect();
        let mean = means.iter().sum::<f64>() / ROUNDS as f64;
        let variance = means.iter().map(|round| (round - mean).powi(2)).sum::<f64>() / (ROUNDS - 1) as f64;
        Ok(ExpectedShots::Estimate { mean, std_err: (variance / ROUNDS as f64).sqrt(), rounds: ROUNDS })
    }

    /// The last of k ship cells among n cells comes with shot k(n + 1)/(k + 1) on average.
    fn random(&self) -> Ratio<u64> {
        let (ships, cells) = (self.rules.fleet().cells() as u64, self.rules.grid().len() as u64);
        Ratio::new(ships * (cells + 1), ships + 1)
    }

    /// Plays every layout once. Returns the shots of all games together, and whether the captain used the generator: a captain
    /// that used it on no layout never does.
    fn round(&self, captain: &mut dyn Captain, round: u64) -> (u64, bool) {
        let (shots, is_random) = self.games(captain, round);
        (shots.iter().sum(), is_random)
    }

    /// Plays every layout once. Returns the shots of each game, and whether the captain used the generator.
    pub(crate) fn games(&self, captain: &mut dyn Captain, round: u64) -> (Vec<u64>, bool) {
        let mut is_random = false;
        let mut play = |layout| {
            let (shots, random) = self.game(captain, layout, round);
            is_random |= random;
            shots
        };
        let shots = (0..self.layouts.len()).map(&mut play).collect();
        (shots, is_random)
    }

    /// Plays one layout. Returns the shots, and whether the captain used the generator.
    pub(crate) fn game(&self, captain: &mut dyn Captain, layout: usize, round: u64) -> (u64, bool) {
        let fresh = generator(round, layout as u64);
        let mut rng = fresh.clone();
        let mut referee = Referee::new(&self.rules, self.layouts[layout].clone());
        let shots = play_game(captain, &mut referee, &mut rng).cast_unsigned();
        (shots, rng != fresh)
    }

    pub(crate) fn captain(&self, name: &str) -> Result<Box<dyn Captain>, CaptainError> {
        self.registry.captain(name, &self.rules)
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// All layouts.
    pub fn layouts(&self) -> &[Layout] {
        &self.layouts
    }
}

#[cfg(test)]
mod tests {
    use broadside_captains::ROSTER;
    use broadside_rules::ShotLog;
    use broadside_solve::Solver;

    use super::*;

    #[test]
    fn no_captain_needs_fewer_shots_than_best_play() {
        for text in ["4x4 3,2 allowed ship", "3x4 2,2 corners bare", "3x3 3,1 never every", "2x5 2,2 allowed silent"] {
            let rules: Rules = text.parse().unwrap();
            let layouts = AllLayouts::list(&rules, Budget::default()).unwrap();
            let best = Solver::new(&ShotLog::new(&rules), Budget::default()).unwrap().solve(&mut |_| {}).unwrap().expected();
            assert_eq!(layouts.expected_shots("optimal").unwrap(), ExpectedShots::Exact(best), "{text}");
            for entry in ROSTER {
                match layouts.expected_shots(entry.name).unwrap() {
                    ExpectedShots::Exact(shots) => assert!(shots >= best, "{} on {text}", entry.name),
                    ExpectedShots::Estimate { mean, std_err, .. } => {
                        assert!(mean + 5.0 * std_err >= *best.numer() as f64 / *best.denom() as f64, "{} on {text}", entry.name);
                    }
                }
            }
        }
    }

    #[test]
    fn published_expectations_on_four_by_four() {
        let layouts = AllLayouts::list(&"4x4 3,2 allowed ship".parse().unwrap(), Budget::default()).unwrap();
        assert_eq!(layouts.expected_shots("exact").unwrap(), ExpectedShots::Exact(Ratio::new(2352, 264)));
        assert_eq!(layouts.expected_shots("random").unwrap(), ExpectedShots::Exact(Ratio::new(5 * 17, 6)));
        assert!(matches!(layouts.expected_shots("hunt-target").unwrap(), ExpectedShots::Estimate { .. }));
        assert!(matches!(layouts.expected_shots("nobody"), Err(ExpectedShotsError::Captain(CaptainError::Unknown(_)))));
    }
}
