//! Ratings by the model of Bradley and Terry.
//!
//! Player *i* beats player *j* with chance 1/(1 + e^−(rᵢ − rⱼ + g)), where *g* is what firing first is worth (R. A. Bradley and
//! M. E. Terry, *Rank analysis of incomplete block designs*, Biometrika 39, 1952). The ratings are those of the highest
//! likelihood, found by Newton's method; their mean is 0. They are given on Elo's scale, on which 400 points are odds of 10 to 1.
//!
//! Games aren't all independent: pairs of games share their layouts, and alone all players fire at the same ones. So standard
//! errors come from the spread of what whole *clusters* of such games say (the sandwich estimator; P. J. Huber, *The behavior
//! of maximum likelihood estimates under nonstandard conditions*, 1967), not from the number of games.

use std::collections::BTreeMap;

use broadside_lab::stats::Interval;
use serde::Serialize;

/// A game, or two players' games on one layout, as the ratings see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// A player, by number.
    pub a: usize,
    /// The other.
    pub b: usize,
    /// What the first got of the one point: 1, ½ or 0.
    pub score: f64,
    /// Which of them fired first: 1 for the first, −1 for the second, 0 when nobody did.
    pub first: f64,
    /// Comparisons of one cluster depend on each other.
    pub cluster: u64,
}

/// A player's rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// On Elo's scale; 0 is the mean of all players.
    pub rating: f64,
    /// Its standard error.
    pub std_err: f64,
    /// Its 95% interval.
    pub interval: Interval,
}

/// All ratings of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// For each player.
    pub players: Vec<Rating>,
    /// What firing first is worth, if anybody did.
    pub first: Option<Rating>,
}

/// Points on Elo's scale for one unit of the logarithm of the odds.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The normal distribution's 97.5th percentile.
const NORMAL: f64 = 1.959_963_984_540_054;

/// A pair that has met counts as having drawn so many games more, half of them with either first: without it, somebody who lost
/// every game would have no rating at all.
const DRAWN: f64 = 1.0;

/// Steps of Newton's method; it takes about ten.
const STEPS: usize = 100;

impl Ratings {
    /// The likeliest ratings of so many players.
    pub fn new(players: usize, games: &[Comparison]) -> Self {
        let has_first = games.iter().any(|game| game.first != 0.0);
        let model = Model { players, size: players + usize::from(has_first), games: &with_draws(games) };
        let values = model.fit();
        let errors = model.errors(&values);
        let rating = |i: usize| {
            let (rating, std_err) = (ELO * values[i], ELO * errors[i]);
            let reach = NORMAL * std_err;
            Rating { rating, std_err, interval: Interval { low: rating - reach, high: rating + reach } }
        };
        Self { players: (0..players).map(rating).collect(), first: has_first.then(|| rating(players)) }
    }

    /// What a player may expect against another for a game, if both fire first equally often.
    pub fn expected(&self, a: usize, b: usize) -> f64 {
        let difference = (self.players[a].rating - self.players[b].rating) / ELO;
        let first = self.first.map_or(0.0, |first| first.rating / ELO);
        f64::midpoint(logistic(difference + first), logistic(difference - first))
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// A game with its weight.
type Weighted = (Comparison, f64);

/// The games, and the drawn ones that keep ratings finite.
fn with_draws(games: &[Comparison]) -> Vec<Weighted> {
    let met: BTreeMap<(usize, usize), bool> = games.iter().map(|game| ((game.a, game.b), game.first != 0.0)).collect();
    let draws = met.into_iter().zip(u64::MAX / 2..).flat_map(|(((a, b), has_first), cluster)| {
        let firsts: &[f64] = if has_first { &[1.0, -1.0] } else { &[0.0] };
        let weight = DRAWN / firsts.len() as f64;
        firsts.iter().map(move |&first| (Comparison { a, b, score: 0.5, first, cluster }, weight)).collect::<Vec<_>>()
    });
    games.iter().map(|&game| (game, 1.0)).chain(draws).collect()
}

/// The model and its data.
struct Model<'a> {
    players: usize,
    /// Players, and one more if somebody fires first.
    size: usize,
    games: &'a [Weighted],
}

impl Model<'_> {
    /// The expected score of the first player of a game.
    fn chance(&self, values: &[f64], game: &Comparison) -> f64 {
        let first = if self.size > self.players { game.first * values[self.players] } else { 0.0 };
        logistic(values[game.a] - values[game.b] + first)
    }

    /// What a game depends on: its parameters, each with its factor.
    fn factors(&self, game: &Comparison) -> impl Iterator<Item = (usize, f64)> + use<> {
        let first = (self.size > self.players).then_some((self.players, game.first));
        [(game.a, 1.0), (game.b, -1.0)].into_iter().chain(first)
    }

    fn fit(&self) -> Vec<f64> {
        let mut values = vec![0.0; self.size];
        for _ in 0..STEPS {
            let mut gradient = vec![0.0; self.size];
            for (game, weight) in self.games {
                let residual = weight * (game.score - self.chance(&values, game));
                self.factors(game).for_each(|(i, factor)| gradient[i] += factor * residual);
            }
            let step = multiply(&self.inverse_information(&values), &gradient);
            // The likelihood is concave, but a whole step may go too far while little is known.
            let longest = step.iter().fold(0.0f64, |longest, step| longest.max(step.abs()));
            let scale = if longest > 1.0 { 1.0 / longest } else { 1.0 };
            values.iter_mut().zip(&step).for_each(|(value, step)| *value += scale * step);
            if longest < 1e-12 {
                break;
            }
        }
        values
    }

    /// The inverse of the information on the ratings whose mean is 0.
    fn inverse_information(&self, values: &[f64]) -> Vec<Vec<f64>> {
        let mut information = vec![vec![0.0; self.size]; self.size];
        for (game, weight) in self.games {
            let chance = self.chance(values, game);
            let weight = weight * chance * (1.0 - chance);
            for (i, x) in self.factors(game) {
                self.factors(game).for_each(|(j, y)| information[i][j] += weight * x * y);
            }
        }
        // All ratings together have no information on their mean; this gives it some, and takes it away again.
        let share = 1.0 / self.players as f64;
        self.add_to_players(&mut information, share);
        let mut inverse = invert(information);
        self.add_to_players(&mut inverse, -share);
        inverse
    }

    fn add_to_players(&self, matrix: &mut [Vec<f64>], number: f64) {
        matrix.iter_mut().take(self.players).for_each(|row| row[..self.players].iter_mut().for_each(|cell| *cell += number));
    }

    /// The standard error of each parameter.
    fn errors(&self, values: &[f64]) -> Vec<f64> {
        let mut clusters: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for (game, weight) in self.games {
            let residual = weight * (game.score - self.chance(values, game));
            let sums = clusters.entry(game.cluster).or_insert_with(|| vec![0.0; self.size]);
            self.factors(game).for_each(|(i, factor)| sums[i] += factor * residual);
        }
        let inverse = self.inverse_information(values);
        let mut variances = vec![0.0; self.size];
        for sums in clusters.values() {
            let moved = multiply(&inverse, sums);
            variances.iter_mut().zip(moved).for_each(|(variance, moved)| *variance += moved * moved);
        }
        variances.into_iter().map(f64::sqrt).collect()
    }
}

fn multiply(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(x, y)| x * y).sum()).collect()
}

/// The inverse by elimination with pivots.
fn invert(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..size).map(|j| if i == j { 1.0 } else { 0.0 }));
    }
    for column in 0..size {
        let pivot = (column..size).max_by(|&i, &j| matrix[i][column].abs().total_cmp(&matrix[j][column].abs()));
        matrix.swap(column, pivot.unwrap_or(column));
        let factor = 1.0 / matrix[column][column];
        matrix[column].iter_mut().for_each(|cell| *cell *= factor);
        let pivot_row = matrix[column].clone();
        for (i, row) in matrix.iter_mut().enumerate() {
            let factor = row[column];
            if i != column && factor != 0.0 {
                row.iter_mut().zip(&pivot_row).for_each(|(cell, pivot)| *cell -= factor * pivot);
            }
        }
    }
    matrix.into_iter().map(|row| row[size..].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(a: usize, b: usize, wins: u64, losses: u64) -> Vec<Comparison> {
        let game = |score, cluster| Comparison { a, b, score, first: 0.0, cluster };
        (0..wins).map(|i| game(1.0, i)).chain((0..losses).map(|i| game(0.0, wins + i))).collect()
    }

    #[test]
    fn two_players_have_the_odds_that_they_have_shown() {
        // 749.5 : 249.5 with the drawn game: 400·log10(749.5/250.5... ) worked out below.
        let ratings = Ratings::new(2, &games(0, 1, 749, 249));
        let expected = 400.0 * (749.5f64 / 249.5).log10();
        let found = ratings.players[0].rating - ratings.players[1].rating;
        assert!((found - expected).abs() < 1e-6, "{found} instead of {expected}");
        assert!((ratings.players[0].rating + ratings.players[1].rating).abs() < 1e-9, "their mean is 0");
        assert!((ratings.expected(0, 1) - 749.5 / 999.0).abs() < 1e-9);
        // The error of the logarithm of the odds is 1/√(n·p·(1 − p)); each rating has half of the difference.
        let error = 400.0 / std::f64::consts::LN_10 / (999.0f64 * 0.7503 * 0.2497).sqrt() / 2.0;
        assert!((ratings.players[0].std_err / error - 1.0).abs() < 0.01, "{} instead of {error}", ratings.players[0].std_err);
    }

    #[test]
    fn a_player_who_lost_all_games_still_has_a_rating() {
        let ratings = Ratings::new(3, &[games(0, 1, 100, 0), games(1, 2, 60, 40), games(0, 2, 100, 0)].concat());
        assert!(ratings.players.iter().all(|player| player.rating.is_finite() && player.std_err.is_finite()), "{ratings:?}");
        assert!(ratings.players[0].rating > ratings.players[1].rating + 300.0);
    }

    #[test]
    fn firing_first_is_worth_what_it_was_worth() {
        // Equal players, of whom whoever fires first wins three games of four.
        let game = |score, first, cluster| Comparison { a: 0, b: 1, score, first, cluster };
        let all: Vec<Comparison> = (0..4000)
            .map(|i| {
                let first = if i % 2 == 0 { 1.0 } else { -1.0 };
                let first_wins = i / 2 % 4 != 3;
                game(if first_wins == (first > 0.0) { 1.0 } else { 0.0 }, first, i)
            })
            .collect();
        let ratings = Ratings::new(2, &all);
        let first = ratings.first.unwrap();
        assert!((first.rating - 400.0 * 3f64.log10()).abs() < 1.0, "{first:?}");
        assert!(ratings.players[0].rating.abs() < 1e-6 && (ratings.expected(0, 1) - 0.5).abs() < 1e-9);
    }

    #[test]
    fn an_inverse_is_the_inverse() {
        let matrix = vec![vec![0.0, 2.0, 1.0], vec![1.0, 1.0, 0.0], vec![3.0, 0.0, 4.0]];
        let inverse = invert(matrix.clone());
        for (i, row) in matrix.iter().enumerate() {
            for j in 0..row.len() {
                let cell: f64 = row.iter().zip(&inverse).map(|(a, column)| a * column[j]).sum();
                assert!((cell - if i == j { 1.0 } else { 0.0 }).abs() < 1e-12);
            }
        }
    }
}
