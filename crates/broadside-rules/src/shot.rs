//! One shot and what the defender answers.

use std::fmt;
use std::str::FromStr;

use crate::text::{quote, serde_by_notation};
use crate::{Call, Cell, Length};

/// What the defender answers to a shot.
///
/// | written | means |
/// | --- | --- |
/// | `-` | a miss |
/// | `+` | a hit |
/// | `+4` | a hit on a ship of length 4 ([`Call::Every`]) |
/// | `#` | a hit that sank a ship ([`Call::Bare`]); the end of a game in which no sinkings are called and [answers may be false](crate::Noise) |
/// | `#3` | a hit that sank a ship of length 3 ([`Call::Ship`], [`Call::Every`]) |
/// | `?` | not answered yet ([`SalvoCall::Turn`](crate::SalvoCall::Turn)), or not by itself ([`SalvoCall::Count`](crate::SalvoCall::Count)) |
///
/// ```
/// use broadside_rules::{Answer, Call, Length};
/// let answer: Answer = "#3".parse()?;
/// assert_eq!(answer, Answer::Sunk(Length::new(3)));
/// assert!(answer.is_possible_under(Call::Ship) && !answer.is_possible_under(Call::Bare));
/// # Ok::<(), broadside_rules::ParseAnswerError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// Water.
    Miss,
    /// A ship that has a cell still unhit, or is not announced as sunk; with its length if that is called.
    Hit(Option<Length>),
    /// The last cell of a ship; with its length if that is called.
    Sunk(Option<Length>),
    /// Nothing yet: the answer comes after the turn. Or nothing by itself: only the hits of its turn were called.
    Untold,
}

impl Answer {
    /// Whether the shot met a ship.
    #[inline]
    pub const fn is_hit(self) -> bool {
        matches!(self, Self::Hit(_) | Self::Sunk(_))
    }

    /// Whether the shot is announced to have sunk a ship.
    pub const fn is_sunk(self) -> bool {
        matches!(self, Self::Sunk(_))
    }

    /// The length called, if one was.
    pub const fn length(self) -> Option<Length> {
        match self {
            Self::Miss | Self::Untold => None,
            Self::Hit(length) | Self::Sunk(length) => length,
        }
    }

    /// What is called when a ship of this length is hit, and whether that sinks it.
    #[inline]
    pub fn for_hit(call: Call, length: Length, sinks: bool) -> Self {
        if sinks && call.tells_sinking() {
            Self::Sunk(call.tells_length_on_sinking().then_some(length))
        } else {
            Self::Hit(call.tells_length_on_hit().then_some(length))
        }
    }

    /// Whether a defender can give this answer to a shot under this call.
    pub const fn is_possible_under(self, call: Call) -> bool {
        match self {
            Self::Miss => true,
            Self::Untold => false,
            Self::Hit(length) => length.is_some() == call.tells_length_on_hit(),
            Self::Sunk(length) => call.tells_sinking() && length.is_some() == call.tells_length_on_sinking(),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Miss => "-",
            Self::Hit(_) => "+",
            Self::Sunk(_) => "#",
            Self::Untold => "?",
        })?;
        self.length().map_or(Ok(()), |length| write!(f, "{length}"))
    }
}

/// The text is not an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is not an answer: write - for a miss, + for a hit, #3 for a hit that sank a ship of length 3", quote(.text))]
pub struct ParseAnswerError {
    text: String,
}

impl FromStr for Answer {
    type Err = ParseAnswerError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseAnswerError { text: text.chars().take(64).collect() };
        let length = |rest: &str| match rest {
            "" => Ok(None),
            digits => digits.parse().map(Some).map_err(|_| error()),
        };
        match (text, text.get(..1), text.get(1..)) {
            ("-", ..) => Ok(Self::Miss),
            ("?", ..) => Ok(Self::Untold),
            (_, Some("+"), Some(rest)) => Ok(Self::Hit(length(rest)?)),
            (_, Some("#"), Some(rest)) => Ok(Self::Sunk(length(rest)?)),
            _ => Err(error()),
        }
    }
}

/// A shot with its answer, such as `B7-`, `C3+` or `C5#3`.
///
/// ```
/// use broadside_rules::{Answer, Shot};
/// let shot: Shot = "C5#3".parse()?;
/// assert_eq!(shot.cell.to_string(), "C5");
/// assert!(shot.answer.is_sunk());
/// # Ok::<(), broadside_rules::ParseShotError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shot {
    /// Where it fell.
    pub cell: Cell,
    /// What was answered.
    pub answer: Answer,
}

impl fmt::Display for Shot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.cell, self.answer)
    }
}

impl fmt::Debug for Shot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a shot with its answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is not a shot: write the cell and the answer, such as B7- (miss), C3+ (hit) or C5#3 (sank a ship of length 3)", quote(.text))]
pub struct ParseShotError {
    text: String,
}

impl FromStr for Shot {
    type Err = ParseShotError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = || {
            let (cell, answer) = text.split_at(text.find(['-', '+', '#', '?'])?);
            Some(Self { cell: cell.parse().ok()?, answer: answer.parse().ok()? })
        };
        read().ok_or_else(|| ParseShotError { text: text.chars().take(64).collect() })
    }
}

serde_by_notation!(Answer, Shot);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_round_trips_and_suits_the_calls_that_give_it() {
        let lengths = || (1..=64).map(Length::new);
        let bare = [Answer::Miss, Answer::Hit(None), Answer::Sunk(None), Answer::Untold];
        for answer in bare.into_iter().chain(lengths().map(Answer::Hit)).chain(lengths().map(Answer::Sunk)) {
            assert_eq!(answer.to_string().parse(), Ok(answer));
        }
        for &call in Call::ALL {
            for sinks in [false, true] {
                assert!(Answer::for_hit(call, Length::new(3).unwrap(), sinks).is_possible_under(call));
            }
        }
    }

    #[test]
    fn what_is_no_shot_is_refused() {
        for text in ["", "B7", "-", "B7*", "B7--", "B7-3", "B7+0", "B7#65", "7B+", "B7 +", "B7#x", "É+", "B7+3+", "B7?3", "B7-?"]
        {
            assert!(text.parse::<Shot>().is_err(), "{text:?}");
        }
    }
}
