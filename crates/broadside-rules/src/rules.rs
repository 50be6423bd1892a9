//! The rules of one game, and the customary ones.

use std::fmt;
use std::str::FromStr;

use crate::fit::{self, FitError};
use crate::text::{quote, serde_by_notation, word_enum};
use crate::{Call, Fleet, FleetError, Grid, GridError, ParseCallError, ParseTouchError, Touch};

/// The rules of a game: grid, fleet, touch and call, written `10x10 5,4,3,3,2 allowed ship`.
///
/// A value of this type is proof that its fleet fits its grid. It is cheap to clone.
///
/// ```
/// use broadside_rules::{Call, Preset, Rules, Touch};
/// let rules: Rules = "8x8 4,3,2 allowed ship".parse()?;
/// assert_eq!(rules, Preset::Sploosh.rules());
/// assert_eq!("russian".parse::<Rules>()?.touch(), Touch::Never);
/// assert!("4x4 5 allowed ship".parse::<Rules>().is_err());
/// # Ok::<(), broadside_rules::ParseRulesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    grid: Grid,
    fleet: Fleet,
    touch: Touch,
    call: Call,
}

impl Rules {
    /// These four rules together.
    ///
    /// # Errors
    /// When the fleet can't be placed on the grid under the touch rule, with the reason.
    pub fn new(grid: Grid, fleet: Fleet, touch: Touch, call: Call) -> Result<Self, FitError> {
        fit::check(grid, &fleet, touch)?;
        Ok(Self { grid, fleet, touch, call })
    }

    /// The board's size.
    #[inline]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The ships.
    #[inline]
    pub fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    /// How close ships may lie.
    #[inline]
    pub fn touch(&self) -> Touch {
        self.touch
    }

    /// What the defender calls out.
    #[inline]
    pub fn call(&self) -> Call {
        self.call
    }

    /// The same rules with another call, which never changes what fits.
    #[must_use]
    pub fn with_call(self, call: Call) -> Self {
        Self { call, ..self }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.grid, self.fleet, self.touch, self.call)
    }
}

/// The text is not a set of rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseRulesError {
    /// Neither a preset nor four words.
    #[error("{} is not a set of rules: write a preset ({}) or BOARD FLEET TOUCH CALL, such as ‘10x10 5,4,3,3,2 allowed ship’", quote(.0), Preset::ALL.iter().map(|preset| preset.word()).collect::<Vec<_>>().join(", "))]
    Words(String),
    /// The board can't be read.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The fleet can't be read.
    #[error(transparent)]
    Fleet(#[from] FleetError),
    /// The touch rule can't be read.
    #[error(transparent)]
    Touch(#[from] ParseTouchError),
    /// The call can't be read.
    #[error(transparent)]
    Call(#[from] ParseCallError),
    /// The fleet doesn't fit.
    #[error(transparent)]
    Fit(#[from] FitError),
}

impl FromStr for Rules {
    type Err = ParseRulesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words: Vec<&str> = text.split_whitespace().take(5).collect();
        match words[..] {
            [preset] => preset.parse().map(Preset::rules).map_err(|_| words_error(text)),
            [grid, fleet, touch, call] => Ok(Self::new(grid.parse()?, fleet.parse()?, touch.parse()?, call.parse()?)?),
            _ => Err(words_error(text)),
        }
    }
}

fn words_error(text: &str) -> ParseRulesError {
    ParseRulesError::Words(text.chars().take(64).collect())
}

/// Rules that people play by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Preset {
    /// 10x10; 5,4,3,3,2; ships may touch; the length is called on sinking.
    #[default]
    Classic,
    /// 10x10; 4,3,3,2,2,2,1,1,1,1; ships never touch; the length is called on sinking.
    Russian,
    /// 8x8; 4,3,2; ships may touch; the length is called on sinking.
    Sploosh,
}

word_enum!(Preset, ParsePresetError, "a preset", {
    Classic => "classic",
    Russian => "russian",
    Sploosh => "sploosh",
});

impl Preset {
    /// The rules of that name.
    ///
    /// # Panics
    /// Never: a test builds each of them.
    pub fn rules(self) -> Rules {
        let (grid, fleet, touch) = match self {
            Self::Classic => ("10x10", "5,4,3,3,2", Touch::Allowed),
            Self::Russian => ("10x10", "4,3,3,2,2,2,1,1,1,1", Touch::Never),
            Self::Sploosh => ("8x8", "4,3,2", Touch::Allowed),
        };
        let (grid, fleet) = (grid.parse().expect("a grid"), fleet.parse().expect("a fleet"));
        Rules::new(grid, fleet, touch, Call::Ship).expect("a fleet that fits")
    }
}

serde_by_notation!(Rules);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_build_and_round_trip_by_name_and_in_full() {
        for &preset in Preset::ALL {
            let rules = preset.rules();
            assert_eq!(preset.to_string().parse::<Rules>(), Ok(rules.clone()));
            assert_eq!(rules.to_string().parse::<Rules>(), Ok(rules));
        }
    }

    #[test]
    fn what_is_no_set_of_rules_is_refused() {
        for text in
            ["", "chess", "10x10", "10x10 5 allowed", "10x10 5 allowed ship more", "0x5 1 allowed ship", "5x5 6 allowed ship"]
        {
            assert!(text.parse::<Rules>().is_err(), "{text:?}");
        }
    }
}
