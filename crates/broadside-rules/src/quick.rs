//! Whether a picture is legal, at the speed of a few dozen machine instructions.
//!
//! For boards of up to 128 cells on which ships lie apart. All cells are looked at together: shifting the whole set by
//! one column or one row lays every cell on its neighbour. If no cell has both a neighbour in its row and one in its
//! column, every group of joined cells is straight. A run of at least `k` cells starts where a cell has no left
//! neighbour and the set shifted left `1, …, k−1` times has a cell too; counting the starts for each `k` gives the
//! number of ships of each length.

use crate::{CellSet, Fleet, Grid, Rules, Touch};

/// Whether the cells are the picture of a legal layout; `None` where this method doesn't apply.
pub(crate) fn is_legal(cells: &CellSet, rules: &Rules) -> Option<bool> {
    let bits = cells.bits().filter(|_| rules.touch() != Touch::Allowed && cells.grid() == rules.grid())?;
    let board = Board::new(rules.grid());
    let (beside, above_or_below) = (board.left(bits) | board.right(bits), board.up(bits) | board.down(bits));
    if bits & beside & above_or_below != 0 {
        return Some(false);
    }
    if rules.touch() == Touch::Never && bits & (board.left(board.up(bits)) | board.right(board.up(bits))) != 0 {
        return Some(false);
    }
    Some(lengths_agree(bits, &board, rules.fleet()))
}

fn lengths_agree(bits: u128, board: &Board, fleet: &Fleet) -> bool {
    // Of a run, the first cell; a single cell counts as lying, so it must not start an upright run as well.
    let lying = bits & !board.right(bits) & !board.up(bits) & !board.down(bits);
    let upright = bits & !board.down(bits) & board.up(bits);
    let (mut lying, mut upright) = (lying, upright);
    let mut longer = (lying.count_ones() + upright.count_ones()) as usize;
    let (mut shifted_left, mut shifted_up) = (bits, bits);
    let mut ships_left = fleet.len();
    for length in 1..=fleet.longest().get() {
        // `longer` runs have at least this length; those that end here have exactly it.
        (shifted_left, shifted_up) = (board.left(shifted_left), board.up(shifted_up));
        (lying, upright) = (lying & shifted_left, upright & shifted_up);
        let at_least = longer;
        longer = (lying.count_ones() + upright.count_ones()) as usize;
        let expected = fleet.lengths().iter().filter(|l| l.get() == length).count();
        if at_least - longer != expected {
            return false;
        }
        ships_left -= expected;
    }
    longer == 0 && ships_left == 0
}

/// The shifts of a grid, without running over its edges.
struct Board {
    cols: u32,
    all: u128,
    not_first: u128,
    not_last: u128,
}

impl Board {
    fn new(grid: Grid) -> Self {
        let cols = grid.cols() as u32;
        let all = u128::MAX >> (128 - grid.len());
        // One bit every `cols`: all ones divided by the ones of one row.
        let row = u128::MAX >> (128 - cols);
        let first = if grid.rows() == 1 { 1 } else { all / row };
        Self { cols, all, not_first: all & !first, not_last: all & !(first << (cols - 1)) }
    }

    fn left(&self, bits: u128) -> u128 {
        (bits & self.not_first) >> 1
    }

    fn right(&self, bits: u128) -> u128 {
        (bits & self.not_last) << 1
    }

    fn up(&self, bits: u128) -> u128 {
        bits >> self.cols
    }

    fn down(&self, bits: u128) -> u128 {
        (bits << self.cols) & self.all
    }
}
