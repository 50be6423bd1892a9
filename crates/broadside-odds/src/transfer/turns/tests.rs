//! Ways against cases and against the list of all layouts, along small games.

use broadside_rules::{Layout, Referee, Rules, ShotLog};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IteratorRandom;
use rand::{Rng, RngExt, SeedableRng};

use super::*;
use crate::{Budget, Dealer, oracle};

const RULES: [&str; 8] = [
    "5x5 3,2,2 allowed ship salvo=3:count",
    "5x5 3,2,2 corners bare salvo=ships:count",
    "5x6 3,3,1 never every salvo=4:count",
    "6x6 4,3,2 allowed silent salvo=5:count",
    "1x9 3,2 allowed ship salvo=2:count",
    "4x4 2 allowed ship salvo=4:count",
    "4x5 2,2,2 allowed ship salvo=3:count",
    "4x7 2,1,1,1 never ship salvo=3:count",
];

/// A log of shots at random cells.
fn log(rules: &Rules, rng: &mut impl Rng) -> ShotLog {
    let layout = Dealer::new(rules).uniform(rng).expect("small boards can be dealt");
    let mut referee = Referee::new(rules, layout);
    for _ in 0..rng.random_range(2..rules.grid().len()) {
        let open = |cell: &broadside_rules::Cell| !referee.log().fired().contains(*cell);
        match rules.grid().cells().filter(open).choose(rng) {
            Some(cell) if !referee.is_over() => _ = referee.fire(cell).expect("a new cell"),
            _ => break,
        }
    }
    referee.log().clone()
}

fn limits() -> WorkLimits {
    Budget::default().into()
}

#[test]
fn ways_give_the_counts_of_cases_and_of_the_definition() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut called = 0;
    for rules in RULES.iter().map(|text| text.parse::<Rules>().unwrap()) {
        for _ in 0..30 {
            let log = log(&rules, &mut rng);
            let ways = ways(&log, &limits()).expect("small boards are in reach");
            let counts = ways.count(&Stop::never()).unwrap();
            assert_eq!(counts, oracle::count(&log, Budget::default()).unwrap(), "{rules} {log}");
            if !log.called_turns().is_empty() {
                assert_eq!(counts, super::super::Transfer::new(limits()).count_cases(&log).unwrap(), "{rules} {log}");
                called += 1;
            }
        }
    }
    assert!(called > 100, "{called}");
}

#[test]
fn draws_are_uniform() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    for rules in RULES.iter().map(|text| text.parse::<Rules>().unwrap()) {
        let log = log(&rules, &mut rng);
        let Some(mut source) = ways(&log, &limits()).expect("small boards are in reach").draws() else { continue };
        let mut all = std::collections::HashMap::new();
        let mut keep = |layout: &Layout| {
            if oracle::fits(&log, layout) {
                all.insert(layout.to_string(), 0.0);
            }
        };
        oracle::each_layout(&rules, Budget::default(), &mut keep).unwrap();
        for _ in 0..50 * all.len() {
            let mut ships = Vec::new();
            source.draw(&mut rng, &mut ships);
            let layout = broadside_rules::Draft::Ships(ships).check(&rules).into_layout().expect("a legal layout").to_string();
            *all.get_mut(&layout).expect("a layout that fits") += 1.0;
        }
        let (chi, freedom) = (all.values().map(|n: &f64| (n - 50.0).powi(2) / 50.0).sum::<f64>(), (all.len() - 1) as f64);
        assert!(chi <= freedom + 5.0 * (2.0 * freedom).sqrt(), "{chi} with {freedom} on {rules} {log}");
    }
}

#[test]
fn what_takes_more_than_the_budget_has_no_ways() {
    let rules: Rules = "10x10 5,4,3,3,2 allowed ship salvo=5:count".parse().unwrap();
    let log = ShotLog::parse(&rules, "A1? B2? C3? D4? E5? =2").unwrap();
    assert!(ways(&log, &Budget { bytes: 1 << 12, steps: 0 }.into()).is_none());
    let stop = Stop::new();
    stop.stop();
    assert!(ways(&log, &Budget::default().until(&stop)).is_none());
    assert!(ways(&log, &limits()).is_some());
}

/// Whole games by the likeliest cells, each position counted by one engine along the game, by ways alone and by cases alone.
#[test]
fn along_whole_games_ways_and_cases_give_the_same() {
    use crate::Transfer;
    for (text, seed) in [("8x8 4,3,3,2 allowed ship salvo=4:count", 1), ("7x7 4,3,2 corners bare salvo=ships:count", 2)] {
        let rules: Rules = text.parse().unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut referee = Referee::new(&rules, Dealer::new(&rules).uniform(&mut rng).unwrap());
        let (mut engine, mut by_cases) = (Transfer::new(limits()), Transfer::new(limits()));
        while !referee.is_over() {
            let counts = engine.count(referee.log()).unwrap();
            if !referee.log().called_turns().is_empty() {
                let log = referee.log();
                assert_eq!(counts, by_cases.count_cases(log).unwrap(), "{text} {log}");
                assert_eq!(counts, ways(log, &limits()).expect("in reach").count(&Stop::never()).unwrap(), "{text} {log}");
            }
            referee.fire(counts.best(referee.log().fired())[0]).unwrap();
        }
    }
}
