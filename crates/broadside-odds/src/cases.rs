//! Turns of which only the number of hits is known, as a union of cases.
//!
//! A case gives each shot of these turns an ordinary answer such that the turns have the hits and sinkings that were called. A layout
//! gives one answer to each shot, so cases exclude each other, and a case is a [`Problem`] as any log is: counts add up as
//! integers.
//!
//! Cases are made turn by turn. Those that no layout fits are dropped before the next turn, which keeps them few: hits of different turns
//! have to lie on the same few ships. Where they are too many even so, [`thin`] keeps some of them at random and
//! raises their weights such that every sum over cases stays right in the mean.

use std::collections::VecDeque;

use broadside_rules::{Answer, CalledTurn, ShotLog};
use rand::{Rng, RngExt};

use crate::{OutOfReach, Problem};

/// A case for each so many bytes of a budget: what engines take for a case is far less, but all of them are counted one after
/// the other, so this bounds the time.
const BYTES_A_CASE: usize = 1 << 16;

/// Candidates that are looked at for each case that may be left.
const CANDIDATES: usize = 64;

/// The answers of a case to all shots of the log.
pub(crate) type Answers = Vec<Answer>;

/// So many cases at most within a budget.
pub(crate) fn most(bytes: usize) -> usize {
    (bytes / BYTES_A_CASE).max(1)
}

/// The cases of a log that go with each of these cases of its earlier turns, without those in which a hit can't be covered at first sight.
///
/// # Errors
/// When there are too many to look at.
pub(crate) fn next(log: &ShotLog, cases: &[Answers], turn: &CalledTurn, most: usize) -> Result<Vec<Answers>, OutOfReach> {
    let shots = turn.shots();
    let ways = Arrangements::new(turn, most.saturating_mul(CANDIDATES) / cases.len().max(1)).ok_or(OutOfReach::Memory)?;
    let mut found = Vec::new();
    for case in cases {
        for way in &ways.0 {
            let mut answers = case.clone();
            answers[shots.clone()].copy_from_slice(way);
            if Problem::from_answers(log, &answers).can_cover_all() {
                found.push(answers);
            }
        }
    }
    Ok(found)
}

/// The answers before any turn is taken apart: those of the log.
pub(crate) fn start(log: &ShotLog) -> Vec<Answers> {
    vec![log.shots().iter().map(|shot| shot.answer).collect()]
}

/// The number of ways to give the answers of a turn to its shots.
pub(crate) fn arrangements(turn: &CalledTurn) -> f64 {
    let choose = |of: usize, number: usize| (0..number).map(|i| (of - i) as f64 / (i + 1) as f64).product::<f64>();
    let mut left = turn.shots().len();
    let ways = |(_, number): (Answer, usize)| {
        let of = left;
        left -= number;
        choose(of, number)
    };
    kinds(turn).into_iter().map(ways).product()
}

/// The answers to the shots of a turn, with how many of them got each.
fn kinds(turn: &CalledTurn) -> Vec<(Answer, usize)> {
    let mut kinds: Vec<(Answer, usize)> = vec![(Answer::Miss, turn.shots().len() - turn.call().hits())];
    for &hit in turn.call().answers() {
        match kinds.iter_mut().find(|(answer, _)| *answer == hit) {
            Some((_, number)) => *number += 1,
            None => kinds.push((hit, 1)),
        }
    }
    kinds
}

/// The ways to give the answers of a turn to its shots.
struct Arrangements(Vec<Vec<Answer>>);

impl Arrangements {
    /// All of them; none if there are more than so many.
    fn new(turn: &CalledTurn, most: usize) -> Option<Self> {
        let shots = turn.shots().len();
        let mut waiting = VecDeque::from([(Vec::with_capacity(shots), kinds(turn))]);
        // Level by level, so that too many are noticed before they are made.
        while waiting.front().is_some_and(|(way, _)| way.len() < shots) {
            if waiting.len() > most.max(1) {
                return None;
            }
            let Some((way, kinds)) = waiting.pop_front() else { break };
            for (i, &(answer, number)) in kinds.iter().enumerate().filter(|(_, (_, number))| *number > 0) {
                let (mut way, mut kinds) = (way.clone(), kinds.clone());
                way.push(answer);
                kinds[i].1 = number - 1;
                waiting.push_back((way, kinds));
            }
        }
        (waiting.len() <= most.max(1)).then(|| Self(waiting.into_iter().map(|(way, _)| way).collect()))
    }
}

/// A case with the number of layouts that fit it, and the number of cases that it stands for.
#[derive(Clone, Debug)]
pub(crate) struct WeightedCase {
    pub(crate) answers: Answers,
    pub(crate) layouts: u128,
    pub(crate) weight: f64,
}

impl WeightedCase {
    fn size(&self) -> f64 {
        self.layouts as f64 * self.weight
    }
}

/// Keeps so many of the cases, those that have the most layouts for sure and the others by chance, with weights such that the
/// expectation of every weighted sum over the cases is the sum over all of them (Fearnhead and Clifford, *On-line inference for
/// hidden Markov models via particle filters*, J. R. Statist. Soc. B 65, 2003, with systematic draws).
pub(crate) fn thin(mut cases: Vec<WeightedCase>, most: usize, rng: &mut impl Rng) -> Vec<WeightedCase> {
    if cases.len() <= most {
        return cases;
    }
    cases.sort_by(|a, b| b.size().total_cmp(&a.size()));
    let mut rest: f64 = cases.iter().map(WeightedCase::size).sum();
    let mut sure = 0;
    // A case is sure to stay when its share of the places left is at least one.
    while sure < most && cases[sure].size() * (most - sure) as f64 >= rest {
        rest -= cases[sure].size();
        sure += 1;
    }
    if sure == most {
        // Only rounding leaves nothing for the others.
        cases.truncate(most);
        return cases;
    }
    let step = rest / (most - sure) as f64;
    let mut next = rng.random::<f64>() * step;
    let chosen = cases.split_off(sure);
    for mut case in chosen {
        let size = case.size();
        if next < size {
            next += step;
            case.weight *= step / size;
            cases.push(case);
        }
        next -= size;
    }
    cases
}

#[cfg(test)]
mod tests {
    use broadside_rules::{Rules, ShotLog};
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn a_turn_has_as_many_arrangements_as_the_multinomial_says() {
        let rules: Rules = "9x9 4,3,3,2 allowed ship salvo=6:count".parse().unwrap();
        for (called, ways) in [("=1", 6), ("=2", 15), ("=2#3", 30), ("=3#3#3", 60), ("=4#3#3#4", 180), ("=5", 6)] {
            let log = ShotLog::parse(&rules, &format!("A1? B2? C3? D4? E5? F6? {called}")).unwrap();
            let mut found = Arrangements::new(&log.called_turns()[0], 1000).unwrap().0;
            assert_eq!(found.len(), ways, "{called}");
            assert!((arrangements(&log.called_turns()[0]) - ways as f64).abs() < 1e-9, "{called}");
            assert!(Arrangements::new(&log.called_turns()[0], ways - 1).is_none(), "{called}");
            found.sort_by_key(|way| format!("{way:?}"));
            found.dedup();
            assert_eq!(found.len(), ways, "{called}: each once");
        }
    }

    #[test]
    fn thinned_cases_keep_every_sum_in_the_mean() {
        let sizes = [1000, 300, 40, 40, 7, 5, 3, 2, 1, 1, 1];
        let cases = || sizes.map(|layouts| WeightedCase { answers: vec![], layouts, weight: 1.0 }).to_vec();
        let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
        let rounds = 40_000;
        let (mut number, mut total) = (0.0, 0.0);
        for _ in 0..rounds {
            let kept = thin(cases(), 5, &mut rng);
            assert!((5..=6).contains(&kept.len()), "{}", kept.len());
            number += kept.iter().map(|case| case.weight).sum::<f64>();
            total += kept.iter().map(WeightedCase::size).sum::<f64>();
        }
        // The number of cases is a sum that the sizes don't decide: it has to come out in the mean all the same.
        let mean = number / f64::from(rounds);
        assert!((mean - sizes.len() as f64).abs() < 0.3, "{mean}");
        assert!((total / f64::from(rounds) - 1400.0).abs() < 1e-6);
    }
}
