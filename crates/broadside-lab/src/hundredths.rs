//! Numbers that add up as they are shown.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub};

use serde::{Serialize, Serializer};

/// A number of shots with two digits after the point. Sums of them are exact, so what is shown adds up to the last digit.
///
/// ```
/// use broadside_lab::Hundredths;
/// let par = Hundredths::from_shots(43.87);
/// assert_eq!((par + Hundredths::from_shots(-0.9)).to_string(), "42.97");
/// assert_eq!(format!("{:+}", Hundredths::from_shots(1.5)), "+1.50");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hundredths(i64);

impl Hundredths {
    /// No shots.
    pub const ZERO: Self = Self(0);

    /// The nearest to a number of shots.
    pub fn from_shots(shots: f64) -> Self {
        Self((shots * 100.0).round() as i64)
    }

    /// So many whole shots.
    pub fn whole(shots: usize) -> Self {
        Self(100 * shots.cast_signed() as i64)
    }

    /// As a number of shots.
    pub fn shots(self) -> f64 {
        self.0 as f64 / 100.0
    }
}

impl Add for Hundredths {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Hundredths {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Hundredths {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Hundredths {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Sum for Hundredths {
    fn sum<I: Iterator<Item = Self>>(numbers: I) -> Self {
        numbers.fold(Self::ZERO, Add::add)
    }
}

/// With the flag `+` the sign is always shown. The minus sign is a hyphen, so that programs can read it.
impl fmt::Display for Hundredths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.0 {
            ..0 => "-",
            _ if f.sign_plus() => "+",
            _ => "",
        };
        let text = format!("{sign}{}.{:02}", self.0.abs() / 100, self.0.abs() % 100);
        match f.width() {
            Some(width) => write!(f, "{text:>width$}"),
            None => f.write_str(&text),
        }
    }
}

impl Serialize for Hundredths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.shots())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_with_two_digits_and_their_sign() {
        let shown = |shots: f64| Hundredths::from_shots(shots).to_string();
        assert_eq!([shown(0.0), shown(-0.05), shown(12.345), shown(-3.0)], ["0.00", "-0.05", "12.35", "-3.00"]);
        assert_eq!(format!("[{:+7}]", Hundredths::whole(2)), "[  +2.00]");
        assert_eq!(serde_json::to_string(&Hundredths::from_shots(43.87)).unwrap(), "43.87");
    }
}
