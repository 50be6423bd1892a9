//! Diagonal masks: the cells (r, c) with (r + c) mod l = k, that is every l-th of the diagonals
//! that climb from the lower left to the upper right. Reflecting the board left to right gives the
//! masks of the other direction, with the same counts, so one direction is enough.
//!
//! # Every placement meets the mask exactly once
//! Along a row or a column r + c grows by one a cell, so the l cells of a placement show each
//! residue mod l once.
//!
//! # How many cells
//! Write m = Q·l + a and n = R·l + b with 0 ≤ a, b < l.
//!
//! 1. The first Q·l rows: each column of them is cut into Q vertical placements, each with one cell
//!    of the mask. Q·n cells.
//! 2. The last a rows, first R·l columns: each of these rows is cut into R horizontal placements. a·R
//!    cells.
//! 3. What is left is a corner of a × b cells. It starts at row Q·l and column R·l, so with i and j
//!    counted from its own corner the residue is (i + j) mod l. Since i + j ≤ a + b − 2 < 2l, the
//!    cells of the mask are those with i + j = k or i + j = k + l. The number of pairs with i + j =
//!    s, 0 ≤ i < a, 0 ≤ j < b is D(s) = max(0, min(s + 1, a, b, a + b − 1 − s)): i runs from max(0,
//!    s − b + 1) to min(a − 1, s).
//!
//! In all **Q·n + a·R + D(k) + D(k + l)**.
//!
//! # The best offset is l − 1
//! In the corner, row i (0 ≤ i < a) has a cell of the mask when (k − i) mod l < b. As i runs, (k −
//! i) mod l takes a distinct values; only l − b values are not below b, so at least a + b − l rows
//! have one, and never fewer than 0. For k = l − 1 the value is l − 1 − i, which is below b when i
//! ≥ l − b: that is max(0, a + b − l) of the a rows, the least possible. So the smallest diagonal
//! mask has **Q·n + a·R + max(0, a + b − l)** cells. For m, n ≥ l no set of cells does better
//! ([`blocking`](super::blocking)).

use broadside_rules::{Cell, CellSet};

use super::OneShipBoard;
use super::board::meets;

/// The diagonal mask of a board with an offset; offsets count modulo the length.
pub fn diagonal_mask(board: OneShipBoard, offset: usize) -> CellSet {
    let (length, mut mask) = (board.size(), board.no_cells());
    for row in 0..board.rows() {
        let first = (offset % length + length - row % length) % length;
        mask.extend((first..board.cols()).step_by(length).filter_map(|col| Cell::new(row, col)));
    }
    mask
}

/// Number of cells of [`diagonal_mask`], in closed form.
pub fn diagonal_count(board: OneShipBoard, offset: usize) -> usize {
    count(board.rows(), board.cols(), board.size(), offset)
}

/// An offset whose diagonal mask is smallest: l − 1 on every board.
pub fn best_offset(board: OneShipBoard) -> usize {
    board.size() - 1
}

/// Number of cells of the smallest diagonal mask.
pub fn best_diagonal_count(board: OneShipBoard) -> usize {
    let (a, b) = (board.rows() % board.size(), board.cols() % board.size());
    whole_placements(board.rows(), board.cols(), board.size()) + (a + b).saturating_sub(board.size())
}

/// The smallest diagonal mask.
pub fn best_diagonal_mask(board: OneShipBoard) -> CellSet {
    diagonal_mask(board, best_offset(board))
}

/// How the placements on a board meet a set of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guarantee {
    /// Every placement meets the set.
    pub meets_every: bool,
    /// Every placement meets it in exactly one cell.
    pub exactly_once: bool,
}

/// Checks the guarantee on every placement, one by one.
pub fn check_guarantee(board: OneShipBoard, mask: &CellSet) -> Guarantee {
    let meets: Vec<usize> = board.placements().into_iter().map(|placement| meets(mask, placement)).collect();
    Guarantee { meets_every: !meets.contains(&0), exactly_once: meets.iter().all(|&cells| cells == 1) }
}

/// Parts 1 and 2 of the count: the placements that a straight cutting of the board yields.
fn whole_placements(rows: usize, cols: usize, length: usize) -> usize {
    rows / length * cols + rows % length * (cols / length)
}

/// The closed form; it holds for a length longer than both sides too, where no ship fits.
fn count(rows: usize, cols: usize, length: usize, offset: usize) -> usize {
    let (a, b, k) = (rows % length, cols % length, offset % length);
    whole_placements(rows, cols, length) + antidiagonal(a, b, k) + antidiagonal(a, b, k + length)
}

/// D(s): the cells of an a × b rectangle with i + j = s.
fn antidiagonal(a: usize, b: usize, s: usize) -> usize {
    (s + 1).min(a).min(b).min((a + b).saturating_sub(s + 1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use broadside_rules::{Grid, cells};

    use super::*;

    fn board(rows: usize, cols: usize, length: usize) -> OneShipBoard {
        OneShipBoard::new(Grid::new(rows, cols).unwrap(), length).unwrap()
    }

    fn counted(rows: usize, cols: usize, length: usize, offset: usize) -> usize {
        (0..rows).map(|row| (0..cols).filter(|col| (row + col) % length == offset).count()).sum()
    }

    #[test]
    fn the_closed_form_counts_every_mask_up_to_twenty_by_twenty() {
        for (rows, cols) in (1..=20).flat_map(|rows| (1..=20).map(move |cols| (rows, cols))) {
            for (length, offset) in (1..=21).flat_map(|length| (0..length).map(move |offset| (length, offset))) {
                assert_eq!(
                    count(rows, cols, length, offset),
                    counted(rows, cols, length, offset),
                    "{rows}x{cols} {length} {offset}"
                );
            }
        }
    }

    #[test]
    fn the_best_offset_has_the_fewest_cells_up_to_twenty_by_twenty() {
        for (rows, cols) in (1..=20).flat_map(|rows| (1..=20).map(move |cols| (rows, cols))) {
            for length in 1..=rows.max(cols) {
                let board = board(rows, cols, length);
                let fewest = (0..length).map(|offset| counted(rows, cols, length, offset)).min().unwrap();
                assert_eq!(best_diagonal_count(board), fewest);
                assert_eq!(best_diagonal_mask(board).len(), fewest);
            }
        }
    }

    #[test]
    fn the_classic_board_needs_50_33_24_and_20_cells() {
        let counts = [2, 3, 4, 5].map(|length| best_diagonal_count(board(10, 10, length)));
        assert_eq!(counts, [50, 33, 24, 20]);
    }

    #[test]
    fn the_mask_of_offset_zero_starts_in_the_upper_left_corner() {
        let mask = diagonal_mask(board(3, 4, 3), 0);
        assert_eq!(mask, cells!("X . . X" ". . X ." ". X . ."));
    }

    #[test]
    fn a_mask_with_a_hole_gives_no_guarantee() {
        let board = board(4, 4, 2);
        let broken = check_guarantee(board, &cells!("X . X ." ". . . ." "X . X ." ". X . X"));
        assert_eq!(broken, Guarantee { meets_every: false, exactly_once: false });
        let full = check_guarantee(board, &CellSet::full(board.grid()));
        assert_eq!(full, Guarantee { meets_every: true, exactly_once: false });
    }

    proptest! {
        #[test]
        fn every_placement_meets_a_diagonal_mask_exactly_once(rows in 1usize..=64, cols in 1usize..=64, length in 1usize..=64, offset in 0usize..64) {
            prop_assume!(length <= rows.max(cols));
            let board = board(rows, cols, length);
            let mask = diagonal_mask(board, offset);
            prop_assert_eq!(check_guarantee(board, &mask), Guarantee { meets_every: true, exactly_once: true });
            prop_assert_eq!(mask.len(), diagonal_count(board, offset));
        }
    }
}
