//! The rules of hard puzzles: all places for a ship, and all ways to fill a line.

use super::ships::{Survey, run_through};
use super::{Contradiction, Found, Reason, Step};
use crate::Line;
use crate::board::{Board, MAX, Sea, ones, span};

/// More ways than this are not gone through: nobody would.
const MAX_WAYS: usize = 5_000;

pub(super) fn next(sea: &Sea, board: &Board, survey: &Survey) -> Found {
    for length in (1..=survey.longest).rev().filter(|&length| survey.left[length] > 0) {
        if let Some(step) = only_place(sea, board, length, usize::from(survey.left[length]))? {
            return Ok(Some(step));
        }
    }
    for axis in 0..2 {
        for line in 0..sea.lines(axis) {
            if let Some(step) = every_way(sea, board, axis, line, survey.longest)? {
                return Ok(Some(step));
            }
        }
    }
    Ok(None)
}

/// A place for a ship.
#[derive(Clone, Copy)]
struct Place {
    axis: usize,
    line: usize,
    start: usize,
    len: usize,
}

impl Place {
    /// Its cells as ship, and the cells around it as water.
    fn board(self, sea: &Sea) -> Board {
        let mut board = Board::EMPTY;
        let cells = span(self.start, self.len);
        let wide = (cells << 1 | cells | cells >> 1) & sea.mask(self.axis);
        board.ship.insert_line(self.axis, self.line, cells);
        board.water.insert_line(self.axis, self.line, wide & !cells);
        for line in [self.line.wrapping_sub(1), self.line + 1] {
            if line < sea.lines(self.axis) {
                board.water.insert_line(self.axis, line, wide);
            }
        }
        board
    }
}

/// All places for a ship of this length that isn't found whole yet.
fn places(sea: &Sea, board: &Board, len: usize) -> Vec<Place> {
    let mut places = Vec::new();
    let axes = if len == 1 { 0..1 } else { 0..2 };
    for axis in axes {
        for line in 0..sea.lines(axis) {
            let starts = starts(sea, board, axis, line, len);
            places.extend(ones(starts).map(|start| Place { axis, line, start, len }));
        }
    }
    places.retain(|place| is_possible(sea, board, *place));
    places
}

/// Where in the line that many cells without water start.
fn starts(sea: &Sea, board: &Board, axis: usize, line: usize, len: usize) -> u32 {
    let free = sea.mask(axis) & !board.water.line(axis, line);
    (1..len).fold(free, |starts, shift| starts & free >> shift)
}

/// Whether a ship can lie on cells of which none is water.
fn is_possible(sea: &Sea, board: &Board, place: Place) -> bool {
    let Place { axis, line, start, len } = place;
    let (cells, ships) = (span(start, len), board.ship.line(axis, line));
    let wide = cells << 1 | cells | cells >> 1;
    let beside = board.ship.line(axis, line.wrapping_sub(1)) | board.ship.line(axis, line + 1);
    let touches = (ships & wide & !cells) | (beside & wide) != 0;
    let in_count = sea.count(axis, line).is_none_or(|count| (ships | cells).count_ones() as usize <= count);
    let ends = 1 << start | 1 << (start + len - 1);
    let middle_at_end = sea.middles.line(axis, line) & ends != 0;
    !touches && in_count && !middle_at_end && !is_found(sea, board, place)
}

/// Whether the whole ship is known already, with the water around it.
fn is_found(sea: &Sea, board: &Board, place: Place) -> bool {
    let cells = span(place.start, place.len);
    if board.ship.line(place.axis, place.line) & cells != cells {
        return false;
    }
    let known = place.board(sea);
    known.water.minus(&board.water).is_empty()
}

/// The places for all ships of a length: what they share, or all of them if there are only as many as ships.
fn only_place(sea: &Sea, board: &Board, length: usize, left: usize) -> Found {
    let places = places(sea, board, length);
    if places.len() < left {
        return Err(Contradiction::NoPlace(length));
    }
    let reason = Reason::OnlyPlace { length, left, places: places.len() };
    let boards = places.iter().map(|place| place.board(sea));
    if places.len() == left {
        return Step::new(reason, board, &boards.fold(Board::EMPTY, |all, place| all.union(&place)));
    }
    match shared(boards) {
        Some(shared) => Step::new(reason, board, &shared),
        None => Ok(None),
    }
}

/// What all places have in common, if that is anything.
fn shared(mut boards: impl Iterator<Item = Board>) -> Option<Board> {
    let first = boards.next()?;
    boards.try_fold(first, |shared, place| Some(shared.intersection(&place)).filter(|shared| !shared.is_empty()))
}

/// What all ways to fill a line share.
fn every_way(sea: &Sea, board: &Board, axis: usize, line: usize, longest: usize) -> Found {
    let Some(count) = sea.count(axis, line) else { return Ok(None) };
    let (ships, open) = (board.ship.line(axis, line), sea.open(board, axis, line));
    let missing = count.saturating_sub(ships.count_ones() as usize);
    // Without a ship that could become too long, every choice of cells is a way.
    if missing == 0 || longest >= count || binomial(open.count_ones() as usize, missing) > MAX_WAYS {
        return Ok(None);
    }
    let (mut always, mut ever) = (open, 0);
    for chosen in choices(open, missing).filter(|&chosen| is_way(ships, chosen, longest)) {
        always &= chosen;
        ever |= chosen;
    }
    let name = Line::new(axis, line);
    if ever == 0 {
        return Err(Contradiction::NoWay(name));
    }
    let mut found = Board::EMPTY;
    found.ship.insert_line(axis, line, always);
    found.water.insert_line(axis, line, open & !ever);
    Step::new(Reason::EveryWay { line: name, count, longest }, board, &found)
}

fn binomial(n: usize, k: usize) -> usize {
    (0..k.min(n)).fold(1, |product, i| product * (n - i) / (i + 1))
}

/// Whether the chosen cells make no ship longer than the longest left. Ships that are found whole may be longer.
fn is_way(ships: u32, chosen: u32, longest: usize) -> bool {
    ones(chosen).all(|place| run_through(ships | chosen, place) <= longest)
}

/// All ways to choose so many of the ones.
fn choices(bits: u32, number: usize) -> impl Iterator<Item = u32> {
    let places: Vec<usize> = ones(bits).collect();
    let end = 1_u64 << places.len();
    let first = (1_u64 << number) - 1;
    let packed = std::iter::successors((first < end).then_some(first), move |&choice| {
        // The next larger number with as many ones.
        let low = choice & choice.wrapping_neg();
        let ripple = choice + low;
        Some(ripple | (((choice ^ ripple) >> 2) / low)).filter(|&next| next < end)
    });
    packed.map(move |choice| {
        let chosen = places.iter().enumerate().filter(|&(i, _)| choice >> i & 1 == 1);
        chosen.fold(0, |bits, (_, &place)| bits | 1 << place)
    })
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
