//! Cells as Python has them.

use broadside_rules::{Cell, Grid};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{FireError, as_exception};

/// A cell: `"E5"`, its number in reading order, or its row and column from 0.
#[derive(FromPyObject)]
pub(crate) enum CellArgument {
    Name(String),
    Number(usize),
    Place(usize, usize),
}

impl CellArgument {
    /// The cell, if there can be one.
    pub(crate) fn cell(&self, grid: Grid) -> PyResult<Cell> {
        match self {
            Self::Name(name) => name.parse().map_err(as_exception::<FireError, _>()),
            Self::Number(number) => grid.cell(*number).ok_or_else(|| off_board(grid)),
            Self::Place(row, col) => Cell::new(*row, *col).filter(|&cell| grid.contains(cell)).ok_or_else(|| off_board(grid)),
        }
    }
}

fn off_board(grid: Grid) -> PyErr {
    PyValueError::new_err(format!("there is no such cell on a board of {grid}"))
}

/// One item for each cell, row by row.
pub(crate) fn rows<T>(grid: Grid, item: impl Fn(Cell) -> T) -> Vec<Vec<T>> {
    let cells: Vec<Cell> = grid.cells().collect();
    cells.chunks(grid.cols()).map(|row| row.iter().map(|&cell| item(cell)).collect()).collect()
}
