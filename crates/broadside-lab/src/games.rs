//! Many games, on all threads, that can be had again.
//!
//! Game `i` under a seed is dealt and played with the generator of item `i` ([`generator`](crate::generator)), so the
//! results don't depend on the number of threads, and a longer campaign continues a shorter one. Captains on the same
//! campaign meet the same layouts, so they can be compared game by game.

use broadside_captains::CaptainError;
use broadside_odds::DealError;
use broadside_rules::Rules;

use crate::{Contest, Histogram, Layouts, Standing};

/// A number of games by some rules, on uniform layouts.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The rules.
    pub rules: Rules,
    /// How many games.
    pub games: u64,
    /// What the layouts and the captains' lots derive from.
    pub seed: u64,
}

/// A campaign that can't be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CampaignError {
    /// There is no such captain, or not for these rules.
    #[error(transparent)]
    Captain(#[from] CaptainError),
    /// Nobody plays.
    #[error("there is no captain: name at least one")]
    Nobody,
    /// A captain is named twice.
    #[error("the captain ‘{0}’ is named twice")]
    Twice(String),
    /// The list of layouts is empty.
    #[error("there is no layout to play on")]
    NoLayouts,
    /// The layouts can't be dealt.
    #[error(transparent)]
    Deal(#[from] DealError),
}

impl Campaign {
    /// How many games took each number of shots. `tell` is called with the number of games whenever some are done.
    ///
    /// Runs on all threads of the current rayon pool.
    ///
    /// ```
    /// use broadside_lab::Campaign;
    /// let campaign = Campaign { rules: "5x5 3,2 allowed ship".parse()?, games: 100, seed: 1 };
    /// let shots = campaign.play("density", |_| {})?;
    /// assert!(shots.mean() < campaign.play("random", |_| {})?.mean());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such captain, or the board is too tight to deal from.
    pub fn play(&self, name: &str, tell: impl Fn(u64) + Sync) -> Result<Histogram, CampaignError> {
        Ok(self.standing([name], tell)?.shots()[0].clone())
    }

    /// How many more shots one captain took than another, game by game on the same layouts.
    ///
    /// # Errors
    /// When there is no such captain, both are the same, or the board is too tight to deal from.
    pub fn compare(&self, name: &str, with: &str, tell: impl Fn(u64) + Sync) -> Result<Histogram, CampaignError> {
        Ok(self.standing([name, with], tell)?.differences()[0].clone())
    }

    fn standing<const N: usize>(&self, names: [&str; N], tell: impl Fn(u64) + Sync) -> Result<Standing, CampaignError> {
        let contest = Contest::new(self.clone(), names, Layouts::Uniform)?;
        let mut standing = contest.start();
        contest.play(&mut standing, |games| {
            tell(games);
            false
        })?;
        Ok(standing)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    fn campaign(games: u64, seed: u64) -> Campaign {
        Campaign { rules: "6x6 3,2,2 allowed ship".parse().unwrap(), games, seed }
    }

    fn on(threads: usize, work: impl FnOnce() -> Histogram + Send) -> Histogram {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
    }

    #[test]
    fn the_games_depend_on_the_seed_and_not_on_the_threads() {
        let shots = |threads, seed| on(threads, move || campaign(500, seed).play("hunt-target", |_| {}).unwrap());
        assert_eq!(shots(1, 1), shots(3, 1));
        assert_ne!(shots(1, 1), shots(1, 2));
        assert_eq!(shots(2, 1).total(), 500);
    }

    #[test]
    fn captains_are_compared_game_by_game() {
        let games = campaign(300, 1);
        let differences = games.compare("random", "density", |_| {}).unwrap();
        let means = ["random", "density"].map(|name| games.play(name, |_| {}).unwrap().mean());
        assert!((differences.mean() - (means[0] - means[1])).abs() < 1e-9);
        let same = games.compare("density", "density-plain", |_| {}).unwrap();
        assert_eq!(same.count_of(0), 300, "these two make the same shots");
    }

    #[test]
    fn random_play_takes_as_long_as_theory_says() {
        let shots = campaign(20_000, 3).play("random", |_| {}).unwrap();
        // The last of k ship cells among n cells comes with shot k(n + 1)/(k + 1) on average.
        let theory = 7.0 * 37.0 / 8.0;
        assert!((shots.mean() - theory).abs() < 4.0 * shots.std_err(), "{} ± {}", shots.mean(), shots.std_err());
    }

    #[test]
    fn all_games_are_told_of_and_unknown_captains_refused() {
        let told = AtomicU64::new(0);
        campaign(100, 1).play("random", |games| _ = told.fetch_add(games, Ordering::Relaxed)).unwrap();
        assert_eq!(told.into_inner(), 100);
        assert!(matches!(campaign(1, 1).play("nobody", |_| {}), Err(CampaignError::Captain(_))));
    }
}
