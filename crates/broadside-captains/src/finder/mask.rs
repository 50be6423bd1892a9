//! Finder `mask`: fire on a pattern that no ship escapes, as the web article “Battleship Masks” describes.
//!
//! With the shortest ship left of length l, one diagonal in l meets every ship. There are l such patterns that fall to the
//! left and l that fall to the right, and where the ship fits one way only, whole lines can be fewer still
//! ([`broadside_solve::mask`] proves which is smallest). Of these the one is taken on which fewest cells are left to fire
//! at. Cells that no ship of length l can cover any more are left out. When the shortest ship sinks, the pattern widens.

use broadside_rules::{Cell, CellSet, Orientation, Rules};
use broadside_solve::mask::OneShipBoard;
use broadside_solve::mask::blocking::blocking;
use broadside_solve::mask::diagonal::diagonal_mask;

use crate::GameRng;
use crate::bits::Bits;
use crate::board::Board;
use crate::density::fallback_shot;
use crate::pair::Finder;
use crate::position::Position;
use crate::random::random_cell;

/// Looks on the smallest pattern that no ship escapes.
pub(crate) struct Mask<B> {
    /// For each length from 1, the patterns of diagonals that meet every ship of it.
    patterns: Vec<Vec<B>>,
}

impl<B: Bits> Mask<B> {
    pub(crate) fn new(rules: &Rules) -> Self {
        let board = Board::new(rules.grid());
        Self { patterns: (1..=rules.fleet().longest().get()).map(|length| patterns(&board, length)).collect() }
    }

    /// The cells to hunt on: every ship that is still wholly hidden covers one of them.
    fn candidates(&self, position: &Position<B>) -> B {
        let (board, length) = (position.board(), position.left().shortest());
        let open = position.unfired() & !position.ruled_out();
        let covered = |orientation| board.covered(board.bows(open, length, orientation), length, orientation);
        let coverable = covered(Orientation::Horizontal) | covered(Orientation::Vertical);
        let patterns = self.patterns[length - 1].iter().map(|&pattern| pattern & coverable);
        patterns.min_by_key(|pattern| pattern.count()).unwrap_or(coverable)
    }
}

/// The patterns that meet every ship of the length: the diagonals both ways, and the smallest there is.
fn patterns<B: Bits>(board: &Board<B>, length: usize) -> Vec<B> {
    let grid = board.grid();
    let Ok(one_ship) = OneShipBoard::new(grid, length) else { return Vec::new() };
    let mirrored = |cell: Cell| Cell::new(cell.row(), grid.cols() - 1 - cell.col());
    let falling_left: Vec<CellSet> = (0..length).map(|offset| diagonal_mask(one_ship, offset)).collect();
    let falling_right = falling_left.iter().map(|mask| CellSet::from_cells(grid, mask.iter().filter_map(mirrored)));
    let all = falling_left.iter().cloned().chain(falling_right).chain([blocking(one_ship).cells]);
    all.map(|mask| board.cells_where(|row, col| Cell::new(row, col).is_some_and(|cell| mask.contains(cell)))).collect()
}

impl<B: Bits> Finder<B> for Mask<B> {
    fn find(&mut self, position: &Position<B>, rng: &mut GameRng) -> usize {
        let cells = self.candidates(position);
        if cells.is_empty() { fallback_shot(position) } else { random_cell(cells, rng) }
    }

    fn scores(&mut self, position: &Position<B>) -> (Vec<Option<f64>>, String) {
        let (cells, shortest) = (self.candidates(position), position.left().shortest());
        let words = format!("one of {} cells that no ship of length {shortest} or more escapes", cells.count());
        (position.scores(cells, |_| 1.0), words)
    }
}
