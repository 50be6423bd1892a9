//! Several shots a turn: how long turns are, and what is told when.

use broadside_rules::{
    Answer, Cell, Duel, Ending, Layout, Referee, Rules, Salvo, SalvoCall, SalvoShots, Shot, ShotLog, Side, Turns,
};
use proptest::prelude::*;
use rand::seq::SliceRandom;

use crate::naive;

/// Any salvo, that of one shot included.
fn salvos() -> impl Strategy<Value = Salvo> {
    let shots = prop_oneof![Just(SalvoShots::Ships), (1u8..=7).prop_map(SalvoShots::Fixed)];
    (shots, prop::sample::select(SalvoCall::ALL)).prop_filter_map("a salvo", |(shots, call)| Salvo::new(shots, call))
}

fn cells(rules: &Rules, seed: u64) -> Vec<Cell> {
    let mut cells: Vec<Cell> = rules.grid().cells().collect();
    cells.shuffle(&mut naive::rng(seed));
    cells
}

/// The ships of a layout that have a cell not among these.
fn afloat(layout: &Layout, fired: &[Cell]) -> usize {
    layout.ships().iter().filter(|ship| !ship.cells().all(|cell| fired.contains(&cell))).count()
}

/// The answers that shots one by one would have got, until the fleet is sunk.
fn single_answers(rules: &Rules, layout: &Layout, cells: &[Cell]) -> Vec<Shot> {
    let mut referee = Referee::new(&rules.clone().with_salvo(Salvo::SINGLE), layout.clone());
    cells.iter().map_while(|&cell| Some(Shot { cell, answer: referee.fire(cell).ok()? })).collect()
}

/// What a turn of which only the hits are called looks like in a log.
fn called(shots: &[Shot]) -> String {
    let mut hits: Vec<String> = shots.iter().filter(|shot| shot.answer.is_hit()).map(|shot| shot.answer.to_string()).collect();
    let number = hits.len();
    hits.retain(|hit| hit != "+");
    hits.sort();
    let cells: Vec<String> = shots.iter().map(|shot| format!("{}?", shot.cell)).collect();
    format!("{} ={number}{}", cells.join(" "), hits.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn rules_with_salvos_round_trip(rules in naive::rules(12, 8, 6), salvo in salvos()) {
        let rules = rules.with_salvo(salvo);
        prop_assert_eq!(rules.to_string().parse::<Rules>(), Ok(rules.clone()));
        prop_assert_eq!(Rules::from_stored(&rules.to_string()), Ok(rules.clone()));
        prop_assert_eq!(rules.builder().build(), Ok(rules.clone()));
        prop_assert_eq!(rules.to_string().contains("salvo="), !salvo.is_single());
    }

    #[test]
    fn in_a_duel_every_turn_has_its_shots_and_answers_come_when_they_should(
        (rules, _) in naive::dealt(8), seed in 0..u64::MAX / 2, salvo in salvos(), turns in prop::sample::select(Turns::ALL),
    ) {
        let rules = rules.with_salvo(salvo);
        let layouts = [seed, seed + 1].map(|seed| naive::deal(&rules, seed));
        let mut game = Duel::new(&rules, turns, layouts.clone());
        let plans = [seed, !seed].map(|seed| cells(&rules, seed));
        let (mut side, mut fired) = (Side::First, [0, 0]);
        loop {
            let (at, other) = (side as usize, side.other() as usize);
            let (start, before) = (fired[at], game.log(side).clone());
            let expected = match salvo.shots() {
                SalvoShots::Fixed(number) => usize::from(number),
                SalvoShots::Ships => afloat(&layouts[at], &plans[other][..fired[other]]),
            };
            while game.turn() == Some(side) && fired[at] - start < expected {
                prop_assert_eq!(game.shots_left_in_turn(), expected - (fired[at] - start));
                game.fire(side, plans[at][fired[at]]).unwrap();
                fired[at] += 1;
                let is_open = game.outcome().is_none() && fired[at] - start < expected;
                let shots = single_answers(&rules, &layouts[other], &plans[at][..fired[at]]);
                prop_assert!(game.answered(side).take(shots.len()).eq(shots.iter().copied()), "the defender sees all");
                if is_open && salvo.withholds() {
                    // What the shooter knows doesn't depend on where the shots of this turn fell.
                    let untold = plans[at][start..fired[at]].iter().map(|&cell| Shot { cell, answer: Answer::Untold });
                    let seen: Vec<Shot> = before.shots().iter().copied().chain(untold).collect();
                    prop_assert_eq!(game.log(side).shots(), &seen);
                    prop_assert_eq!(game.log(side).hits(), before.hits());
                    prop_assert_eq!(game.log(side).called_turns(), before.called_turns());
                } else if salvo.call() == SalvoCall::Count && game.outcome().is_none() {
                    let told = ShotLog::parse(&rules, &format!("{before} {}", called(&shots[start..]))).unwrap();
                    prop_assert_eq!(game.log(side), &told);
                } else {
                    prop_assert_eq!(game.log(side).shots(), &shots);
                }
            }
            let hit = single_answers(&rules, &layouts[other], &plans[at][..fired[at]])[start..].iter().any(|shot| shot.answer.is_hit());
            if game.outcome().is_some() {
                break;
            }
            side = if turns == Turns::HitAgain && hit { side } else { side.other() };
            prop_assert_eq!(game.turn(), Some(side));
        }
        prop_assert_eq!(game.outcome(), Some((side, Ending::Sunk)));
        let shots: Vec<usize> = [Side::First, Side::Second].map(|side| game.log(side).turns().map(<[_]>::len).sum()).to_vec();
        prop_assert_eq!(shots[side.other() as usize], fired[side.other() as usize]);
        let needed = single_answers(&rules, &layouts[side.other() as usize], &plans[side as usize]).len();
        prop_assert_eq!(shots[side as usize], needed, "shots after the last hit don't count");
        prop_assert_eq!(game.shots().count(), shots.iter().sum::<usize>());
        for record in game.into_records() {
            prop_assert_eq!(record.to_string().parse(), Ok(record));
        }
    }

    #[test]
    fn what_was_seen_is_what_the_referee_had_told_by_then(
        (rules, layout) in naive::dealt(8), seed in any::<u64>(), salvo in salvos(),
    ) {
        let rules = rules.with_salvo(salvo);
        let (mut referee, mut seen) = (Referee::new(&rules, layout), Vec::new());
        for cell in cells(&rules, seed) {
            if !referee.is_over() {
                seen.push(referee.log().clone());
                referee.fire(cell).unwrap();
            }
        }
        // Shots after the last hit don't count, so nobody can look back on them.
        seen.truncate(referee.log().len());
        for (number, log) in seen.iter().enumerate() {
            let again = referee.log().seen_after(number);
            prop_assert_eq!(&again, log);
            prop_assert_eq!(again.shots_left_in_turn(), log.shots_left_in_turn());
            prop_assert!(again.turns().eq(log.turns()));
            prop_assert_eq!(&ShotLog::parse(&rules, &log.to_string()).unwrap(), log);
        }
        let mut log = referee.log().clone();
        for before in seen.iter().rev().filter(|_| !salvo.withholds()) {
            log.pop();
            prop_assert_eq!(log.shots_left_in_turn(), before.shots_left_in_turn());
        }
    }
}

#[test]
fn a_shot_without_an_answer_is_refused_where_each_is_answered_at_once() {
    for (salvo, is_fine) in [("1", false), ("3:each", false), ("3", true), ("ships", true)] {
        let rules: Rules = format!("5x5 3,2 allowed ship salvo={salvo}").parse().unwrap();
        assert_eq!(ShotLog::parse(&rules, "A1- B2?").is_ok(), is_fine, "{salvo}");
    }
}

#[test]
fn what_cant_be_called_is_refused_with_the_reason() {
    let rules: Rules = "5x5 3,2 allowed ship salvo=3:count".parse().unwrap();
    let refusal =
        |rules: &Rules, text: &str| ShotLog::parse(rules, text).map(|log| log.to_string()).map_err(|error| error.to_string());
    let says = |text: &str, reason: &str| {
        let error = refusal(&rules, text).unwrap_err();
        assert!(error.ends_with(reason), "{text}: {error}");
    };
    says("A1? B2? C3? =4", "the turn has 3 shots");
    says("=1", "by these rules each shot is answered, not the turn");
    says("A1- =1", "by these rules each shot is answered, not the turn");
    says("A1? B2? C3? =1#", "not an answer under the call ‘ship’");
    says("A1? B2? C3? =1#4", "the fleet has no ship of length 4");
    says("A1? B2? C3? =2#2#2", "more ships of length 2 have sunk than the fleet has");
    says("A1? B2? C3? =2#2 A2? A3? B3? =1#2", "more ships of length 2 have sunk than the fleet has");
    says("A1? B2? C3? D1? =3#2 A2? A3? B3? =3", "more cells have been hit than the fleet has");
    says("A1? B2? C3? =x", "such as =2#3");
    let each: Rules = "5x5 3,2 allowed ship salvo=3".parse().unwrap();
    assert!(refusal(&each, "A1? B2? C3? =1").unwrap_err().ends_with("each shot is answered, not the turn"));
    // What each shot must have got is written to it.
    for (text, written) in [
        ("A1? B2? C3? =0", "A1- B2- C3-"),
        ("A1? B2? C3? =3", "A1+ B2+ C3+"),
        ("A1? B2? C3? =3#3", "A1? B2? C3? =3#3"),
        ("A1? =1#2", "A1#2"),
        ("A1? B2? C3? =1+", "A1? B2? C3? =1"),
    ] {
        assert_eq!(refusal(&rules, text).as_deref(), Ok(written), "{text}");
    }
}

#[test]
fn taking_back_the_last_shot_of_a_turn_forgets_what_was_called() {
    let rules: Rules = "5x5 3,2 allowed ship salvo=2:count".parse().unwrap();
    let mut log = ShotLog::parse(&rules, "A1- A2- B1? B2? =1#2 C1?").unwrap();
    assert_eq!((log.hit_count(), log.sinkings(), log.lengths_left().len()), (1, 1, 1));
    let calls = |log: &ShotLog| log.turn_calls().map(|call| call.map(|call| call.to_string())).collect::<Vec<_>>();
    assert_eq!(calls(&log), [Some("=0".to_owned()), Some("=1#2".to_owned()), None]);
    log.truncate(3);
    assert_eq!((log.to_string().as_str(), log.hit_count(), log.shots_left_in_turn()), ("A1- A2- B1?", 0, 1));
    let other = ShotLog::parse(&rules, "A1- A2- B1? B2? =1").unwrap();
    assert_ne!(other, ShotLog::parse(&rules, "A1- A2- B1? B2? =1#2").unwrap(), "what was called is a part of the log");
}
