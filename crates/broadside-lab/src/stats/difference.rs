//! Whether one captain needs fewer shots than another.

use serde::Serialize;

use super::{Histogram, Interval};

/// How many more shots one captain takes than another, on average over games on the same layouts.
///
/// The differences game by game are numbers like any others, with a mean, a deviation and an interval of the mean (the
/// paired t-test). Layouts that are hard for both cancel out, so fewer games settle it than two separate means would need.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The captain.
    pub captain: String,
    /// The other one.
    pub against: String,
    /// The mean of the differences: negative if the captain takes fewer shots.
    pub mean: f64,
    /// The standard deviation of the differences.
    pub sd: f64,
    /// The standard error of the mean.
    pub std_err: f64,
    /// Its 95% interval; absent for a single game.
    pub interval: Option<Interval>,
    /// The share of games in which the captain took fewer shots.
    pub fewer: f64,
    /// The share of games in which both took as many.
    pub same: f64,
    /// Whether the interval leaves out 0.
    pub settled: bool,
}

impl Difference {
    /// The difference between two captains, from the differences game by game.
    ///
    /// ```
    /// use broadside_lab::{Histogram, stats::Difference};
    /// let games = Histogram::from_counts(-3, vec![40, 30, 20, 10]);
    /// let difference = Difference::new("density", "random", &games);
    /// assert!(difference.settled && difference.mean == -2.0);
    /// assert!(difference.sentence().starts_with("density takes 2.0000 shots fewer than random on average"));
    /// ```
    pub fn new(captain: &str, against: &str, games: &Histogram) -> Self {
        let interval = games.interval();
        let share = |wanted: fn(i64) -> bool| {
            let count: u64 = games.counts().filter(|&(number, _)| wanted(number)).map(|(_, count)| count).sum();
            count as f64 / games.total() as f64
        };
        Self {
            captain: captain.to_owned(),
            against: against.to_owned(),
            mean: games.mean(),
            sd: games.deviation(),
            std_err: games.std_err(),
            interval,
            fewer: share(|number| number < 0),
            same: share(|number| number == 0),
            settled: interval.is_some_and(|interval| !interval.contains(0.0)),
        }
    }

    /// What is known, in words.
    pub fn sentence(&self) -> String {
        let Self { captain, against, .. } = self;
        let Some(Interval { low, high }) = self.interval else {
            return format!("{captain} and {against}: one game settles nothing");
        };
        if low == 0.0 && high == 0.0 {
            return format!("{captain} and {against} took the same number of shots in every game");
        }
        let (word, low, high) = if self.mean < 0.0 { ("fewer", -high, -low) } else { ("more", low, high) };
        let found = format!(
            "{captain} takes {:.4} shots {word} than {against} on average (95% interval {low:.4} to {high:.4})",
            self.mean.abs()
        );
        if self.settled { format!("{found}: settled") } else { format!("{found}: not settled{}", self.advice()) }
    }

    /// How many games would settle a difference as large as the one seen: those whose interval just reaches 0.
    fn advice(&self) -> String {
        let games = (1.96 * self.sd / self.mean).powi(2);
        // More games than anybody would play: the mean is as good as 0.
        if games.is_finite() && games < 1e12 {
            format!("; if it is real, it takes some {} games to show", rounded_up(games))
        } else {
            String::new()
        }
    }
}

/// Rounded up to two digits, as the mean it comes from isn't known any better.
fn rounded_up(games: f64) -> String {
    let unit = 10f64.powf((games.log10().floor() - 1.0).max(0.0));
    format!("{:.0}", (games / unit).ceil() * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(numbers: &[i64]) -> Difference {
        let mut games = Histogram::new(-9, 9);
        for &number in numbers {
            games.add(number);
        }
        Difference::new("a", "b", &games)
    }

    #[test]
    fn a_difference_is_settled_when_its_interval_leaves_out_zero() {
        // Mean 2, squares of the distances 4 in all, deviation 1, standard error 1/√5; t is 2.77645 (tables), so the reach is 1.24166.
        let clear = difference(&[1, 1, 2, 3, 3]);
        assert!(clear.settled);
        assert_eq!(clear.sentence(), "a takes 2.0000 shots more than b on average (95% interval 0.7583 to 3.2417): settled");
        // Mean −1, deviation √10: standard error √2.
        let open = difference(&[-5, -3, -1, 1, 3]);
        assert!(!open.settled);
        let words = open.sentence();
        assert!(
            words.starts_with("a takes 1.0000 shots fewer than b on average (95% interval -2.9265 to 4.9265): not"),
            "{words}"
        );
        // (1.96·√10)² is 38.4.
        assert!(words.ends_with("if it is real, it takes some 39 games to show"), "{words}");
    }

    #[test]
    fn games_won_and_drawn_are_counted() {
        let found = difference(&[-2, -1, 0, 5]);
        assert_eq!((found.fewer, found.same), (0.5, 0.25));
    }

    #[test]
    fn nothing_is_made_of_too_little() {
        assert_eq!(difference(&[3]).sentence(), "a and b: one game settles nothing");
        assert_eq!(difference(&[0, 0, 0]).sentence(), "a and b took the same number of shots in every game");
        let even = difference(&[-4, 4]);
        assert!(!even.settled && even.sentence().ends_with("not settled"), "{}", even.sentence());
    }

    #[test]
    fn advice_is_rounded_to_two_digits() {
        assert_eq!([0.2, 9.1, 38.4, 1234.0, 98_700.0].map(rounded_up), ["1", "10", "39", "1300", "99000"]);
    }
}
