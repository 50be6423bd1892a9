//! What a mask is for: a board on which one ship of a known length lies.

use broadside_rules::{Cell, CellSet, Grid, Length, Orientation, Placement};

use super::MaskError;

/// A board on which one ship of a known length lies. The ship has at least one placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OneShipBoard {
    grid: Grid,
    length: Length,
}

impl OneShipBoard {
    /// A board for a ship of this length, which must fit along at least one side of the grid.
    ///
    /// # Errors
    /// [`MaskError::NoShipFits`] for length 0 or longer than both sides.
    pub fn new(grid: Grid, length: usize) -> Result<Self, MaskError> {
        let longest = grid.rows().max(grid.cols());
        let fits = Length::new(length).filter(|length| length.get() <= longest);
        fits.map(|length| Self { grid, length }).ok_or(MaskError::NoShipFits { grid, length })
    }

    /// The size of the board.
    pub fn grid(self) -> Grid {
        self.grid
    }

    /// The length of the ship.
    pub fn length(self) -> Length {
        self.length
    }

    /// Whether the ship fits both along the rows and along the columns.
    pub fn fits_both_ways(self) -> bool {
        self.size() <= self.rows().min(self.cols())
    }

    /// Every placement: first those along the rows, then those along the columns. A ship of length 1 has one placement a
    /// cell, not two.
    pub fn placements(self) -> Vec<Placement> {
        Placement::all(self.grid, self.length).collect()
    }

    /// The number of placements.
    pub fn choices(self) -> usize {
        let along = |side: usize| (side + 1).saturating_sub(self.size());
        let vertical = if self.size() == 1 { 0 } else { along(self.rows()) * self.cols() };
        along(self.cols()) * self.rows() + vertical
    }

    pub(super) fn rows(self) -> usize {
        self.grid.rows()
    }

    pub(super) fn cols(self) -> usize {
        self.grid.cols()
    }

    /// The length as a number.
    pub(super) fn size(self) -> usize {
        self.length.get()
    }

    pub(super) fn no_cells(self) -> CellSet {
        CellSet::empty(self.grid)
    }

    /// The placement with this bow, which must be on the board with the whole ship.
    pub(super) fn placement(self, row: usize, col: usize, orientation: Orientation) -> Placement {
        let placement = Cell::new(row, col).and_then(|bow| Placement::new(bow, self.length, orientation));
        placement.expect("a placement on the board")
    }
}

/// How many cells of the placement are in the set.
pub(super) fn meets(cells: &CellSet, placement: Placement) -> usize {
    placement.cells().filter(|&cell| cells.contains(cell)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_no_ship_fits_there_is_nothing_to_block() {
        for (grid, length) in [("5x5", 0), ("5x5", 6), ("1x4", 5), ("64x64", 65), ("3x3", usize::MAX)] {
            let error = OneShipBoard::new(grid.parse().unwrap(), length).unwrap_err();
            assert_eq!(error.to_string(), format!("no ship of length {length} fits on {grid}: there is nothing to block"));
        }
    }

    #[test]
    fn the_placements_are_as_many_as_counted() {
        for (grid, length) in [("5x5", 1), ("1x7", 3), ("7x1", 3), ("10x10", 5), ("2x5", 3), ("64x64", 64)] {
            let board = OneShipBoard::new(grid.parse().unwrap(), length).unwrap();
            assert_eq!(board.placements().len(), board.choices(), "{board:?}");
        }
    }
}
