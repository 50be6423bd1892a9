//! Why a captain fires where it does.

use broadside_rules::Cell;

/// What a captain is doing.
///
/// ```
/// use broadside_captains::Mode;
/// assert_eq!(Mode::Target.to_string(), "target");
/// ```
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
///
/// ```
/// use broadside_captains::{GameRng, Mode, captain};
/// use broadside_rules::{Rules, ShotLog};
/// use rand::SeedableRng;
///
/// let rules: Rules = "4x4 3,2 allowed ship".parse()?;
/// let reason = captain("exact", &rules)?.explain(&ShotLog::new(&rules), &mut GameRng::seed_from_u64(1));
/// assert_eq!(reason.mode, Mode::Hunt);
/// assert_eq!(reason.words, "a ship lies there in 100 of 264 layouts that fit, as often as anywhere");
/// assert_eq!(reason.scores[rules.grid().index(reason.cell)], Some(100.0 / 264.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
