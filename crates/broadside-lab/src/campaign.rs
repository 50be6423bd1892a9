//! Campaigns: captains play many games on the same layouts.
//!
//! Game `i` is dealt and played with [`generator(seed, i)`](crate::generator). So results don't depend on the number of
//! threads or on interruptions, and a longer campaign continues a shorter one.

use std::iter::repeat_n;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use broadside_captains::{Captain, GameRng, Registry};
use broadside_odds::{Budget, Dealer};
use broadside_rules::{Layout, Referee, Rules, Stop, Stopped};
use rand::RngExt;

use crate::{CampaignConfig, CampaignError, CaptainFactory, Layouts, Ranges, Tally, generator, noise_seed};

/// Games that a thread takes at a time: enough to make the taking cheap, few enough to pause soon with slow captains.
const BATCH: u64 = 32;

/// Captains who play the same games.
///
/// The generator of game `i` deals the layout. Every captain then gets a copy of that generator, so each plays as it would
/// alone.
///
/// ```
/// use broadside_lab::{Campaign, CampaignConfig, Layouts};
/// let config = CampaignConfig { rules: "5x5 3,2 allowed ship".parse()?, games: 100, seed: 1 };
/// let campaign = Campaign::new(config, ["random", "density"], Layouts::Uniform)?;
/// let tally = campaign.run(|_| {})?;
/// assert!(tally.shots()[0].mean() > tally.shots()[1].mean());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Campaign {
    config: CampaignConfig,
    captains: Vec<CaptainFactory>,
    layouts: Layouts,
    dealer: Dealer,
    stop: Stop,
    budget: Option<Budget>,
    /// Workers that are not playing now. They are used again because captains keep tables that are slow to build.
    idle: Mutex<Vec<Worker>>,
}

impl Campaign {
    /// A campaign of these captains: names of the roster, or a [`CaptainFactory`] for a captain of your own.
    ///
    /// # Errors
    /// When a captain is unknown, none is given or one is given twice, or when the list of layouts is empty.
    pub fn new(
        config: CampaignConfig,
        captains: impl IntoIterator<Item = impl Into<CaptainFactory>>,
        layouts: Layouts,
    ) -> Result<Self, CampaignError> {
        let captains: Vec<CaptainFactory> = captains.into_iter().map(Into::into).collect();
        let is_repeated =
            |(i, captain): &(usize, &CaptainFactory)| captains[..*i].iter().any(|other| other.name() == captain.name());
        if let Some((_, captain)) = captains.iter().enumerate().find(is_repeated) {
            return Err(CampaignError::DuplicateCaptain(captain.name().to_owned()));
        }
        if captains.is_empty() {
            return Err(CampaignError::NoCaptains);
        }
        if matches!(&layouts, Layouts::Listed(layouts) if layouts.is_empty()) {
            return Err(CampaignError::NoLayouts);
        }
        let dealer = layouts.dealer(Dealer::new(&config.rules));
        let campaign =
            Self { config, captains, layouts, dealer, stop: Stop::never(), budget: None, idle: Mutex::new(Vec::new()) };
        let worker = campaign.worker()?;
        campaign.idle().push(worker);
        Ok(campaign)
    }

    /// A campaign of captains of this registry.
    ///
    /// # Errors
    /// As for [`Campaign::new`].
    pub fn with_registry(
        registry: &Registry,
        config: CampaignConfig,
        captains: impl IntoIterator<Item = impl Into<String>>,
        layouts: Layouts,
    ) -> Result<Self, CampaignError> {
        Self::new(config, captains.into_iter().map(|name| CaptainFactory::registered(registry, name)), layouts)
    }

    /// The same campaign, which gives up when it is asked to stop: while it deals, and with every shot. To keep
    /// the games played so far, use the pause of [`Campaign::play`] instead.
    #[must_use]
    pub fn until(self, stop: &Stop) -> Self {
        Self { dealer: self.dealer.until(stop), stop: stop.clone(), idle: Mutex::new(Vec::new()), ..self }
    }

    /// The same campaign with so much memory for the tables of each captain on each thread, and for those of dealing. What
    /// captains with tables play depends on it where they need more.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { dealer: self.dealer.with_budget(budget), budget: Some(budget), idle: Mutex::new(Vec::new()), ..self }
    }

    /// The rules, the number of games and the seed.
    pub fn config(&self) -> &CampaignConfig {
        &self.config
    }

    /// The names of the captains.
    pub fn captains(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.captains.iter().map(CaptainFactory::name)
    }

    /// Where the layouts come from.
    pub fn layouts(&self) -> &Layouts {
        &self.layouts
    }

    /// The tally before the first game.
    pub fn start(&self) -> Tally {
        Tally::new(&self.config.rules, self.captains.len())
    }

    /// Plays all games. `played` is called with the number of games whenever some are done.
    ///
    /// Runs on all threads of the current rayon pool.
    ///
    /// # Errors
    /// When the layouts can't be dealt, or the campaign is stopped.
    pub fn run(&self, played: impl Fn(u64) + Sync) -> Result<Tally, CampaignError> {
        let mut tally = self.start();
        self.play(&mut tally, |games| {
            played(games);
            false
        })?;
        Ok(tally)
    }

    /// Plays on from a tally until all games are played or `pause` returns `true`. `pause` is called with the number of
    /// games whenever some are done. Missing games are played in order, so the tally after `n` games is always the same, however
    /// often the campaign was paused and on however many threads it ran.
    ///
    /// Runs on all threads of the current rayon pool.
    ///
    /// ```
    /// use broadside_lab::{Campaign, CampaignConfig, Layouts};
    /// let config = CampaignConfig { rules: "5x5 3,2 allowed ship".parse()?, games: 100, seed: 1 };
    /// let campaign = Campaign::new(config, ["random"], Layouts::Uniform)?;
    /// let mut tally = campaign.start();
    /// while tally.played() < 100 {
    ///     campaign.play(&mut tally, |_| true)?;
    /// }
    /// assert_eq!(tally, campaign.run(|_| {})?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the layouts can't be dealt, or the campaign is stopped. The tally is then unchanged.
    pub fn play(&self, tally: &mut Tally, pause: impl Fn(u64) -> bool + Sync) -> Result<(), CampaignError> {
        self.play_games(&(0..self.config.games).into(), tally, pause)
    }

    /// Plays those of these games that the tally doesn't have, as [`Campaign::play`] does for all. Games past the end of the
    /// campaign are not played.
    ///
    /// A campaign is a set of games in any parts, which may be played anywhere and put together by [`Merge`](crate::Merge):
    ///
    /// ```
    /// use broadside_lab::{Campaign, CampaignConfig, Layouts};
    /// let config = CampaignConfig { rules: "5x5 3,2 allowed ship".parse()?, games: 100, seed: 1 };
    /// let campaign = Campaign::new(config, ["random"], Layouts::Uniform)?;
    /// let mut tally = campaign.start();
    /// for part in ["40..100", "0..40"] {
    ///     campaign.play_games(&part.parse()?, &mut tally, |_| false)?;
    /// }
    /// assert_eq!(tally, campaign.run(|_| {})?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Campaign::play`].
    pub fn play_games(&self, games: &Ranges, tally: &mut Tally, pause: impl Fn(u64) -> bool + Sync) -> Result<(), CampaignError> {
        let missing = games.intersection(&(0..self.config.games).into()).without(tally.games());
        let (next, paused) = (AtomicU64::new(0), AtomicBool::new(false));
        let parts = rayon::broadcast(|_| -> Result<Tally, CampaignError> {
            let (mut part, mut worker) = (self.start(), self.worker()?);
            // A thread plays all games that it takes, so the games played are the first ones of those that were missing.
            while let Some(batch) = take(&next, missing.len()) {
                let games = batch.end - batch.start;
                for game in missing.at(batch).flatten() {
                    part.add(worker.play(self, game)?);
                }
                if pause(games) {
                    paused.store(true, Ordering::Relaxed);
                }
                if paused.load(Ordering::Relaxed) {
                    break;
                }
            }
            self.idle().push(worker);
            Ok(part)
        });
        let parts = parts.into_iter().collect::<Result<Vec<_>, _>>()?;
        for part in &parts {
            tally.merge(part);
        }
        let played = parts.iter().map(|part| part.shots()[0].total()).sum();
        tally.insert(missing.at(0..played));
        Ok(())
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An idle worker, or a new one.
    fn worker(&self) -> Result<Worker, CampaignError> {
        if let Some(worker) = self.idle().pop() {
            return Ok(worker);
        }
        let rules = &self.config.rules;
        let mut captains = self.captains.iter().map(|captain| captain.make(rules)).collect::<Result<Vec<_>, _>>()?;
        for captain in &mut captains {
            captain.set_stop(&self.stop);
            if let Some(budget) = self.budget {
                captain.set_budget(budget);
            }
        }
        Ok(Worker { dealer: self.dealer.clone(), shots: vec![0; captains.len()], captains, referee: None })
    }
}

/// The places of the next few games, if any of so many are left.
fn take(next: &AtomicU64, games: u64) -> Option<Range<u64>> {
    let start = next.fetch_add(BATCH, Ordering::Relaxed);
    (start < games).then(|| start..(start + BATCH).min(games))
}

/// What a thread keeps from game to game.
struct Worker {
    dealer: Dealer,
    captains: Vec<Box<dyn Captain>>,
    referee: Option<Referee>,
    shots: Vec<i64>,
}

impl Worker {
    /// How many shots each captain takes for a game.
    fn play(&mut self, campaign: &Campaign, game: u64) -> Result<&[i64], CampaignError> {
        let CampaignConfig { rules, seed, .. } = &campaign.config;
        let mut rng = generator(*seed, game);
        let layout = campaign.layouts.for_game(game, &mut self.dealer, &mut rng)?;
        let layouts = repeat_n(layout, self.captains.len());
        for ((captain, shots), layout) in self.captains.iter_mut().zip(&mut self.shots).zip(layouts) {
            let mut rng = rng.clone();
            let mut play = |captain: &mut dyn Captain, layout, rng: &mut GameRng| {
                let referee = referee_for(&mut self.referee, rules, layout);
                if !rules.noise().is_none() {
                    referee.set_noise_seed(noise_seed(*seed, game));
                }
                play_game_until(captain, referee, rng, &campaign.stop)
            };
            *shots = match captain.turned_board() {
                Some((captain, ways)) => {
                    let way = ways[rng.random_range(0..ways.len())];
                    play(captain, way.layout(&layout), &mut rng)
                }
                None => play(captain.as_mut(), layout, &mut rng),
            }?;
        }
        Ok(&self.shots)
    }
}

/// The referee of a new game. The old one is used again, with its allocations.
fn referee_for<'a>(referee: &'a mut Option<Referee>, rules: &Rules, layout: Layout) -> &'a mut Referee {
    match referee {
        Some(referee) => {
            referee.restart(layout);
            referee
        }
        None => referee.insert(Referee::new(rules, layout)),
    }
}

/// Plays a game to its end, and returns the number of shots.
pub(crate) fn play_game(captain: &mut dyn Captain, referee: &mut Referee, rng: &mut GameRng) -> i64 {
    play_game_until(captain, referee, rng, &Stop::never()).expect("nobody stops it")
}

fn play_game_until(captain: &mut dyn Captain, referee: &mut Referee, rng: &mut GameRng, stop: &Stop) -> Result<i64, Stopped> {
    while !referee.is_over() {
        let cell = captain.aim(referee.log(), rng);
        // A captain that was stopped returns any cell, so the game doesn't count.
        stop.check()?;
        referee.fire(cell).expect("a captain's shots are legal");
    }
    Ok(referee.log().len().cast_signed() as i64)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use broadside_rules::Draft;

    use super::*;
    use crate::Histogram;

    const NAMES: [&str; 3] = ["random", "hunt-target", "density"];

    fn config(games: u64, seed: u64) -> CampaignConfig {
        CampaignConfig { rules: "6x6 3,2,2 allowed ship".parse().unwrap(), games, seed }
    }

    fn campaign(games: u64, layouts: Layouts) -> Campaign {
        Campaign::new(config(games, 4), NAMES, layouts).unwrap()
    }

    /// The shots of one captain.
    fn shots(config: CampaignConfig, name: &str) -> Histogram {
        Campaign::new(config, [name], Layouts::Uniform).unwrap().run(|_| {}).unwrap().shots()[0].clone()
    }

    /// How many more shots one captain takes than another.
    fn differences(config: CampaignConfig, names: [&str; 2]) -> Histogram {
        Campaign::new(config, names, Layouts::Uniform).unwrap().run(|_| {}).unwrap().differences()[0].clone()
    }

    fn whole(campaign: &Campaign) -> Tally {
        campaign.run(|_| {}).unwrap()
    }

    #[test]
    fn pauses_and_threads_leave_no_trace() {
        let campaign = campaign(500, Layouts::Uniform);
        let expected = whole(&campaign);
        assert_eq!(expected.played(), 500);
        for threads in 1..4 {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (mut tally, mut rounds) = (campaign.start(), 0);
            while tally.played() < 500 {
                pool.install(|| campaign.play(&mut tally, |_| true)).unwrap();
                rounds += 1;
                let prefix =
                    Campaign::new(CampaignConfig { games: tally.played(), ..campaign.config().clone() }, NAMES, Layouts::Uniform);
                assert_eq!(tally, whole(&prefix.unwrap()), "the first games come first");
            }
            assert!(rounds > 5);
            assert_eq!(tally, expected);
        }
    }

    #[test]
    fn parts_in_any_order_add_up_to_the_whole() {
        let campaign = campaign(500, Layouts::Uniform);
        let (expected, mut tally) = (whole(&campaign), campaign.start());
        for part in ["490..9999", "3..4,100..333", "0..490"] {
            let part: Ranges = part.parse().unwrap();
            let left = part.intersection(&(0..500).into()).without(tally.games()).len();
            let reported = AtomicU64::new(0);
            campaign.play_games(&part, &mut tally, |games| reported.fetch_add(games, Ordering::Relaxed) == u64::MAX).unwrap();
            assert_eq!(reported.into_inner(), left, "no game is played twice");
        }
        assert_eq!(tally, expected);
    }

    #[test]
    fn a_paused_part_has_the_first_of_its_missing_games() {
        let campaign = campaign(500, Layouts::Uniform);
        let (part, mut tally): (Ranges, Tally) = ("10..20,400..500".parse().unwrap(), campaign.start());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| campaign.play_games(&part, &mut tally, |_| true)).unwrap();
        assert_eq!(tally.games().to_string(), "10..20,400..422", "one batch of 32 games");
        while tally.games() != &part {
            campaign.play_games(&part, &mut tally, |_| true).unwrap();
        }
        assert!(tally.shots().iter().all(|shots| shots.total() == 110));
    }

    #[test]
    fn each_captain_plays_as_it_would_alone() {
        for layouts in [Layouts::Uniform, Layouts::Sequential] {
            let together = whole(&campaign(200, layouts.clone()));
            for (name, shots) in NAMES.iter().zip(together.shots()) {
                let alone = Campaign::new(config(200, 4), [*name], layouts.clone()).unwrap();
                assert_eq!(whole(&alone).shots()[0], *shots);
            }
        }
    }

    #[test]
    fn listed_layouts_come_one_after_the_other_and_start_over() {
        let rules: Rules = "1x4 1 allowed ship".parse().unwrap();
        let layouts = ["A1", "A3"].map(|text| text.parse::<Draft>().unwrap().check(&rules).into_layout().unwrap());
        let config = CampaignConfig { rules, games: 5, seed: 1 };
        // Where nothing is known density takes the first cell: one shot for A1, three at most for A3.
        let campaign = Campaign::new(config, ["density"], Layouts::Listed(layouts.into())).unwrap();
        let mut worker = campaign.worker().unwrap();
        let shots: Vec<i64> = (0..5).map(|game| worker.play(&campaign, game).unwrap()[0]).collect();
        assert_eq!([shots[0], shots[2], shots[4]], [1; 3]);
        assert!(shots[1] > 1 && shots[3] > 1, "{shots:?}");
    }

    #[test]
    fn a_captain_that_turns_the_board_plays_each_way_as_often() {
        let rules: Rules = "6x6 3,2,2 allowed ship".parse().unwrap();
        let layout = "A1-A3 C5-D5 F2-F3".parse::<Draft>().unwrap().check(&rules).into_layout().unwrap();
        let tallied = |shots: &mut dyn FnMut(u64) -> i64| {
            let mut games = [0_i64; 37];
            (0..4000).for_each(|game| games[usize::try_from(shots(game)).unwrap()] += 1);
            games
        };
        // The same game as the captain plays when it sees nothing but the log.
        let by_log = tallied(&mut |game| {
            let mut turns = broadside_captains::captain("density~", &rules).unwrap();
            play_game(turns.as_mut(), &mut Referee::new(&rules, layout.clone()), &mut generator(9, game))
        });
        let config = CampaignConfig { rules: rules.clone(), games: 4000, seed: 1 };
        let campaign = Campaign::new(config, ["density~"], Layouts::Listed([layout.clone()].into())).unwrap();
        let mut worker = campaign.worker().unwrap();
        let played = tallied(&mut |game| worker.play(&campaign, game).unwrap()[0]);
        assert!(played.iter().filter(|&&games| games > 0).count() > 3, "{played:?}");
        for (shots, (one, other)) in played.into_iter().zip(by_log).enumerate() {
            // Six standard deviations of the difference.
            let (difference, most) = (one - other, 36 * (one + other));
            assert!(difference * difference <= most, "{shots} shots: {one} and {other} games");
        }
    }

    #[test]
    fn a_campaign_needs_captains_each_once_and_layouts() {
        let config = || CampaignConfig { rules: "6x6 3 allowed ship".parse().unwrap(), games: 1, seed: 1 };
        let refused = |names: &[&str], layouts| Campaign::new(config(), names.iter().copied(), layouts).err();
        assert!(matches!(refused(&["nobody"], Layouts::Uniform), Some(CampaignError::Captain(_))));
        assert_eq!(refused(&[], Layouts::Uniform), Some(CampaignError::NoCaptains));
        assert_eq!(
            refused(&["density", "density"], Layouts::Uniform),
            Some(CampaignError::DuplicateCaptain("density".to_owned()))
        );
        assert_eq!(refused(&["density"], Layouts::Listed([].into())), Some(CampaignError::NoLayouts));
    }

    #[test]
    fn the_games_depend_on_the_seed_and_not_on_the_threads() {
        let on = |threads, seed| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| shots(config(500, seed), "hunt-target"))
        };
        assert_eq!(on(1, 1), on(3, 1));
        assert_ne!(on(1, 1), on(1, 2));
        assert_eq!(on(2, 1).total(), 500);
    }

    #[test]
    fn captains_are_compared_game_by_game() {
        let found = differences(config(300, 1), ["random", "density"]);
        let means = ["random", "density"].map(|name| shots(config(300, 1), name).mean());
        assert!((found.mean() - (means[0] - means[1])).abs() < 1e-9);
        let same = differences(config(300, 1), ["density", "density-plain"]);
        assert_eq!(same.count_of(0), 300, "these two make the same shots");
    }

    #[test]
    fn random_play_takes_as_long_as_theory_says() {
        let shots = shots(config(20_000, 3), "random");
        // The last of k ship cells among n cells comes with shot k(n + 1)/(k + 1) on average.
        let theory = 7.0 * 37.0 / 8.0;
        assert!((shots.mean() - theory).abs() < 4.0 * shots.std_err(), "{} ± {}", shots.mean(), shots.std_err());
    }

    #[test]
    fn a_stopped_campaign_ends_with_an_error_and_leaves_the_tally_as_it_was() {
        let stop = Stop::new();
        let campaign = Campaign::new(config(1_000_000_000, 1), ["random"], Layouts::Uniform).unwrap().until(&stop);
        let mut tally = campaign.start();
        let played = AtomicU64::new(0);
        let stopped = campaign.play(&mut tally, |games| {
            if played.fetch_add(games, Ordering::Relaxed) > 100 {
                stop.stop();
            }
            false
        });
        assert_eq!(stopped, Err(CampaignError::Stopped(Stopped)));
        assert_eq!(tally, campaign.start());
    }

    #[test]
    fn all_games_are_reported() {
        let reported = AtomicU64::new(0);
        let campaign = Campaign::new(config(100, 1), ["random"], Layouts::Uniform).unwrap();
        campaign.run(|games| _ = reported.fetch_add(games, Ordering::Relaxed)).unwrap();
        assert_eq!(reported.into_inner(), 100);
    }
}
