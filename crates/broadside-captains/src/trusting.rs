//! Captains that believe every answer, in games with false ones.
//!
//! Most captains take every answer for true. Where some are false they see a log that nobody called into question: of each cell what
//! was called more often, as if no sinkings were called and each shot were answered at once. Once as many hits are believed as the
//! fleet has cells but one, further ones are taken for misses, since the game goes on. Such a log may be one that no layout fits;
//! captains play on in those too.

use broadside_odds::Budget;
use broadside_rules::{Answer, Call, Cell, Layout, Noise, Rules, Salvo, Shot, ShotLog, Stop};

use crate::{Captain, GameRng, Reason};

/// A captain that believes every answer.
pub(crate) struct Trusting {
    captain: Box<dyn Captain>,
    /// What it sees.
    believed: ShotLog,
}

/// The rules that such a captain plays by.
pub(crate) fn believed_rules(rules: &Rules) -> Rules {
    rules.clone().with_noise(Noise::NONE).with_call(Call::Silent).with_salvo(Salvo::SINGLE)
}

impl Trusting {
    /// The captain, made for the [`believed_rules`] of these rules.
    pub(crate) fn new(captain: Box<dyn Captain>, rules: &Rules) -> Self {
        Self { captain, believed: ShotLog::new(&believed_rules(rules)) }
    }

    fn believe(&mut self, log: &ShotLog) {
        let shots = believed_shots(log);
        let known = self.believed.len();
        if !shots.starts_with(self.believed.shots()) {
            self.believed.clear();
        }
        let known = if self.believed.is_empty() { 0 } else { known };
        for &shot in &shots[known..] {
            self.believed.push(shot).expect("cells are fired at once, and hits are fewer than ship cells");
        }
    }
}

/// Each cell fired at once, in the order of the first shots, with the answer to believe.
fn believed_shots(log: &ShotLog) -> Vec<Shot> {
    let mut seen: Vec<(Cell, i32)> = Vec::new();
    for shot in log.shots() {
        let vote = match shot.answer {
            Answer::Untold => 0,
            Answer::Miss => -1,
            Answer::Hit(_) => 1,
            // Never false.
            Answer::Sunk(_) => 1000,
        };
        match seen.iter_mut().find(|(cell, _)| *cell == shot.cell) {
            Some((_, votes)) => *votes += vote,
            None => seen.push((shot.cell, vote)),
        }
    }
    let mut hits_left = log.rules().fleet().cells() - 1;
    let mut believe = |(cell, votes): (Cell, i32)| {
        let is_hit = votes > 0 && hits_left > 0;
        hits_left -= usize::from(is_hit);
        Shot { cell, answer: if is_hit { Answer::Hit(None) } else { Answer::Miss } }
    };
    seen.into_iter().map(&mut believe).collect()
}

impl Captain for Trusting {
    fn name(&self) -> &str {
        self.captain.name()
    }

    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell {
        self.believe(log);
        self.captain.aim(&self.believed, rng)
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        self.believe(log);
        let reason = self.captain.explain(&self.believed, rng);
        Reason { words: format!("if every answer is true: {}", reason.words), ..reason }
    }

    fn set_stop(&mut self, stop: &Stop) {
        self.captain.set_stop(stop);
    }

    fn remember(&mut self, layout: &Layout) {
        self.captain.remember(layout);
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
    use super::*;

    #[test]
    fn what_was_called_more_often_is_believed_and_never_that_all_is_sunk() {
        let rules: Rules = "3x3 2 allowed silent noise=0.1".parse().unwrap();
        let believed = |shots: &str| {
            let shots = believed_shots(&ShotLog::parse(&rules, shots).unwrap());
            shots.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(believed("A1+ A2- A1- A2+ A2+"), "A1- A2+");
        assert_eq!(believed("A1+ B2+ C3-"), "A1+ B2- C3-");
    }
}
