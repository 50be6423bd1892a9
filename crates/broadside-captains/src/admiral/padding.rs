//! Arrays with a margin of zeros around the board, so that loops over all cells need not look out for the edges.

use broadside_rules::Grid;
use pulp::Simd;

use super::aligned::Aligned;
use super::line_counter::BLOCK;
use super::vectors::Vectors;
use crate::bits::Bits;
use crate::board::Board;

/// How many cells away the admiral looks.
const MARGIN: usize = 2;

/// Rows begin a multiple of this many entries apart.
pub(crate) const STEP: usize = 4;

/// Where the cells lie in an array with a margin. The margin after a row is that before the next one too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Padding {
    rows: usize,
    cols: usize,
    stride: usize,
    span: usize,
}

impl Padding {
    /// Of the board that nearly all games are played on. Loops for which it is known beforehand need fewer checks.
    pub(crate) const TEN_BY_TEN: Self = Self::of_size(10, 10);

    pub(crate) fn new(grid: Grid) -> Self {
        Self::of_size(grid.rows(), grid.cols())
    }

    const fn of_size(rows: usize, cols: usize) -> Self {
        let stride = (cols + MARGIN).next_multiple_of(STEP);
        Self { rows, cols, stride, span: (rows * stride).next_multiple_of(BLOCK) }
    }

    /// Zeros for all cells and the margin.
    pub(crate) fn zeros(self) -> Aligned<f32> {
        Aligned::new(&vec![0.0; self.start() + self.span() + MARGIN * self.stride() + MARGIN])
    }

    /// A number for each cell by its row and column, and zeros for the margin.
    pub(crate) fn numbers<B: Bits>(self, board: &Board<B>, number: impl Fn(usize, usize) -> f32) -> Aligned<f32> {
        let mut numbers = self.zeros();
        for cell in board.grid().cells() {
            numbers[self.start() + self.offset(cell.row(), cell.col())] = number(cell.row(), cell.col());
        }
        numbers
    }

    /// The number of rows.
    #[inline(always)]
    pub(crate) fn rows(self) -> usize {
        self.rows
    }

    /// The number of columns.
    #[inline(always)]
    pub(crate) fn cols(self) -> usize {
        self.cols
    }

    /// From a cell to the one below.
    #[inline(always)]
    pub(crate) fn stride(self) -> usize {
        self.stride
    }

    /// Where the first cell lies: at the beginning of a line of the cache.
    #[inline(always)]
    pub(crate) fn start(self) -> usize {
        (MARGIN * self.stride() + MARGIN).next_multiple_of(BLOCK)
    }

    /// The number of entries from the first cell to the end of the last row, and on to a multiple of sixteen.
    #[inline(always)]
    pub(crate) fn span(self) -> usize {
        self.span
    }

    /// The number of entries from the first cell to the end of the last row, and on to the end of a vector.
    #[inline(always)]
    pub(crate) fn vectors<S: Simd>(self, _: Vectors<S>) -> usize {
        (self.rows * self.stride).next_multiple_of(S::F32_LANES)
    }

    /// Where a cell lies after the first one.
    #[inline(always)]
    pub(crate) fn offset(self, row: usize, col: usize) -> usize {
        row * self.stride() + col
    }

    /// The number of the cell that lies there after the first one.
    #[inline(always)]
    pub(crate) fn cell(self, offset: usize) -> usize {
        offset - offset / self.stride() * (self.stride() - self.cols)
    }
}
