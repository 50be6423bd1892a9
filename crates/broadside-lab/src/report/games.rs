//! The games that the report plays, or takes from finished campaigns.

use broadside_captains::{Captain, captain};
use broadside_rules::{Dealer, Referee, Rules, ShotLog};
use rayon::prelude::*;

use super::check::Sampled;
use super::{Settings, Watch};
use crate::{Campaign, CampaignError, Histogram, generator};

/// Games of a partial kind that a thread takes at a time.
const BATCH: u64 = 4096;

/// Who plays the report's games.
pub(super) struct Games<'a> {
    pub(super) settings: &'a Settings,
    watch: &'a dyn Watch,
}

/// A finder with both sinkers on the same layouts.
pub(super) struct Paired {
    pub(super) brute: Sampled,
    pub(super) smart: Sampled,
    /// Smart less brute, game by game.
    pub(super) difference: Sampled,
}

impl<'a> Games<'a> {
    pub(super) fn new(settings: &'a Settings, watch: &'a dyn Watch) -> Self {
        Self { settings, watch }
    }

    fn campaign(&self, rules: &Rules, games: u64) -> Campaign {
        Campaign { rules: rules.clone(), games, seed: self.settings.seed }
    }

    /// How many games took each number of shots.
    pub(super) fn shots(&self, rules: &Rules, name: &str, games: u64) -> Result<Histogram, CampaignError> {
        self.watch.begin(name);
        self.campaign(rules, games).play(name, |games| self.watch.played(games))
    }

    /// How many more shots one captain takes than another on the same layouts.
    pub(super) fn difference(&self, rules: &Rules, name: &str, with: &str, games: u64) -> Result<Sampled, CampaignError> {
        self.watch.begin(&format!("{name} against {with}"));
        let differences = self.campaign(rules, games).compare(name, with, |games| self.watch.played(2 * games))?;
        Ok(sampled(&differences))
    }

    /// A finder with both sinkers.
    pub(super) fn pair(&self, rules: &Rules, finder: &str, games: u64) -> Result<Paired, CampaignError> {
        let (smart, brute) = (format!("{finder}+smart"), format!("{finder}+brute"));
        Ok(Paired {
            brute: sampled(&self.shots(rules, &brute, games)?),
            smart: sampled(&self.shots(rules, &smart, games)?),
            difference: self.difference(rules, &smart, &brute, games)?,
        })
    }

    /// With which shot the first hit comes.
    pub(super) fn first_hits(&self, rules: &Rules, name: &str, games: u64) -> Result<Histogram, CampaignError> {
        self.watch.begin(&format!("{name} to the first hit"));
        self.until(rules, name, games, |log| (log.hit_count() > 0).then_some(log.len()))
    }

    /// How many shots a whole game takes beyond the first hit.
    pub(super) fn after_first_hit(&self, rules: &Rules, name: &str, games: u64) -> Result<Histogram, CampaignError> {
        self.watch.begin(&format!("{name} after the first hit"));
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
            self.watch.played(end - start);
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
