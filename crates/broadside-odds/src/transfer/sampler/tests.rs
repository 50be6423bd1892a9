//! Every way to draw, on small boards, against the list of all layouts.

use std::collections::HashMap;

use broadside_rules::{Layout, Rules, ShotLog};

use super::*;
use crate::{Budget, oracle};

const POSITIONS: [(&str, &str); 8] = [
    ("4x4 3,2 allowed ship", ""),
    ("3x3 2,2,1 allowed ship", ""),
    ("5x5 3,2,2 allowed ship", "B2+ C2+ D4- B3+ C1#2 A1- E2-"),
    ("4x4 2,2,2 allowed silent", "B2+ B3+ D4-"),
    ("4x4 3,2 corners ship", "B2+"),
    ("5x5 2,2,1 never ship", "C3- A1+"),
    ("4x5 2,2,1 allowed silent", "B2+ B3+ D1-"),
    ("3x50 3 allowed ship", "A5+ A1- B9-"),
];

/// Draws for each layout.
const DRAWS: usize = 50;

/// The layouts that fit, by the definition.
fn layouts(log: &ShotLog) -> Vec<String> {
    let mut all = vec![];
    let mut keep = |layout: &Layout| all.extend(oracle::fits(log, layout).then(|| layout.to_string()));
    oracle::each_layout(log.rules(), Budget::default(), &mut keep).expect("small boards are in reach");
    all
}

/// Whether the draws are spread over the layouts as chance would have it: the statistic has the mean `freedom` and the variance
/// `2 freedom`.
fn check_uniform(log: &ShotLog, all: &[String], source: Box<dyn Source>, way: &str) {
    let mut sampler = Sampler { rules: log.rules().clone(), source, ships: vec![] };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut seen: HashMap<String, f64> = HashMap::new();
    for _ in 0..DRAWS * all.len() {
        *seen.entry(sampler.draw(&mut rng).to_string()).or_default() += 1.0;
    }
    assert!(seen.keys().all(|layout| all.contains(layout)), "{way} draws only layouts that fit: {} {log}", log.rules());
    let expected = DRAWS as f64;
    let chi: f64 = all.iter().map(|layout| (seen.get(layout).unwrap_or(&0.0) - expected).powi(2) / expected).sum();
    let freedom = (all.len() - 1) as f64;
    assert!(chi <= freedom + 5.0 * (2.0 * freedom).sqrt(), "{way}: {chi} on {} {log}", log.rules());
}

fn proposals<const W: usize>(problem: &Problem) -> Proposals<W> {
    Proposals::new(Ships::new(problem).expect("few hits")).expect("small boards are in reach")
}

fn check_words<const W: usize>(log: &ShotLog, all: &[String]) {
    let problem = Problem::from_log(log);
    check_uniform(log, all, rejection(&problem, proposals::<W>(&problem)), "rejection");
    let listing = Listing::new(&proposals::<W>(&problem), usize::MAX).expect("no limit");
    assert_eq!(listing.cells.len(), all.len(), "every layout is listed once");
    check_uniform(log, all, listed(&problem, proposals::<W>(&problem), listing).expect("there are layouts"), "listing");
}

#[test]
fn every_way_to_draw_is_uniform() {
    for (rules, shots) in POSITIONS {
        let log = ShotLog::parse(&rules.parse::<Rules>().unwrap(), shots).unwrap();
        let all = layouts(&log);
        if log.rules().grid().len() <= 128 {
            check_words::<1>(&log, &all);
        }
        check_words::<2>(&log, &all);
        let swept = swept(&Problem::from_log(&log), &Budget::default().into()).unwrap().expect("there are layouts");
        check_uniform(&log, &all, swept, "sweep");
    }
}

#[test]
fn cells_are_those_of_the_ships() {
    for (rules, shots) in POSITIONS {
        let log = ShotLog::parse(&rules.parse::<Rules>().unwrap(), shots).unwrap();
        let mut sampler = Sampler::new(&log, &Budget::default().into()).unwrap().unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let cells = sampler.draw_cells(&mut rng.clone());
        assert_eq!(cells, sampler.draw(&mut rng).cells(), "{rules} {shots}");
    }
}

#[test]
fn numbers_below_a_limit_are_without_bias() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut seen = [0_u32; 7];
    for _ in 0..70_000 {
        seen[below(7, &mut rng) as usize] += 1;
    }
    // The standard deviation of each is 93.
    assert!(seen.iter().all(|&n| n.abs_diff(10_000) < 470), "{seen:?}");
}
