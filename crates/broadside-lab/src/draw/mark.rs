//! What cells are known to be.

use broadside_rules::{Answer, Placement, ShotLog};

/// What a cell is known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A shot into the water.
    Miss,
    /// A hit.
    Hit,
    /// A hit on a ship that is known to be sunk.
    Sunk,
    /// A ship that nobody has fired at.
    Ship,
    /// A rock, where nobody fires.
    Rock,
    /// A shot that is not answered yet.
    Untold,
}

impl Mark {
    /// The mark's name, such as `miss`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Miss => "miss",
            Self::Hit => "hit",
            Self::Sunk => "sunk",
            Self::Ship => "ship",
            Self::Rock => "rock",
            Self::Untold => "untold",
        }
    }

    /// The colour of a cell with this mark.
    pub(super) const fn colour(self) -> &'static str {
        match self {
            Self::Miss => "#e3e6e8",
            Self::Hit => "#e66101",
            Self::Sunk => "#7a2d04",
            Self::Ship => "#6b7680",
            Self::Rock => "#5b5048",
            Self::Untold => "#f7f7f7",
        }
    }
}

impl From<Answer> for Mark {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Miss => Self::Miss,
            Answer::Hit(_) => Self::Hit,
            Answer::Sunk(_) => Self::Sunk,
            Answer::Untold => Self::Untold,
        }
    }
}

/// The marks of a log in reading order, `None` where nobody has fired and there is no rock. All cells of a ship that certainly sank are sunk.
pub fn marks(log: &ShotLog) -> Vec<Option<Mark>> {
    let grid = log.rules().grid();
    let mut marks: Vec<Option<Mark>> = grid.cells().map(|cell| log.rules().is_rock(cell).then_some(Mark::Rock)).collect();
    for shot in log.shots() {
        let mark = &mut marks[grid.index(shot.cell)];
        // Where a cell may be fired at again, a sinking is never called back.
        *mark = mark.filter(|mark| *mark == Mark::Sunk).or(Some(shot.answer.into()));
    }
    for cell in log.sunk_ships().into_iter().flat_map(Placement::cells) {
        marks[grid.index(cell)] = Some(Mark::Sunk);
    }
    marks
}
