//! Estimates are correct within their stated error where the exact odds are known.

use broadside_odds::{Budget, Engine, Odds, OddsError, estimate, odds};
use broadside_rules::{Rules, ShotLog};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Standard errors beyond which an estimate counts as wrong: about one in a million if the error is honest.
const LIMIT: f64 = 5.0;

#[test]
fn estimates_agree_with_exact_counts_within_their_errors() {
    let positions = [
        ("classic", ""),
        ("classic", "E5- C3+ C4+ C5#3 D4+ G7-"),
        ("classic", "E5+ D5- F6- G7- B2-"),
        ("10x10 5,4,3,3,2 never ship", "E5- C3+ G7+"),
        ("8x8 4,3,2 allowed silent", "C3+ C4+ E5-"),
        ("6x6 3,2,2,1 corners every", "B2+3 E5+2 A6-"),
    ];
    for (rules, shots) in positions {
        let rules: Rules = rules.parse().unwrap();
        let log = ShotLog::parse(&rules, shots).unwrap();
        let exact = Engine::Transfer.count(&log, Budget::default()).unwrap();
        let rough = estimate(&log, 40_000, &mut Xoshiro256PlusPlus::seed_from_u64(7)).unwrap();
        let off = (rough.layouts().mean - exact.layouts() as f64).abs();
        assert!(off <= LIMIT * rough.layouts().std_err, "{rules} {log}: {off} off");
        for cell in rules.grid().cells() {
            let (rough, exact) = (rough.chance(cell), exact.chance(cell));
            assert!(
                (rough.mean - exact).abs() <= LIMIT * rough.std_err + 1e-12,
                "{rules} {log} {cell}: {rough:?}, exact {exact}"
            );
        }
    }
}

/// Layouts drawn uniformly would leave the error `sqrt(p (1 - p) / n)`: here a tenth of the draws does as well on every cell.
#[test]
fn a_tenth_of_the_draws_gives_the_error_of_uniform_samples() {
    for rules in ["classic", "20x20 5,4,4,3,3,3,2,2,2,2 allowed ship"] {
        let log = ShotLog::new(&rules.parse().unwrap());
        let draws = 500;
        let rough = estimate(&log, draws, &mut Xoshiro256PlusPlus::seed_from_u64(3)).unwrap();
        for cell in log.rules().grid().cells() {
            let chance = rough.chance(cell);
            let uniform = (chance.mean * (1.0 - chance.mean) / (10 * draws) as f64).sqrt();
            assert!(chance.std_err <= uniform, "{rules} {cell}: {chance:?}, {uniform} of ten times as many uniform draws");
        }
    }
}

#[test]
fn a_budget_that_is_too_small_gives_an_estimate_that_says_so() {
    let rules: Rules = "russian".parse().unwrap();
    let log = ShotLog::parse(&rules, "E5-").unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let found = odds(&log, Engine::Transfer, Budget { bytes: 1000, steps: 1000 }, 2000, &mut rng).unwrap();
    let Odds::Estimate(rough) = found else { panic!("{found:?}") };
    assert_eq!(rough.samples(), 2000);
    assert!(rough.layouts().std_err > 0.0);
}

#[test]
fn an_impossible_log_is_explained() {
    let rules: Rules = "classic".parse().unwrap();
    let log = ShotLog::parse(&rules, "J10#3").unwrap();
    let found = odds(&log, Engine::Transfer, Budget::default(), 10, &mut Xoshiro256PlusPlus::seed_from_u64(1));
    assert!(matches!(found, Err(OddsError::Impossible(_))), "{found:?}");
}
