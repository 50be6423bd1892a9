//! Boards drawn for people, with letters and numbers along the edges.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use broadside_rules::{Cell, Grid};

/// What a square shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Square {
    /// Nothing.
    Water,
    /// A ship.
    Ship,
    /// Something that is wrong.
    Fault,
}

impl Square {
    fn mark(self) -> char {
        match self {
            Self::Water => '.',
            Self::Ship => 'X',
            Self::Fault => '!',
        }
    }

    fn style(self) -> Style {
        match self {
            Self::Water => Style::new().dimmed(),
            Self::Ship => Style::new(),
            Self::Fault => Style::new().bold().fg_color(Some(AnsiColor::Red.into())),
        }
    }
}

/// Draws the grid, indented, one line a row, with what `square` says of each cell.
pub(crate) fn board(out: &mut dyn Write, grid: Grid, square: impl Fn(Cell) -> Square) -> io::Result<()> {
    let (label, width) = (row_label(grid.rows() - 1).len(), grid.cols().to_string().len());
    write!(out, "  {:label$}", "")?;
    (1..=grid.cols()).try_for_each(|col| write!(out, " {col:>width$}"))?;
    for cell in grid.cells() {
        if cell.col() == 0 {
            write!(out, "\n  {:>label$}", row_label(cell.row()))?;
        }
        let (style, mark) = (square(cell).style(), square(cell).mark());
        write!(out, " {:pad$}{style}{mark}{style:#}", "", pad = width - 1)?;
    }
    writeln!(out)
}

/// The letter or letters of a row: its first cell without the column.
fn row_label(row: usize) -> String {
    Cell::new(row, 0).map(|cell| cell.to_string().trim_end_matches('1').to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(rows: usize, cols: usize) -> String {
        let fault = Cell::new(0, 1).unwrap();
        let mut out = Vec::new();
        board(&mut out, Grid::new(rows, cols).unwrap(), |cell| if cell == fault { Square::Fault } else { Square::Water })
            .unwrap();
        anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string()
    }

    #[test]
    fn a_small_board_has_letters_and_numbers_along_its_edges() {
        assert_eq!(drawn(2, 3), "    1 2 3\n  A . ! .\n  B . . .\n");
    }

    #[test]
    fn columns_stay_in_line_past_column_nine_and_row_z() {
        let lines: Vec<String> = drawn(27, 10).lines().map(str::to_owned).collect();
        assert_eq!(lines[0], "      1  2  3  4  5  6  7  8  9 10");
        assert_eq!(lines[1], "   A  .  !  .  .  .  .  .  .  .  .");
        assert_eq!(lines[27], "  AA  .  .  .  .  .  .  .  .  .  .");
    }
}
