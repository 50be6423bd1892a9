//! The referee's answers are those of a naive replay, and a log never refuses a true game.

use std::collections::BTreeSet;

use broadside_rules::{
    Answer, Call, Cell, FireError, GameRecord, Layout, Length, LogProblem, RecordError, Referee, Rules, Shot, ShotLog,
};
use proptest::prelude::*;
use rand::seq::SliceRandom;

use crate::naive::{self, Ship, Square};

/// All squares of the board in a random order.
fn order(rules: &Rules, seed: u64) -> Vec<Cell> {
    let mut cells: Vec<Cell> = rules.grid().cells().collect();
    cells.shuffle(&mut naive::rng(seed));
    cells
}

/// A game of random shots that ends when it is over or when so many have been fired.
pub(crate) fn played(rules: &Rules, layout: &Layout, seed: u64, shots: usize) -> Referee {
    let mut referee = Referee::new(rules, layout.clone());
    for cell in order(rules, seed).into_iter().take(shots) {
        if !referee.is_over() {
            referee.fire(cell).unwrap();
        }
    }
    referee
}

/// What is called out at a shot, from the squares fired at before.
fn answer(ships: &[Ship], before: &BTreeSet<Square>, at: Square, call: Call) -> Answer {
    let Some(ship) = ships.iter().find(|ship| ship.contains(&at)) else { return Answer::Miss };
    let length = Length::new(ship.len());
    let sinks = ship.iter().all(|&square| square == at || before.contains(&square));
    match (call, sinks) {
        (Call::Silent, _) | (Call::Bare | Call::Ship, false) => Answer::Hit(None),
        (Call::Bare, true) => Answer::Sunk(None),
        (Call::Ship | Call::Every, true) => Answer::Sunk(length),
        (Call::Every, false) => Answer::Hit(length),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn answers_to_a_full_game_are_those_of_a_naive_replay((rules, layout) in naive::dealt(12), seed in any::<u64>()) {
        let ships = naive::ships(&layout);
        for &call in Call::ALL {
            let rules = rules.clone().with_call(call);
            let mut referee = Referee::new(&rules, layout.clone());
            let mut fired = BTreeSet::new();
            for cell in order(&rules, seed) {
                let over = ships.iter().flatten().all(|square| fired.contains(square));
                prop_assert_eq!(referee.is_over(), over);
                if over {
                    prop_assert_eq!(referee.fire(cell), Err(FireError::Over));
                    break;
                }
                let expected = answer(&ships, &fired, naive::square(cell), call);
                prop_assert_eq!(referee.fire(cell), Ok(expected));
                prop_assert_eq!(referee.log().shots().last(), Some(&Shot { cell, answer: expected }));
                prop_assert_eq!(referee.fire(cell), Err(FireError::Repeated(cell)));
                fired.insert(naive::square(cell));
            }
            prop_assert_eq!(naive::squares(referee.log().fired()), fired);
            prop_assert!(referee.is_over());
            prop_assert_eq!(naive::squares(referee.log().hits()), naive::squares(&layout.cells()));
        }
    }

    #[test]
    fn every_beginning_of_a_true_game_is_a_log_and_a_record((rules, layout) in naive::dealt(8), seed in any::<u64>()) {
        for &call in Call::ALL {
            let rules = rules.clone().with_call(call);
            let game = played(&rules, &layout, seed, usize::MAX).into_record();
            let mut told = String::new();
            for (number, shot) in (1..).zip(game.log().shots()) {
                told = format!("{told} {shot}");
                let log = ShotLog::parse(&rules, &told).unwrap();
                prop_assert_eq!(log.len(), number);
                let record: GameRecord = format!("{rules} | {layout} | {told}").parse().unwrap();
                prop_assert_eq!(record.log(), &log);
            }
        }
    }

    #[test]
    fn a_log_knows_what_is_left_afloat((rules, layout) in naive::dealt(10), seed in any::<u64>(), shots in 0usize..150) {
        let rules = rules.with_call(Call::Ship);
        let referee = played(&rules, &layout, seed, shots);
        let fired = naive::squares(referee.log().fired());
        let afloat = naive::ships(&layout).into_iter().filter(|ship| !ship.iter().all(|square| fired.contains(square)));
        let mut lengths: Vec<usize> = afloat.map(|ship| ship.len()).collect();
        lengths.sort_unstable_by(|a, b| b.cmp(a));
        let left: Vec<usize> = referee.log().lengths_left().iter().map(|length| length.get()).collect();
        prop_assert_eq!(&left, &lengths);
        prop_assert_eq!(referee.log().sinkings(), rules.fleet().len() - lengths.len());
    }

    #[test]
    fn a_record_with_one_false_answer_is_refused_with_the_shot_named(
        (rules, layout) in naive::dealt(8), seed in any::<u64>(), at in any::<prop::sample::Index>(), length in 1usize..=5, kind in 0..3,
    ) {
        let game = played(&rules, &layout, seed, usize::MAX).into_record();
        let mut shots = game.log().shots().to_vec();
        let at = at.index(shots.len());
        let lie = match kind {
            0 => Answer::Miss,
            1 => Answer::Hit(None),
            _ => Answer::Sunk(Length::new(length)),
        };
        prop_assume!(shots[at].answer != lie);
        shots[at].answer = lie;
        let expected = RecordError::Answer { number: at + 1, recorded: shots[at], expected: game.log().shots()[at] };
        prop_assert_eq!(GameRecord::new(&rules, layout, &shots), Err(expected));
    }

    #[test]
    fn a_log_with_a_repeated_shot_is_refused_with_both_named((rules, layout) in naive::dealt(8), seed in any::<u64>(), at in any::<prop::sample::Index>()) {
        let log = played(&rules, &layout, seed, 30).log().clone();
        let at = at.index(log.len());
        let mut longer = log.clone();
        let error = longer.push(log.shots()[at]).unwrap_err();
        prop_assert_eq!((error.number, error.problem), (log.len() + 1, LogProblem::Repeated(at + 1)));
        prop_assert_eq!(longer, log);
    }
}

#[test]
fn a_shot_off_the_board_is_refused() {
    let rules: Rules = "3x4 2 allowed ship".parse().unwrap();
    let mut referee = Referee::new(&rules, naive::deal(&rules, 1));
    for cell in ["D1", "A5", "BL64"] {
        let cell = cell.parse().unwrap();
        assert_eq!(referee.fire(cell), Err(FireError::OffGrid(cell)));
    }
    assert!(referee.log().is_empty());
}

#[test]
fn a_restarted_referee_is_as_a_new_one() {
    let rules: Rules = "6x6 3,2,2 corners every".parse().unwrap();
    let (first, second) = (naive::deal(&rules, 1), naive::deal(&rules, 2));
    let mut referee = played(&rules, &first, 3, usize::MAX);
    referee.restart(second.clone());
    let mut fresh = Referee::new(&rules, second);
    for cell in order(&rules, 4) {
        assert_eq!(referee.fire(cell), fresh.fire(cell));
    }
    assert_eq!(referee.log(), fresh.log());
}

#[test]
fn rocks_are_neither_fired_at_nor_covered() {
    use broadside_rules::{Draft, FireError, Picture, Referee, Rules};
    let rules: Rules = "3x3 2,1 allowed ship rocks=A2,C3".parse().unwrap();
    let faults = |text: &str| {
        let report = text.parse::<Draft>().unwrap().check(&rules);
        report.violations().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(faults("A2-B2 C3"), ["on a rock: A2", "on a rock: C3"]);
    assert_eq!(faults("X..\nX.X\n..."), [""; 0]);
    assert_eq!(faults("XX.\n..X\n..."), ["on a rock: A2"]);
    assert!(!"XX.\n..X\n...".parse::<Picture>().unwrap().is_legal(&rules));
    let layout = "B1-B2 A1".parse::<Draft>().unwrap().check(&rules).into_layout().unwrap();
    let mut referee = Referee::new(&rules, layout);
    let rock = "C3".parse().unwrap();
    assert_eq!(referee.fire(rock), Err(FireError::Rock(rock)));
    for cell in ["A1", "B1", "B2"] {
        referee.fire(cell.parse().unwrap()).unwrap();
    }
    assert!(referee.is_over());
    assert_eq!(referee.log().to_string(), "A1#1 B1+ B2#2");
}
