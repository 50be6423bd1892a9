//! Bounds are no higher than what they bound.

use broadside_odds::Budget;
use broadside_rules::ShotLog;
use broadside_solve::{Bound, Solver};
use num_rational::Ratio;
use proptest::prelude::*;

use crate::oracle::tiny_rules;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_bound_passes_the_optimum(rules in tiny_rules(12)) {
        let bound = Bound::for_rules(&rules, Budget::default()).unwrap();
        let solution = Solver::new(&ShotLog::new(&rules), Budget::default()).unwrap().solve(&mut |_| {}).unwrap();
        prop_assert_eq!(bound.layouts, u128::from(solution.layouts));
        let optimum = Ratio::new(u128::from(solution.shots), u128::from(solution.layouts));
        prop_assert!(bound.best_proved() <= optimum, "{}: {} > {}", rules, bound.best_proved(), optimum);
    }
}
