//! Loops over cells as explicit vectors, of the width that the processor has.
//!
//! Left to itself, the compiler sometimes makes vectors of the wrong loop, which takes several times as long.

use pulp::Simd;

/// The bits of 2^23 as a float, to which a small whole number can be added.
const WHOLE: u32 = 8_388_608.0_f32.to_bits();

/// A small whole number that is not negative, as an index.
#[inline(always)]
pub(crate) fn whole(number: f32) -> usize {
    ((number + f32::from_bits(WHOLE)).to_bits() - WHOLE) as usize
}

/// The operations on vectors of one width.
#[derive(Clone, Copy)]
pub(crate) struct Vectors<S>(pub(crate) S);

impl<S: Simd> Vectors<S> {
    #[inline(always)]
    pub(crate) fn all(self, number: f32) -> S::f32s {
        self.0.splat_f32s(number)
    }

    #[inline(always)]
    pub(crate) fn add(self, a: S::f32s, b: S::f32s) -> S::f32s {
        self.0.add_f32s(a, b)
    }

    #[inline(always)]
    pub(crate) fn mul(self, a: S::f32s, b: S::f32s) -> S::f32s {
        self.0.mul_f32s(a, b)
    }

    #[inline(always)]
    pub(crate) fn max(self, a: S::f32s, b: S::f32s) -> S::f32s {
        self.0.max_f32s(a, b)
    }

    /// One byte of each word.
    #[inline(always)]
    pub(crate) fn byte(self, words: S::u32s, number: u32) -> S::u32s {
        let shifted = self.0.wrapping_dyn_shr_u32s(words, self.0.splat_u32s(8 * number));
        self.0.and_u32s(shifted, self.0.splat_u32s(0xff))
    }

    /// Small whole numbers as floats.
    #[inline(always)]
    pub(crate) fn float(self, bytes: S::u32s) -> S::f32s {
        let raised = self.0.or_u32s(bytes, self.0.splat_u32s(WHOLE));
        self.0.sub_f32s(self.0.transmute_f32s_u32s(raised), self.0.splat_f32s(f32::from_bits(WHOLE)))
    }

    /// One number where the other one is so large, and another elsewhere.
    #[inline(always)]
    pub(crate) fn where_equal(self, bytes: S::u32s, number: u32, there: S::f32s, elsewhere: S::f32s) -> S::f32s {
        self.0.select_f32s(self.0.equal_u32s(bytes, self.0.splat_u32s(number)), there, elsewhere)
    }

    /// One number where the first is not less than the second, and another elsewhere.
    #[inline(always)]
    pub(crate) fn where_not_less(self, a: S::f32s, b: S::f32s, there: S::f32s, elsewhere: S::f32s) -> S::f32s {
        self.0.select_f32s(self.0.greater_than_or_equal_f32s(a, b), there, elsewhere)
    }
}

/// Arrays as vectors. `self` only says of which width.
#[allow(clippy::unused_self)]
impl<S: Simd> Vectors<S> {
    /// The numbers as vectors. Their number must be a multiple of sixteen.
    #[inline(always)]
    pub(crate) fn of(self, numbers: &[f32]) -> &[S::f32s] {
        S::as_simd_f32s(numbers).0
    }

    #[inline(always)]
    pub(crate) fn of_mut(self, numbers: &mut [f32]) -> &mut [S::f32s] {
        S::as_mut_simd_f32s(numbers).0
    }

    /// The words as vectors. Their number must be a multiple of sixteen.
    #[inline(always)]
    pub(crate) fn of_words(self, words: &[u32]) -> &[S::u32s] {
        S::as_simd_u32s(words).0
    }
}
