//! Arrays with a margin of zeros around the board, so that loops over all cells need not look out for the edges.

use broadside_rules::Grid;

use super::line_counter::BLOCK;
use crate::bits::Bits;
use crate::board::Board;

/// How many cells away the admiral looks.
const MARGIN: usize = 2;

/// Rows begin a multiple of this many entries apart.
pub(crate) const STEP: usize = 4;

/// Where the cells lie in an array with a margin. The margin after a row is that before the next one too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Padding {
    rows: usize,
    cols: usize,
    stride: usize,
    span: usize,
}

impl Padding {
    pub(crate) fn new(grid: Grid) -> Self {
        let stride = (grid.cols() + MARGIN).next_multiple_of(STEP);
        Self { rows: grid.rows(), cols: grid.cols(), stride, span: (grid.rows() * stride).next_multiple_of(BLOCK) }
    }

    /// Zeros for all cells and the margin.
    pub(crate) fn zeros(self) -> Vec<f32> {
        vec![0.0; self.start() + self.span() + MARGIN * self.stride() + MARGIN]
    }

    /// A number for each cell by its row and column, and zeros for the margin.
    pub(crate) fn numbers<B: Bits>(self, board: &Board<B>, number: impl Fn(usize, usize) -> f32) -> Vec<f32> {
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

    /// From a cell to the one below.
    #[inline(always)]
    pub(crate) fn stride(self) -> usize {
        self.stride
    }

    /// Where the first cell lies.
    #[inline(always)]
    pub(crate) fn start(self) -> usize {
        MARGIN * self.stride() + MARGIN
    }

    /// The number of entries from the first cell to the end of the last row, and on to a multiple of sixteen.
    #[inline(always)]
    pub(crate) fn span(self) -> usize {
        self.span
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
