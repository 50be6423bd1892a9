//! The admiral fires as its first and simplest form does, shot by shot and score by score.

use broadside_odds::Dealer;
use broadside_rules::{Referee, Rules};
use rand::{RngExt, SeedableRng};

use super::{Admiral, Parameters, reference, with_parameters};
use crate::bits::{Bits, Wide, for_width};
use crate::{Captain, GameRng};

/// How many games are compared for each of the rules: 200, or as many as `ADMIRAL_GAMES` says.
fn games() -> u64 {
    std::env::var("ADMIRAL_GAMES").map_or(200, |games| games.parse().expect("ADMIRAL_GAMES is a number"))
}

/// Plays games and compares every shot.
fn compare<B: Bits>(rules: &Rules, parameters: &Parameters, seeds: std::ops::Range<u64>) {
    let mut fast = with_parameters(rules, parameters.clone());
    let mut slow = reference::Admiral::<B>::new(rules, parameters.clone());
    let mut dealer = Dealer::new(rules);
    for seed in seeds {
        let mut rng = GameRng::seed_from_u64(seed);
        let mut referee = Referee::new(rules, dealer.uniform(&mut rng).unwrap());
        while !referee.is_over() {
            let log = referee.log();
            // Now and then another captain's shot, so that positions come up that the admiral never plays.
            let (other, cell) = (rng.random_range(0..20) == 0, slow.aim(log));
            assert_eq!(fast.aim(log, &mut rng), cell, "game {seed} of {rules} after {log}");
            if other {
                let (cell, scores) = slow.explain(log);
                let reason = fast.explain(log, &mut rng);
                assert_eq!((reason.cell, reason.scores), (cell, scores), "game {seed} of {rules} after {log}");
            }
            let open = rules.grid().cells().filter(|&cell| !referee.log().fired().contains(cell)).count();
            let stray = seed % 2 == 1 && other;
            let cell = if stray { random_cell(&referee, rng.random_range(0..open as u32) as usize) } else { cell };
            referee.fire(cell).unwrap();
        }
    }
}

fn random_cell(referee: &Referee, number: usize) -> broadside_rules::Cell {
    let log = referee.log();
    log.rules().grid().cells().filter(|&cell| !log.fired().contains(cell)).nth(number).unwrap()
}

#[test]
fn the_admiral_fires_as_its_simplest_form_on_many_rules() {
    let rules = [
        "classic",
        "sploosh",
        "russian",
        "10x10 5,4,3,3,2 corners ship",
        "10x10 5,4,3,3,2 never bare",
        "10x10 5,4,3,3,2 allowed every",
        "10x10 5,4,3,3,2 allowed silent",
        "7x9 4,3,2,2,2,2,2 allowed bare",
        "1x30 4,3,2 allowed ship",
        "10x15 6,5,4,2 allowed ship",
        "16x16 6,5,5,4,4,3,3,3,2,2 allowed ship",
        "16x16 6,5,5,4,4,3,3,3,2,2 never ship",
    ];
    let games = games();
    for (text, share) in rules.into_iter().zip([1, 1, 4, 2, 2, 2, 4, 4, 4, 4, 8, 8]) {
        let rules: Rules = text.parse().unwrap();
        for_width!(rules.grid(), B => compare::<B>(&rules, &Parameters::default(), 0..games.div_ceil(share)));
    }
}

#[test]
fn lines_of_more_than_sixteen_cells_are_no_different() {
    for text in ["20x18 9,6,3,2,2 allowed ship", "3x40 20,7,2 corners ship"] {
        let rules: Rules = text.parse().unwrap();
        for_width!(rules.grid(), B => compare::<B>(&rules, &Parameters::default(), 0..games().div_ceil(50)));
    }
}

#[test]
fn other_parameters_are_no_different() {
    let rules: Rules = "classic".parse().unwrap();
    compare::<u128>(&rules, &Parameters::PLAIN, 0..games().div_ceil(4));
    compare::<u128>(&rules, &Parameters::fleet(), 0..games());
    let mut rng = GameRng::seed_from_u64(1);
    for seed in 0..games().div_ceil(10) {
        let mut parameters = Parameters::default();
        for (_, number) in parameters.numbers() {
            *number *= rng.random_range(0.5..2.0);
        }
        compare::<u128>(&rules, &parameters, seed..seed + 2);
    }
}

#[test]
fn wide_boards_are_scored_as_narrow_ones() {
    let rules: Rules = "classic".parse().unwrap();
    let mut wide = Admiral::<Wide<2>>::new(&rules, Parameters::default());
    let (mut slow, mut rng) = (reference::Admiral::<u128>::new(&rules, Parameters::default()), GameRng::seed_from_u64(5));
    let mut referee = Referee::new(&rules, Dealer::new(&rules).uniform(&mut rng).unwrap());
    while !referee.is_over() {
        let cell = slow.aim(referee.log());
        assert_eq!(wide.aim(referee.log(), &mut rng), cell);
        referee.fire(cell).unwrap();
    }
}
