//! The game between the hider's classes and the shooters found so far, as a table.
//!
//! Let t(s, c) be the shots that shooter s needs for all layouts of class c together, and n(c) their number. A hider who uses
//! each layout of class c with probability x(c) holds shooter s to the sum of x(c)·t(s, c) shots. With the value taken out, the
//! best hider solves a linear program: the least sum of n(c)·x(c) such that the sum of x(c)·t(s, c) is at least 1 for each s. The
//! least sum is one divided by the value of the game. The best mix of shooters solves its dual: the largest sum of y(s) such
//! that the sum of y(s)·t(s, c) is at most n(c) for each c.

use microlp::{ComparisonOp, OptimizationDirection, Problem};
use num_bigint::BigInt;
use num_rational::BigRational;

use super::simplex::Simplex;

/// The table: one row for each class, one column for each shooter.
pub(crate) struct Table {
    sizes: Vec<u64>,
    columns: Vec<Vec<u64>>,
}

/// A hider's mix in floating point, good enough to ask for the best reply to it.
pub(crate) struct RoughMix {
    /// The least shots of any shooter of the table.
    pub(crate) value: f64,
    /// The probability of each layout of a class.
    pub(crate) of_class: Vec<f64>,
}

/// The solution of the table in fractions.
pub(crate) struct ExactMixes {
    pub(crate) value: BigRational,
    /// The probability of each layout of a class.
    pub(crate) of_class: Vec<BigRational>,
    /// The probability of each shooter.
    pub(crate) of_shooter: Vec<BigRational>,
}

impl Table {
    pub(crate) fn new(sizes: Vec<u64>) -> Self {
        Self { sizes, columns: Vec::new() }
    }

    /// Adds a shooter, by its shots for all layouts of each class.
    pub(crate) fn push(&mut self, column: Vec<u64>) {
        self.columns.push(column);
    }

    pub(crate) fn columns(&self) -> &[Vec<u64>] {
        &self.columns
    }

    /// The hider's best mix against the shooters so far; `None` if the solver fails.
    pub(crate) fn rough_mix(&self) -> Option<RoughMix> {
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let chances: Vec<_> = self.sizes.iter().map(|&size| problem.add_var(size as f64, (0.0, f64::INFINITY))).collect();
        for column in &self.columns {
            let shots: Vec<_> = chances.iter().zip(column).map(|(&chance, &shots)| (chance, shots as f64)).collect();
            problem.add_constraint(&shots, ComparisonOp::Ge, 1.0);
        }
        let solution = problem.solve().ok()?.into_solution().ok()?;
        let value = 1.0 / solution.objective();
        Some(RoughMix { value, of_class: chances.iter().map(|&chance| solution.var_value(chance).max(0.0) * value).collect() })
    }

    /// The shots of a shooter against a mix.
    pub(crate) fn rough_shots(mix: &[f64], column: &[u64]) -> f64 {
        mix.iter().zip(column).map(|(chance, &shots)| chance * shots as f64).sum()
    }

    /// The shots of a shooter against a mix.
    pub(crate) fn shots(mix: &[BigRational], column: &[u64]) -> BigRational {
        mix.iter().zip(column).map(|(chance, &shots)| chance * BigInt::from(shots)).sum()
    }

    /// The solution in fractions. Columns near the least against a rough mix are taken first, and others only if they turn out
    /// to be lower against the mix that follows from these.
    pub(crate) fn exact_mixes(&self, rough: &RoughMix) -> ExactMixes {
        let near = |column: &Vec<u64>| Self::rough_shots(&rough.of_class, column) < rough.value + NEAR;
        let mut taken: Vec<usize> = (0..self.columns.len()).filter(|&s| near(&self.columns[s])).collect();
        loop {
            let mixes = self.exact_mixes_of(&taken);
            let lower = |&s: &usize| Self::shots(&mixes.of_class, &self.columns[s]) < mixes.value;
            let missing: Vec<usize> = (0..self.columns.len()).filter(lower).collect();
            if missing.is_empty() {
                return mixes;
            }
            taken.extend(missing);
        }
    }

    fn exact_mixes_of(&self, taken: &[usize]) -> ExactMixes {
        let rows = (0..self.sizes.len()).map(|class| taken.iter().map(|&s| self.columns[s][class]).collect()).collect();
        let solution = Simplex::new(rows, &self.sizes).solve();
        let value = solution.total.recip();
        let mut of_shooter = vec![BigRational::default(); self.columns.len()];
        taken.iter().zip(solution.primal).for_each(|(&s, y)| of_shooter[s] = y * &value);
        ExactMixes { of_class: solution.dual.into_iter().map(|x| x * &value).collect(), of_shooter, value }
    }
}

/// So many shots above the least count as near.
const NEAR: f64 = 1e-4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matching_pennies_is_even() {
        // Two layouts of one class each; each shooter finds one of them with its first shot, and the other with its second.
        let mut table = Table::new(vec![1, 1]);
        table.push(vec![1, 2]);
        table.push(vec![2, 1]);
        let rough = table.rough_mix().unwrap();
        assert!((rough.value - 1.5).abs() < 1e-9);
        let mixes = table.exact_mixes(&rough);
        assert_eq!(mixes.value.to_string(), "3/2");
        assert_eq!([&mixes.of_class[0], &mixes.of_shooter[0]].map(ToString::to_string), ["1/2", "1/2"]);
    }

    #[test]
    fn a_class_of_two_counts_twice() {
        // A class of two layouts costs 3 shots together, a class of one costs 2 shots: the hider uses the single layout.
        let mut table = Table::new(vec![2, 1]);
        table.push(vec![3, 2]);
        let mixes = table.exact_mixes(&table.rough_mix().unwrap());
        assert_eq!(mixes.value.to_string(), "2");
        assert_eq!(mixes.of_class.iter().map(ToString::to_string).collect::<Vec<_>>(), ["0", "1"]);
    }
}
