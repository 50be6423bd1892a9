//! The simplex method in whole numbers.
//!
//! Finds the largest sum of y such that each row of A times y is at most the row's limit, and y is not negative, for positive
//! integers A and limits. The tableau holds integers over one common divisor, which is the last pivot (Edmonds' pivoting), so
//! nothing is rounded and fractions are never reduced in between. Bland's rule keeps it from going round in circles.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// A tableau. Each row has a coefficient for each variable, then one for each row's slack, then the limit.
pub(crate) struct Simplex {
    rows: Vec<Vec<BigInt>>,
    /// What would be gained by more of each variable, negative; the last is the sum so far.
    gains: Vec<BigInt>,
    /// The variable that each row determines.
    basis: Vec<usize>,
    /// All numbers of the tableau are over this.
    divisor: BigInt,
    variables: usize,
}

/// The largest sum, with what proves it.
pub(crate) struct Optimum {
    pub(crate) total: BigRational,
    /// The value of each variable.
    pub(crate) primal: Vec<BigRational>,
    /// For each row, what one more unit of its limit would add.
    pub(crate) dual: Vec<BigRational>,
}

impl Simplex {
    pub(crate) fn new(matrix: Vec<Vec<u64>>, limits: &[u64]) -> Self {
        let (count, variables) = (matrix.len(), matrix.first().map_or(0, Vec::len));
        let row = |(r, (coefficients, &limit)): (usize, (Vec<u64>, &u64))| {
            let slack = (0..count).map(|other| BigInt::from(u8::from(other == r)));
            coefficients.into_iter().map(BigInt::from).chain(slack).chain([BigInt::from(limit)]).collect()
        };
        let rows = matrix.into_iter().zip(limits).enumerate().map(row).collect();
        let gains = (0..=variables + count).map(|column| BigInt::from(-i8::from(column < variables))).collect();
        Self { rows, gains, basis: (variables..variables + count).collect(), divisor: BigInt::one(), variables }
    }

    pub(crate) fn solve(mut self) -> Optimum {
        while let Some(column) = self.gains[..self.gains.len() - 1].iter().position(Signed::is_negative) {
            self.pivot(self.leaving(column), column);
        }
        self.optimum()
    }

    /// The row that limits the variable most. Of equal ones, that of the first variable.
    fn leaving(&self, column: usize) -> usize {
        let limit = self.gains.len() - 1;
        let open = (0..self.rows.len()).filter(|&r| self.rows[r][column].is_positive());
        let least = open.min_by(|&a, &b| {
            let [one, other] = [a, b].map(|r| &self.rows[r]);
            let order = (&one[limit] * &other[column]).cmp(&(&other[limit] * &one[column]));
            order.then(self.basis[a].cmp(&self.basis[b]))
        });
        least.expect("every variable is limited, since all coefficients are positive")
    }

    fn pivot(&mut self, pivot_row: usize, column: usize) {
        let row = std::mem::take(&mut self.rows[pivot_row]);
        let pivot = row[column].clone();
        for other in self.rows.iter_mut().filter(|other| !other.is_empty()).chain([&mut self.gains]) {
            let factor = other[column].clone();
            for (value, by) in other.iter_mut().zip(&row) {
                *value = (&*value * &pivot - &factor * by) / &self.divisor;
            }
        }
        self.rows[pivot_row] = row;
        self.basis[pivot_row] = column;
        self.divisor = pivot;
    }

    fn optimum(&self) -> Optimum {
        let last = self.gains.len() - 1;
        let over = |value: &BigInt| BigRational::new(value.clone(), self.divisor.clone());
        let mut primal = vec![BigRational::zero(); self.variables];
        for (row, &variable) in self.rows.iter().zip(&self.basis) {
            if variable < self.variables {
                primal[variable] = over(&row[last]);
            }
        }
        Optimum { total: over(&self.gains[last]), primal, dual: self.gains[self.variables..last].iter().map(over).collect() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_it_finds_is_proved_by_its_own_numbers(
            matrix in (1usize..6, 1usize..6).prop_flat_map(|(rows, columns)| {
                proptest::collection::vec(proptest::collection::vec(1u64..9, columns), rows)
            }),
            limits in proptest::collection::vec(1u64..5, 6),
        ) {
            let limits = &limits[..matrix.len()];
            let found = Simplex::new(matrix.clone(), limits).solve();
            let number = |value: u64| BigRational::from(BigInt::from(value));
            prop_assert!(found.primal.iter().chain(&found.dual).all(|value| !value.is_negative()));
            for (row, &limit) in matrix.iter().zip(limits) {
                let used: BigRational = row.iter().zip(&found.primal).map(|(&a, y)| y * number(a)).sum();
                prop_assert!(used <= number(limit));
            }
            for column in 0..matrix[0].len() {
                let priced: BigRational = matrix.iter().zip(&found.dual).map(|(row, x)| x * number(row[column])).sum();
                prop_assert!(priced >= number(1));
            }
            let primal: BigRational = found.primal.iter().sum();
            let dual: BigRational = limits.iter().zip(&found.dual).map(|(&limit, x)| x * number(limit)).sum();
            prop_assert_eq!(&primal, &found.total);
            prop_assert_eq!(&dual, &found.total);
        }
    }
}
