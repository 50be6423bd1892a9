//! What theory says about `random`.

use broadside_captains::{GameRng, captain};
use broadside_odds::Dealer;
use broadside_rules::{Referee, Rules};
use rand::SeedableRng;

/// The number of ways to choose `k` of `n`.
fn choose(n: u128, k: u128) -> u128 {
    if k > n { 0 } else { (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1)) }
}

/// The probability `Pr[n_a = k]` of “CSE 202: Project Algorithmic Solutions” (UC San Diego, 2023) as a fraction: the first hit
/// comes with shot k.
fn first_hit_at(k: u128, cells: u128, ships: u128) -> (u128, u128) {
    (choose(cells - ships, k - 1) * ships, choose(cells, k) * k)
}

/// Whether the fractions add up to `sum` of the given total.
fn adds_up(terms: impl Iterator<Item = (u128, u128)>, total: (u128, u128)) -> bool {
    let (n, d) = terms.fold((0, 1), |(n, d), (a, b)| reduced(n * b + a * d, d * b));
    (n, d) == reduced(total.0, total.1)
}

fn reduced(n: u128, d: u128) -> (u128, u128) {
    let (mut a, mut b) = (n, d);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (n / a, d / a)
}

#[test]
fn the_expected_first_hit_follows_exactly_from_the_formula() {
    for (cells, ships) in [(1, 1), (5, 1), (6, 2), (9, 5), (12, 3), (16, 5), (20, 7), (24, 2), (25, 25)] {
        let ks = || 1..=cells - ships + 1;
        assert!(adds_up(ks().map(|k| first_hit_at(k, cells, ships)), (1, 1)), "{ships} of {cells}");
        let terms = ks().map(|k| (k * first_hit_at(k, cells, ships).0, first_hit_at(k, cells, ships).1));
        assert!(adds_up(terms, (cells + 1, ships + 1)), "{ships} of {cells}");
    }
}

/// How many games of `random` took each number of shots, and at which shot the first hit came.
fn games(rules: &Rules, number: u64) -> (Vec<u64>, Vec<u64>) {
    let (mut captain, mut dealer) = (captain("random", rules).unwrap(), Dealer::new(rules));
    let (mut lengths, mut first_hits) = (vec![0; rules.grid().len() + 1], vec![0; rules.grid().len() + 1]);
    for game in 0..number {
        let mut rng = GameRng::seed_from_u64(game);
        let mut referee = Referee::new(rules, dealer.uniform(&mut rng).unwrap());
        while !referee.is_over() {
            referee.fire(captain.aim(referee.log(), &mut rng)).unwrap();
        }
        let shots = referee.log().shots();
        lengths[shots.len()] += 1;
        first_hits[1 + shots.iter().position(|shot| shot.answer.is_hit()).unwrap()] += 1;
    }
    (lengths, first_hits)
}

/// The mean of a histogram and its standard error.
fn mean(histogram: &[u64]) -> (f64, f64) {
    let games = histogram.iter().sum::<u64>() as f64;
    let moment =
        |power| histogram.iter().enumerate().map(|(n, &count)| count as f64 * (n as f64).powi(power)).sum::<f64>() / games;
    (moment(1), ((moment(2) - moment(1).powi(2)) / games).sqrt())
}

#[test]
fn the_first_hit_comes_when_theory_says() {
    for text in ["classic", "russian", "sploosh", "3x7 3,1 corners bare", "1x12 2 allowed silent"] {
        let rules: Rules = text.parse().unwrap();
        let (average, error) = mean(&games(&rules, 4_000).1);
        let expected = (rules.grid().len() + 1) as f64 / (rules.fleet().cells() + 1) as f64;
        assert!((average - expected).abs() < 3.0 * error, "{text}: {average} ± {error}, theory {expected}");
    }
}

#[test]
fn whole_games_are_distributed_as_theory_says() {
    let number = 40_000;
    let (lengths, _) = games(&"classic".parse().unwrap(), number);
    // The last hit of 17 on 100 cells comes with shot n when the 16 others are among the n - 1 before.
    let expected = |n: usize| choose(n as u128 - 1, 16) as f64 / choose(100, 17) as f64 * number as f64;
    let (average, error) = mean(&lengths);
    assert!((average - 17.0 * 101.0 / 18.0).abs() < 3.0 * error, "{average} ± {error}");
    // Pearson's test over 80..=100 and all before as one: 21 degrees of freedom, above 46.8 once in a thousand times.
    let early: f64 = (17..80).map(expected).sum();
    let seen_early = lengths[..80].iter().sum::<u64>() as f64;
    let term = |seen: f64, expected: f64| (seen - expected).powi(2) / expected;
    let chi = term(seen_early, early) + (80..=100).map(|n| term(lengths[n] as f64, expected(n))).sum::<f64>();
    assert!(chi < 46.8, "χ² = {chi}");
}
