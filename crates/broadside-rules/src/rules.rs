//! The rules of one game.

use std::fmt;
use std::str::FromStr;

use crate::text::{quote, serde_by_notation};
use crate::{Call, FitError, Fleet, FleetError, Grid, GridError, ParseCallError, ParseTouchError, Preset, RulesBuilder, Touch};

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
        RulesBuilder::new(grid, fleet, touch, call).build()
    }

    /// Reads rules that were checked before they were stored, as [`Display`](fmt::Display) wrote them.
    ///
    /// It doesn't search again for a way to place the fleet, so it takes microseconds for any text. Give it only what
    /// [`Rules`] printed. A fleet that can't be placed does no harm beyond that: no layout is legal, and dealing fails.
    ///
    /// ```
    /// use broadside_rules::{Preset, Rules};
    /// let rules = Preset::Russian.rules();
    /// assert_eq!(Rules::from_stored(&rules.to_string())?, rules);
    /// assert!(Rules::from_stored("10x10 5,4").is_err());
    /// # Ok::<(), broadside_rules::StoredRulesError>(())
    /// ```
    ///
    /// # Errors
    /// When the text can't be read, or the fleet is too large for the board at first sight: the stored data is damaged.
    pub fn from_stored(text: &str) -> Result<Self, StoredRulesError> {
        let builder: RulesBuilder = text.parse()?;
        Ok(builder.build_unsearched().map_err(ParseRulesError::from)?)
    }

    /// Rules from parts that are known to go together.
    pub(crate) fn from_checked_parts(grid: Grid, fleet: Fleet, touch: Touch, call: Call) -> Self {
        Self { grid, fleet, touch, call }
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
#[non_exhaustive]
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

/// Stored rules can't be read: what was stored is damaged or was not written by [`Rules`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stored rules can't be read")]
pub struct StoredRulesError {
    #[from]
    source: ParseRulesError,
}

impl FromStr for Rules {
    type Err = ParseRulesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(text.parse::<RulesBuilder>()?.build()?)
    }
}

serde_by_notation!(Rules);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_set_of_rules_is_refused() {
        for text in
            ["", "chess", "10x10", "10x10 5 allowed", "10x10 5 allowed ship more", "0x5 1 allowed ship", "5x5 6 allowed ship"]
        {
            assert!(text.parse::<Rules>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn stored_rules_are_read_without_a_search() {
        let text = "8x10 3,3,3,2,2,2,2,1,1,1,1,1,1,1,1,1,1 never ship";
        let unsearched = text.parse::<RulesBuilder>().unwrap().build_within(0);
        assert!(matches!(unsearched, Err(FitError::Undecided { positions: 0, .. })), "only a search can decide this board");
        assert_eq!(Rules::from_stored(text).map(|rules| rules.to_string()).as_deref(), Ok(text));
    }

    #[test]
    fn damaged_stored_rules_are_an_error_of_their_own() {
        for text in ["", "chess", "10x10 5 allowed", "10x10 5 allowed sh", "0x5 1 allowed ship", "5x5 6 allowed ship"] {
            let error = Rules::from_stored(text).unwrap_err();
            assert_eq!(error.to_string(), "the stored rules can't be read");
            assert!(std::error::Error::source(&error).is_some(), "{text:?}");
        }
    }
}
