//! Random generators that can be had again.

use rand::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

/// The generator of item `index` under a seed.
///
/// Each item has its own, so that asking for more items, or for some of them on another thread, changes none. The seed
/// is mixed before the index is added: neighbouring seeds would share nearly all their generators otherwise.
pub(crate) fn generator(seed: u64, index: u64) -> Xoshiro256PlusPlus {
    let mixed = SplitMix64::seed_from_u64(seed).next_u64();
    Xoshiro256PlusPlus::seed_from_u64(mixed.wrapping_add(index))
}

/// A seed that nobody chose, short enough to be typed again.
pub(crate) fn any_seed() -> u64 {
    u64::from(rand::random::<u32>())
}

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

    #[test]
    fn a_generator_can_be_had_again() {
        assert_eq!(generator(7, 3), generator(7, 3));
    }
}
