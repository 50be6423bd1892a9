//! `optimal`: best play, on boards small enough to be solved.
//!
//! It plays from a [`Policy`], a table of best play for every log that such play leads to. A captain can be asked about any
//! position, so for other logs it solves the position, and where that is out of reach it fires as `exact` does.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use broadside_odds::{Budget, OutOfReach};
use broadside_rules::{Cell, Rules, ShotLog};
use broadside_solve::{Policy, SolveError, Solver};

use crate::bits::Bits;
use crate::exact::Exact;
use crate::{Captain, GameRng, Reason};

/// What a search may take: 4x4 with 2,2 takes 1.4 MB, and less than half a second of processor time.
const BUDGET: Budget = Budget { bytes: 4 << 20, steps: 1 << 22 };

/// So many layouts at most: the time for one belief grows with their number.
const LAYOUTS: u64 = 300;

/// So many boards are remembered; a server may be asked for any.
const BOARDS: usize = 64;

/// A captain that plays as well as can be.
pub(crate) struct Optimal<B> {
    policy: Arc<Policy>,
    /// Who aims where best play is out of reach.
    exact: Exact<B>,
}

impl<B: Bits> Optimal<B> {
    /// The captain for these rules; its table is worked out once and shared.
    pub(crate) fn new(rules: &Rules) -> Result<Self, SolveError> {
        policy(rules).map(Self::with_policy)
    }

    /// The captain that plays from this table.
    fn with_policy(policy: Arc<Policy>) -> Self {
        Self { exact: Exact::new(policy.rules()), policy }
    }

    fn best(&self, log: &ShotLog) -> Option<Cell> {
        assert_eq!(log.rules(), self.policy.rules(), "the log of a game by other rules");
        self.policy.aim(log).or_else(|| within_limits(log).and_then(|mut solver| solver.best_shot()).ok().flatten())
    }
}

/// The solver for a log, if it will be quick.
fn within_limits(log: &ShotLog) -> Result<Solver, SolveError> {
    let solver = Solver::new(log, BUDGET)?;
    if solver.layouts() > LAYOUTS { Err(OutOfReach::Steps.into()) } else { Ok(solver) }
}

/// Tables of play by rules, or why there is none.
type Shelf = HashMap<Rules, Result<Arc<Policy>, SolveError>>;

/// The shelf, with room for the table of these rules.
fn shelf(rules: &Rules) -> MutexGuard<'static, Shelf> {
    static SHELF: OnceLock<Mutex<Shelf>> = OnceLock::new();
    let mut shelf = SHELF.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    if shelf.len() == BOARDS && !shelf.contains_key(rules) {
        shelf.clear();
    }
    shelf
}

/// Puts a table on the shelf.
pub(crate) fn keep(policy: Policy) {
    let rules = policy.rules().clone();
    shelf(&rules).insert(rules, Ok(Arc::new(policy)));
}

/// The table for these rules. Whoever asks while it is worked out waits for it.
fn policy(rules: &Rules) -> Result<Arc<Policy>, SolveError> {
    let mut shelf = shelf(rules);
    let solve = || within_limits(&ShotLog::new(rules))?.policy(&mut |_| {}).map(Arc::new);
    shelf.entry(rules.clone()).or_insert_with(solve).clone()
}

impl<B: Bits> Captain for Optimal<B> {
    fn name(&self) -> &'static str {
        "optimal"
    }

    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell {
        self.best(log).unwrap_or_else(|| self.exact.aim(log, rng))
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let likeliest = self.exact.explain(log, rng);
        let Some(cell) = self.best(log) else {
            return Reason { words: format!("best play is out of reach here; {}", likeliest.words), ..likeliest };
        };
        let scores = log.rules().grid().cells().map(|other| (other == cell).then_some(1.0)).collect();
        Reason { cell, mode: likeliest.mode, scores, words: "no other shot makes the rest of the game shorter on average".into() }
    }
}

#[cfg(test)]
mod tests {
    use broadside_odds::oracle::each_layout;
    use broadside_rules::Referee;
    use rand::SeedableRng;

    use super::*;

    /// 435 layouts, more than are solved in passing, and easily solved all the same.
    const LARGE: &str = "1x32 2,2 allowed ship";

    fn shots(captain: &mut dyn Captain, rules: &Rules) -> u64 {
        let (mut shots, mut rng) = (0, GameRng::seed_from_u64(1));
        each_layout(rules, Budget::default(), &mut |layout| {
            let mut referee = Referee::new(rules, layout.clone());
            while !referee.is_over() {
                referee.fire(captain.aim(referee.log(), &mut rng)).unwrap();
            }
            shots += referee.log().len() as u64;
        })
        .unwrap();
        shots
    }

    #[test]
    fn its_mean_over_all_layouts_is_the_solved_value() {
        for text in ["4x4 3,2 allowed ship", "3x4 3,2 corners every", "3x3 2,1 never bare", "2x5 2,2 allowed silent"] {
            let rules: Rules = text.parse().unwrap();
            let solution = Solver::new(&ShotLog::new(&rules), Budget::default()).unwrap().solve(&mut |_| {}).unwrap();
            assert_eq!(shots(&mut Optimal::<u128>::new(&rules).unwrap(), &rules), solution.shots, "{text}");
        }
    }

    #[test]
    fn a_table_that_is_kept_is_played_from_on_boards_that_would_not_be_solved() {
        let rules: Rules = LARGE.parse().unwrap();
        assert!(Optimal::<u128>::new(&rules).is_err());
        let mut solver = Solver::new(&ShotLog::new(&rules), Budget::default()).unwrap();
        let best = solver.solve(&mut |_| {}).unwrap().shots;
        keep(solver.policy(&mut |_| {}).unwrap().to_string().parse().unwrap());
        assert_eq!(shots(&mut Optimal::<u128>::new(&rules).unwrap(), &rules), best);
    }

    #[test]
    fn it_takes_over_any_game_and_explains_its_shots() {
        let rules: Rules = "4x4 3,2 allowed ship".parse().unwrap();
        let (mut captain, mut rng) = (Optimal::<u128>::new(&rules).unwrap(), GameRng::seed_from_u64(1));
        for shots in ["", "A1- D4-", "A1+", "A1- A2- A3- A4- B1+ C1#2", "A1- A2- A3- A4- B1- B2- B3- B4- C1+ C2- C3-"] {
            let log = ShotLog::parse(&rules, shots).unwrap();
            let cell = captain.aim(&log, &mut rng);
            assert!(!log.fired().contains(cell));
            assert_eq!(captain.explain(&log, &mut rng).cell, cell, "{shots}");
        }
    }

    #[test]
    fn boards_too_large_are_refused_at_once() {
        for text in ["classic", "sploosh", "5x5 3,2 allowed ship"] {
            assert!(Optimal::<u128>::new(&text.parse().unwrap()).is_err(), "{text}");
        }
    }
}
