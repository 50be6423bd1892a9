//! Large boards, large numbers and small budgets.

use broadside_odds::{Budget, Odds, OutOfReach, Transfer, baseline, odds};
use broadside_odds::{Engine, Problem};
use broadside_rules::{Rules, ShotLog};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::common::{played_log, small_rules};

fn empty(rules: &str) -> ShotLog {
    ShotLog::new(&rules.parse::<Rules>().unwrap())
}

#[test]
fn the_classic_fleet_on_20x20_is_counted_exactly() {
    let counts = Transfer::new(Budget::default()).count(&empty("20x20 5,4,3,3,2 allowed ship")).unwrap();
    assert_eq!(counts.cells().iter().sum::<u128>(), counts.layouts() * 17);
    // The ways to choose placements, clashes included, less those in which some two clash, bound it from both sides.
    let ways: u128 = 640 * 680 * (720 * 719 / 2) * 760;
    assert!(counts.layouts() < ways && counts.layouts() > ways / 2, "{}", counts.layouts());
}

#[test]
fn a_count_past_128_bits_is_an_error_and_never_a_wrong_number() {
    for touch in ["allowed", "never"] {
        let log = empty(&format!("64x3 {} {touch} ship", vec!["1"; 45].join(",")));
        match Transfer::new(Budget::default()).count(&log) {
            Ok(counts) => assert_eq!(counts.cells().iter().sum::<u128>(), counts.layouts() * 45),
            Err(error) => assert!(matches!(error, OutOfReach::Overflow | OutOfReach::Memory), "{error}"),
        }
    }
    let log = empty(&format!("64x64 {} allowed ship", vec!["1"; 100].join(",")));
    assert!(Transfer::new(Budget { bytes: 64 << 20, ..Budget::default() }).count(&log).is_err());
}

#[test]
fn boards_out_of_reach_get_an_estimate_within_the_budget() {
    let log = empty("12x12 4,3,3,2,2,2,1,1,1,1 allowed ship");
    let budget = Budget { bytes: 16 << 20, ..Budget::default() };
    let found = odds(&log, Engine::Transfer, budget, 300, &mut Xoshiro256PlusPlus::seed_from_u64(1)).unwrap();
    let Odds::Estimate(rough) = found else { panic!("{found:?}") };
    // Choosing placements for each class, clashes included, is an upper bound of the layouts.
    let choose = |n: f64, k: u32| (0..k).map(|i| (n - f64::from(i)) / f64::from(i + 1)).product::<f64>();
    let ways = choose(216.0, 1) * choose(240.0, 2) * choose(264.0, 3) * choose(144.0, 4);
    assert!(rough.layouts().mean < ways && rough.layouts().mean > ways / 100.0, "{:?}", rough.layouts());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn the_plain_sweep_agrees(rules in small_rules(), seed in any::<u64>()) {
        let problem = Problem::from_log(&played_log(&rules, seed));
        let layouts = Transfer::new(Budget::default()).total(&problem).unwrap();
        prop_assert_eq!(u128::from(baseline::plain_sweep::count(&problem)), layouts);
    }
}

#[test]
fn boards_far_out_of_reach_are_refused_before_their_tables_grow() {
    // Ships as long as the board make its sweep a single block; many short ones can start in one long row in billions of ways.
    let lengths = (1..=20).map(|length| length.to_string()).collect::<Vec<_>>().join(",");
    for rules in [format!("20x20 {lengths} allowed ship"), "6x64 6,6,6,6,6,5,5,5,5,4,4,4,4,3,3,3 allowed ship".to_owned()] {
        let log = ShotLog::new(&rules.parse().unwrap());
        let budget = Budget { bytes: 4 << 20, ..Budget::default() };
        assert_eq!(Engine::Transfer.count(&log, budget), Err(OutOfReach::Memory), "{rules}");
    }
}
