//! What can be wrong with a board.

use std::collections::HashSet;
use std::fmt;

use crate::{Cell, Grid, Length};

/// One thing that is wrong with a board, with the cells where it is.
///
/// ```
/// use broadside_rules::{Draft, Preset, ViolationKind};
/// let report = "A1-A5 A5-D5".parse::<Draft>()?.check(&Preset::Classic.rules());
/// let violation = &report.violations()[0];
/// assert_eq!(violation.kind(), ViolationKind::Overlap);
/// assert_eq!(violation.to_string(), "ships overlap: A5");
/// # Ok::<(), broadside_rules::ParseDraftError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    kind: ViolationKind,
    cells: Vec<Cell>,
}

/// The kinds of things that can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ViolationKind {
    /// The picture is larger or smaller than the board.
    WrongSize {
        /// The picture's size.
        picture: Grid,
        /// The board's size.
        board: Grid,
    },
    /// A ship lies partly or wholly off the grid.
    OffGrid,
    /// A ship lies on a rock.
    OnRock,
    /// Two ships share cells.
    Overlap,
    /// Two ships lie closer than the touch rule allows.
    Touching,
    /// Cells joined by their sides don't lie in one line, though ships may not touch.
    Bent,
    /// A run of cells is longer than any ship of the fleet.
    TooLong {
        /// The longest ship of the fleet.
        longest: Length,
    },
    /// There are too many or too few ships of a length.
    WrongNumber {
        /// The length.
        length: Length,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// The ships of a picture cover too many or too few cells.
    WrongTotal {
        /// How many they cover.
        found: usize,
        /// How many they should.
        expected: usize,
    },
    /// The cells of a picture can't be divided into the ships of the fleet.
    NoReading,
    /// Whether the cells can be divided into the ships of the fleet was not decided within the budget.
    Undecided,
    /// There are more violations of a kind than are listed.
    Omitted {
        /// The kind, by its [`word`](ViolationKind::word).
        kind: &'static str,
        /// How many are not listed.
        count: usize,
    },
}

impl Violation {
    /// At most so many violations of a kind are listed: all that a board with ten ships can have between two ships.
    pub const MAX_LISTED: usize = 50;

    pub(crate) fn new(kind: ViolationKind, cells: impl IntoIterator<Item = Cell>) -> Self {
        // Ships that overlap share cells, and each cell is named once.
        let mut seen = HashSet::new();
        Self { kind, cells: cells.into_iter().filter(|&cell| seen.insert(cell)).collect() }
    }

    /// What is wrong.
    pub fn kind(&self) -> ViolationKind {
        self.kind
    }

    /// Where, each cell once. Empty where something is missing altogether, and where violations are left out.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }
}

impl ViolationKind {
    /// The kind's name in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::WrongSize { .. } => "wrong-size",
            Self::OffGrid => "off-grid",
            Self::OnRock => "on-rock",
            Self::Overlap => "overlap",
            Self::Touching => "touching",
            Self::Bent => "bent",
            Self::TooLong { .. } => "too-long",
            Self::WrongNumber { .. } => "wrong-number",
            Self::WrongTotal { .. } => "wrong-total",
            Self::NoReading => "no-reading",
            Self::Undecided => "undecided",
            Self::Omitted { .. } => "omitted",
        }
    }
}

impl fmt::Display for ViolationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongSize { picture, board } => write!(f, "the picture is {picture}, the board {board}"),
            Self::OffGrid => f.write_str("off the board"),
            Self::OnRock => f.write_str("on a rock"),
            Self::Overlap => f.write_str("ships overlap"),
            Self::Touching => f.write_str("ships touch"),
            Self::Bent => f.write_str("a ship is bent"),
            Self::TooLong { longest } => write!(f, "longer than any ship of the fleet (longest: {longest})"),
            Self::WrongNumber { length, found, expected } => {
                write!(f, "wrong number of ships of length {length}: {found} instead of {expected}")
            }
            Self::WrongTotal { found, expected } => write!(f, "ships cover {found} cells instead of {expected}"),
            Self::NoReading => f.write_str("these cells can't be divided into the ships of the fleet"),
            Self::Undecided => f.write_str("too intricate to decide whether these cells can be divided into the fleet"),
            Self::Omitted { kind, count } => write!(f, "{count} more of the kind ‘{kind}’"),
        }
    }
}

/// What is wrong, and where: `ships touch: H5 I6`.
impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        for (i, cell) in self.cells.iter().enumerate() {
            write!(f, "{}{cell}", if i == 0 { ": " } else { " " })?;
        }
        Ok(())
    }
}
