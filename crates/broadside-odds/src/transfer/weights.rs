//! A weight for each placement, as the sweeps look them up.

use crate::Problem;

/// A weight for each placement: how likely an opponent is to choose it, up to a common factor. A layout's
/// weight is the product over its ships.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WeightTable<T = f64> {
    rows: usize,
    cols: usize,
    /// For each class: horizontal then vertical, row by row.
    weights: Vec<T>,
}

impl<T: Copy> WeightTable<T> {
    /// The weights that a function of class, orientation (vertical or not), row and column gives.
    #[must_use]
    pub(crate) fn new(problem: &Problem, weight: impl Fn(usize, bool, usize, usize) -> T) -> Self {
        let (rows, cols) = (problem.rows, problem.cols);
        let mut weights = Vec::with_capacity(problem.classes.len() * 2 * rows * cols);
        for class in 0..problem.classes.len() {
            for vertical in [false, true] {
                weights.extend((0..rows * cols).map(|cell| weight(class, vertical, cell / cols, cell % cols)));
            }
        }
        Self { rows, cols, weights }
    }

    /// The weight of the placement of a ship of `class` whose first cell is `(row, col)`.
    #[must_use]
    pub(crate) fn get(&self, class: usize, vertical: bool, row: usize, col: usize) -> T {
        self.weights[((class * 2 + usize::from(vertical)) * self.rows + row) * self.cols + col]
    }

    /// The weights of the transposed problem, which is given.
    pub(crate) fn transposed(&self, turned: &Problem) -> Self {
        Self::new(turned, |class, vertical, row, col| {
            // A ship of one cell always counts as horizontal.
            self.get(class, turned.classes[class].length > 1 && !vertical, col, row)
        })
    }
}
