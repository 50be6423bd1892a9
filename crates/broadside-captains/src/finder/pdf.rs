//! Finder `pdf`: algorithms 6 to 8 of “CSE 202: Project Algorithmic Solutions” (Martakis, Sharan, Choudhary and Gupta, UC San Diego, 2023).
//!
//! For each cell the number of placements of the ships left through it, on cells not fired at; the largest is next.
//! A shot changes the numbers only along its row and column, so the table is kept through the whole game and brought
//! up to date shot by shot, with a heap to find the largest, as the report's conclusion asks.
//!
//! Where this departs from the pseudocode:
//! - Algorithm 7's second loop lacks the test that a cell is unexplored; here no explored cell ever has a number.
//! - The report updates after misses only, since its search ends with a hit; kept through the game, the table must
//!   take in every shot.
//! - It counts the free cells in four directions anew for each cell. Between a new obstacle and the next old one all those
//!   numbers follow from the cell's distance, which its own note on keeping them asks for.
//! - It deletes and inserts each changed cell in the heap. Numbers only fall until a ship sinks, so here the heap
//!   holds each cell once with a number not too small, and the top is put right when it is looked at.
//! - The report's formula counts a ship of length 1 twice, once for each orientation; here once.
//!
//! - Figures 7 and 8 don't show the sum that algorithm 6 and the prose describe, but its running total: with the ships
//!   in increasing order, the sum over the first, the first two, the first three, … added up, and a ship that doesn't
//!   fit counted as less than nothing instead of 0 (the corner of figure 7 shows 20; eight placements go through
//!   it). The captain counts placements; a test shows the figures, number for number, from the same table with
//!   the figures' way of adding up.
//!
//! Ties go to the first cell in reading order; the report doesn't say.

use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use broadside_rules::{Orientation, Rules};

use crate::GameRng;
use crate::bits::Bits;
use crate::board::{Board, Direction};
use crate::density::fallback_shot;
use crate::pair::Finder;
use crate::position::Position;
use crate::ships_left::ShipsLeft;

/// Looks where most placements go through.
pub(crate) struct Pdf<B> {
    /// What the table was made for.
    left: Option<ShipsLeft>,
    /// The cells that hold no ship to be found: fired at, or ruled out.
    closed: B,
    /// For each orientation and cell, the placements through it.
    along: [Vec<u32>; 2],
    rates: Rates,
    heap: BinaryHeap<Entry>,
}

/// How many placements go through a cell with this much room on its two sides.
struct Rates {
    /// More room than this changes nothing.
    room: usize,
    horizontal: Vec<u32>,
    vertical: Vec<u32>,
}

/// A cell in the heap: first the number, then the place in reading order, the earlier the larger.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    count: u32,
    from_end: u32,
}

impl Entry {
    fn new(cell: usize, count: u32) -> Self {
        Self { count, from_end: u32::MAX - cell as u32 }
    }

    fn cell(self) -> usize {
        (u32::MAX - self.from_end) as usize
    }
}

impl Rates {
    fn new(left: &ShipsLeft) -> Self {
        let room = left.longest() - 1;
        let mut vertical = vec![0; (room + 1) * (room + 1)];
        for (length, ships) in left.classes().filter(|&(length, _)| length > 1) {
            for (i, rate) in vertical.iter_mut().enumerate() {
                *rate += (ships * placements(i / (room + 1), i % (room + 1), length)) as u32;
            }
        }
        // A single cell has no orientation; it counts as horizontal.
        let singles = left.classes().find(|&(length, _)| length == 1).map_or(0, |(_, ships)| ships as u32);
        Self { room, horizontal: vertical.iter().map(|rate| rate + singles).collect(), vertical }
    }

    fn get(&self, orientation: Orientation, a: usize, b: usize) -> u32 {
        let index = a.min(self.room) * (self.room + 1) + b.min(self.room);
        match orientation {
            Orientation::Horizontal => self.horizontal[index],
            Orientation::Vertical => self.vertical[index],
        }
    }
}

/// How many placements of one ship along a line go through a cell with `a` free cells on one side and `b` on the other.
fn placements(a: usize, b: usize, length: usize) -> usize {
    (a.min(length - 1) + b.min(length - 1) + 2).saturating_sub(length)
}

impl<B: Bits> Pdf<B> {
    pub(crate) fn new(rules: &Rules) -> Self {
        let none = vec![0; rules.grid().len()];
        Self {
            left: None,
            closed: B::EMPTY,
            along: [none.clone(), none],
            rates: Rates { room: 0, horizontal: Vec::new(), vertical: Vec::new() },
            heap: BinaryHeap::new(),
        }
    }

    /// Brings the table up to date with the position.
    fn update(&mut self, position: &Position<B>) {
        let closed = position.fired() | position.ruled_out();
        let fallen = (self.closed & !closed).is_empty();
        if fallen && self.left.as_ref() == Some(position.left()) {
            let new = closed & !self.closed;
            new.iter().for_each(|cell| self.close(position.board(), cell));
        } else {
            self.start_over(position, closed);
        }
    }

    /// Algorithm 7: the numbers along the row and column of a cell that is no longer free.
    fn close(&mut self, board: &Board<B>, cell: usize) {
        self.closed |= B::only(cell);
        let free = board.all() & !self.closed;
        for direction in Direction::ALL {
            let orientation = direction.orientation();
            let run = board.reach(free, cell, direction, 2 * self.rates.room);
            for distance in 1..=run.min(self.rates.room) {
                let near = board.step(cell, direction, distance).expect("a cell within reach");
                self.along[orientation as usize][near] = self.rates.get(orientation, distance - 1, run - distance);
            }
        }
    }

    /// Algorithm 6: the whole table.
    fn start_over(&mut self, position: &Position<B>, closed: B) {
        if self.left.as_ref() != Some(position.left()) {
            self.rates = Rates::new(position.left());
            self.left = Some(position.left().clone());
        }
        self.closed = closed;
        let grid = position.board().grid();
        for row in 0..grid.rows() {
            self.fill(Orientation::Horizontal, row * grid.cols(), 1, grid.cols());
        }
        for col in 0..grid.cols() {
            self.fill(Orientation::Vertical, col, grid.cols(), grid.rows());
        }
        let mut entries = std::mem::take(&mut self.heap).into_vec();
        entries.clear();
        let free = position.board().all() & !closed;
        entries.extend(free.iter().map(|cell| Entry::new(cell, self.count(cell))).filter(|entry| entry.count > 0));
        self.heap = entries.into();
    }

    /// The numbers of one row or column.
    fn fill(&mut self, orientation: Orientation, first: usize, stride: usize, len: usize) {
        let mut start = 0;
        for end in 0..=len {
            if end == len || self.closed.has(first + end * stride) {
                for i in start..end {
                    self.along[orientation as usize][first + i * stride] = self.rates.get(orientation, i - start, end - 1 - i);
                }
                start = end + 1;
            }
        }
    }

    fn count(&self, cell: usize) -> u32 {
        self.along[0][cell] + self.along[1][cell]
    }

    /// The number of every cell; 0 for those that are closed.
    fn table(&self) -> Vec<u32> {
        (0..self.along[0].len()).map(|cell| if self.closed.has(cell) { 0 } else { self.count(cell) }).collect()
    }

    /// The cell with the largest number. It stays in the heap, for nobody has fired at it yet.
    fn largest(&mut self) -> Option<usize> {
        loop {
            let top = *self.heap.peek()?;
            let count = if self.closed.has(top.cell()) { 0 } else { self.count(top.cell()) };
            match self.heap.peek_mut() {
                _ if count == top.count => return Some(top.cell()),
                Some(mut stale) if count > 0 => stale.count = count,
                stale => drop(stale.map(PeekMut::pop)),
            }
        }
    }
}

impl<B: Bits> Finder<B> for Pdf<B> {
    fn find(&mut self, position: &Position<B>, _rng: &mut GameRng) -> usize {
        self.update(position);
        self.largest().unwrap_or_else(|| fallback_shot(position))
    }

    fn scores(&mut self, position: &Position<B>) -> (Vec<Option<f64>>, String) {
        self.update(position);
        let table = self.table();
        let words = "most placements of the ships left go through it".to_string();
        (position.scores(position.unfired(), |cell| f64::from(table[cell])), words)
    }
}

#[cfg(test)]
mod tests {
    use broadside_rules::{Placement, ShotLog};
    use proptest::prelude::*;

    use super::*;
    use crate::bits::Wide;

    const FIGURE_7: [[u32; 15]; 10] = [
        [20, 30, 36, 42, 45, 46, 46, 46, 46, 46, 45, 42, 36, 30, 20],
        [30, 40, 46, 52, 55, 56, 56, 56, 56, 56, 55, 52, 46, 40, 30],
        [36, 46, 52, 58, 61, 62, 62, 62, 62, 62, 61, 58, 52, 46, 36],
        [42, 52, 58, 64, 67, 68, 68, 68, 68, 68, 67, 64, 58, 52, 42],
        [45, 55, 61, 67, 70, 71, 71, 71, 71, 71, 70, 67, 61, 55, 45],
        [45, 55, 61, 67, 70, 71, 71, 71, 71, 71, 70, 67, 61, 55, 45],
        [42, 52, 58, 64, 67, 68, 68, 68, 68, 68, 67, 64, 58, 52, 42],
        [36, 46, 52, 58, 61, 62, 62, 62, 62, 62, 61, 58, 52, 46, 36],
        [30, 40, 46, 52, 55, 56, 56, 56, 56, 56, 55, 52, 46, 40, 30],
        [20, 30, 36, 42, 45, 46, 46, 46, 46, 46, 45, 42, 36, 30, 20],
    ];

    /// The report prints a dot where the miss is.
    const FIGURE_8: [[u32; 15]; 10] = [
        [20, 30, 36, 42, 45, 46, 46, 45, 46, 46, 45, 42, 36, 30, 20],
        [30, 40, 46, 52, 55, 56, 56, 52, 56, 56, 55, 52, 46, 40, 30],
        [36, 46, 52, 58, 61, 62, 62, 52, 62, 62, 61, 58, 52, 46, 36],
        [42, 52, 58, 64, 67, 68, 68, 52, 68, 68, 67, 64, 58, 52, 42],
        [45, 55, 61, 67, 70, 71, 71, 45, 71, 71, 70, 67, 61, 55, 45],
        [45, 55, 60, 63, 60, 55, 45, 0, 45, 55, 60, 63, 60, 55, 45],
        [42, 52, 58, 64, 67, 68, 68, 42, 68, 68, 67, 64, 58, 52, 42],
        [36, 46, 52, 58, 61, 62, 62, 46, 62, 62, 61, 58, 52, 46, 36],
        [30, 40, 46, 52, 55, 56, 56, 46, 56, 56, 55, 52, 46, 40, 30],
        [20, 30, 36, 42, 45, 46, 46, 42, 46, 46, 45, 42, 36, 30, 20],
    ];

    /// The figures' way of adding up; see the head of this file.
    fn running_total(left: &ShipsLeft) -> Rates {
        let room = left.longest() - 1;
        let total = |a: usize, b: usize| {
            let lengths = left.classes().rev().flat_map(|(length, ships)| std::iter::repeat_n(length, ships));
            let terms = lengths.map(|length| (a.min(length - 1) + b.min(length - 1) + 2).cast_signed() - length.cast_signed());
            terms
                .scan(0, |sum, term| {
                    *sum += term;
                    Some(*sum)
                })
                .sum::<isize>()
        };
        let rates: Vec<u32> =
            (0..=room).flat_map(|a| (0..=room).map(move |b| total(a, b).max(0).cast_unsigned() as u32)).collect();
        Rates { room, horizontal: rates.clone(), vertical: rates }
    }

    #[test]
    fn figures_7_and_8_number_for_number() {
        let rules: Rules = "10x15 6,5,4,2 allowed ship".parse().unwrap();
        let (mut log, mut position, mut pdf) = (ShotLog::new(&rules), Position::<Wide<2>>::new(&rules), Pdf::new(&rules));
        position.read(&log);
        pdf.left = Some(position.left().clone());
        pdf.rates = running_total(position.left());
        pdf.start_over(&position, Wide::EMPTY);
        assert_eq!(pdf.table(), FIGURE_7.concat());
        // Row 6, column 8.
        log.push("F8-".parse().unwrap()).unwrap();
        position.read(&log);
        pdf.update(&position);
        assert_eq!(pdf.table(), FIGURE_8.concat());
    }

    #[test]
    fn eight_placements_go_through_a_corner() {
        let rules: Rules = "10x15 6,5,4,2 allowed ship".parse().unwrap();
        let (mut position, mut pdf) = (Position::<Wide<2>>::new(&rules), Pdf::new(&rules));
        position.read(&ShotLog::new(&rules));
        pdf.update(&position);
        assert_eq!(pdf.table()[..3], [8, 12, 15]);
    }

    /// Counts the placements through each cell one by one.
    fn recounted<B: Bits>(position: &Position<B>) -> Vec<u32> {
        let (grid, closed) = (position.board().grid(), position.fired() | position.ruled_out());
        let mut table = vec![0; grid.len()];
        for (length, ships) in position.left().classes() {
            for ship in Placement::all(grid, broadside_rules::Length::new(length).unwrap()) {
                let cells: Vec<usize> = ship.cells().map(|cell| grid.index(cell)).collect();
                if cells.iter().all(|&cell| !closed.has(cell)) {
                    for cell in cells {
                        table[cell] += ships as u32;
                    }
                }
            }
        }
        table
    }

    proptest! {
        #[test]
        fn the_table_kept_through_a_game_equals_the_one_counted_anew((rules, seed) in crate::testing::rules_and_seed()) {
            let (mut position, mut pdf) = (Position::<Wide<2>>::new(&rules), Pdf::new(&rules));
            crate::testing::random_game(&rules, seed, |log| {
                position.read(log);
                pdf.update(&position);
                let table = recounted(&position);
                assert_eq!(pdf.table(), table);
                let best = (0..table.len()).rev().max_by_key(|&cell| table[cell]).filter(|&cell| table[cell] > 0);
                assert_eq!(pdf.largest(), best);
            });
        }
    }
}
