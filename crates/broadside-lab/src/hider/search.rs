//! Layouts that a captain finds late.
//!
//! The search plays uniform layouts first and keeps the worst for the captain. Then it moves one ship at a time in each of
//! these, and keeps a change that takes the captain no fewer shots. What it finds was chosen because it did well, so its own
//! games say too much: layouts are judged by other games.

use broadside_captains::{Captain, GameRng, Registry};
use broadside_odds::Dealer;
use broadside_rules::{Draft, Layout, Placement, Referee, Rules, Stop};
use rand::RngExt;

use super::HiderError;
use crate::campaign::play_game;
use crate::{generator, noise_seed};

/// How much a search may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// About how many games the captain plays.
    pub games: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self { games: 20_000 }
    }
}

/// A layout and what a captain needs for it.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedLayout {
    /// The layout.
    pub layout: Layout,
    /// The mean shots.
    pub mean: f64,
    /// Their standard error. 0 for a captain without random choices.
    pub std_err: f64,
}

/// So many layouts are kept and changed.
const KEPT: usize = 32;

/// Games for each layout if the captain makes random choices.
const GAMES_EACH: u64 = 16;

/// The share of the games that look at uniform layouts: one in so many.
const UNIFORM_SHARE: u64 = 4;

/// The seed of the layouts and the games of a search that is given none.
const SEED: u64 = 0x0a11_0f17;

/// A search for the layouts that a captain finds late.
pub struct LayoutSearch {
    rules: Rules,
    captain: Box<dyn Captain>,
    games_left: u64,
    seed: u64,
    stop: Stop,
}

impl LayoutSearch {
    /// A search against this captain.
    ///
    /// # Errors
    /// When there is no such captain, or not for these rules.
    pub fn new(captain: &str, rules: &Rules, registry: &Registry, effort: Effort) -> Result<Self, HiderError> {
        Ok(Self::with_captain(registry.captain(captain, rules)?, rules, effort))
    }

    /// A search against this captain, which was made for these rules.
    pub fn with_captain(captain: Box<dyn Captain>, rules: &Rules, effort: Effort) -> Self {
        Self { rules: rules.clone(), captain, games_left: effort.games, seed: SEED, stop: Stop::never() }
    }

    /// Searches elsewhere than with another seed. Without it, the same layouts are found every time.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Gives up as soon as it is told to.
    #[must_use]
    pub fn until(mut self, stop: &Stop) -> Self {
        self.captain.set_stop(stop);
        self.stop = stop.clone();
        self
    }

    /// The worst layouts found, the worst first, with the shots that the search has seen.
    ///
    /// # Errors
    /// When the board is too tight to deal from, or the search was stopped.
    pub fn run(mut self) -> Result<Vec<JudgedLayout>, HiderError> {
        let mut found = self.uniform()?;
        let mut rng = generator(self.seed, u64::MAX);
        while self.games_left > 0 {
            for kept in &mut found {
                self.stop.check()?;
                let Some(changed) = with_a_ship_moved(&kept.layout, &self.rules, &mut rng) else {
                    self.games_left = self.games_left.saturating_sub(1);
                    continue;
                };
                let judged = self.judge(&changed);
                if judged.mean >= kept.mean {
                    *kept = judged;
                }
            }
        }
        found.sort_by(|a, b| b.mean.total_cmp(&a.mean));
        let mut distinct: Vec<JudgedLayout> = Vec::new();
        for judged in found {
            if distinct.iter().all(|other| other.layout != judged.layout) {
                distinct.push(judged);
            }
        }
        Ok(distinct)
    }

    /// The worst of many uniform layouts.
    fn uniform(&mut self) -> Result<Vec<JudgedLayout>, HiderError> {
        let mut dealer = Dealer::new(&self.rules);
        let end = self.games_left - self.games_left / UNIFORM_SHARE;
        let (mut found, mut number) = (Vec::new(), 0);
        while self.games_left > end || found.is_empty() {
            self.stop.check()?;
            let layout = dealer.uniform(&mut generator(self.seed, number))?;
            let judged = self.judge(&layout);
            found.push(judged);
            number += 1;
        }
        found.sort_by(|a: &JudgedLayout, b| b.mean.total_cmp(&a.mean));
        found.truncate(KEPT);
        Ok(found)
    }

    fn judge(&mut self, layout: &Layout) -> JudgedLayout {
        let judged = judge(self.captain.as_mut(), &self.rules, layout, GAMES_EACH, self.seed.wrapping_add(1));
        self.games_left = self.games_left.saturating_sub(if judged.std_err > 0.0 { GAMES_EACH } else { 1 });
        judged
    }
}

/// The mean shots of a captain for a layout, by so many games, or by one if it makes no random choices.
///
/// ```
/// use broadside_captains::captain;
/// use broadside_lab::judge;
/// use broadside_rules::{Draft, Rules};
///
/// let rules: Rules = "1x3 2 allowed ship".parse()?;
/// let layout = "A1-A2".parse::<Draft>()?.check(&rules).into_layout().expect("a legal layout");
/// // It hits the middle, and then one of the ends.
/// let judged = judge(captain("density~", &rules)?.as_mut(), &rules, &layout, 400, 1);
/// assert!((judged.mean - 2.5).abs() < 5.0 * judged.std_err);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn judge(captain: &mut dyn Captain, rules: &Rules, layout: &Layout, games: u64, seed: u64) -> JudgedLayout {
    let mut shots = Vec::new();
    for game in 0..games.max(1) {
        let fresh = generator(seed, game);
        let mut rng = fresh.clone();
        shots
            .push(play_game(captain, &mut Referee::new(rules, layout.clone()).with_noise_seed(noise_seed(seed, game)), &mut rng)
                as f64);
        if rng == fresh && rules.noise().is_none() {
            break;
        }
    }
    let (mean, std_err) = mean_and_error(&shots);
    JudgedLayout { layout: layout.clone(), mean, std_err }
}

/// The mean and its standard error.
fn mean_and_error(shots: &[f64]) -> (f64, f64) {
    let games = shots.len() as f64;
    let mean = shots.iter().sum::<f64>() / games;
    let squares: f64 = shots.iter().map(|shots| (shots - mean).powi(2)).sum();
    (mean, if shots.len() > 1 { (squares / (games - 1.0) / games).sqrt() } else { 0.0 })
}

/// The layout with one ship, drawn at random, elsewhere at random; `None` if that ship clashes there with another.
pub fn with_a_ship_moved(layout: &Layout, rules: &Rules, rng: &mut GameRng) -> Option<Layout> {
    let mut ships = layout.ships().to_vec();
    let ship = rng.random_range(0..ships.len());
    let places: Vec<Placement> = rules.placements(ships[ship].length()).collect();
    ships[ship] = places[rng.random_range(0..places.len())];
    Draft::Ships(ships).check(rules).into_layout().ok()
}

/// The layout with so many of its ships, drawn at random, elsewhere at random; `None` if any two clash then. Several that are moved at once may
/// change places, or make room for each other.
///
/// ```
/// use broadside_lab::{generator, with_ships_moved};
/// use broadside_rules::{Draft, Rules};
///
/// let rules: Rules = "3x3 3,2 allowed ship".parse()?;
/// let layout = "A1-A3 B1-B2".parse::<Draft>()?.check(&rules).into_layout().expect("a legal layout");
/// let moved = (0..20).find_map(|number| with_ships_moved(&layout, &rules, 2, &mut generator(1, number)));
/// assert_ne!(moved.expect("most moves are legal").ships(), layout.ships());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn with_ships_moved(layout: &Layout, rules: &Rules, count: usize, rng: &mut GameRng) -> Option<Layout> {
    let mut ships = layout.ships().to_vec();
    for ship in rand::seq::index::sample(rng, ships.len(), count.min(ships.len())) {
        let places: Vec<Placement> = rules.placements(ships[ship].length()).collect();
        ships[ship] = places[rng.random_range(0..places.len())];
    }
    Draft::Ships(ships).check(rules).into_layout().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_most_so_many_ships_are_moved_and_every_layout_is_within_reach() {
        let rules: Rules = "1x6 2,1 allowed ship".parse().unwrap();
        let layout = "A1-A2 A3".parse::<Draft>().unwrap().check(&rules).into_layout().unwrap();
        let reached = |count: usize| {
            let moved = (0..2000).filter_map(|number| with_ships_moved(&layout, &rules, count, &mut generator(1, number)));
            moved.map(|layout| layout.to_string()).collect::<std::collections::BTreeSet<_>>()
        };
        // The ship of 2 has three places that leave A3 free, A1-A2 among them, and the ship of 1 the four cells beside A1-A2.
        let one = ["A1-A2 A3", "A1-A2 A4", "A1-A2 A5", "A1-A2 A6", "A4-A5 A3", "A5-A6 A3"];
        assert_eq!(reached(1), one.map(str::to_owned).into());
        // Five places of the ship of 2, each with four free cells.
        assert_eq!(reached(2).len(), 20);
        assert_eq!(reached(9), reached(2), "there are no more than two");
        assert_eq!(reached(0).len(), 1);
    }

    #[test]
    fn it_finds_layouts_that_are_worse_than_the_mean() {
        let rules: Rules = "6x6 3,2 allowed ship".parse().unwrap();
        let search = |name: &str| LayoutSearch::new(name, &rules, &Registry::new(), Effort { games: 2000 }).unwrap();
        let found = search("density").run().unwrap();
        assert!(found.len() > 1 && found.len() <= KEPT);
        assert!(found.is_sorted_by(|a, b| a.mean >= b.mean));
        let mut dealer = Dealer::new(&rules);
        let mut search = search("density");
        let uniform: Vec<f64> =
            (0..200).map(|game| search.judge(&dealer.uniform(&mut generator(3, game)).unwrap()).mean).collect();
        let (mean, _) = mean_and_error(&uniform);
        assert!(found.last().unwrap().mean > mean + 5.0, "{mean} and {}", found.last().unwrap().mean);
    }

    #[test]
    fn a_captain_that_draws_lots_plays_several_games_and_has_an_error() {
        let rules: Rules = "4x4 3 allowed ship".parse().unwrap();
        let mut search = LayoutSearch::new("random", &rules, &Registry::new(), Effort { games: 500 }).unwrap();
        let layout = Dealer::new(&rules).uniform(&mut generator(1, 1)).unwrap();
        assert!(search.judge(&layout).std_err > 0.0);
    }
}
