//! The rules of medium puzzles: what is known of single ships.

use super::{Contradiction, Found, Reason, Step};
use crate::board::{Board, Cells, MAX, Sea, ones, span};

/// Known ship cells that belong together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The axis along which it lies; a single cell counts as lying along its row.
    axis: usize,
    line: usize,
    start: usize,
    len: usize,
}

/// The ships as far as they are known.
pub(super) struct Survey {
    /// Runs that may still grow.
    open: Vec<Run>,
    /// How many ships of each length are not yet found whole.
    pub(super) left: [u8; MAX + 1],
    /// The longest length left; 0 when all ships are found.
    pub(super) longest: usize,
}

impl Survey {
    pub(super) fn new(sea: &Sea, board: &Board) -> Result<Self, Contradiction> {
        let mut survey = Self { open: Vec::new(), left: sea.fleet, longest: 0 };
        for run in runs(sea, board) {
            if !run.is_closed(sea, board) {
                survey.open.push(run);
            } else if survey.left[run.len] == 0 {
                return Err(Contradiction::TooMany(run.len));
            } else {
                survey.left[run.len] -= 1;
            }
        }
        survey.longest = survey.left.iter().rposition(|&left| left > 0).unwrap_or(0);
        match survey.open.iter().find(|run| run.len > survey.longest) {
            Some(run) => Err(Contradiction::TooLong(Sea::ship(run.axis, run.line, run.start, run.len))),
            None => Ok(survey),
        }
    }

    fn shortest(&self) -> Option<usize> {
        self.left.iter().position(|&left| left > 0)
    }
}

/// All runs of ship cells: those of two cells and more along their line, and single cells.
fn runs(sea: &Sea, board: &Board) -> Vec<Run> {
    let mut runs = Vec::new();
    for axis in 0..2 {
        for line in 0..sea.lines(axis) {
            let mut ships = board.ship.line(axis, line);
            let across = board.ship.line(axis, line.wrapping_sub(1)) | board.ship.line(axis, line + 1);
            while ships != 0 {
                let start = ships.trailing_zeros() as usize;
                let len = (ships >> start).trailing_ones() as usize;
                ships &= !span(start, len);
                if len > 1 || (axis == 0 && across >> start & 1 == 0) {
                    runs.push(Run { axis, line, start, len });
                }
            }
        }
    }
    runs
}

impl Run {
    /// The cells by which it could grow, as axis, line and place: those next to its ends that are not water.
    fn ways(self, sea: &Sea, board: &Board) -> impl Iterator<Item = (usize, usize, usize)> {
        let along = ends(self.axis, self.line, self.start, self.len);
        let across = ends(1 - self.axis, self.start, self.line, 1);
        let all = along.into_iter().chain(across.into_iter().filter(move |_| self.len == 1));
        let (widths, water) = ([sea.width(0), sea.width(1)], board.water);
        all.flatten().filter(move |&(axis, line, place)| place < widths[axis] && !water.contains(axis, line, place))
    }

    fn is_closed(self, sea: &Sea, board: &Board) -> bool {
        self.ways(sea, board).next().is_none()
    }

    fn growth(self, sea: &Sea, board: &Board) -> (usize, Cells) {
        let mut cells = Cells::EMPTY;
        let ways = self.ways(sea, board);
        (ways.map(|(axis, line, place)| cells.insert(axis, line, place)).count(), cells)
    }
}

/// The cells before and after a stretch of a line; the latter may be off the board.
fn ends(axis: usize, line: usize, start: usize, len: usize) -> [Option<(usize, usize, usize)>; 2] {
    [start.checked_sub(1).map(|place| (axis, line, place)), Some((axis, line, start + len))]
}

pub(super) fn next(sea: &Sea, board: &Board, survey: &Survey) -> Found {
    for rule in [middles, open_runs, too_long, no_room] {
        if let Some(step) = rule(sea, board, survey)? {
            return Ok(Some(step));
        }
    }
    Ok(None)
}

fn middles(sea: &Sea, board: &Board, _: &Survey) -> Found {
    for (row, column) in sea.middles.iter() {
        if let Some(step) = middle(sea, board, [row, column])? {
            return Ok(Some(step));
        }
    }
    Ok(None)
}

/// Which way the ship of a revealed middle lies.
fn middle(sea: &Sea, board: &Board, at: [usize; 2]) -> Found {
    let cell = Sea::cell(0, at[0], at[1]);
    let possible = [0, 1].map(|axis| can_lie(sea, board, axis, at[axis], at[1 - axis]));
    let axis = match possible {
        [true, true] => return Ok(None),
        [false, false] => return Err(Contradiction::Middle(cell)),
        [along_row, _] => usize::from(!along_row),
    };
    let mut found = Board::EMPTY;
    found.ship.insert_line(axis, at[axis], 0b101 << at[1 - axis] >> 1);
    let across = ends(1 - axis, at[1 - axis], at[axis], 1).into_iter().flatten();
    across.filter(|&(axis, _, place)| place < sea.width(axis)).for_each(|(a, line, place)| found.water.insert(a, line, place));
    Step::new(Reason::Middle { cell }, board, &found)
}

/// Whether a ship can go on from this place of a line on both sides.
fn can_lie(sea: &Sea, board: &Board, axis: usize, line: usize, place: usize) -> bool {
    if place == 0 || place + 1 >= sea.width(axis) {
        return false;
    }
    let (ships, sides) = (board.ship.line(axis, line), 0b101 << (place - 1));
    let in_count = sea.count(axis, line).is_none_or(|count| (ships | sides).count_ones() as usize <= count);
    board.water.line(axis, line) & sides == 0 && in_count
}

/// Ships that are as long as can be, and those that must go on.
fn open_runs(sea: &Sea, board: &Board, survey: &Survey) -> Found {
    for run in &survey.open {
        let ship = Sea::ship(run.axis, run.line, run.start, run.len);
        let (ways, cells) = run.growth(sea, board);
        if run.len == survey.longest {
            return Step::water(Reason::Finished { ship }, board, cells);
        }
        if survey.left[run.len] == 0 && ways == 1 {
            return Step::ships(Reason::GoesOn { ship }, board, cells);
        }
    }
    Ok(None)
}

/// Cells that would join ship cells to a ship longer than any left.
fn too_long(sea: &Sea, board: &Board, survey: &Survey) -> Found {
    let mut water = Cells::EMPTY;
    for axis in 0..2 {
        for line in 0..sea.lines(axis) {
            let ships = board.ship.line(axis, line);
            let joined = sea.open(board, axis, line) & (ships << 1 | ships >> 1);
            for place in ones(joined).filter(|&place| run_through(ships, place) > survey.longest) {
                water.insert(axis, line, place);
            }
        }
    }
    Step::water(Reason::TooLong { longest: survey.longest }, board, water)
}

/// How many cells in a row there are around this place, if it is one of them.
pub(super) fn run_through(bits: u32, place: usize) -> usize {
    let before = if place == 0 { 0 } else { (bits << (32 - place)).leading_ones() };
    before as usize + 1 + (bits >> place >> 1).trailing_ones() as usize
}

/// Cells with room only for ships shorter than any left.
fn no_room(sea: &Sea, board: &Board, survey: &Survey) -> Found {
    let Some(shortest) = survey.shortest().filter(|&shortest| shortest > 1) else { return Ok(None) };
    let mut roomy = Cells::EMPTY;
    for axis in 0..2 {
        for line in 0..sea.lines(axis) {
            let free = sea.mask(axis) & !board.water.line(axis, line);
            let room = ones(free).filter(|&place| run_through(free, place) >= shortest);
            room.for_each(|place| roomy.insert(axis, line, place));
        }
    }
    Step::water(Reason::NoRoom { shortest }, board, sea.unknown(board).minus(&roomy))
}
