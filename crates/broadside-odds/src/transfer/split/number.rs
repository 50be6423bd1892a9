//! The numbers the sweeps compute with.

/// A number that is never negative, and honest about its limit.
///
/// The sweeps only add and multiply numbers that are at least zero. Every implementation keeps
/// one invariant through both: a value below its limit (2^53, 2^128 - 1) is exact, and a value whose true
/// size is at or above the limit stays at or above it. A sum or product that ends below the limit
/// therefore had only exact parts (a part too large can only have been multiplied by zero), so
/// looking at the end result is enough to know whether anything ran over on the way.
///
/// The integers saturate. `f64` holds every integer below 2^53 and rounds monotonically above,
/// which is the same thing with a lower limit; it is the fastest, because every processor
/// multiplies vectors of it. Should a count pass 2^1024, infinity times zero gives NaN, which is
/// not below the limit either. Weighted sums use `f64` too, as plain floating point.
pub(crate) trait Number: Copy + Default + PartialEq + Send + Sync + std::fmt::Debug + 'static {
    /// Nothing.
    const ZERO: Self;
    /// One layout.
    const ONE: Self;
    /// Whether processors compute with vectors of it.
    const VECTORS: bool;
    /// The sum.
    #[must_use]
    fn plus(self, other: Self) -> Self;
    /// The product.
    #[must_use]
    fn times(self, other: Self) -> Self;
    /// `self + a * b`.
    #[must_use]
    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Self {
        self.plus(a.times(b))
    }
    /// Half of an even number; what is at or above the limit stays there.
    #[must_use]
    fn half(self) -> Self;
    /// The exact integer, or `None` at or above the limit.
    fn exact(self) -> Option<u128>;
}

/// 2^53.
const LIMIT: f64 = 9_007_199_254_740_992.0;

impl Number for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    const VECTORS: bool = false;
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self * other
    }
    fn half(self) -> Self {
        if self < LIMIT { self / 2.0 } else { self }
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn exact(self) -> Option<u128> {
        (self < LIMIT).then_some(self as u128)
    }
}

/// An `f64` that multiplies and adds in one instruction. For code compiled for processors that
/// have it; elsewhere it is right but slow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Fused(pub f64);

impl From<f64> for Fused {
    fn from(value: f64) -> Self {
        Fused(value)
    }
}

impl From<Fused> for f64 {
    fn from(value: Fused) -> Self {
        value.0
    }
}

impl Number for Fused {
    const ZERO: Self = Fused(0.0);
    const ONE: Self = Fused(1.0);
    const VECTORS: bool = true;
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Fused(self.0 + other.0)
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Fused(self.0 * other.0)
    }
    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Self {
        Fused(a.0.mul_add(b.0, self.0))
    }
    fn half(self) -> Self {
        Fused(self.0.half())
    }
    fn exact(self) -> Option<u128> {
        self.0.exact()
    }
}

impl Number for u128 {
    const ZERO: Self = 0;
    const ONE: Self = 1;
    const VECTORS: bool = false;
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self.saturating_mul(other)
    }
    /// Not inlined: it is long, the kernels have it in many places, and only counts too large for `f64` need it.
    #[inline(never)]
    fn plus_product(self, a: Self, b: Self) -> Self {
        self.saturating_add(a.saturating_mul(b))
    }
    fn half(self) -> Self {
        if self < Self::MAX { self / 2 } else { self }
    }
    fn exact(self) -> Option<u128> {
        (self < Self::MAX).then_some(self)
    }
}
