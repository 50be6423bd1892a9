//! The ships: their lengths, and the customary names.

use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;
use std::sync::Arc;

use crate::Cell;
use crate::text::{quote, serde_by_notation};

/// A ship's length, 1 to 64.
///
/// ```
/// use broadside_rules::Length;
/// assert_eq!(Length::new(5).map(Length::get), Some(5));
/// assert_eq!(Length::new(65), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Length(NonZeroU8);

impl Length {
    /// The longest ship that any grid can hold.
    pub const MAX: usize = Cell::MAX_SIDE;

    /// A length of 1 to 64.
    pub const fn new(length: usize) -> Option<Self> {
        match NonZeroU8::new(if length <= Self::MAX { length as u8 } else { 0 }) {
            Some(length) => Some(Self(length)),
            None => None,
        }
    }

    /// The length as a number.
    #[inline]
    pub const fn get(self) -> usize {
        self.0.get() as usize
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The text is not a ship's length.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is not a ship's length: write a number from 1 to 64", quote(.text))]
pub struct ParseLengthError {
    text: String,
}

impl FromStr for Length {
    type Err = ParseLengthError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let plain = (1..=2).contains(&text.len()) && !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit());
        plain
            .then(|| text.parse().ok().and_then(Self::new))
            .flatten()
            .ok_or_else(|| ParseLengthError { text: text.chars().take(64).collect() })
    }
}

/// The lengths of the ships, longest first, written `5,4,3,3,2`.
///
/// Ships of one length are interchangeable. Copies share their list, so a fleet is cheap to clone.
///
/// ```
/// use broadside_rules::Fleet;
/// let fleet: Fleet = "2,3,5,4,3".parse()?;
/// assert_eq!(fleet.to_string(), "5,4,3,3,2");
/// assert_eq!(fleet.cells(), 17);
/// assert_eq!(fleet.names()[4], Some("Destroyer"));
/// # Ok::<(), broadside_rules::FleetError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Fleet {
    lengths: Arc<[Length]>,
    cells: usize,
}

/// The list is not a fleet.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FleetError {
    /// No ship at all.
    #[error("a fleet needs at least one ship: write lengths with commas, such as 5,4,3,3,2")]
    Empty,
    /// More ships than the largest fleet has.
    #[error("a fleet has at most {} ships", Fleet::MAX_SHIPS)]
    TooMany,
    /// One of the lengths can't be read.
    #[error("the fleet can't be read")]
    Length(#[from] ParseLengthError),
}

impl Fleet {
    /// The largest fleet that is accepted.
    pub const MAX_SHIPS: usize = 128;

    /// The fleet with these lengths, in any order.
    ///
    /// # Errors
    /// When there is no ship, or more than [`Fleet::MAX_SHIPS`].
    pub fn new(lengths: impl IntoIterator<Item = Length>) -> Result<Self, FleetError> {
        let mut lengths: Vec<Length> = lengths.into_iter().take(Self::MAX_SHIPS + 1).collect();
        match lengths.len() {
            0 => Err(FleetError::Empty),
            n if n > Self::MAX_SHIPS => Err(FleetError::TooMany),
            _ => {
                lengths.sort_unstable_by(|a, b| b.cmp(a));
                let cells = lengths.iter().map(|length| length.get()).sum();
                Ok(Self { lengths: lengths.into(), cells })
            }
        }
    }

    /// The lengths, longest first.
    pub fn lengths(&self) -> &[Length] {
        &self.lengths
    }

    /// The number of ships.
    #[expect(clippy::len_without_is_empty, reason = "a fleet has at least one ship")]
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// The number of ships of this length.
    pub fn count(&self, length: Length) -> usize {
        self.lengths.iter().filter(|&&l| l == length).count()
    }

    /// Each length once, with its number of ships, longest first.
    pub fn classes(&self) -> impl Iterator<Item = (Length, usize)> {
        self.lengths.chunk_by(|a, b| a == b).map(|ships| (ships[0], ships.len()))
    }

    /// The number of cells that all ships cover together.
    #[inline]
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// The longest ship.
    pub fn longest(&self) -> Length {
        self.lengths[0]
    }

    /// The shortest ship.
    pub fn shortest(&self) -> Length {
        self.lengths[self.len() - 1]
    }

    /// The customary name of each ship, in the order of [`Fleet::lengths`], for the fleets that have them.
    pub fn names(&self) -> Vec<Option<&'static str>> {
        let lengths: Vec<usize> = self.lengths.iter().map(|length| length.get()).collect();
        match lengths[..] {
            [5, 4, 3, 3, 2] => ["Carrier", "Battleship", "Cruiser", "Submarine", "Destroyer"].map(Some).to_vec(),
            [4, 3, 3, 2, 2, 2, 1, 1, 1, 1] => lengths.iter().map(|&length| Some(RUSSIAN[length])).collect(),
            _ => vec![None; self.len()],
        }
    }
}

const RUSSIAN: [&str; 5] = ["", "Torpedo boat", "Destroyer", "Cruiser", "Battleship"];

impl fmt::Display for Fleet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lengths: Vec<String> = self.lengths.iter().map(ToString::to_string).collect();
        f.pad(&lengths.join(","))
    }
}

impl fmt::Debug for Fleet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Fleet {
    type Err = FleetError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.trim().is_empty() {
            return Err(FleetError::Empty);
        }
        let lengths = text.split(',').take(Self::MAX_SHIPS + 1).map(|length| length.trim().parse());
        Self::new(lengths.collect::<Result<Vec<Length>, _>>()?)
    }
}

serde_by_notation!(Length, Fleet);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_fleet_is_refused() {
        for text in ["", " ", ",", "0", "65", "5,", "5,,4", "5;4", "-1", "5.0", "05", "+5", "5,x"] {
            assert!(text.parse::<Fleet>().is_err(), "{text:?}");
        }
        assert_eq!(vec!["1"; 129].join(",").parse::<Fleet>(), Err(FleetError::TooMany));
        assert_eq!(vec!["1"; 128].join(",").parse::<Fleet>().map(|fleet| fleet.len()), Ok(128));
    }

    #[test]
    fn classes_gather_ships_of_one_length() {
        let fleet: Fleet = "1,4,3,2,2,3,2,1,1,1".parse().unwrap();
        let classes: Vec<(usize, usize)> = fleet.classes().map(|(length, count)| (length.get(), count)).collect();
        assert_eq!(classes, [(4, 1), (3, 2), (2, 3), (1, 4)]);
        assert_eq!(fleet.count(Length::new(2).unwrap()), 3);
        assert_eq!(fleet.names()[0], Some("Battleship"));
        assert_eq!("3,2".parse::<Fleet>().unwrap().names(), [None, None]);
    }
}
