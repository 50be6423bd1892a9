//! Replays are the games that they claim to be.

use broadside_captains::{ROSTER, Registry};
use broadside_rules::{GameRecord, Rules};
use proptest::prelude::*;

use super::*;
use crate::{Campaign, CampaignConfig, Layouts};

pub(super) fn rules(call: &str) -> Rules {
    format!("6x6 3,2,2 allowed {call}").parse().unwrap()
}

#[test]
fn game_i_of_a_seed_is_the_campaigns_game_i() {
    for entry in ROSTER {
        let config = CampaignConfig { rules: rules("ship"), games: 12, seed: 5 };
        let tally = Campaign::new(config.clone(), [entry.name], Layouts::Uniform).unwrap().run(|_| {}).unwrap();
        let mut told = vec![0; 37];
        for game in 0..12 {
            told[Replay::play(&Registry::new(), &config.rules, entry.name, 5, game).unwrap().frames().count()] += 1;
        }
        let counted: Vec<u64> = (0..37).map(|shots| tally.shots()[0].count_of(shots)).collect();
        assert_eq!(told, counted, "{}", entry.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_reason_is_that_of_the_shot_fired(captain in 0..ROSTER.len(), call in 0..4_usize, seed: u64) {
        let rules = rules(["silent", "bare", "ship", "every"][call]);
        let replay = Replay::play(&Registry::new(), &rules, ROSTER[captain].name, seed, 3).unwrap();
        let (mut log, mut left) = (ShotLog::new(&rules), rules.fleet().len());
        for frame in replay.frames() {
            prop_assert_eq!(frame.number, log.len() + 1);
            prop_assert_eq!(&frame.before, &log);
            prop_assert_eq!(frame.advice, frame.shot.cell, "{} after {}", ROSTER[captain].name, log);
            prop_assert!(frame.heat.at(rules.grid().index(frame.shot.cell)).is_some());
            prop_assert!(!frame.words.is_empty());
            log.push(frame.shot).unwrap();
            prop_assert_eq!(&frame.after, &log);
            let now = frame.after.lengths_left().len();
            prop_assert!(now + usize::from(frame.shot.answer.length().is_some() && frame.shot.answer.is_sunk()) == left);
            left = now;
        }
        prop_assert_eq!(&log, replay.record().log());
        prop_assert!(log.is_over());
    }

    #[test]
    fn where_answers_come_after_the_turn_a_frame_has_what_the_captain_saw(captain in 0..ROSTER.len(), variant in 0..3_usize, seed: u64) {
        let rules = rules(["ship salvo=3", "ship salvo=3:count", "silent salvo=2:count"][variant]);
        let name = ROSTER[captain].name;
        let replay = Replay::play(&Registry::new(), &rules, name, seed, 3);
        // Some captains need answers at once.
        prop_assume!(replay.is_ok());
        let replay = replay.unwrap();
        let mut referee = Referee::new(&rules, replay.record().layout().clone());
        for frame in replay.frames() {
            prop_assert_eq!(&frame.before, referee.log(), "{}", name);
            prop_assert_eq!(frame.advice, frame.shot.cell, "{} after {}", name, frame.before);
            referee.fire(frame.shot.cell).unwrap();
            if frame.number < replay.record().log().len() {
                prop_assert_eq!(&frame.after, referee.log());
            }
            let call = referee.log().called_turns().last().filter(|turn| turn.shots().end == frame.number);
            prop_assert_eq!(call.map(|turn| turn.call().to_string()), frame.description().split_once("turn: ").map(|(_, call)| call.to_owned()));
        }
        prop_assert_eq!(&replay.frames().last().unwrap().after, replay.record().log());
    }

    #[test]
    fn the_chances_of_a_record_add_up_to_the_cells_not_hit(seed: u64) {
        let rules = rules("ship");
        let played = Replay::play(&Registry::new(), &rules, "hunt-target", seed, 0).unwrap();
        for frame in Replay::from_record(played.record().clone()).frames() {
            prop_assert_eq!(frame.heat.name(), "chances");
            let sum: f64 = frame.heat.values().iter().flatten().sum();
            prop_assert!((sum - (7 - frame.before.hit_count()) as f64).abs() < 1e-9, "{}", sum);
        }
    }
}

#[test]
fn a_record_is_seen_by_another_captain_and_with_the_odds() {
    let record: GameRecord = "3x3 2 allowed ship | B2-B3 | A1- B2+ B3#2".parse().unwrap();
    let seen = Replay::from_record(record.clone()).with_captain(&Registry::new(), "density", 1).unwrap();
    let first = seen.frames().next().unwrap();
    assert_eq!((first.shot.cell.to_string(), first.advice.to_string()), ("A1".to_owned(), "B2".to_owned()));
    assert_eq!(seen.reason(&first), "density would fire at B2: 4 placements go through it, as many as through any");
    // Of the twelve layouts four have a ship on the middle and two on a corner; a miss in the corner leaves ten.
    let odds: Vec<Frame> = Replay::from_record(record.clone()).frames().collect();
    assert_eq!(odds[0].words, "a ship lies there with 16.7 %; B2 has 33.3 %");
    assert_eq!(odds[1].words, "a ship lies there with 40.0 %, as likely as anywhere");
    assert_eq!(odds.iter().map(Frame::ships_left).collect::<Vec<_>>(), ["ships left: 2", "ships left: 2", "all ships are sunk"]);
    let both = seen.with_odds().frames().next().unwrap();
    assert_eq!((both.advice, both.heat), (first.advice, odds[0].heat.clone()));
    assert!(Replay::from_record(record).with_captain(&Registry::new(), "nobody", 1).is_err());
}

#[test]
fn a_board_beyond_exact_odds_has_estimates() {
    let rules: Rules = "20x20 4,3,3,2,2,2,1,1,1,1 never ship".parse().unwrap();
    let layout = Dealer::new(&rules).uniform(&mut generator(1, 0)).unwrap();
    let mut referee = Referee::new(&rules, layout);
    referee.fire("A1".parse().unwrap()).unwrap();
    let heat = Replay::from_record(referee.into_record()).frames().next().unwrap().heat;
    assert_eq!(heat.name(), "estimates");
    let sum: f64 = heat.values().iter().flatten().sum();
    assert!((sum - 20.0).abs() < 1e-6, "every draw has the 20 cells of the fleet, not {sum}");
}
