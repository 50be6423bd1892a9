//! Equilibria worked out by hand, and certificates checked by a program that shares nothing with the solver.

use broadside_odds::{Budget, OutOfReach};
use broadside_rules::Rules;
use broadside_solve::{Equilibrium, SolveError};
use proptest::prelude::*;

use crate::certificate::check;
use crate::oracle::tiny_rules;

fn equilibrium(rules: &str) -> Equilibrium {
    Equilibrium::find(&rules.parse().unwrap(), Budget::default(), &mut |_| {}).unwrap()
}

#[test]
fn a_row_of_three() {
    // The middle is certain, and each end is as good as the other: 2 or 3 shots.
    let found = equilibrium("1x3 2 allowed ship");
    assert_eq!(found.value().unwrap().to_string(), "5/2");
    assert_eq!(found.hider()[0].chance.to_string(), "1/2");
}

#[test]
fn two_by_two() {
    // Symmetries take each of the four layouts to each other. The first shot hits two of them, and then 2 or 3 shots are
    // enough. If it misses, the opposite corner is certain, and then 3 or 4 shots are enough: (2 + 3 + 3 + 4)/4.
    let found = equilibrium("2x2 2 allowed ship");
    assert_eq!(found.value().unwrap().to_string(), "3");
    assert_eq!(found.uniform(), found.lower());
}

#[test]
fn two_by_three() {
    // Four layouts along the rows, two at the short sides, one in the middle. Best play against all seven alike takes 25 shots
    // together, so the value is at least 25/7. Three plays take 7/2, 7/2 and 4 shots on average for the three kinds; 15/4, 7/2 and
    // 3; and 7/2, 4 and 3. Mixed with 4/7, 2/7 and 1/7 they take 25/7 for each kind, so it isn't more.
    let found = equilibrium("2x3 2 allowed ship");
    assert_eq!(found.value().unwrap().to_string(), "25/7");
    assert_eq!(found.uniform(), found.lower());
    assert!(found.hider().iter().all(|class| class.chance.to_string() == "1/7"));
}

#[test]
fn certificates_of_small_boards_hold() {
    for rules in ["1x4 2 allowed ship", "3x3 2 allowed ship", "2x4 2 never bare", "1x7 2,2 allowed ship", "2x3 2,1 allowed every"]
    {
        let found = equilibrium(rules);
        let (lower, upper) = check(&found.to_string());
        assert_eq!((&lower, Some(&upper)), (&upper, found.value()), "{rules}");
        assert!(found.uniform() <= &lower, "{rules}");
    }
}

/// Figures of `docs/hiding.md`, each proved anew from both sides.
fn check_value(rules: &str, value: &str) {
    let found = equilibrium(rules);
    assert_eq!(found.value().map(ToString::to_string).as_deref(), Some(value), "{rules}");
    let (lower, upper) = check(&found.to_string());
    assert_eq!((&lower, &upper), (found.lower(), found.lower()), "{rules}");
}

#[test]
fn known_values_are_proved() {
    check_value("3x3 2,2 allowed ship", "935/148");
    check_value("3x3 3,2 allowed ship", "187/28");
    check_value("4x4 3 allowed ship", "108/19");
    check_value("4x4 2 allowed ship", "379/60");
    // Some minutes of processor time, most of them for the check of the last one.
    if std::env::var_os("BROADSIDE_EQUILIBRIA").is_some() {
        check_value("4x4 2,2 allowed ship", "126767479256431/14383540192678");
        check_value("4x4 3,2 allowed ship", "9566858863/1073459232");
        check_value("5x5 3 allowed ship", "325/46");
        check_value("5x5 2 allowed ship", "1159/135");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn certificates_of_random_boards_hold(rules in tiny_rules(7)) {
        let found = Equilibrium::find(&rules, Budget::default(), &mut |_| {}).unwrap();
        let (lower, upper) = check(&found.to_string());
        prop_assert_eq!(lower, upper, "{}", rules);
    }
}

#[test]
fn what_is_out_of_reach_is_said_to_be() {
    let find = |rules: &str, budget: &str| {
        let rules: Rules = rules.parse().unwrap();
        Equilibrium::find(&rules, budget.parse::<Budget>().unwrap(), &mut |_| {}).err()
    };
    assert_eq!(find("classic", "1GB"), Some(SolveError::Board(100)));
    assert_eq!(find("sploosh", "1MB"), Some(SolveError::OutOfReach(OutOfReach::Steps)));
}
