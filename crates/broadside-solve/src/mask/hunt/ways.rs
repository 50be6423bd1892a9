//! The expected shots on one board by each way to hunt, side by side.

use super::super::OneShipBoard;
use super::super::diagonal::best_diagonal_mask;
use super::super::hitting::Effort;
use super::sink::{Kill, Sinker};
use super::{Expected, Goal, Optimum, Sweep, document_sink, least_expected, random_mask_find, random_mask_sink};

/// Expected shots until the first hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// On the best diagonal mask in random order.
    pub random: Expected,
    /// On the soonest diagonal mask in its best order.
    pub ordered: Expected,
    /// Always at a cell that meets most of the placements left.
    pub greedy: Expected,
    /// By the best play there is.
    pub least: Optimum,
}

impl Finding {
    /// Works them out; the effort is for the best play.
    pub fn of(board: OneShipBoard, effort: &mut Effort) -> Self {
        Self {
            random: random_mask_find(best_diagonal_mask(board).len()),
            ordered: Sweep::soonest_diagonal(board).expected_find(),
            greedy: Sweep::greedy(board).expected_find(),
            least: least_expected(board, Goal::Find, effort),
        }
    }
}

/// Expected shots until the ship is sunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sinking {
    /// On the best diagonal mask in random order, then the document's neighbours.
    pub neighbours: Expected,
    /// On the best diagonal mask in random order, then with the fewest misses.
    pub random: Expected,
    /// On the diagonal mask that sinks soonest in its best order, then with the fewest misses.
    pub ordered: Expected,
    /// Always at the likeliest cell, before the first hit and after.
    pub greedy: Expected,
    /// By the best play there is.
    pub least: Optimum,
}

impl Sinking {
    /// Works them out; the effort is for the best play.
    pub fn of(board: OneShipBoard, effort: &mut Effort) -> Self {
        let [mut best, mut greedy] = [Kill::Best, Kill::Greedy].map(|kill| Sinker::new(board.length(), kill));
        Self {
            neighbours: document_sink(board),
            random: random_mask_sink(board, &mut best),
            ordered: Sweep::soonest_sinking_diagonal(board, &mut best).expected_sink(&mut best),
            greedy: Sweep::greedy(board).expected_sink(&mut greedy),
            least: least_expected(board, Goal::Sink, effort),
        }
    }
}
