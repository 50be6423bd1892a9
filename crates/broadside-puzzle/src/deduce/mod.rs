//! What a person deduces, one named step after the other.
//!
//! Every rule here is sound and looks only at what is known, so that the order of steps never matters: more knowledge never
//! makes a step impossible. A puzzle's [`Grade`] is the lowest whose rules, and those of the grades below, solve it.

mod lines;
mod places;
mod ships;
mod what_if;
mod words;

use broadside_rules::{Cell, Placement};

use crate::board::{Board, Cells, Sea};
use crate::{Line, Mark};

pub(crate) use places::most_wanted_cell;

/// How hard a puzzle is, by the deductions that it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Grade {
    /// Counting along rows and columns, and water around what is known.
    #[default]
    Easy,
    /// Looking at single ships too: where one ends, goes on or has no room.
    Medium,
    /// Looking at all places for a ship, and all ways to fill a row or column.
    Hard,
    /// Asking what would follow if a cell were ship or water, one cell at a time.
    Expert,
}

impl Grade {
    /// All grades, the easiest first.
    pub const ALL: &'static [Self] = &[Self::Easy, Self::Medium, Self::Hard, Self::Expert];

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::Expert => "expert",
        }
    }
}

/// A way to deduce something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Technique {
    /// Water around a revealed end of a ship or a ship of one cell, and the next cell of the ship.
    AroundAnEnd,
    /// A row or column has all its ship cells: the rest of it is water.
    LineFull,
    /// A row or column needs all its open cells for ships.
    LineNeedsAll,
    /// All ship cells are found, or all cells left are needed.
    FleetCount,
    /// Water at the corners of known ship cells.
    Corners,
    /// Which way the ship of a revealed middle lies.
    Middle,
    /// A ship as long as the longest one left is complete.
    Finished,
    /// A ship that is too short for the ships left goes on in the only direction it can.
    GoesOn,
    /// A ship on the cell would be longer than any ship left.
    TooLong,
    /// No ship left is short enough for the cell's room.
    NoRoom,
    /// The only place for a ship, or what all its places share.
    OnlyPlace,
    /// What all ways to fill a row or column share.
    EveryWay,
    /// The opposite leads to a contradiction.
    WhatIf,
}

impl Technique {
    /// All techniques, in the order in which they are tried.
    pub const ALL: &'static [Self] = &[
        Self::AroundAnEnd,
        Self::LineFull,
        Self::LineNeedsAll,
        Self::FleetCount,
        Self::Corners,
        Self::Middle,
        Self::Finished,
        Self::GoesOn,
        Self::TooLong,
        Self::NoRoom,
        Self::OnlyPlace,
        Self::EveryWay,
        Self::WhatIf,
    ];

    /// Its name, a few words.
    pub const fn word(self) -> &'static str {
        match self {
            Self::AroundAnEnd => "water around an end",
            Self::LineFull => "line full",
            Self::LineNeedsAll => "line needs all",
            Self::FleetCount => "fleet count",
            Self::Corners => "water at corners",
            Self::Middle => "direction of a middle",
            Self::Finished => "ship finished",
            Self::GoesOn => "ship goes on",
            Self::TooLong => "too long",
            Self::NoRoom => "no room",
            Self::OnlyPlace => "only place",
            Self::EveryWay => "every way",
            Self::WhatIf => "what if",
        }
    }

    /// The grade from which on puzzles may need it.
    pub const fn grade(self) -> Grade {
        match self {
            Self::AroundAnEnd | Self::LineFull | Self::LineNeedsAll | Self::FleetCount | Self::Corners => Grade::Easy,
            Self::Middle | Self::Finished | Self::GoesOn | Self::TooLong | Self::NoRoom => Grade::Medium,
            Self::OnlyPlace | Self::EveryWay => Grade::Hard,
            Self::WhatIf => Grade::Expert,
        }
    }
}

/// Why something follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// A revealed end of a ship, or a ship of one cell.
    AroundAnEnd {
        /// The cell.
        cell: Cell,
        /// What it shows.
        mark: Mark,
    },
    /// The line has all its ship cells.
    LineFull {
        /// The row or column.
        line: Line,
        /// How many ship cells it has.
        count: usize,
    },
    /// The line has no more open cells than it needs.
    LineNeedsAll {
        /// The row or column.
        line: Line,
        /// How many ship cells it has in the end.
        count: usize,
    },
    /// The whole fleet is found, or needs all cells that are left.
    FleetCount {
        /// How many cells the fleet has.
        count: usize,
    },
    /// Ships never touch, not even at corners.
    Corners,
    /// The ship of a revealed middle can lie one way only.
    Middle {
        /// The middle.
        cell: Cell,
    },
    /// The ship can't be longer: no longer one is left.
    Finished {
        /// What is known of the ship.
        ship: Placement,
    },
    /// The ship must be longer, and can go on one way only.
    GoesOn {
        /// What is known of the ship.
        ship: Placement,
    },
    /// Ship cells that are joined would be a ship longer than any left.
    TooLong {
        /// The length of the longest ship left.
        longest: usize,
    },
    /// The water around leaves room only for ships shorter than any left.
    NoRoom {
        /// The length of the shortest ship left.
        shortest: usize,
    },
    /// All places left for the ships of a length.
    OnlyPlace {
        /// The length.
        length: usize,
        /// How many ships of it are left.
        left: usize,
        /// How many places they have.
        places: usize,
    },
    /// All ways to fill the line, without a ship longer than the longest left.
    EveryWay {
        /// The row or column.
        line: Line,
        /// How many ship cells it has in the end.
        count: usize,
        /// The length of the longest ship left.
        longest: usize,
    },
    /// Suppose that the cell is what it is not.
    WhatIf {
        /// The cell.
        cell: Cell,
        /// Whether it is supposed to be a ship.
        ship: bool,
        /// After how many steps the contradiction shows.
        steps: usize,
        /// What would be wrong.
        contradiction: Contradiction,
    },
}

impl Reason {
    /// The technique that gives it.
    pub const fn technique(self) -> Technique {
        match self {
            Self::AroundAnEnd { .. } => Technique::AroundAnEnd,
            Self::LineFull { .. } => Technique::LineFull,
            Self::LineNeedsAll { .. } => Technique::LineNeedsAll,
            Self::FleetCount { .. } => Technique::FleetCount,
            Self::Corners => Technique::Corners,
            Self::Middle { .. } => Technique::Middle,
            Self::Finished { .. } => Technique::Finished,
            Self::GoesOn { .. } => Technique::GoesOn,
            Self::TooLong { .. } => Technique::TooLong,
            Self::NoRoom { .. } => Technique::NoRoom,
            Self::OnlyPlace { .. } => Technique::OnlyPlace,
            Self::EveryWay { .. } => Technique::EveryWay,
            Self::WhatIf { .. } => Technique::WhatIf,
        }
    }
}

/// What can't be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Contradiction {
    /// A line has more ship cells than its count.
    LineOverfull(Line),
    /// A line has too few cells left for its count.
    LineTooEmpty(Line),
    /// There are more ship cells, or fewer places for them, than the fleet has.
    FleetCount,
    /// A cell would be both ship and water.
    Clash(Cell),
    /// A revealed middle can lie no way.
    Middle(Cell),
    /// There are more ships of this length than the fleet has.
    TooMany(usize),
    /// A ship is longer than any that is left.
    TooLong(Placement),
    /// Ships of this length have too few places left.
    NoPlace(usize),
    /// A line can't be filled.
    NoWay(Line),
}

/// One step: why, and which cells are then known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deduction {
    /// Why it follows.
    pub reason: Reason,
    /// The cells that hold a ship.
    pub ships: Vec<Cell>,
    /// The cells that are water.
    pub water: Vec<Cell>,
}

/// A [`Deduction`] in the solver's form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) reason: Reason,
    found: Board,
}

/// What a rule finds: a step, nothing, or that something can't be.
type Found = Result<Option<Step>, Contradiction>;

impl Step {
    /// The step if it tells something new.
    fn new(reason: Reason, board: &Board, found: &Board) -> Found {
        let clash = found.ship.intersection(&board.water).union(&found.water.intersection(&board.ship));
        let clash = clash.union(&found.ship.intersection(&found.water));
        if let Some(cell) = clash.first() {
            return Err(Contradiction::Clash(cell));
        }
        let found = Board { ship: found.ship.minus(&board.ship), water: found.water.minus(&board.water) };
        Ok((!found.is_empty()).then_some(Self { reason, found }))
    }

    fn ships(reason: Reason, board: &Board, ship: Cells) -> Found {
        Self::new(reason, board, &Board { ship, water: Cells::EMPTY })
    }

    fn water(reason: Reason, board: &Board, water: Cells) -> Found {
        Self::new(reason, board, &Board { ship: Cells::EMPTY, water })
    }

    pub(crate) fn apply(&self, board: &mut Board) {
        *board = board.union(&self.found);
    }

    pub(crate) fn deduction(&self) -> Deduction {
        Deduction { reason: self.reason, ships: self.found.ship.cells(), water: self.found.water.cells() }
    }
}

/// The easiest step that the rules up to a grade find.
pub(crate) fn next(sea: &Sea, board: &Board, grade: Grade) -> Found {
    if let Some(step) = lines::next(sea, board)? {
        return Ok(Some(step));
    }
    if grade == Grade::Easy {
        return Ok(None);
    }
    let fleet = ships::Survey::new(sea, board)?;
    if let Some(step) = ships::next(sea, board, &fleet)? {
        return Ok(Some(step));
    }
    if grade == Grade::Medium {
        return Ok(None);
    }
    if let Some(step) = places::next(sea, board, &fleet)? {
        return Ok(Some(step));
    }
    if grade == Grade::Hard || sea.is_full(board) {
        return Ok(None);
    }
    Ok(what_if::answers(sea, board).next())
}

/// The easiest step that any rule finds. Of the questions “what if” it is the one with the fewest steps to its contradiction.
pub(crate) fn easiest(sea: &Sea, board: &Board) -> Found {
    let step = next(sea, board, Grade::Hard)?;
    Ok(step.or_else(|| what_if::answers(sea, board).min_by_key(|step| what_if::steps(step.reason))))
}

/// Takes all steps up to a grade; how many there were.
pub(crate) fn close(sea: &Sea, board: &mut Board, grade: Grade) -> Result<usize, Contradiction> {
    let mut steps = 0;
    while let Some(step) = next(sea, board, grade)? {
        step.apply(board);
        steps += 1;
    }
    Ok(steps)
}
