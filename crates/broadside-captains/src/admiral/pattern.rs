//! The pattern that the hunt keeps to: one diagonal in as many as the shortest ship left is long.

use crate::bits::Bits;
use crate::board::Board;

/// For each length, the patterns that no ship of that length escapes.
#[derive(Clone, Debug)]
pub(crate) struct Patterns<B>(Vec<Vec<B>>);

impl<B: Bits> Patterns<B> {
    pub(crate) fn new(board: &Board<B>, longest: usize) -> Self {
        Self((1..=longest).map(|length| diagonals(board, length)).collect())
    }

    /// The patterns by length, from one on.
    pub(crate) fn all(&self) -> &[Vec<B>] {
        &self.0
    }

    /// The pattern that needs the fewest shots more, with its number, given the cells where a ship of that length may be met.
    #[inline(always)]
    pub(crate) fn fewest_left(&self, length: usize, open: B) -> (usize, B) {
        let patterns = &self.0[length - 1];
        let (mut best, mut fewest) = (0, usize::MAX);
        for (number, &pattern) in patterns.iter().enumerate() {
            let left = (open & pattern).count();
            (best, fewest) = if left < fewest { (number, left) } else { (best, fewest) };
        }
        (best, patterns[best])
    }
}

/// Every choice of one rising or one falling diagonal in so many. With two they are the same.
fn diagonals<B: Bits>(board: &Board<B>, length: usize) -> Vec<B> {
    let cols = board.grid().cols();
    let rising = (0..length).map(|i| board.cells_where(|row, col| (row + col) % length == i));
    let falling = (0..length).filter(|_| length > 2).map(|i| board.cells_where(|row, col| (row + cols - col) % length == i));
    rising.chain(falling).collect()
}

#[cfg(test)]
mod tests {
    use broadside_rules::{Grid, Orientation};

    use super::*;

    #[test]
    fn no_ship_escapes_a_pattern_of_its_length() {
        for (rows, cols) in [(10, 10), (7, 9), (1, 12)] {
            let board = Board::<u128>::new(Grid::new(rows, cols).unwrap());
            let patterns = Patterns::new(&board, 5);
            for length in 1..=5 {
                for &pattern in &patterns.0[length - 1] {
                    let between = board.all() & !pattern;
                    assert!(Orientation::ALL.iter().all(|&orientation| board.bows(between, length, orientation).is_empty()));
                }
            }
        }
    }

    #[test]
    fn the_pattern_with_least_left_is_kept_to() {
        let board = Board::<u128>::new(Grid::new(3, 3).unwrap());
        let patterns = Patterns::new(&board, 2);
        // Five cells are of one colour and four of the other; two shots at the five leave three.
        assert_eq!(patterns.fewest_left(2, board.all()).1.count(), 4);
        let corners = board.cells_where(|row, col| row == 0 && col != 1);
        assert_eq!(patterns.fewest_left(2, board.all() & !corners).1.count(), 5);
    }
}
