//! Integers of a fixed width beyond 128 bits, as far as the best reply to an exact mix needs them.

use std::ops::AddAssign;

use num_bigint::BigUint;

/// An integer with so many words, the highest first. So the derived order is that of the integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wide<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Default for Wide<WORDS> {
    fn default() -> Self {
        Self([0; WORDS])
    }
}

impl<const WORDS: usize> AddAssign for Wide<WORDS> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        let mut carry = false;
        for (word, other) in self.0.iter_mut().zip(other.0).rev() {
            let (sum, over) = word.overflowing_add(other);
            let (sum, over_again) = sum.overflowing_add(u64::from(carry));
            (*word, carry) = (sum, over || over_again);
        }
        debug_assert!(!carry, "a sum that fits");
    }
}

impl<const WORDS: usize> Wide<WORDS> {
    /// The most bits.
    pub(super) const BITS: u64 = WORDS as u64 * u64::BITS as u64;

    /// The integer, which must fit.
    pub(super) fn new(value: &BigUint) -> Self {
        debug_assert!(value.bits() <= Self::BITS, "an integer that fits");
        let mut wide = Self::default();
        wide.0.iter_mut().rev().zip(value.iter_u64_digits()).for_each(|(word, digit)| *word = digit);
        wide
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sums_and_order_are_those_of_integers(one: [u64; 3], other: [u64; 3], carries: bool) {
            let number = |words: [u64; 3]| {
                let words = words.map(|word| if carries { u64::MAX - word % 2 } else { word });
                words.iter().fold(BigUint::default(), |number, &word| (number << 64u32) + word)
            };
            let (one, other) = (number(one), number(other));
            let mut sum = Wide::<4>::new(&one);
            sum += Wide::new(&other);
            prop_assert_eq!(sum, Wide::new(&(&one + &other)));
            prop_assert_eq!(Wide::<4>::new(&one).cmp(&Wide::new(&other)), one.cmp(&other));
        }
    }
}
