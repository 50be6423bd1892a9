//! False answers.

use std::fmt;
use std::str::FromStr;

use crate::text::{quote, serde_by_notation};

/// The chance that an answer is false, written as a decimal such as `0.05`; `0` is the game in which every answer is true.
///
/// It is a part of [`Rules`](crate::Rules), in whose notation it is a word of its own: `noise=0.05`. It is kept in whole ten-thousandths, so rules
/// can be compared and their text says all of it.
///
/// - Each hit is called a miss, and each miss a hit, with this chance, independently of everything else.
/// - A sinking is never called falsely: not one that was, and not one that wasn't. Where no sinkings are called
///   ([`Call::Silent`](crate::Call::Silent)), the shot that ends the game is: it is answered `#`.
/// - Where the length is called on every hit ([`Call::Every`](crate::Call::Every)), a false hit names the length of a ship of the fleet, each ship
///   with the same chance, and a true hit names the true one.
/// - A cell may be fired at again, [`Noise::MOST_SHOTS_AT_CELL`] times in all. Each time it is answered anew. A ship is sunk when each of its
///   cells was fired at, however that was called; so firing again sinks nothing.
///
/// ```
/// use broadside_rules::{Noise, Rules};
/// let noise: Noise = "0.05".parse()?;
/// assert_eq!(noise.chance(), 0.05);
/// assert_eq!("0".parse::<Noise>()?, Noise::NONE);
/// assert!("0.5".parse::<Noise>().is_err());
/// let rules: Rules = "5x5 3,2 allowed silent noise=0.05".parse()?;
/// assert_eq!(rules.noise(), noise);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Noise(u16);

/// The parts of 1 in which noise is kept.
const PARTS: u16 = 10_000;

impl Noise {
    /// Every answer is true.
    pub const NONE: Self = Self(0);

    /// How often a cell may be fired at, so that every game ends.
    pub const MOST_SHOTS_AT_CELL: usize = 9;

    /// So many ten-thousandths; `None` from one half on, where answers would tell nothing or the opposite.
    pub const fn from_ten_thousandths(parts: u16) -> Option<Self> {
        if parts < PARTS / 2 { Some(Self(parts)) } else { None }
    }

    /// The chance in whole ten-thousandths.
    pub const fn ten_thousandths(self) -> u16 {
        self.0
    }

    /// Whether every answer is true.
    #[inline]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The chance as a number.
    pub fn chance(self) -> f64 {
        f64::from(self.0) / f64::from(PARTS)
    }

    /// What a single answer can tell at the most, in bits: the capacity of a binary symmetric channel.
    ///
    /// ```
    /// use broadside_rules::Noise;
    /// assert_eq!(Noise::NONE.capacity(), 1.0);
    /// assert!(("0.11".parse::<Noise>()?.capacity() - 0.5).abs() < 1e-3);
    /// # Ok::<(), broadside_rules::ParseNoiseError>(())
    /// ```
    pub fn capacity(self) -> f64 {
        let part = |p: f64| if p > 0.0 { p * p.log2() } else { 0.0 };
        1.0 + part(self.chance()) + part(1.0 - self.chance())
    }

    /// Whether the answer to the shot of that number is false, by a secret number for the game; and a number for what a false answer names.
    pub(crate) fn draw(self, seed: u64, shot: usize) -> Option<u64> {
        let number = mixed(seed.wrapping_add((shot as u64).wrapping_mul(STEP)));
        // The number is below 2^64 times the chance, rounded down: off by less than one part in 2^64.
        let is_false = (u128::from(number) * u128::from(PARTS)) >> 64 < u128::from(self.0);
        is_false.then(|| mixed(number))
    }
}

/// The step of `SplitMix64`, and its mixing of a number (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014).
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(STEP);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return f.pad("0");
        }
        f.pad(format!("0.{:04}", self.0).trim_end_matches('0'))
    }
}

/// The text is no chance of false answers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is no chance of a false answer: write a decimal from 0 to below 0.5 with up to four places, such as 0.05", quote(.text))]
pub struct ParseNoiseError {
    text: String,
}

impl FromStr for Noise {
    type Err = ParseNoiseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || ParseNoiseError { text: text.chars().take(64).collect() };
        let (whole, places) = text.split_once('.').unwrap_or((text, "0"));
        let is_decimal = matches!(whole, "" | "0") && !text.is_empty() && (1..=4).contains(&places.len());
        if !is_decimal || !places.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(wrong());
        }
        let parts = format!("{places:0<4}").parse().map_err(|_| wrong())?;
        Self::from_ten_thousandths(parts).ok_or_else(wrong)
    }
}

serde_by_notation!(Noise);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_noise_round_trips() {
        for parts in 0..PARTS / 2 {
            let noise = Noise::from_ten_thousandths(parts).unwrap();
            assert_eq!(noise.to_string().parse(), Ok(noise), "{noise}");
        }
        assert_eq!(["0.05", "0.1", "0.0001"].map(|text| text.parse::<Noise>().unwrap().to_string()), ["0.05", "0.1", "0.0001"]);
        assert_eq!([".05", "0.0500", "0.0"].map(|text| text.parse::<Noise>().unwrap().ten_thousandths()), [500, 500, 0]);
    }

    #[test]
    fn what_is_no_noise_is_refused() {
        for text in
            ["", ".", "0.", "1", "0.5", "0.50", "-0.1", "+0.1", "0.00001", "0,05", "5%", "1e-2", "00.1", "0.0x", " 0.1", "nan"]
        {
            assert!(text.parse::<Noise>().is_err(), "{text:?}");
        }
        assert_eq!(Noise::from_ten_thousandths(5000), None);
    }

    #[test]
    fn so_many_answers_are_false_whatever_the_seed_and_the_shot() {
        let noise: Noise = "0.05".parse().unwrap();
        // 40,000 draws have a standard error of 0.0011.
        let share = |draws: &mut dyn Iterator<Item = bool>| draws.filter(|&is_false| is_false).count() as f64 / 40_000.0;
        assert!((share(&mut (0..40_000).map(|seed| noise.draw(seed, 3).is_some())) - 0.05).abs() < 0.005);
        assert!((share(&mut (0..40_000).map(|shot| noise.draw(7, shot).is_some())) - 0.05).abs() < 0.005);
        assert!((0..1000).all(|shot| Noise::NONE.draw(1, shot).is_none()));
    }
}
