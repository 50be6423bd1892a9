//! Finder `mask` (seed document 002): fire on a pattern that no ship escapes.
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
use crate::chart::Chart;
use crate::density::last_resort;
use crate::field::Field;
use crate::pair::Finder;
use crate::random::draw;

/// Looks on the smallest pattern that no ship escapes.
pub(crate) struct Mask<B> {
    /// For each length from 1, the patterns of diagonals that meet every ship of it.
    patterns: Vec<Vec<B>>,
}

impl<B: Bits> Mask<B> {
    pub(crate) fn new(rules: &Rules) -> Self {
        let field = Field::new(rules.grid());
        Self { patterns: (1..=rules.fleet().longest().get()).map(|length| patterns(&field, length)).collect() }
    }

    /// The cells to hunt on: every ship that is still wholly hidden covers one of them.
    fn ground(&self, chart: &Chart<B>) -> B {
        let (field, length) = (chart.field(), chart.left().shortest());
        let open = chart.unfired() & !chart.ruled_out();
        let covered = |heading| field.covered(field.bows(open, length, heading), length, heading);
        let hiding = covered(Orientation::Horizontal) | covered(Orientation::Vertical);
        let grounds = self.patterns[length - 1].iter().map(|&pattern| pattern & hiding);
        grounds.min_by_key(|ground| ground.count()).unwrap_or(hiding)
    }
}

/// The patterns that meet every ship of the length: the diagonals both ways, and the smallest there is.
fn patterns<B: Bits>(field: &Field<B>, length: usize) -> Vec<B> {
    let grid = field.grid();
    let Ok(board) = OneShipBoard::new(grid, length) else { return Vec::new() };
    let mirrored = |cell: Cell| Cell::new(cell.row(), grid.cols() - 1 - cell.col());
    let falling_left: Vec<CellSet> = (0..length).map(|offset| diagonal_mask(board, offset)).collect();
    let falling_right = falling_left.iter().map(|mask| CellSet::from_cells(grid, mask.iter().filter_map(mirrored)));
    let all = falling_left.iter().cloned().chain(falling_right).chain([blocking(board).cells]);
    all.map(|mask| field.that(|row, col| Cell::new(row, col).is_some_and(|cell| mask.contains(cell)))).collect()
}

impl<B: Bits> Finder<B> for Mask<B> {
    fn find(&mut self, chart: &Chart<B>, rng: &mut GameRng) -> usize {
        let ground = self.ground(chart);
        if ground.is_empty() { last_resort(chart) } else { draw(ground, rng) }
    }

    fn judge(&mut self, chart: &Chart<B>) -> (Vec<Option<f64>>, String) {
        let (ground, shortest) = (self.ground(chart), chart.left().shortest());
        let words = format!("one of {} cells that no ship of length {shortest} or more escapes", ground.count());
        (chart.scores(ground, |_| 1.0), words)
    }
}
