//! Numbers as people read them.

use num_rational::Ratio;

use super::check::Sampled;
use crate::text::thousands;

/// What a number counts, which decides how it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Shots, cells, or nothing in particular.
    #[default]
    Plain,
    /// A share, written as a percentage.
    Percent,
    /// A small share, written as a number in a million.
    PerMillion,
    /// Seconds, written in whatever unit keeps them short.
    Seconds,
    /// How many times as much.
    Times,
}

impl Unit {
    /// With a fixed number of decimals, counted as for the bare number.
    pub(super) fn show(self, value: f64, decimals: usize) -> String {
        let (scale, shift) = self.scale();
        let number = grouped(&fixed(value * scale, decimals.saturating_sub(shift)));
        match self {
            Self::Plain => number,
            Self::Percent => number + "%",
            Self::PerMillion => number + " in a million",
            Self::Seconds => duration(value),
            Self::Times => number + "×",
        }
    }

    /// With as many decimals as it needs, up to four.
    pub(super) fn plain(self, value: f64) -> String {
        let (scale, shift) = self.scale();
        let is_enough = |&decimals: &usize| {
            let power = 10f64.powf(decimals as f64);
            ((value * scale * power).round() / power - value * scale).abs() < 1e-9
        };
        let most = if matches!(self, Self::PerMillion | Self::Times) { 2 } else { 4 };
        self.show(value, (0..most).find(is_enough).unwrap_or(most) + shift)
    }

    /// What the number is multiplied by to be written, and how many decimals that takes from it.
    const fn scale(self) -> (f64, usize) {
        match self {
            Self::Percent => (100.0, 2),
            Self::PerMillion => (1e6, 6),
            Self::Plain | Self::Seconds | Self::Times => (1.0, 0),
        }
    }

    /// To the digit that the standard error leaves meaningful, and one more.
    pub(super) fn sampled(self, number: Sampled) -> String {
        self.show(number.value, decimals_for(number.std_err))
    }

    /// A standard error.
    pub(super) fn error(self, std_err: f64) -> String {
        format!("± {}", self.show(std_err, decimals_for(std_err)))
    }
}

/// More decimals than this say nothing to anybody.
const MOST_DECIMALS: usize = 12;

/// So many decimals that two digits of a standard error show.
fn decimals_for(std_err: f64) -> usize {
    let shows_two = |&decimals: &usize| std_err * 10f64.powf(decimals as f64) >= 10.0;
    if std_err > 0.0 { (0..MOST_DECIMALS).find(shows_two).unwrap_or(MOST_DECIMALS) } else { 4 }
}

/// A number with a fixed number of decimals.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    format!("{value:.decimals$}")
}

/// A whole number with its thousands apart.
pub(super) fn whole(number: u128) -> String {
    grouped(&number.to_string())
}

/// A fraction, and what it is as a decimal number.
pub(super) fn fraction(number: Ratio<i128>) -> String {
    if number.is_integer() {
        return number.to_string();
    }
    format!("{:.4} ({number})", *number.numer() as f64 / *number.denom() as f64)
}

/// With commas between the thousands, and a true minus sign in front.
fn grouped(number: &str) -> String {
    thousands(number).replacen('-', "−", 1)
}

/// Seconds, milliseconds or microseconds.
fn duration(seconds: f64) -> String {
    let (scale, unit) = match seconds {
        s if s >= 1.0 => (1.0, "s"),
        s if s >= 1e-3 => (1e3, "ms"),
        _ => (1e6, "µs"),
    };
    let decimals = if seconds >= 1.0 { 2 } else { 3 };
    format!("{:.decimals$} {unit}", seconds * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_write_them() {
        assert_eq!(whole(6_650_134_872_937_201_800), "6,650,134,872,937,201,800");
        assert_eq!([17, 100, 1000].map(whole), ["17", "100", "1,000"]);
        assert_eq!(["-1234.5", "-0.0630", "123456"].map(grouped), ["−1,234.5", "−0.0630", "123,456"]);
        assert_eq!(fraction(Ratio::new(17, 3)), "5.6667 (17/3)");
        assert_eq!(fraction(Ratio::from(28)), "28");
        assert_eq!([146.37, 0.005_123, 0.000_000_25].map(duration), ["146.37 s", "5.123 ms", "0.250 µs"]);
    }

    #[test]
    fn digits_stop_where_the_error_begins() {
        let shots = Sampled { value: 44.371_234, std_err: 0.008_9 };
        assert_eq!((Unit::Plain.sampled(shots), Unit::Plain.error(shots.std_err)), ("44.3712".into(), "± 0.0089".into()));
        let share = Sampled { value: 0.170_123, std_err: 0.000_4 };
        assert_eq!((Unit::Percent.sampled(share), Unit::Percent.error(share.std_err)), ("17.012%".into(), "± 0.040%".into()));
        assert_eq!(
            [Unit::Plain.plain(42.0), Unit::Percent.plain(0.99), Unit::PerMillion.plain(1e-6)],
            ["42", "99%", "1 in a million"]
        );
    }
}
