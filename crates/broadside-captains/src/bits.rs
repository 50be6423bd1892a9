//! Sets of cells as machine words.
//!
//! The captains think in whole boards: shift all cells by one column, keep those that are open, count. Written once
//! over [`Bits`], that code runs on one `u128` for boards of up to 128 cells, and on several for larger ones.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

/// Evaluates an expression with a type alias for the [`Bits`] that fit the grid: one of a few widths, so that a shot costs more
/// on a larger board in proportion to its cells, and the code is compiled a few times only.
macro_rules! for_width {
    ($grid:expr, $width:ident => $make:expr) => {
        $crate::bits::for_width!(@ $grid.len(), $width => $make;
            128 u128, 256 $crate::bits::Wide<2>, 384 $crate::bits::Wide<3>, 512 $crate::bits::Wide<4>,
            1024 $crate::bits::Wide<8>, 2048 $crate::bits::Wide<16>, 4096 $crate::bits::Wide<32>)
    };
    (@ $cells:expr, $width:ident => $make:expr; $($most:literal $bits:ty),*) => {
        match $cells {
            $(..=$most => {
                type $width = $bits;
                $make
            })*
            _ => unreachable!("a board has at most 4096 cells"),
        }
    };
}
pub(crate) use for_width;

/// A set of cell numbers that fits into a fixed number of words.
///
/// It knows nothing of the board: whoever complements or shifts it must cut off what falls outside.
pub(crate) trait Bits:
    Copy
    + Eq
    + Send
    + Sync
    + std::fmt::Debug
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
    + BitAndAssign
    + BitOrAssign
    + 'static
{
    /// No cell.
    const EMPTY: Self;

    /// Only this cell.
    fn only(index: usize) -> Self;

    /// The cells of these words, as many as there are.
    fn from_words(words: &[u128]) -> Self;

    /// Whether the cell is in the set.
    fn has(self, index: usize) -> bool;

    /// Whether there is at most one cell.
    fn at_most_one(self) -> bool;

    /// The number of cells.
    fn count(self) -> usize;

    /// The smallest number in the set.
    fn first(self) -> Option<usize>;

    /// Takes the smallest number out of the set.
    #[inline]
    fn take_first(&mut self) -> Option<usize> {
        let first = self.first()?;
        *self &= !Self::only(first);
        Some(first)
    }

    /// The number that comes after `rank` smaller ones. There must be more than `rank`.
    fn nth(self, rank: usize) -> usize;

    /// Eight cells of the set: those from eight times this number on, the first in the lowest bit.
    #[cfg(test)]
    fn byte(self, number: usize) -> u8;

    /// Whether there is no cell.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Whether two sets share a cell.
    #[inline]
    fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// The numbers in the set, smallest first.
    fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self;
        std::iter::from_fn(move || rest.take_first())
    }
}

impl Bits for u128 {
    const EMPTY: Self = 0;

    #[inline]
    fn only(index: usize) -> Self {
        1 << index
    }

    #[inline]
    fn from_words(words: &[u128]) -> Self {
        words[0]
    }

    #[inline]
    fn has(self, index: usize) -> bool {
        self >> index & 1 == 1
    }

    #[inline]
    fn at_most_one(self) -> bool {
        self & self.wrapping_sub(1) == 0
    }

    #[inline]
    fn count(self) -> usize {
        self.count_ones() as usize
    }

    #[inline]
    fn first(self) -> Option<usize> {
        (self != 0).then(|| self.trailing_zeros() as usize)
    }

    #[inline]
    fn take_first(&mut self) -> Option<usize> {
        let first = self.first()?;
        *self &= self.wrapping_sub(1);
        Some(first)
    }

    #[cfg(test)]
    fn byte(self, number: usize) -> u8 {
        (self >> (8 * number)) as u8
    }

    #[inline]
    fn nth(self, rank: usize) -> usize {
        // ByOrientation halves are looked at and one is chosen without a branch: which one it is can't be foreseen.
        let (low, high) = (Ranks::new(self as u64), Ranks::new((self >> 64) as u64));
        let beyond = usize::from(rank >= low.all());
        let half = [low, high][beyond];
        64 * beyond + half.nth(rank - beyond * low.all())
    }
}

/// The bits of a word counted byte by byte, all bytes at once, to find the one of a given rank.
#[derive(Clone, Copy)]
struct Ranks {
    word: u64,
    /// Each byte holds the number of bits in it and all bytes below.
    up_to: u64,
}

impl Ranks {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = Self::ONES << 7;

    #[inline]
    fn new(word: u64) -> Self {
        let pairs = word - (word >> 1 & (Self::ONES * 0x55));
        let nibbles = (pairs & (Self::ONES * 0x33)) + (pairs >> 2 & (Self::ONES * 0x33));
        Self { word, up_to: ((nibbles + (nibbles >> 4)) & (Self::ONES * 0x0f)).wrapping_mul(Self::ONES) }
    }

    /// The number of all bits.
    #[inline]
    fn all(self) -> usize {
        (self.up_to >> 56) as usize
    }

    /// Where the bit lies that comes after `rank` others.
    #[inline]
    fn nth(self, rank: usize) -> usize {
        // A byte's high bit stays set where it counts no more than `rank`: those bytes lie below the one sought.
        let full = (((rank as u64).wrapping_mul(Self::ONES) | Self::HIGHS) - self.up_to) & Self::HIGHS;
        // As many ones as bytes, added up by the multiplication: cheaper than counting bits on plain processors.
        let shift = (full >> 7).wrapping_mul(Self::ONES) >> 56 << 3;
        let before = (self.up_to << 8 >> shift & 0xff) as usize;
        shift as usize + usize::from(NTH_OF_BYTE[rank - before][(self.word >> shift & 0xff) as usize])
    }
}

/// For each rank and byte, the bit of that rank.
const NTH_OF_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut rank) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[rank][byte] = bit;
                rank += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Several words in a row, the first with the smallest numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wide<const N: usize>([u128; N]);

const WORD: usize = u128::BITS as usize;

impl<const N: usize> Wide<N> {
    #[inline]
    fn zip(self, other: Self, verb: impl Fn(u128, u128) -> u128) -> Self {
        Self(std::array::from_fn(|i| verb(self.0[i], other.0[i])))
    }

    fn word(self, index: Option<usize>) -> u128 {
        index.and_then(|index| self.0.get(index)).copied().unwrap_or(0)
    }
}

impl<const N: usize> BitAnd for Wide<N> {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl<const N: usize> BitOr for Wide<N> {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl<const N: usize> BitXor for Wide<N> {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl<const N: usize> Not for Wide<N> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl<const N: usize> BitAndAssign for Wide<N> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl<const N: usize> BitOrAssign for Wide<N> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl<const N: usize> Shl<usize> for Wide<N> {
    type Output = Self;

    #[inline]
    fn shl(self, by: usize) -> Self {
        // The usual case, by a column or a row: nothing to look up, so that words move side by side.
        if (1..WORD).contains(&by) {
            return Self(std::array::from_fn(|i| self.0[i] << by | if i == 0 { 0 } else { self.0[i - 1] >> (WORD - by) }));
        }
        let (words, bits) = (by / WORD, by % WORD);
        Self(std::array::from_fn(|i| {
            let carried = if bits == 0 { 0 } else { self.word(i.checked_sub(words + 1)) >> (WORD - bits) };
            self.word(i.checked_sub(words)) << bits | carried
        }))
    }
}

impl<const N: usize> Shr<usize> for Wide<N> {
    type Output = Self;

    #[inline]
    fn shr(self, by: usize) -> Self {
        if (1..WORD).contains(&by) {
            return Self(std::array::from_fn(|i| self.0[i] >> by | if i + 1 == N { 0 } else { self.0[i + 1] << (WORD - by) }));
        }
        let (words, bits) = (by / WORD, by % WORD);
        Self(std::array::from_fn(|i| {
            let carried = if bits == 0 { 0 } else { self.word(Some(i + words + 1)) << (WORD - bits) };
            self.word(Some(i + words)) >> bits | carried
        }))
    }
}

impl<const N: usize> Bits for Wide<N> {
    const EMPTY: Self = Self([0; N]);

    fn only(index: usize) -> Self {
        let mut set = Self::EMPTY;
        set.0[index / WORD] = 1 << (index % WORD);
        set
    }

    fn from_words(words: &[u128]) -> Self {
        Self(std::array::from_fn(|i| words.get(i).copied().unwrap_or(0)))
    }

    fn has(self, index: usize) -> bool {
        self.0[index / WORD].has(index % WORD)
    }

    fn at_most_one(self) -> bool {
        self.count() < 2
    }

    fn count(self) -> usize {
        self.0.iter().map(|&word| word.count()).sum()
    }

    fn first(self) -> Option<usize> {
        self.0.iter().enumerate().find_map(|(i, word)| word.first().map(|bit| i * WORD + bit))
    }

    #[cfg(test)]
    fn byte(self, number: usize) -> u8 {
        self.0[number / 16].byte(number % 16)
    }

    fn nth(self, mut rank: usize) -> usize {
        for (i, word) in self.0.iter().enumerate() {
            match word.count() {
                count if rank < count => return i * WORD + word.nth(rank),
                count => rank -= count,
            }
        }
        unreachable!("the set has more than `rank` cells")
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::btree_set;
    use proptest::prelude::*;

    use super::*;

    fn set_of<B: Bits>(numbers: impl IntoIterator<Item = usize>) -> B {
        numbers.into_iter().fold(B::EMPTY, |set, n| set | B::only(n))
    }

    fn check<B: Bits>(numbers: &[usize], by: usize, size: usize) {
        let set: B = set_of(numbers.iter().copied());
        assert_eq!(set.iter().collect::<Vec<_>>(), numbers);
        assert_eq!(set.count(), numbers.len());
        assert_eq!(set.at_most_one(), numbers.len() < 2);
        assert_eq!(set.first(), numbers.first().copied());
        let mut rest = set;
        assert_eq!(rest.take_first(), numbers.first().copied());
        assert_eq!(rest, set_of(numbers.iter().copied().skip(1)));
        assert!(numbers.iter().enumerate().all(|(rank, &n)| set.nth(rank) == n && set.has(n)));
        assert_eq!(set << by, set_of(numbers.iter().map(|n| n + by).filter(|&n| n < size)));
        assert_eq!(set >> by, set_of(numbers.iter().filter_map(|n| n.checked_sub(by))));
        assert_eq!((!set).count(), size - numbers.len());
        assert!(!(!set).meets(set));
    }

    proptest! {
        #[test]
        fn sets_of_every_width_behave_like_lists_of_numbers(
            small in btree_set(0usize..128, 0..128), large in btree_set(0usize..4096, 0..300), by in 0usize..128,
        ) {
            let small: Vec<usize> = small.into_iter().collect();
            check::<u128>(&small, by, 128);
            check::<Wide<1>>(&small, by, 128);
            check::<Wide<2>>(&small, by, 256);
            check::<Wide<3>>(&small, by, 384);
            check::<Wide<32>>(&large.into_iter().collect::<Vec<_>>(), by * 31, 4096);
        }
    }
}
