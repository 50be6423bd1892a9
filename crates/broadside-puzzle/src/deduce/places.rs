//! The rules of hard puzzles: all places for a ship, and all ways to fill a line.

use super::ships::{Survey, run_through};
use super::{Contradiction, Reason, Told, Work};
use crate::Line;
use crate::board::{Board, MAX, Sea, Stretch, ones, span};

/// More ways than this are not gone through: nobody would.
const MAX_WAYS: usize = 5_000;

pub(super) fn tell(work: &mut Work, survey: &Survey) -> Told {
    for length in (1..=survey.longest).rev().filter(|&length| survey.left[length] > 0) {
        only_place(work, length, usize::from(survey.left[length]))?;
        // The survey is of the board as it was.
        if work.changed {
            return Ok(());
        }
    }
    for axis in 0..2 {
        for line in 0..work.sea.lines(axis) {
            every_way(work, axis, line, survey.longest)?;
        }
    }
    Ok(())
}

/// All places for a ship of this length that isn't found whole yet.
fn places<'a>(sea: &'a Sea, board: &'a Board, len: usize) -> impl Iterator<Item = Stretch> + 'a {
    let axes = if len == 1 { 0..1 } else { 0..2 };
    let lines = axes.flat_map(|axis| (0..sea.lines(axis)).map(move |line| (axis, line)));
    let places = lines.flat_map(move |(axis, line)| {
        ones(starts(sea, board, axis, line, len)).map(move |start| Stretch { axis, line, start, len })
    });
    places.filter(|place| is_possible(sea, board, *place))
}

/// Where in the line that many cells without water start.
fn starts(sea: &Sea, board: &Board, axis: usize, line: usize, len: usize) -> u32 {
    let free = sea.mask(axis) & !board.water.line(axis, line);
    (1..len).fold(free, |starts, shift| starts & free >> shift)
}

/// Whether a ship can lie on cells of which none is water.
fn is_possible(sea: &Sea, board: &Board, place: Stretch) -> bool {
    let Stretch { axis, line, start, len } = place;
    let ships = board.ship.line(axis, line);
    let in_count = sea.count(axis, line).is_none_or(|count| (ships | place.bits()).count_ones() as usize <= count);
    let ends = 1 << start | 1 << (start + len - 1);
    let middle_at_end = sea.middles.line(axis, line) & ends != 0;
    in_count && !middle_at_end && !place.touches(&board.ship) && !is_found(sea, board, place)
}

/// Whether the whole ship is known already, with the water around it.
fn is_found(sea: &Sea, board: &Board, place: Stretch) -> bool {
    let is_ship = board.ship.line(place.axis, place.line) & place.bits() == place.bits();
    is_ship && place.board(sea).water.minus(&board.water).is_empty()
}

/// The places for all ships of a length: what they share, or all of them if there are only as many as ships.
fn only_place(work: &mut Work, length: usize, left: usize) -> Told {
    let (mut number, mut all, mut shared) = (0, Board::EMPTY, None::<Board>);
    for place in places(work.sea, &work.board, length) {
        number += 1;
        let place = place.board(work.sea);
        if number <= left {
            all = all.union(&place);
        }
        let common = shared.map_or(place, |shared| shared.intersection(&place));
        shared = Some(common);
        if number > left && common.is_empty() {
            return Ok(());
        }
    }
    if number < left {
        return Err(Contradiction::NoPlace(length).into());
    }
    let found = if number == left { all } else { shared.unwrap_or(Board::EMPTY) };
    work.tell(Reason::OnlyPlace { length, left, places: number }, &found)
}

/// What all ways to fill a line share.
fn every_way(work: &mut Work, axis: usize, line: usize, longest: usize) -> Told {
    let Some(count) = work.sea.count(axis, line) else { return Ok(()) };
    let (ships, open) = (work.board.ship.line(axis, line), work.sea.open(&work.board, axis, line));
    let missing = count.saturating_sub(ships.count_ones() as usize);
    // Without a ship that could become too long, every choice of cells is a way.
    let no_limit = longest >= count || ones(open).all(|place| run_through(ships | open, place) <= longest);
    if missing == 0 || no_limit || binomial(open.count_ones() as usize, missing) > MAX_WAYS {
        return Ok(());
    }
    let (always, ever) = Ways { ships, open, longest, missing, width: work.sea.width(axis) }.shared();
    let name = Line::new(axis, line);
    if ever == 0 {
        return Err(Contradiction::NoWay(name).into());
    }
    work.tell_line(Reason::EveryWay { line: name, count, longest }, [axis, line], always, open & !ever)
}

fn binomial(n: usize, k: usize) -> usize {
    (0..k.min(n)).fold(1, |product, i| product * (n - i) / (i + 1))
}

/// The ways to choose so many open cells of a line for ships, with no ship through a chosen cell longer than the longest
/// left. Ships that are found whole may be longer.
struct Ways {
    ships: u32,
    open: u32,
    longest: usize,
    missing: usize,
    width: usize,
}

/// How many cells may be chosen up to a place, a bit for each number: by the length of the run of ship cells that ends
/// there, first for runs without a chosen cell, then for those with one.
type Reach = [[u32; MAX + 1]; 2];

impl Ways {
    /// The open cells that all ways choose, and those that any chooses.
    fn shared(&self) -> (u32, u32) {
        let (forward, backward) = (self.reaches(false), self.reaches(true));
        let (mut always, mut ever) = (0, 0);
        for place in ones(self.open) {
            let (before, after) = (&forward[place], &backward[self.width - 1 - place]);
            let can_be_water = meet(any(before), any(after), self.missing);
            let can_be_ship = self.can_be_chosen(before, after);
            always |= u32::from(can_be_ship && !can_be_water) << place;
            ever |= u32::from(can_be_ship) << place;
        }
        (always, ever)
    }

    /// What is reached before each place, from the start of the line or from its end.
    fn reaches(&self, from_end: bool) -> [Reach; MAX] {
        let mut reaches = [[[0; MAX + 1]; 2]; MAX];
        let mut reach: Reach = [[0; MAX + 1]; 2];
        reach[0][0] = 1;
        for (step, before) in reaches.iter_mut().enumerate().take(self.width) {
            *before = reach;
            let place = if from_end { self.width - 1 - step } else { step };
            reach = self.next(&reach, place);
        }
        reaches
    }

    fn next(&self, before: &Reach, place: usize) -> Reach {
        let mut after: Reach = [[0; MAX + 1]; 2];
        let (is_ship, is_open) = (self.ships >> place & 1 == 1, self.open >> place & 1 == 1);
        if !is_ship {
            after[0][0] = any(before);
        }
        for run in 1..=MAX {
            if is_ship {
                after[0][run] = before[0][run - 1];
                after[1][run] = if run <= self.longest { before[1][run - 1] } else { 0 };
            } else if is_open && run <= self.longest {
                after[1][run] = (before[0][run - 1] | before[1][run - 1]) << 1;
            }
        }
        after
    }

    /// Whether the runs on both sides of a chosen cell can be such that the ship isn't too long.
    fn can_be_chosen(&self, before: &Reach, after: &Reach) -> bool {
        let both = |reach: &Reach, run: usize| reach[0][run] | reach[1][run];
        let runs = (0..self.longest).flat_map(|left| (0..self.longest - left).map(move |right| (left, right)));
        runs.into_iter().any(|(left, right)| meet(both(before, left), both(after, right), self.missing - 1))
    }
}

/// Whether a number of one side and a number of the other come to the sum.
fn meet(before: u32, after: u32, sum: usize) -> bool {
    ones(before & span(0, sum + 1)).any(|number| after >> (sum - number) & 1 == 1)
}

fn any(reach: &Reach) -> u32 {
    reach.iter().flatten().fold(0, |all, &numbers| all | numbers)
}

/// The open cell that most places of the longest ship left cover: deciding it decides the most.
pub(crate) fn most_wanted_cell(sea: &Sea, board: &Board) -> Option<(usize, usize)> {
    let unknown = sea.unknown(board);
    let survey = Survey::new(sea, board).ok()?;
    let mut wanted = [[0_u16; MAX]; MAX];
    for place in places(sea, board, survey.longest.max(1)) {
        place.board(sea).ship.iter().for_each(|(row, column)| wanted[row][column] += 1);
    }
    unknown.iter().max_by_key(|&(row, column)| (wanted[row][column], std::cmp::Reverse((row, column))))
}
