//! From anything that can be described to a legal layout.

use std::fmt;
use std::str::FromStr;

use crate::text::serde_by_notation;
use crate::text::write_list;
use crate::{
    Fleet, Grid, Layout, ParsePictureError, ParsePlacementError, Picture, Placement, Readings, Rules, Violation, check,
    fast_check,
};

/// Anything that can be described as a board: a picture of cells, or a list of ships. It may be wrong in any way.
///
/// Checking it against [`Rules`] is the only way from here to a [`Layout`], and reports all that is wrong at once.
///
/// ```
/// use broadside_rules::{Draft, Rules};
/// let rules: Rules = "4x4 3,2 never ship".parse()?;
/// let report = "A1-A3 B4-C4".parse::<Draft>()?.check(&rules);
/// let faults: Vec<String> = report.violations().iter().map(ToString::to_string).collect();
/// assert_eq!(faults, ["ships touch: A3 B4"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Draft {
    /// Cells, without a word on where one ship ends and the next begins.
    Picture(Picture),
    /// Ships by their ends.
    Ships(Vec<Placement>),
}

/// What checking found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    violations: Vec<Violation>,
    readings: Readings,
    layout: Option<Layout>,
}

impl Report {
    /// What is wrong; empty when the board is legal.
    ///
    /// Every fault of a board that people play is listed. Of a kind of which there are very many, the first
    /// [`Violation::MAX_LISTED`] are, and [`ViolationKind::Omitted`](crate::ViolationKind::Omitted) says how many more there are.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// In how many ways the board can be read as the fleet: 0 when it is illegal, 1 when it is legal and plain, more
    /// for a picture that leaves open where one ship ends.
    pub fn readings(&self) -> Readings {
        self.readings
    }

    /// Whether the board is legal.
    pub fn is_valid(&self) -> bool {
        self.layout.is_some()
    }

    /// The legal layout (of an ambiguous picture, the first reading).
    ///
    /// # Errors
    /// All that is wrong.
    pub fn into_layout(self) -> Result<Layout, Vec<Violation>> {
        self.layout.ok_or(self.violations)
    }

    pub(crate) fn new(violations: Vec<Violation>, readings: Readings, grid: Grid, ships: Option<Vec<Placement>>) -> Self {
        let layout = ships.filter(|_| violations.is_empty()).map(|ships| Layout::from_legal_ships(grid, ships));
        let readings = if layout.is_some() { readings } else { Readings::Exactly(0) };
        Self { violations, readings, layout }
    }
}

impl Draft {
    /// Checks the board against the rules.
    ///
    /// For a list of ships this takes time in proportion to their number. For a picture on which ships may touch it is a
    /// search of a bounded number of steps, for other pictures it takes time in proportion to the cells.
    pub fn check(&self, rules: &Rules) -> Report {
        match self {
            Self::Ships(ships) => check::check_ships(ships, rules),
            Self::Picture(picture) => check::check_picture(picture, rules),
        }
    }
}

impl Picture {
    /// Whether some reading of the picture is legal: [`Draft::check`] without the reasons, and much faster where ships
    /// may not touch.
    pub fn is_legal(&self, rules: &Rules) -> bool {
        fast_check::is_legal(self.cells(), rules).unwrap_or_else(|| check::check_picture(self, rules).is_valid())
    }
}

impl From<&Layout> for Draft {
    fn from(layout: &Layout) -> Self {
        Self::Ships(layout.ships().to_vec())
    }
}

impl fmt::Display for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Picture(picture) => picture.fmt(f),
            Self::Ships(ships) => write_list(f, ships),
        }
    }
}

/// The text is neither a picture nor a list of ships.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseDraftError {
    /// It looks like a picture and is none.
    #[error(transparent)]
    Picture(#[from] ParsePictureError),
    /// It looks like a list of ships and one of them is none.
    #[error(transparent)]
    Ship(#[from] ParsePlacementError),
    /// More ships than any fleet has.
    #[error("the list has more than {} ships", Fleet::MAX_SHIPS)]
    TooManyShips,
}

impl FromStr for Draft {
    type Err = ParseDraftError;

    /// A text that starts with a cell is a list of ships; anything else is a picture.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if !starts_with_a_cell(text) {
            return Ok(Self::Picture(text.parse()?));
        }
        let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
        let ships = words.take(Fleet::MAX_SHIPS + 1).map(str::parse).collect::<Result<Vec<Placement>, _>>()?;
        if ships.len() > Fleet::MAX_SHIPS { Err(ParseDraftError::TooManyShips) } else { Ok(Self::Ships(ships)) }
    }
}

fn starts_with_a_cell(text: &str) -> bool {
    let mut rest = text.trim_start().trim_start_matches(|c: char| c.is_ascii_alphabetic()).chars();
    text.trim_start().starts_with(|c: char| c.is_ascii_alphabetic()) && matches!(rest.next(), Some('1'..='9'))
}

serde_by_notation!(Draft);
