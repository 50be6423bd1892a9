//! Whether a picture is legal, at the speed of a few hundred machine instructions.
//!
//! For boards of up to 128 cells on which ships lie apart. All cells are looked at together: shifting the whole set by
//! one column or one row lays every cell on its neighbour. If no cell has both a neighbour in its row and one in its
//! column, every group of joined cells is straight. A run starts at a cell with no neighbour on its left or above it,
//! and it has at least `k` cells if the set shifted left, or up, `1, …, k−1` times has a cell there too; counting the
//! starts for each `k` tells whether there are as many ships of at least that length as the fleet has.

use crate::{Cell, CellSet, Fleet, Grid, Rules, Touch};

/// Whether the cells are the picture of a legal layout; `None` where this method doesn't apply.
pub(crate) fn is_legal(cells: &CellSet, rules: &Rules) -> Option<bool> {
    let bits = cells.bits().filter(|_| cells.grid() == rules.grid())?;
    if rules.rocks().is_some_and(|rocks| !rocks.is_disjoint(cells)) {
        return Some(false);
    }
    let board = Board::new(rules.grid());
    let up = board.up(bits);
    let too_close = match rules.touch() {
        Touch::Allowed => return None,
        Touch::Corners => bits & (board.left(bits) | board.right(bits)) & (up | board.down(bits)),
        // Cells that meet at a corner belong to two ships or to a bent one.
        Touch::Never => bits & (board.left(up) | board.right(up)),
    };
    Some(too_close == 0 && lengths_agree(bits, &board, rules.fleet()))
}

/// Whether the straight runs have the lengths of the fleet.
fn lengths_agree(bits: u128, board: &Board, fleet: &Fleet) -> bool {
    let starts = bits & !board.right(bits) & !board.down(bits);
    // Of the runs with at least some length, the starts of those along rows and of those along columns. A single cell
    // is in both.
    let (mut horizontal, mut vertical) = (starts, starts);
    let (mut shifted_left, mut shifted_up) = (bits, bits);
    for length in 1..=fleet.longest().get() {
        let ships = fleet.lengths().iter().take_while(|ship| ship.get() >= length).count();
        if (horizontal | vertical).count_ones() as usize != ships {
            return false;
        }
        (shifted_left, shifted_up) = (board.left(shifted_left), board.up(shifted_up));
        (horizontal, vertical) = (horizontal & shifted_left, vertical & shifted_up);
    }
    horizontal | vertical == 0
}

/// The shifts of a grid, without running over its edges.
struct Board {
    cols: u32,
    all: u128,
    not_first: u128,
    not_last: u128,
}

impl Board {
    #[inline]
    fn new(grid: Grid) -> Self {
        let cols = grid.cols() as u32;
        let all = u128::MAX >> (128 - grid.len());
        let first = FIRST_COLUMN[grid.cols()];
        Self { cols, all, not_first: !first, not_last: !(first << (cols - 1)) }
    }

    #[inline]
    fn left(&self, bits: u128) -> u128 {
        (bits & self.not_first) >> 1
    }

    #[inline]
    fn right(&self, bits: u128) -> u128 {
        (bits & self.not_last) << 1
    }

    #[inline]
    fn up(&self, bits: u128) -> u128 {
        bits >> self.cols
    }

    #[inline]
    fn down(&self, bits: u128) -> u128 {
        (bits << self.cols) & self.all
    }
}

/// For each number of columns, the first cell of every row that 128 cells have room for. A table, because working it
/// out anew takes as long as the rest of a check.
const FIRST_COLUMN: [u128; Cell::MAX_SIDE + 1] = {
    let mut table = [0; Cell::MAX_SIDE + 1];
    let mut cols = 1;
    while cols <= Cell::MAX_SIDE {
        let mut cell = 0;
        while cell < 128 {
            table[cols] |= 1 << cell;
            cell += cols;
        }
        cols += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_agree_with_stepping_from_cell_to_cell_on_every_small_grid() {
        for (rows, cols) in (1..=64).flat_map(|rows| (1..=64).map(move |cols| (rows, cols))).filter(|(r, c)| r * c <= 128) {
            let grid = Grid::new(rows, cols).unwrap();
            let board = Board::new(grid);
            for cell in grid.cells() {
                let bits = CellSet::from_cells(grid, [cell]).bits().unwrap();
                let step = |r, c| CellSet::from_cells(grid, grid.step(cell, r, c)).bits().unwrap();
                assert_eq!([board.left(bits), board.right(bits)], [step(0, -1), step(0, 1)], "{cell} of {grid}");
                assert_eq!([board.up(bits), board.down(bits)], [step(-1, 0), step(1, 0)], "{cell} of {grid}");
            }
        }
    }
}
