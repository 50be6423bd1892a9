//! Whether a histogram agrees with a distribution known in closed form.

use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::Histogram;

/// Numbers expected less often than this are put together with their neighbours: below it the statistic no longer follows
/// the chi-square distribution well (W. G. Cochran, *The χ² test of goodness of fit*, Ann. Math. Stat. 23, 1952).
const EXPECTED: f64 = 5.0;

/// Pearson's test of goodness of fit (K. Pearson, *On the criterion …*, Philosophical Magazine 50, 1900): Σ(O − E)²/E over
/// all cells, and how often chance alone would give as much or more.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ChiSquare {
    /// The statistic.
    pub statistic: f64,
    /// Degrees of freedom: one fewer than the cells that were compared.
    pub freedom: usize,
    /// The chance of a statistic as large or larger if the distribution is the right one.
    pub p_value: f64,
}

impl ChiSquare {
    /// How well what was counted agrees with the chance of each number. `None` when fewer than two cells are left after
    /// putting together those that are expected fewer than five times, since there is nothing to compare then.
    ///
    /// ```
    /// use broadside_lab::{Histogram, stats::ChiSquare};
    /// // A die thrown sixty times, each side expected ten times: (25 + 4 + 1 + 4 + 1 + 25)/10.
    /// let die = Histogram::from_counts(1, vec![5, 8, 9, 12, 11, 15]);
    /// let fit = ChiSquare::test(&die, |_| 1.0 / 6.0).unwrap();
    /// assert!((fit.statistic - 6.0).abs() < 1e-9 && fit.freedom == 5 && (fit.p_value - 0.3062).abs() < 1e-4);
    /// ```
    pub fn test(counted: &Histogram, chance: impl Fn(i64) -> f64) -> Option<Self> {
        let total = counted.total() as f64;
        let cells = pool(counted.counts().map(|(number, count)| (count as f64, total * chance(number))));
        let freedom = cells.len().checked_sub(1).filter(|&freedom| freedom > 0)?;
        let statistic = cells.iter().map(|(seen, expected)| (seen - expected).powi(2) / expected).sum();
        let p_value = ChiSquared::new(freedom as f64).ok()?.sf(statistic);
        Some(Self { statistic, freedom, p_value })
    }
}

/// Cells, each expected often enough: those too rare are joined to the next ones, and what is left to the last.
fn pool(cells: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut pooled: Vec<(f64, f64)> = Vec::new();
    let mut open = (0.0, 0.0);
    for (seen, expected) in cells {
        open = (open.0 + seen, open.1 + expected);
        if open.1 >= EXPECTED {
            pooled.push(std::mem::take(&mut open));
        }
    }
    if let Some(last) = pooled.last_mut() {
        *last = (last.0 + open.0, last.1 + open.1);
    }
    pooled
}

/// The chance that the last of `k` cells among `n`, uncovered in random order, comes with shot `s`: C(s − 1, k − 1)/C(n, k),
/// as the other k − 1 lie anywhere among the s − 1 shots before it. This is how long the captain `random` takes.
///
/// ```
/// use broadside_lab::stats::last_hit_chance;
/// // The last of 17 cells among 100 is the very last in 17 cases of 100.
/// assert!((last_hit_chance(17, 100, 100) - 0.17).abs() < 1e-12);
/// ```
pub fn last_hit_chance(k: u64, n: u64, s: u64) -> f64 {
    if s < k || s > n || k == 0 {
        return 0.0;
    }
    // From shot n down, where it is k/n: each step back is a factor (s − k)/(s − 1), at most 1, so nothing overflows.
    (s + 1..=n).fold(k as f64 / n as f64, |chance, s| chance * (s - k) as f64 / (s - 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_a_few_cells_comes_as_counted_by_hand() {
        // Two cells among four: of the six pairs one ends at 2, two end at 3 and three at 4.
        for (s, ways) in [(1, 0.0), (2, 1.0), (3, 2.0), (4, 3.0), (5, 0.0)] {
            assert!((last_hit_chance(2, 4, s) - ways / 6.0).abs() < 1e-15);
        }
        let whole: f64 = (0..=100).map(|s| last_hit_chance(17, 100, s)).sum();
        assert!((whole - 1.0).abs() < 1e-12);
        // A perfect game: 1 in C(100, 17), as the article says.
        assert!((last_hit_chance(17, 100, 17) * 6_650_134_872_937_201_800.0 - 1.0).abs() < 1e-10);
    }

    #[test]
    fn rare_cells_are_put_together() {
        let cells = [(1.0, 2.0), (2.0, 2.0), (3.0, 2.0), (9.0, 9.0), (1.0, 1.0)];
        assert_eq!(pool(cells.into_iter()), [(6.0, 6.0), (10.0, 10.0)]);
        assert_eq!(pool([(1.0, 1.0)].into_iter()), []);
    }

    #[test]
    fn the_p_value_is_that_of_printed_tables() {
        // 5% points: 3.841 for one degree of freedom, 18.307 for ten.
        let p = |statistic, freedom| ChiSquared::new(freedom).unwrap().sf(statistic);
        assert!((p(3.841, 1.0) - 0.05).abs() < 1e-4 && (p(18.307, 10.0) - 0.05).abs() < 1e-4);
        // 60 of 100 heads: (10² + 10²)/50 is 4.
        let coin = ChiSquare::test(&Histogram::from_counts(0, vec![40, 60]), |_| 0.5).unwrap();
        assert!((coin.statistic - 4.0).abs() < 1e-12 && (coin.p_value - 0.0455).abs() < 1e-4);
        assert_eq!(ChiSquare::test(&Histogram::from_counts(0, vec![4]), |_| 1.0), None);
    }
}
