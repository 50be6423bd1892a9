//! One square of the board, printed as row letter(s) and column number.

use std::fmt;
use std::str::FromStr;

use crate::text::{quote, serde_by_notation};

/// One square: `A1` is the upper left, `B7` is row 2, column 7, `AA1` is the first square of row 27.
///
/// Rows and columns are counted from 0 in code and from 1 in the notation. A cell may lie anywhere on the largest
/// grid; whether it lies on a given one is [`Grid::contains`](crate::Grid::contains).
///
/// ```
/// use broadside_rules::Cell;
/// let cell: Cell = "B7".parse()?;
/// assert_eq!((cell.row(), cell.col()), (1, 6));
/// assert_eq!(Cell::new(26, 0).unwrap().to_string(), "AA1");
/// # Ok::<(), broadside_rules::ParseCellError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    row: u8,
    col: u8,
}

impl Cell {
    /// Rows and columns are below this on every grid.
    pub const MAX_SIDE: usize = 64;

    /// The cell at this row and column, counted from 0; `None` off the largest grid.
    pub const fn new(row: usize, col: usize) -> Option<Self> {
        if row < Self::MAX_SIDE && col < Self::MAX_SIDE { Some(Self { row: row as u8, col: col as u8 }) } else { None }
    }

    /// The row, from 0 at the top.
    pub const fn row(self) -> usize {
        self.row as usize
    }

    /// The column, from 0 at the left.
    pub const fn col(self) -> usize {
        self.col as usize
    }

    /// The cell that many rows down and columns right of this one; `None` off the largest grid.
    pub fn offset(self, rows: isize, cols: isize) -> Option<Self> {
        Self::new(self.row().checked_add_signed(rows)?, self.col().checked_add_signed(cols)?)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |n: usize| char::from(b'A' + n as u8);
        let row = self.row();
        let text = match row / 26 {
            0 => format!("{}{}", letter(row), self.col + 1),
            n => format!("{}{}{}", letter(n - 1), letter(row % 26), self.col + 1),
        };
        f.pad(&text)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a cell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is not a cell: write row letter(s) and column number, such as B7", quote(.text))]
pub struct ParseCellError {
    text: String,
}

impl FromStr for Cell {
    type Err = ParseCellError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).ok_or_else(|| ParseCellError { text: text.chars().take(64).collect() })
    }
}

fn parse(text: &str) -> Option<Cell> {
    // Two letters and two digits are all that the largest grid needs; a longer text is refused before it is read.
    if text.len() > 4 {
        return None;
    }
    let digits = text.find(|c: char| !c.is_ascii_alphabetic())?;
    let (letters, number) = text.split_at(digits);
    let row = match letters.as_bytes() {
        [a] => letter(*a),
        [a, b] => (letter(*a) + 1) * 26 + letter(*b),
        _ => return None,
    };
    if number.starts_with('0') || !number.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Cell::new(row, number.parse::<usize>().ok()?.checked_sub(1)?)
}

fn letter(byte: u8) -> usize {
    usize::from(byte.to_ascii_uppercase() - b'A')
}

serde_by_notation!(Cell);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_round_trips_in_both_cases() {
        for row in 0..64 {
            for col in 0..64 {
                let cell = Cell::new(row, col).unwrap();
                assert_eq!(cell.to_string().parse(), Ok(cell));
                assert_eq!(cell.to_string().to_lowercase().parse(), Ok(cell));
            }
        }
    }

    #[test]
    fn rows_past_z_take_two_letters() {
        assert_eq!(Cell::new(25, 0).unwrap().to_string(), "Z1");
        assert_eq!(Cell::new(26, 9).unwrap().to_string(), "AA10");
        assert_eq!(Cell::new(63, 63).unwrap().to_string(), "BL64");
    }

    #[test]
    fn what_is_no_cell_is_refused() {
        for text in ["", "A", "1", "A0", "A01", "A65", "BM1", "AAA1", "A1 ", " A1", "A-1", "A+1", "É1", "A1\0", "A¹"] {
            assert!(text.parse::<Cell>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn an_offset_off_the_largest_grid_is_none() {
        let corner = Cell::new(0, 63).unwrap();
        assert_eq!(corner.offset(-1, 0), None);
        assert_eq!(corner.offset(0, 1), None);
        assert_eq!(corner.offset(1, -1), Cell::new(1, 62));
    }
}
