//! Logs that no layout fits, and why.

use broadside_odds::{Budget, Contradiction, explain};
use broadside_rules::{Rules, ShotLog};
use proptest::prelude::*;

use crate::common::{played_log, small_rules};

fn contradiction(rules: &str, shots: &str) -> Option<Contradiction> {
    let rules: Rules = rules.parse().unwrap();
    explain(&ShotLog::parse(&rules, shots).unwrap(), Budget::default()).unwrap()
}

fn told(rules: &str, shots: &str) -> String {
    contradiction(rules, shots).expect("a contradiction").to_string()
}

#[test]
fn a_possible_log_has_no_explanation() {
    assert_eq!(contradiction("classic", "E5- C3+ C4+ C5#3"), None);
}

#[test]
fn the_first_impossible_shot_and_the_shots_to_blame_are_named() {
    // A sinking with nothing hit around it.
    assert_eq!(
        told("classic", "A1- J10#3 B5-"),
        "no layout is left after shot 2, J10#3: with the cells fired at so far, no layout gives that answer"
    );
    // A ship of length 2 sunk in a corner whose two neighbours are water.
    assert_eq!(
        told("3x3 2 allowed ship", "C3- A2- B1- A1#2 B2-"),
        "no layout is left after shot 4, A1#2: it contradicts A2- (shot 2), B1- (shot 3)"
    );
    // The hit to blame is the one that the only ship can't reach from there.
    assert_eq!(told("4x4 2 allowed ship", "D1- A1+ C3+"), "no layout is left after shot 3, C3+: it contradicts A1+ (shot 2)");
}

#[test]
fn a_later_shot_than_the_first_impossible_one_is_not_blamed() {
    let found = contradiction("3x3 2 allowed ship", "A2- B1- A1+ C3+").expect("a contradiction");
    assert_eq!(found.number, 3);
}

proptest! {
    #[test]
    fn an_explanation_is_a_contradiction_and_nothing_in_it_is_idle(rules in small_rules(), seed in any::<u64>(), other in any::<u64>()) {
        // Answers from two different layouts, one after the other, often contradict each other.
        let mut log = played_log(&rules, seed);
        for shot in played_log(&rules, other).shots() {
            let _ = log.push(*shot);
        }
        let possible = broadside_odds::oracle::count(&log, Budget::default()).unwrap().layouts() > 0;
        let found = explain(&log, Budget::default()).unwrap();
        prop_assert_eq!(found.is_none(), possible);
        if let Some(found) = found {
            let fits = |kept: &[usize]| any_layout_gives(&log, found.number, kept);
            let all: Vec<usize> = found.against.iter().map(|(number, _)| *number).chain([found.number]).collect();
            prop_assert!(!fits(&all), "{} {}: {}", rules, log, found);
            for idle in 0..all.len() - 1 {
                let fewer: Vec<usize> = all.iter().enumerate().filter(|(i, _)| *i != idle).map(|(_, n)| *n).collect();
                prop_assert!(fits(&fewer), "{} {}: {}", rules, log, found);
            }
            let before: Vec<usize> = (1..found.number).collect();
            prop_assert!(any_layout_gives(&log, found.number - 1, &before));
        }
    }
}

/// Whether some layout, shot at with the first `len` shots, gives the answers of those with these numbers.
fn any_layout_gives(log: &ShotLog, len: usize, numbers: &[usize]) -> bool {
    let mut any = false;
    broadside_odds::oracle::each_layout(log.rules(), Budget::default(), &mut |layout| {
        let mut referee = broadside_rules::Referee::new(log.rules(), layout.clone());
        any |= (1..).zip(&log.shots()[..len]).all(|(number, shot)| {
            // A layout whose ships are all sunk answers whatever is fired at water later.
            let answer = referee.fire(shot.cell).unwrap_or(broadside_rules::Answer::Miss);
            !numbers.contains(&number) || answer == shot.answer
        });
    })
    .unwrap();
    any
}
