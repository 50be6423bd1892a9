//! False answers: which they are, what a log of them says, and how a game ends.

use std::collections::{BTreeMap, BTreeSet};

use broadside_rules::{
    Answer, Call, Cell, Duel, FireError, GameRecord, Layout, LogProblem, Noise, ParseLogError, Referee, Rules, Shot, ShotLog,
    Side, Turns,
};
use proptest::prelude::*;
use rand::RngExt;

use crate::naive;

fn noises() -> impl Strategy<Value = Noise> {
    prop_oneof![(1u16..5000), Just(500)].prop_filter_map("noise", Noise::from_ten_thousandths)
}

/// Shots at any cells, some of them several times, until the game is over.
fn played(rules: &Rules, layout: Layout, seed: u64) -> Referee {
    let (mut referee, mut rng) = (Referee::new(rules, layout).with_noise_seed(seed), naive::rng(seed));
    while !referee.is_over() {
        let cell = rules.grid().cell(rng.random_range(0..rules.grid().len())).unwrap();
        let allowed = referee.log().can_fire_at(cell);
        assert_eq!(referee.fire(cell).is_ok(), allowed);
    }
    referee
}

/// What each shot would be answered if nothing were false: a sinking, or the end where sinkings aren't called, or what is there.
fn truths(rules: &Rules, layout: &Layout, cells: &[Cell]) -> Vec<Answer> {
    let mut fired: BTreeSet<Cell> = BTreeSet::new();
    let mut truth = |&cell: &Cell| {
        let is_new = fired.insert(cell);
        let Some(ship) = layout.ship_at(cell) else { return Answer::Miss };
        let is_end = layout.cells().iter().all(|cell| fired.contains(&cell));
        if is_new && is_end && rules.call() == Call::Silent {
            return Answer::Sunk(None);
        }
        Answer::for_hit(rules.call(), ship.length(), is_new && ship.cells().all(|cell| fired.contains(&cell)))
    };
    cells.iter().map(&mut truth).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn rules_with_noise_round_trip(rules in naive::rules(12, 8, 6), noise in noises(), shots in 1u8..4) {
        let rules = rules.with_salvo(shots.to_string().parse().unwrap()).with_noise(noise);
        prop_assert_eq!(rules.to_string().parse::<Rules>(), Ok(rules.clone()));
        prop_assert_eq!(Rules::from_stored(&rules.to_string()), Ok(rules.clone()));
        prop_assert_eq!(rules.builder().build(), Ok(rules.clone()));
        let word = format!(" noise={noise}");
        prop_assert!(rules.to_string().ends_with(&word));
    }

    #[test]
    fn a_false_answer_is_a_hit_called_a_miss_or_the_other_way_round(
        (rules, layout) in naive::dealt(6), noise in noises(), seed in any::<u64>(), shots in 1u8..4,
    ) {
        let rules = rules.with_salvo(shots.to_string().parse().unwrap()).with_noise(noise);
        let log = played(&rules, layout.clone(), seed).into_record().log().clone();
        let cells: Vec<Cell> = log.shots().iter().map(|shot| shot.cell).collect();
        for (shot, truth) in log.shots().iter().zip(truths(&rules, &layout, &cells)) {
            let is_true = shot.answer == truth;
            let is_false = match truth {
                Answer::Hit(_) => shot.answer == Answer::Miss,
                Answer::Miss => matches!(shot.answer, Answer::Hit(length) if length.is_some() == (rules.call() == Call::Every)
                    && length.is_none_or(|length| rules.fleet().count(length) > 0)),
                _ => false,
            };
            prop_assert!(is_true || is_false, "{} for {}", shot, truth);
        }
        let fired: BTreeSet<Cell> = cells.iter().copied().collect();
        prop_assert!(layout.cells().iter().all(|cell| fired.contains(&cell)), "the game ends when the last ship sinks");
        let before: BTreeSet<Cell> = cells[..cells.len() - 1].iter().copied().collect();
        prop_assert!(!layout.cells().iter().all(|cell| before.contains(&cell)), "and not later");
        prop_assert!(cells.iter().all(|cell| cells.iter().filter(|other| *other == cell).count() <= Noise::MOST_SHOTS_AT_CELL));
    }

    #[test]
    fn logs_and_records_with_false_answers_round_trip((rules, layout) in naive::dealt(6), noise in noises(), seed in any::<u64>()) {
        let rules = rules.with_noise(noise);
        let record = played(&rules, layout, seed).into_record();
        prop_assert!(record.log().is_over());
        prop_assert_eq!(record.to_string().parse::<GameRecord>(), Ok(record.clone()));
        let mut log = ShotLog::parse(&rules, &record.log().to_string()).unwrap();
        prop_assert_eq!(&log, record.log());
        while let Some(shot) = log.pop() {
            let again = ShotLog::from_shots(&rules, log.shots().iter().copied()).unwrap();
            prop_assert_eq!((log.hits(), log.fired(), log.hit_count()), (again.hits(), again.fired(), again.hit_count()));
            prop_assert!(!log.is_over() && log.can_fire_at(shot.cell));
            let mut latest: BTreeMap<Cell, bool> = BTreeMap::new();
            log.shots().iter().for_each(|shot| _ = latest.insert(shot.cell, shot.answer.is_hit()));
            log.shots().iter().filter(|shot| shot.answer.is_sunk()).for_each(|shot| _ = latest.insert(shot.cell, true));
            let hits: BTreeSet<Cell> = latest.iter().filter(|(_, hit)| **hit).map(|(&cell, _)| cell).collect();
            prop_assert_eq!(log.hits().iter().collect::<BTreeSet<_>>(), hits);
            prop_assert_eq!(log.misses().len(), latest.len() - log.hit_count());
        }
    }
}

#[test]
fn the_secret_number_decides_and_each_side_has_its_own() {
    let rules: Rules = "6x6 3,2 allowed silent noise=0.4".parse().unwrap();
    let layout = naive::deal(&rules, 1);
    let play = |secret: u64| {
        let mut duel = Duel::new(&rules, Turns::Alternate, [layout.clone(), layout.clone()]).with_noise_seed(secret);
        for cell in rules.grid().cells().flat_map(|cell| [cell; 2]) {
            let Some(side) = duel.turn() else { break };
            duel.fire(side, cell).unwrap();
        }
        [Side::First, Side::Second].map(|side| duel.log(side).to_string())
    };
    let games: BTreeSet<String> = (0..100).flat_map(play).collect();
    assert!(games.len() > 195, "the same shots at the same layout are answered in other ways");
    assert_eq!(play(7), play(7));
}

#[test]
fn an_answer_is_false_as_often_as_the_rules_say() {
    let rules: Rules = "6x6 3,2 allowed silent noise=0.2".parse().unwrap();
    let (mut wrong, mut all) = (0.0, 0.0);
    for seed in 0..2000 {
        let layout = naive::deal(&rules, seed);
        let log = played(&rules, layout.clone(), seed).into_record().log().clone();
        let cells: Vec<Cell> = log.shots().iter().map(|shot| shot.cell).collect();
        // The last answer is never false.
        for (shot, truth) in log.shots().iter().zip(truths(&rules, &layout, &cells)).take(cells.len() - 1) {
            all += 1.0;
            wrong += f64::from(u8::from(shot.answer != truth));
        }
    }
    let error = (0.2f64 * 0.8 / all).sqrt();
    assert!((wrong / all - 0.2).abs() < 4.0 * error, "{wrong} of {all}");
}

#[test]
fn what_no_game_with_false_answers_can_have_is_refused() {
    let problem = |rules: &str, text: &str| match ShotLog::parse(&rules.parse().unwrap(), text) {
        Err(ParseLogError::Log(error)) => (error.number, error.problem),
        other => panic!("{text}: {other:?}"),
    };
    let silent = "3x3 2 allowed silent noise=0.1";
    assert_eq!(problem(silent, &"A1- ".repeat(10)), (10, LogProblem::TooOften));
    assert_eq!(problem(silent, "A1- A1#"), (2, LogProblem::SunkAgain));
    assert_eq!(problem(silent, "A1- A2# A3-"), (3, LogProblem::Over));
    assert_eq!(problem(silent, "A1#2"), (1, LogProblem::WrongCall(Call::Silent)));
    assert_eq!(problem("3x3 2 allowed silent", "A1#"), (1, LogProblem::WrongCall(Call::Silent)));
    assert_eq!(problem("3x3 2,1 allowed ship noise=0.1 rocks=C3", "A1#2 A2#1 A3-"), (3, LogProblem::Over));
    assert_eq!(problem("3x3 2,1 allowed ship noise=0.1 rocks=C3", "C3-"), (1, LogProblem::Rock));
    assert!(ShotLog::parse(&"3x3 2,1 allowed every noise=0.1".parse().unwrap(), "A1+1 A2+1 B3+1 C3-").is_ok());
}

#[test]
fn a_record_of_false_answers_is_checked_against_the_layout() {
    for (record, is_fine) in [
        ("3x3 2 allowed silent noise=0.1 | B2-B3 | A1+ B2- B2+ B3#", true),
        ("3x3 2 allowed silent noise=0.1 | B2-B3 | A1+ B2- B3+", false),
        ("3x3 2 allowed silent noise=0.1 | B2-B3 | A1# B2-", false),
        ("3x3 2 allowed ship noise=0.1 | B2-B3 | A1- B2+ B3-", false),
        ("3x3 2,1 allowed every noise=0.1 | B2-B3 A1 | C1+1 B2+1", false),
        ("3x3 2,1 allowed every noise=0.1 | B2-B3 A1 | C1+1 C1+2 B2- B2+2 A1#1 A1- B3#2", true),
    ] {
        assert_eq!(record.parse::<GameRecord>().is_ok(), is_fine, "{record}");
    }
}

#[test]
fn a_cell_can_be_fired_at_nine_times() {
    let rules: Rules = "2x2 1 allowed silent noise=0.1".parse().unwrap();
    let layout = naive::deal(&rules, 1);
    let water = rules.grid().cells().find(|&cell| layout.ship_at(cell).is_none()).unwrap();
    let mut referee = Referee::new(&rules, layout);
    assert!((0..9).all(|_| referee.fire(water).is_ok()));
    assert_eq!(referee.fire(water), Err(FireError::TooOften(water)));
    let shot = Shot { cell: water, answer: Answer::Miss };
    assert!(referee.log().clone().push(shot).is_err());
}
