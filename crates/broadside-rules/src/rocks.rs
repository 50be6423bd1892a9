//! Cells where no ship can lie and nobody fires.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::text::{quote, serde_by_notation};
use crate::{Cell, ParseCellError};

/// Cells where no ship can lie and nobody fires, written `C3,D4`, or `none`.
///
/// They are a part of [`Rules`](crate::Rules), in whose notation they are a word of their own: `rocks=C3,D4`.
///
/// ```
/// use broadside_rules::{Rocks, Rules};
/// let rocks: Rocks = "D4,C3,D4".parse()?;
/// assert_eq!(rocks.to_string(), "C3,D4");
/// assert_eq!("none".parse::<Rocks>()?, Rocks::none());
/// let rules: Rules = "5x5 3,2 allowed ship rocks=C3,D4".parse()?;
/// assert!(rules.is_rock("C3".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rocks(Arc<[Cell]>);

impl Rocks {
    /// No rock.
    pub fn none() -> Self {
        Self::default()
    }

    /// Rocks on these cells.
    pub fn new(cells: impl IntoIterator<Item = Cell>) -> Self {
        let mut cells: Vec<Cell> = cells.into_iter().collect();
        cells.sort_unstable();
        cells.dedup();
        Self(cells.into())
    }

    /// The cells in reading order, each once.
    pub fn cells(&self) -> &[Cell] {
        &self.0
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The word for no rock.
const NONE: &str = "none";

/// More cells than any board has are not read to their end.
const MOST: usize = Cell::MAX_SIDE * Cell::MAX_SIDE;

impl fmt::Display for Rocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str(NONE);
        }
        for (i, cell) in self.0.iter().enumerate() {
            write!(f, "{}{cell}", if i > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

/// The text is not a list of rocks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseRocksError {
    /// A part of it is no cell.
    #[error("{} is not a list of rocks: write cells with commas between them, such as C3,D4, or none", quote(.text))]
    Cell {
        /// What was to be read.
        text: String,
        /// What is wrong with the cell.
        source: ParseCellError,
    },
    /// More cells than the largest board has.
    #[error("there are more than {MOST} rocks")]
    TooMany,
}

impl FromStr for Rocks {
    type Err = ParseRocksError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.eq_ignore_ascii_case(NONE) {
            return Ok(Self::none());
        }
        let wrong = |source| ParseRocksError::Cell { text: text.chars().take(64).collect(), source };
        let cells: Vec<Cell> = text.split(',').take(MOST + 1).map(str::parse).collect::<Result<_, _>>().map_err(wrong)?;
        if cells.len() > MOST { Err(ParseRocksError::TooMany) } else { Ok(Self::new(cells)) }
    }
}

serde_by_notation!(Rocks);
