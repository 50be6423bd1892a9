//! Searches end soon after they are asked to stop, and give the same answer when they aren't.

use std::thread;
use std::time::Duration;

use broadside_odds::{Budget, OutOfReach};
use broadside_rules::{Rules, ShotLog, Stop};
use broadside_solve::mask::expected_shots::{Goal, Optimum, least_expected};
use broadside_solve::mask::hitting::Effort;
use broadside_solve::mask::midgame::{EffortLimits, block, sure_hit};
use broadside_solve::mask::{MaskError, OneShipBoard};
use broadside_solve::{Bound, Equilibrium, SolveError, Solver};

const STOPPED: SolveError = SolveError::OutOfReach(OutOfReach::Stopped);

fn log(rules: &str) -> ShotLog {
    ShotLog::new(&rules.parse().unwrap())
}

fn stopped_already() -> Stop {
    let stop = Stop::new();
    stop.stop();
    stop
}

/// Starts work that takes minutes or more, and stops it from another thread.
fn stopped<T>(work: impl FnOnce(&Stop) -> T) -> T {
    let stop = Stop::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(50));
            stop.stop();
        });
        work(&stop)
    })
}

#[test]
fn a_solver_ends_when_it_is_stopped() {
    let solve = |stop: &Stop| {
        let mut solver = Solver::new(&log("5x5 2,2 allowed ship"), Budget::default().until(stop))?;
        solver.solve(&mut |_| {}).map(|solution| solution.shots)
    };
    assert_eq!(stopped(solve), Err(STOPPED));
    let worst = |stop: &Stop| Solver::new(&log("6x6 2,2 allowed ship"), Budget::default().until(stop))?.worst_case(&mut |_| {});
    assert_eq!(stopped(worst), Err(STOPPED));
}

#[test]
fn the_list_of_positions_of_an_equilibrium_ends_when_it_is_stopped() {
    let rules: Rules = "5x5 2,2 allowed ship".parse().unwrap();
    let find = |stop: &Stop| Equilibrium::find(&rules, Budget::default().until(stop), &mut |_| {}).map(|found| found.rounds());
    assert_eq!(stopped(find), Err(STOPPED));
}

#[test]
fn nothing_is_started_that_is_stopped_already() {
    let limits = || Budget::default().until(&stopped_already());
    assert_eq!(Solver::new(&log("3x3 2 allowed ship"), limits()).err(), Some(STOPPED));
    let classic: Rules = "classic".parse().unwrap();
    assert_eq!(Bound::for_rules(&classic, limits()), Err(OutOfReach::Stopped));
    let log = ShotLog::new(&classic);
    let limits = || EffortLimits::default().until(&stopped_already());
    assert_eq!(sure_hit(&log, &mut limits()), Err(MaskError::Unknown));
    assert_eq!(block(&log, 2, &mut limits()), Err(MaskError::Unknown));
}

#[test]
fn the_search_for_the_least_expected_shots_ends_with_a_bound_when_it_is_stopped() {
    let endless = |stop: &Stop| Effort::nodes(u64::MAX).until(stop);
    let board = |grid: &str, length| OneShipBoard::new(grid.parse().unwrap(), length).unwrap();
    for goal in [Goal::Find, Goal::Sink] {
        let optimum = least_expected(board("5x5", 2), goal, &mut endless(&stopped_already()));
        assert!(matches!(optimum, Optimum::Between { .. }));
        let optimum = stopped(|stop| least_expected(board("12x12", 5), goal, &mut endless(stop)));
        assert!(matches!(optimum, Optimum::Between { .. }));
    }
}

#[test]
fn whoever_may_stop_it_doesnt_change_the_answer() {
    let mut solver = Solver::new(&log("4x4 3 allowed ship"), Budget::default().until(&Stop::new())).unwrap();
    assert_eq!(solver.solve(&mut |_| {}).unwrap().expected().to_string(), "45/8");
}
