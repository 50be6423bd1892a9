//! Where one ship lies.

use std::fmt;
use std::str::FromStr;

use crate::text::{quote, serde_by_notation};
use crate::{Cell, CellSet, Grid, Length, ParseCellError, Touch};

/// Whether a ship lies along a row or along a column.
///
/// ```
/// use broadside_rules::{Orientation, Placement};
/// let ship: Placement = "C3-E3".parse()?;
/// assert_eq!(ship.orientation(), Orientation::Vertical);
/// # Ok::<(), broadside_rules::ParsePlacementError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Orientation {
    /// Along a row.
    Horizontal,
    /// Along a column.
    Vertical,
}

impl Orientation {
    /// Both orientations.
    pub const ALL: [Self; 2] = [Self::Horizontal, Self::Vertical];

    /// One step from bow to stern: rows down, columns right.
    pub const fn step(self) -> (isize, isize) {
        match self {
            Self::Horizontal => (0, 1),
            Self::Vertical => (1, 0),
        }
    }
}

/// The place of one ship, written as its end cells, `C3-E3`, or as its one cell, `C3`.
///
/// The bow is the upper or left end. A ship of length 1 counts as horizontal, so that equal places are equal values.
///
/// ```
/// use broadside_rules::Placement;
/// let ship: Placement = "E3-C3".parse()?;
/// assert_eq!(ship.to_string(), "C3-E3");
/// assert_eq!(ship.length().get(), 3);
/// assert_eq!(ship.cells().map(|cell| cell.to_string()).collect::<Vec<_>>(), ["C3", "D3", "E3"]);
/// # Ok::<(), broadside_rules::ParsePlacementError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    bow: Cell,
    length: Length,
    orientation: Orientation,
}

impl Placement {
    /// The placement with this bow, length and orientation; `None` when it would leave the largest grid.
    pub fn new(bow: Cell, length: Length, orientation: Orientation) -> Option<Self> {
        let orientation = if length.get() == 1 { Orientation::Horizontal } else { orientation };
        let placement = Self { bow, length, orientation };
        placement.at(length.get() - 1).map(|_| placement)
    }

    /// The placement from one end cell to the other; `None` when they share neither row nor column.
    pub fn between(a: Cell, b: Cell) -> Option<Self> {
        let (bow, stern) = (a.min(b), a.max(b));
        let orientation = if bow.row() == stern.row() { Orientation::Horizontal } else { Orientation::Vertical };
        let straight = bow.row() == stern.row() || bow.col() == stern.col();
        let length = Length::new(stern.row() - bow.row() + stern.col().abs_diff(bow.col()) + 1);
        straight.then(|| Self::new(bow, length?, orientation)).flatten()
    }

    /// The upper or left end.
    pub const fn bow(self) -> Cell {
        self.bow
    }

    /// The lower or right end.
    pub fn stern(self) -> Cell {
        self.at(self.length.get() - 1).unwrap_or(self.bow)
    }

    /// The number of cells.
    pub const fn length(self) -> Length {
        self.length
    }

    /// Whether it lies along a row or along a column.
    pub const fn orientation(self) -> Orientation {
        self.orientation
    }

    /// The cells from bow to stern.
    pub fn cells(self) -> impl DoubleEndedIterator<Item = Cell> + Clone {
        (0..self.length.get()).filter_map(move |i| self.at(i))
    }

    /// Whether the whole ship lies on the grid.
    pub fn fits(self, grid: Grid) -> bool {
        grid.contains(self.stern())
    }

    /// The ship's cells as a set. Cells off the grid are left out.
    pub fn cell_set(self, grid: Grid) -> CellSet {
        CellSet::from_cells(grid, self.cells().filter(|&cell| grid.contains(cell)))
    }

    /// The cells that no other ship may cover: its own, and those around it that the touch rule keeps free.
    pub fn blocked_cells(self, grid: Grid, touch: Touch) -> CellSet {
        CellSet::from_cells(grid, self.blocked_iter(grid, touch))
    }

    /// The cells of [`Placement::blocked_cells`] one by one.
    pub(crate) fn blocked_iter(self, grid: Grid, touch: Touch) -> impl Iterator<Item = Cell> {
        let ((top, bottom), (left, right)) = (self.rows(), self.cols());
        let margin = usize::from(!touch.allows_sides());
        let cols = left.saturating_sub(margin)..=right + margin;
        let all = (top.saturating_sub(margin)..=bottom + margin)
            .flat_map(move |row| cols.clone().filter_map(move |col| Cell::new(row, col)));
        let in_line = move |cell: Cell| (top..=bottom).contains(&cell.row()) || (left..=right).contains(&cell.col());
        all.filter(move |&cell| grid.contains(cell) && (!touch.allows_corners() || in_line(cell)))
    }

    /// The placements of a ship of this length with this bow: horizontal and vertical, but only one for a length of 1.
    pub(crate) fn from_bow(bow: Cell, length: Length) -> impl Iterator<Item = Self> {
        let orientations = if length.get() == 1 { &Orientation::ALL[..1] } else { &Orientation::ALL[..] };
        orientations.iter().filter_map(move |&orientation| Self::new(bow, length, orientation))
    }

    /// Every placement of a ship of this length on the grid: the horizontal ones in reading order, then the vertical ones.
    pub fn all(grid: Grid, length: Length) -> impl Iterator<Item = Self> {
        let orientations = if length.get() == 1 { &Orientation::ALL[..1] } else { &Orientation::ALL[..] };
        orientations.iter().flat_map(move |&orientation| {
            grid.cells().filter_map(move |bow| Self::new(bow, length, orientation)).filter(move |ship| ship.fits(grid))
        })
    }

    /// Whether the two may lie on one board: they share no cell and keep the distance that the rule asks for.
    pub fn compatible(self, other: Self, touch: Touch) -> bool {
        let (rows, cols) = (gap(self.rows(), other.rows()), gap(self.cols(), other.cols()));
        match touch {
            Touch::Allowed => rows > 0 || cols > 0,
            Touch::Corners => rows.max(cols) > 1 || (rows == 1 && cols == 1),
            Touch::Never => rows.max(cols) > 1,
        }
    }

    /// The first row and the last.
    pub(crate) fn rows(self) -> (usize, usize) {
        (self.bow.row(), self.stern().row())
    }

    /// The first column and the last.
    pub(crate) fn cols(self) -> (usize, usize) {
        (self.bow.col(), self.stern().col())
    }

    fn at(self, i: usize) -> Option<Cell> {
        let (rows, cols) = self.orientation.step();
        self.bow.offset(rows * i.cast_signed(), cols * i.cast_signed())
    }
}

/// How far apart two intervals of whole numbers lie: 0 when they overlap, 1 when they are next to each other.
fn gap((a, b): (usize, usize), (c, d): (usize, usize)) -> usize {
    c.saturating_sub(b).max(a.saturating_sub(d))
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.length.get() {
            1 => write!(f, "{}", self.bow),
            _ => write!(f, "{}-{}", self.bow, self.stern()),
        }
    }
}

impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not the place of a ship.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParsePlacementError {
    /// An end is no cell.
    #[error("{} is not a ship: write its two ends, such as C3-E3", quote(.text))]
    End {
        /// What was to be read.
        text: String,
        /// What is wrong with the end.
        source: ParseCellError,
    },
    /// The ends share neither row nor column.
    #[error("{} is not a ship: its ends share neither row nor column", quote(.0))]
    Bent(String),
}

impl FromStr for Placement {
    type Err = ParsePlacementError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let short = || text.chars().take(64).collect::<String>();
        let (a, b) = text.split_once('-').unwrap_or((text, text));
        let end = |part: &str| part.parse().map_err(|source| ParsePlacementError::End { text: short(), source });
        Self::between(end(a)?, end(b)?).ok_or_else(|| ParsePlacementError::Bent(short()))
    }
}

serde_by_notation!(Placement);

#[cfg(test)]
mod tests {
    use super::*;

    fn ship(text: &str) -> Placement {
        text.parse().unwrap()
    }

    #[test]
    fn every_placement_on_a_small_grid_round_trips() {
        let grid = Grid::new(5, 7).unwrap();
        for length in (1..=7).filter_map(Length::new) {
            let (l, all) = (length.get(), Placement::all(grid, length).collect::<Vec<_>>());
            let vertical = if l == 1 { 0 } else { 6usize.saturating_sub(l) * 7 };
            assert_eq!(all.len(), 5 * (8 - l) + vertical);
            assert!(all.iter().all(|p| p.to_string().parse() == Ok(*p) && p.cells().count() == l && p.fits(grid)));
        }
    }

    #[test]
    fn ends_in_either_order_name_one_ship() {
        assert_eq!(ship("A1-A5"), ship("a5-a1"));
        assert_eq!(ship("C3-C3"), ship("C3"));
        assert!(matches!("A1-B3".parse::<Placement>(), Err(ParsePlacementError::Bent(_))));
        assert!(matches!("A1-".parse::<Placement>(), Err(ParsePlacementError::End { .. })));
        assert!("A1-A2-A3".parse::<Placement>().is_err());
    }

    #[test]
    fn compatibility_follows_the_touch_rule() {
        let base = ship("B2-B3");
        let cases = [("B3-B4", 0), ("A3-C3", 0), ("C2-C4", 1), ("B4", 1), ("C4", 2), ("A1", 2), ("D2", 3), ("B5", 3)];
        for (other, distance) in cases {
            let allowed = Touch::ALL.iter().filter(|&&touch| base.compatible(ship(other), touch)).count();
            assert_eq!(allowed, distance, "{other}");
            assert_eq!(base.compatible(ship(other), Touch::Never), ship(other).compatible(base, Touch::Never));
        }
    }
}
