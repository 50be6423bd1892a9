//! The games that the report plays, or takes from finished campaigns.

use broadside_captains::{Captain, captain};
use broadside_odds::Dealer;
use broadside_rules::{Referee, Rules, ShotLog};
use rayon::prelude::*;

use super::check::Sampled;
use super::{Progress, Settings};
use crate::{Campaign, CampaignConfig, CampaignError, Histogram, Layouts, Tally, generator};

/// Games of a partial kind that a thread takes at a time.
const BATCH: u64 = 4096;

/// Who plays the report's games.
pub(super) struct Games<'a> {
    pub(super) settings: &'a Settings,
    progress: &'a dyn Progress,
}

/// A finder with both sinkers on the same layouts.
pub(super) struct Paired {
    pub(super) brute: Sampled,
    pub(super) smart: Sampled,
    /// Smart less brute, game by game.
    pub(super) difference: Sampled,
}

impl<'a> Games<'a> {
    pub(super) fn new(settings: &'a Settings, progress: &'a dyn Progress) -> Self {
        Self { settings, progress }
    }

    /// Tells that a new piece of work begins.
    pub(super) fn begin(&self, what: &str) {
        self.progress.begin(what);
    }

    /// How many games took each number of shots.
    pub(super) fn shots(&self, rules: &Rules, name: &str, games: u64, layouts: Layouts) -> Result<Histogram, CampaignError> {
        self.progress.begin(name);
        Ok(self.play(rules, &[name], games, layouts)?.shots()[0].clone())
    }

    /// How many more shots one captain takes than another on the same layouts.
    pub(super) fn difference(&self, rules: &Rules, name: &str, with: &str, games: u64) -> Result<Sampled, CampaignError> {
        Ok(self.play_pair(rules, name, with, games)?.difference)
    }

    /// A finder with both sinkers.
    pub(super) fn pair(&self, rules: &Rules, finder: &str, games: u64) -> Result<Paired, CampaignError> {
        self.play_pair(rules, &format!("{finder}+smart"), &format!("{finder}+brute"), games)
    }

    fn play_pair(&self, rules: &Rules, name: &str, with: &str, games: u64) -> Result<Paired, CampaignError> {
        self.progress.begin(&format!("{name} and {with}"));
        let tally = self.play(rules, &[name, with], games, Layouts::Uniform)?;
        let (shots, difference) = (tally.shots(), sampled(&tally.differences()[0]));
        Ok(Paired { smart: sampled(&shots[0]), brute: sampled(&shots[1]), difference })
    }

    fn play(&self, rules: &Rules, names: &[&str], games: u64, layouts: Layouts) -> Result<Tally, CampaignError> {
        let config = CampaignConfig { rules: rules.clone(), games, seed: self.settings.seed };
        let campaign = Campaign::new(config, names.iter().copied(), layouts)?;
        campaign.run(|games| self.progress.played(games * names.len() as u64))
    }

    /// With which shot the first hit comes.
    pub(super) fn first_hits(&self, rules: &Rules, name: &str, games: u64) -> Result<Histogram, CampaignError> {
        self.progress.begin(&format!("{name} to the first hit"));
        self.until(rules, name, games, |log| (log.hit_count() > 0).then_some(log.len()))
    }

    /// How many shots a whole game takes beyond the first hit.
    pub(super) fn after_first_hit(&self, rules: &Rules, name: &str, games: u64) -> Result<Histogram, CampaignError> {
        self.progress.begin(&format!("{name} after the first hit"));
        let first = |log: &ShotLog| log.shots().iter().position(|shot| shot.answer.is_hit()).map_or(0, |before| before + 1);
        self.until(rules, name, games, |log| log.is_over().then(|| log.len() - first(log)))
    }

    /// Plays each game until the log gives a number.
    fn until(
        &self,
        rules: &Rules,
        name: &str,
        games: u64,
        number: impl Fn(&ShotLog) -> Option<usize> + Sync,
    ) -> Result<Histogram, CampaignError> {
        let empty = || Histogram::new(0, rules.grid().len().cast_signed() as i64);
        let starts: Vec<u64> = (0..games).step_by(BATCH as usize).collect();
        let batches = starts.into_par_iter().map(|start| -> Result<Histogram, CampaignError> {
            let (mut captain, mut dealer, mut part) = (captain(name, rules)?, Dealer::new(rules), empty());
            let end = games.min(start + BATCH);
            for game in start..end {
                let mut rng = generator(self.settings.seed, game);
                let mut referee = Referee::new(rules, dealer.uniform(&mut rng)?);
                part.add(play_until(captain.as_mut(), &mut referee, &mut rng, &number).cast_signed() as i64);
            }
            self.progress.played(end - start);
            Ok(part)
        });
        batches.try_reduce(empty, |mut whole, part| {
            whole.merge(&part);
            Ok(whole)
        })
    }
}

fn play_until(
    captain: &mut dyn Captain,
    referee: &mut Referee,
    rng: &mut broadside_captains::GameRng,
    number: &impl Fn(&ShotLog) -> Option<usize>,
) -> usize {
    loop {
        let cell = captain.aim(referee.log(), rng);
        referee.fire(cell).expect("a captain's shots are legal");
        if let Some(number) = number(referee.log()) {
            return number;
        }
    }
}

/// The mean of what was counted.
pub(super) fn sampled(histogram: &Histogram) -> Sampled {
    Sampled { value: histogram.mean(), std_err: histogram.std_err() }
}
