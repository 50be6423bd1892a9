//! All engines give the same integers on thousands of random small boards, fleets, rules and played logs.

use crate::common::{self, played_log, small_rules};
use broadside_odds::{Budget, Counts, Engine};
use broadside_rules::ShotLog;
use proptest::prelude::*;

fn count(engine: Engine, log: &ShotLog) -> Counts {
    common::count(engine, log, Budget::default()).expect("small boards are in reach")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_engine_agrees_with_the_definition(rules in small_rules(), seed in any::<u64>()) {
        let log = played_log(&rules, seed);
        let truth = count(Engine::Oracle, &log);
        prop_assert!(truth.layouts() > 0, "the true layout always fits");
        for &engine in Engine::ALL {
            prop_assert_eq!(&count(engine, &log), &truth, "{} on {} {}", engine, rules, log);
        }
        let covered: u128 = truth.cells().iter().sum();
        prop_assert_eq!(covered, truth.layouts() * rules.fleet().cells() as u128);
        prop_assert!(log.hits().iter().all(|hit| truth.at(hit) == truth.layouts()));
        prop_assert!(log.misses().iter().all(|miss| truth.at(miss) == 0));
    }
}
