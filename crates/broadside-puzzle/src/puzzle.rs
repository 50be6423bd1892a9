//! A puzzle: its ships, the numbers along its edges, and its revealed cells.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use broadside_rules::{Cell, Fleet, FleetError, Grid, GridError, Layout, ParseCellError};

use crate::{Line, Mark};

/// A puzzle: the fleet, how many cells of each row and column hold a ship, and some revealed cells. Ships never touch.
///
/// It is written on one line, as the fleet, the counts of the rows, those of the columns, and the revealed cells with
/// their [`Mark`]; `?` stands for a count that isn't told. `Puzzle::read` understands other formats too.
///
/// ```
/// use broadside_puzzle::Puzzle;
/// let puzzle: Puzzle = "2,1 2,0,1 1,1,1 C3o".parse()?;
/// assert_eq!(puzzle.grid().to_string(), "3x3");
/// assert_eq!(puzzle.to_string(), "2,1 2,0,1 1,1,1 C3o");
/// # Ok::<(), broadside_puzzle::PuzzleError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Puzzle {
    grid: Grid,
    fleet: Fleet,
    /// Of the rows, then of the columns.
    counts: [Vec<Option<u8>>; 2],
    revealed: BTreeMap<Cell, Mark>,
}

/// What is given is not a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PuzzleError {
    /// There are no counts, or too many.
    #[error("a puzzle has 1 to {} rows and columns, not {rows}x{columns}", Puzzle::MAX_SIDE)]
    Size {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
    /// A count is larger than the line.
    #[error("{line} can't have {count} ship cells: it has {cells} cells")]
    Count {
        /// The row or column.
        line: Line,
        /// The count.
        count: u8,
        /// The cells of the line.
        cells: usize,
    },
    /// A revealed cell is not on the board.
    #[error("the cell {cell} is off the {grid} board")]
    OffBoard {
        /// The cell.
        cell: Cell,
        /// The board.
        grid: Grid,
    },
    /// A cell is revealed in two ways.
    #[error("the cell {0} is revealed twice")]
    Twice(Cell),
    /// A part is missing.
    #[error("a puzzle on one line is its fleet, the counts of its rows and those of its columns, such as ‘2,1 2,0,1 1,1,1 C3o’")]
    Missing,
    /// A count can't be read.
    #[error("‘{0}’ is not a list of counts: write numbers with commas, ? where a count isn't told")]
    Counts(String),
    /// A revealed cell can't be read.
    #[error("‘{0}’ is not a revealed cell: write the cell and one of ~ o m ^ v < > x, such as C3o")]
    Revealed(String),
    /// The fleet can't be read.
    #[error(transparent)]
    Fleet(#[from] FleetError),
    /// The cell can't be read.
    #[error(transparent)]
    Cell(#[from] ParseCellError),
}

impl From<GridError> for PuzzleError {
    fn from(error: GridError) -> Self {
        match error {
            GridError::Size { rows, cols } => Self::Size { rows, columns: cols },
            _ => Self::Missing,
        }
    }
}

impl Puzzle {
    /// The most rows or columns of a puzzle.
    pub const MAX_SIDE: usize = 20;

    /// The puzzle with this fleet, these counts from the top and from the left, and these revealed cells.
    ///
    /// # Errors
    /// When the counts are none or too many, larger than their line, or a revealed cell is off the board or there twice.
    pub fn new(
        fleet: Fleet,
        rows: Vec<Option<u8>>,
        columns: Vec<Option<u8>>,
        revealed: impl IntoIterator<Item = (Cell, Mark)>,
    ) -> Result<Self, PuzzleError> {
        if rows.len().max(columns.len()) > Self::MAX_SIDE {
            return Err(PuzzleError::Size { rows: rows.len(), columns: columns.len() });
        }
        let grid = Grid::new(rows.len(), columns.len())?;
        let mut puzzle = Self { grid, fleet, counts: [rows, columns], revealed: BTreeMap::new() };
        puzzle.check_counts()?;
        revealed.into_iter().try_for_each(|(cell, mark)| puzzle.reveal(cell, mark))?;
        Ok(puzzle)
    }

    /// The puzzle that this layout solves, with these cells revealed.
    ///
    /// # Errors
    /// When the board is too large for a puzzle, or a cell is off the board or there twice.
    pub fn from_layout(layout: &Layout, revealed: impl IntoIterator<Item = Cell>) -> Result<Self, PuzzleError> {
        let (grid, cells) = (layout.grid(), layout.cells());
        let count = |line: &dyn Fn(Cell) -> bool| Some(cells.iter().filter(|&cell| line(cell)).count() as u8);
        let rows = (0..grid.rows()).map(|row| count(&|cell| cell.row() == row)).collect();
        let columns = (0..grid.cols()).map(|column| count(&|cell| cell.col() == column)).collect();
        let revealed = revealed.into_iter().map(|cell| (cell, Mark::of(layout, cell)));
        Self::new(Fleet::new(layout.lengths())?, rows, columns, revealed)
    }

    fn check_counts(&self) -> Result<(), PuzzleError> {
        for (axis, cells) in [self.grid.cols(), self.grid.rows()].into_iter().enumerate() {
            for (index, count) in self.counts[axis].iter().enumerate() {
                if let &Some(count) = count
                    && usize::from(count) > cells
                {
                    return Err(PuzzleError::Count { line: Line::new(axis, index), count, cells });
                }
            }
        }
        Ok(())
    }

    fn reveal(&mut self, cell: Cell, mark: Mark) -> Result<(), PuzzleError> {
        if !self.grid.contains(cell) {
            return Err(PuzzleError::OffBoard { cell, grid: self.grid });
        }
        if self.revealed.insert(cell, mark).is_some() { Err(PuzzleError::Twice(cell)) } else { Ok(()) }
    }

    /// The board's size.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The ships to be found.
    pub fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    /// How many cells of this row or column hold a ship; `None` where that isn't told, or there is no such line.
    pub fn count(&self, line: Line) -> Option<usize> {
        let count = match line {
            Line::Row(row) => self.counts[0].get(row),
            Line::Column(column) => self.counts[1].get(column),
        };
        count.copied().flatten().map(usize::from)
    }

    /// The revealed cells in reading order.
    pub fn revealed(&self) -> impl Iterator<Item = (Cell, Mark)> + '_ {
        self.revealed.iter().map(|(&cell, &mark)| (cell, mark))
    }

    /// What this cell shows, if it is revealed.
    pub fn mark(&self, cell: Cell) -> Option<Mark> {
        self.revealed.get(&cell).copied()
    }

    /// The same puzzle with one revealed cell fewer.
    #[must_use]
    pub fn without(&self, cell: Cell) -> Self {
        let mut fewer = self.clone();
        fewer.revealed.remove(&cell);
        fewer
    }

    /// The same puzzle with another fleet.
    #[must_use]
    pub fn with_fleet(self, fleet: Fleet) -> Self {
        Self { fleet, ..self }
    }

    /// The counts as text: of the rows, or of the columns.
    fn counts_text(&self, axis: usize) -> String {
        let text = |count: &Option<u8>| count.map_or_else(|| "?".to_owned(), |count| count.to_string());
        self.counts[axis].iter().map(text).collect::<Vec<_>>().join(",")
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.fleet, self.counts_text(0), self.counts_text(1))?;
        self.revealed().try_for_each(|(cell, mark)| write!(f, " {cell}{mark}"))
    }
}

impl fmt::Debug for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Puzzle {
    type Err = PuzzleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut words = text.split_whitespace();
        let mut part = || words.next().ok_or(PuzzleError::Missing);
        let (fleet, rows, columns) = (part()?.parse()?, counts(part()?)?, counts(part()?)?);
        let revealed = words.take(Self::MAX_SIDE * Self::MAX_SIDE + 1).map(revealed).collect::<Result<Vec<_>, _>>()?;
        Self::new(fleet, rows, columns, revealed)
    }
}

/// The start of a text, for messages.
pub(crate) fn short(text: &str) -> String {
    text.chars().take(24).flat_map(char::escape_debug).collect()
}

fn counts(text: &str) -> Result<Vec<Option<u8>>, PuzzleError> {
    let list: Result<Vec<_>, NotACount> = text.split(',').take(Puzzle::MAX_SIDE + 1).map(count).collect();
    list.map_err(|NotACount| PuzzleError::Counts(short(text)))
}

/// A text is neither a number nor `?`.
pub(crate) struct NotACount;

/// One count: a number, or `?` where it isn't told.
pub(crate) fn count(text: &str) -> Result<Option<u8>, NotACount> {
    let plain = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    match text {
        "?" => Ok(None),
        _ if plain => text.parse().map(Some).map_err(|_| NotACount),
        _ => Err(NotACount),
    }
}

impl Puzzle {
    /// Reads the cells that a player has marked, each as ship (`A1x`) or water (`A2~`), with blanks between them.
    ///
    /// # Errors
    /// When one of them can't be read or is off the board.
    pub fn read_marks(&self, text: &str) -> Result<Vec<(Cell, bool)>, PuzzleError> {
        let mark = |word: &str| match revealed(word)? {
            (cell, _) if !self.grid.contains(cell) => Err(PuzzleError::OffBoard { cell, grid: self.grid }),
            (cell, mark) => Ok((cell, mark != Mark::Water)),
        };
        text.split_whitespace().take(Self::MAX_SIDE * Self::MAX_SIDE).map(mark).collect()
    }
}

/// A revealed cell with its mark, such as `C3o`.
fn revealed(text: &str) -> Result<(Cell, Mark), PuzzleError> {
    let bad = || PuzzleError::Revealed(short(text));
    let (end, symbol) = text.char_indices().next_back().ok_or_else(bad)?;
    let mark = Mark::from_symbol(symbol).ok_or_else(bad)?;
    Ok((text[..end].parse().map_err(|_| bad())?, mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        text.parse::<Puzzle>().unwrap_err().to_string()
    }

    #[test]
    fn a_puzzle_prints_what_it_was_read_from() {
        for text in ["1 1 1", "2,1 2,0,1 1,1,1 C3o", "3,2 ?,1,4 2,?,0,0,1 A1^ C5~", "4 4 1,1,1,1 A1< A2m A3x A4>"] {
            assert_eq!(text.parse::<Puzzle>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_puzzle_is_refused_with_the_reason() {
        assert!(fault("2,1 2,0,1").contains("the counts of its rows"));
        assert!(fault("2,1 2,0,x 1,1,1").contains("‘2,0,x’ is not a list of counts"));
        assert!(fault("2,1 2,0,1 1,4,1").contains("column 2 can't have 4 ship cells"));
        assert!(fault("2,1 2,0,1 1,1,1 D1o").contains("cell D1 is off the 3x3 board"));
        assert!(fault("2,1 2,0,1 1,1,1 A1o A1~").contains("A1 is revealed twice"));
        assert!(fault("2,1 2,0,1 1,1,1 A1?").contains("‘A1?’ is not a revealed cell"));
        assert!(fault("0 1 1").contains("the fleet can't be read"));
        assert!(fault(&format!("1 {} 1", vec!["0"; 21].join(","))).contains("1 to 20 rows"));
    }

    #[test]
    fn the_puzzle_of_a_layout_has_its_counts_and_parts() {
        let rules = "3x4 3,1 never ship".parse().unwrap();
        let layout = "A1-C1 A3".parse::<broadside_rules::Draft>().unwrap().check(&rules).into_layout().unwrap();
        let puzzle = Puzzle::from_layout(&layout, layout.grid().cells()).unwrap();
        let expected = "3,1 2,1,1 3,0,1,0 A1^ A2~ A3o A4~ B1m B2~ B3~ B4~ C1v C2~ C3~ C4~";
        assert_eq!(puzzle.to_string(), expected);
    }
}
