//! Layouts drawn from the posterior: uniform, reproducible, and all of them consistent.

use std::collections::HashMap;

use broadside_odds::{Budget, Transfer, oracle};
use broadside_rules::{Preset, Rules, ShotLog};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::common::{chi_square_limit, played_log, small_rules};

fn sample(log: &ShotLog, seed: u64, n: usize) -> Vec<String> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let drawn = Transfer::new(Budget::default()).sample(log, &mut rng, n).unwrap();
    drawn.iter().map(ToString::to_string).collect()
}

fn layouts(log: &ShotLog) -> Vec<String> {
    let mut all = Vec::new();
    oracle::each_layout(log.rules(), Budget::default(), &mut |layout| {
        if oracle::fits(log, layout) {
            all.push(layout.to_string());
        }
    })
    .unwrap();
    all
}

#[test]
fn every_layout_that_fits_is_equally_likely() {
    let positions = [
        ("4x4 3,2 allowed ship", ""),
        ("5x5 3,2,2 allowed ship", "B2+ C2+ D4- B3+ C1#2 A1- E2-"),
        ("4x4 3,2 corners ship", "B2+"),
        ("5x5 2,2,1 never ship", "C3- A1+"),
        ("4x5 2,2,1 allowed silent", "B2+ B3+ D1-"),
    ];
    for (rules, shots) in positions {
        let rules: Rules = rules.parse().unwrap();
        let log = ShotLog::parse(&rules, shots).unwrap();
        let all = layouts(&log);
        let draws = 200 * all.len();
        let mut seen: HashMap<String, f64> = HashMap::new();
        for layout in sample(&log, 11, draws) {
            *seen.entry(layout).or_default() += 1.0;
        }
        let expected = draws as f64 / all.len() as f64;
        let chi: f64 = all.iter().map(|layout| (seen.get(layout).copied().unwrap_or(0.0) - expected).powi(2) / expected).sum();
        assert!(chi < chi_square_limit(all.len() - 1), "{rules} {log}: {chi} over {} layouts", all.len());
        assert!(seen.keys().all(|layout| all.contains(layout)), "only layouts that fit are drawn");
    }
}

#[test]
fn the_same_generator_draws_the_same_layouts() {
    let log = ShotLog::parse(&Preset::Classic.rules(), "E5- C3+ C4+ C5#3").unwrap();
    assert_eq!(sample(&log, 4, 10), sample(&log, 4, 10));
    assert_ne!(sample(&log, 4, 10), sample(&log, 5, 10));
}

#[test]
fn an_impossible_log_has_no_samples() {
    for rules in ["classic", "russian"] {
        let log = ShotLog::parse(&rules.parse().unwrap(), "J10#3").unwrap();
        assert_eq!(sample(&log, 1, 5), Vec::<String>::new());
    }
}

proptest! {
    #[test]
    fn samples_fit_the_log(rules in small_rules(), seed in any::<u64>()) {
        let log = played_log(&rules, seed);
        let drawn = Transfer::new(Budget::default()).sample(&log, &mut Xoshiro256PlusPlus::seed_from_u64(seed), 5).unwrap();
        prop_assert_eq!(drawn.len(), 5);
        prop_assert!(drawn.iter().all(|layout| oracle::fits(&log, layout)), "{} {}", rules, log);
    }
}

/// On each cell of classic positions, the share of the draws is the exact chance, within 5 standard errors.
#[test]
fn draws_have_the_exact_marginals() {
    let positions = ["", "E5- F6+", "E5- C3+ C4+ C5#3 H8+ B7-", "A1- B2- C3- D4+ G7+ J10- I2- F9+"];
    for shots in positions {
        let log = ShotLog::parse(&Preset::Classic.rules(), shots).unwrap();
        let mut engine = Transfer::new(Budget::default());
        let counts = engine.count(&log).unwrap();
        let mut sampler = engine.sampler(&log).unwrap().unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut seen = vec![0_u32; 100];
        let draws = 40_000;
        for _ in 0..draws {
            sampler.draw_cells(&mut rng).iter().for_each(|cell| seen[cell.row() * 10 + cell.col()] += 1);
        }
        for (cell, &seen) in log.rules().grid().cells().zip(&seen) {
            let chance = counts.chance(cell);
            let error = (chance * (1.0 - chance) / f64::from(draws)).sqrt();
            let share = f64::from(seen) / f64::from(draws);
            assert!((share - chance).abs() <= 5.0 * error, "{cell} after {shots:?}: {share} for {chance}");
        }
    }
}
