//! Why a captain fires where it does.

use broadside_rules::Cell;

/// What a captain is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Looking for a ship.
    Hunt,
    /// Going after a ship that was hit.
    Target,
}

impl Mode {
    /// One word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Hunt => "hunt",
            Self::Target => "target",
        }
    }
}

impl std::fmt::Display for Mode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.word())
    }
}

/// A captain's reason for its next shot.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// Where it would fire.
    pub cell: Cell,
    /// What it is doing.
    pub mode: Mode,
    /// What each cell is worth to it, in reading order; `None` for cells that it doesn't consider. Higher is better, and
    /// numbers of different captains can't be compared.
    pub scores: Vec<Option<f64>>,
    /// The reason in a sentence.
    pub words: String,
}
