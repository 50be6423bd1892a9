//! Arrays with a margin of zeros around the board, so that loops over all cells need not look out for the edges.

use broadside_rules::Grid;

use super::line_counter::BLOCK;

/// How many cells away the admiral looks.
const MARGIN: usize = 2;

/// Rows begin a multiple of this many entries apart.
pub(crate) const STEP: usize = 4;

/// Where the cells lie in an array with a margin. The margin after a row is that before the next one too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Padding {
    rows: usize,
    cols: usize,
}

impl Padding {
    pub(crate) fn new(grid: Grid) -> Self {
        Self { rows: grid.rows(), cols: grid.cols() }
    }

    /// Zeros for all cells and the margin.
    pub(crate) fn zeros(self) -> Vec<f32> {
        vec![0.0; self.start() + self.span() + MARGIN * self.stride() + MARGIN]
    }

    /// The number of rows.
    pub(crate) fn rows(self) -> usize {
        self.rows
    }

    /// From a cell to the one below.
    pub(crate) fn stride(self) -> usize {
        (self.cols + MARGIN).next_multiple_of(STEP)
    }

    /// Where the first cell lies.
    pub(crate) fn start(self) -> usize {
        MARGIN * self.stride() + MARGIN
    }

    /// The number of entries from the first cell to the end of the last row, and on to a multiple of sixteen.
    pub(crate) fn span(self) -> usize {
        (self.rows * self.stride()).next_multiple_of(BLOCK)
    }

    /// Where a cell lies after the first one.
    pub(crate) fn offset(self, row: usize, col: usize) -> usize {
        row * self.stride() + col
    }

    /// The number of the cell that lies there after the first one.
    pub(crate) fn cell(self, offset: usize) -> usize {
        offset - offset / self.stride() * (self.stride() - self.cols)
    }
}
