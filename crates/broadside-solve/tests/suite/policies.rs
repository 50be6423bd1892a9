//! Tables of play: the shots that they take on every layout, and their text.

use broadside_odds::{Budget, oracle::each_layout};
use broadside_rules::{Layout, Referee, Rules, ShotLog};
use broadside_solve::{ParsePolicyError, Policy, Solver};
use proptest::prelude::*;

use crate::claims::policy_round_trips;

fn solver(rules: &Rules) -> Solver {
    Solver::new(&ShotLog::new(rules), Budget::default()).unwrap()
}

fn play(policy: &Policy, layout: &Layout) -> u64 {
    let mut referee = Referee::new(policy.rules(), layout.clone());
    while !referee.is_over() {
        let cell = policy.aim(referee.log()).expect("a cell for every log of its own games");
        referee.fire(cell).unwrap();
    }
    referee.log().len() as u64
}

#[test]
fn a_policy_takes_the_least_expected_number_of_shots_over_all_layouts() {
    let boards =
        ["4x4 3,2 allowed ship", "3x4 2,2 allowed bare", "3x3 2,1 corners every", "1x9 3,2 never ship", "3x4 2,2 allowed silent"];
    for text in boards {
        let rules: Rules = text.parse().unwrap();
        let mut solver = solver(&rules);
        let policy = solver.policy(&mut |_| {}).unwrap();
        let mut shots = 0;
        each_layout(&rules, Budget::default(), &mut |layout| shots += play(&policy, layout)).unwrap();
        assert_eq!(shots, solver.solve(&mut |_| {}).unwrap().shots, "{text}");
        assert_eq!(policy.to_string().parse::<Policy>(), Ok(policy));
    }
}

#[test]
fn a_policy_is_written_as_its_documentation_says() {
    let rules: Rules = "1x3 2 allowed ship".parse().unwrap();
    let policy = solver(&rules).policy(&mut |_| {}).unwrap();
    assert_eq!(policy.to_string(), "broadside policy 1\n1x3 2 allowed ship\nA2 +\nA1 - #2\nA3 #2\n");
    assert_eq!(policy.len(), 3);
}

#[test]
fn what_is_no_policy_is_refused() {
    let head = "broadside policy 1\n1x3 2 allowed ship\n";
    let read = |lines: &str| format!("{head}{lines}").parse::<Policy>();
    assert_eq!("".parse::<Policy>(), Err(ParsePolicyError::Header));
    assert!(matches!("broadside policy 1\n".parse::<Policy>(), Err(ParsePolicyError::Rules(_))));
    assert_eq!(read(""), Err(ParsePolicyError::Short(2)));
    assert!(matches!(read("A9 -\n"), Err(ParsePolicyError::Shot { line: 3, .. })));
    assert!(matches!(read("x -\n"), Err(ParsePolicyError::Cell { line: 3, .. })));
    assert!(matches!(read("A1 !\n"), Err(ParsePolicyError::Answer { line: 3, .. })));
    assert!(matches!(read("A1 ?\n"), Err(ParsePolicyError::Shot { line: 3, .. })));
    assert_eq!(read("A1\n"), Err(ParsePolicyError::Answers(3)));
    assert_eq!(read("A1 - -\n"), Err(ParsePolicyError::Answers(3)));
    assert_eq!(read("A2 +\nA1 - #2\n"), Err(ParsePolicyError::Short(4)));
    assert!(matches!(read("A2 +\nA2 #2\n"), Err(ParsePolicyError::Shot { line: 4, .. })));
    assert_eq!(read("A2 +\nA1 - #2\nA3 #2\nA1 -\n"), Err(ParsePolicyError::Long(6)));
}

proptest! {
    #[test]
    fn any_text_is_refused_or_round_trips(text in "(broadside policy 1\n1x3 2 allowed ship\n)?(A[1-4]( [-+]| #2){0,3}\n){0,5}.{0,20}") {
        policy_round_trips(&text);
    }

    #[test]
    fn a_policy_with_a_line_changed_is_refused_or_round_trips(line in 0usize..40, text in "[A-D][1-4]( [-+]| #[23]){0,3}") {
        let rules: Rules = "3x3 2 allowed ship".parse().unwrap();
        let whole = solver(&rules).policy(&mut |_| {}).unwrap().to_string();
        let changed: Vec<&str> = whole.lines().enumerate().map(|(i, old)| if i == line { text.as_str() } else { old }).collect();
        policy_round_trips(&changed.join("\n"));
    }
}
