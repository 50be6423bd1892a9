//! The placements through each cell that cover no live hit, counted for each length and kept up to date line by line.
//!
//! They lie on free cells alone: cells not fired at and, where ships keep apart, not beside a hit. A shot changes one row and one
//! column, and what a line counts follows from its free cells: it is looked up. The counts of four lengths share a word,
//! a byte for each, so that one sum counts all four.

use broadside_rules::{Rules, Touch};
use pulp::Simd;

use super::line_counter::{LONGEST, LineCounter};
use super::padding::Padding;
use super::vectors::Vectors;
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
    /// The counts of each as they are in the sheets, by line, word and cell.
    counts: Vec<u32>,
    /// How many ships may start on each, by line and word.
    starts: Vec<u64>,
}

impl Lines {
    fn new(lines: usize, counter: &LineCounter) -> Self {
        let words = lines * counter.words();
        Self { free: vec![0; lines], counts: vec![0; words * counter.width()], starts: vec![0; words] }
    }
}

/// The placements that cover no live hit, by length (class) and cell. Class 0 is the shortest length of the fleet.
#[derive(Clone, Debug)]
pub(crate) struct LineCounts<B> {
    touch: Touch,
    padding: Padding,
    /// Counts rows and columns; the second one, if there is one, is for columns.
    counters: Vec<LineCounter>,
    rows: Lines,
    cols: Lines,
    /// For each word, the placements through each cell, from the first cell on.
    sheets: Vec<Vec<u32>>,
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
            padding,
            rows: Lines::new(grid.rows(), &counters[0]),
            cols: Lines::new(grid.cols(), &counters[0]),
            sheets: vec![vec![0; padding.span() + counters[0].width()]; words],
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

    /// For each four classes, the placements through each cell, from the first cell on.
    #[inline(always)]
    pub(crate) fn sheets(&self) -> &[Vec<u32>] {
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
    pub(crate) fn update<S: Simd>(&mut self, v: Vectors<S>, position: &Position<B>) {
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
            self.count_row(v, rows.trailing_zeros() as usize);
            rows &= rows - 1;
        }
        while cols != 0 {
            self.count_col(v, cols.trailing_zeros() as usize);
            cols &= cols - 1;
        }
    }

    #[inline(always)]
    fn count_row<S: Simd>(&mut self, v: Vectors<S>, row: usize) {
        let counter = &mut self.counters[0];
        let (words, width, slot) = (counter.words(), counter.width(), counter.slot(self.rows.free[row]));
        for word in 0..words {
            let (new, starts) = counter.counts(slot, word);
            let old = &mut self.rows.counts[(row * words + word) * width..][..width];
            let sheet = &mut self.sheets[word][self.padding.offset(row, 0)..][..width];
            let (sheet, old, new) = (v.of_words_mut(sheet), v.of_words_mut(old), v.of_words(new));
            for i in 0..new.len() {
                sheet[i] = v.0.add_u32s(sheet[i], v.0.sub_u32s(new[i], old[i]));
                old[i] = new[i];
            }
            let before = std::mem::replace(&mut self.rows.starts[row * words + word], starts);
            self.places[word] = self.places[word].wrapping_add(starts.wrapping_sub(before));
        }
    }

    #[inline(always)]
    fn count_col<S: Simd>(&mut self, v: Vectors<S>, col: usize) {
        let counter = self.counters.last_mut().expect("a counter");
        let (words, width, slot) = (counter.words(), counter.width(), counter.slot(self.cols.free[col]));
        let (rows, stride) = (self.padding.rows(), self.padding.stride());
        for word in 0..words {
            let (new, starts) = counter.counts(slot, word);
            let old = &mut self.cols.counts[(col * words + word) * width..][..width];
            let mut more = [0; LONGEST];
            {
                let (more, old, new) = (v.of_words_mut(&mut more[..width]), v.of_words_mut(old), v.of_words(new));
                for i in 0..new.len() {
                    more[i] = v.0.sub_u32s(new[i], old[i]);
                    old[i] = new[i];
                }
            }
            let sheet = &mut self.sheets[word][col..][..=(rows - 1) * stride];
            let mut place = 0;
            for more in &more[..rows.min(width)] {
                sheet[place] = sheet[place].wrapping_add(*more);
                place += stride;
            }
            let before = std::mem::replace(&mut self.cols.starts[col * words + word], starts);
            self.places[word] = self.places[word].wrapping_add(starts.wrapping_sub(before));
        }
    }
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
