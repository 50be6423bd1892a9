//! Weighted odds against a weighted listing of all layouts.

use std::collections::HashMap;

use broadside_odds::{Budget, Dealer, PlacementWeights, Touching, Transfer, WeightedCounts, WeightedOdds, oracle};
use broadside_rules::{Cell, Layout, Placement, Preset, Rules, ShotLog};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::common::{chi_square_limit, played_log, small_rules};

/// The weight of a layout, with ships that touch found cell by cell.
fn layout_weight(layout: &Layout, weights: &PlacementWeights) -> f64 {
    let ships = layout.ships();
    let mut weight: f64 = ships.iter().map(|ship| weights.get(*ship)).product();
    for (i, one) in ships.iter().enumerate() {
        for other in &ships[i + 1..] {
            let distances =
                one.cells().flat_map(|a| other.cells().map(move |b| (a.row().abs_diff(b.row()), a.col().abs_diff(b.col()))));
            let nearest = distances.filter(|(down, right)| down.max(right) <= &1).map(|(down, right)| down + right).min();
            weight *= match nearest {
                Some(1) => weights.touching().side,
                Some(_) => weights.touching().corner,
                None => 1.0,
            };
        }
    }
    weight
}

/// The weight of all layouts that fit the log and of those with a ship on each cell, by listing.
fn listed(log: &ShotLog, weights: &PlacementWeights) -> (f64, HashMap<Cell, f64>) {
    let (mut total, mut cells) = (0.0, HashMap::new());
    oracle::each_layout(log.rules(), Budget::default(), &mut |layout| {
        if oracle::fits(log, layout) {
            let weight = layout_weight(layout, weights);
            total += weight;
            layout.cells().iter().for_each(|cell| *cells.entry(cell).or_default() += weight);
        }
    })
    .unwrap();
    (total, cells)
}

fn weigh(log: &ShotLog, weights: &PlacementWeights) -> WeightedCounts {
    Transfer::new(Budget::default()).weigh(log, weights).unwrap()
}

fn random_weights(rules: &Rules, seed: u64) -> PlacementWeights {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut weights = PlacementWeights::uniform();
    for (length, _) in rules.fleet().classes() {
        for ship in Placement::all(rules.grid(), length) {
            weights.set(ship, rng.random_range(0.0..4.0));
        }
    }
    weights
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn weighted_odds_are_those_of_the_listing(rules in small_rules(), seed in any::<u64>()) {
        let log = played_log(&rules, seed);
        let placements = random_weights(&rules, seed);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ 1);
        let touching = Touching { side: rng.random_range(0.0..3.0), corner: rng.random_range(0.0..3.0) };
        for weights in [placements.clone(), placements.with_touching(touching)] {
            let (total, cells) = listed(&log, &weights);
            let weighed = weigh(&log, &weights);
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * total;
            prop_assert!(close(weighed.layouts(), total), "{} {}: {} for {}", rules, log, weighed.layouts(), total);
            for cell in rules.grid().cells() {
                prop_assert!(close(weighed.at(cell), cells.get(&cell).copied().unwrap_or(0.0)), "{} {} {}", rules, log, cell);
            }
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn with_all_weights_one_they_are_the_integers(rules in small_rules(), seed in any::<u64>()) {
        let log = played_log(&rules, seed);
        let counts = Transfer::new(Budget::default()).count(&log).unwrap();
        let weighed = weigh(&log, &PlacementWeights::uniform());
        // Small integers are exact in floating point.
        prop_assert_eq!(weighed.layouts().to_bits(), (counts.layouts() as f64).to_bits());
        for cell in rules.grid().cells() {
            prop_assert_eq!(weighed.at(cell).to_bits(), (counts.at(cell) as f64).to_bits());
        }
    }

    #[test]
    fn weights_round_trip_as_text(rules in small_rules(), seed in any::<u64>()) {
        let weights = random_weights(&rules, seed).with_touching(Touching { side: 0.5, corner: 1.25 });
        prop_assert_eq!(PlacementWeights::parse(&rules, &weights.to_string()), Ok(weights));
    }
}

#[test]
fn the_classic_board_weighs_what_it_counts() {
    let log = ShotLog::parse(&Preset::Classic.rules(), "E5- C3+").unwrap();
    let counts = Transfer::new(Budget::default()).count(&log).unwrap();
    let weighed = weigh(&log, &PlacementWeights::uniform());
    assert!((weighed.layouts() / counts.layouts() as f64 - 1.0).abs() < 1e-12);
    for cell in log.rules().grid().cells() {
        assert!((weighed.chance(cell) - counts.chance(cell)).abs() < 1e-12);
    }
}

#[test]
fn what_is_no_table_of_weights_is_refused_with_its_line() {
    let rules = Preset::Classic.rules();
    let message = |text: &str| PlacementWeights::parse(&rules, text).unwrap_err().to_string();
    assert!(message("A1-A5").starts_with("line 1: write a placement"));
    assert!(message("A1-A5 1\n\nA1-A5 2").starts_with("line 3: A1-A5 has a weight"));
    assert!(message("A1-A5 -1").starts_with("line 1: a weight"));
    assert!(message("A1-A5 NaN").starts_with("line 1: a weight"));
    assert!(message("# nothing\nA1-A6 1").starts_with("line 2: no ship"));
    assert!(message("A1-B5 1").starts_with("line 1"));
}

#[test]
fn weights_learned_from_an_opponent_who_hugs_the_edge_raise_the_odds_there() {
    let rules: Rules = "6x6 3,2 allowed ship".parse().unwrap();
    let (mut rng, mut dealer) = (Xoshiro256PlusPlus::seed_from_u64(5), Dealer::new(&rules));
    let on_edge = |cell: Cell| [cell.row(), cell.col()].iter().any(|&at| at == 0 || at == 5);
    let past: Vec<_> =
        (0..2000).map(|_| dealer.uniform(&mut rng).unwrap()).filter(|layout| layout.cells().iter().all(on_edge)).collect();
    assert!(past.len() > 20);
    let weighed = weigh(&ShotLog::new(&rules), &PlacementWeights::learn(&rules, &past, 1.0));
    let even = Transfer::new(Budget::default()).count(&ShotLog::new(&rules)).unwrap();
    for cell in rules.grid().cells() {
        assert_eq!(weighed.chance(cell) > even.chance(cell), on_edge(cell), "{cell}");
    }
}

#[test]
fn weighted_samples_come_up_as_often_as_their_weights_say() {
    let rules: Rules = "3x3 2,1 corners ship".parse().unwrap();
    let weights = random_weights(&rules, 3);
    samples_come_up_as_often_as_their_weights_say(&rules, &weights);
    samples_come_up_as_often_as_their_weights_say(&rules, &weights.with_touching(Touching { side: 1.0, corner: 0.3 }));
}

fn samples_come_up_as_often_as_their_weights_say(rules: &Rules, weights: &PlacementWeights) {
    let log = ShotLog::parse(rules, "B2-").unwrap();
    let draws = 20_000;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut seen: HashMap<String, f64> = HashMap::new();
    for layout in Transfer::new(Budget::default()).sample_weighted(&log, weights, &mut rng, draws).unwrap() {
        *seen.entry(layout.to_string()).or_default() += 1.0;
    }
    let (total, _) = listed(&log, weights);
    let (mut chi, mut layouts) = (0.0, 0);
    oracle::each_layout(rules, Budget::default(), &mut |layout| {
        if oracle::fits(&log, layout) {
            let weight = layout_weight(layout, weights);
            let expected = draws as f64 * weight / total;
            chi += (seen.remove(&layout.to_string()).unwrap_or(0.0) - expected).powi(2) / expected;
            layouts += 1;
        }
    })
    .unwrap();
    assert!(seen.is_empty(), "only layouts that fit are drawn: {seen:?}");
    assert!(chi < chi_square_limit(layouts - 1), "{chi} over {layouts} layouts");
}

#[test]
fn dealt_layouts_come_up_as_often_as_their_factors_say() {
    let rules: Rules = "4x4 3,2,2 allowed ship".parse().unwrap();
    let weights = random_weights(&rules, 5).with_touching(Touching { side: 0.4, corner: 1.5 });
    let (total, cells) = listed(&ShotLog::new(&rules), &weights);
    let (mut rng, mut dealer) = (Xoshiro256PlusPlus::seed_from_u64(4), Dealer::new(&rules).with_weights(&weights));
    let draws = 20_000;
    let mut seen: HashMap<Cell, f64> = HashMap::new();
    for _ in 0..draws {
        dealer.weighted(&mut rng).unwrap().cells().iter().for_each(|cell| *seen.entry(cell).or_default() += 1.0);
    }
    for (cell, weight) in cells {
        let (share, real) = (weight / total, seen[&cell] / f64::from(draws));
        assert!((share - real).abs() < 5.0 * (share * (1.0 - share) / f64::from(draws)).sqrt(), "{cell}: {real} for {share}");
    }
}

#[test]
fn where_layouts_are_too_many_to_list_there_is_an_estimate_with_an_honest_error() {
    // 'never' forbids what 'side 0, corner 0' never does, so the exact odds of one are those of the other.
    let rules = Preset::Classic.rules();
    let apart: Rules = "10x10 5,4,3,3,2 never ship".parse().unwrap();
    let weights = PlacementWeights::people(&rules).with_touching(Touching { side: 0.0, corner: 0.0 });
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
    let mut engine = Transfer::new(Budget::default());
    let odds = engine.weighted_odds(&ShotLog::new(&rules), &weights, &mut rng, 20_000).unwrap();
    assert!(matches!(odds, WeightedOdds::Estimate(_)));
    let exact = engine.weigh(&ShotLog::new(&apart), &PlacementWeights::people(&apart)).unwrap();
    let mut squares = 0.0;
    for cell in rules.grid().cells() {
        squares += ((odds.chance(cell) - exact.chance(cell)) / odds.std_err(cell)).powi(2);
    }
    // The mean of 100 squared errors in units of the standard error, which depend on each other a little.
    assert!((0.5..1.6).contains(&(squares / 100.0)), "{squares}");
    assert!((odds.layouts() / exact.layouts() - 1.0).abs() < 0.05);
}
