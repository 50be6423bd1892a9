//! How often each number came up.

use super::Interval;

/// How often each whole number came up: the shots of games, or differences between games.
///
/// All that was counted is kept, so histograms of parts can be added up in any order, and every statistic is computed
/// from whole numbers at the end.
///
/// ```
/// use broadside_lab::Histogram;
/// let mut shots = Histogram::new(1, 9);
/// [2, 4, 4, 4, 5, 5, 7, 9].into_iter().for_each(|n| shots.add(n));
/// assert_eq!((shots.mean(), shots.median(), shots.largest()), (5.0, Some(4), Some(9)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    smallest: i64,
    counts: Vec<u64>,
}

impl Histogram {
    /// The histogram whose counts these are, the first of them that of `smallest`.
    pub fn from_counts(smallest: i64, counts: Vec<u64>) -> Self {
        Self { smallest, counts }
    }

    /// An empty histogram for numbers in a range, both ends included.
    pub fn new(smallest: i64, largest: i64) -> Self {
        Self { smallest, counts: vec![0; (largest - smallest + 1).max(0).unsigned_abs() as usize] }
    }

    /// Counts a number.
    ///
    /// # Panics
    /// When it is out of range.
    #[inline]
    pub fn add(&mut self, number: i64) {
        self.counts[(number - self.smallest).cast_unsigned() as usize] += 1;
    }

    /// Adds all that another histogram of the same range has counted.
    ///
    /// # Panics
    /// When the ranges differ.
    pub fn merge(&mut self, other: &Self) {
        assert_eq!((self.smallest, self.counts.len()), (other.smallest, other.counts.len()), "histograms of one range");
        self.counts.iter_mut().zip(&other.counts).for_each(|(mine, theirs)| *mine += theirs);
    }

    /// Every number of the range with how often it came up.
    pub fn counts(&self) -> impl DoubleEndedIterator<Item = (i64, u64)> + '_ {
        let number = |i: usize| self.smallest + i.cast_signed() as i64;
        self.counts.iter().enumerate().map(move |(i, &count)| (number(i), count))
    }

    /// How many numbers were counted.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean; not a number when nothing was counted.
    pub fn mean(&self) -> f64 {
        self.sum(|number| number) as f64 / self.total() as f64
    }

    /// The standard deviation of the sample, √(Σ(x − x̄)²/(n − 1)); 0 for fewer than two numbers.
    ///
    /// n·Σx² − (Σx)² is n·Σ(x − x̄)² in whole numbers, so nothing is lost by cancellation.
    pub fn deviation(&self) -> f64 {
        let n = i128::from(self.total());
        let squares = n * self.sum(|number| number * number) - self.sum(|number| number).pow(2);
        if n < 2 { 0.0 } else { (squares as f64 / (n * (n - 1)) as f64).sqrt() }
    }

    /// The standard error of the mean: the deviation divided by √n.
    pub fn std_err(&self) -> f64 {
        self.deviation() / (self.total() as f64).sqrt()
    }

    /// The 95% interval of the mean; `None` for fewer than two numbers.
    pub fn interval(&self) -> Option<Interval> {
        Interval::for_mean(self.mean(), self.std_err(), self.total())
    }

    /// The smallest number that at least this share of all are no larger than (the inverse of the empirical distribution
    /// function: Hyndman and Fan, *Sample quantiles in statistical packages*, 1996, definition 1); `None` when nothing was
    /// counted.
    pub fn percentile(&self, percent: u32) -> Option<i64> {
        let wanted = u128::from(self.total()) * u128::from(percent);
        let mut so_far = 0;
        self.counts().find_map(|(number, count)| {
            so_far += u128::from(count);
            (count > 0 && so_far * 100 >= wanted).then_some(number)
        })
    }

    /// The smallest number that at least half of all are no larger than.
    pub fn median(&self) -> Option<i64> {
        self.percentile(50)
    }

    /// The smallest number that came up.
    pub fn smallest(&self) -> Option<i64> {
        self.counts().find(|&(_, count)| count > 0).map(|(number, _)| number)
    }

    /// The largest number that came up.
    pub fn largest(&self) -> Option<i64> {
        self.counts().rfind(|&(_, count)| count > 0).map(|(number, _)| number)
    }

    /// How often a number came up.
    pub fn count_of(&self, number: i64) -> u64 {
        self.counts().find(|&(n, _)| n == number).map_or(0, |(_, count)| count)
    }

    /// The share of numbers no larger than each number of the range: the empirical distribution function.
    pub fn cumulative(&self) -> impl Iterator<Item = (i64, f64)> + '_ {
        let (total, mut so_far) = (self.total() as f64, 0);
        self.counts().map(move |(number, count)| {
            so_far += count;
            (number, so_far as f64 / total)
        })
    }

    fn sum(&self, value: impl Fn(i128) -> i128) -> i128 {
        self.counts().map(|(number, count)| value(i128::from(number)) * i128::from(count)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram(numbers: &[i64]) -> Histogram {
        let mut histogram = Histogram::new(-10, 10);
        for &number in numbers {
            histogram.add(number);
        }
        histogram
    }

    #[test]
    fn the_statistics_of_a_small_sample_are_those_worked_out_by_hand() {
        let sample = histogram(&[-3, 1, 1, 2, 9]);
        assert_eq!((sample.total(), sample.smallest(), sample.largest(), sample.count_of(1)), (5, Some(-3), Some(9), 2));
        assert!((sample.mean() - 2.0).abs() < 1e-12);
        // The squares of the distances from 2 are 25, 1, 1, 0 and 49: 76 in all, 19 for each of n − 1.
        assert!((sample.deviation() - 19f64.sqrt()).abs() < 1e-12);
        assert!((sample.std_err() - (19f64 / 5.0).sqrt()).abs() < 1e-12);
        assert_eq!([0, 20, 21, 50, 60, 61, 80, 100].map(|p| sample.percentile(p).unwrap()), [-3, -3, 1, 1, 1, 2, 2, 9]);
    }

    #[test]
    fn shares_add_up_to_one() {
        let shares: Vec<(i64, f64)> = histogram(&[-10, 0, 0, 10]).cumulative().filter(|(n, _)| n % 10 == 0).collect();
        assert_eq!(shares, [(-10, 0.25), (0, 0.75), (10, 1.0)]);
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let mut part = histogram(&[1, 2]);
        part.merge(&histogram(&[3]));
        assert_eq!(part, histogram(&[3, 2, 1]));
    }

    #[test]
    fn nothing_counted_has_no_median() {
        let nothing = histogram(&[]);
        assert_eq!((nothing.median(), nothing.largest(), nothing.total()), (None, None, 0));
        assert!(nothing.mean().is_nan() && histogram(&[4]).deviation().abs() < 1e-12);
    }
}
