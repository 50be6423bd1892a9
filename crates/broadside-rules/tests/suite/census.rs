//! The census counts what a naive list has.

use broadside_rules::{Call, Census, CensusError, Rules, Touch};
use proptest::prelude::*;

use crate::naive;

fn count(rules: &Rules) -> u128 {
    Census::new(rules, 1_000_000).unwrap().layouts()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn the_census_counts_what_a_naive_list_has(rules in naive::rules(4, 4, 4)) {
        prop_assert_eq!(count(&rules), naive::layouts(&rules).len() as u128);
    }

    #[test]
    fn a_board_on_its_side_has_as_many_layouts(rules in naive::rules(6, 5, 5)) {
        let turned = Rules::new(rules.grid().transposed(), rules.fleet().clone(), rules.touch(), Call::Ship).unwrap();
        prop_assert_eq!(count(&rules), count(&turned));
    }

    #[test]
    fn stricter_touch_rules_have_no_more_layouts(rules in naive::rules(5, 4, 4)) {
        let by = |touch| Rules::new(rules.grid(), rules.fleet().clone(), touch, Call::Ship).map_or(0, |rules| count(&rules));
        prop_assert!(by(Touch::Never) <= by(Touch::Corners) && by(Touch::Corners) <= by(Touch::Allowed));
    }

    #[test]
    fn a_small_budget_gives_the_number_or_an_error(rules in naive::rules(4, 4, 3), budget in 0usize..300) {
        match Census::new(&rules, budget) {
            Ok(census) => prop_assert_eq!(census.layouts(), count(&rules)),
            Err(error) => prop_assert_eq!(error, CensusError::Budget(budget)),
        }
    }
}

#[test]
fn full_boards_have_their_known_numbers_of_tilings() {
    // Dominoes on a board, by the formula of Kasteleyn and of Temperley and Fisher: 36 on 4x4, 6728 on 6x6.
    assert_eq!(count(&format!("4x4 {} allowed ship", ["2"; 8].join(",")).parse().unwrap()), 36);
    assert_eq!(count(&format!("6x6 {} allowed ship", ["2"; 18].join(",")).parse().unwrap()), 6728);
}

#[test]
fn boards_of_more_than_128_cells_are_counted_too() {
    // One ship on 12x12: 12 rows with 12 - 5 + 1 places, twice.
    assert_eq!(count(&"12x12 5 never ship".parse().unwrap()), 192);
    // Two single ships anywhere: pairs of 144 cells.
    assert_eq!(count(&"12x12 1,1 allowed ship".parse().unwrap()), 144 * 143 / 2);
    // Pairs of kings that don't attack each other, (n-1)(n-2)(n²+3n-2)/2.
    assert_eq!(count(&"12x12 1,1 never ship".parse().unwrap()), 11 * 10 * (144 + 36 - 2) / 2);
}
