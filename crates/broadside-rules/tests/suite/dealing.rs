//! Dealt layouts are legal, and each is as likely as any other.

use std::collections::{BTreeMap, BTreeSet};

use broadside_rules::{Census, Draft, Layout, Preset, RejectionSampler, Rules};
use proptest::prelude::*;

use crate::naive::{self, Ship};

/// The value that chi-square with so many degrees of freedom passes with probability 0.001: the approximation of Wilson
/// and Hilferty (1931), a little too large: by less than 0.2 % from thirty degrees on. 3.0902 is the normal quantile of 0.999.
fn critical_value(freedom: usize) -> f64 {
    let spread = 2.0 / (9.0 * freedom as f64);
    freedom as f64 * (1.0 - spread + 3.0902 * spread.sqrt()).powi(3)
}

/// Chi-square of so many draws for each of the layouts, all equally likely, with its critical value.
fn chi_square(rules: &Rules, draws_for_each: usize, mut draw: impl FnMut() -> Layout) -> (f64, f64) {
    let mut drawn: BTreeMap<BTreeSet<Ship>, usize> = naive::layouts(rules).into_iter().map(|layout| (layout, 0)).collect();
    assert!(drawn.len() >= 30, "{rules} has only {} layouts", drawn.len());
    for _ in 0..draws_for_each * drawn.len() {
        let layout: BTreeSet<Ship> = naive::ships(&draw()).into_iter().collect();
        *drawn.get_mut(&layout).expect("a dealt layout is one of all") += 1;
    }
    let expected = draws_for_each as f64;
    let sum = drawn.values().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
    (sum, critical_value(drawn.len() - 1))
}

/// The chance that ships drawn independently go together.
fn chance(rules: &Rules) -> f64 {
    let mut chance = naive::layouts(rules).len() as f64;
    for (length, count) in rules.fleet().classes() {
        let places = naive::places(rules.grid().rows(), rules.grid().cols(), length.get()).len();
        (1..=count).for_each(|k| chance *= k as f64 / places as f64);
    }
    chance
}

/// More attempts than any board here takes.
const ATTEMPTS: u32 = 1_000_000;

const SMALL_BOARDS: [&str; 3] = ["3x4 3,2,2 allowed ship", "4x4 3,2,2 corners ship", "5x4 3,1,1 never ship"];

#[test]
fn the_critical_values_are_those_of_the_tables() {
    // Upper 0.001 points of chi-square as tabulated: 59.703 for 30 degrees of freedom, 149.449 for 100.
    assert!((critical_value(30) / 59.703 - 1.0).abs() < 0.002);
    assert!((critical_value(100) / 149.449 - 1.0).abs() < 0.002);
}

#[test]
fn every_layout_of_a_small_board_is_equally_likely() {
    for board in SMALL_BOARDS {
        let rules: Rules = board.parse().unwrap();
        let (mut sampler, mut rng) = (RejectionSampler::new(&rules), naive::rng(2024));
        let (found, critical) = chi_square(&rules, 100, || sampler.uniform(ATTEMPTS, &mut rng).unwrap());
        assert!(found < critical, "{board}: {found} is not below {critical}");
    }
}

#[test]
fn one_ship_after_the_other_fails_the_same_test() {
    for board in SMALL_BOARDS {
        let rules: Rules = board.parse().unwrap();
        let (mut sampler, mut rng) = (RejectionSampler::new(&rules), naive::rng(2024));
        let (found, critical) = chi_square(&rules, 100, || sampler.sequential(ATTEMPTS, &mut rng).unwrap());
        assert!(found > 2.0 * critical, "{board}: {found} is not far above {critical}");
    }
}

#[test]
fn every_layout_of_a_tight_board_is_equally_likely() {
    let tight =
        ["4x5 2,2,2,2,2,2,2,2,2,2 allowed ship", "6x5 1,1,1,1,1,1,1,1,1,1,1,1,1,1 corners ship", "5x5 2,2,2,1,1,1,1 never ship"];
    for board in tight {
        let rules: Rules = board.parse().unwrap();
        // Drawing all ships at once comes to nothing in the twenty thousand attempts that a dealer makes first.
        assert!(chance(&rules) < 1e-6, "{board}: {}", chance(&rules));
        let (census, mut rng) = (Census::new(&rules, 300_000).unwrap(), naive::rng(7));
        let (found, critical) = chi_square(&rules, 200, || census.draw(&mut rng).unwrap());
        assert!(found < critical, "{board}: {found} is not below {critical}");
    }
}

fn is_legal(rules: &Rules, layout: &Layout) {
    assert!(naive::is_legal(&naive::ships(layout), rules), "{rules}: {layout}");
    assert_eq!(Draft::from(layout).check(rules).into_layout().as_ref(), Ok(layout));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_dealt_layout_is_legal(rules in naive::roomy_rules(14), seed in any::<u64>()) {
        let (mut sampler, mut rng) = (RejectionSampler::new(&rules), naive::rng(seed));
        for _ in 0..5 {
            is_legal(&rules, &sampler.uniform(ATTEMPTS, &mut rng).unwrap());
            is_legal(&rules, &sampler.sequential(ATTEMPTS, &mut rng).unwrap());
        }
    }

    #[test]
    fn every_layout_dealt_on_a_crowded_board_is_legal(rules in naive::rules(5, 6, 4), seed in any::<u64>()) {
        is_legal(&rules, &Census::new(&rules, 300_000).unwrap().draw(&mut naive::rng(seed)).unwrap());
    }
}

#[test]
fn the_presets_are_dealt_legally() {
    for &preset in Preset::ALL {
        let rules = preset.rules();
        let (mut sampler, mut rng) = (RejectionSampler::new(&rules), naive::rng(5));
        for _ in 0..50 {
            is_legal(&rules, &sampler.uniform(ATTEMPTS, &mut rng).unwrap());
            is_legal(&rules, &sampler.sequential(ATTEMPTS, &mut rng).unwrap());
        }
    }
}

#[test]
fn the_same_seed_deals_the_same_layouts() {
    let rules = Preset::Classic.rules();
    let deal = || {
        let (mut sampler, mut rng) = (RejectionSampler::new(&rules), naive::rng(11));
        (0..20).map(|_| sampler.uniform(ATTEMPTS, &mut rng).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(deal(), deal());
}
