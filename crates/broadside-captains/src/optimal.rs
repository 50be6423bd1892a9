//! `optimal`: best play, on boards small enough to be solved.
//!
//! It plays from a [`Policy`], a table of best play for every log that such play leads to. A captain can be asked about any
//! position, so for other logs it solves the position, and where that is out of reach it fires as `exact` does.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use broadside_odds::{Budget, OutOfReach};
use broadside_rules::{Cell, Rules, ShotLog, Stop};
use broadside_solve::{Policy, SolveError, Solver};

use crate::bits::Bits;
use crate::exact::Exact;
use crate::{Captain, GameRng, Reason};

/// What a search may take: 4x4 with 2,2 takes 1.4 MB, and less than half a second of processor time.
pub(crate) const BUDGET: Budget = Budget { bytes: 4 << 20, steps: 1 << 22 };

/// So many layouts at most: the time for one position grows with their number.
pub(crate) const MAX_LAYOUTS: u64 = 300;

/// So many solved boards are remembered; a server may be asked for any.
const MAX_BOARDS: usize = 64;

/// A captain that plays as well as can be.
pub(crate) struct Optimal<B> {
    policy: Arc<Policy>,
    /// Who aims where best play is out of reach.
    exact: Exact<B>,
    stop: Stop,
    /// Whether the last shot is neither the best nor the likeliest.
    is_out_of_reach: bool,
}

impl<B: Bits> Optimal<B> {
    /// The captain that plays from this table.
    pub(crate) fn new(policy: Arc<Policy>) -> Self {
        Self { exact: Exact::new(policy.rules()), policy, stop: Stop::never(), is_out_of_reach: false }
    }

    fn best(&self, log: &ShotLog) -> Option<Cell> {
        assert_eq!(log.rules(), self.policy.rules(), "the log of a game by other rules");
        self.policy.aim(log).or_else(|| within_limits(log, &self.stop).and_then(|mut solver| solver.best_shot()).ok().flatten())
    }
}

/// The solver for a log, if it will be quick.
fn within_limits(log: &ShotLog, stop: &Stop) -> Result<Solver, SolveError> {
    let solver = Solver::new(log, BUDGET.until(stop))?;
    if solver.layouts() > MAX_LAYOUTS { Err(OutOfReach::Steps.into()) } else { Ok(solver) }
}

/// A table of best play, or why there is none.
type Solved = Result<Arc<Policy>, SolveError>;

/// Tables of best play that were worked out, by rules.
#[derive(Debug, Default)]
pub(crate) struct SolvedBoards(Mutex<HashMap<Rules, Solved>>);

impl SolvedBoards {
    /// The table for these rules, worked out if nobody has asked for it before.
    pub(crate) fn policy(&self, rules: &Rules) -> Solved {
        self.get_or_solve(rules, || within_limits(&ShotLog::new(rules), &Stop::never())?.policy(&mut |_| {}).map(Arc::new))
    }

    /// The lock is not held while `solve` is at work: whoever wants another board need not wait for it.
    fn get_or_solve(&self, rules: &Rules, solve: impl FnOnce() -> Solved) -> Solved {
        if let Some(solved) = self.lock().get(rules) {
            return solved.clone();
        }
        let solved = solve();
        let mut boards = self.lock();
        if boards.len() == MAX_BOARDS && !boards.contains_key(rules) {
            boards.clear();
        }
        boards.entry(rules.clone()).or_insert(solved).clone()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Rules, Solved>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<B: Bits> Captain for Optimal<B> {
    fn name(&self) -> &'static str {
        "optimal"
    }

    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell {
        let best = self.best(log);
        let cell = best.unwrap_or_else(|| self.exact.aim(log, rng));
        self.is_out_of_reach = best.is_none() && self.exact.was_out_of_reach();
        cell
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let likeliest = self.exact.explain(log, rng);
        let Some(cell) = self.best(log) else {
            return Reason { words: format!("best play is out of reach here; {}", likeliest.words), ..likeliest };
        };
        let scores = log.rules().grid().cells().map(|other| (other == cell).then_some(1.0)).collect();
        Reason { cell, mode: likeliest.mode, scores, words: "no other shot makes the rest of the game shorter on average".into() }
    }

    fn set_stop(&mut self, stop: &Stop) {
        self.exact.set_stop(stop);
        self.stop = stop.clone();
    }

    fn set_budget(&mut self, budget: Budget) -> bool {
        self.exact.set_budget(budget)
    }

    fn was_out_of_reach(&self) -> bool {
        self.is_out_of_reach
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use broadside_odds::oracle::each_layout;
    use broadside_rules::Referee;
    use rand::SeedableRng;

    use super::*;
    use crate::Registry;

    fn optimal(rules: &Rules) -> Box<dyn Captain> {
        Registry::new().captain("optimal", rules).unwrap()
    }

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
            assert_eq!(shots(optimal(&rules).as_mut(), &rules), solution.shots, "{text}");
        }
    }

    /// Two tables for the same board. A2 and A3 are equally good first shots, so one of them is not what is solved for.
    fn two_tables() -> [Policy; 2] {
        let tables = ["A2 - +\nA3 +\nA4 #2\nA1 - #2\nA3 #2", "A3 - +\nA2 +\nA1 #2\nA4 - #2\nA2 #2"];
        tables.map(|table| format!("broadside policy 1\n1x4 2 allowed ship\n{table}\n").parse().unwrap())
    }

    #[test]
    fn a_table_that_the_registry_is_given_is_played_from() {
        for table in two_tables() {
            let (rules, mut rng) = (table.rules().clone(), GameRng::seed_from_u64(1));
            let log = ShotLog::new(&rules);
            let first = table.aim(&log);
            let registry = Registry::new().with_policy(table);
            assert_eq!(Some(registry.captain("optimal", &rules).unwrap().aim(&log, &mut rng)), first);
        }
    }

    #[test]
    fn a_table_that_was_given_stays_however_many_boards_are_solved() {
        for table in two_tables() {
            let (rules, mut rng) = (table.rules().clone(), GameRng::seed_from_u64(1));
            let log = ShotLog::new(&rules);
            let first = table.aim(&log);
            let registry = Registry::new().with_policy(table);
            for cells in 5..=MAX_BOARDS {
                registry.captain("optimal", &format!("1x{cells} 1 allowed ship").parse().unwrap()).unwrap();
            }
            for cells in 5..=12 {
                registry.captain("optimal", &format!("{cells}x1 1 allowed ship").parse().unwrap()).unwrap();
            }
            assert_eq!(Some(registry.captain("optimal", &rules).unwrap().aim(&log, &mut rng)), first);
        }
    }

    #[test]
    fn a_table_is_played_from_on_boards_of_any_size() {
        for size in [12, 20] {
            let rules: Rules = format!("{size}x{size} {size} allowed ship").parse().unwrap();
            // The table of a game in which the ship fills the first row.
            let hits = (1..size).map(|col| format!("A{col} +")).collect::<Vec<_>>().join("\n");
            let table = format!("broadside policy 1\n{rules}\n{hits}\nA{size} #{size}\n");
            let registry = Registry::new().with_policy(table.parse().unwrap());
            let (mut captain, mut rng) = (registry.captain("optimal", &rules).unwrap(), GameRng::seed_from_u64(1));
            let log = ShotLog::parse(&rules, "A1+ A2+").unwrap();
            assert_eq!(captain.aim(&log, &mut rng).to_string(), "A3");
            assert_eq!(captain.explain(&log, &mut rng).cell.to_string(), "A3");
        }
    }

    #[test]
    fn solving_one_board_keeps_nobody_waiting_who_wants_another() {
        let boards = Arc::new(SolvedBoards::default());
        let [slow, quick]: [Rules; 2] = ["1x4 2 allowed ship", "1x5 2 allowed ship"].map(|text| text.parse().unwrap());
        let (others, (done, wait)) = (boards.clone(), mpsc::channel());
        let solved = boards.get_or_solve(&slow, || {
            std::thread::spawn(move || done.send(others.policy(&quick).is_ok()));
            assert_eq!(wait.recv_timeout(Duration::from_secs(60)), Ok(true), "another board is solved meanwhile");
            Err(OutOfReach::Steps.into())
        });
        assert!(solved.is_err());
    }

    #[test]
    fn a_stopped_shot_is_legal() {
        let rules: Rules = "4x4 3,2 allowed ship".parse().unwrap();
        let (mut captain, mut rng, stop) = (optimal(&rules), GameRng::seed_from_u64(1), Stop::new());
        captain.set_stop(&stop);
        stop.stop();
        // Best play doesn't start in a corner, so this position is not in the table.
        let log = ShotLog::parse(&rules, "A1- D4-").unwrap();
        let cell = captain.aim(&log, &mut rng);
        assert!(!log.fired().contains(cell));
        assert!(captain.explain(&log, &mut rng).words.starts_with("best play is out of reach"));
    }

    #[test]
    fn it_takes_over_any_game_and_explains_its_shots() {
        let rules: Rules = "4x4 3,2 allowed ship".parse().unwrap();
        let (mut captain, mut rng) = (optimal(&rules), GameRng::seed_from_u64(1));
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
            assert!(Registry::new().captain("optimal", &text.parse().unwrap()).is_err(), "{text}");
        }
    }
}
