//! About how many profiles there are, before any of them is looked for.
//!
//! Between two rows of an open board, each column has no ship that goes on, or one with some cells to come. All such
//! patterns occur, as long as the fleet has the ships; they can be counted column by column. Shut cells make more profiles, so
//! in the middle of a board without hits this is a lower bound, and a board whose vectors would not fit by it is given up in microseconds.
//! Over all rows it tells which way to sweep a square board.

use crate::Problem;

/// Cells to come are told apart up to this number.
const CELLS: usize = 4;
/// More ships than this that go on at once are not counted.
const SHIPS: usize = 8;
/// Kinds of patterns that are counted for every row: a millisecond for ten rows of ten. The russian fleet has 56.
const KINDS: usize = 500;

/// At least so many profiles between the middle rows; 0 where hits may rule them out.
pub(crate) fn least_profiles(problem: &Problem) -> f64 {
    let row = problem.rows / 2;
    if problem.must_cells() > 0 || row == 0 { 0.0 } else { profiles_before(problem, row, most_going(problem)) }
}

/// About so many profiles between all rows together; none if there are so many kinds of them that the forecast would take long.
pub(crate) fn profiles(problem: &Problem) -> Option<f64> {
    let most = most_going(problem);
    (Ways::kinds(most) <= KINDS).then(|| (1..problem.rows).map(|row| profiles_before(problem, row, most)).sum())
}

/// The patterns of ships that go on from above into a row.
fn profiles_before(problem: &Problem, row: usize, most: [usize; CELLS]) -> f64 {
    let mut ways = Ways::new(most);
    for col in 0..problem.cols {
        ways = ways.pass(|cells| may_go_on(problem, row, col, cells), problem.touch.allows_sides());
    }
    ways.total()
}

/// For each number of cells to come, from 1: how many ships can have as many or more.
fn most_going(problem: &Problem) -> [usize; CELLS] {
    std::array::from_fn(|i| {
        let longer = problem.classes.iter().filter(|class| class.length > i + 1);
        longer.map(|class| class.count).sum::<usize>().min(SHIPS)
    })
}

/// Whether a vertical ship can have so many cells from this row on, and one above it at least. The last number stands for itself
/// alone.
fn may_go_on(problem: &Problem, row: usize, col: usize, cells: usize) -> bool {
    let starts = |class: &crate::ShipClass| {
        let above = class.length.checked_sub(cells).filter(|&above| above > 0);
        let first = above.and_then(|above| row.checked_sub(above));
        first.is_some_and(|first| class.vertical[first] >> col & 1 == 1)
    };
    problem.classes.iter().any(|class| class.count > 0 && starts(class))
}

/// The ways to fill the columns passed so far, by how many ships have as many cells to come or more, and by whether the last column
/// has one of them.
struct Ways {
    most: [usize; CELLS],
    open: Vec<f64>,
    taken: Vec<f64>,
}

impl Ways {
    fn new(most: [usize; CELLS]) -> Self {
        let kinds = Self::kinds(most);
        let mut open = vec![0.0; kinds];
        open[0] = 1.0;
        Self { most, open, taken: vec![0.0; kinds] }
    }

    fn kinds(most: [usize; CELLS]) -> usize {
        most.iter().map(|most| most + 1).product()
    }

    /// Passes a column that has no ship, or one with some cells to come.
    fn pass(&self, may_go_on: impl Fn(usize) -> bool, sides: bool) -> Self {
        let before: Vec<f64> = self.open.iter().zip(&self.taken).map(|(open, taken)| open + taken).collect();
        let mut taken = vec![0.0; before.len()];
        for cells in (1..=CELLS).filter(|&cells| may_go_on(cells)) {
            let from = if sides { &before } else { &self.open };
            for (index, ways) in from.iter().enumerate().filter(|(_, ways)| **ways > 0.0) {
                if let Some(next) = self.with(index, cells) {
                    taken[next] += ways;
                }
            }
        }
        Self { most: self.most, open: before, taken }
    }

    /// The index with one more ship that has so many cells to come, if the fleet has it.
    fn with(&self, index: usize, cells: usize) -> Option<usize> {
        let (mut stride, mut next) = (1, index);
        for (i, most) in self.most.iter().enumerate() {
            if i < cells {
                if index / stride % (most + 1) == *most {
                    return None;
                }
                next += stride;
            }
            stride *= most + 1;
        }
        Some(next)
    }

    fn total(&self) -> f64 {
        self.open.iter().chain(&self.taken).sum()
    }
}

#[cfg(test)]
mod tests {
    use broadside_rules::Rules;

    use super::*;

    fn least(rules: &str) -> f64 {
        least_profiles(&Problem::for_rules(&rules.parse::<Rules>().expect("rules")))
    }

    #[test]
    fn patterns_of_small_boards_are_those_counted_by_hand() {
        // One ship of two, half of it above the middle: in one of four columns or in none.
        assert!((least("4x4 2 allowed ship") - 5.0).abs() < 1e-9);
        // Two of them: also in two of the columns, which may be neighbours only where ships may touch.
        assert!((least("4x4 2,2 allowed ship") - 11.0).abs() < 1e-9);
        assert!((least("4x4 2,2 never ship") - 8.0).abs() < 1e-9);
        // One of three: one or two cells to come.
        assert!((least("6x4 3 allowed ship") - 9.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_far_out_of_reach_is_known_to_be() {
        assert!(least("12x12 5,4,4,3,3,3,2,2 allowed ship") > 1e7);
        assert!(least("russian") < 1e6 && least("classic") < 1e6);
    }
}
