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
