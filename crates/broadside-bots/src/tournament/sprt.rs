//! The sequential probability ratio test: stop as soon as enough is known.
//!
//! Wald's test (A. Wald, *Sequential tests of statistical hypotheses*, Ann. Math. Stat. 16, 1945) compares two hypotheses on the
//! mean of what is observed, here the difference between two players over a pair of games. The distribution around the mean is
//! not known, so the likelihood under each hypothesis is the highest that any distribution with that mean on the observed
//! values has (the generalized test; M. Van den Bergh, *A practical introduction to the GSPRT*, as chess engines are tested).

use std::collections::BTreeMap;

use serde::Serialize;

/// Two hypotheses on how much better the first player is than the second, and how often each may be wrongly rejected.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtBounds {
    /// The lower mean: the first player is worse, or not better.
    pub low: f64,
    /// The higher mean: the first player is better.
    pub high: f64,
    /// How often either may be rejected though it is true.
    pub error: f64,
}

impl SprtBounds {
    /// Bounds with errors of 5% each; `None` unless `low` is below `high` and both are numbers.
    pub fn new(low: f64, high: f64) -> Option<Self> {
        (low.is_finite() && high.is_finite() && low < high).then_some(Self { low, high, error: 0.05 })
    }

    /// The logarithm of the ratio at which one hypothesis is taken and the other rejected.
    fn threshold(&self) -> f64 {
        ((1.0 - self.error) / self.error).ln()
    }
}

/// What the test says so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// The higher mean: the first player is better.
    High,
    /// The lower mean: it isn't.
    Low,
    /// Nothing yet.
    Open,
}

/// Differences that were observed, and the test on them.
///
/// ```
/// use broadside_bots::tournament::{Decision, Sprt, SprtBounds};
/// let mut sprt = Sprt::new(SprtBounds::new(-0.1, 0.1).unwrap());
/// for difference in [0.5, 0.5, 0.0, 1.0, -0.5].into_iter().cycle().take(200) {
///     sprt.add(difference);
/// }
/// assert_eq!(sprt.decision(), Decision::High);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sprt {
    bounds: SprtBounds,
    /// How often each difference came, by its multiple of a quarter.
    counts: BTreeMap<i64, u64>,
}

/// Differences are multiples of this: half points in pairs of games, whole shots.
const UNIT: f64 = 0.25;

/// The fewest differences to decide on: the highest likelihood says little about a distribution of which less is known.
const FEWEST: u64 = 20;

/// What is added to the count of each value, so that the mean of a hypothesis is always between two values.
const REGULAR: f64 = 1e-3;

impl Sprt {
    /// The test before anything was observed.
    pub fn new(bounds: SprtBounds) -> Self {
        Self { bounds, counts: BTreeMap::new() }
    }

    /// Adds the difference of one pair of games.
    pub fn add(&mut self, difference: f64) {
        *self.counts.entry((difference / UNIT).round() as i64).or_default() += 1;
    }

    /// How many differences there are.
    pub fn len(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The logarithm of how much likelier the higher mean is than the lower one.
    pub fn log_ratio(&self) -> f64 {
        let SprtBounds { low, high, .. } = self.bounds;
        let values = self.distribution();
        if values.is_empty() {
            return 0.0;
        }
        let likelihood = |mean| {
            let tilt = tilt(&values, mean);
            // p = q/(1 + t·(x − mean)): its logarithm without that of q, which is the same for both.
            values.iter().map(|&(x, weight)| -weight * (tilt * (x - mean)).ln_1p()).sum::<f64>()
        };
        likelihood(high) - likelihood(low)
    }

    /// The values with their weights. The ends reach beyond both hypotheses.
    fn distribution(&self) -> Vec<(f64, f64)> {
        let mut weights: BTreeMap<i64, f64> = self.counts.iter().map(|(&value, &count)| (value, count as f64)).collect();
        if weights.is_empty() {
            return Vec::new();
        }
        let ends = [(self.bounds.low / UNIT).floor() as i64 - 1, (self.bounds.high / UNIT).ceil() as i64 + 1];
        for end in ends {
            weights.entry(end).or_default();
        }
        weights.into_iter().map(|(value, weight)| (value as f64 * UNIT, weight + REGULAR)).collect()
    }

    /// What is decided.
    pub fn decision(&self) -> Decision {
        if self.len() < FEWEST {
            return Decision::Open;
        }
        let (ratio, threshold) = (self.log_ratio(), self.bounds.threshold());
        match ratio {
            ratio if ratio >= threshold => Decision::High,
            ratio if ratio <= -threshold => Decision::Low,
            _ => Decision::Open,
        }
    }
}

/// The likeliest distribution with this mean is q/(1 + t·(x − mean)) for the t at which its mean is right (A. Owen, *Empirical
/// likelihood*, 2001). The function falls in t, so t is found by halving.
fn tilt(values: &[(f64, f64)], mean: f64) -> f64 {
    let lowest = values.iter().map(|(x, _)| x - mean).fold(f64::INFINITY, f64::min);
    let highest = values.iter().map(|(x, _)| x - mean).fold(f64::NEG_INFINITY, f64::max);
    let (mut from, mut to) = (-1.0 / highest, -1.0 / lowest);
    for _ in 0..60 {
        let t = f64::midpoint(from, to);
        let slope: f64 = values.iter().map(|&(x, weight)| weight * (x - mean) / (1.0 + t * (x - mean))).sum();
        if slope > 0.0 {
            from = t;
        } else {
            to = t;
        }
    }
    f64::midpoint(from, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_of_two_values_is_that_of_the_binomial() {
        // With two values the likeliest distribution with a given mean is the only one: here P(1) = (1 + mean)/2.
        let mut sprt = Sprt::new(SprtBounds::new(-0.1, 0.1).unwrap());
        (0..60).for_each(|_| sprt.add(1.0));
        (0..40).for_each(|_| sprt.add(-1.0));
        let expected = 60.0 * (0.55f64 / 0.45).ln() + 40.0 * (0.45f64 / 0.55).ln();
        assert!((sprt.log_ratio() - expected).abs() < 0.02, "{} instead of {expected}", sprt.log_ratio());
    }

    #[test]
    fn nothing_is_decided_on_little() {
        let mut sprt = Sprt::new(SprtBounds::new(-0.1, 0.1).unwrap());
        assert!(sprt.is_empty() && sprt.log_ratio() == 0.0);
        (1..FEWEST).for_each(|_| sprt.add(1.0));
        assert_eq!(sprt.decision(), Decision::Open);
        (0..100).for_each(|_| sprt.add(1.0));
        assert_eq!(sprt.decision(), Decision::High);
    }

    #[test]
    fn bounds_must_be_in_order() {
        assert!(SprtBounds::new(0.1, -0.1).is_none() && SprtBounds::new(0.0, f64::NAN).is_none());
    }
}
