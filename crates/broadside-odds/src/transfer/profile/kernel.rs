//! The inner loops: additions of vectors.
//!
//! The vectors are short (some dozens of numbers), so the loops go by fixed chunks that become one
//! or two vector instructions each; left to itself the compiler unrolls for long vectors and
//! spends its time in the scalar rest. Everything here is inlined into the function that
//! is compiled for several instruction sets.

use super::number::SweepNumber;

/// Numbers in a chunk: 256 bits of them if they are 64-bit numbers.
const CHUNK: usize = 4;

/// Adds a vector of the same length.
#[inline(always)]
pub(crate) fn add<T: SweepNumber>(sum: &mut [T], source: &[T]) {
    let (sums, sum_rest) = sum.as_chunks_mut::<CHUNK>();
    let (sources, source_rest) = source.as_chunks::<CHUNK>();
    for (sums, sources) in sums.iter_mut().zip(sources) {
        // Through copies, so that the compiler need not fear that the two overlap.
        let (a, b) = (*sums, *sources);
        *sums = std::array::from_fn(|i| a[i].plus(b[i]));
    }
    for (sum, source) in sum_rest.iter_mut().zip(source_rest) {
        *sum = sum.plus(*source);
    }
}

/// Adds the elements of a vector whose masks are all ones.
#[inline(always)]
pub(crate) fn add_masked<T: SweepNumber>(sum: &mut [T], source: &[T], masks: &[u64]) {
    let (sums, sum_rest) = sum.as_chunks_mut::<CHUNK>();
    let (sources, source_rest) = source.as_chunks::<CHUNK>();
    let (masks, mask_rest) = masks.as_chunks::<CHUNK>();
    for ((sums, sources), masks) in sums.iter_mut().zip(sources).zip(masks) {
        let (a, b, masks) = (*sums, *sources, *masks);
        *sums = std::array::from_fn(|i| a[i].plus(b[i].masked(masks[i])));
    }
    for ((sum, source), mask) in sum_rest.iter_mut().zip(source_rest).zip(mask_rest) {
        *sum = sum.plus(source.masked(*mask));
    }
}

/// Adds the elements of a vector whose masks are all ones, times a factor.
#[inline(always)]
pub(crate) fn add_scaled<T: SweepNumber>(sum: &mut [T], source: &[T], masks: &[u64], factor: T) {
    for ((sum, source), mask) in sum.iter_mut().zip(source).zip(masks) {
        *sum = sum.plus(source.masked(*mask).times(factor));
    }
}

/// Makes a vector the elements of another whose masks are all ones.
#[inline(always)]
pub(crate) fn set_masked<T: SweepNumber>(to: &mut [T], source: &[T], masks: &[u64]) {
    for ((to, source), mask) in to.iter_mut().zip(source).zip(masks) {
        *to = source.masked(*mask);
    }
}

/// The same, times a factor.
#[inline(always)]
pub(crate) fn set_scaled<T: SweepNumber>(to: &mut [T], source: &[T], masks: &[u64], factor: T) {
    for ((to, source), mask) in to.iter_mut().zip(source).zip(masks) {
        *to = source.masked(*mask).times(factor);
    }
}

/// Makes a vector zero. Most are empty, and then nothing is called.
#[inline(always)]
pub(crate) fn clear<T: SweepNumber>(vector: &mut [T]) {
    if !vector.is_empty() {
        vector.fill(T::default());
    }
}

/// The sum of the products.
#[inline(always)]
pub(crate) fn dot<T: SweepNumber>(a: &[T], b: &[T]) -> T {
    let mut sums = [T::default(); CHUNK];
    let (chunks_a, rest_a) = a.as_chunks::<CHUNK>();
    let (chunks_b, rest_b) = b.as_chunks::<CHUNK>();
    for (a, b) in chunks_a.iter().zip(chunks_b) {
        sums = std::array::from_fn(|i| sums[i].plus(a[i].times(b[i])));
    }
    let rest = rest_a.iter().zip(rest_b).fold(T::default(), |sum, (a, b)| sum.plus(a.times(*b)));
    sums.into_iter().fold(rest, T::plus)
}

/// The sum of the products of the elements whose masks are all ones.
#[inline(always)]
pub(crate) fn dot_masked<T: SweepNumber>(a: &[T], b: &[T], masks: &[u64]) -> T {
    let mut sums = [T::default(); CHUNK];
    let (chunks_a, rest_a) = a.as_chunks::<CHUNK>();
    let (chunks_b, rest_b) = b.as_chunks::<CHUNK>();
    let (masks, mask_rest) = masks.as_chunks::<CHUNK>();
    for ((a, b), masks) in chunks_a.iter().zip(chunks_b).zip(masks) {
        sums = std::array::from_fn(|i| sums[i].plus(a[i].masked(masks[i]).times(b[i])));
    }
    let rest = rest_a.iter().zip(rest_b).zip(mask_rest);
    let rest = rest.fold(T::default(), |sum, ((a, b), mask)| sum.plus(a.masked(*mask).times(*b)));
    sums.into_iter().fold(rest, T::plus)
}
