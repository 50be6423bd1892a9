//! How well a fleet is hidden from a captain.

use broadside_captains::Captain;
use broadside_odds::Dealer;
use broadside_rules::{Layout, Rules, Stop};

use super::{HiderError, judge};
use crate::generator;

/// What a captain needs for a layout, beside uniform layouts.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedHiding {
    /// The mean shots for the layout.
    pub mean: f64,
    /// Their standard error. 0 for a captain without random choices.
    pub std_err: f64,
    /// The mean shots for uniform layouts.
    pub uniform: f64,
    /// The share of games on uniform layouts that took fewer shots than the layout does; games that took as many count half.
    pub later_than: f64,
}

/// Judges layouts by the games of a captain, all beside the same games on uniform layouts.
///
/// ```
/// use broadside_captains::captain;
/// use broadside_lab::HidingJudge;
/// use broadside_rules::{Draft, Rules, Stop};
///
/// let rules: Rules = "1x3 2 allowed ship".parse()?;
/// let layout = "A1-A2".parse::<Draft>()?.check(&rules).into_layout().expect("a legal layout");
/// // The middle, then the left end: 2 shots here, 3 for the other layout.
/// let judged = HidingJudge::new(captain("density", &rules)?, &rules, 50, 1, &Stop::never())?.judge(&layout)?;
/// assert_eq!((judged.mean, judged.std_err), (2.0, 0.0));
/// assert!(judged.uniform > 2.0 && judged.later_than < 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct HidingJudge {
    captain: Box<dyn Captain>,
    rules: Rules,
    games: u64,
    seed: u64,
    stop: Stop,
    /// The shots of the games on uniform layouts.
    uniform: Vec<f64>,
}

impl HidingJudge {
    /// Plays so many games on uniform layouts; as many measure each layout later. None of them has anything to do with a search.
    ///
    /// # Errors
    /// When the board is too tight to deal from, or the games were stopped.
    pub fn new(mut captain: Box<dyn Captain>, rules: &Rules, games: u64, seed: u64, stop: &Stop) -> Result<Self, HiderError> {
        captain.set_stop(stop);
        let mut judging = Self { captain, rules: rules.clone(), games, seed, stop: stop.clone(), uniform: Vec::new() };
        let mut dealer = Dealer::new(rules);
        for game in 0..games.max(1) {
            stop.check()?;
            let layout = dealer.uniform(&mut generator(seed.wrapping_add(1), game))?;
            let shots = judge(judging.captain.as_mut(), rules, &layout, 1, game).mean;
            judging.uniform.push(shots);
        }
        Ok(judging)
    }

    /// The captain's name.
    pub fn name(&self) -> &str {
        self.captain.name()
    }

    /// What the captain needs for a layout.
    ///
    /// # Errors
    /// When the games were stopped.
    pub fn judge(&mut self, layout: &Layout) -> Result<JudgedHiding, HiderError> {
        let judged = judge(self.captain.as_mut(), &self.rules, layout, self.games, self.seed);
        self.stop.check()?;
        let count = |is: fn(&f64, &f64) -> bool| self.uniform.iter().filter(|shots| is(shots, &judged.mean)).count() as f64;
        let games = self.uniform.len() as f64;
        Ok(JudgedHiding {
            mean: judged.mean,
            std_err: judged.std_err,
            uniform: self.uniform.iter().sum::<f64>() / games,
            later_than: (count(|a, b| a < b) + count(|a, b| (a - b).abs() < f64::EPSILON) / 2.0) / games,
        })
    }
}
