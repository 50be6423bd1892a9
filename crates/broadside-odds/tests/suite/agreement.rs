//! All engines give the same integers on thousands of random small boards, fleets, rules and played logs.

use crate::common::{self, played_log, small_rules};
use broadside_odds::{BatchTransfer, Budget, Counts, Engine, InstructionSet, Transfer};
use broadside_rules::ShotLog;
use proptest::collection::vec;
use proptest::prelude::*;

fn count(engine: Engine, log: &ShotLog) -> Counts {
    common::count(engine, log, Budget::default()).expect("small boards are in reach")
}

/// Random boards; `BROADSIDE_BOARDS=100000` runs the full claim.
fn boards() -> u32 {
    std::env::var("BROADSIDE_BOARDS").ok().and_then(|boards| boards.parse().ok()).unwrap_or(2000)
}

proptest! {
    // Fleets that don't fit are rejected, more of them than the default allows for 100,000 boards.
    #![proptest_config(ProptestConfig { max_local_rejects: u32::MAX, ..ProptestConfig::with_cases(boards()) })]

    #[test]
    fn every_engine_agrees_with_the_definition(rules in small_rules(), seed in any::<u64>()) {
        let log = played_log(&rules, seed);
        let truth = count(Engine::Oracle, &log);
        prop_assert!(truth.layouts() > 0, "the true layout always fits");
        for &engine in Engine::ALL {
            prop_assert_eq!(&count(engine, &log), &truth, "{} on {} {}", engine, rules, log);
        }
        for set in InstructionSet::available() {
            let mut transfer = Transfer::with_instructions(Budget::default(), set).expect("it is available");
            prop_assert_eq!(&transfer.count(&log).expect("in reach"), &truth, "{:?} on {} {}", set, rules, log);
        }
        let covered: u128 = truth.cells().iter().sum();
        prop_assert_eq!(covered, truth.layouts() * rules.fleet().cells() as u128);
        prop_assert!(log.hits().iter().all(|hit| truth.at(hit) == truth.layouts()));
        prop_assert!(log.misses().iter().all(|miss| truth.at(miss) == 0));
    }
}

/// Logs that are counted at once.
const BATCH: u32 = 100;

proptest! {
    #![proptest_config(ProptestConfig { max_local_rejects: u32::MAX, ..ProptestConfig::with_cases(boards().div_ceil(BATCH)) })]

    #[test]
    fn a_batch_of_boards_agrees_with_the_definition(boards in vec((small_rules(), any::<u64>()), BATCH as usize)) {
        let logs: Vec<ShotLog> = boards.iter().map(|(rules, seed)| played_log(rules, *seed)).collect();
        let mut engines = BatchTransfer::new(Budget::default());
        // Twice, as the second time the engines have the tables of other boards.
        for _ in 0..2 {
            for (log, counts) in logs.iter().zip(engines.count(&logs)) {
                prop_assert_eq!(counts.expect("small boards are in reach"), count(Engine::Oracle, log), "{} {}", log.rules(), log);
            }
        }
    }
}
