//! The rules of medium puzzles: what is known of single ships.

use super::{Contradiction, Reason, Told, Work};
use crate::board::{Board, Cells, MAX, Sea, Stretch, ones, span};

/// The ships as far as they are known.
pub(super) struct Survey {
    /// Known ship cells that belong together and may be more. A single cell counts as lying along its row.
    open: Vec<Stretch>,
    /// How many ships of each length are not yet found whole.
    pub(super) left: [u8; MAX + 1],
    /// The longest length left; 0 when all ships are found.
    pub(super) longest: usize,
}

impl Survey {
    pub(super) fn new(sea: &Sea, board: &Board) -> Result<Self, Contradiction> {
        let mut survey = Self { open: Vec::new(), left: sea.fleet, longest: 0 };
        for run in runs(sea, board) {
            if ways(run, sea, board).next().is_some() {
                survey.open.push(run);
            } else if survey.left[run.len] == 0 {
                return Err(Contradiction::TooMany(run.len));
            } else {
                survey.left[run.len] -= 1;
            }
        }
        survey.longest = survey.left.iter().rposition(|&left| left > 0).unwrap_or(0);
        match survey.open.iter().find(|run| run.len > survey.longest) {
            Some(run) => Err(Contradiction::TooLong(run.ship())),
            None => Ok(survey),
        }
    }

    fn shortest(&self) -> Option<usize> {
        self.left.iter().position(|&left| left > 0)
    }
}

/// All runs of ship cells: those of two cells and more along their line, and single cells.
fn runs(sea: &Sea, board: &Board) -> Vec<Stretch> {
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
                    runs.push(Stretch { axis, line, start, len });
                }
            }
        }
    }
    runs
}

/// The cells by which a run could grow, as axis, line and place: those next to its ends that are not water.
fn ways(run: Stretch, sea: &Sea, board: &Board) -> impl Iterator<Item = (usize, usize, usize)> {
    let along = ends(run.axis, run.line, run.start, run.len);
    let across = ends(1 - run.axis, run.start, run.line, 1);
    let all = along.into_iter().chain(across.into_iter().filter(move |_| run.len == 1));
    let (widths, water) = ([sea.width(0), sea.width(1)], board.water);
    all.flatten().filter(move |&(axis, line, place)| place < widths[axis] && !water.contains(axis, line, place))
}

/// The cells before and after a stretch of a line; the latter may be off the board.
fn ends(axis: usize, line: usize, start: usize, len: usize) -> [Option<(usize, usize, usize)>; 2] {
    [start.checked_sub(1).map(|place| (axis, line, place)), Some((axis, line, start + len))]
}

pub(super) fn tell(work: &mut Work, survey: &Survey) -> Told {
    for rule in [middles, open_runs, too_long, no_room] {
        rule(work, survey)?;
        // The survey is of the board as it was.
        if work.changed {
            return Ok(());
        }
    }
    Ok(())
}

fn middles(work: &mut Work, _: &Survey) -> Told {
    let sea = work.sea;
    sea.middles.iter().try_for_each(|(row, column)| middle(work, [row, column]))
}

/// Which way the ship of a revealed middle lies.
fn middle(work: &mut Work, at: [usize; 2]) -> Told {
    let (sea, cell) = (work.sea, Sea::cell(0, at[0], at[1]));
    let possible = [0, 1].map(|axis| can_lie(sea, &work.board, axis, at[axis], at[1 - axis]));
    let axis = match possible {
        [true, true] => return Ok(()),
        [false, false] => return Err(Contradiction::Middle(cell).into()),
        [along_row, _] => usize::from(!along_row),
    };
    let mut found = Board::EMPTY;
    found.ship.insert_line(axis, at[axis], 0b101 << at[1 - axis] >> 1);
    let across = ends(1 - axis, at[1 - axis], at[axis], 1).into_iter().flatten();
    across.filter(|&(axis, _, place)| place < sea.width(axis)).for_each(|(a, line, place)| found.water.insert(a, line, place));
    work.tell(Reason::Middle { cell }, &found)
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
fn open_runs(work: &mut Work, survey: &Survey) -> Told {
    for run in &survey.open {
        let ship = run.ship();
        let mut cells = Cells::EMPTY;
        let ways = ways(*run, work.sea, &work.board).map(|(axis, line, place)| cells.insert(axis, line, place)).count();
        if run.len == survey.longest {
            work.tell(Reason::Finished { ship }, &Board { ship: Cells::EMPTY, water: cells })?;
        } else if survey.left[run.len] == 0 && ways == 1 {
            work.tell(Reason::GoesOn { ship }, &Board { ship: cells, water: Cells::EMPTY })?;
        }
    }
    Ok(())
}

/// Cells that would join ship cells to a ship longer than any left.
fn too_long(work: &mut Work, survey: &Survey) -> Told {
    let mut found = Board::EMPTY;
    for axis in 0..2 {
        for line in 0..work.sea.lines(axis) {
            let ships = work.board.ship.line(axis, line);
            let joined = work.sea.open(&work.board, axis, line) & (ships << 1 | ships >> 1);
            for place in ones(joined).filter(|&place| run_through(ships, place) > survey.longest) {
                found.water.insert(axis, line, place);
            }
        }
    }
    work.tell(Reason::TooLong { longest: survey.longest }, &found)
}

/// How many cells in a row there are around this place, if it is one of them.
pub(super) fn run_through(bits: u32, place: usize) -> usize {
    let before = if place == 0 { 0 } else { (bits << (32 - place)).leading_ones() };
    before as usize + 1 + (bits >> place >> 1).trailing_ones() as usize
}

/// Cells with room only for ships shorter than any left.
fn no_room(work: &mut Work, survey: &Survey) -> Told {
    let Some(shortest) = survey.shortest().filter(|&shortest| shortest > 1) else { return Ok(()) };
    let mut roomy = Cells::EMPTY;
    for axis in 0..2 {
        for line in 0..work.sea.lines(axis) {
            let free = work.sea.mask(axis) & !work.board.water.line(axis, line);
            let room = ones(free).filter(|&place| run_through(free, place) >= shortest);
            room.for_each(|place| roomy.insert(axis, line, place));
        }
    }
    let water = work.sea.unknown(&work.board).minus(&roomy);
    work.tell(Reason::NoRoom { shortest }, &Board { ship: Cells::EMPTY, water })
}
