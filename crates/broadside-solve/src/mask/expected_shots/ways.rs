//! The expected shots on one board by each way to play, side by side.

use super::super::OneShipBoard;
use super::super::diagonal::best_diagonal_mask;
use super::super::hitting::Effort;
use super::sink::{SinkStrategy, SinkingCost};
use super::{Expected, Goal, Optimum, ShotOrder, least_expected, neighbour_sink, random_mask_find, random_mask_sink};

/// Expected shots until the first hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// On the smallest diagonal mask in random order.
    pub random: Expected,
    /// On the best of all diagonal masks, each in its best order.
    pub ordered: Expected,
    /// Always at a cell that meets most of the placements left.
    pub greedy: Expected,
    /// By best play.
    pub least: Optimum,
}

impl Finding {
    /// Works them out. The effort is for the best play.
    pub fn new(board: OneShipBoard, effort: &mut Effort) -> Self {
        Self {
            random: random_mask_find(best_diagonal_mask(board).len()),
            ordered: ShotOrder::soonest_diagonal(board).expected_find(),
            greedy: ShotOrder::greedy(board).expected_find(),
            least: least_expected(board, Goal::Find, effort),
        }
    }
}

/// Expected shots until the ship is sunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sinking {
    /// On the smallest diagonal mask in random order, then at the neighbours of the hit in random order.
    pub neighbours: Expected,
    /// On the smallest diagonal mask in random order, then with the fewest misses.
    pub random: Expected,
    /// On the best of all diagonal masks, each in its best order, then with the fewest misses.
    pub ordered: Expected,
    /// Always at the most likely cell, before the first hit and after.
    pub greedy: Expected,
    /// By best play.
    pub least: Optimum,
}

impl Sinking {
    /// Works them out. The effort is for the best play.
    pub fn new(board: OneShipBoard, effort: &mut Effort) -> Self {
        let [mut best, mut greedy] =
            [SinkStrategy::Best, SinkStrategy::Greedy].map(|strategy| SinkingCost::new(board.length(), strategy));
        Self {
            neighbours: neighbour_sink(board),
            random: random_mask_sink(board, &mut best),
            ordered: ShotOrder::soonest_sinking_diagonal(board, &mut best).expected_sink(&mut best),
            greedy: ShotOrder::greedy(board).expected_sink(&mut greedy),
            least: least_expected(board, Goal::Sink, effort),
        }
    }
}
