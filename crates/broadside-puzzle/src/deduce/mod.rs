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

use crate::board::{Board, Sea};
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

impl Step {
    pub(crate) fn apply(&self, board: &mut Board) {
        *board = board.union(&self.found);
    }

    pub(crate) fn deduction(&self) -> Deduction {
        Deduction { reason: self.reason, ships: self.found.ship.cells(), water: self.found.water.cells() }
    }
}

/// Why the rules stop before the last of them.
enum Stop {
    /// A step is found, and one is enough.
    Found,
    /// Something can't be.
    Wrong(Contradiction),
}

impl From<Contradiction> for Stop {
    fn from(contradiction: Contradiction) -> Self {
        Self::Wrong(contradiction)
    }
}

/// A rule tells what it finds; `?` leaves it when that is enough.
type Told = Result<(), Stop>;

/// What the rules work on. They either look for one step, or take every step that they find.
struct Work<'a> {
    sea: &'a Sea,
    board: Board,
    /// Where the first step goes, if one is looked for.
    step: Option<Step>,
    one_step: bool,
    /// Whether anything was found since this was last cleared.
    changed: bool,
}

impl<'a> Work<'a> {
    const fn new(sea: &'a Sea, board: &Board, one_step: bool) -> Self {
        Self { sea, board: *board, step: None, one_step, changed: false }
    }

    /// Takes what a rule finds, if it is new.
    fn tell(&mut self, reason: Reason, found: &Board) -> Told {
        let clash = found.ship.intersection(&self.board.water).union(&found.water.intersection(&self.board.ship));
        let clash = clash.union(&found.ship.intersection(&found.water));
        if let Some(cell) = clash.first() {
            return Err(Contradiction::Clash(cell).into());
        }
        let found = Board { ship: found.ship.minus(&self.board.ship), water: found.water.minus(&self.board.water) };
        if found.is_empty() { Ok(()) } else { self.take(&Step { reason, found }) }
    }

    /// Takes what a rule finds of the cells of one line, if it is new.
    fn tell_line(&mut self, reason: Reason, [axis, line]: [usize; 2], ship: u32, water: u32) -> Told {
        let known = [self.board.ship.line(axis, line), self.board.water.line(axis, line)];
        let clash = ship & known[1] | water & known[0] | ship & water;
        if clash != 0 {
            return Err(Contradiction::Clash(Sea::cell(axis, line, clash.trailing_zeros() as usize)).into());
        }
        let (ship, water) = (ship & !known[0], water & !known[1]);
        if ship | water == 0 {
            return Ok(());
        }
        let mut found = if self.one_step { Board::EMPTY } else { self.board };
        found.ship.insert_line(axis, line, ship);
        found.water.insert_line(axis, line, water);
        if self.one_step {
            return self.take(&Step { reason, found });
        }
        (self.board, self.changed) = (found, true);
        Ok(())
    }

    fn take(&mut self, step: &Step) -> Told {
        self.changed = true;
        if self.one_step {
            self.step = Some(*step);
            return Err(Stop::Found);
        }
        step.apply(&mut self.board);
        Ok(())
    }

    /// Goes through the rules up to a grade, the easy ones first, as long as none of them finds anything.
    fn go_through(&mut self, grade: Grade) -> Told {
        lines::tell(self)?;
        if self.changed || grade == Grade::Easy {
            return Ok(());
        }
        let fleet = ships::Survey::new(self.sea, &self.board)?;
        ships::tell(self, &fleet)?;
        if self.changed || grade == Grade::Medium {
            return Ok(());
        }
        places::tell(self, &fleet)
    }
}

/// The easiest step that the rules up to a grade find; of all of them but “what if”.
fn next(sea: &Sea, board: &Board, grade: Grade) -> Result<Option<Step>, Contradiction> {
    let mut work = Work::new(sea, board, true);
    match lines::tell_parts(&mut work).and_then(|()| work.go_through(grade)) {
        Err(Stop::Wrong(contradiction)) => Err(contradiction),
        Ok(()) | Err(Stop::Found) => Ok(work.step),
    }
}

/// The easiest step that any rule finds. Of the questions “what if” it is the one with the fewest steps to its contradiction.
pub(crate) fn easiest(sea: &Sea, board: &Board) -> Result<Option<Step>, Contradiction> {
    let step = next(sea, board, Grade::Hard)?;
    Ok(step.or_else(|| what_if::answers(sea, board).min_by_key(|step| what_if::steps(step.reason))))
}

/// Takes all steps up to a grade.
pub(crate) fn close(sea: &Sea, board: &mut Board, grade: Grade) -> Result<(), Contradiction> {
    if grade == Grade::Expert {
        return what_if::close(sea, board);
    }
    let mut work = Work::new(sea, board, false);
    let mut told = lines::tell_parts(&mut work);
    while told.is_ok() {
        work.changed = false;
        told = work.go_through(grade);
        if !work.changed {
            break;
        }
    }
    *board = work.board;
    match told {
        Err(Stop::Wrong(contradiction)) => Err(contradiction),
        Ok(()) | Err(Stop::Found) => Ok(()),
    }
}
