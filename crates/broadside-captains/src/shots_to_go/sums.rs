//! What the playouts of several cells on the same layouts add up to.
//!
//! All sums are integers, so they don't depend on the order in which threads hand them in.

/// The sums of the layouts that choose, or of those that measure.
#[derive(Clone, Debug)]
pub(crate) struct Sums {
    cells: usize,
    /// For each cell, the layouts played.
    played: Vec<u64>,
    /// For each cell, the sum of the shots and of their squares.
    shots: Vec<u64>,
    squares: Vec<u64>,
    /// For each pair, over the layouts that both played: how many they are, the sum of the differences and of their squares.
    both: Vec<u64>,
    differences: Vec<i64>,
    difference_squares: Vec<u64>,
}

/// A mean with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mean {
    pub(crate) mean: f64,
    pub(crate) std_err: f64,
}

impl Sums {
    pub(crate) fn new(cells: usize) -> Self {
        Self {
            cells,
            played: vec![0; cells],
            shots: vec![0; cells],
            squares: vec![0; cells],
            both: vec![0; cells * cells],
            differences: vec![0; cells * cells],
            difference_squares: vec![0; cells * cells],
        }
    }

    /// Adds the shots of these cells on one layout.
    pub(crate) fn add(&mut self, cells: &[usize], shots: impl Fn(usize) -> u16) {
        for (place, &cell) in cells.iter().enumerate() {
            let own = shots(place);
            self.played[cell] += 1;
            self.shots[cell] += u64::from(own);
            self.squares[cell] += u64::from(own).pow(2);
            for (other_place, &other) in cells.iter().enumerate() {
                let difference = i64::from(own) - i64::from(shots(other_place));
                self.both[cell * self.cells + other] += 1;
                self.differences[cell * self.cells + other] += difference;
                self.difference_squares[cell * self.cells + other] += difference.unsigned_abs().pow(2);
            }
        }
    }

    /// The layouts that a cell was played on.
    pub(crate) fn played(&self, cell: usize) -> u64 {
        self.played[cell]
    }

    /// The mean number of shots of a cell.
    pub(crate) fn mean(&self, cell: usize) -> Mean {
        mean(self.played[cell], self.shots[cell] as f64, self.squares[cell] as f64)
    }

    /// The mean of the shots of a cell less those of another, over the layouts that both played.
    pub(crate) fn difference(&self, cell: usize, other: usize) -> Mean {
        let pair = cell * self.cells + other;
        mean(self.both[pair], self.differences[pair] as f64, self.difference_squares[pair] as f64)
    }

    /// The sums of both halves.
    pub(crate) fn with(&self, other: &Self) -> Self {
        let add = |a: &[u64], b: &[u64]| a.iter().zip(b).map(|(a, b)| a + b).collect();
        Self {
            cells: self.cells,
            played: add(&self.played, &other.played),
            shots: add(&self.shots, &other.shots),
            squares: add(&self.squares, &other.squares),
            both: add(&self.both, &other.both),
            differences: self.differences.iter().zip(&other.differences).map(|(a, b)| a + b).collect(),
            difference_squares: add(&self.difference_squares, &other.difference_squares),
        }
    }
}

/// The mean of so many numbers, from their sum and the sum of their squares; its error is without bound for fewer than two.
fn mean(n: u64, sum: f64, squares: f64) -> Mean {
    if n < 2 {
        return Mean { mean: if n == 0 { f64::NAN } else { sum }, std_err: f64::INFINITY };
    }
    let count = n as f64;
    let mean = sum / count;
    let variance = ((squares - sum * mean) / (count - 1.0)).max(0.0);
    Mean { mean, std_err: (variance / count).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_errors_are_those_of_the_formulas() {
        let mut sums = Sums::new(3);
        for shots in [[3_u16, 5], [5, 5], [4, 8]] {
            sums.add(&[0, 2], |place| shots[place]);
        }
        assert_eq!((sums.played(0), sums.played(1)), (3, 0));
        // 3, 5, 4: the variance is 1. The differences are 2, 0 and 4: their variance is 4.
        assert_eq!(sums.mean(0), Mean { mean: 4.0, std_err: (1.0_f64 / 3.0).sqrt() });
        assert_eq!(sums.difference(2, 0), Mean { mean: 2.0, std_err: (4.0_f64 / 3.0).sqrt() });
        assert!(sums.mean(1).mean.is_nan());
    }

    #[test]
    fn a_cell_that_rested_is_compared_where_both_played() {
        let mut sums = Sums::new(2);
        sums.add(&[0, 1], |place| [2, 5][place]);
        sums.add(&[0], |_| 100);
        sums.add(&[1], |_| 50);
        sums.add(&[0, 1], |place| [2, 7][place]);
        assert!((sums.difference(1, 0).mean - 4.0).abs() < 1e-12);
        assert!((sums.mean(0).mean - 104.0 / 3.0).abs() < 1e-12);
    }
}
