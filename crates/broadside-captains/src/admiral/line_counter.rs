//! How many ships go through each cell of a line, by the free cells of the line.

use super::line_ships::Runs;
use super::lines::PACKED;

/// So many lines are remembered: all there are on boards of up to ten rows and columns.
const SLOTS: usize = 1024;

/// Lines of up to so many cells are counted at once.
pub(crate) const BLOCK: usize = 16;

/// The longest line there is.
pub(crate) const LONGEST: usize = 64;

/// Counts the ships of some lengths through each cell of a line, and remembers the counts.
#[derive(Clone, Debug)]
pub(crate) struct LineCounter {
    lengths: Vec<usize>,
    words: usize,
    width: usize,
    /// The line that each slot has: at first the one without a free cell, on which there is no ship.
    free: Vec<u64>,
    /// By slot, word and cell; the byte for each length.
    counts: Vec<u32>,
    /// By slot and word, how many ships there are; two bytes for each length.
    starts: Vec<u64>,
}

impl LineCounter {
    /// For ships of these lengths, none of which become shorter, and lines of up to so many cells.
    pub(crate) fn new(lengths: &[usize], longest_line: usize) -> Self {
        let (words, width) = (lengths.len().div_ceil(PACKED), if longest_line <= BLOCK { BLOCK } else { LONGEST });
        Self {
            lengths: lengths.to_vec(),
            words,
            width,
            free: vec![0; SLOTS],
            counts: vec![0; SLOTS * words * width],
            starts: vec![0; SLOTS * words],
        }
    }

    /// The number of words that the counts of a cell take.
    #[inline(always)]
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// The slot of the line with these free cells.
    #[inline(always)]
    pub(crate) fn slot(&mut self, free: u64) -> usize {
        let folded = free ^ free >> 32 ^ free >> 16;
        let slot = (folded ^ folded >> 10) as usize % SLOTS;
        if self.free[slot] != free {
            self.count(slot, free);
        }
        slot
    }

    /// The counts of one word, with the numbers of ships.
    #[inline(always)]
    pub(crate) fn counts(&self, slot: usize, word: usize) -> (&[u32], u64) {
        let place = slot * self.words + word;
        (&self.counts[place * self.width..][..self.width], self.starts[place])
    }

    #[cold]
    #[inline(never)]
    fn count(&mut self, slot: usize, free: u64) {
        self.free[slot] = free;
        self.counts[slot * self.words * self.width..][..self.words * self.width].fill(0);
        self.starts[slot * self.words..][..self.words].fill(0);
        let mut runs = Runs::new(free, 0, false);
        for (class, &length) in self.lengths.iter().enumerate().filter(|(_, length)| **length <= LONGEST) {
            let (place, number) = (slot * self.words + class / PACKED, class % PACKED);
            let starts = runs.starts(length);
            self.starts[place] += u64::from(starts.count_ones()) << (16 * number);
            let to = &mut self.counts[place * self.width..][..self.width];
            if self.width == BLOCK {
                add(&short_counts(starts, length), number, to);
            } else {
                add(&long_counts(starts, length), number, to);
            }
        }
    }
}

fn add(counts: &[u8], number: usize, to: &mut [u32]) {
    for (to, &count) in to.iter_mut().zip(counts) {
        *to += u32::from(count) << (8 * number);
    }
}

/// For each byte, its bits as bytes, the lowest first.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// For each cell of a line of up to 16 cells, how many of the ships with these first cells go through it.
#[inline(always)]
pub(crate) fn short_counts(starts: u64, length: usize) -> [u8; BLOCK] {
    let spread = u128::from(SPREAD[(starts & 0xff) as usize]) | u128::from(SPREAD[(starts >> 8 & 0xff) as usize]) << 64;
    // Each byte of the factor moves all first cells on by one: together they are the cells that the ships cover.
    let ones = (u128::MAX / 255) >> (8 * (BLOCK - length.min(BLOCK)));
    spread.wrapping_mul(ones).to_le_bytes()
}

/// The same for lines of any length.
fn long_counts(starts: u64, length: usize) -> [u8; LONGEST] {
    let ends = starts.checked_shl(length as u32).unwrap_or(0);
    let mut count = 0;
    std::array::from_fn(|i| {
        count = count + (starts >> i & 1) as u8 - (ends >> i & 1) as u8;
        count
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_the_ships_one_by_one() {
        for (cells, length) in (1..=64).flat_map(|cells| (1..=cells.min(9)).map(move |length| (cells, length))) {
            let mut open = (0x9e37_79b9_7f4a_7c15_u64.rotate_left(cells as u32) | 0xff00_f0f0) & (u64::MAX >> (64 - cells));
            open |= 1;
            let starts = Runs::new(open, 0, false).starts(length);
            let mut expected = [0; 64];
            for start in (0..=cells - length).filter(|start| (0..length).all(|i| open >> (start + i) & 1 == 1)) {
                expected[start..start + length].iter_mut().for_each(|count| *count += 1);
            }
            assert_eq!(long_counts(starts, length), expected, "{length} on {open:b}");
            if cells <= BLOCK {
                assert_eq!(short_counts(starts, length), expected[..BLOCK], "{length} on {open:b}");
            }
        }
    }
}
