//! The placements through each cell that cover no live hit, counted for each length and kept up to date line by line.
//!
//! A shot changes what is open in one row and one column. Only the counts of these two lines are made again.

use broadside_rules::{Grid, Orientation, Rules, Touch};

use super::padding::BLOCK;
use crate::bits::Bits;
use crate::placements::open;
use crate::position::Position;

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
    lines: Vec<Line>,
    /// How many placements each line has, by line and class.
    places: Vec<u32>,
    /// Which lines have changed.
    changed: u64,
}

impl Lines {
    fn new(lines: usize, classes: usize) -> Self {
        Self { lines: vec![Line::default(); lines], places: vec![0; lines * classes], changed: u64::MAX >> (64 - lines) }
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
    grid: Grid,
    keep_apart: bool,
    lengths: Vec<usize>,
    /// The number of entries for a row in the counts: whole blocks.
    width: usize,
    /// Rows, then columns.
    lines: [Lines; 2],
    /// Counts of horizontal and of vertical placements, by class, row and column.
    counts: [Vec<u8>; 2],
    /// The number of placements, by class.
    places: Vec<u32>,
    seen: Seen<B>,
}

impl<B: Bits> LineCounts<B> {
    pub(crate) fn new(rules: &Rules) -> Self {
        let grid = rules.grid();
        let mut lengths: Vec<usize> = rules.fleet().classes().map(|(length, _)| length.get()).collect();
        lengths.sort_unstable();
        let (classes, width) = (lengths.len(), grid.cols().next_multiple_of(BLOCK));
        let counts = vec![0; classes * grid.rows() * width];
        Self {
            grid,
            keep_apart: rules.touch() != Touch::Allowed,
            lengths,
            width,
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

    /// The number of entries for a row in the counts.
    #[inline(always)]
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The counts of horizontal and of vertical placements of a class, by row and column.
    #[inline(always)]
    pub(crate) fn counts(&self, class: usize) -> [&[u8]; 2] {
        let size = self.grid.rows() * self.width;
        [&self.counts[0][class * size..][..size], &self.counts[1][class * size..][..size]]
    }

    /// A row (0) or a column (1).
    #[inline(always)]
    pub(crate) fn line(&self, orientation: usize, number: usize) -> Line {
        self.lines[orientation].lines[number]
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
            let mut cells = hits | (now.open[orientation] ^ self.seen.open[orientation]);
            while let Some(cell) = cells.first() {
                cells &= !B::only(cell);
                self.change(position, cell, orientation, &now);
            }
        }
        self.seen = now;
        self.count_rows();
        self.count_cols();
    }

    /// Takes over what is known of a cell.
    #[inline(always)]
    fn change(&mut self, position: &Position<B>, index: usize, orientation: usize, now: &Seen<B>) {
        let cell = position.board().cell(index);
        let (number, bit) = if orientation == 0 { (cell.row(), cell.col()) } else { (cell.col(), cell.row()) };
        let lines = &mut self.lines[orientation];
        let line = &mut lines.lines[number];
        let set = |bits: &mut u64, set: B| *bits = *bits & !(1 << bit) | u64::from(set.has(index)) << bit;
        set(&mut line.open, now.open[orientation]);
        set(&mut line.live, now.live);
        set(&mut line.hits, now.hits);
        lines.changed |= 1 << number;
    }

    #[inline(always)]
    fn count_rows(&mut self) {
        let size = self.grid.rows() * self.width;
        while let Some((row, line)) = self.next_changed(0) {
            let mut runs = Runs::new(line.open & !line.live, line.hits, self.keep_apart);
            for class in 0..self.lengths.len() {
                let starts = runs.starts(self.lengths[class]);
                self.count(0, row, class, starts);
                let counts = &mut self.counts[0][class * size + row * self.width..][..self.width];
                write_counts(starts, self.lengths[class], counts);
            }
        }
    }

    #[inline(always)]
    fn count_cols(&mut self) {
        let (size, rows) = (self.grid.rows() * self.width, self.grid.rows());
        while let Some((col, line)) = self.next_changed(1) {
            let mut runs = Runs::new(line.open & !line.live, line.hits, self.keep_apart);
            for class in 0..self.lengths.len() {
                let length = self.lengths[class];
                // A single cell has no orientation; it counts as horizontal.
                let starts = if length == 1 { 0 } else { runs.starts(length) };
                self.count(1, col, class, starts);
                let mut counts = [0; 64];
                write_counts(starts, length, &mut counts[..rows.next_multiple_of(BLOCK)]);
                let column = &mut self.counts[1][class * size..][..size];
                for (row, &count) in column.chunks_exact_mut(self.width).zip(&counts) {
                    row[col] = count;
                }
            }
        }
    }

    #[inline(always)]
    fn next_changed(&mut self, orientation: usize) -> Option<(usize, Line)> {
        let lines = &mut self.lines[orientation];
        let number = lines.changed.trailing_zeros() as usize;
        lines.changed &= lines.changed.wrapping_sub(1);
        (number < 64).then(|| (number, lines.lines[number]))
    }

    /// Takes over how many placements a line has.
    #[inline(always)]
    fn count(&mut self, orientation: usize, number: usize, class: usize, starts: u64) {
        let places = &mut self.lines[orientation].places[number * self.lengths.len() + class];
        self.places[class] = self.places[class] + starts.count_ones() - *places;
        *places = starts.count_ones();
    }
}

/// Where ships may start on a line, for one length after the other.
pub(crate) struct Runs {
    open: u64,
    hits: u64,
    keep_apart: bool,
    /// The cells from which so many are open.
    runs: u64,
    length: usize,
}

impl Runs {
    #[inline(always)]
    pub(crate) fn new(open: u64, hits: u64, keep_apart: bool) -> Self {
        Self { open, hits, keep_apart, runs: open, length: 1 }
    }

    /// The first cells of all ships of this length. Lengths must not become shorter from call to call.
    #[inline(always)]
    pub(crate) fn starts(&mut self, length: usize) -> u64 {
        while self.length < length {
            self.runs &= self.open >> self.length;
            self.length += 1;
        }
        if !self.keep_apart {
            return self.runs;
        }
        // The cells before and after a ship that keeps apart are no hits.
        self.runs & !(self.hits << 1) & !self.hits.checked_shr(length as u32).unwrap_or(0)
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

/// Writes for each cell of a line how many of the ships with these first cells go through it.
#[inline(always)]
fn write_counts(starts: u64, length: usize, counts: &mut [u8]) {
    if let Ok(counts) = <&mut [u8; BLOCK]>::try_from(&mut *counts) {
        let spread = u128::from(SPREAD[(starts & 0xff) as usize]) | u128::from(SPREAD[(starts >> 8 & 0xff) as usize]) << 64;
        // Each factor's byte moves all first cells on by one: together they are the cells that the ships cover.
        let ones = u128::MAX / 255 >> (8 * (BLOCK - length.min(BLOCK)));
        *counts = spread.wrapping_mul(ones).to_le_bytes();
        return;
    }
    let ends = starts.checked_shl(length as u32).unwrap_or(0);
    let mut count = 0;
    for (i, number) in counts.iter_mut().enumerate() {
        if i < 64 {
            count = count + (starts >> i & 1) as u8 - (ends >> i & 1) as u8;
        }
        *number = count;
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
            let mut counts = vec![0; cells.next_multiple_of(BLOCK)];
            write_counts(starts, length, &mut counts);
            let mut expected = vec![0; counts.len()];
            for start in (0..=cells - length).filter(|start| (0..length).all(|i| open >> (start + i) & 1 == 1)) {
                expected[start..start + length].iter_mut().for_each(|count| *count += 1);
            }
            assert_eq!(counts, expected, "{length} on {open:b}");
        }
    }
}
