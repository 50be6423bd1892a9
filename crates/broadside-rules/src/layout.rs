//! A legal arrangement of the fleet.

use std::fmt;

use crate::text::write_list;
use crate::{Cell, CellSet, Grid, Length, Placement};

/// A legal arrangement of a fleet, written as its ships, `A1-A5 C3-E3 …`, longest first.
///
/// There are two ways to one: checking a [`Draft`](crate::Draft) against the rules, and dealing. Two layouts with the
/// same ships are equal.
///
/// ```
/// use broadside_rules::{Draft, Layout, Rules};
/// let rules: Rules = "4x4 3,2 allowed ship".parse()?;
/// let layout: Layout = "D1-D2 A1-C1".parse::<Draft>()?.check(&rules).into_layout().expect("a legal board");
/// assert_eq!(layout.to_string(), "A1-C1 D1-D2");
/// assert_eq!(layout.ship_at("B1".parse()?).map(|ship| ship.length().get()), Some(3));
/// assert_eq!(layout.cells().to_string(), "A1 B1 C1 D1 D2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Layout {
    grid: Grid,
    ships: Vec<Placement>,
}

impl Layout {
    /// The layout of ships that are known to be legal together.
    pub(crate) fn from_legal_ships(grid: Grid, mut ships: Vec<Placement>) -> Self {
        ships.sort_unstable_by(|a, b| b.length().cmp(&a.length()).then(a.cmp(b)));
        Self { grid, ships }
    }

    /// The board's size.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The ships, longest first, those of one length in reading order of their bows.
    pub fn ships(&self) -> &[Placement] {
        &self.ships
    }

    /// All cells that a ship covers.
    pub fn cells(&self) -> CellSet {
        CellSet::from_cells(self.grid, self.ships.iter().flat_map(|ship| ship.cells()))
    }

    /// The ship on this cell.
    pub fn ship_at(&self, cell: Cell) -> Option<Placement> {
        self.ships.iter().copied().find(|ship| ship.cells().any(|c| c == cell))
    }

    /// The lengths of the ships, longest first.
    pub fn lengths(&self) -> impl Iterator<Item = Length> {
        self.ships.iter().map(|ship| ship.length())
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, &self.ships)
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{self}]", self.grid)
    }
}
