//! The placements through each cell that cover no live hit, counted for each length and kept up to date line by line.
//!
//! They lie on free cells alone: cells not fired at and, where ships keep apart, not beside a hit. A shot changes one row and one
//! column, and what a line counts follows from its free cells: it is looked up. The counts of four lengths share a word,
//! a byte for each, so that one sum counts all four.

use broadside_rules::{Rules, Touch};

use super::aligned::Aligned;
use super::line_counter::LineCounter;
use super::padding::Padding;
use crate::bits::Bits;
use crate::position::Position;

/// So many classes share a word. A cell has at most 64 placements of a length in its row and as many in its column: a byte.
pub(crate) const PACKED: usize = 4;

/// A row or a column, a bit for each cell from the left or from the top.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Line {
    /// Where a ship along the line may lie, as far as single cells decide.
    pub(crate) open: u64,
    /// The live hits.
    pub(crate) live: u64,
    /// All hits, where ships keep apart.
    pub(crate) hits: u64,
}

/// Rows or columns.
#[derive(Clone, Debug)]
struct Lines {
    /// The free cells of each.
    free: Vec<u64>,
    /// How many ships may start on each, by line and word.
    starts: Vec<u64>,
}

impl Lines {
    fn new(lines: usize, counter: &LineCounter) -> Self {
        Self { free: vec![0; lines], starts: vec![0; lines * counter.words()] }
    }
}

/// The placements of four classes through each cell, from the first cell on.
///
/// Those along rows and those along columns are kept apart, so that a line that changes is written down without reading what
/// stood there. They are added up where they are used, in vectors.
#[derive(Debug)]
pub(crate) struct Sheet {
    pub(crate) along_rows: Aligned<u32>,
    pub(crate) along_cols: Aligned<u32>,
}

impl Sheet {
    fn new(padding: Padding) -> Self {
        let zeros = || Aligned::new(&vec![0; padding.span()]);
        Self { along_rows: zeros(), along_cols: zeros() }
    }

    /// The number of placements of the class with this byte.
    #[inline(always)]
    pub(crate) fn count(&self, place: usize, byte: u32) -> u32 {
        (self.along_rows[place] + self.along_cols[place]) >> (8 * byte) & 0xff
    }
}

/// The placements that cover no live hit, by length (class) and cell. Class 0 is the shortest length of the fleet.
#[derive(Debug)]
pub(crate) struct LineCounts<B> {
    touch: Touch,
    /// Counts rows and columns; the second one, if there is one, is for columns.
    counters: Vec<LineCounter>,
    rows: Lines,
    cols: Lines,
    /// For each word, the placements through each cell.
    sheets: Vec<Sheet>,
    /// For each word, the number of placements of its classes, two bytes each.
    places: Vec<u64>,
    /// The free cells when the counts were brought up to date.
    free: B,
}

impl<B: Bits> LineCounts<B> {
    pub(crate) fn new(rules: &Rules) -> Self {
        let (grid, padding) = (rules.grid(), Padding::new(rules.grid()));
        let mut lengths: Vec<usize> = rules.fleet().classes().map(|(length, _)| length.get()).collect();
        lengths.sort_unstable();
        let longest_line = grid.rows().max(grid.cols());
        let mut counters = vec![LineCounter::new(&lengths, longest_line)];
        // A single cell has no orientation; it counts as horizontal.
        if lengths[0] == 1 {
            lengths[0] = usize::MAX;
            counters.push(LineCounter::new(&lengths, longest_line));
        }
        let words = counters[0].words();
        Self {
            touch: rules.touch(),
            rows: Lines::new(grid.rows(), &counters[0]),
            cols: Lines::new(grid.cols(), &counters[0]),
            sheets: (0..words).map(|_| Sheet::new(padding)).collect(),
            places: vec![0; words],
            counters,
            free: B::EMPTY,
        }
    }

    /// The number of placements of a class.
    #[inline(always)]
    pub(crate) fn places(&self, class: usize) -> u32 {
        u32::from((self.places[class / PACKED] >> (16 * (class % PACKED))) as u16)
    }

    /// For each four classes, the placements through each cell.
    #[inline(always)]
    pub(crate) fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    /// The cells that ships not hit yet may lie on.
    #[inline(always)]
    pub(crate) fn free(&self) -> B {
        self.free
    }

    /// Whether ships may not touch.
    #[inline(always)]
    pub(crate) fn keep_apart(&self) -> bool {
        self.touch != Touch::Allowed
    }

    /// The free cells of a row (0) or a column (1).
    #[inline(always)]
    pub(crate) fn free_on(&self, orientation: usize, number: usize) -> u64 {
        if orientation == 0 { self.rows.free[number] } else { self.cols.free[number] }
    }

    /// Brings the counts up to date with the position.
    #[inline(always)]
    pub(crate) fn update(&mut self, padding: Padding, position: &Position<B>) {
        let free = free(position);
        let mut cells = free ^ self.free;
        self.free = free;
        let (mut rows, mut cols) = (0_u64, 0_u64);
        while let Some(index) = cells.take_first() {
            let cell = position.board().cell(index);
            self.rows.free[cell.row()] ^= 1 << cell.col();
            self.cols.free[cell.col()] ^= 1 << cell.row();
            rows |= 1 << cell.row();
            cols |= 1 << cell.col();
        }
        while rows != 0 {
            self.count_row(padding, rows.trailing_zeros() as usize);
            rows &= rows - 1;
        }
        while cols != 0 {
            self.count_col(padding, cols.trailing_zeros() as usize);
            cols &= cols - 1;
        }
    }

    #[inline(always)]
    fn count_row(&mut self, padding: Padding, row: usize) {
        let counter = &mut self.counters[0];
        let (words, slot) = (counter.words(), counter.slot(self.rows.free[row]));
        for word in 0..words {
            let (counts, starts) = counter.counts(slot, word);
            let cells = &mut self.sheets[word].along_rows[padding.offset(row, 0)..][..padding.cols()];
            cells.copy_from_slice(&counts[..padding.cols()]);
            replace(&mut self.places[word], &mut self.rows.starts[row * words + word], starts);
        }
    }

    #[inline(always)]
    fn count_col(&mut self, padding: Padding, col: usize) {
        let counter = self.counters.last_mut().expect("a counter");
        let (words, slot) = (counter.words(), counter.slot(self.cols.free[col]));
        let (rows, stride) = (padding.rows(), padding.stride());
        for word in 0..words {
            let (counts, starts) = counter.counts(slot, word);
            let cells = &mut self.sheets[word].along_cols[col..][..=(rows - 1) * stride];
            for (row, &count) in counts[..rows].iter().enumerate() {
                cells[row * stride] = count;
            }
            replace(&mut self.places[word], &mut self.cols.starts[col * words + word], starts);
        }
    }
}

/// Puts a new number in the place of an old one, and keeps up the sum of all such numbers.
#[inline(always)]
fn replace(sum: &mut u64, old: &mut u64, new: u64) {
    *sum = sum.wrapping_add(new.wrapping_sub(*old));
    *old = new;
}

/// The cells that a ship not hit yet may lie on.
#[inline(always)]
fn free<B: Bits>(position: &Position<B>) -> B {
    let (board, hits, unfired) = (position.board(), position.hits(), position.unfired());
    match position.touch() {
        Touch::Allowed => unfired,
        Touch::Corners => unfired & !board.beside(hits),
        Touch::Never => unfired & !board.beside(hits) & !board.corners(hits),
    }
}
