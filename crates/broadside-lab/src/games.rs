//! Many games, on all threads, that can be had again.
//!
//! Game `i` under a seed is dealt and played with the generator of item `i` ([`generator`](crate::generator)), so the
//! results don't depend on the number of threads, and a longer campaign continues a shorter one. Captains on the same
//! campaign meet the same layouts, so they can be compared game by game.

use std::sync::atomic::{AtomicU64, Ordering};

use broadside_captains::{Captain, EnlistError, GameRng, captain};
use broadside_rules::{DealError, Dealer, Layout, Referee, Rules};

use crate::{Histogram, generator};

/// Games that a thread takes at a time: many enough that taking them costs nothing, few enough that no thread waits
/// long for another at the end.
const BATCH: u64 = 64;

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
    Captain(#[from] EnlistError),
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
        self.count([name], &self.shots(), |[shots]| shots, tell)
    }

    /// How many more shots one captain took than another, game by game on the same layouts.
    ///
    /// # Errors
    /// When there is no such captain, or the board is too tight to deal from.
    pub fn compare(&self, name: &str, with: &str, tell: impl Fn(u64) + Sync) -> Result<Histogram, CampaignError> {
        let cells = self.rules.grid().len().cast_signed() as i64;
        self.count([name, with], &Histogram::new(-cells, cells), |[shots, others]| shots - others, tell)
    }

    fn shots(&self) -> Histogram {
        Histogram::new(0, self.rules.grid().len().cast_signed() as i64)
    }

    /// A histogram of a number for each game.
    fn count<const N: usize>(
        &self,
        names: [&str; N],
        empty: &Histogram,
        number: impl Fn([i64; N]) -> i64 + Sync,
        tell: impl Fn(u64) + Sync,
    ) -> Result<Histogram, CampaignError> {
        let next = AtomicU64::new(0);
        // One piece of work for each thread, since captains remember much that would be lost with each new one.
        let parts = rayon::broadcast(|_| -> Result<Histogram, CampaignError> {
            let (mut part, mut tables) = (empty.clone(), self.tables(names)?);
            while let Some(batch) = self.take(&next) {
                let games = batch.end - batch.start;
                for game in batch {
                    part.add(number(self.shots_of(&mut tables, game)?));
                }
                tell(games);
            }
            Ok(part)
        });
        parts.into_iter().try_fold(empty.clone(), |mut whole, part| {
            whole.merge(&part?);
            Ok(whole)
        })
    }

    fn take(&self, next: &AtomicU64) -> Option<std::ops::Range<u64>> {
        let start = next.fetch_add(BATCH, Ordering::Relaxed);
        (start < self.games).then(|| start..(start + BATCH).min(self.games))
    }

    fn tables<const N: usize>(&self, names: [&str; N]) -> Result<Tables<N>, CampaignError> {
        let mut captains = Vec::with_capacity(N);
        for name in names {
            captains.push(captain(name, &self.rules)?);
        }
        let captains = captains.try_into().unwrap_or_else(|_| unreachable!("a captain for each name"));
        Ok(Tables { dealer: Dealer::new(&self.rules), captains, referee: None })
    }

    /// How many shots each captain takes for a game.
    fn shots_of<const N: usize>(&self, tables: &mut Tables<N>, game: u64) -> Result<[i64; N], DealError> {
        let mut shots = [0; N];
        for (captain, shots) in tables.captains.iter_mut().zip(&mut shots) {
            // Dealt again for each, so that each draws the lots that it would draw alone.
            let mut rng = generator(self.seed, game);
            let layout = tables.dealer.uniform(&mut rng)?;
            *shots = play(captain.as_mut(), seat(&mut tables.referee, &self.rules, layout), &mut rng);
        }
        Ok(shots)
    }
}

/// What a thread keeps from game to game.
struct Tables<const N: usize> {
    dealer: Dealer,
    captains: [Box<dyn Captain>; N],
    referee: Option<Referee>,
}

/// The referee of a new game, who keeps the memory of the last.
fn seat<'a>(referee: &'a mut Option<Referee>, rules: &Rules, layout: Layout) -> &'a mut Referee {
    match referee {
        Some(referee) => {
            referee.restart(layout);
            referee
        }
        None => referee.insert(Referee::new(rules, layout)),
    }
}

pub(crate) fn play(captain: &mut dyn Captain, referee: &mut Referee, rng: &mut GameRng) -> i64 {
    while !referee.is_over() {
        let cell = captain.aim(referee.log(), rng);
        referee.fire(cell).expect("a captain's shots are legal");
    }
    referee.log().len().cast_signed() as i64
}

#[cfg(test)]
mod tests {
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
        let none = games.compare("hunt-target", "hunt-target", |_| {}).unwrap();
        assert_eq!(none.count_of(0), 300);
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
