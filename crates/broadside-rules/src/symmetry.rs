//! Reflections and turns of a board.

use crate::{Cell, Grid, Layout, Placement, Shot, ShotLog};

/// A way to lay a board onto itself: one of eight on a square board, one of four on any other.
///
/// ```
/// use broadside_rules::{Cell, Grid, Symmetry};
///
/// let corner: Cell = "A1".parse()?;
/// let mut corners: Vec<Cell> = Symmetry::all(Grid::new(3, 3)?).map(|symmetry| symmetry.cell(corner)).collect();
/// corners.sort_unstable();
/// corners.dedup();
/// assert_eq!(corners.len(), 4);
/// assert_eq!(Symmetry::all(Grid::new(3, 5)?).count(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    grid: Grid,
    /// Bit 0 reverses the rows, bit 1 reverses the columns, bit 2 then exchanges rows and columns.
    number: u8,
}

impl Symmetry {
    /// All symmetries of a board. The first leaves everything where it is.
    pub fn all(grid: Grid) -> impl ExactSizeIterator<Item = Self> + Clone {
        (0..if grid.rows() == grid.cols() { 8 } else { 4 }).map(move |number| Self { grid, number })
    }

    /// The symmetry that undoes this one.
    ///
    /// ```
    /// use broadside_rules::{Grid, Symmetry};
    /// let grid = Grid::new(4, 4)?;
    /// for symmetry in Symmetry::all(grid) {
    ///     assert!(grid.cells().all(|cell| symmetry.inverse().cell(symmetry.cell(cell)) == cell));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn inverse(self) -> Self {
        let [rows, cols] = [self.number & 1, self.number >> 1 & 1];
        let number = if self.number & 4 == 0 { self.number } else { 4 | cols | rows << 1 };
        Self { number, ..self }
    }

    /// Where a cell of the board comes to lie.
    ///
    /// # Panics
    /// When the cell is not on the board.
    pub fn cell(self, cell: Cell) -> Cell {
        let row = if self.number & 1 == 0 { cell.row() } else { self.grid.rows() - 1 - cell.row() };
        let col = if self.number & 2 == 0 { cell.col() } else { self.grid.cols() - 1 - cell.col() };
        let moved = if self.number & 4 == 0 { Cell::new(row, col) } else { Cell::new(col, row) };
        moved.expect("a symmetry takes cells of the board to cells of the board")
    }

    /// Where a ship comes to lie.
    ///
    /// ```
    /// use broadside_rules::{Grid, Symmetry};
    /// let turned = Symmetry::all(Grid::new(3, 3)?).map(|symmetry| symmetry.placement("A1-A2".parse().unwrap()));
    /// assert!(turned.map(|ship| ship.to_string()).any(|ship| ship == "B3-C3"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// When the ship is not on the board.
    pub fn placement(self, ship: Placement) -> Placement {
        let moved = Placement::between(self.cell(ship.bow()), self.cell(ship.stern()));
        moved.expect("a symmetry takes a ship to a ship")
    }

    /// Where a whole layout comes to lie. It is as legal as before.
    ///
    /// # Panics
    /// When the layout is for another board.
    pub fn layout(self, layout: &Layout) -> Layout {
        Layout::from_legal_ships(self.grid, layout.ships().iter().map(|&ship| self.placement(ship)).collect())
    }
}

impl ShotLog {
    /// Appends the shots of another log up to its first so many, on a board that is laid this way. Nothing is checked again: this log must
    /// be the beginning of the other one, turned in the same way, by rules that the way leaves as they are.
    ///
    /// ```
    /// use broadside_rules::{ShotLog, Symmetry};
    ///
    /// let log = ShotLog::parse(&"3x3 2 allowed ship".parse()?, "A1- B2+ C2#2")?;
    /// for way in Symmetry::all(log.rules().grid()) {
    ///     let mut turned = ShotLog::new(log.rules());
    ///     turned.follow(&log, 1, way);
    ///     turned.follow(&log, 3, way);
    ///     assert_eq!(turned, log.turned(way));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// When the other log has fewer shots, or this one more.
    pub fn follow(&mut self, log: &Self, len: usize, way: Symmetry) {
        for &shot in &log.shots()[self.len()..len] {
            let turned = Shot { cell: way.cell(shot.cell), ..shot };
            debug_assert_eq!(self.problem(turned), None, "a turned log is as possible as the log");
            self.record(turned, self.rules().grid().index(turned.cell));
        }
    }
}
