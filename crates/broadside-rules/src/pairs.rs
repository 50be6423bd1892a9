//! How many pairs of ships lie too close, without looking at every pair.
//!
//! A ship is a rectangle of cells. Two rectangles that meet share a rectangle of `h` by `w` cells, which has `hw` cells,
//! `(h-1)w + h(w-1)` pairs of neighbouring cells and `(h-1)(w-1)` blocks of 2x2 cells, and
//!
//! ```text
//! hw - (h-1)w - h(w-1) + (h-1)(w-1) = 1
//! ```
//!
//! So count the pairs of rectangles that cover each cell, take away those that cover each pair of neighbouring cells, and
//! add those that cover each block: every pair of rectangles that meet is counted once. How many rectangles cover a cell is
//! found for all cells together, so the work grows with the number of ships and not with that of their pairs.
//!
//! Ships that are next to each other meet when each is made longer by one row or one column.

use crate::{Cell, Placement, Touch};

/// How many pairs of ships share a cell, and how many share none and lie closer than the touch rule allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PairCounts {
    pub(crate) overlapping: usize,
    pub(crate) touching: usize,
}

/// Counts the pairs of ships that are not compatible.
pub(crate) fn count(ships: &[Placement], touch: Touch) -> PairCounts {
    let meeting = |rows, cols| meeting_pairs(ships, (rows, cols));
    let overlapping = meeting(0, 0);
    let touching = match touch {
        Touch::Allowed => 0,
        // Overlapping ships meet in both ways.
        Touch::Corners => meeting(1, 0) + meeting(0, 1) - 2 * overlapping,
        Touch::Never => meeting(1, 1) - overlapping,
    };
    PairCounts { overlapping, touching }
}

/// The pairs of ships that meet when each is made longer by so many rows and columns, 0 or 1.
fn meeting_pairs(ships: &[Placement], (rows, cols): (usize, usize)) -> usize {
    // Shorter by one row, a ship stands for the pairs of neighbours in a column; and so on.
    let covering = |less_rows, less_cols| covering_pairs(ships, (rows + 1 - less_rows, cols + 1 - less_cols));
    covering(0, 0) + covering(1, 1) - covering(1, 0) - covering(0, 1)
}

/// One row and one column more than the largest grid, for ships that were made longer, and one for the end of the sums.
const SIDE: usize = Cell::MAX_SIDE + 2;

/// The sum over all cells of the number of pairs of ships that cover it. A ship that ends in a row covers the rows up to
/// `rows - 1` past it, and columns alike.
fn covering_pairs(ships: &[Placement], (rows, cols): (usize, usize)) -> usize {
    // The four corners of each rectangle, so that the sum of all entries above and to the left is the number of
    // rectangles on a cell. Wrapping, since the entries of a sum may be negative.
    let mut corners = vec![[0usize; SIDE]; SIDE];
    for ship in ships {
        let ((top, bottom), (left, right)) = (ship.rows(), ship.cols());
        let (bottom, right) = (bottom + rows, right + cols);
        for (row, col, there) in [(top, left, 1), (bottom, right, 1), (top, right, usize::MAX), (bottom, left, usize::MAX)] {
            corners[row][col] = corners[row][col].wrapping_add(there);
        }
    }
    let mut above = [0usize; SIDE];
    let mut pairs = 0;
    for row in corners {
        let mut here = 0usize;
        for (sum, corner) in above.iter_mut().zip(row) {
            here = here.wrapping_add(corner);
            *sum = sum.wrapping_add(here);
            pairs += *sum * sum.saturating_sub(1) / 2;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn one_by_one(ships: &[Placement], touch: Touch) -> PairCounts {
        let mut counts = PairCounts::default();
        for (i, a) in ships.iter().enumerate() {
            for b in &ships[i + 1..] {
                let overlap = a.cells().any(|cell| b.cells().any(|other| other == cell));
                counts.overlapping += usize::from(overlap);
                counts.touching += usize::from(!overlap && !a.compatible(*b, touch));
            }
        }
        counts
    }

    fn ship() -> impl Strategy<Value = Placement> {
        let side = || prop_oneof![0usize..8, 58usize..64];
        (side(), side(), side(), any::<bool>()).prop_filter_map("a ship", |(row, col, end, along_row)| {
            let (a, b) = (Cell::new(row, col)?, if along_row { Cell::new(row, end)? } else { Cell::new(end, col)? });
            Placement::between(a, b)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn pairs_are_as_many_as_are_found_one_by_one(ships in proptest::collection::vec(ship(), 0..12)) {
            for &touch in Touch::ALL {
                prop_assert_eq!(count(&ships, touch), one_by_one(&ships, touch), "{}", touch);
            }
        }
    }
}
