//! Dealt layouts are legal and equally likely, whichever method draws them.

use std::collections::HashMap;

use broadside_odds::{Budget, Dealer, Sampler, Transfer, oracle};
use broadside_rules::{Census, Draft, Layout, Preset, RejectionSampler, Rules, ShotLog};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::common::{chi_square_limit, small_rules};

/// 13,413,944,880 layouts, too tight for rejection and too large for a census.
const TIGHT: &str = "8x10 3,3,3,2,2,2,2,1,1,1,1,1,1,1,1,1,1 never ship";

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Fails unless the draws are spread evenly over all layouts, as the oracle lists them.
fn assert_uniform(rules: &Rules, method: &str, mut draw: impl FnMut() -> Layout) {
    let mut drawn: HashMap<String, f64> = HashMap::new();
    oracle::each_layout(rules, Budget::default(), &mut |layout| _ = drawn.insert(layout.to_string(), 0.0)).unwrap();
    let expected = 200.0;
    for _ in 0..200 * drawn.len() {
        *drawn.get_mut(&draw().to_string()).expect("a drawn layout is one of all") += 1.0;
    }
    let chi: f64 = drawn.values().map(|count| (count - expected).powi(2) / expected).sum();
    assert!(chi < chi_square_limit(drawn.len() - 1), "{rules} by {method}: {chi} over {} layouts", drawn.len());
}

fn exact(rules: &Rules) -> Sampler {
    Transfer::new(Budget::default()).sampler(&ShotLog::new(rules)).unwrap().expect("some layout")
}

#[test]
fn every_method_draws_every_layout_with_the_same_chance() {
    for rules in ["3x4 3,2,2 allowed ship", "4x4 3,2 corners ship", "5x4 3,1,1 never ship"] {
        let rules: Rules = rules.parse().unwrap();
        let (mut dealer, mut rejection) = (Dealer::new(&rules), RejectionSampler::new(&rules));
        let census = Census::new(&rules, 300_000).unwrap();
        let mut rng = rng(2024);
        assert_uniform(&rules, "the dealer", || dealer.uniform(&mut rng).unwrap());
        assert_uniform(&rules, "rejection", || rejection.uniform(1_000_000, &mut rng).unwrap());
        assert_uniform(&rules, "census", || census.draw(&mut rng).unwrap());
        let mut exact = exact(&rules);
        assert_uniform(&rules, "exact sampling", || exact.draw(&mut rng));
    }
}

#[test]
fn every_method_for_tight_boards_draws_every_layout_with_the_same_chance() {
    for rules in ["4x5 2,2,2,2,2,2,2,2,2,2 allowed ship", "5x5 2,2,2,1,1,1,1 never ship"] {
        let rules: Rules = rules.parse().unwrap();
        let census = Census::new(&rules, 300_000).unwrap();
        let mut rng = rng(7);
        assert_uniform(&rules, "census", || census.draw(&mut rng).unwrap());
        let mut exact = exact(&rules);
        assert_uniform(&rules, "exact sampling", || exact.draw(&mut rng));
    }
}

#[test]
fn a_board_that_is_too_tight_for_rejection_and_too_large_for_a_census_is_dealt() {
    let rules: Rules = TIGHT.parse().unwrap();
    let mut dealer = Dealer::new(&rules);
    let dealt: Vec<Layout> = (0..4).map(|seed| dealer.uniform(&mut rng(seed)).unwrap()).collect();
    assert!(dealt.iter().all(|layout| Draft::from(layout).check(&rules).is_valid()));
    assert!(dealt.windows(2).all(|pair| pair[0] != pair[1]));
    // What was dealt before makes no difference, nor does the dealer.
    assert_eq!(dealer.clone().uniform(&mut rng(1)).unwrap(), dealt[1]);
    assert_eq!(Dealer::new(&rules).uniform(&mut rng(1)).unwrap(), dealt[1]);
}

#[test]
fn the_layouts_of_roomy_boards_are_those_of_rejection_alone() {
    for &preset in Preset::ALL {
        let rules = preset.rules();
        let (mut dealer, mut rejection) = (Dealer::new(&rules), RejectionSampler::new(&rules));
        for seed in 0..20 {
            assert_eq!(dealer.uniform(&mut rng(seed)).ok(), rejection.uniform(u32::MAX, &mut rng(seed)), "{preset} {seed}");
            assert_eq!(dealer.sequential(&mut rng(seed)).ok(), rejection.sequential(u32::MAX, &mut rng(seed)));
        }
    }
}

proptest! {
    #[test]
    fn every_layout_dealt_on_a_crowded_board_is_legal(rules in small_rules(), seed in any::<u64>()) {
        let layout = Dealer::new(&rules).uniform(&mut rng(seed)).unwrap();
        prop_assert!(Draft::from(&layout).check(&rules).is_valid(), "{} {}", rules, layout);
    }
}
