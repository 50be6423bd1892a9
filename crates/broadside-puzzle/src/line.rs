//! Rows and columns.

use std::fmt;

use broadside_rules::Cell;

/// A row or a column, counted from 0 in code and named as on the board: `row C`, `column 5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Line {
    /// A row, from the top.
    Row(usize),
    /// A column, from the left.
    Column(usize),
}

impl Line {
    pub(crate) const fn new(axis: usize, index: usize) -> Self {
        if axis == 0 { Self::Row(index) } else { Self::Column(index) }
    }

    /// Its letter or number along the edge of the board.
    pub fn label(self) -> String {
        match self {
            Self::Row(row) => Cell::new(row, 0).map(|cell| cell.to_string().trim_end_matches('1').to_owned()).unwrap_or_default(),
            Self::Column(column) => (column + 1).to_string(),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if matches!(self, Self::Row(_)) { "row" } else { "column" };
        write!(f, "{kind} {}", self.label())
    }
}
