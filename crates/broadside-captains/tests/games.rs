//! What every captain does, whatever the rules: legal shots, no repeats, an end, and the same choice for the same log.

use broadside_captains::{Captain, CaptainError, DOUBTER, GameRng, ROSTER, captain};
use broadside_odds::Dealer;
use broadside_rules::{Call, Fleet, Grid, Length, Noise, Referee, Rules, Salvo, SalvoCall, ShotLog, Touch};
use proptest::collection::vec;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};

fn rules() -> impl Strategy<Value = Rules> {
    let fleet = vec((1usize..=5).prop_filter_map("a length", Length::new), 1..=5);
    let sides = prop_oneof![
        8 => (1usize..=10, 1usize..=10),
        1 => (Just(1), 2usize..=30),
        1 => (2usize..=30, Just(1)),
        1 => (10usize..=17, 10usize..=17),
    ];
    let words = (0..Touch::ALL.len(), 0..Call::ALL.len());
    // Several shots a turn in one game of three.
    let salvo = prop::sample::select(vec!["1", "1", "1", "1", "3", "ships", "3:count"])
        .prop_filter_map("a salvo", |text| text.parse::<Salvo>().ok());
    // False answers in one game of four.
    let noise = prop::sample::select(vec![0, 0, 0, 0, 0, 0, 500, 3000]).prop_filter_map("noise", Noise::from_ten_thousandths);
    (sides, fleet, words, salvo, noise).prop_filter_map("rules that fit", |((rows, cols), fleet, (touch, call), salvo, noise)| {
        let (grid, fleet) = (Grid::new(rows, cols).ok()?, Fleet::new(fleet).ok()?);
        // Where only hits are counted, no answer is false.
        (noise.is_none() || salvo.call() != SalvoCall::Count).then_some(())?;
        // Boards that are nearly full take too long to deal.
        (fleet.cells() * 4 <= grid.len() + 4).then_some(())?;
        Some(Rules::new(grid, fleet, Touch::ALL[touch], Call::ALL[call]).ok()?.with_salvo(salvo).with_noise(noise))
    })
}

/// The largest board, in cells, on which `exact` joins: a game by it should take a moment, not minutes.
const SMALL: usize = 36;

/// The same for `commodore`, which looks to the end of the game.
const TINY: usize = 16;

/// The captains whose games by these rules are quick.
fn quick_captains(rules: &Rules) -> impl Iterator<Item = &'static str> {
    let cells = rules.grid().len();
    ROSTER.iter().chain([&DOUBTER]).map(|info| info.name).filter(move |&name| match name {
        "exact" => cells <= SMALL,
        "commodore" => cells <= TINY,
        // It follows the cases of all turns anew whenever another one takes over.
        "volley" | "volley-greedy" if rules.salvo().call() == SalvoCall::Count => cells <= SMALL,
        _ => true,
    })
}

fn deal(rules: &Rules, rng: &mut GameRng) -> Referee {
    let layout = Dealer::new(rules).uniform(rng).unwrap();
    Referee::new(rules, layout).with_noise_seed(rng.clone().random())
}

/// Plays to the end, showing the log and the generator before each shot.
fn play(captain: &mut dyn Captain, referee: &mut Referee, rng: &mut GameRng, mut look: impl FnMut(&ShotLog, &GameRng)) {
    while !referee.is_over() {
        look(referee.log(), rng);
        let cell = captain.aim(referee.log(), rng);
        referee.fire(cell).unwrap_or_else(|error| panic!("{}: {error} after {}", captain.name(), referee.log()));
    }
}

/// Plays a game and lets another captain of the same name take over at every moment, in no particular order.
fn check_one(name: &str, rules: &Rules, seed: u64) {
    let mut rng = GameRng::seed_from_u64(seed);
    let (mut captain, mut referee) = (captain(name, rules).unwrap(), deal(rules, &mut rng));
    let mut moments = Vec::new();
    play(captain.as_mut(), &mut referee, &mut rng, |log, rng| moments.push((log.clone(), rng.clone())));
    // Shots of a turn after the last hit don't count.
    moments.truncate(referee.log().len());
    let mut other = broadside_captains::captain(name, rules).unwrap();
    let half = moments.len() / 2;
    let backwards = (0..moments.len()).rev().step_by(3);
    for moment in backwards.chain([0, half, half, 0]) {
        let (log, rng) = &moments[moment];
        let fired = referee.log().shots()[moment].cell;
        assert_eq!(other.aim(log, &mut rng.clone()), fired, "{name} on {rules} after {log}");
        let reason = other.explain(log, &mut rng.clone());
        assert_eq!(reason.cell, fired, "{name} explains another shot on {rules} after {log}");
        let best = reason.scores.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        let own = reason.scores[rules.grid().index(fired)];
        assert!(own == Some(best) || best <= 0.0 || reason.scores.iter().all(Option::is_none), "{name}: {reason:?}");
        assert!(!reason.words.is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_captain_plays_legally_to_the_end_and_can_be_replaced_at_any_time(rules in rules(), seed: u64) {
        for name in quick_captains(&rules) {
            check_one(name, &rules, seed);
        }
    }

    #[test]
    fn any_captain_can_take_over_from_any_other(rules in rules(), seed: u64) {
        let mut rng = GameRng::seed_from_u64(seed);
        let mut referee = deal(&rules, &mut rng);
        let mut captains: Vec<_> = quick_captains(&rules).map(|name| captain(name, &rules).unwrap()).collect();
        let mut turn = seed as usize % captains.len();
        while !referee.is_over() {
            turn = (turn + 1) % captains.len();
            let cell = captains[turn].aim(referee.log(), &mut rng);
            referee.fire(cell).unwrap();
        }
    }
}

#[test]
fn every_captain_plays_the_presets() {
    for preset in ["classic", "russian", "sploosh", "10x15 6,5,4,2 allowed every", "20x20 6,6,5,4,3,2,1 corners bare"] {
        let rules = preset.parse().unwrap();
        quick_captains(&rules).for_each(|name| check_one(name, &rules, 5));
    }
    for preset in ["classic", "sploosh"] {
        check_one("exact", &preset.parse().unwrap(), 5);
    }
}

#[test]
fn every_captain_goes_by_its_name_in_the_roster() {
    for info in ROSTER {
        assert_eq!(captain(info.name, &"classic".parse().unwrap()).unwrap().name(), info.name);
    }
}

#[test]
fn an_unknown_name_brings_up_the_nearest() {
    let rules: Rules = "classic".parse().unwrap();
    let error = captain("dense", &rules).err().unwrap();
    assert!(matches!(&error, CaptainError::Unknown(unknown) if unknown.nearest[0] == "density"));
    assert!(error.to_string().contains("did you mean density"), "{error}");
    let error = captain("xyzzy", &rules).err().unwrap();
    assert!(error.to_string().contains("the captains are random, hunt-target"), "{error}");
}
