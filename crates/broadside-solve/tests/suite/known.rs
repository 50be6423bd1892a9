//! Optima known from elsewhere, and boards whose best play is plain.

use broadside_odds::{Budget, OutOfReach};
use broadside_rules::ShotLog;
use broadside_solve::{SolveError, Solver};

fn solver(rules: &str) -> Solver {
    Solver::new(&ShotLog::new(&rules.parse().unwrap()), Budget::default()).unwrap()
}

#[test]
fn the_table_of_known_optima() {
    let table = [
        ("3x3 2", "9/2", 7),
        ("4x3 2", "87/17", 8),
        ("4x4 2", "73/12", 10),
        ("4x4 3", "45/8", 8),
        ("5x4 3", "137/22", 9),
        ("4x4 3,2", "2311/264", 12),
    ];
    for (rules, expected, worst) in table {
        let mut solver = solver(&format!("{rules} allowed ship"));
        assert_eq!(solver.solve(&mut |_| {}).unwrap().expected().to_string(), expected, "{rules}");
        assert_eq!(solver.worst_case(&mut |_| {}).unwrap(), worst, "{rules}");
    }
}

#[test]
fn two_ships_of_two_on_four_by_four() {
    let mut solver = solver("4x4 2,2 allowed ship");
    assert_eq!(solver.solve(&mut |_| {}).unwrap().expected().to_string(), "971/112");
}

#[test]
fn a_single_cell_ship_takes_half_the_board() {
    for (rules, expected) in [("1x1 1", "1"), ("1x6 1", "7/2"), ("3x3 1", "5")] {
        let mut solver = solver(&format!("{rules} never silent"));
        assert_eq!(solver.solve(&mut |_| {}).unwrap().expected().to_string(), expected);
    }
}

#[test]
fn what_is_out_of_reach_is_said_to_be() {
    let new = |rules: &str, budget: &str| {
        Solver::new(&ShotLog::new(&rules.parse().unwrap()), budget.parse::<Budget>().unwrap())
            .and_then(|mut solver| solver.solve(&mut |_| {}))
    };
    assert_eq!(new("classic", "1GB").err(), Some(SolveError::Board(100)));
    assert_eq!(new("sploosh", "1MB").err(), Some(SolveError::OutOfReach(OutOfReach::Steps)));
    assert_eq!(new("5x5 3,2 allowed ship", "4MB").err(), Some(SolveError::OutOfReach(OutOfReach::Memory)));
    let rules = "1x3 2 allowed ship".parse().unwrap();
    let log = ShotLog::parse(&rules, "A2-").unwrap();
    assert_eq!(Solver::new(&log, Budget::default()).err(), Some(SolveError::Impossible));
}
