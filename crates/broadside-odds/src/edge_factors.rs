//! Weights by how far cells lie from the edges, and those that are hard to find.

use broadside_rules::{Cell, Grid, Rules};

use crate::{PlacementWeights, Touching};

/// Cells this far from an edge, or further, count as equally far.
const FARTHEST: usize = 4;

/// A factor for each class of cells that lie equally far from the edges, and for ships that touch.
///
/// A class is the distances of a cell to the nearest edge along its row and along its column, the smaller one first, each up to 4. On a board of
/// 10x10 these are the cells that its symmetries exchange. The classes are in the order (0,0), (0,1), … (0,4), (1,1), … (4,4).
///
/// ```
/// use broadside_odds::{EdgeFactors, Touching};
/// use broadside_rules::Preset;
///
/// // Corners alone count twice.
/// let mut factors = EdgeFactors { cells: [1.0; EdgeFactors::CLASSES], touching: Touching::EITHER };
/// factors.cells[0] = 2.0;
/// let weights = factors.weights(&Preset::Classic.rules());
/// assert_eq!((weights.get("A1-A2".parse()?), weights.get("A2-A3".parse()?)), (2.0, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeFactors {
    /// The factor of each class.
    pub cells: [f64; Self::CLASSES],
    /// The factors for ships that touch.
    pub touching: Touching,
}

impl EdgeFactors {
    /// The number of classes.
    pub const CLASSES: usize = (FARTHEST + 1) * (FARTHEST + 2) / 2;

    /// The class of a cell.
    ///
    /// ```
    /// use broadside_odds::EdgeFactors;
    /// use broadside_rules::Preset;
    /// let grid = Preset::Classic.rules().grid();
    /// let class = |cell: &str| EdgeFactors::class(grid, cell.parse().unwrap());
    /// assert_eq!((class("A1"), class("A2"), class("I10"), class("E5")), (0, 1, 1, EdgeFactors::CLASSES - 1));
    /// ```
    pub fn class(grid: Grid, cell: Cell) -> usize {
        let distance = |at: usize, side: usize| at.min(side - 1 - at).min(FARTHEST);
        let (row, col) = (distance(cell.row(), grid.rows()), distance(cell.col(), grid.cols()));
        let (near, far) = (row.min(col), row.max(col));
        // Before the classes with this smaller distance there are 5 with 0, 4 with 1 and so on.
        (0..near).map(|nearer| FARTHEST + 1 - nearer).sum::<usize>() + far - near
    }

    /// The weights of placements: a placement weighs the product over its cells.
    pub fn weights(&self, rules: &Rules) -> PlacementWeights {
        let grid = rules.grid();
        PlacementWeights::from_cells(rules, |cell| self.cells[Self::class(grid, cell)]).with_touching(self.touching)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use broadside_rules::{Preset, Symmetry};

    use super::*;

    #[test]
    fn the_classes_of_the_classic_board_are_the_cells_that_its_symmetries_exchange() {
        let grid = Preset::Classic.rules().grid();
        let mut classes: BTreeMap<usize, BTreeSet<Cell>> = BTreeMap::new();
        for cell in grid.cells() {
            classes.entry(EdgeFactors::class(grid, cell)).or_default().insert(cell);
        }
        assert!(classes.keys().copied().eq(0..EdgeFactors::CLASSES));
        for cells in classes.values() {
            for &cell in cells {
                assert_eq!(&Symmetry::all(grid).map(|way| way.cell(cell)).collect::<BTreeSet<Cell>>(), cells);
            }
        }
    }

    #[test]
    fn every_board_has_classes_that_its_symmetries_keep() {
        for (rows, cols) in [(1, 1), (1, 7), (3, 8), (9, 9), (12, 20)] {
            let grid = Grid::new(rows, cols).unwrap();
            for cell in grid.cells() {
                let class = EdgeFactors::class(grid, cell);
                assert!(class < EdgeFactors::CLASSES);
                assert!(Symmetry::all(grid).all(|way| EdgeFactors::class(grid, way.cell(cell)) == class), "{rows}x{cols} {cell}");
            }
        }
    }
}
