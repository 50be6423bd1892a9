//! 95% confidence intervals.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The 97.5th percentile of the standard normal distribution: 95% lie within so many deviations of the mean.
const NORMAL: f64 = 1.959_963_984_540_054;

/// From this many numbers on, Student's distribution is taken for the normal one; its percentile is 0.1% larger there.
const MANY: u64 = 1000;

/// A range that covers the truth 95 times in 100. As JSON it is `[low, high]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The interval of a mean of `n` numbers: x̄ ± t·s/√n, with `t` the 97.5th percentile of Student's distribution with n − 1
    /// degrees of freedom (Student, *The probable error of a mean*, Biometrika 6, 1908). `None` for fewer than two numbers,
    /// which tell nothing about their spread.
    ///
    /// ```
    /// use broadside_lab::stats::Interval;
    /// // Five numbers: t is 2.776.
    /// let interval = Interval::for_mean(10.0, 1.0, 5).unwrap();
    /// assert!((interval.high - 12.776).abs() < 0.001);
    /// ```
    pub fn for_mean(mean: f64, std_err: f64, n: u64) -> Option<Self> {
        let reach = student(n)? * std_err;
        Some(Self { low: mean - reach, high: mean + reach })
    }

    /// Whether a number lies within.
    pub fn contains(&self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }
}

impl Serialize for Interval {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.low, self.high].serialize(serializer)
    }
}

fn student(n: u64) -> Option<f64> {
    match n {
        0 | 1 => None,
        2..MANY => StudentsT::new(0.0, 1.0, (n - 1) as f64).ok().map(|student| student.inverse_cdf(0.975)),
        _ => Some(NORMAL),
    }
}

/// The 95% interval of a share, of which `hits` out of `n` were seen (E. B. Wilson, *Probable inference, the law of
/// succession, and statistical inference*, JASA 22, 1927). Unlike p ± z·√(p(1 − p)/n) it makes sense for shares near 0,
/// such as that of perfect games, even when none was seen. `None` when nothing was looked at.
///
/// ```
/// use broadside_lab::stats::wilson;
/// let none_in_a_hundred = wilson(0, 100).unwrap();
/// assert!(none_in_a_hundred.low == 0.0 && (none_in_a_hundred.high - 0.037).abs() < 0.0001);
/// ```
pub fn wilson(hits: u64, n: u64) -> Option<Interval> {
    if n == 0 {
        return None;
    }
    let (count, share, z2) = (n as f64, hits as f64 / n as f64, NORMAL * NORMAL);
    let centre = share + z2 / (2.0 * count);
    let reach = NORMAL * (share * (1.0 - share) / count + z2 / (4.0 * count * count)).sqrt();
    let scale = 1.0 + z2 / count;
    // At the ends the formula gives exactly 0 or 1 but for rounding.
    let low = if hits == 0 { 0.0 } else { (centre - reach) / scale };
    let high = if hits == n { 1.0 } else { (centre + reach) / scale };
    Some(Interval { low, high })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 0.0005, "{found} instead of {expected}");
    }

    #[test]
    fn students_percentiles_are_those_of_printed_tables() {
        for (n, t) in [(2, 12.706), (3, 4.303), (5, 2.776), (11, 2.228), (31, 2.042), (121, 1.980)] {
            near(student(n).unwrap(), t);
        }
        assert_eq!((student(0), student(1)), (None, None));
        assert!(student(MANY - 1).unwrap() - student(MANY).unwrap() < 0.003);
    }

    #[test]
    fn wilsons_interval_is_that_worked_out_by_hand() {
        // 1 of 10: centre 0.1 + 0.19207 = 0.29207, reach 1.95996·√(0.009 + 0.0096036) = 0.26733, both over 1.38415.
        let one = wilson(1, 10).unwrap();
        near(one.low, 0.0179);
        near(one.high, 0.4041);
        // Half of them: symmetric, 0.5 ± 1.95996·√(0.025 + 0.0096036)/1.38415.
        let half = wilson(5, 10).unwrap();
        near(half.low, 0.2366);
        near(half.high, 0.7634);
        assert_eq!(wilson(10, 10).unwrap().high.to_bits(), 1f64.to_bits());
        assert_eq!(wilson(0, 0), None);
    }
}
