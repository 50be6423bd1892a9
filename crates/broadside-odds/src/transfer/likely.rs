//! Draws for captains from logs with turns of which only the number of hits is known: quick, and only nearly uniform.

use broadside_rules::{CalledTurn, Rules, Shot, ShotLog};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::{Sampler, Transfer};
use crate::cases::{self, WeightedCase};
use crate::{OutOfReach, Problem};

/// The cases of the last log, thinned after each turn.
#[derive(Debug, Default)]
pub(super) struct LikelyCases {
    rules: Option<Rules>,
    most: usize,
    shots: Vec<Shot>,
    called: Vec<CalledTurn>,
    cases: Vec<WeightedCase>,
}

impl LikelyCases {
    /// Forgets everything unless this log goes on from the last one.
    fn go_on(&mut self, log: &ShotLog, most: usize) {
        let goes_on = (self.rules.as_ref(), self.most) == (Some(log.rules()), most)
            && log.shots().starts_with(&self.shots)
            && log.called_turns().starts_with(&self.called);
        if !goes_on {
            let first = WeightedCase { answers: vec![], layouts: 1, weight: 1.0 };
            *self = Self { rules: Some(log.rules().clone()), most, shots: vec![], called: vec![], cases: vec![first] };
        }
    }

    /// Takes another turn apart: that after which the log was this one.
    fn add(&mut self, transfer: &mut Transfer, log: &ShotLog, turn: &CalledTurn) -> Result<(), OutOfReach> {
        let mut next = Vec::new();
        for mut case in std::mem::take(&mut self.cases) {
            case.answers.extend(log.shots()[case.answers.len()..].iter().map(|shot| shot.answer));
            for answers in cases::next(log, std::slice::from_ref(&case.answers), turn, 1 << 12)? {
                let layouts = transfer.total(&Problem::from_answers(log, &answers))?;
                next.extend((layouts > 0).then_some(WeightedCase { answers, layouts, weight: case.weight }));
            }
        }
        // The same log is always thinned in the same way, whoever asks and whenever.
        let hash = log
            .to_string()
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        self.cases = cases::thin(next, self.most, &mut Xoshiro256PlusPlus::seed_from_u64(hash));
        self.shots = log.shots().to_vec();
        self.called.push(turn.clone());
        Ok(())
    }
}

/// A number of layouts times a weight, rounded, and not to nothing.
#[expect(clippy::cast_sign_loss, reason = "neither is negative")]
fn weighted(layouts: u128, weight: f64) -> u128 {
    if layouts == 0 { 0 } else { ((layouts as f64 * weight) as u128).max(1) }
}

impl Transfer {
    /// A sampler of layouts that fit a log. It is uniform, or nearly so where there are turns of which only the number of hits is
    /// known and few draws would fit: of their cases only so many are followed then, the likelier ones for sure. For captains, which want a good guess in a
    /// short time; [`Transfer::sampler`] is exact. The same log always gives the same sampler.
    ///
    /// ```
    /// use broadside_odds::{Budget, Transfer};
    /// use broadside_rules::ShotLog;
    /// use rand::SeedableRng;
    ///
    /// let log = ShotLog::parse(&"5x5 3,2 allowed ship salvo=3:count".parse()?, "A1? B2? C3? =1 A3? B4? E5? =2")?;
    /// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
    /// let mut sampler = Transfer::new(Budget::default()).likely_sampler(&log, 4)?.expect("some layout fits");
    /// assert!(broadside_odds::oracle::fits(&log, &sampler.draw(&mut rng)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When that takes more than the budget.
    pub fn likely_sampler(&mut self, log: &ShotLog, cases: usize) -> Result<Option<Sampler>, OutOfReach> {
        if log.called_turns().is_empty() {
            return self.sampler(log);
        }
        self.limits.check()?;
        if let Some(sampler) = self.sampler_of_turns(log) {
            return Ok(sampler);
        }
        let mut likely = std::mem::take(&mut self.likely);
        likely.go_on(log, cases.max(1));
        for turn in &log.called_turns()[likely.called.len()..] {
            let mut then = log.clone();
            then.truncate(turn.shots().end);
            likely.add(self, &then, turn)?;
        }
        let mut problems = Vec::new();
        for case in &likely.cases {
            let later = log.shots()[case.answers.len()..].iter().map(|shot| shot.answer);
            let problem = Problem::from_answers(log, &case.answers.iter().copied().chain(later).collect::<Vec<_>>());
            let layouts = weighted(self.total(&problem)?, case.weight);
            problems.push((problem, layouts));
        }
        self.likely = likely;
        Sampler::of_cases(log, problems)
    }
}
