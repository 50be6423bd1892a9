//! The board's size.

use std::fmt;
use std::str::FromStr;

use crate::Cell;
use crate::text::{quote, serde_by_notation};

/// The size of a board: rows × columns, each from 1 to 64, written `10x10`.
///
/// ```
/// use broadside_rules::Grid;
/// let grid: Grid = "10x15".parse()?;
/// assert_eq!((grid.rows(), grid.cols(), grid.len()), (10, 15, 150));
/// assert!("0x5".parse::<Grid>().is_err());
/// # Ok::<(), broadside_rules::GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Grid {
    rows: u8,
    cols: u8,
}

/// The size is not that of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// A side is 0 or over 64.
    #[error("a board of {rows}x{cols} is not possible: rows and columns must each be 1 to 64")]
    Size {
        /// The number of rows asked for.
        rows: usize,
        /// The number of columns asked for.
        cols: usize,
    },
    /// The text is not two numbers with an x between them.
    #[error("{} is not a board size: write ROWSxCOLUMNS, such as 10x10", quote(.0))]
    Text(String),
}

impl Grid {
    /// A grid of this many rows and columns.
    ///
    /// # Errors
    /// When a side is 0 or over 64.
    pub const fn new(rows: usize, cols: usize) -> Result<Self, GridError> {
        if rows == 0 || cols == 0 || rows > Cell::MAX_SIDE || cols > Cell::MAX_SIDE {
            return Err(GridError::Size { rows, cols });
        }
        Ok(Self { rows: rows as u8, cols: cols as u8 })
    }

    /// The number of rows.
    pub const fn rows(self) -> usize {
        self.rows as usize
    }

    /// The number of columns.
    pub const fn cols(self) -> usize {
        self.cols as usize
    }

    /// The number of cells.
    #[expect(clippy::len_without_is_empty, reason = "a grid has at least one cell")]
    pub const fn len(self) -> usize {
        self.rows() * self.cols()
    }

    /// Whether the cell lies on this grid.
    pub const fn contains(self, cell: Cell) -> bool {
        cell.row() < self.rows() && cell.col() < self.cols()
    }

    /// The cell's number in reading order, from 0. The cell must lie on the grid.
    #[inline]
    pub fn index(self, cell: Cell) -> usize {
        debug_assert!(self.contains(cell), "{cell} is off the {self} grid");
        cell.row() * self.cols() + cell.col()
    }

    /// The cell with this number in reading order; `None` past the last.
    #[inline]
    pub fn cell(self, index: usize) -> Option<Cell> {
        let cell = Cell::new(index / self.cols(), index % self.cols())?;
        self.contains(cell).then_some(cell)
    }

    /// All cells in reading order.
    pub fn cells(self) -> impl DoubleEndedIterator<Item = Cell> + Clone {
        (0..self.len()).filter_map(move |index| self.cell(index))
    }

    /// The cell that many rows down and columns right, if it lies on this grid.
    pub fn step(self, from: Cell, rows: isize, cols: isize) -> Option<Cell> {
        from.offset(rows, cols).filter(|&cell| self.contains(cell))
    }

    /// The cells that share a side with this one, in the order up, down, left, right.
    pub fn side_neighbours(self, cell: Cell) -> impl Iterator<Item = Cell> {
        [(-1, 0), (1, 0), (0, -1), (0, 1)].into_iter().filter_map(move |(r, c)| self.step(cell, r, c))
    }

    /// The cells that share only a corner with this one, in reading order.
    pub fn corner_neighbours(self, cell: Cell) -> impl Iterator<Item = Cell> {
        [(-1, -1), (-1, 1), (1, -1), (1, 1)].into_iter().filter_map(move |(r, c)| self.step(cell, r, c))
    }

    /// The same grid seen with rows and columns swapped.
    #[must_use]
    pub const fn transposed(self) -> Self {
        Self { rows: self.cols, cols: self.rows }
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}x{}", self.rows, self.cols))
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Grid {
    type Err = GridError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unreadable = || GridError::Text(text.chars().take(64).collect());
        let (rows, cols) = text.split_once(['x', 'X', '×']).ok_or_else(unreadable)?;
        Self::new(side(rows).ok_or_else(unreadable)?, side(cols).ok_or_else(unreadable)?)
    }
}

/// A side of up to six digits: more would only be refused again, with a longer message.
fn side(text: &str) -> Option<usize> {
    let plain = (1..=6).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

serde_by_notation!(Grid);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_round_trips_and_numbers_its_cells_in_reading_order() {
        for (rows, cols) in [(1, 1), (1, 64), (64, 1), (10, 15), (64, 64)] {
            let grid = Grid::new(rows, cols).unwrap();
            assert_eq!(grid.to_string().parse(), Ok(grid));
            let cells: Vec<Cell> = grid.cells().collect();
            assert_eq!(cells.len(), rows * cols);
            assert!(cells.is_sorted());
            assert!(cells.iter().enumerate().all(|(i, &cell)| grid.index(cell) == i && grid.cell(i) == Some(cell)));
            assert_eq!(grid.cell(grid.len()), None);
        }
    }

    #[test]
    fn what_is_no_size_is_refused() {
        for text in ["", "x", "10", "10x", "x10", "0x5", "5x0", "65x1", "1x65", "-1x5", "10x10x10", "1e1x5", "99999999x1", "+5x5"]
        {
            assert!(text.parse::<Grid>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_corner_has_two_cells_beside_it_and_one_cornering() {
        let grid = Grid::new(3, 3).unwrap();
        let show = |cells: Vec<Cell>| cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let (a1, b2) = ("A1".parse().unwrap(), "B2".parse().unwrap());
        assert_eq!(show(grid.side_neighbours(a1).collect()), "B1 A2");
        assert_eq!(show(grid.corner_neighbours(a1).collect()), "B2");
        assert_eq!(show(grid.side_neighbours(b2).collect()), "A2 C2 B1 B3");
        assert_eq!(show(grid.corner_neighbours(b2).collect()), "A1 A3 C1 C3");
    }
}
