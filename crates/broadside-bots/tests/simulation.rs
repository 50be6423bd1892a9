//! The statistics keep what they promise, on games that are drawn from known strengths.
//!
//! `BROADSIDE_RUNS` sets the number of runs; the long form is 10,000.

use broadside_bots::tournament::{Comparison, Decision, Ratings, Sprt, SprtBounds};
use broadside_captains::GameRng;
use broadside_lab::generator;

use rand::RngExt;

fn runs() -> u64 {
    std::env::var("BROADSIDE_RUNS").ok().and_then(|text| text.parse().ok()).unwrap_or(400)
}

/// The difference of a pair of games between players of whom the first wins a game with this chance.
fn duel_difference(rng: &mut GameRng, chance: f64) -> f64 {
    (0..2).map(|_| if rng.random_bool(chance) { 0.5 } else { -0.5 }).sum()
}

/// Shots of one player less those of another: a lumpy distribution with long ends, and this mean.
fn solo_difference(rng: &mut GameRng, mean: f64) -> f64 {
    let lumps: i32 = (0..6).map(|_| rng.random_range(-3..=3)).sum();
    let whole = mean.floor();
    f64::from(lumps) + whole + f64::from(u8::from(rng.random_bool(mean - whole)))
}

/// How often the test takes the wrong hypothesis when one of the two is true, over so many runs.
fn wrong_share(bounds: SprtBounds, truth: f64, right: Decision, draw: impl Fn(&mut GameRng) -> f64) -> f64 {
    let wrong = (0..runs()).filter(|&run| {
        let (mut rng, mut sprt) = (generator(truth.to_bits(), run), Sprt::new(bounds));
        // As a tournament does it: a look after every block of games.
        while sprt.decision() == Decision::Open {
            (0..20).for_each(|_| sprt.add(draw(&mut rng)));
            assert!(sprt.len() < 1_000_000, "it never ends");
        }
        sprt.decision() != right
    });
    let share = wrong.count() as f64 / runs() as f64;
    println!("truth {truth}: {:.2} % of {} runs are wrong", 100.0 * share, runs());
    share
}

/// Shares of few runs may lie above the bound by chance: three standard errors of 5 %.
fn bound() -> f64 {
    0.05 + 3.0 * (0.05f64 * 0.95 / runs() as f64).sqrt()
}

#[test]
fn the_early_stop_is_wrong_no_more_often_than_it_says_in_duels() {
    let bounds = SprtBounds::new(-0.1, 0.1).unwrap();
    for (truth, right) in [(-0.1, Decision::Low), (0.1, Decision::High)] {
        let share = wrong_share(bounds, truth, right, |rng| duel_difference(rng, f64::midpoint(1.0, truth)));
        assert!(share <= bound(), "{share}");
    }
}

#[test]
fn the_early_stop_is_wrong_no_more_often_than_it_says_alone() {
    let bounds = SprtBounds::new(0.0, 1.0).unwrap();
    for (truth, right) in [(0.0, Decision::Low), (1.0, Decision::High)] {
        let share = wrong_share(bounds, truth, right, |rng| solo_difference(rng, truth));
        assert!(share <= bound(), "{share}");
    }
}

const STRENGTHS: [f64; 5] = [-1.2, -0.3, 0.0, 0.4, 1.1];
const FIRST: f64 = 0.15;
const GAMES: u64 = 60;
/// Points on Elo's scale for a unit of the strengths.
const ELO: f64 = 173.717_792_761_23;

/// A round robin between players of these strengths.
fn round_robin(run: u64) -> Vec<Comparison> {
    let mut rng = generator(7, run);
    let mut games = Vec::new();
    for (a, b) in broadside_lab::pairs(STRENGTHS.len()) {
        for game in 0..GAMES {
            let first = if game % 2 == 0 { 1.0 } else { -1.0 };
            let chance = 1.0 / (1.0 + (STRENGTHS[b] - STRENGTHS[a] - first * FIRST).exp());
            let score = if rng.random_bool(chance) { 1.0 } else { 0.0 };
            games.push(Comparison { a, b, score, first, cluster: (((a * 10 + b) as u64) << 32) | (game / 2) });
        }
    }
    games
}

#[test]
fn ratings_recover_known_strengths_and_their_intervals_cover_them() {
    let (mut covered, mut sums, mut first_covered) = (0, [0.0; STRENGTHS.len()], 0);
    for run in 0..runs() {
        let ratings = Ratings::new(STRENGTHS.len(), &round_robin(run));
        for ((rating, truth), sum) in ratings.players.iter().zip(STRENGTHS).zip(&mut sums) {
            covered += u64::from(rating.interval.contains(ELO * truth));
            *sum += rating.rating / ELO;
        }
        first_covered += u64::from(ratings.first.is_some_and(|first| first.interval.contains(ELO * FIRST)));
    }
    let share = covered as f64 / (runs() * STRENGTHS.len() as u64) as f64;
    let first_share = first_covered as f64 / runs() as f64;
    println!("intervals cover {:.2} % of ratings and {:.2} % of what firing first is worth", 100.0 * share, 100.0 * first_share);
    assert!((0.93..=0.97).contains(&share), "{share}");
    assert!((0.92..=0.98).contains(&first_share), "{first_share}");
    for (sum, truth) in sums.iter().zip(STRENGTHS) {
        let mean = sum / runs() as f64;
        assert!((mean - truth).abs() < 0.05, "{mean} instead of {truth}");
    }
}
