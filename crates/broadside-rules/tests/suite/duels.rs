//! Two sides take turns, and what each learns is what a referee alone would have told it.

use broadside_rules::{Cell, Duel, DuelError, Ending, Referee, Rules, Side, Turns};
use proptest::prelude::*;
use rand::seq::SliceRandom;

use crate::naive;

/// All cells in a random order, for each side.
fn plans(rules: &Rules, seed: u64) -> [std::vec::IntoIter<Cell>; 2] {
    [seed, !seed].map(|seed| {
        let mut cells: Vec<Cell> = rules.grid().cells().collect();
        cells.shuffle(&mut naive::rng(seed));
        cells.into_iter()
    })
}

fn duel(rules: &Rules, turns: Turns, seed: u64) -> Duel {
    Duel::new(rules, turns, [seed, seed + 1].map(|seed| naive::deal(rules, seed)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_whole_game_keeps_to_its_turns(
        (rules, _) in naive::dealt(8), seed in 0..u64::MAX / 2, turns in prop::sample::select(Turns::ALL),
    ) {
        let mut game = duel(&rules, turns, seed);
        let layouts = [seed, seed + 1].map(|seed| naive::deal(&rules, seed));
        let mut alone = [Referee::new(&rules, layouts[1].clone()), Referee::new(&rules, layouts[0].clone())];
        let (mut plans, mut expected, mut told) = (plans(&rules, seed), Side::First, Vec::new());
        while let Some(side) = game.turn() {
            prop_assert_eq!(side, expected);
            let at = usize::from(side == Side::Second);
            let cell = plans[at].next().unwrap();
            prop_assert_eq!(game.fire(side.other(), cell), Err(DuelError::NotYourTurn));
            let answer = game.fire(side, cell).unwrap();
            prop_assert_eq!(Ok(answer), alone[at].fire(cell));
            told.push((side, cell));
            expected = if turns == Turns::HitAgain && answer.is_hit() { side } else { side.other() };
        }
        let (winner, ending) = game.outcome().unwrap();
        prop_assert_eq!((Some(winner), ending), (told.last().map(|&(side, _)| side), Ending::Sunk));
        prop_assert!(game.log(winner).is_over() && !game.log(winner.other()).is_over());
        prop_assert_eq!(game.shots().map(|(side, shot)| (side, shot.cell)).collect::<Vec<_>>(), told);
        prop_assert_eq!(game.resign(winner), Err(DuelError::Over));
        let records = game.into_records();
        prop_assert_eq!([records[1].layout(), records[0].layout()], [&layouts[0], &layouts[1]]);
    }
}

#[test]
fn giving_up_loses_at_any_time_and_ends_the_game() {
    let rules: Rules = "4x4 3,2 allowed ship".parse().unwrap();
    for quitter in [Side::First, Side::Second] {
        let mut game = duel(&rules, Turns::Alternate, 1);
        game.fire(Side::First, "A1".parse().unwrap()).unwrap();
        game.resign(quitter).unwrap();
        assert_eq!((game.outcome(), game.turn()), (Some((quitter.other(), Ending::Resigned)), None));
        assert_eq!(game.fire(Side::Second, "A1".parse().unwrap()), Err(DuelError::Over));
        assert_eq!(game.resign(quitter), Err(DuelError::Over));
    }
}

#[test]
fn a_shot_that_is_refused_costs_no_turn() {
    let rules: Rules = "4x4 3,2 allowed ship".parse().unwrap();
    let mut game = duel(&rules, Turns::Alternate, 1);
    assert!(matches!(game.fire(Side::First, "Z9".parse().unwrap()), Err(DuelError::Fire(_))));
    assert_eq!((game.turn(), game.shots().count()), (Some(Side::First), 0));
}
