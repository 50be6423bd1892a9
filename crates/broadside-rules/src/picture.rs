//! Boards drawn as text.

use std::fmt;
use std::str::FromStr;

use crate::{Cell, CellSet, Grid};

/// A board drawn as text, a line a row: `*` or `X` where a ship lies, `0` or `.` where there is water.
///
/// Blanks between the marks and the line ends of any system are passed over. It is printed with `.` and `X`.
///
/// ```
/// use broadside_rules::Picture;
/// let picture: Picture = "**0\n000".parse()?;
/// assert_eq!(picture.cells().to_string(), "A1 A2");
/// assert_eq!(picture.to_string(), "XX.\n...");
/// # Ok::<(), broadside_rules::ParsePictureError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    cells: CellSet,
}

impl Picture {
    /// The picture of these cells, as large as their grid.
    pub fn new(cells: CellSet) -> Self {
        Self { cells }
    }

    /// The size of the picture.
    pub fn grid(&self) -> Grid {
        self.cells.grid()
    }

    /// The cells where a ship lies.
    pub fn cells(&self) -> &CellSet {
        &self.cells
    }

    /// The cells where a ship lies.
    pub fn into_cells(self) -> CellSet {
        self.cells
    }
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.grid().cols() - 1;
        for cell in self.grid().cells() {
            f.write_str(if self.cells.contains(cell) { "X" } else { "." })?;
            if cell.col() == last && cell.row() + 1 < self.grid().rows() {
                f.write_str("\n")?;
            }
        }
        Ok(())
    }
}

/// The text is not the picture of a board. Lines and columns are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParsePictureError {
    /// There is no row.
    #[error("the picture is empty")]
    Empty,
    /// More rows than the largest board has.
    #[error("the picture has more than 64 rows")]
    TooManyRows,
    /// A row is longer than that of the largest board.
    #[error("line {line} of the picture has more than 64 squares")]
    TooManyColumns {
        /// The line.
        line: usize,
    },
    /// A row is longer or shorter than the first.
    #[error("line {line} of the picture has {found} squares, the first has {expected}")]
    Ragged {
        /// The line.
        line: usize,
        /// Its number of squares.
        found: usize,
        /// The first line's number of squares.
        expected: usize,
    },
    /// A character is neither ship nor water.
    #[error("{character:?} at line {line}, column {column} of the picture is neither ship (* or X) nor water (0 or .)")]
    Character {
        /// The character.
        character: char,
        /// Its line.
        line: usize,
        /// Its column.
        column: usize,
    },
}

impl FromStr for Picture {
    type Err = ParsePictureError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let rows = read_rows(text)?;
        let cols = rows.first().map_or(0, Vec::len);
        if let Some(row) = rows.iter().position(|row| row.len() != cols) {
            let line = first_line(text) + row;
            return Err(ParsePictureError::Ragged { line, found: rows[row].len(), expected: cols });
        }
        let grid = Grid::new(rows.len(), cols).map_err(|_| ParsePictureError::Empty)?;
        let ships = grid.cells().filter(|cell: &Cell| rows[cell.row()][cell.col()]);
        Ok(Self::new(CellSet::from_cells(grid, ships)))
    }
}

fn read_rows(text: &str) -> Result<Vec<Vec<bool>>, ParsePictureError> {
    let mut rows = Vec::new();
    for (number, line) in (first_line(text)..).zip(text.trim_matches(LINE_ENDS).lines()) {
        if rows.len() == Cell::MAX_SIDE {
            return Err(ParsePictureError::TooManyRows);
        }
        rows.push(read_row(number, line)?);
    }
    Ok(rows)
}

const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// The number of the first line that is not blank, so that messages name lines as an editor numbers them.
fn first_line(text: &str) -> usize {
    1 + text.chars().take_while(|c| LINE_ENDS.contains(c)).filter(|&c| c == '\n').count()
}

fn read_row(line: usize, text: &str) -> Result<Vec<bool>, ParsePictureError> {
    let mut row = Vec::new();
    for (i, character) in text.chars().enumerate() {
        match character {
            '*' | 'X' | 'x' => row.push(true),
            '0' | '.' => row.push(false),
            ' ' | '\t' | '\r' => {}
            _ => return Err(ParsePictureError::Character { character, line, column: i + 1 }),
        }
        // Checked on the way, so that a line of ten megabytes is refused after sixty-five squares.
        if row.len() > Cell::MAX_SIDE {
            return Err(ParsePictureError::TooManyColumns { line });
        }
    }
    Ok(row)
}

crate::text::serde_by_notation!(Picture);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_alphabets_blanks_and_windows_line_ends_read_alike() {
        let plain: Picture = "X..\n.X.".parse().unwrap();
        for text in ["*00\n0*0", "X..\r\n.X.\r\n", "x . .\n. x .\n", "\n*00\n0*0\n\n"] {
            assert_eq!(text.parse::<Picture>().as_ref(), Ok(&plain), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_picture_is_refused_with_its_place() {
        use ParsePictureError as E;
        let parse = |text: &str| text.parse::<Picture>().unwrap_err();
        assert_eq!(parse(""), E::Empty);
        assert_eq!(parse("\n\n"), E::Empty);
        assert_eq!(parse("00\n0"), E::Ragged { line: 2, found: 1, expected: 2 });
        assert_eq!(parse("00\n0#"), E::Character { character: '#', line: 2, column: 2 });
        assert_eq!(parse("\r\n\n0#"), E::Character { character: '#', line: 3, column: 2 });
        assert_eq!(parse("\n00\n0\n"), E::Ragged { line: 3, found: 1, expected: 2 });
        assert_eq!(parse("0\0"), E::Character { character: '\0', line: 1, column: 2 });
        assert_eq!(parse(&"0".repeat(10_000_000)), E::TooManyColumns { line: 1 });
        assert_eq!(parse(&"0\n".repeat(65)), E::TooManyRows);
    }
}
