//! A set of placements that is small enough to be copied.

use crate::bits::bits;

/// Up to 64 · W placements, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct PlacementSet<const W: usize>([u64; W]);

impl<const W: usize> PlacementSet<W> {
    pub(super) const EMPTY: Self = Self([0; W]);

    /// The first `count` placements.
    pub(super) fn first(count: usize) -> Self {
        (0..count).fold(Self::EMPTY, Self::with)
    }

    pub(super) fn with(mut self, index: usize) -> Self {
        self.0[index / 64] |= 1 << (index % 64);
        self
    }

    pub(super) fn contains(self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    pub(super) fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    pub(super) fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The placements, ascending.
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        (0..W).flat_map(move |word| bits(self.0[word]).map(move |bit| 64 * word + bit as usize))
    }
}
