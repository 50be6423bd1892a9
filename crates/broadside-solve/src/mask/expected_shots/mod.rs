//! Expected shots to find, and to find and sink, one ship when every placement is equally likely.
//!
//! *Finding* ends with the first hit, *sinking* with the last of the l hits. Every shot counts. All
//! figures are exact fractions. Before the first hit every answer is a miss, so a play without
//! random choices is an order of cells, a [`ShotOrder`]. A ship found by shot number i takes i shots
//! to find, and after that l − 1 hits and the misses of the sinking ([`sink`]).
//!
//! # A mask in random order
//! Fire at the B cells of a mask in random order. A placement that meets the mask in t cells is
//! found by the first of them. The first of t marked positions in a random order of B is at (B +
//! 1)/(t + 1) on average, since the t marks cut the B − t others into t + 1 gaps of equal expected
//! length. A diagonal mask meets every placement once. So the answer is **(B + 1)/2** on any board
//! and for any length, with edges or without.
//!
//! # Where (n²/2 + 1)/2 + 2.5 holds
//! The blog post [Battleship Masks](https://eugene-eeo.github.io/blog/battleship.html) (Eugene Eeo)
//! says that this number of shots finds and sinks a ship of two on n × n.
//!
//! * *Even n, finding*: exactly. B = n²/2, and each ship covers one black cell, so edges make no
//!   difference.
//! * *Odd n, finding*: n²/2 is not an integer. The smaller colour has (n² − 1)/2 cells, so the
//!   average is 1/4 less. The larger one has (n² + 1)/2, so it is 1/4 more.
//! * *Sinking*: 2.5 is the average over four neighbours. A cell on the edge has three, in a corner
//!   two. The black cell that is hit is x with a probability proportional to the number of its
//!   neighbours d(x), and then (d(x) + 1)/2 shots are needed. The average is below 2.5 on every
//!   board and tends to it as n grows. So the sum is too high for every even n, and for odd n too.
//! * Earlier misses rule out no neighbour, since all of these are white. They do rule out placements
//!   for a shooter who counts them.
//!
//! # The mask in the best order
//! Each placement meets a diagonal mask in one cell, so the number of placements that a shot meets
//! does not depend on the order. The sum of i · (placements met by shot i) is least when these
//! numbers descend. The sinking does not depend on the order either: no placement through the hit
//! meets any other cell of the mask, so the misses before say nothing about it. The offset does
//! matter: see [`ShotOrder::soonest_diagonal`].
//!
//! ```
//! use broadside_solve::mask::OneShipBoard;
//! use broadside_solve::mask::hitting::Effort;
//! use broadside_solve::mask::expected_shots::Finding;
//!
//! let board = OneShipBoard::new("5x5".parse()?, 2)?;
//! let shots = Finding::new(board, &mut Effort::nodes(1_000));
//! assert_eq!(shots.random.to_string(), "13/2");
//! assert_eq!(shots.ordered.to_string(), "121/20");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod optimum;
mod packing_bound;
mod placement_set;
pub mod sink;
#[cfg(test)]
mod tests;
mod ways;

use broadside_rules::{Cell, CellSet, Placement};
use num_rational::Ratio;

pub use optimum::{Goal, Optimum, least_expected};
use sink::{PlacementsThrough, SinkingCost};
pub use ways::{Finding, Sinking};

use super::OneShipBoard;
use super::board::meets;
use super::diagonal::{best_diagonal_mask, diagonal_mask};

/// An exact number of shots. A denominator divides the number of placements (below 2^13) times a
/// product that is below 2^100 even for length 64, so `i128` does not overflow.
pub type Expected = Ratio<i128>;

/// One shot of an order and the placements that it is the first to meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The cell fired at.
    pub cell: Cell,
    /// The placements through the cell that no earlier shot met.
    pub met: PlacementsThrough,
}

/// An order of shots that finds the ship wherever it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShotOrder {
    board: OneShipBoard,
    shots: Vec<Step>,
}

impl ShotOrder {
    /// Fires at these cells in this order. `None` if some placement escapes.
    pub fn new(board: OneShipBoard, cells: &[Cell]) -> Option<Self> {
        let mut unmet = UnmetPlacements::new(board);
        let shots = cells.iter().map(|&cell| unmet.fire(cell)).collect();
        (unmet.left == 0).then_some(Self { board, shots })
    }

    /// A diagonal mask in its best order: the cells that meet most placements first. Of equal cells,
    /// the first in reading order.
    pub fn diagonal(board: OneShipBoard, offset: usize) -> Self {
        let mut unmet = UnmetPlacements::new(board);
        let mut cells: Vec<Cell> = diagonal_mask(board, offset).iter().collect();
        cells.sort_by_key(|&cell| usize::MAX - PlacementsThrough::all(board, cell).len());
        Self { board, shots: cells.into_iter().map(|cell| unmet.fire(cell)).collect() }
    }

    /// The diagonal mask, of all offsets and each in its best order, with the fewest expected shots to
    /// find the ship. It need not be a smallest one: a larger mask can have more cells that meet many
    /// placements.
    pub fn soonest_diagonal(board: OneShipBoard) -> Self {
        let masks = (0..board.size()).map(|offset| Self::diagonal(board, offset));
        masks.min_by_key(|order| (order.total_find(), order.shots.len())).unwrap_or_else(|| Self::greedy(board))
    }

    /// The diagonal mask with the fewest expected shots to find and sink the ship.
    pub fn soonest_sinking_diagonal(board: OneShipBoard, sinking_cost: &mut SinkingCost) -> Self {
        let masks = (0..board.size()).map(|offset| Self::diagonal(board, offset));
        masks.min_by_key(|order| order.total_find() + order.sinking_misses(sinking_cost)).unwrap_or_else(|| Self::greedy(board))
    }

    /// Always the cell that meets most of the placements left. Of several, the first in reading order.
    pub fn greedy(board: OneShipBoard) -> Self {
        let mut unmet = UnmetPlacements::new(board);
        let mut shots = Vec::new();
        while let Some(cell) = unmet.best_cell().filter(|_| unmet.left > 0) {
            shots.push(unmet.fire(cell));
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
    pub fn expected_sink(&self, sinking_cost: &mut SinkingCost) -> Expected {
        self.expected_find() + sinking(self.board, self.sinking_misses(sinking_cost))
    }

    /// Shots until the first hit, summed over the placements.
    fn total_find(&self) -> usize {
        self.shots.iter().enumerate().map(|(before, shot)| (before + 1) * shot.met.len()).sum()
    }

    /// Misses after the first hit, summed over the placements.
    fn sinking_misses(&self, sinking_cost: &mut SinkingCost) -> usize {
        self.shots.iter().map(|shot| sinking_cost.misses(shot.met)).sum()
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

/// Expected shots to find the ship on a diagonal mask of this number of cells in random order. Each placement meets it once.
fn random_mask_find(cells: usize) -> Expected {
    Expected::new(whole(cells + 1), 2)
}

/// Expected shots on the best diagonal mask in random order, and then at the neighbours of the hit in
/// random order ([`sink::neighbour_shots`]). For length 2 this is the play that
/// [`checkerboard_formula`] is about.
pub fn neighbour_sink(board: OneShipBoard) -> Expected {
    let mask = best_diagonal_mask(board);
    let placements = board.placements();
    let found_at = |placement: Placement| placement.cells().find(|&cell| mask.contains(cell));
    let shots = placements.iter().filter_map(|&placement| Some(sink::neighbour_shots(board, placement, found_at(placement)?)));
    let sinking = shots.sum::<Expected>() / whole(placements.len());
    random_mask_find(mask.len()) + sinking
}

/// Expected shots on the best diagonal mask in random order, and then by the given sinking.
pub fn random_mask_sink(board: OneShipBoard, sinking_cost: &mut SinkingCost) -> Expected {
    let mask = best_diagonal_mask(board);
    let misses: usize = mask.iter().map(|cell| sinking_cost.misses(PlacementsThrough::all(board, cell))).sum();
    random_mask_find(mask.len()) + sinking(board, misses)
}

/// The formula of the blog post for a ship of two on n × n, (n²/2 + 1)/2 + 2.5: the part for finding,
/// and the sum.
pub fn checkerboard_formula(side: usize) -> (Expected, Expected) {
    let find = (Expected::new(whole(side * side), 2) + 1) / 2;
    (find, find + Expected::new(5, 2))
}

/// Expected shots after the first hit: l − 1 hits, and the misses of all placements divided by their
/// number.
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
struct UnmetPlacements {
    board: OneShipBoard,
    /// Their number.
    left: usize,
    /// For each cell, those through it.
    through: Vec<PlacementsThrough>,
}

impl UnmetPlacements {
    fn new(board: OneShipBoard) -> Self {
        let through = board.grid().cells().map(|cell| PlacementsThrough::all(board, cell)).collect();
        Self { board, left: board.choices(), through }
    }

    fn through_mut(&mut self, cell: Cell) -> &mut PlacementsThrough {
        &mut self.through[self.board.grid().index(cell)]
    }

    /// Removes the placements through a cell from all cells under them.
    fn fire(&mut self, cell: Cell) -> Step {
        let met = *self.through_mut(cell);
        for placement in met.placements(self.board.length(), cell) {
            placement.cells().for_each(|under| self.through_mut(under).remove(placement, under));
        }
        self.left -= met.len();
        Step { cell, met }
    }

    /// The cell that meets most placements. Of several, the first in reading order.
    fn best_cell(&self) -> Option<Cell> {
        let count = |cell: &Cell| self.through[self.board.grid().index(*cell)].len();
        self.board.grid().cells().rev().max_by_key(count)
    }
}
