//! One engine along a whole game gives the integers that a new one gives for every position.

use broadside_odds::{Budget, Counts, Engine, Transfer};
use broadside_rules::{Preset, Rules, ShotLog};
use proptest::prelude::*;

use crate::common::{played_log, small_rules};

fn fresh(log: &ShotLog) -> Counts {
    Transfer::new(Budget::default()).count(log).expect("in reach")
}

/// Counts every position of a log with one engine.
fn follow(log: &ShotLog, engine: &mut Transfer) {
    let mut position = ShotLog::new(log.rules());
    for &shot in log.shots() {
        assert_eq!(engine.count(&position).expect("in reach"), fresh(&position), "{} {position}", log.rules());
        position.push(shot).expect("the beginning of a log is a log");
    }
    assert_eq!(engine.count(&position).expect("in reach"), fresh(&position), "{} {position}", log.rules());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn along_small_games_nothing_changes(rules in small_rules(), seed in any::<u64>(), other in any::<u64>()) {
        let mut engine = Transfer::new(Budget::default());
        let log = played_log(&rules, seed);
        follow(&log, &mut engine);
        prop_assert_eq!(engine.count(&log).expect("in reach"), Engine::Oracle.count(&log, Budget::default()).expect("small"));
        // Another game with the same engine, which is no continuation of the first.
        follow(&played_log(&rules, other), &mut engine);
    }
}

#[test]
fn along_games_of_the_presets_nothing_changes() {
    let corners: Rules = "8x8 4,3,3,2 corners ship".parse().expect("rules");
    let never: Rules = "8x8 3,2,2,1,1 never silent".parse().expect("rules");
    let mut engine = Transfer::new(Budget::default());
    for rules in [Preset::Classic.rules(), corners, never] {
        for seed in 0..3 {
            follow(&played_log(&rules, seed), &mut engine);
        }
    }
}

#[test]
fn answers_that_contradict_the_layouts_left_leave_none() {
    let rules: Rules = "3x3 2 allowed ship".parse().expect("rules");
    let mut engine = Transfer::new(Budget::default());
    let mut log = ShotLog::new(&rules);
    engine.count(&log).expect("in reach");
    for shot in ["A1-", "A2-", "A3-", "B1-", "B2-", "B3-", "C1-", "C2-", "C3-"] {
        log.push(shot.parse().expect("a shot")).expect("a new cell");
        assert_eq!(engine.count(&log).expect("in reach"), Engine::Oracle.count(&log, Budget::default()).expect("small"));
    }
    assert_eq!(engine.count(&log).expect("in reach").layouts(), 0);
}
