//! How much a layout counts: the integers that a search adds up.
//!
//! Where every layout counts once, `u32` is enough and fastest. The exact mixes of an equilibrium have large denominators, which
//! need `u128`.

use std::fmt::Debug;
use std::hash::Hash;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

/// An integer that weights and costs are.
pub(crate) trait Weight:
    Copy
    + Debug
    + Default
    + Ord
    + Hash
    + From<u32>
    + Add<Output = Self>
    + AddAssign
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Sum
{
    /// The largest one: more than any cost.
    const MAX: Self;

    /// The sum, or the largest one if that is less.
    fn saturating_add(self, other: Self) -> Self;

    /// The quotient, rounded up.
    fn div_ceil(self, divisor: Self) -> Self;

    /// Its bytes, the lowest first.
    fn bytes(self) -> impl Iterator<Item = u8>;

    /// A word in which its bits are folded together.
    fn fold(self) -> u64;
}

/// What both integers have in the same words.
macro_rules! shared_items {
    () => {
        const MAX: Self = Self::MAX;

        fn saturating_add(self, other: Self) -> Self {
            self.saturating_add(other)
        }

        fn div_ceil(self, divisor: Self) -> Self {
            self.div_ceil(divisor)
        }

        fn bytes(self) -> impl Iterator<Item = u8> {
            self.to_le_bytes().into_iter()
        }
    };
}

impl Weight for u32 {
    shared_items!();

    fn fold(self) -> u64 {
        self.into()
    }
}

impl Weight for u128 {
    shared_items!();

    fn fold(self) -> u64 {
        self as u64 ^ (self >> 64) as u64
    }
}
