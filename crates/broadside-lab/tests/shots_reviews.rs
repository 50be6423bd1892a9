//! Reviews in shots add up, on games of every kind.

use broadside_captains::shots_to_go::Settings;
use broadside_captains::{Registry, shots_to_go::ShotsToGo};
use broadside_lab::replay::Replay;
use broadside_lab::{Hundredths, Par, ReviewSettings, ShotsReview};
use broadside_rules::{Rules, ShotLog, Stop};

/// How many games are reviewed: 12, or as many as `REVIEWED_GAMES` says.
fn games() -> u64 {
    std::env::var("REVIEWED_GAMES").map_or(12, |games| games.parse().expect("REVIEWED_GAMES is a number"))
}

/// Few playouts: the sum must not depend on how many there are.
fn quick(seed: u64) -> ReviewSettings {
    ReviewSettings { playouts: 4, candidates: 2, listed: 20, seed, ..ReviewSettings::default() }
}

fn review(log: &ShotLog, settings: &ReviewSettings) -> ShotsReview {
    let mut streamed = Vec::new();
    let review = ShotsReview::new(log, settings, &Stop::never(), |shot| streamed.push(shot.clone())).unwrap();
    assert_eq!(streamed, review.shots);
    review
}

/// A number as it is shown, read back in hundredths.
fn shown(number: Hundredths) -> i64 {
    number.to_string().replace('.', "").parse().expect("two digits after the point")
}

fn check(log: &ShotLog, review: &ShotsReview) {
    let printed: i64 = review.shots.iter().map(|shot| shown(shot.mistake) + shown(shot.luck)).sum();
    assert_eq!(100 * log.len().cast_signed() as i64 + shown(review.shots_to_go), shown(review.par.shots) + printed, "{log}");
    assert_eq!(shown(review.mistakes()) + shown(review.luck()), printed);
    assert!(review.shots.iter().all(|shot| shot.mistake >= Hundredths::ZERO));
    assert_eq!(review.shots_to_go == Hundredths::ZERO, log.is_over());
    assert!(review.accuracy() > 0.0 && review.accuracy() <= 1.0);
}

#[test]
fn shots_are_par_and_mistakes_and_luck_to_the_last_digit() {
    let rules = [
        "classic",
        "sploosh",
        "6x6 3,2,1 never ship",
        "8x8 4,3,2 corners bare",
        "6x6 3,2 allowed every",
        "6x6 2,2 allowed silent",
    ];
    let captains = ["random", "density", "hunt-target", "mask"];
    for game in 0..games() {
        let rules: Rules = rules[game as usize % rules.len()].parse().unwrap();
        let name = captains[game as usize % captains.len()];
        let log = Replay::play(&Registry::new(), &rules, name, 16, game).unwrap().record().log().clone();
        let review = review(&log, &quick(game));
        check(&log, &review);
    }
}

#[test]
fn a_game_that_was_given_up_counts_what_is_still_to_go() {
    let log = ShotLog::parse(&"classic".parse().unwrap(), "E5- C3+ C4+ A1-").unwrap();
    let review = review(&log, &quick(1));
    check(&log, &review);
    assert!(review.shots_to_go > Hundredths::whole(20));
}

#[test]
fn an_exact_review_is_that_worked_out_by_hand() {
    // A ship of two on a row of four lies at A1, A2 or A3. Best play fires at A2 (or A3): a miss leaves A3 and A4, two shots;
    // a hit leaves one or two more, 3/2 on average. That is 2/3 (1 + 3/2) + 1/3 (1 + 2) = 8/3 shots. A1 first: a hit leaves one shot,
    // a miss two places that share A3, 1 + 3/2 shots. That is 1/3 · 2 + 2/3 (1 + 5/2) = 3 shots.
    let log = ShotLog::parse(&"1x4 2 allowed ship".parse().unwrap(), "A1- A3+ A4#2").unwrap();
    let review = review(&log, &ReviewSettings::default());
    let numbers =
        |f: fn(&broadside_lab::JudgedShot) -> Hundredths| review.shots.iter().map(|shot| f(shot).to_string()).collect::<Vec<_>>();
    assert_eq!(review.par, Par { shots: Hundredths::from_shots(2.67), std_err: 0.0, best_play: true });
    assert_eq!(numbers(|shot| shot.shots_to_go), ["2.67", "2.50", "1.50"]);
    assert_eq!(numbers(|shot| shot.mistake), ["0.33", "0.00", "0.00"]);
    assert_eq!(numbers(|shot| shot.luck), ["0.50", "0.00", "-0.50"]);
    let costliest = review.costliest(3);
    assert_eq!(costliest.len(), 1);
    assert_eq!((costliest[0].0, costliest[0].1.best[0].to_string()), (1, "A2".to_owned()));
    assert!((review.accuracy() - 2.67 / 3.0).abs() < 1e-12);
}

#[test]
fn the_same_review_on_any_number_of_threads() {
    let log = ShotLog::parse(&"classic".parse().unwrap(), "A1- E5+ E6+").unwrap();
    let settings = |threads| ReviewSettings { threads, playouts: 100, ..ReviewSettings::default() };
    assert_eq!(review(&log, &settings(1)), review(&log, &settings(3)));
}

#[test]
fn a_shot_far_from_everything_is_a_mistake_and_the_better_cell_is_named() {
    let log = ShotLog::parse(&"6x6 3,2 allowed ship".parse().unwrap(), "C3+ A6-").unwrap();
    let review = review(&log, &ReviewSettings::default());
    let (number, mistake) = review.costliest(1)[0];
    assert_eq!(number, 2);
    assert!(mistake.exact && mistake.mistake > Hundredths::from_shots(0.3), "{mistake:?}");
    assert!(["B3", "D3", "C2", "C4"].contains(&mistake.best[0].to_string().as_str()), "{mistake:?}");
    assert!(mistake.why.is_some());
}

#[test]
fn par_is_estimated_where_nobody_has_measured_it() {
    let classic = Par::of(&"classic".parse().unwrap(), 1, &Stop::never()).unwrap();
    assert_eq!(classic.shots.to_string(), "43.87");
    let rules: Rules = "7x7 4,3,2 allowed ship".parse().unwrap();
    let par = Par::of(&rules, 2, &Stop::never()).unwrap();
    assert!(!par.is_exact() && par.std_err < 0.3, "{par:?}");
    // Measured with other layouts.
    let settings = Settings { candidates: 1, seed: 99, ..Settings::default() };
    let other = ShotsToGo::new(&ShotLog::new(&rules), &settings, &Stop::never()).unwrap().run(2000, &Stop::never()).unwrap();
    assert!((other.shots_to_go - par.shots.shots()).abs() < 5.0 * other.std_err.hypot(par.std_err), "{par:?} {other:?}");
}

#[test]
fn a_review_can_be_stopped() {
    let log = ShotLog::parse(&"classic".parse().unwrap(), "A1- B2- C3-").unwrap();
    let (stop, mut ready) = (Stop::new(), 0);
    let stopped = ShotsReview::new(&log, &quick(1), &stop, |_| {
        ready += 1;
        stop.stop();
    });
    assert!(stopped.is_err());
    assert_eq!(ready, 1);
}
