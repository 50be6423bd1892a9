//! What an engine returns: integers first, divided last.

use broadside_rules::{Cell, CellSet, Grid};

/// The exact odds of a position: how many layouts fit, and in how many of them each cell holds a ship.
///
/// ```
/// use broadside_odds::{Budget, Engine};
/// use broadside_rules::ShotLog;
///
/// // A ship of two on a row of three lies at one end or at the other.
/// let log = ShotLog::new(&"1x3 2 allowed ship".parse()?);
/// let counts = Engine::Transfer.count(&log, Budget::default())?;
/// assert_eq!((counts.layouts(), counts.cells()), (2, &[1, 2, 1][..]));
/// assert_eq!(counts.chance("A1".parse()?), 0.5);
/// assert_eq!(counts.best(log.fired()), ["A2".parse()?]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    grid: Grid,
    layouts: u128,
    cells: Vec<u128>,
}

impl Counts {
    /// The counts of a position; `cells` in reading order.
    ///
    /// # Panics
    /// When there is not one number for each cell of the grid.
    pub fn new(grid: Grid, layouts: u128, cells: Vec<u128>) -> Self {
        assert_eq!(cells.len(), grid.len(), "one number for each cell");
        Self { grid, layouts, cells }
    }

    /// The counts of both, which have no layout in common; none if there are too many for the type.
    pub(crate) fn plus(&self, other: &Self) -> Option<Self> {
        let layouts = self.layouts.checked_add(other.layouts)?;
        let cells = self.cells.iter().zip(&other.cells).map(|(a, b)| a + b).collect();
        Some(Self { grid: self.grid, layouts, cells })
    }

    /// The board's size.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The number of layouts that fit.
    pub fn layouts(&self) -> u128 {
        self.layouts
    }

    /// The number of layouts with a ship on this cell.
    pub fn at(&self, cell: Cell) -> u128 {
        self.cells[self.grid.index(cell)]
    }

    /// The numbers of all cells in reading order.
    pub fn cells(&self) -> &[u128] {
        &self.cells
    }

    /// The chance that a ship lies on the cell; 0 when no layout fits.
    pub fn chance(&self, cell: Cell) -> f64 {
        if self.layouts == 0 { 0.0 } else { self.at(cell) as f64 / self.layouts as f64 }
    }

    /// The cells outside `fired` with the highest chance, in reading order: all of them when several tie.
    pub fn best(&self, fired: &CellSet) -> Vec<Cell> {
        let open = || self.grid.cells().filter(|&cell| !fired.contains(cell));
        let top = open().map(|cell| self.at(cell)).max().unwrap_or(0);
        open().filter(|&cell| self.at(cell) == top).collect()
    }
}

/// Weighted odds of a position: the weight of all layouts that fit, and of those with a ship on each cell. See
/// [`Transfer::weigh`](crate::Transfer::weigh).
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedCounts {
    grid: Grid,
    layouts: f64,
    cells: Vec<f64>,
}

impl WeightedCounts {
    pub(crate) fn new(grid: Grid, layouts: f64, cells: Vec<f64>) -> Self {
        Self { grid, layouts, cells }
    }

    /// Each number put together with that of other weights.
    pub(crate) fn combined(&self, other: &Self, both: impl Fn(f64, f64) -> f64) -> Self {
        let cells = self.cells.iter().zip(&other.cells).map(|(&a, &b)| both(a, b)).collect();
        Self { grid: self.grid, layouts: both(self.layouts, other.layouts), cells }
    }

    /// The weight of all layouts that fit.
    pub fn layouts(&self) -> f64 {
        self.layouts
    }

    /// The weight of the layouts with a ship on this cell.
    pub fn at(&self, cell: Cell) -> f64 {
        self.cells[self.grid.index(cell)]
    }

    /// The chance that a ship lies on the cell; 0 when no layout fits.
    pub fn chance(&self, cell: Cell) -> f64 {
        if self.layouts > 0.0 { self.at(cell) / self.layouts } else { 0.0 }
    }

    /// The cells outside `fired` with the highest chance, in reading order: all of them when several tie but for rounding.
    pub fn best(&self, fired: &CellSet) -> Vec<Cell> {
        let open = || self.grid.cells().filter(|&cell| !fired.contains(cell));
        let top = open().map(|cell| self.at(cell)).fold(0.0, f64::max);
        open().filter(|&cell| top - self.at(cell) <= ROUNDED * top).collect()
    }
}

/// Weights that differ by less than this share of them are taken to be the same.
const ROUNDED: f64 = 1e-12;
