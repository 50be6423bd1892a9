//! What a captain's play costs on average over all layouts of a small board.
//!
//! A captain that draws no lots plays every layout once, and the average is an exact fraction. `random` has a closed form.
//! For the others the lots would have to be averaged over as well; they play every layout several times, and the result is
//! an estimate with its error, which is another variant of [`Price`].

use broadside_captains::{Captain, CaptainError, Registry};
use broadside_odds::{Budget, OutOfReach, oracle};
use broadside_rules::{Layout, Referee, Rules};
use num_rational::Ratio;

use crate::contest::play;
use crate::generator;

/// The expected number of shots of a captain, each layout being as likely as the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Price {
    /// Exactly this.
    Exact(Ratio<u64>),
    /// The captain draws lots: the mean over all layouts, each played several times.
    Estimate {
        /// The mean.
        mean: f64,
        /// Its standard error, from the means of the single rounds.
        std_err: f64,
        /// How often each layout was played.
        rounds: u64,
    },
}

/// A price that can't be found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PriceError {
    /// There is no such captain, or not for these rules.
    #[error(transparent)]
    Captain(#[from] CaptainError),
    /// There are too many layouts.
    #[error(transparent)]
    OutOfReach(#[from] OutOfReach),
}

/// How often each layout is played by a captain that draws lots.
const ROUNDS: u64 = 16;

/// All layouts of some rules, for captains to be priced on.
pub struct Prices {
    rules: Rules,
    layouts: Vec<Layout>,
    registry: Registry,
}

impl Prices {
    /// Lists the layouts.
    ///
    /// ```
    /// use broadside_lab::{Price, Prices};
    /// let rules = "4x4 3,2 allowed ship".parse()?;
    /// let prices = Prices::of(&rules, Default::default())?;
    /// assert!(matches!(prices.price("exact")?, Price::Exact(shots) if shots.to_string() == "98/11"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there are more layouts to list than the budget allows.
    pub fn of(rules: &Rules, budget: Budget) -> Result<Self, PriceError> {
        let mut layouts = Vec::new();
        oracle::each_layout(rules, budget, &mut |layout| layouts.push(layout.clone()))?;
        Ok(Self { rules: rules.clone(), layouts, registry: Registry::new() })
    }

    /// The price of a captain.
    ///
    /// # Errors
    /// When there is no such captain, or not for these rules.
    pub fn price(&self, name: &str) -> Result<Price, PriceError> {
        let mut captain = self.registry.captain(name, &self.rules)?;
        if name == "random" {
            return Ok(Price::Exact(self.random()));
        }
        let (shots, drew) = self.round(captain.as_mut(), 0);
        if !drew {
            return Ok(Price::Exact(Ratio::new(shots, self.layouts.len() as u64)));
        }
        let rounds = (1..ROUNDS).map(|round| self.round(captain.as_mut(), round).0);
        let means: Vec<f64> =
            std::iter::once(shots).chain(rounds).map(|shots| shots as f64 / self.layouts.len() as f64).collect();
        let mean = means.iter().sum::<f64>() / ROUNDS as f64;
        let variance = means.iter().map(|round| (round - mean).powi(2)).sum::<f64>() / (ROUNDS - 1) as f64;
        Ok(Price::Estimate { mean, std_err: (variance / ROUNDS as f64).sqrt(), rounds: ROUNDS })
    }

    /// The last of k ship cells among n cells comes with shot k(n + 1)/(k + 1) on average.
    fn random(&self) -> Ratio<u64> {
        let (ships, cells) = (self.rules.fleet().cells() as u64, self.rules.grid().len() as u64);
        Ratio::new(ships * (cells + 1), ships + 1)
    }

    /// Every layout once: the shots of all, and whether the captain drew a lot. What it draws depends on the log, and the log
    /// on the layout, so a captain that drew none on any layout never draws one.
    fn round(&self, captain: &mut dyn Captain, round: u64) -> (u64, bool) {
        let (mut shots, mut drew) = (0, false);
        for (layout, game) in self.layouts.iter().zip(0..) {
            let fresh = generator(round, game);
            let mut rng = fresh.clone();
            shots += play(captain, &mut Referee::new(&self.rules, layout.clone()), &mut rng).cast_unsigned();
            drew |= rng != fresh;
        }
        (shots, drew)
    }
}

#[cfg(test)]
mod tests {
    use broadside_captains::ROSTER;
    use broadside_rules::ShotLog;
    use broadside_solve::Solver;

    use super::*;

    #[test]
    fn no_captain_is_cheaper_than_best_play() {
        for text in ["4x4 3,2 allowed ship", "3x4 2,2 corners bare", "3x3 3,1 never every", "2x5 2,2 allowed silent"] {
            let rules: Rules = text.parse().unwrap();
            let prices = Prices::of(&rules, Budget::default()).unwrap();
            let best = Solver::new(&ShotLog::new(&rules), Budget::default()).unwrap().solve(&mut |_| {}).unwrap().expected();
            assert_eq!(prices.price("optimal").unwrap(), Price::Exact(best), "{text}");
            for entry in ROSTER {
                match prices.price(entry.name).unwrap() {
                    Price::Exact(shots) => assert!(shots >= best, "{} on {text}", entry.name),
                    Price::Estimate { mean, std_err, .. } => {
                        assert!(mean + 5.0 * std_err >= *best.numer() as f64 / *best.denom() as f64, "{} on {text}", entry.name);
                    }
                }
            }
        }
    }

    #[test]
    fn published_prices_on_four_by_four() {
        let prices = Prices::of(&"4x4 3,2 allowed ship".parse().unwrap(), Budget::default()).unwrap();
        assert_eq!(prices.price("exact").unwrap(), Price::Exact(Ratio::new(2352, 264)));
        assert_eq!(prices.price("random").unwrap(), Price::Exact(Ratio::new(5 * 17, 6)));
        assert!(matches!(prices.price("hunt-target").unwrap(), Price::Estimate { .. }));
        assert!(matches!(prices.price("nobody"), Err(PriceError::Captain(CaptainError::Unknown(_)))));
    }
}
