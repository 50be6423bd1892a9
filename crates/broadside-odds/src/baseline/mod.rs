//! Slower ways to count, kept to measure the fast one against and as second opinions in tests.
//!
//! Nobody needs them for anything else: [`Transfer`](crate::Transfer) gives the same integers.

pub mod clique;
pub mod plain_sweep;

use broadside_rules::ShotLog;
use rand::Rng;

use crate::EstimatedCounts;

/// [`estimate`](crate::estimate) from the cells under the ships of each draw, and not from all the places that each ship could have
/// beside the others. The same generator makes the same draws, so the ratio of squared errors is how many times as many draws
/// this takes.
///
/// ```
/// use broadside_odds::{baseline, estimate};
/// use broadside_rules::{Preset, ShotLog};
/// use rand::SeedableRng;
///
/// let log = ShotLog::new(&Preset::Classic.rules());
/// let rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
/// let (plain, better) = (baseline::plain_estimate(&log, 200, &mut rng.clone()), estimate(&log, 200, &mut rng.clone()));
/// let error = |estimated: &broadside_odds::EstimatedCounts| estimated.chance("E5".parse().unwrap()).std_err;
/// assert!(plain.zip(better).is_some_and(|(plain, better)| error(&plain) > 2.0 * error(&better)));
/// ```
pub fn plain_estimate(log: &ShotLog, samples: u64, rng: &mut impl Rng) -> Option<EstimatedCounts> {
    crate::estimate::estimate_from_cells(log, samples, rng)
}
