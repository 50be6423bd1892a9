//! The numbers that a sweep can add up.

use rand::{Rng, RngExt};

/// A number of layouts, or a weight of layouts.
///
/// The integers are those modulo 2^64 and 2^128: they wrap. A sum of products that wraps on the way is still right
/// in the end if the true result is small enough, so whoever starts a sweep has to prove only a
/// bound on the number of layouts, not on what passes in between.
pub(crate) trait SweepNumber: Copy + Default + PartialEq + PartialOrd + Send + Sync + 'static {
    /// The number of layouts on an empty board with no ships.
    const ONE: Self;

    /// The sum.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// The product.
    #[must_use]
    fn times(self, other: Self) -> Self;

    /// The difference from a number that is not larger.
    #[must_use]
    fn minus(self, other: Self) -> Self;

    /// A uniformly random number from 0 to before this one, which is not 0.
    #[must_use]
    fn random_below<R: Rng + ?Sized>(self, rng: &mut R) -> Self;

    /// The number itself where `mask` is all ones, zero where it is all zeros.
    #[must_use]
    fn masked(self, mask: u64) -> Self;
}

/// The integers differ only in how a mask of 64 bits is spread over them.
macro_rules! integer {
    ($type:ty, $spread:expr) => {
        impl SweepNumber for $type {
            const ONE: Self = 1;

            fn minus(self, other: Self) -> Self {
                self - other
            }

            fn random_below<R: Rng + ?Sized>(self, rng: &mut R) -> Self {
                rng.random_range(0..self)
            }

            #[inline]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }

            #[inline]
            fn masked(self, mask: u64) -> Self {
                let spread: fn(u64) -> Self = $spread;
                self & spread(mask)
            }
        }
    };
}

integer!(u64, |mask| mask);
integer!(u128, |mask| u128::from(mask) << 64 | u128::from(mask));

impl SweepNumber for f64 {
    const ONE: Self = 1.0;

    fn minus(self, other: Self) -> Self {
        self - other
    }

    fn random_below<R: Rng + ?Sized>(self, rng: &mut R) -> Self {
        self * rng.random::<Self>()
    }

    #[inline]
    fn plus(self, other: Self) -> Self {
        self + other
    }

    #[inline]
    fn times(self, other: Self) -> Self {
        self * other
    }

    #[inline]
    fn masked(self, mask: u64) -> Self {
        Self::from_bits(self.to_bits() & mask)
    }
}
