//! Random numbers without bias: every value below the limit has exactly the same chance.

use rand::Rng;

/// A number below `limit`, which is not 0 (Lemire, *Fast random integer generation in an interval*, 2019).
#[inline]
pub(in crate::transfer) fn below(limit: u64, rng: &mut (impl Rng + ?Sized)) -> u64 {
    loop {
        let (high, low) = wide_product(rng.next_u64(), limit);
        // The exact test needs a division, so the one that is nearly always enough comes first.
        if low >= limit || low >= limit.wrapping_neg() % limit {
            return high;
        }
    }
}

/// The product of two numbers in two words.
#[inline]
pub(super) fn wide_product(a: u64, b: u64) -> (u64, u64) {
    let product = u128::from(a) * u128::from(b);
    ((product >> 64) as u64, product as u64)
}
