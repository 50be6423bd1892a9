//! Few ships by placements, against the profile sweep and the definition.

use broadside_rules::{Rules, ShotLog};

use super::*;
use crate::transfer::profile;
use crate::{Budget, oracle};

fn problem(rules: &str, shots: &str) -> Problem {
    Problem::from_log(&ShotLog::parse(&rules.parse::<Rules>().unwrap(), shots).unwrap())
}

fn counted(problem: &Problem) -> Counts {
    count(problem, &Budget::default().into()).unwrap().expect("few ships")
}

#[test]
fn few_ships_have_the_counts_of_the_definition() {
    let positions = [
        ("4x4 2 never ship", ""),
        ("4x4 3,2 corners ship", ""),
        ("5x5 2,2 never ship", ""),
        ("5x5 2,2,1 never ship", "C3- A1+"),
        ("5x5 1,1,1 never ship", "C3-"),
        ("4x5 3,2,1 corners ship", "B2+"),
        ("5x5 2,2,2,1 corners silent", "B2+ D4+ A1-"),
        ("5x5 2,1,1,1 corners ship", ""),
        ("5x5 1,1,1,1 never ship", ""),
        ("5x4 3,1,1,1,1 corners ship", ""),
        ("4x5 2,2,1,1,1 corners ship", "A1- B2+ B3#2"),
    ];
    for (rules, shots) in positions {
        let log = ShotLog::parse(&rules.parse::<Rules>().unwrap(), shots).unwrap();
        let truth = oracle::count(&log, Budget::default()).unwrap();
        assert_eq!(counted(&problem(rules, shots)), truth, "{rules} {shots}");
    }
}

#[test]
fn both_ways_to_count_ships_that_keep_apart_agree() {
    let positions = [
        ("7x7 4,3,3,2 corners ship", ""),
        ("7x8 4,3,3,2 never ship", ""),
        ("8x7 3,3,3,2,2 never ship", "C3- D5-"),
        ("8x8 5,3,2,2 corners ship", "C3+ C4- F2-"),
        ("9x7 4,3,2,1,1 never silent", "C3+ C4+ F2+"),
    ];
    for (rules, shots) in positions {
        let problem = problem(rules, shots);
        let swept = profile::count(&problem, &Budget::default().into()).unwrap();
        assert_eq!(counted(&problem), swept, "{rules} {shots}");
    }
}

#[test]
fn many_ships_are_left_to_the_sweep() {
    let russian = problem("russian", "");
    assert!(count(&russian, &Budget::default().into()).unwrap().is_none());
}

#[test]
fn the_classic_board_without_sides_is_counted_by_its_symmetry() {
    let board = problem("10x10 5,4,3,3,2 corners ship", "");
    let places = Places::new(&board);
    let symmetry = symmetry::Symmetry::find(&places, &board).expect("a square looks the same in eight ways");
    assert_eq!(symmetry.len(), 8);
    let first = symmetry.representatives((0..places.classes[0].end * 64).filter(|&place| places.list[place].is_some()).collect());
    // A ship of five in one of ten columns and six rows: half the columns and half the rows, for both directions at once.
    assert_eq!((first.len(), first.iter().map(|(_, images)| images).sum::<u64>()), (15, 120));
    let shifted = problem("10x10 5,4,3,3,2 corners ship", "A1-");
    let one_miss = symmetry::Symmetry::find(&Places::new(&shifted), &shifted).expect("the diagonal is left");
    assert_eq!(one_miss.len(), 2);
}
