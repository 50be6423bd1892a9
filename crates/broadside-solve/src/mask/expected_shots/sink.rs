//! After the first hit: how many shots until the ship is sunk.
//!
//! Two models.
//!
//! * **By the placements** ([`SinkingCost`]): the shooter knows the length and which placements through the
//!   hit are still possible, all equally likely. A shot at a cell under all of them is one of the l − 1
//!   hits that are needed anyway, and tells nothing. So only misses count, and only shots that split the
//!   possible placements matter. *Best* has the fewest misses on average, *greedy* fires at the most
//!   likely cell.
//! * **By the neighbours** ([`neighbour_shots`]): first the neighbours of the hit in random order until
//!   one is hit, which shows the line. From then on one of the two cells that continue the run of hits,
//!   at random, without cells off the board and cells already shot, until all l are hit. The shooter
//!   uses neither the length nor the room that is left. On a diagonal mask no cell tried here was shot
//!   before: along a line, the next cell of the mask is at distance l, where the ship is already sunk.

use std::collections::HashMap;

use broadside_rules::{Cell, Length, Orientation, Placement};

use super::super::OneShipBoard;
use super::{Expected, whole};

/// A set of placements through one cell. Bit i stands for the horizontal placement that has the cell
/// as its i-th, counted from 0. Bit 64 + i stands for the vertical one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PlacementsThrough(u128);

/// The half of a [`PlacementsThrough`] with the horizontal placements.
const ROW: u128 = (1 << 64) - 1;

impl PlacementsThrough {
    /// Every placement through the cell. For length 1 that is one.
    pub fn all(board: OneShipBoard, cell: Cell) -> Self {
        let along = line(board.size(), cell.col(), board.cols());
        let down = if board.size() == 1 { 0 } else { line(board.size(), cell.row(), board.rows()) };
        Self(along | down << 64)
    }

    /// Number of placements.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no placement.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The placements, given the cell they go through.
    pub fn placements(self, length: Length, cell: Cell) -> impl Iterator<Item = Placement> {
        let half = move |first: usize, orientation: Orientation| {
            let places = (0..length.get()).filter(move |i| self.0 >> (first + i) & 1 == 1);
            places.filter_map(move |i| through(cell, i, length, orientation))
        };
        half(0, Orientation::Horizontal).chain(half(64, Orientation::Vertical))
    }

    /// Takes a placement through the cell out of the set.
    pub fn remove(&mut self, placement: Placement, cell: Cell) {
        self.0 &= !Self::single(placement, cell).0;
    }

    /// Puts a placement through the cell into the set.
    pub fn insert(&mut self, placement: Placement, cell: Cell) {
        self.0 |= Self::single(placement, cell).0;
    }

    /// No placements.
    pub fn empty() -> Self {
        Self(0)
    }

    fn single(placement: Placement, cell: Cell) -> Self {
        let bow = placement.bow();
        Self(match placement.orientation() {
            Orientation::Horizontal => 1 << (cell.col() - bow.col()),
            Orientation::Vertical => 1 << (64 + cell.row() - bow.row()),
        })
    }

    /// For each shot that splits the set, the placements that it hits. In reading order.
    fn splits(self, length: usize) -> impl Iterator<Item = Self> {
        let before = move |d: usize| (ROW >> d << d) & ROW;
        let after = move |d: usize| (1u128 << (length - d)) - 1;
        let up = (1..length).rev().map(move |d| before(d) << 64);
        let left = (1..length).rev().map(before);
        let right = (1..length).map(after);
        let down = (1..length).map(move |d| after(d) << 64);
        let hits = up.chain(left).chain(right).chain(down).map(move |cells| Self(self.0 & cells));
        hits.filter(move |hit| !hit.is_empty() && *hit != self)
    }

    fn without(self, hit: Self) -> Self {
        Self(self.0 & !hit.0)
    }
}

/// The placement with the cell as its i-th.
fn through(cell: Cell, i: usize, length: Length, orientation: Orientation) -> Option<Placement> {
    let ((rows, cols), i) = (orientation.step(), i.cast_signed());
    Placement::new(cell.offset(-rows * i, -cols * i)?, length, orientation)
}

/// The numbers i such that the cell can be the i-th of a ship along a line. The ship starts i cells
/// before it and must end on the board.
fn line(length: usize, place: usize, side: usize) -> u128 {
    (0..length).filter(|&i| i <= place && place - i + length <= side).map(|i| 1u128 << i).sum()
}

/// How the shooter chooses shots after the first hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SinkStrategy {
    /// With the fewest misses on average.
    Best,
    /// Always at the cell under most of the placements left. Of several, the first in reading order.
    Greedy,
}

/// Counts the misses after the first hit. They don't depend on where the hit is, so what has been
/// worked out is kept.
#[derive(Debug, Clone)]
pub struct SinkingCost {
    length: usize,
    strategy: SinkStrategy,
    known: HashMap<PlacementsThrough, usize>,
}

impl SinkingCost {
    /// For ships of one length.
    pub fn new(length: Length, strategy: SinkStrategy) -> Self {
        Self { length: length.get(), strategy, known: HashMap::new() }
    }

    /// The misses after the first hit, summed over the placements of the set.
    pub fn misses(&mut self, through: PlacementsThrough) -> usize {
        if through.len() < 2 {
            return 0;
        }
        if let Some(&known) = self.known.get(&through) {
            return known;
        }
        let misses = self.split(through);
        self.known.insert(through, misses);
        misses
    }

    fn split(&mut self, through: PlacementsThrough) -> usize {
        let hits: Vec<PlacementsThrough> = through.splits(self.length).collect();
        match self.strategy {
            SinkStrategy::Best => hits.into_iter().map(|hit| self.after(through, hit)).min().unwrap_or(0),
            SinkStrategy::Greedy => hits.into_iter().rev().max_by_key(|hit| hit.len()).map_or(0, |hit| self.after(through, hit)),
        }
    }

    /// One miss for each placement that the shot does not hit, and what comes after in both cases.
    fn after(&mut self, through: PlacementsThrough, hit: PlacementsThrough) -> usize {
        let missed = through.without(hit);
        missed.len() + self.misses(missed) + self.misses(hit)
    }
}

/// Expected shots after the first hit, which is at `cell`, by the neighbours.
pub fn neighbour_shots(board: OneShipBoard, placement: Placement, cell: Cell) -> Expected {
    let (bow, length) = (placement.bow(), placement.length().get());
    if length == 1 {
        return Expected::from(0);
    }
    let (place, start, side) = match placement.orientation() {
        Orientation::Horizontal => (cell.col() - bow.col(), bow.col(), board.cols()),
        Orientation::Vertical => (cell.row() - bow.row(), bow.row(), board.rows()),
    };
    let run = Run { before: place, after: length - 1 - place, open_before: start > 0, open_after: start + length < side };
    run.search_neighbours(board.grid().side_neighbours(cell).count())
}

/// A run of hits inside the ship: the number of unhit cells of the ship on either side, and whether
/// there is an unshot cell beyond each end of the ship. A shot at that cell is a miss.
#[derive(Debug, Clone, Copy)]
struct Run {
    before: usize,
    after: usize,
    open_before: bool,
    open_after: bool,
}

impl Run {
    /// From a single hit with this number of neighbours on the board. Of these, `good` belong to the ship.
    fn search_neighbours(self, neighbours: usize) -> Expected {
        let good = usize::from(self.before > 0) + usize::from(self.after > 0);
        let search = Expected::new(whole(neighbours + 1), whole(good + 1));
        search + self.after_second_hit()
    }

    /// The average over which neighbour was hit first. If the hit is at one end of the ship, the neighbour
    /// beyond that end, if there is one, was shot before the good one in half of the orders.
    fn after_second_hit(self) -> Expected {
        let half = Expected::new(1, 2);
        match (self.before > 0, self.after > 0) {
            (true, true) => (self.hit_before().shots() + self.hit_after().shots()) * half,
            (true, false) if self.open_after => (self.hit_before().shots() + self.close_after().hit_before().shots()) * half,
            (false, true) if self.open_before => (self.hit_after().shots() + self.close_before().hit_after().shots()) * half,
            (true, false) => self.hit_before().shots(),
            (false, true) => self.hit_after().shots(),
            (false, false) => Expected::from(0),
        }
    }

    fn hit_before(self) -> Self {
        Self { before: self.before - 1, ..self }
    }

    fn hit_after(self) -> Self {
        Self { after: self.after - 1, ..self }
    }

    fn close_before(self) -> Self {
        Self { open_before: false, ..self }
    }

    fn close_after(self) -> Self {
        Self { open_after: false, ..self }
    }

    /// Expected shots when the line is known and each shot continues the run at a random end. While the
    /// ship has unhit cells on both sides, each shot hits, on either side with probability 1/2. The
    /// table is filled from the runs that have reached an end of the ship.
    fn shots(self) -> Expected {
        let mut row: Vec<Expected> = (0..=self.after).map(|after| Self { before: 0, after, ..self }.one_sided()).collect();
        for before in 1..=self.before {
            row[0] = Self { before, after: 0, ..self }.one_sided();
            for after in 1..=self.after {
                row[after] = Expected::from(1) + (row[after] + row[after - 1]) / 2;
            }
        }
        row[self.after]
    }

    /// One end of the ship is reached, and k unhit cells are left on the other side. If there is an unshot
    /// cell beyond the reached end, each shot goes there with probability 1/2, until it is shot or the k
    /// cells are hit. That takes k shots, and one more with probability 1 − 2^−k.
    fn one_sided(self) -> Expected {
        let cells = self.before + self.after;
        let open = if self.before == 0 { self.open_before } else { self.open_after };
        let miss = Expected::from(1) - Expected::new(1, 1 << cells);
        Expected::from(whole(cells)) + if open { miss } else { Expected::from(0) }
    }
}
