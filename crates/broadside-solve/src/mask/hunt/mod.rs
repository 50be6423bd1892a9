//! Expected shots to find, and to find and sink, one ship when every placement is equally likely.
//!
//! *Finding* ends with the first hit, *sinking* with the last of the l hits; every shot counts. All
//! figures are exact fractions. Before the first hit every answer is a miss, so a hunt without
//! chance is just an order of cells, a [`Sweep`]; its shots each meet some placements that no
//! earlier shot met. A ship found by shot number i costs i shots to find, and after that l − 1 hits
//! and the misses of the sinking ([`sink`]).
//!
//! # The document's sum, generalised
//! On a mask of B cells fired at in random order, a placement that meets the mask in t cells is
//! found by the first of them. The first of t marked positions of a random order of B lies at (B +
//! 1)/(t + 1) on average (the t marks cut the B − t others into t + 1 gaps that are alike). A
//! diagonal mask meets every placement once, so the answer is **(B + 1)/2** on any board and for
//! any length, edges or not. The document has l = 2 and B = n²/2.
//!
//! # Where (n²/2 + 1)/2 + 2.5 holds
//! * *Even n, finding*: exactly. B = n²/2, and each ship covers one black cell, so edges make no
//!   difference.
//! * *Odd n, finding*: n²/2 is no whole number. The smaller colour has (n² − 1)/2 cells, so the
//!   average is 1/4 less, the larger one has (n² + 1)/2, so it is 1/4 more.
//! * *Sinking*: 2.5 is the average over four neighbours. A cell on the edge has three, in a corner
//!   two; the black cell that is hit is at x with probability proportional to the number of its
//!   neighbours d(x), and then (d(x) + 1)/2 shots are needed. The average is below 2.5 on every
//!   board and tends to it as n grows. So the sum is too high for every even n, and for odd n too.
//! * Earlier misses rule out no neighbour, as all of these are white. They do rule out placements
//!   for a shooter who counts.
//!
//! # The mask in the best order
//! Each placement meets a diagonal mask in one cell, so what the shots meet does not depend on the
//! order, and the sum of i · (placements met by shot i) is least with the counts descending. The
//! sinking does not depend on the order either: no placement through the cell hit meets any other
//! cell of the mask, so the misses before say nothing about it. The offset does matter: see
//! [`Sweep::soonest_diagonal`].

mod belief;
mod best;
mod bound;
pub mod sink;
#[cfg(test)]
mod tests;
mod ways;

use broadside_rules::{Cell, CellSet, Placement};
use num_rational::Ratio;

pub use best::{Goal, Optimum, least_expected};
use sink::{Sinker, Star};
pub use ways::{Finding, Sinking};

use super::OneShipBoard;
use super::board::meets;
use super::diagonal::{best_diagonal_mask, diagonal_mask};

/// An exact number of shots. Denominators divide the number of placements (below 2^13) times a
/// product that stays below 2^100 even for length 64, so `i128` does not overflow.
pub type Expected = Ratio<i128>;

/// One shot of a hunt and the placements that it is the first to meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Where.
    pub cell: Cell,
    /// The placements through the cell that no earlier shot met.
    pub met: Star,
}

/// An order of shots that finds the ship wherever it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    board: OneShipBoard,
    shots: Vec<Step>,
}

impl Sweep {
    /// Fires at these cells in this order. `None` if some placement escapes.
    pub fn new(board: OneShipBoard, cells: &[Cell]) -> Option<Self> {
        let mut sea = Sea::new(board);
        let shots = cells.iter().map(|&cell| sea.fire(cell)).collect();
        (sea.left == 0).then_some(Self { board, shots })
    }

    /// A diagonal mask in its best order: most placements first; cells that meet as many, row by
    /// row.
    pub fn diagonal(board: OneShipBoard, offset: usize) -> Self {
        let mut sea = Sea::new(board);
        let mut cells: Vec<Cell> = diagonal_mask(board, offset).iter().collect();
        cells.sort_by_key(|&cell| usize::MAX - Star::full(board, cell).len());
        Self { board, shots: cells.into_iter().map(|cell| sea.fire(cell)).collect() }
    }

    /// Of the diagonal masks of every offset, each in its best order, one that finds soonest. It
    /// need not be a smallest one: more cells that meet many placements can be worth some cells
    /// that meet few.
    pub fn soonest_diagonal(board: OneShipBoard) -> Self {
        let masks = (0..board.size()).map(|offset| Self::diagonal(board, offset));
        masks.min_by_key(|sweep| (sweep.total_find(), sweep.shots.len())).unwrap_or_else(|| Self::greedy(board))
    }

    /// Of the same, one that sinks soonest.
    pub fn soonest_sinking_diagonal(board: OneShipBoard, sinker: &mut Sinker) -> Self {
        let masks = (0..board.size()).map(|offset| Self::diagonal(board, offset));
        masks.min_by_key(|sweep| sweep.total_find() + sweep.sinking_misses(sinker)).unwrap_or_else(|| Self::greedy(board))
    }

    /// Always a cell that meets most of the placements left; of several, the first row by row.
    pub fn greedy(board: OneShipBoard) -> Self {
        let mut sea = Sea::new(board);
        let mut shots = Vec::new();
        while let Some(cell) = sea.richest().filter(|_| sea.left > 0) {
            shots.push(sea.fire(cell));
        }
        Self { board, shots }
    }

    /// The shots in order.
    pub fn shots(&self) -> &[Step] {
        &self.shots
    }

    /// Expected shots until the first hit.
    pub fn expected_find(&self) -> Expected {
        per_placement(self.board, self.total_find())
    }

    /// Expected shots until the ship is sunk.
    pub fn expected_sink(&self, sinker: &mut Sinker) -> Expected {
        self.expected_find() + sinking(self.board, self.sinking_misses(sinker))
    }

    /// Shots until the first hit, summed over the placements.
    fn total_find(&self) -> usize {
        self.shots.iter().enumerate().map(|(before, shot)| (before + 1) * shot.met.len()).sum()
    }

    /// Misses after the first hit, summed over the placements.
    fn sinking_misses(&self, sinker: &mut Sinker) -> usize {
        self.shots.iter().map(|shot| sinker.misses(shot.met)).sum()
    }
}

/// Expected shots to find the ship on a mask in random order. `None` if some placement escapes the
/// mask.
pub fn random_find(board: OneShipBoard, mask: &CellSet) -> Option<Expected> {
    let placements = board.placements();
    let meets: Vec<usize> = placements.iter().map(|&placement| meets(mask, placement)).collect();
    let mut sum = Expected::from(0);
    for times in 1..=board.size() {
        let such = meets.iter().filter(|&&cells| cells == times).count();
        sum += Expected::new(whole(such * (mask.len() + 1)), whole(times + 1));
    }
    (!meets.contains(&0)).then(|| sum / whole(placements.len()))
}

/// Expected shots to find the ship on a diagonal mask of so many cells in random order: each placement meets it once.
fn random_mask_find(cells: usize) -> Expected {
    Expected::new(whole(cells + 1), 2)
}

/// The document's sinking, carried to any length and to the edges, added to the finding on its mask
/// in random order: the best diagonal mask, then the neighbours of the hit in random order
/// ([`sink::neighbour_shots`]).
pub fn document_sink(board: OneShipBoard) -> Expected {
    let mask = best_diagonal_mask(board);
    let placements = board.placements();
    let found_at = |placement: Placement| placement.cells().find(|&cell| mask.contains(cell));
    let shots = placements.iter().filter_map(|&placement| Some(sink::neighbour_shots(board, placement, found_at(placement)?)));
    let sinking = shots.sum::<Expected>() / whole(placements.len());
    random_mask_find(mask.len()) + sinking
}

/// Random order on the best diagonal mask, then a sinking of the given kind.
pub fn random_mask_sink(board: OneShipBoard, sinker: &mut Sinker) -> Expected {
    let mask = best_diagonal_mask(board);
    let misses: usize = mask.iter().map(|cell| sinker.misses(Star::full(board, cell))).sum();
    random_mask_find(mask.len()) + sinking(board, misses)
}

/// The document's own formula for a ship of two on n × n, (n²/2 + 1)/2 + 2.5: the part for finding,
/// and the sum.
pub fn document_formula(side: usize) -> (Expected, Expected) {
    let find = (Expected::new(whole(side * side), 2) + 1) / 2;
    (find, find + Expected::new(5, 2))
}

/// The l − 1 hits after the first, and the misses of all placements together, shared out.
fn sinking(board: OneShipBoard, misses: usize) -> Expected {
    per_placement(board, misses) + whole(board.size() - 1)
}

fn per_placement(board: OneShipBoard, total: usize) -> Expected {
    Expected::new(whole(total), whole(board.choices()))
}

fn whole(number: usize) -> i128 {
    i128::try_from(number).expect("a usize has at most 64 bits")
}

/// The placements that no shot has met yet.
struct Sea {
    board: OneShipBoard,
    left: usize,
    stars: Vec<Star>,
}

impl Sea {
    fn new(board: OneShipBoard) -> Self {
        let stars = board.grid().cells().map(|cell| Star::full(board, cell)).collect();
        Self { board, left: board.choices(), stars }
    }

    fn star(&mut self, cell: Cell) -> &mut Star {
        &mut self.stars[self.board.grid().index(cell)]
    }

    /// Takes the placements through a cell away from all the cells under them.
    fn fire(&mut self, cell: Cell) -> Step {
        let met = *self.star(cell);
        for placement in met.placements(self.board.length(), cell) {
            placement.cells().for_each(|under| self.star(under).remove(placement, under));
        }
        self.left -= met.len();
        Step { cell, met }
    }

    /// The cell that meets most; of several, the first in reading order.
    fn richest(&self) -> Option<Cell> {
        let richness = |cell: &Cell| self.stars[self.board.grid().index(*cell)].len();
        self.board.grid().cells().rev().max_by_key(richness)
    }
}
