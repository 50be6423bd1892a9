//! Reproducible random generators.

use broadside_captains::GameRng;
use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

/// The generator of item `index` under a seed.
///
/// Each item has its own, so that asking for more items, or for some of them on another thread, changes none. The seed
/// is mixed before the index is added: neighbouring seeds would share nearly all their generators otherwise.
///
/// ```
/// assert_eq!(broadside_lab::generator(7, 3), broadside_lab::generator(7, 3));
/// ```
pub fn generator(seed: u64, index: u64) -> GameRng {
    let mixed = SplitMix64::seed_from_u64(seed).next_u64();
    GameRng::seed_from_u64(mixed.wrapping_add(index))
}

/// The secret number that decides which answers of item `index` are false: see [`broadside_rules::Noise`]. It has nothing to do with the generator
/// of the item, which deals and chooses shots.
///
/// ```
/// assert_ne!(broadside_lab::noise_seed(7, 3), broadside_lab::noise_seed(7, 4));
/// ```
pub fn noise_seed(seed: u64, index: u64) -> u64 {
    generator(seed ^ NOISE, index).next_u64()
}

/// Any number: seeds that differ by it are two different campaigns.
const NOISE: u64 = 0x6e6f_6973_6500_0000;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_pair_of_seed_and_index_has_its_own_generator() {
        let first_words: HashSet<u64> =
            (0..100).flat_map(|seed| (0..100).map(move |index| generator(seed, index).next_u64())).collect();
        assert_eq!(first_words.len(), 10_000);
    }
}
