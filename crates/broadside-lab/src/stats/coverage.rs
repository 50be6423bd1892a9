//! Intervals keep what they promise: over many small campaigns they cover a truth that is known in closed form.

use broadside_captains::captain;
use broadside_odds::Dealer;
use broadside_rules::{Referee, Rules};

use super::{ChiSquare, Histogram, Interval, last_hit_chance, wilson};
use crate::generator;

const CAMPAIGNS: u64 = 1000;
const GAMES: u64 = 100;

/// The shots of `random` on a board of four cells with one ship of two, campaign by campaign.
fn campaigns() -> Vec<Histogram> {
    let rules: Rules = "2x2 2 allowed ship".parse().unwrap();
    let (mut dealer, mut random) = (Dealer::new(&rules), captain("random", &rules).unwrap());
    let mut shots = |seed, game| {
        let mut rng = generator(seed, game);
        let mut referee = Referee::new(&rules, dealer.uniform(&mut rng).unwrap());
        while !referee.is_over() {
            let cell = random.aim(referee.log(), &mut rng);
            referee.fire(cell).unwrap();
        }
        referee.log().len().cast_signed() as i64
    };
    let mut campaign = |seed| {
        let mut histogram = Histogram::new(0, 4);
        (0..GAMES).for_each(|game| histogram.add(shots(seed, game)));
        histogram
    };
    (0..CAMPAIGNS).map(&mut campaign).collect()
}

/// The share of campaigns whose interval covers the truth.
fn covered(campaigns: &[Histogram], truth: f64, interval: impl Fn(&Histogram) -> Option<Interval>) -> f64 {
    let covers = |campaign: &&Histogram| interval(campaign).is_some_and(|interval| interval.contains(truth));
    campaigns.iter().filter(covers).count() as f64 / campaigns.len() as f64
}

#[test]
fn intervals_cover_the_truth_95_times_in_100() {
    let campaigns = campaigns();
    let bounds = 0.93..=0.97;
    // The last of 2 cells among 4 comes with shot 2·5/3 on average, and with shot 2, a perfect game, once in 6.
    let mean = covered(&campaigns, 10.0 / 3.0, Histogram::interval);
    assert!(bounds.contains(&mean), "the interval of the mean covers {mean}");
    let share = covered(&campaigns, last_hit_chance(2, 4, 2), |shots| wilson(shots.count_of(2), shots.total()));
    assert!(bounds.contains(&share), "Wilson's interval covers {share}");
}

#[test]
fn p_values_of_a_right_distribution_are_uniform() {
    let p_values: Vec<f64> = campaigns()
        .iter()
        .filter_map(|shots| ChiSquare::test(shots, |s| last_hit_chance(2, 4, s.cast_unsigned())))
        .map(|fit| fit.p_value)
        .collect();
    assert_eq!(p_values.len() as u64, CAMPAIGNS);
    // Of a thousand uniform numbers one tenth is below 0.1: 100 ± 9.5.
    for (bound, expected) in [(0.1, 100.0f64), (0.5, 500.0), (0.9, 900.0)] {
        let below = p_values.iter().filter(|&&p| p < bound).count() as f64;
        let deviation = (expected * (1.0 - bound)).sqrt();
        assert!((below - expected).abs() < 4.0 * deviation, "{below} of 1000 p-values are below {bound}");
    }
}
