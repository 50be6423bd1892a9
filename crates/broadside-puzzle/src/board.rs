//! The puzzle as the solver sees it: sets of cells as bits, along rows and along columns.
//!
//! An axis is 0 for rows and 1 for columns. Line `i` of axis 0 is row `i`, its bit `j` is column `j`; line `j` of axis 1 is
//! column `j`, its bit `i` is row `i`. So whatever holds for rows is written once and holds for columns too.

use broadside_rules::{Cell, Grid, Length, Orientation, Placement};

use crate::{Line, Mark, Puzzle};

pub(crate) const MAX: usize = Puzzle::MAX_SIDE;

/// A set of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cells {
    lines: [[u32; MAX]; 2],
}

impl Cells {
    pub(crate) const EMPTY: Self = Self { lines: [[0; MAX]; 2] };

    pub(crate) fn insert(&mut self, axis: usize, line: usize, place: usize) {
        self.lines[axis][line] |= 1 << place;
        self.lines[1 - axis][place] |= 1 << line;
    }

    pub(crate) fn insert_line(&mut self, axis: usize, line: usize, bits: u32) {
        self.lines[axis][line] |= bits;
        ones(bits).for_each(|place| self.lines[1 - axis][place] |= 1 << line);
    }

    pub(crate) fn contains(&self, axis: usize, line: usize, place: usize) -> bool {
        self.lines[axis][line] >> place & 1 == 1
    }

    /// The bits of a line; none for a line off the board, such as the one before the first.
    pub(crate) fn line(&self, axis: usize, line: usize) -> u32 {
        self.lines[axis].get(line).copied().unwrap_or(0)
    }

    pub(crate) fn union(&self, other: &Self) -> Self {
        self.join(other, |a, b| a | b)
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.join(other, |a, b| a & !b)
    }

    pub(crate) fn intersection(&self, other: &Self) -> Self {
        self.join(other, |a, b| a & b)
    }

    fn join(&self, other: &Self, op: impl Fn(u32, u32) -> u32) -> Self {
        let mut joined = *self;
        for axis in 0..2 {
            for line in 0..MAX {
                joined.lines[axis][line] = op(self.lines[axis][line], other.lines[axis][line]);
            }
        }
        joined
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lines[0].iter().all(|&bits| bits == 0)
    }

    pub(crate) fn len(&self) -> usize {
        self.lines[0].iter().map(|bits| bits.count_ones() as usize).sum()
    }

    /// The cells as row and column, in reading order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.lines[0].iter().enumerate().flat_map(|(row, &bits)| ones(bits).map(move |column| (row, column)))
    }

    pub(crate) fn first(&self) -> Option<Cell> {
        self.iter().next().and_then(|(row, column)| Cell::new(row, column))
    }

    pub(crate) fn cells(&self) -> Vec<Cell> {
        self.iter().filter_map(|(row, column)| Cell::new(row, column)).collect()
    }
}

/// The places of the ones, from the lowest.
pub(crate) fn ones(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(place)
    })
}

/// So many ones from this place on.
pub(crate) const fn span(start: usize, len: usize) -> u32 {
    ((1 << len) - 1) << start
}

/// Some cells in a row: a ship, a place for one, or a part of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    pub(crate) axis: usize,
    pub(crate) line: usize,
    pub(crate) start: usize,
    pub(crate) len: usize,
}

impl Stretch {
    /// Its cells as bits of its line.
    pub(crate) const fn bits(self) -> u32 {
        span(self.start, self.len)
    }

    /// Its cells and the ones before and after it, which may be off the board.
    const fn wide(self) -> u32 {
        self.bits() << 1 | self.bits() | self.bits() >> 1
    }

    /// Its cells as ship, and the cells around it as water.
    pub(crate) fn board(self, sea: &Sea) -> Board {
        let mut board = Board::EMPTY;
        let wide = self.wide() & sea.mask(self.axis);
        board.ship.insert_line(self.axis, self.line, self.bits());
        board.water.insert_line(self.axis, self.line, wide & !self.bits());
        for line in [self.line.wrapping_sub(1), self.line + 1] {
            if line < sea.lines(self.axis) {
                board.water.insert_line(self.axis, line, wide);
            }
        }
        board
    }

    /// Whether a cell around it, not of it, is one of these.
    pub(crate) fn touches(self, cells: &Cells) -> bool {
        let beside = cells.line(self.axis, self.line.wrapping_sub(1)) | cells.line(self.axis, self.line + 1);
        (cells.line(self.axis, self.line) & !self.bits() | beside) & self.wide() != 0
    }

    /// The ship that covers it.
    pub(crate) fn ship(self) -> Placement {
        let orientation = if self.axis == 0 { Orientation::Horizontal } else { Orientation::Vertical };
        let length = Length::new(self.len).expect("no longer than the board");
        Placement::new(Sea::cell(self.axis, self.line, self.start), length, orientation).expect("a ship on the board")
    }
}

/// What is known of the cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) ship: Cells,
    pub(crate) water: Cells,
}

impl Board {
    pub(crate) const EMPTY: Self = Self { ship: Cells::EMPTY, water: Cells::EMPTY };

    pub(crate) fn union(&self, other: &Self) -> Self {
        Self { ship: self.ship.union(&other.ship), water: self.water.union(&other.water) }
    }

    pub(crate) fn intersection(&self, other: &Self) -> Self {
        Self { ship: self.ship.intersection(&other.ship), water: self.water.intersection(&other.water) }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ship.is_empty() && self.water.is_empty()
    }

    pub(crate) fn knows(&self, cell: Cell) -> bool {
        (self.ship.line(0, cell.row()) | self.water.line(0, cell.row())) >> cell.col() & 1 == 1
    }

    pub(crate) fn set(&mut self, cell: Cell, ship: bool) {
        let cells = if ship { &mut self.ship } else { &mut self.water };
        cells.insert(0, cell.row(), cell.col());
    }
}

/// The puzzle as the solver sees it.
#[derive(Clone, Debug)]
pub(crate) struct Sea {
    pub(crate) grid: Grid,
    counts: [[Option<u8>; MAX]; 2],
    /// How many ships there are of each length.
    pub(crate) fleet: [u8; MAX + 1],
    pub(crate) ship_cells: usize,
    /// The revealed cells that say something of the cells beside them.
    pub(crate) parts: Vec<Part>,
    /// The revealed middles of ships.
    pub(crate) middles: Cells,
    /// The revealed cells themselves.
    pub(crate) start: Board,
}

/// A revealed end of a ship, or a ship of one cell, with what follows from it.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) cell: Cell,
    pub(crate) mark: Mark,
    pub(crate) follows: Board,
}

impl Sea {
    pub(crate) fn new(puzzle: &Puzzle) -> Self {
        let grid = puzzle.grid();
        let mut sea = Self {
            grid,
            counts: [[None; MAX]; 2],
            fleet: [0; MAX + 1],
            ship_cells: puzzle.fleet().cells(),
            parts: Vec::new(),
            middles: Cells::EMPTY,
            start: Board::EMPTY,
        };
        for axis in 0..2 {
            for line in 0..sea.lines(axis) {
                sea.counts[axis][line] = puzzle.count(Line::new(axis, line)).map(|count| count as u8);
            }
        }
        // A ship longer than the board has no place; its cells still count.
        puzzle.fleet().lengths().iter().for_each(|length| sea.fleet[length.get().min(MAX)] += 1);
        puzzle.revealed().for_each(|(cell, mark)| sea.reveal(cell, mark));
        sea
    }

    /// Takes the counts of these ship cells.
    pub(crate) fn set_counts(&mut self, ships: &Cells) {
        for axis in 0..2 {
            for line in 0..self.lines(axis) {
                self.counts[axis][line] = Some(ships.line(axis, line).count_ones() as u8);
            }
        }
    }

    /// Adds a revealed cell.
    pub(crate) fn reveal(&mut self, cell: Cell, mark: Mark) {
        self.start.set(cell, mark != Mark::Water);
        if mark == Mark::Middle {
            self.middles.insert(0, cell.row(), cell.col());
        }
        if let Some(sides) = mark.sides() {
            let follows = self.around(cell, sides);
            self.parts.push(Part { cell, mark, follows });
        }
    }

    /// What follows from a part of a ship: ship or water on its sides, and water at its corners.
    fn around(&self, cell: Cell, sides: [bool; 4]) -> Board {
        let mut follows = Board::EMPTY;
        for ((rows, columns), ship) in [(-1, 0), (1, 0), (0, -1), (0, 1)].into_iter().zip(sides) {
            match self.grid.step(cell, rows, columns) {
                Some(beside) => follows.set(beside, ship),
                // The ship goes on off the board: the cell itself can't be what it shows.
                None if ship => follows.set(cell, false),
                None => {}
            }
        }
        self.grid.corner_neighbours(cell).for_each(|corner| follows.set(corner, false));
        follows
    }

    /// The number of lines of an axis.
    pub(crate) fn lines(&self, axis: usize) -> usize {
        if axis == 0 { self.grid.rows() } else { self.grid.cols() }
    }

    /// The number of cells of each line of an axis.
    pub(crate) fn width(&self, axis: usize) -> usize {
        self.lines(1 - axis)
    }

    /// All bits of a line.
    pub(crate) fn mask(&self, axis: usize) -> u32 {
        span(0, self.width(axis))
    }

    pub(crate) fn count(&self, axis: usize, line: usize) -> Option<usize> {
        self.counts[axis][line].map(usize::from)
    }

    /// The cells of a line that are not known.
    pub(crate) fn open(&self, board: &Board, axis: usize, line: usize) -> u32 {
        self.mask(axis) & !(board.ship.line(axis, line) | board.water.line(axis, line))
    }

    /// The cells that are not known.
    pub(crate) fn unknown(&self, board: &Board) -> Cells {
        let mut unknown = Cells::EMPTY;
        (0..self.lines(0)).for_each(|row| unknown.insert_line(0, row, self.open(board, 0, row)));
        unknown
    }

    /// How many cells are not known.
    pub(crate) fn room(&self, board: &Board) -> usize {
        (0..self.lines(0)).map(|row| self.open(board, 0, row).count_ones() as usize).sum()
    }

    pub(crate) fn is_full(&self, board: &Board) -> bool {
        (0..self.lines(0)).all(|row| self.open(board, 0, row) == 0)
    }

    /// The cell of a line.
    pub(crate) fn cell(axis: usize, line: usize, place: usize) -> Cell {
        let (row, column) = if axis == 0 { (line, place) } else { (place, line) };
        Cell::new(row, column).expect("a cell of the board")
    }
}
