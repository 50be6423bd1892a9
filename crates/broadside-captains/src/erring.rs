//! Captains that err at a known rate, for opponents between a beginner and the best: `admiral?err=0.25`.
//!
//! Before every shot chance decides whether it is an error. An error goes to any cell not fired at, each as likely as the
//! others; every other shot is that of the captain before the question mark, with what it knows. So the weakness is honest:
//! nothing is held back when the captain looks ahead, and the rate alone says how strong it is.

use std::fmt;
use std::str::FromStr;

use broadside_odds::Budget;
use broadside_rules::{Cell, Layout, Rules, ShotLog, Stop};
use rand::RngExt;

use crate::random::Random;
use crate::{Captain, GameRng, Reason};

/// What a name has between its captain and its rate of errors.
const MARK: &str = "?err=";
/// Rates are counted in thousandths.
const WHOLE: u16 = 1000;

/// How many shots of a thousand are errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ErrorRate(u16);

/// A rate of errors that can't be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("‘{0}’ is no rate of errors: it is from 0.001 to 1, with up to three digits after the point, as in ‘density?err=0.25’")]
pub struct BadErrorRate(String);

impl FromStr for ErrorRate {
    type Err = BadErrorRate;

    fn from_str(text: &str) -> Result<Self, BadErrorRate> {
        let bad = || BadErrorRate(text.chars().take(16).collect());
        let thousandths = match text.split_once('.') {
            None if text == "1" => WHOLE,
            Some(("0", digits)) if (1..=3).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit()) => {
                format!("{digits:0<3}").parse().map_err(|_| bad())?
            }
            _ => return Err(bad()),
        };
        if thousandths == 0 { Err(bad()) } else { Ok(Self(thousandths)) }
    }
}

impl fmt::Display for ErrorRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f64::from(self.0) / f64::from(WHOLE))
    }
}

/// The captain's name and its rate of errors, from `admiral?err=0.25`; `None` for a name without a rate.
pub(crate) fn split(name: &str) -> Option<(&str, Result<ErrorRate, BadErrorRate>)> {
    name.split_once(MARK).map(|(captain, rate)| (captain, rate.parse()))
}

/// A captain that errs.
pub(crate) struct Erring {
    name: String,
    rate: ErrorRate,
    captain: Box<dyn Captain>,
    random: Random,
}

impl Erring {
    pub(crate) fn new(captain: Box<dyn Captain>, rate: ErrorRate, rules: &Rules) -> Self {
        Self { name: format!("{}{MARK}{rate}", captain.name()), rate, captain, random: Random::new(rules) }
    }

    fn errs(&self, rng: &mut GameRng) -> bool {
        rng.random_range(0..WHOLE) < self.rate.0
    }
}

impl Captain for Erring {
    fn name(&self) -> &str {
        &self.name
    }

    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell {
        if self.errs(rng) { self.random.aim(log, rng) } else { self.captain.aim(log, rng) }
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        if !self.errs(rng) {
            return self.captain.explain(log, rng);
        }
        let reason = self.random.explain(log, rng);
        Reason { words: format!("an error, as {} of 1000 shots are: {}", self.rate.0, reason.words), ..reason }
    }

    fn remember(&mut self, layout: &Layout) {
        self.captain.remember(layout);
    }

    fn set_stop(&mut self, stop: &Stop) {
        self.captain.set_stop(stop);
    }

    fn set_budget(&mut self, budget: Budget) -> bool {
        self.captain.set_budget(budget)
    }

    fn was_out_of_reach(&self) -> bool {
        self.captain.was_out_of_reach()
    }
}

#[cfg(test)]
mod tests {
    use broadside_odds::Dealer;
    use broadside_rules::Referee;
    use proptest::prelude::*;
    use rand::SeedableRng;

    use super::*;
    use crate::{CaptainError, captain};

    #[test]
    fn rates_are_read_and_written_and_others_are_refused() {
        for (text, thousandths, written) in [("0.25", 250, "0.25"), ("0.5", 500, "0.5"), ("0.007", 7, "0.007"), ("1", 1000, "1")]
        {
            let rate: ErrorRate = text.parse().unwrap();
            assert_eq!((rate, rate.to_string().as_str()), (ErrorRate(thousandths), written));
        }
        for text in ["", "0", "0.", "0.0", "0.0001", "1.0", "2", "-0.1", "0.+1", ".5", "0.5x", "NaN", "0,5"] {
            assert!(text.parse::<ErrorRate>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_rate_that_can_be_read_is_written_so_that_it_reads_the_same(text in "[0-9.,+eE-]{0,6}|\\PC{0,6}") {
            if let Ok(rate) = text.parse::<ErrorRate>() {
                prop_assert!((1..=WHOLE).contains(&rate.0));
                prop_assert_eq!(rate.to_string().parse(), Ok(rate));
                prop_assert!((text.parse::<f64>().unwrap() - f64::from(rate.0) / 1000.0).abs() < 1e-9);
            }
        }

        #[test]
        fn every_rate_reads_as_it_is_written(thousandths in 1..=WHOLE) {
            prop_assert_eq!(ErrorRate(thousandths).to_string().parse(), Ok(ErrorRate(thousandths)));
        }
    }

    #[test]
    fn a_name_with_a_rate_makes_a_captain_of_that_name() {
        let rules: Rules = "classic".parse().unwrap();
        for name in ["density?err=0.25", "admiral?err=1", "optimal?err=0.5"] {
            let rules = if name.starts_with("optimal") { "3x3 2 allowed ship".parse().unwrap() } else { rules.clone() };
            assert_eq!(captain(name, &rules).unwrap().name(), name);
        }
        assert!(matches!(captain("density?err=2", &rules), Err(CaptainError::ErrorRate(_))));
        assert!(matches!(captain("nobody?err=0.5", &rules), Err(CaptainError::Unknown(_))));
        assert!(matches!(captain("density?err=0.5?err=0.5", &rules), Err(CaptainError::ErrorRate(_))));
    }

    /// Shots of a game that the captain without errors wouldn't have fired.
    fn game(rate: &str, seed: u64) -> (usize, usize) {
        let rules: Rules = "classic".parse().unwrap();
        let (mut plain, mut erring) =
            (captain("density", &rules).unwrap(), captain(&format!("density?err={rate}"), &rules).unwrap());
        let mut rng = GameRng::seed_from_u64(seed);
        let mut referee = Referee::new(&rules, Dealer::new(&rules).uniform(&mut rng).unwrap());
        let mut others = 0;
        while !referee.is_over() {
            let cell = erring.aim(referee.log(), &mut rng);
            others += usize::from(cell != plain.aim(referee.log(), &mut rng.clone()));
            referee.fire(cell).unwrap();
        }
        (others, referee.log().len())
    }

    #[test]
    fn as_many_shots_are_errors_as_the_rate_says() {
        let games: Vec<(usize, usize)> = (0..200).map(|seed| game("0.3", seed)).collect();
        let (others, shots) = games.iter().fold((0, 0), |(a, b), &(c, d)| (a + c, b + d));
        // An error is the captain's own cell now and then, one time in some fifty.
        let (share, error) = (others as f64 / shots as f64, (0.3 * 0.7 / shots as f64).sqrt());
        assert!((0.3 * 0.9 - 5.0 * error..0.3 + 5.0 * error).contains(&share), "{share} of {shots} shots");
    }

    #[test]
    fn the_reason_is_that_of_the_shot() {
        let rules: Rules = "sploosh".parse().unwrap();
        let mut erring = captain("density?err=0.5", &rules).unwrap();
        let log = ShotLog::parse(&rules, "D4+ A1-").unwrap();
        let mut errors = 0;
        for seed in 0..100 {
            let rng = GameRng::seed_from_u64(seed);
            let reason = erring.explain(&log, &mut rng.clone());
            assert_eq!(reason.cell, erring.aim(&log, &mut rng.clone()));
            errors += usize::from(reason.words.starts_with("an error"));
        }
        assert!((25..75).contains(&errors), "{errors}");
    }
}
