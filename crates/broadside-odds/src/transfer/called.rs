//! Logs with turns of which only the number of hits is known: by their cases (see [`cases`]), or by placing ships (see [`turns`]).

use broadside_rules::{CalledTurn, Layout, Rules, Shot, ShotLog};
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

use super::{Sampler, Transfer, turns};
use crate::cases::{self, Answers};
use crate::{Counts, OutOfReach, PlacementWeights, Problem, WorkLimits};

/// Sets of placements that are looked at while the ships are placed one after the other, in about the time that a case takes.
const WORK_A_CASE: f64 = 32_768.0;

/// The cases of the last such log that were possible, for the log after the next turn.
#[derive(Debug, Default)]
pub(super) struct LastCases {
    rules: Option<Rules>,
    shots: Vec<Shot>,
    called: Vec<CalledTurn>,
    cases: Vec<Answers>,
}

impl LastCases {
    /// How many of the turns are taken apart already, and the cases, if this log goes on from the last one.
    fn of_beginning(&self, log: &ShotLog) -> Option<(usize, Vec<Answers>)> {
        let goes_on = self.rules.as_ref() == Some(log.rules())
            && log.shots().starts_with(&self.shots)
            && log.called_turns().starts_with(&self.called);
        let new = || log.shots()[self.shots.len()..].iter().map(|shot| shot.answer);
        let longer = |case: &Answers| case.iter().copied().chain(new()).collect();
        goes_on.then(|| (self.called.len(), self.cases.iter().map(longer).collect()))
    }

    /// How many cases of a log have to be looked at: those of the last one, if this log goes on from it, each with the ways that the turns since then may have gone.
    fn expected(&self, log: &ShotLog) -> f64 {
        let (done, cases) = self.of_beginning(log).map_or((0, 1), |(done, cases)| (done, cases.len()));
        log.called_turns()[done..].iter().map(cases::arrangements).product::<f64>() * cases as f64
    }

    fn remember(&mut self, log: &ShotLog, cases: Vec<Answers>) {
        *self =
            Self { rules: Some(log.rules().clone()), shots: log.shots().to_vec(), called: log.called_turns().to_vec(), cases };
    }
}

impl Transfer {
    /// The counts of a log with called turns, by the way that takes less time.
    pub(super) fn count_called(&mut self, log: &ShotLog) -> Result<Counts, OutOfReach> {
        let most = cases::most(self.limits.budget.bytes) as f64;
        let Some(ways) = turns::ways(log, &self.limits) else { return self.count_cases(log) };
        let is_cheaper = |cases: f64| ways.work() <= WORK_A_CASE * cases;
        if !is_cheaper(self.last_cases.expected(log).min(most)) {
            match self.count_cases(log) {
                Err(OutOfReach::Memory) if is_cheaper(most) => {}
                counted => return counted,
            }
        }
        Ok(ways.count(&self.limits.stop)?)
    }

    /// A sampler of a log with called turns that doesn't need their cases, where there is one; none inside if no layout fits.
    #[expect(clippy::option_option, reason = "the outer one says that there is no such sampler")]
    pub(super) fn sampler_of_turns(&self, log: &ShotLog) -> Option<Option<Sampler>> {
        let ways = turns::ways(log, &self.limits)?;
        if ways.are_none() {
            return Some(None);
        }
        Some(Some(Sampler::of_source(log, ways.draws()?)))
    }

    /// The counts by cases.
    pub(super) fn count_cases(&mut self, log: &ShotLog) -> Result<Counts, OutOfReach> {
        let grid = log.rules().grid();
        let mut sum = Counts::new(grid, 0, vec![0; grid.len()]);
        self.each_case(log, |transfer, problem| {
            let counts = transfer.count_problem(problem)?;
            sum = sum.plus(&counts).ok_or(OutOfReach::Overflow)?;
            Ok(counts.layouts())
        })?;
        Ok(sum)
    }

    /// The problems whose layouts together are those of a log, each once, with their numbers of layouts.
    ///
    /// # Errors
    /// When there are too many, or one of them can't be counted.
    pub(crate) fn cases(&mut self, log: &ShotLog) -> Result<Vec<(Problem, u128)>, OutOfReach> {
        if log.called_turns().is_empty() {
            let problem = Problem::from_log(log);
            return Ok(vec![(problem.clone(), self.total(&problem)?)]);
        }
        let mut found = Vec::new();
        self.each_case(log, |transfer, problem| {
            let layouts = transfer.total(problem)?;
            if layouts > 0 {
                found.push((problem.clone(), layouts));
            }
            Ok(layouts)
        })?;
        Ok(found)
    }

    /// The logs of ordinary answers whose layouts together are those of a log, each once.
    ///
    /// # Errors
    /// When there are too many, or one of them can't be counted.
    pub(crate) fn case_logs(&mut self, log: &ShotLog) -> Result<Vec<ShotLog>, OutOfReach> {
        self.cases(log)?;
        Ok(self.last_cases.cases.iter().map(|case| case_log(log, case)).collect())
    }

    /// Goes through the cases of a log, and remembers those that have layouts; `count` says how many.
    fn each_case(
        &mut self,
        log: &ShotLog,
        mut count: impl FnMut(&mut Self, &Problem) -> Result<u128, OutOfReach>,
    ) -> Result<(), OutOfReach> {
        let most = cases::most(self.limits.budget.bytes);
        let (done, mut cases) = self.last_cases.of_beginning(log).unwrap_or_else(|| (0, cases::start(log)));
        let turns = &log.called_turns()[done..];
        for (number, turn) in turns.iter().enumerate() {
            cases = cases::next(log, &cases, turn, most)?;
            if number + 1 < turns.len() {
                cases = self.possible(log, cases, most, Self::total)?;
            }
        }
        let cases = self.possible(log, cases, most, &mut count)?;
        self.last_cases.remember(log, cases);
        Ok(())
    }

    /// The cases that have layouts.
    fn possible(
        &mut self,
        log: &ShotLog,
        cases: Vec<Answers>,
        most: usize,
        mut count: impl FnMut(&mut Self, &Problem) -> Result<u128, OutOfReach>,
    ) -> Result<Vec<Answers>, OutOfReach> {
        let mut kept = Vec::new();
        for case in cases {
            self.limits.check()?;
            if count(self, &Problem::from_answers(log, &case))? > 0 {
                kept.push(case);
            }
            if kept.len() > most {
                return Err(OutOfReach::Memory);
            }
        }
        Ok(kept)
    }

    /// Draws from the cases, each as often as its weight says, in a random order.
    pub(super) fn sample_weighted_cases(
        &mut self,
        log: &ShotLog,
        weights: &PlacementWeights,
        rng: &mut impl Rng,
        n: usize,
    ) -> Result<Vec<Layout>, OutOfReach> {
        let mut weighed = Vec::new();
        for (problem, _) in self.cases(log)? {
            let weight = self.weigh_problem(&problem, weights)?.layouts();
            weighed.push((problem, weight, 0));
        }
        let total: f64 = weighed.iter().map(|(_, weight, _)| weight).sum();
        if total <= 0.0 {
            return Ok(Vec::new());
        }
        for _ in 0..n {
            let mut at = rng.random::<f64>() * total;
            let case = weighed.iter().position(|(_, weight, _)| {
                at -= weight;
                at < 0.0
            });
            // Only rounding goes past the last one.
            let last = weighed.iter().rposition(|(_, weight, _)| *weight > 0.0).unwrap_or(0);
            weighed[case.unwrap_or(last)].2 += 1;
        }
        let mut drawn = Vec::with_capacity(n);
        for (problem, _, number) in weighed.iter().filter(|(_, _, number)| *number > 0) {
            drawn.extend(self.sample_weighted_problem(log.rules(), problem, weights, rng, *number)?);
        }
        drawn.shuffle(rng);
        Ok(drawn)
    }
}

/// The log of a case. Shots after the whole fleet is sunk tell nothing more.
fn case_log(log: &ShotLog, answers: &Answers) -> ShotLog {
    let mut case = ShotLog::new(log.rules());
    for (shot, &answer) in log.shots().iter().zip(answers) {
        if !case.is_over() {
            case.push(Shot { answer, ..*shot }).expect("a case is a possible log");
        }
    }
    case
}

/// The counts of a log with called turns from those of its cases, by an engine that knows nothing of such turns.
pub(crate) fn add_up(
    log: &ShotLog,
    limits: &WorkLimits,
    mut count: impl FnMut(&ShotLog) -> Result<Counts, OutOfReach>,
) -> Result<Counts, OutOfReach> {
    let grid = log.rules().grid();
    let mut sum = Counts::new(grid, 0, vec![0; grid.len()]);
    for case in Transfer::new(limits.clone()).case_logs(log)? {
        sum = sum.plus(&count(&case)?).ok_or(OutOfReach::Overflow)?;
    }
    Ok(sum)
}
