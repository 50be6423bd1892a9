//! The variants of the game against their definition: a listing of all layouts, each asked by a loop of its own.

use broadside_odds::{Budget, Dealer, Engine, PlacementWeights, Transfer, oracle};
use broadside_rules::{Census, Layout, Rocks, Rules, Salvo, Shot, ShotLog};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::common::{self, played_log, small_rules};

/// Random cases of each variant; `BROADSIDE_VARIANTS=2000` runs the full claim.
fn cases() -> ProptestConfig {
    let cases = std::env::var("BROADSIDE_VARIANTS").map_or(150, |text| text.parse().expect("BROADSIDE_VARIANTS is a number"));
    ProptestConfig { max_local_rejects: u32::MAX, max_global_rejects: u32::MAX, ..ProptestConfig::with_cases(cases) }
}

/// All layouts by these rules, without a look at rocks.
fn layouts(rules: &Rules) -> Vec<Layout> {
    let open = rules.builder().with_rocks(Rocks::none()).build().expect("without rocks it fits all the more");
    let mut all = Vec::new();
    oracle::each_layout(&open, Budget::default(), &mut |layout| all.push(layout.clone())).expect("small boards are in reach");
    all
}

/// The same rules with one to three rocks; none if the fleet doesn't fit between them.
fn with_rocks(rules: &Rules, seed: u64) -> Option<Rules> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let rocks = (0..rng.random_range(1..=3)).filter_map(|_| rules.grid().cell(rng.random_range(0..rules.grid().len())));
    rules.builder().with_rocks(Rocks::new(rocks.collect::<Vec<_>>())).build().ok()
}

/// How many of the layouts fit a log, and how many of these cover each cell.
fn listed(all: &[Layout], log: &ShotLog) -> (u128, Vec<u128>) {
    let rules = log.rules();
    let clear = |layout: &&Layout| !layout.cells().iter().any(|cell| rules.is_rock(cell));
    let (mut count, mut cells) = (0, vec![0; rules.grid().len()]);
    for layout in all.iter().filter(clear).filter(|layout| oracle::fits(log, layout)) {
        count += 1;
        layout.cells().iter().for_each(|cell| cells[rules.grid().index(cell)] += 1);
    }
    (count, cells)
}

/// Whether a layout gives the answers of a log that are told, by counting ships that have no cell left. Its cells alone are looked at.
fn gives(layout: &Layout, log: &ShotLog) -> bool {
    let rules = log.rules();
    let answer = |number: usize| {
        let fired: Vec<_> = log.shots()[..=number].iter().map(|shot| shot.cell).collect();
        let Some(ship) = layout.ships().iter().find(|ship| ship.cells().any(|cell| cell == fired[number])) else {
            return "-".to_owned();
        };
        let (call, sinks) = (rules.call(), ship.cells().all(|cell| fired.contains(&cell)));
        let sign = if sinks && call.tells_sinking() { "#" } else { "+" };
        let tells_length = if sign == "#" { call.tells_length_on_sinking() } else { call.tells_length_on_hit() };
        if tells_length { format!("{sign}{}", ship.length()) } else { sign.to_owned() }
    };
    let told = |shot: &Shot| shot.answer.to_string();
    let each = log.shots().iter().enumerate().all(|(number, shot)| told(shot) == "?" || told(shot) == answer(number));
    // Of a turn that was called, the hits in any order.
    let sorted = |mut hits: Vec<String>| {
        hits.sort();
        hits
    };
    each && log.called_turns().iter().all(|turn| {
        let hits = turn.shots().map(answer).filter(|answer| answer != "-").collect();
        sorted(hits) == sorted(turn.call().answers().iter().map(ToString::to_string).collect())
    })
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn within_a_turn_every_engine_counts_the_layouts_that_fit_what_was_told(
        rules in small_rules(), seed in any::<u64>(), shots in 2u8..=5, ships in any::<bool>(),
    ) {
        let salvo = if ships { "ships".to_owned() } else { shots.to_string() };
        let rules = rules.with_salvo(salvo.parse::<Salvo>().expect("a salvo"));
        let (all, log) = (layouts(&rules), played_log(&rules, seed));
        let (mut count, mut cells) = (0, vec![0; rules.grid().len()]);
        for layout in all.iter().filter(|layout| gives(layout, &log)) {
            count += 1;
            layout.cells().iter().for_each(|cell| cells[rules.grid().index(cell)] += 1);
        }
        prop_assert!(count > 0, "the true layout always fits");
        for &engine in Engine::ALL {
            let counts = common::count(engine, &log, Budget::default()).expect("in reach");
            prop_assert_eq!((counts.layouts(), counts.cells()), (count, &cells[..]), "{} on {} {}", engine, &rules, &log);
        }
    }

    #[test]
    fn of_called_turns_every_engine_counts_the_layouts_that_have_their_hits(
        rules in small_rules(), seed in any::<u64>(), shots in 2u8..=5, ships in any::<bool>(),
    ) {
        let salvo = if ships { "ships:count".to_owned() } else { format!("{shots}:count") };
        let rules = rules.with_salvo(salvo.parse::<Salvo>().expect("a salvo"));
        let (all, log) = (layouts(&rules), played_log(&rules, seed));
        let fitting: Vec<&Layout> = all.iter().filter(|layout| gives(layout, &log)).collect();
        let mut cells = vec![0; rules.grid().len()];
        for layout in &fitting {
            layout.cells().iter().for_each(|cell| cells[rules.grid().index(cell)] += 1);
        }
        prop_assert!(!fitting.is_empty(), "the true layout always fits");
        for &engine in Engine::ALL {
            let counts = common::count(engine, &log, Budget::default()).expect("in reach");
            prop_assert_eq!((counts.layouts(), counts.cells()), (fitting.len() as u128, &cells[..]), "{} on {} {}", engine, &rules, &log);
        }
        // The same along the game, with the cases of the turn before.
        let (mut transfer, mut rng) = (Transfer::new(Budget::default()), Xoshiro256PlusPlus::seed_from_u64(seed));
        for shots in 0..=log.len() {
            let seen = log.seen_after(shots);
            let expected = all.iter().filter(|layout| gives(layout, &seen)).count() as u128;
            prop_assert_eq!(transfer.count(&seen).expect("in reach").layouts(), expected, "{} {}", &rules, &seen);
        }
        let weighed = transfer.weigh(&log, &PlacementWeights::uniform()).expect("in reach");
        prop_assert!((weighed.layouts() - fitting.len() as f64).abs() < 1e-9 * fitting.len() as f64);
        prop_assert_eq!(transfer.list(&log, all.len()).map(|layouts| layouts.len()), Some(fitting.len()));
        let drawn = transfer.sample(&log, &mut rng, 3).expect("in reach");
        let weighted = transfer.sample_weighted(&log, &PlacementWeights::uniform(), &mut rng, 3).expect("in reach");
        prop_assert!(drawn.len() == 3 && weighted.len() == 3);
        prop_assert!(drawn.iter().chain(&weighted).all(|layout| gives(layout, &log)));
    }

    #[test]
    fn among_rocks_every_engine_counts_the_layouts_that_lie_on_none(rules in small_rules(), seed in any::<u64>()) {
        let Some(rules) = with_rocks(&rules, seed) else { return Err(TestCaseError::reject("no room")) };
        let (all, log) = (layouts(&rules), played_log(&rules, seed));
        let (count, cells) = listed(&all, &log);
        prop_assert!(count > 0, "the true layout always fits");
        for &engine in Engine::ALL {
            let counts = common::count(engine, &log, Budget::default()).expect("in reach");
            prop_assert_eq!((counts.layouts(), counts.cells()), (count, &cells[..]), "{} on {} {}", engine, &rules, &log);
        }
        let weighed = Transfer::new(Budget::default()).weigh(&log, &PlacementWeights::uniform()).expect("in reach");
        prop_assert!((weighed.layouts() - count as f64).abs() < 1e-9 * count as f64);
        let (empty, _) = listed(&all, &ShotLog::new(&rules));
        prop_assert_eq!(Census::new(&rules, 1_000_000).map(|census| census.layouts()), Ok(empty));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let drawn = Transfer::new(Budget::default()).sample(&log, &mut rng, 5).expect("in reach");
        prop_assert!(drawn.iter().all(|layout| oracle::fits(&log, layout)), "{} {}", &rules, &log);
        prop_assert!(Dealer::new(&rules).sequential(&mut rng).is_ok());
    }
}

/// Estimates of logs with called turns against the exact counts, on a board where both can be had: 32 runs of eight cases each.
#[test]
fn estimates_of_called_turns_are_as_far_off_as_they_say() {
    let rules: Rules = "6x6 4,3,2 allowed ship salvo=4:count".parse().unwrap();
    let (mut squares, mut number, mut layouts, mut logs) = (0.0, 0, 0.0, 0u64);
    for log in (0..40).map(|seed| played_log(&rules, seed)).filter(|log| !log.called_turns().is_empty()) {
        let counts = Transfer::new(Budget::default()).count(&log).expect("in reach");
        let rough = broadside_odds::estimate(&log, 0, &mut Xoshiro256PlusPlus::seed_from_u64(logs)).expect("some layout fits");
        let off = |exact: f64, rough: broadside_odds::Estimate| (rough.mean - exact) / rough.std_err;
        for cell in rules.grid().cells().filter(|&cell| rough.chance(cell).std_err > 1e-9) {
            squares += off(counts.chance(cell), rough.chance(cell)).powi(2);
            number += 1;
        }
        if rough.layouts().std_err > 1e-9 * rough.layouts().mean {
            layouts += off(counts.layouts() as f64, rough.layouts()).powi(2);
            logs += 1;
        } else {
            assert!((rough.layouts().mean / counts.layouts() as f64 - 1.0).abs() < 1e-9, "few cases are counted, not drawn");
        }
    }
    assert!(logs >= 10 && number >= 200, "{logs} logs and {number} cells whose estimates can be off");
    let (cells, layouts) = (squares / f64::from(number), layouts / logs as f64);
    assert!((0.3..2.5).contains(&cells) && layouts < 3.0, "squared errors in units of those stated: {cells:.2}, {layouts:.2}");
}
