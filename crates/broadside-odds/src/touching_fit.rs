//! The factors for ships that touch, from layouts.
//!
//! Given the weights of placements, a layout is as likely as its weight times e to the power θ·n, over the mean of that factor; n are
//! its pairs of ships that touch, side by side and at corners. That mean comes from layouts drawn by the weights alone, so the fit
//! is as exact as that sample is large; nothing but the numbers of pairs matters, so the sample is a small table. The penalty is that of
//! [`Learner`](crate::Learner).

use std::collections::HashMap;

use broadside_rules::{Layout, Rules};
use rand::Rng;

use crate::{DealError, Dealer, PlacementWeights, Touching};

/// Layouts drawn for the mean of the factors.
const DRAWN: usize = 20_000;

/// Steps of Newton's method at most; it takes some five.
const MAX_STEPS: usize = 60;

/// Factors stay within e to this power.
const MOST_LOG: f64 = 6.0;

/// How often ships touch by some weights of placements: what the factors are fitted against.
///
/// ```
/// use broadside_odds::{Dealer, PlacementWeights, TouchingFit};
/// use broadside_rules::Preset;
/// use rand::SeedableRng;
///
/// // 400 layouts of somebody who avoids touching sides.
/// let rules = Preset::Classic.rules();
/// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
/// let mut dealer = Dealer::new(&rules).with_weights(&PlacementWeights::parse(&rules, "side 0.2")?);
/// let seen: Vec<_> = (0..400).map(|_| dealer.weighted(&mut rng)).collect::<Result<_, _>>()?;
/// let fit = TouchingFit::new(&rules, &PlacementWeights::uniform(), &mut rng)?;
/// let learned = fit.fit(&seen, 40.0);
/// assert!(learned.side < 0.5 && (0.7..1.4).contains(&learned.corner), "{learned:?}");
/// assert!(fit.bits(learned, &seen) > 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TouchingFit {
    /// Pairs side by side and at corners, with the share of layouts that have so many.
    shares: Vec<([f64; 2], f64)>,
}

impl TouchingFit {
    /// Draws layouts by the weights of placements.
    ///
    /// # Errors
    /// When the board is too tight to deal from.
    pub fn new(rules: &Rules, weights: &PlacementWeights, rng: &mut impl Rng) -> Result<Self, DealError> {
        let mut dealer = Dealer::new(rules).with_weights(&weights.clone().with_touching(Touching::EITHER));
        let mut seen: HashMap<(u32, u32), f64> = HashMap::new();
        for _ in 0..DRAWN {
            *seen.entry(Touching::pairs(dealer.weighted(rng)?.ships())).or_default() += 1.0 / DRAWN as f64;
        }
        let mut shares: Vec<_> = seen.into_iter().collect();
        shares.sort_unstable_by_key(|(pairs, _)| *pairs);
        Ok(Self { shares: shares.into_iter().map(|(pairs, share)| (numbers(pairs), share)).collect() })
    }

    /// The factors that make these layouts likeliest, less prior/2 times the squares of their logarithms.
    pub fn fit(&self, layouts: &[Layout], prior: f64) -> Touching {
        if layouts.is_empty() {
            return Touching::EITHER;
        }
        let (aim, penalty) = (mean_pairs(layouts), (prior / layouts.len() as f64).max(1e-9));
        let mut logs = [0.0; 2];
        for _ in 0..MAX_STEPS {
            let (mean, [[ss, sc], [_, cc]]) = self.moments(logs);
            let slope = [0, 1].map(|i| aim[i] - mean[i] - penalty * logs[i]);
            let (ss, cc) = (ss + penalty, cc + penalty);
            let det = ss * cc - sc * sc;
            let step = [(cc * slope[0] - sc * slope[1]) / det, (ss * slope[1] - sc * slope[0]) / det];
            logs = [0, 1].map(|i| (logs[i] + step[i].clamp(-1.0, 1.0)).clamp(-MOST_LOG, MOST_LOG));
        }
        Touching { side: logs[0].exp(), corner: logs[1].exp() }
    }

    /// How many bits better the factors predict some layouts than the weights of placements do alone, for each layout.
    pub fn bits(&self, touching: Touching, layouts: &[Layout]) -> f64 {
        let logs = [touching.side, touching.corner].map(|factor| factor.max((-MOST_LOG).exp()).ln());
        let aim = mean_pairs(layouts);
        (dot(logs, aim) - self.total(logs).ln()) / std::f64::consts::LN_2
    }

    /// The mean of the factor.
    fn total(&self, logs: [f64; 2]) -> f64 {
        self.shares.iter().map(|&(pairs, share)| share * dot(logs, pairs).exp()).sum()
    }

    /// The mean numbers of pairs by these factors, and their covariances.
    fn moments(&self, logs: [f64; 2]) -> ([f64; 2], [[f64; 2]; 2]) {
        let total = self.total(logs);
        let mean_of = |of: &dyn Fn([f64; 2]) -> f64| {
            self.shares.iter().map(|&(pairs, share)| share * dot(logs, pairs).exp() * of(pairs)).sum::<f64>() / total
        };
        let mean = [0, 1].map(|i| mean_of(&|pairs| pairs[i]));
        let spread = [0, 1].map(|i| [0, 1].map(|j| mean_of(&|pairs| (pairs[i] - mean[i]) * (pairs[j] - mean[j]))));
        (mean, spread)
    }
}

fn numbers((sides, corners): (u32, u32)) -> [f64; 2] {
    [f64::from(sides), f64::from(corners)]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn mean_pairs(layouts: &[Layout]) -> [f64; 2] {
    let sum = layouts.iter().fold([0.0; 2], |sum, layout| {
        let pairs = numbers(Touching::pairs(layout.ships()));
        [sum[0] + pairs[0], sum[1] + pairs[1]]
    });
    sum.map(|pairs| pairs / layouts.len().max(1) as f64)
}
