//! The placements through each cell that cover no live hit, counted for each length and kept up to date line by line.
//!
//! A shot changes what is open in one row and one column. Only the counts of these two lines are made again.

use broadside_rules::{Orientation, Rules, Touch};

use super::padding::{Padding, STEP};
use crate::bits::Bits;
use crate::placements::open;
use crate::position::Position;

/// Lines of up to so many cells are counted at once.
pub(crate) const BLOCK: usize = 16;

/// A row or a column, a bit for each cell from the left or from the top.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Line {
    /// Where a ship along the line may lie, as far as single cells decide.
    pub(crate) open: u64,
    /// The live hits.
    pub(crate) live: u64,
    /// All hits.
    pub(crate) hits: u64,
}

/// Rows or columns.
#[derive(Clone, Debug)]
struct Lines {
    all: Vec<Line>,
    /// Where ships may start on each line, by line and class.
    starts: Vec<u64>,
    /// Which lines are to be counted anew, by class.
    changed: Vec<u64>,
}

impl Lines {
    fn new(lines: usize, classes: usize) -> Self {
        Self {
            all: vec![Line::default(); lines],
            starts: vec![0; lines * classes],
            changed: vec![u64::MAX >> (64 - lines); classes],
        }
    }
}

/// What was known when the counts were brought up to date, a set for each orientation.
#[derive(Clone, Copy, Debug)]
struct Seen<B> {
    open: [B; 2],
    live: B,
    hits: B,
}

/// The placements that cover no live hit, by length (class) and cell. Class 0 is the shortest length of the fleet.
#[derive(Clone, Debug)]
pub(crate) struct LineCounts<B> {
    keep_apart: bool,
    /// Whether no line has more than 16 cells.
    short: bool,
    lengths: Vec<usize>,
    padding: Padding,
    /// Rows, then columns.
    lines: [Lines; 2],
    /// Counts of horizontal and of vertical placements, by class and cell, with a margin around the board.
    counts: [Vec<Vec<f32>>; 2],
    /// The number of placements, by class.
    places: Vec<u32>,
    seen: Seen<B>,
}

impl<B: Bits> LineCounts<B> {
    pub(crate) fn new(rules: &Rules) -> Self {
        let grid = rules.grid();
        let mut lengths: Vec<usize> = rules.fleet().classes().map(|(length, _)| length.get()).collect();
        lengths.sort_unstable();
        let (classes, padding) = (lengths.len(), Padding::new(grid));
        let counts = vec![padding.zeros(); classes];
        Self {
            keep_apart: rules.touch() != Touch::Allowed,
            short: grid.rows().max(grid.cols()) <= BLOCK,
            lengths,
            padding,
            lines: [Lines::new(grid.rows(), classes), Lines::new(grid.cols(), classes)],
            counts: [counts.clone(), counts],
            places: vec![0; classes],
            seen: Seen { open: [B::EMPTY; 2], live: B::EMPTY, hits: B::EMPTY },
        }
    }

    /// The number of placements of a class.
    #[inline(always)]
    pub(crate) fn places(&self, class: usize) -> u32 {
        self.places[class]
    }

    /// The counts of horizontal and of vertical placements of a class, from the first cell to the end of the last row.
    #[inline(always)]
    pub(crate) fn counts(&self, class: usize) -> [&[f32]; 2] {
        let (start, span) = (self.padding.start(), self.padding.span());
        [&self.counts[0][class][start..][..span], &self.counts[1][class][start..][..span]]
    }

    /// A row (0) or a column (1).
    #[inline(always)]
    pub(crate) fn line(&self, orientation: usize, number: usize) -> Line {
        self.lines[orientation].all[number]
    }

    /// Whether no line has more than 16 cells.
    #[inline(always)]
    pub(crate) fn short(&self) -> bool {
        self.short
    }

    /// Whether ships may not touch.
    #[inline(always)]
    pub(crate) fn keep_apart(&self) -> bool {
        self.keep_apart
    }

    /// Brings the counts up to date with the position.
    #[inline(always)]
    pub(crate) fn update(&mut self, position: &Position<B>) {
        let now = Seen {
            open: [open(position, Orientation::Horizontal), open(position, Orientation::Vertical)],
            live: position.live(),
            hits: position.hits(),
        };
        let hits = (now.live ^ self.seen.live) | (now.hits ^ self.seen.hits);
        for orientation in 0..2 {
            let mut changed = 0;
            let mut cells = hits | (now.open[orientation] ^ self.seen.open[orientation]);
            while let Some(cell) = cells.first() {
                cells &= !B::only(cell);
                changed |= 1 << self.change(position, cell, orientation, &now);
            }
            for lines in &mut self.lines[orientation].changed {
                *lines |= changed;
            }
        }
        self.seen = now;
        // The counts of lengths that are all sunk are not wanted; their lines stay marked as changed.
        for (class, &(_, ships)) in position.left().all_classes().iter().rev().enumerate() {
            if ships > 0 {
                self.count_rows(class);
                self.count_cols(class);
            }
        }
    }

    /// Takes over what is known of a cell, and returns the number of its line.
    #[inline(always)]
    fn change(&mut self, position: &Position<B>, index: usize, orientation: usize, now: &Seen<B>) -> usize {
        let cell = position.board().cell(index);
        let (number, bit) = if orientation == 0 { (cell.row(), cell.col()) } else { (cell.col(), cell.row()) };
        let line = &mut self.lines[orientation].all[number];
        let set = |bits: &mut u64, set: B| *bits = *bits & !(1 << bit) | u64::from(set.has(index)) << bit;
        set(&mut line.open, now.open[orientation]);
        set(&mut line.live, now.live);
        set(&mut line.hits, now.hits);
        number
    }

    #[inline(always)]
    fn count_rows(&mut self, class: usize) {
        let (padding, length) = (self.padding, self.lengths[class]);
        while let Some((row, starts)) = self.next_changed(0, class) {
            let to = &mut self.counts[0][class][padding.start() + padding.offset(row, 0)..][..padding.stride()];
            if self.short {
                write_row(&short_counts(starts, length), to);
            } else {
                write_row(&long_counts(starts, length), to);
            }
        }
    }

    #[inline(always)]
    fn count_cols(&mut self, class: usize) {
        let (padding, length) = (self.padding, self.lengths[class]);
        // A single cell has no orientation; it counts as horizontal.
        if length == 1 {
            return;
        }
        while let Some((col, starts)) = self.next_changed(1, class) {
            let to = &mut self.counts[1][class][padding.start() + col..];
            if self.short {
                write_column(&short_counts(starts, length), to, padding);
            } else {
                write_column(&long_counts(starts, length), to, padding);
            }
        }
    }

    /// The next line whose placements have changed, and where ships may start on it.
    #[inline(always)]
    fn next_changed(&mut self, orientation: usize, class: usize) -> Option<(usize, u64)> {
        loop {
            let lines = &mut self.lines[orientation];
            let number = lines.changed[class].trailing_zeros() as usize;
            lines.changed[class] &= lines.changed[class].wrapping_sub(1);
            if number == 64 {
                return None;
            }
            let line = lines.all[number];
            let starts = Runs::new(line.open & !line.live, line.hits, self.keep_apart).starts(self.lengths[class]);
            if self.count(orientation, number, class, starts) {
                return Some((number, starts));
            }
        }
    }

    /// Takes over where ships may start on a line. Says whether that has changed.
    #[inline(always)]
    fn count(&mut self, orientation: usize, number: usize, class: usize, starts: u64) -> bool {
        let before = &mut self.lines[orientation].starts[number * self.lengths.len() + class];
        self.places[class] = self.places[class] + starts.count_ones() - before.count_ones();
        std::mem::replace(before, starts) != starts
    }
}

/// Where ships may start on a line, for one length after the other.
pub(crate) struct Runs {
    open: u64,
    hits: u64,
    keep_apart: bool,
    /// The cells from which this many are open.
    starts: u64,
    length: usize,
}

impl Runs {
    #[inline(always)]
    pub(crate) fn new(open: u64, hits: u64, keep_apart: bool) -> Self {
        Self { open, hits, keep_apart, starts: open, length: 1 }
    }

    /// The first cells of all ships of this length. Lengths must not become shorter from call to call.
    #[inline(always)]
    pub(crate) fn starts(&mut self, length: usize) -> u64 {
        while self.length < length {
            self.starts &= self.open >> self.length;
            self.length += 1;
        }
        if !self.keep_apart {
            return self.starts;
        }
        // The cells before and after a ship that keeps apart are no hits.
        self.starts & !(self.hits << 1) & !self.hits.checked_shr(length as u32).unwrap_or(0)
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
fn long_counts(starts: u64, length: usize) -> [u8; 64] {
    let ends = starts.checked_shl(length as u32).unwrap_or(0);
    let mut count = 0;
    std::array::from_fn(|i| {
        count = count + (starts >> i & 1) as u8 - (ends >> i & 1) as u8;
        count
    })
}

/// Writes the counts of a row. The counts after the last cell are zero, and so is the margin.
#[inline(always)]
fn write_row(counts: &[u8], to: &mut [f32]) {
    for (to, counts) in to.as_chunks_mut::<STEP>().0.iter_mut().zip(counts.as_chunks::<STEP>().0) {
        for i in 0..STEP {
            to[i] = f32::from(counts[i]);
        }
    }
}

/// Writes the counts of a column.
#[inline(always)]
fn write_column(counts: &[u8], to: &mut [f32], padding: Padding) {
    let stride = padding.stride();
    let to = &mut to[..=(padding.rows() - 1) * stride];
    for row in 0..padding.rows().min(counts.len()) {
        to[row * stride] = f32::from(counts[row]);
    }
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
