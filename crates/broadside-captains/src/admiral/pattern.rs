//! The pattern that the hunt keeps to: one diagonal in as many as the shortest ship left is long.

use crate::bits::Bits;
use crate::field::Field;

/// For each length, the patterns that no ship of that length escapes.
#[derive(Clone, Debug)]
pub(crate) struct Patterns<B>(Vec<Vec<B>>);

impl<B: Bits> Patterns<B> {
    pub(crate) fn new(field: &Field<B>, longest: usize) -> Self {
        Self((1..=longest).map(|length| diagonals(field, length)).collect())
    }

    /// The pattern that needs the fewest shots more, given the cells where a ship of that length may be met.
    pub(crate) fn nearest_done(&self, length: usize, open: B) -> B {
        let patterns = &self.0[length - 1];
        *patterns.iter().min_by_key(|&&pattern| (open & pattern).count()).expect("a pattern for each length")
    }
}

/// Every way to take one rising or one falling diagonal in so many. With two they are the same.
fn diagonals<B: Bits>(field: &Field<B>, length: usize) -> Vec<B> {
    let cols = field.grid().cols();
    let rising = (0..length).map(|i| field.that(|row, col| (row + col) % length == i));
    let falling = (0..length).filter(|_| length > 2).map(|i| field.that(|row, col| (row + cols - col) % length == i));
    rising.chain(falling).collect()
}

#[cfg(test)]
mod tests {
    use broadside_rules::{Grid, Orientation};

    use super::*;

    #[test]
    fn no_ship_escapes_a_pattern_of_its_length() {
        for (rows, cols) in [(10, 10), (7, 9), (1, 12)] {
            let field = Field::<u128>::new(Grid::new(rows, cols).unwrap());
            let patterns = Patterns::new(&field, 5);
            for length in 1..=5 {
                for &pattern in &patterns.0[length - 1] {
                    let between = field.all() & !pattern;
                    assert!(Orientation::ALL.iter().all(|&heading| field.bows(between, length, heading).is_empty()));
                }
            }
        }
    }

    #[test]
    fn the_pattern_with_least_left_is_kept_to() {
        let field = Field::<u128>::new(Grid::new(3, 3).unwrap());
        let patterns = Patterns::new(&field, 2);
        // Five cells are of one colour and four of the other; two shots at the five leave three.
        assert_eq!(patterns.nearest_done(2, field.all()).count(), 4);
        let corners = field.that(|row, col| row == 0 && col != 1);
        assert_eq!(patterns.nearest_done(2, field.all() & !corners).count(), 5);
    }
}
