//! The board as geometry on [`Bits`]: shifts that stop at the edges, neighbours, runs.

use broadside_rules::{Cell, Grid, Orientation};

use crate::bits::Bits;

/// One of the four directions, in the order in which the published strategies try them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Direction {
    pub(crate) const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];

    /// The orientation of ships that lie along it.
    pub(crate) fn orientation(self) -> Orientation {
        match self {
            Self::Up | Self::Down => Orientation::Vertical,
            Self::Left | Self::Right => Orientation::Horizontal,
        }
    }

    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// A grid whose cells are numbered in reading order.
#[derive(Clone, Debug)]
pub(crate) struct Board<B> {
    grid: Grid,
    /// The cell of each number: looking it up is quicker than dividing.
    cells: Box<[Cell]>,
    all: B,
    not_first: B,
    not_last: B,
}

impl<B: Bits> Board<B> {
    pub(crate) fn new(grid: Grid) -> Self {
        let where_col = |holds: &dyn Fn(usize) -> bool| {
            let cells = grid.cells().filter(|cell| holds(cell.col()));
            cells.fold(B::EMPTY, |set, cell| set | B::only(grid.index(cell)))
        };
        let last = grid.cols() - 1;
        Self {
            grid,
            cells: grid.cells().collect(),
            all: where_col(&|_| true),
            not_first: where_col(&|col| col != 0),
            not_last: where_col(&|col| col != last),
        }
    }

    pub(crate) fn grid(&self) -> Grid {
        self.grid
    }

    #[inline]
    pub(crate) fn cell(&self, index: usize) -> Cell {
        self.cells[index]
    }

    #[inline]
    pub(crate) fn index(&self, cell: Cell) -> usize {
        self.grid.index(cell)
    }

    /// Every cell of the board.
    #[inline]
    pub(crate) fn all(&self) -> B {
        self.all
    }

    /// The cells whose row and column satisfy a condition.
    pub(crate) fn cells_where(&self, holds: impl Fn(usize, usize) -> bool) -> B {
        let chosen = self.cells.iter().enumerate().filter(|(_, cell)| holds(cell.row(), cell.col()));
        chosen.fold(B::EMPTY, |set, (index, _)| set | B::only(index))
    }

    #[inline]
    pub(crate) fn up(&self, set: B) -> B {
        set >> self.grid.cols()
    }

    #[inline]
    pub(crate) fn down(&self, set: B) -> B {
        (set << self.grid.cols()) & self.all
    }

    #[inline]
    pub(crate) fn left(&self, set: B) -> B {
        (set & self.not_first) >> 1
    }

    #[inline]
    pub(crate) fn right(&self, set: B) -> B {
        (set & self.not_last) << 1
    }

    /// The set moved one step to where the next cell of each ship is: right for horizontal ships, down for vertical ones.
    #[inline]
    pub(crate) fn forward(&self, set: B, orientation: Orientation) -> B {
        match orientation {
            Orientation::Horizontal => self.right(set),
            Orientation::Vertical => self.down(set),
        }
    }

    /// The set moved one step to where the cell before it is: left for horizontal ships, up for vertical ones.
    #[inline]
    pub(crate) fn backward(&self, set: B, orientation: Orientation) -> B {
        match orientation {
            Orientation::Horizontal => self.left(set),
            Orientation::Vertical => self.up(set),
        }
    }

    /// The difference between the numbers of two cells that follow each other in a ship of this orientation.
    #[inline]
    pub(crate) fn stride(&self, orientation: Orientation) -> usize {
        match orientation {
            Orientation::Horizontal => 1,
            Orientation::Vertical => self.grid.cols(),
        }
    }

    /// The cells that share a side with one of the set. They may belong to the set themselves.
    #[inline]
    pub(crate) fn beside(&self, set: B) -> B {
        self.up(set) | self.down(set) | self.left(set) | self.right(set)
    }

    /// The cells that share only a corner with one of the set. They may belong to the set themselves.
    #[inline]
    pub(crate) fn corners(&self, set: B) -> B {
        let (up, down) = (self.up(set), self.down(set));
        self.left(up | down) | self.right(up | down)
    }

    /// The cell that many steps away, if it is on the board.
    #[inline]
    pub(crate) fn step(&self, from: usize, direction: Direction, steps: usize) -> Option<usize> {
        let (cell, cols) = (self.cells[from], self.grid.cols());
        match direction {
            Direction::Up => (cell.row() >= steps).then(|| from - steps * cols),
            Direction::Down => (cell.row() + steps < self.grid.rows()).then(|| from + steps * cols),
            Direction::Left => (cell.col() >= steps).then(|| from - steps),
            Direction::Right => (cell.col() + steps < cols).then(|| from + steps),
        }
    }

    /// How many cells of the set follow each other in that direction, not counting the first cell, up to a limit.
    #[inline]
    pub(crate) fn reach(&self, set: B, from: usize, direction: Direction, limit: usize) -> usize {
        let mut steps = 0;
        while steps < limit && self.step(from, direction, steps + 1).is_some_and(|next| set.has(next)) {
            steps += 1;
        }
        steps
    }

    /// The cells of a ship of this length whose bow is this cell. It must fit.
    pub(crate) fn ship(&self, bow: usize, length: usize, orientation: Orientation) -> B {
        (0..length).fold(B::EMPTY, |set, i| set | B::only(bow + i * self.stride(orientation)))
    }

    /// The bows of all ships of this length that lie wholly on the given cells.
    pub(crate) fn bows(&self, on: B, length: usize, orientation: Orientation) -> B {
        (1..length).fold(on, |bows, _| on & self.backward(bows, orientation))
    }

    /// The cells that all ships with these bows cover together.
    pub(crate) fn covered(&self, bows: B, length: usize, orientation: Orientation) -> B {
        // Without bows the ship may be longer than the board, and the shifts beyond the word.
        if bows.is_empty() {
            return B::EMPTY;
        }
        let stride = self.stride(orientation);
        (1..length).fold(bows, |set, _| bows | set << stride)
    }
}

#[cfg(test)]
mod tests {
    use broadside_rules::{Length, Placement};

    use super::*;
    use crate::bits::Wide;

    fn check<B: Bits>(rows: usize, cols: usize) {
        let grid = Grid::new(rows, cols).unwrap();
        let board = Board::<B>::new(grid);
        let set = |cells: &mut dyn Iterator<Item = Cell>| cells.fold(B::EMPTY, |set, cell| set | B::only(grid.index(cell)));
        for cell in grid.cells() {
            let (index, only) = (grid.index(cell), B::only(grid.index(cell)));
            assert_eq!(board.beside(only), set(&mut grid.side_neighbours(cell)));
            assert_eq!(board.corners(only), set(&mut grid.corner_neighbours(cell)));
            let steps: Vec<usize> = Direction::ALL.iter().filter_map(|&direction| board.step(index, direction, 1)).collect();
            assert_eq!(steps, grid.side_neighbours(cell).map(|c| grid.index(c)).collect::<Vec<_>>());
            assert_eq!(board.reach(board.all(), index, Direction::Right, 99), cols - 1 - cell.col());
            assert_eq!(board.reach(board.all(), index, Direction::Up, 2), cell.row().min(2));
        }
        for length in (1..=5).filter_map(Length::new) {
            for orientation in Orientation::ALL {
                let bows = board.bows(board.all(), length.get(), orientation);
                let ships: Vec<Placement> =
                    grid.cells().filter_map(|c| Placement::new(c, length, orientation)).filter(|p| p.fits(grid)).collect();
                assert_eq!(bows, set(&mut ships.iter().map(|ship| ship.bow())));
                assert_eq!(board.covered(bows, length.get(), orientation), set(&mut ships.iter().flat_map(|s| s.cells())));
            }
        }
    }

    #[test]
    fn the_geometry_agrees_with_the_grid_on_every_small_board() {
        for rows in 1..=5 {
            for cols in 1..=5 {
                check::<u128>(rows, cols);
                check::<Wide<2>>(rows, cols);
            }
        }
        check::<u128>(2, 64);
        check::<u128>(16, 8);
        check::<Wide<2>>(10, 15);
        check::<Wide<32>>(3, 64);
    }
}
