//! Numbers that begin where a line of the processor's cache does.

use std::ops::{Deref, DerefMut};

use super::line_counter::BLOCK;

/// The bytes of sixteen numbers: a line of the cache, and the widest vector.
const LINE: usize = BLOCK * size_of::<u32>();

/// A slice on the heap that begins with a line of the cache.
///
/// A vector that lies in two lines takes two reads, and the scores are made of more than twenty vectors for sixteen cells. It can't be cloned:
/// a copy would begin elsewhere.
#[derive(Debug)]
pub(crate) struct Aligned<T> {
    numbers: Vec<T>,
    first: usize,
}

impl<T: Copy + Default> Aligned<T> {
    /// These numbers.
    pub(crate) fn new(numbers: &[T]) -> Self {
        // More are allocated than are needed, and those before the next line are left out.
        let mut all = vec![T::default(); numbers.len() + BLOCK];
        let first = all.as_ptr().align_offset(LINE).min(BLOCK);
        all.truncate(first + numbers.len());
        all[first..].copy_from_slice(numbers);
        Self { numbers: all, first }
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.numbers[self.first..]
    }
}

impl<T> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.numbers[self.first..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_with_a_line_and_can_be_changed() {
        for len in [1, 16, 17, 200] {
            let mut numbers = Aligned::new(&vec![3_u32; len]);
            assert_eq!((numbers.len(), numbers.as_ptr().align_offset(LINE)), (len, 0));
            numbers[len - 1] = 5;
            assert_eq!(numbers.iter().sum::<u32>(), 3 * len as u32 + 2);
        }
    }
}
