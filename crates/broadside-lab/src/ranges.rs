//! Sets of games, as ranges of their numbers.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A set of games, as ranges of their numbers that neither overlap nor touch, in order.
///
/// Its text is a list of ranges, the end of each excluded, as Rust writes them:
///
/// ```
/// use broadside_lab::Ranges;
/// let mut played: Ranges = "0..100,300..400".parse()?;
/// played.insert(100..200);
/// assert_eq!(played.to_string(), "0..200,300..400");
/// assert_eq!(played.missing_from(0..500).to_string(), "200..300,400..500");
/// assert_eq!(played.len(), 300);
/// # Ok::<(), broadside_lab::RangesError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(u64, u64)>", into = "Vec<(u64, u64)>")]
pub struct Ranges(Vec<Range<u64>>);

/// A text that names no set of games.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RangesError {
    /// A part of it is not of the form `a..b`.
    #[error("‘{0}’ is no range of games: give the first one and the one after the last, such as 0..1000")]
    Unreadable(String),
    /// A range ends before it starts, or where it starts.
    #[error("the range {0}..{1} has no games: its end must be larger than its start")]
    Empty(u64, u64),
    /// Ranges overlap, touch or are out of order, in data that must have them in order.
    #[error("the ranges of games are not in order")]
    Disorder,
}

impl Ranges {
    /// No games.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many games.
    pub fn len(&self) -> u64 {
        self.iter().map(|range| range.end - range.start).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The ranges in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Range<u64>> + '_ {
        self.0.iter().cloned()
    }

    /// The number after that of the last game; 0 without games.
    pub fn end(&self) -> u64 {
        self.0.last().map_or(0, |range| range.end)
    }

    /// Adds games, some of which may be there.
    pub fn insert(&mut self, range: Range<u64>) {
        if range.is_empty() {
            return;
        }
        // Those that overlap or touch it become one with it.
        let first = self.0.partition_point(|other| other.end < range.start);
        let last = self.0.partition_point(|other| other.start <= range.end);
        let near = &self.0[first..last];
        let start = near.first().map_or(range.start, |other| other.start.min(range.start));
        let end = near.last().map_or(range.end, |other| other.end.max(range.end));
        self.0.splice(first..last, std::iter::once(start..end));
    }

    /// The games of a range that are not here.
    #[must_use]
    pub fn missing_from(&self, range: Range<u64>) -> Self {
        let mut missing = Self::new();
        let mut start = range.start;
        for have in self.iter() {
            missing.insert(start..have.start.min(range.end));
            start = start.max(have.end);
        }
        missing.insert(start..range.end);
        missing
    }

    /// The games that are here and not in the other set.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        self.iter().flat_map(|range| other.missing_from(range).0).collect()
    }

    /// The games that are in both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.without(&self.without(other))
    }

    /// The games at these places of the set, counted from its first game.
    pub fn at(&self, places: Range<u64>) -> impl Iterator<Item = Range<u64>> + '_ {
        let mut before = 0;
        self.iter().filter_map(move |range| {
            let place = |place: u64| range.start + place.saturating_sub(before).min(range.end - range.start);
            let found = place(places.start)..place(places.end);
            before += range.end - range.start;
            (!found.is_empty()).then_some(found)
        })
    }

    /// The set in pieces of at most so many games each, none of which spans a gap: tasks for several machines.
    ///
    /// ```
    /// let pieces: Vec<_> = "0..25,40..45".parse::<broadside_lab::Ranges>()?.pieces(10).collect();
    /// assert_eq!(pieces, [0..10, 10..20, 20..25, 40..45]);
    /// # Ok::<(), broadside_lab::RangesError>(())
    /// ```
    ///
    /// # Panics
    /// When a piece shall have no games.
    pub fn pieces(&self, games: u64) -> impl Iterator<Item = Range<u64>> + '_ {
        assert!(games > 0, "a piece has games");
        self.iter().flat_map(move |range| {
            let starts = std::iter::successors(Some(range.start), move |start| start.checked_add(games));
            starts.take_while(move |&start| start < range.end).map(move |start| start..range.end.min(start.saturating_add(games)))
        })
    }
}

impl From<Range<u64>> for Ranges {
    fn from(range: Range<u64>) -> Self {
        Self::from_iter([range])
    }
}

impl FromIterator<Range<u64>> for Ranges {
    fn from_iter<T: IntoIterator<Item = Range<u64>>>(ranges: T) -> Self {
        let mut all = Self::new();
        all.extend(ranges);
        all
    }
}

impl Extend<Range<u64>> for Ranges {
    fn extend<T: IntoIterator<Item = Range<u64>>>(&mut self, ranges: T) {
        ranges.into_iter().for_each(|range| self.insert(range));
    }
}

impl TryFrom<Vec<(u64, u64)>> for Ranges {
    type Error = RangesError;

    /// Takes only what [`Ranges`] themselves would have written.
    fn try_from(pairs: Vec<(u64, u64)>) -> Result<Self, RangesError> {
        if let Some(&(start, end)) = pairs.iter().find(|(start, end)| start >= end) {
            return Err(RangesError::Empty(start, end));
        }
        let in_order = pairs.is_sorted_by(|a, b| a.1 < b.0);
        in_order.then(|| pairs.into_iter().map(|(start, end)| start..end).collect()).ok_or(RangesError::Disorder)
    }
}

impl From<Ranges> for Vec<(u64, u64)> {
    fn from(ranges: Ranges) -> Self {
        ranges.iter().map(|range| (range.start, range.end)).collect()
    }
}

impl fmt::Display for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Range { start, end }) in self.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            write!(f, "{comma}{start}..{end}")?;
        }
        Ok(())
    }
}

impl FromStr for Ranges {
    type Err = RangesError;

    /// Ranges in any order; where they overlap, games count once.
    fn from_str(text: &str) -> Result<Self, RangesError> {
        text.split(',').map(|range| parse_range(range.trim())).collect()
    }
}

fn parse_range(text: &str) -> Result<Range<u64>, RangesError> {
    let number = |text: &str| text.parse::<u64>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
    let ends = text.split_once("..").and_then(|(start, end)| number(start).zip(number(end)));
    let (start, end) =
        ends.ok_or_else(|| RangesError::Unreadable(text.chars().take(50).flat_map(char::escape_debug).collect()))?;
    if start < end { Ok(start..end) } else { Err(RangesError::Empty(start, end)) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// The games one by one.
    fn games(ranges: &Ranges) -> BTreeSet<u64> {
        ranges.iter().flatten().collect()
    }

    fn some_ranges() -> impl Strategy<Value = Vec<Range<u64>>> {
        prop::collection::vec((0..40u64, 0..12u64).prop_map(|(start, games)| start..start + games), 0..8)
    }

    proptest! {
        #[test]
        fn ranges_are_sets_of_games(a in some_ranges(), b in some_ranges(), piece in 1..9u64) {
            let (a, b): (Ranges, Ranges) = (a.into_iter().collect(), b.into_iter().collect());
            let (one, other) = (games(&a), games(&b));
            prop_assert_eq!(a.len(), one.len() as u64);
            prop_assert_eq!(games(&a.without(&b)), &one - &other);
            prop_assert_eq!(games(&a.intersection(&b)), &one & &other);
            prop_assert_eq!(games(&a.iter().chain(b.iter()).collect()), &one | &other);
            prop_assert_eq!(games(&a.missing_from(5..45)), &(5..45).collect::<BTreeSet<u64>>() - &one);
            let pieces: Vec<Range<u64>> = a.pieces(piece).collect();
            prop_assert!(pieces.iter().all(|range| range.end - range.start <= piece && !range.is_empty()));
            prop_assert_eq!(pieces.into_iter().flatten().collect::<Vec<_>>(), one.iter().copied().collect::<Vec<_>>());
        }

        #[test]
        fn places_count_from_the_first_game(a in some_ranges(), start in 0..60u64, length in 0..30u64) {
            let a: Ranges = a.into_iter().collect();
            let found: Vec<u64> = a.at(start..start + length).flatten().collect();
            let expected: Vec<u64> = games(&a).into_iter().skip(start as usize).take(length as usize).collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn text_and_data_come_back_as_they_were(a in some_ranges()) {
            let a: Ranges = a.into_iter().collect();
            if !a.is_empty() {
                prop_assert_eq!(a.to_string().parse::<Ranges>(), Ok(a.clone()));
            }
            prop_assert_eq!(serde_json::from_str::<Ranges>(&serde_json::to_string(&a).unwrap()).unwrap(), a);
        }
    }

    #[test]
    fn what_is_no_set_of_games_is_refused() {
        for text in ["", "5", "1..", "..1", "a..b", "1...2", "1..2,", "-1..2", "+1..2", "1..18446744073709551616"] {
            assert!(matches!(text.parse::<Ranges>(), Err(RangesError::Unreadable(_))), "{text}");
        }
        assert_eq!("3..3".parse::<Ranges>(), Err(RangesError::Empty(3, 3)));
        assert_eq!("4..3".parse::<Ranges>(), Err(RangesError::Empty(4, 3)));
        for (json, what) in
            [("[[0,1],[1,2]]", "touch"), ("[[5,6],[0,1]]", "order"), ("[[0,3],[2,4]]", "overlap"), ("[[2,2]]", "empty")]
        {
            assert!(serde_json::from_str::<Ranges>(json).is_err(), "{what}");
        }
    }

    #[test]
    fn pieces_end_at_the_largest_number() {
        let last = Ranges::from(u64::MAX - 3..u64::MAX);
        assert_eq!(last.pieces(2).collect::<Vec<_>>(), [u64::MAX - 3..u64::MAX - 1, u64::MAX - 1..u64::MAX]);
    }
}
