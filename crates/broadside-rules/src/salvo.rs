//! Several shots a turn.

use std::fmt;
use std::str::FromStr;

use crate::text::{quote, serde_by_notation, word_enum};

/// How many shots a turn has and when they are answered, written `5`, `ships`, `ships:each` or `5:count`; `1` is the game of one shot a turn.
///
/// It is a part of [`Rules`](crate::Rules), in whose notation it is a word of its own: `salvo=ships`. Without a word after the colon
/// the answers come after the turn, as people play it.
///
/// ```
/// use broadside_rules::{Rules, Salvo, SalvoCall, SalvoShots};
/// let salvo: Salvo = "ships".parse()?;
/// assert_eq!((salvo.shots(), salvo.call()), (SalvoShots::Ships, SalvoCall::Turn));
/// assert_eq!(salvo.shots_in_turn(3), 3);
/// assert_eq!("4:each".parse::<Salvo>()?.shots_in_turn(3), 4);
/// assert_eq!("1".parse::<Salvo>()?, Salvo::SINGLE);
/// let rules: Rules = "5x5 3,2 allowed ship salvo=ships".parse()?;
/// assert_eq!(rules.salvo(), salvo);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Salvo {
    shots: SalvoShots,
    call: SalvoCall,
}

/// How many shots a turn has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SalvoShots {
    /// Always so many.
    Fixed(u8),
    /// One for each ship that the shooter has afloat when the turn begins. Where there is no fleet of the shooter's own, as in
    /// campaigns and in odds, it counts as whole.
    Ships,
}

/// When the shots of a turn are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SalvoCall {
    /// Each at once.
    Each,
    /// All of them after the last one of the turn: each with the answer that it would have got at once. The whole turn is fired, so
    /// that nobody learns from its end that the fleet is sunk; shots after the one that sinks it don't count.
    Turn,
    /// None of them. After the turn only its hits are called, and which ships sank, by the rule of calling: see
    /// [`TurnCall`](crate::TurnCall). The turn is fired to its end here too, and once the fleet is sunk all answers are told.
    Count,
}

word_enum!(SalvoCall, ParseSalvoCallError, "what is called in a salvo", { Each => "each", Turn => "turn", Count => "count" });

impl Default for Salvo {
    fn default() -> Self {
        Self::SINGLE
    }
}

impl Salvo {
    /// One shot a turn.
    pub const SINGLE: Self = Self { shots: SalvoShots::Fixed(1), call: SalvoCall::Each };

    /// The largest fixed number of shots.
    pub const MAX_SHOTS: u8 = 64;

    /// Turns of so many shots; `None` for a fixed number that is 0 or too large. A turn of one shot is answered at once.
    pub const fn new(shots: SalvoShots, call: SalvoCall) -> Option<Self> {
        match shots {
            SalvoShots::Fixed(1) => Some(Self::SINGLE),
            SalvoShots::Fixed(0) => None,
            SalvoShots::Fixed(number) if number > Self::MAX_SHOTS => None,
            _ => Some(Self { shots, call }),
        }
    }

    /// How many shots a turn has.
    pub const fn shots(self) -> SalvoShots {
        self.shots
    }

    /// When they are answered.
    pub const fn call(self) -> SalvoCall {
        self.call
    }

    /// Whether a turn is one shot.
    #[inline]
    pub const fn is_single(self) -> bool {
        matches!(self.shots, SalvoShots::Fixed(1))
    }

    /// Whether shots wait for their answers.
    #[inline]
    pub const fn withholds(self) -> bool {
        !matches!(self.call, SalvoCall::Each)
    }

    /// The shots of a turn of somebody with so many ships afloat.
    #[inline]
    pub const fn shots_in_turn(self, ships_afloat: usize) -> usize {
        match self.shots {
            SalvoShots::Fixed(number) => number as usize,
            SalvoShots::Ships if ships_afloat == 0 => 1,
            SalvoShots::Ships => ships_afloat,
        }
    }
}

/// The word for one shot for each ship.
const SHIPS: &str = "ships";

impl fmt::Display for Salvo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shots {
            SalvoShots::Fixed(number) => write!(f, "{number}")?,
            SalvoShots::Ships => f.write_str(SHIPS)?,
        }
        if self.is_single() || self.call == SalvoCall::Turn { Ok(()) } else { write!(f, ":{}", self.call) }
    }
}

/// The text is no number of shots a turn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseSalvoError {
    /// The number of shots can't be read.
    #[error("{} is no number of shots a turn: write 1 to {}, or {SHIPS} for one for each own ship afloat, and after it :each if each shot is answered at once, :count if only the number of hits is told", quote(.0), Salvo::MAX_SHOTS)]
    Shots(String),
    /// What stands after the colon can't be read.
    #[error(transparent)]
    Call(#[from] ParseSalvoCallError),
}

impl FromStr for Salvo {
    type Err = ParseSalvoError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || ParseSalvoError::Shots(text.chars().take(64).collect());
        let (shots, call) = match text.split_once(':') {
            Some((shots, call)) => (shots, call.parse()?),
            None => (text, SalvoCall::Turn),
        };
        let shots = if shots.eq_ignore_ascii_case(SHIPS) {
            SalvoShots::Ships
        } else {
            let digits = Some(shots).filter(|shots| shots.bytes().all(|byte| byte.is_ascii_digit()));
            SalvoShots::Fixed(digits.and_then(|digits| digits.parse().ok()).ok_or_else(wrong)?)
        };
        Self::new(shots, call).ok_or_else(wrong)
    }
}

serde_by_notation!(Salvo);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_salvo_round_trips() {
        let numbers = (1..=Salvo::MAX_SHOTS).map(SalvoShots::Fixed).chain([SalvoShots::Ships]);
        for (shots, &call) in numbers.flat_map(|shots| SalvoCall::ALL.iter().map(move |call| (shots, call))) {
            let salvo = Salvo::new(shots, call).unwrap();
            assert_eq!(salvo.to_string().parse(), Ok(salvo));
        }
    }

    #[test]
    fn what_is_no_salvo_is_refused() {
        for text in ["", "0", "65", "256", "-1", "+2", "x", "ship", ":turn", "5:", "5:all", "5:turn:turn", "5 ", "2.0"] {
            assert!(text.parse::<Salvo>().is_err(), "{text:?}");
        }
    }
}
