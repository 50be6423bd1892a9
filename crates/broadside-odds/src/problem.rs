//! From a log of shots to a counting problem.
//!
//! Under a log, every constraint on the layout is either on one placement alone or "this hit must be covered":
//!
//! - a placement lies on no miss;
//! - a ship sinks at the shot that takes its last cell. So if all cells of a placement were fired at, the last of them
//!   must be the one announced as sunk (with the ship's length, where lengths are called), and no other of its cells may
//!   be; if a cell of it was not fired at, none may be. Under the call `silent` nothing is announced and this falls away;
//! - where the length is called on every hit, a placement covers only hits called with its own length;
//! - every hit is covered by some ship.
//!
//! So a log becomes, for each class of equal ships, the set of placements still allowed, and a set of cells that must be
//! covered. What is left is to count the ways to choose placements that go together and cover these cells.
//!
//! Rows are `u64` masks (bit = column), since a grid has at most 64 columns; all placements of a row are judged at once.

use broadside_rules::{Answer, Call, Cell, Grid, Length, Orientation, Placement, Rules, Shot, ShotLog, Touch};

/// What is left to count once a log has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub cols: usize,
    /// How close ships may lie.
    pub touch: Touch,
    /// The ships by length, longest first.
    pub classes: Vec<Class>,
    /// For each row, the columns that some ship must cover.
    pub must: Vec<u64>,
}

/// The ships of one length. They are interchangeable: a layout is counted once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The number of cells of each.
    pub length: usize,
    /// The number of ships.
    pub count: usize,
    /// For each row, the columns in which the left end of a lying ship may be.
    pub lying: Vec<u64>,
    /// For each row, the columns in which the upper end of an upright ship may be. None for length 1, which lies.
    pub upright: Vec<u64>,
}

impl Problem {
    /// The problem of a log.
    pub fn of(log: &ShotLog) -> Self {
        Self::of_known(log, |_| true)
    }

    /// The problem of a log of which only some answers are known; `known` says which, by the shot's number from 0. That
    /// the other shots were fired is still known, for it decides which shot sank a ship.
    pub(crate) fn of_known(log: &ShotLog, known: impl Fn(usize) -> bool) -> Self {
        let rules = log.rules();
        let marks = Marks::of(log, known);
        let class = |(length, count): (Length, usize)| marks.class(rules, length, count);
        Self {
            rows: rules.grid().rows(),
            cols: rules.grid().cols(),
            touch: rules.touch(),
            classes: rules.fleet().classes().map(class).collect(),
            must: marks.hit,
        }
    }

    /// The problem of the empty board.
    pub fn of_rules(rules: &Rules) -> Self {
        Self::of(&ShotLog::new(rules))
    }

    /// The board's size.
    ///
    /// # Panics
    /// When the numbers of rows and columns are not those of a grid.
    pub fn grid(&self) -> Grid {
        Grid::new(self.rows, self.cols).expect("a problem is one of a grid")
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.rows * self.cols
    }

    /// The number of ships.
    pub fn ships(&self) -> usize {
        self.classes.iter().map(|class| class.count).sum()
    }

    /// The number of cells that all ships cover together.
    pub fn ship_cells(&self) -> usize {
        self.classes.iter().map(|class| class.count * class.length).sum()
    }

    /// The number of cells that must be covered.
    pub fn must_cells(&self) -> usize {
        self.must.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// The same problem with rows and columns exchanged.
    #[must_use]
    pub fn transposed(&self) -> Self {
        Self {
            rows: self.cols,
            cols: self.rows,
            touch: self.touch,
            classes: self.classes.iter().map(|class| class.transposed(self.cols)).collect(),
            must: transposed_masks(&self.must, self.cols),
        }
    }

    /// The same problem with one more set of cells (a mask for each row) that no ship may cover.
    #[must_use]
    pub fn without(&self, cells: &[u64]) -> Self {
        let mut problem = self.clone();
        for class in &mut problem.classes {
            let length = class.length;
            for (row, starts) in class.lying.iter_mut().enumerate() {
                *starts &= !lying_meet(cells[row], length);
            }
            for (row, starts) in class.upright.iter_mut().enumerate() {
                *starts &= !upright_meet(cells, row, length);
            }
        }
        problem
    }
}

impl Class {
    /// The placements still allowed, lying ones first, each kind in reading order.
    pub fn placements(&self) -> impl Iterator<Item = Placement> + '_ {
        let kinds = [(&self.lying, Orientation::Horizontal), (&self.upright, Orientation::Vertical)];
        kinds.into_iter().flat_map(move |(starts, heading)| {
            starts.iter().enumerate().flat_map(move |(row, &mask)| bits(mask).filter_map(move |col| self.at(row, col, heading)))
        })
    }

    fn at(&self, row: usize, col: usize, heading: Orientation) -> Option<Placement> {
        Placement::new(Cell::new(row, col)?, Length::new(self.length)?, heading)
    }

    fn transposed(&self, cols: usize) -> Self {
        let (lying, upright) = (transposed_masks(&self.lying, cols), transposed_masks(&self.upright, cols));
        // A ship of one cell always counts as lying.
        let (lying, upright) = if self.length == 1 { (lying, upright) } else { (upright, lying) };
        Self { length: self.length, count: self.count, lying, upright }
    }

    /// The number of placements still allowed.
    pub fn choices(&self) -> usize {
        self.lying.iter().chain(&self.upright).map(|mask| mask.count_ones() as usize).sum()
    }
}

/// The place of one ship, as the sweeps keep it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Spot {
    /// The number of cells.
    pub(crate) length: usize,
    /// The row of its first cell.
    pub(crate) row: usize,
    /// The column of its first cell.
    pub(crate) col: usize,
    /// Whether it goes down from there, rather than to the right.
    pub(crate) upright: bool,
}

impl Spot {
    /// Its cells, as rows and columns.
    pub(crate) fn each_cell(&self) -> impl Iterator<Item = (usize, usize)> {
        let (down, across) = if self.upright { (1, 0) } else { (0, 1) };
        let Self { row, col, .. } = *self;
        (0..self.length).map(move |i| (row + i * down, col + i * across))
    }

    /// The same with rows and columns exchanged; a ship of one cell is never upright.
    pub(crate) fn transposed(self) -> Self {
        Self { length: self.length, row: self.col, col: self.row, upright: self.length > 1 && !self.upright }
    }

    /// The ship as the rules know it.
    pub(crate) fn placement(self) -> Option<Placement> {
        let heading = if self.upright { Orientation::Vertical } else { Orientation::Horizontal };
        Placement::new(Cell::new(self.row, self.col)?, Length::new(self.length)?, heading)
    }
}

/// The lowest `n` bits.
pub(crate) fn low_bits(n: usize) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}

fn transposed_masks(masks: &[u64], cols: usize) -> Vec<u64> {
    let mut turned = vec![0; cols];
    for (row, &mask) in masks.iter().enumerate() {
        bits(mask).for_each(|col| turned[col] |= 1 << row);
    }
    turned
}

/// The columns of a mask.
pub(crate) fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(bit)
    })
}

/// The left ends of lying ships that meet a marked cell of the row.
fn lying_meet(marked: u64, length: usize) -> u64 {
    (0..length).fold(0, |meet, k| meet | marked >> k)
}

/// The upper ends, in this row, of upright ships that meet a marked cell.
fn upright_meet(marked: &[u64], row: usize, length: usize) -> u64 {
    marked.iter().skip(row).take(length).fold(0, |meet, mask| meet | mask)
}

/// What the shots say, as masks for each row.
struct Marks<'a> {
    log: &'a ShotLog,
    width: u64,
    /// Fired at, whether or not the answer is known.
    fired: Vec<u64>,
    miss: Vec<u64>,
    /// Hit, whether or not that sank a ship.
    hit: Vec<u64>,
    sunk: Vec<u64>,
    known: Vec<bool>,
}

impl<'a> Marks<'a> {
    fn of(log: &'a ShotLog, known: impl Fn(usize) -> bool) -> Self {
        let grid = log.rules().grid();
        let blank = || vec![0; grid.rows()];
        let known = (0..log.len()).map(known).collect();
        let width = u64::MAX >> (64 - grid.cols());
        let mut marks = Self { log, width, fired: blank(), miss: blank(), hit: blank(), sunk: blank(), known };
        for (number, shot) in log.shots().iter().enumerate() {
            marks.read(number, *shot);
        }
        marks
    }

    fn read(&mut self, number: usize, shot: Shot) {
        let (row, bit) = (shot.cell.row(), 1 << shot.cell.col());
        self.fired[row] |= bit;
        if !self.known[number] {
            return;
        }
        match shot.answer {
            Answer::Miss => self.miss[row] |= bit,
            Answer::Hit(_) => self.hit[row] |= bit,
            Answer::Sunk(_) => {
                self.hit[row] |= bit;
                self.sunk[row] |= bit;
            }
        }
    }

    fn class(&self, rules: &Rules, length: Length, count: usize) -> Class {
        let (grid, l) = (rules.grid(), length.get());
        let denied = self.denied(length);
        let mut lying = vec![0; grid.rows()];
        let mut upright = vec![0; grid.rows()];
        for row in 0..grid.rows() {
            if l <= grid.cols() {
                let fits = self.width >> (l - 1) & !lying_meet(denied[row], l);
                let whole = fits & !lying_meet(!self.fired[row] & self.width, l);
                lying[row] =
                    fits & !whole & !lying_meet(self.sunk[row], l) | self.sinkable(whole, row, length, Orientation::Horizontal);
            }
            if l > 1 && row + l <= grid.rows() {
                let fits = self.width & !upright_meet(&denied, row, l);
                let fired = self.fired.iter().skip(row).take(l).fold(fits, |all, mask| all & mask);
                upright[row] =
                    fits & !fired & !upright_meet(&self.sunk, row, l) | self.sinkable(fired, row, length, Orientation::Vertical);
            }
        }
        Class { length: l, count, lying, upright }
    }

    /// The cells that no ship of this length covers: misses, and hits called with another length.
    fn denied(&self, length: Length) -> Vec<u64> {
        let mut denied = self.miss.clone();
        if self.log.rules().call() == Call::Every {
            let shots = self.log.shots().iter().zip(&self.known).filter(|(shot, known)| **known && shot.answer.is_hit());
            for (shot, _) in shots.filter(|(shot, _)| shot.answer.length() != Some(length)) {
                denied[shot.cell.row()] |= 1 << shot.cell.col();
            }
        }
        denied
    }

    /// Of placements all of whose cells were fired at, those that sank when and as it was announced. They are few.
    fn sinkable(&self, starts: u64, row: usize, length: Length, heading: Orientation) -> u64 {
        bits(starts).filter(|&col| self.is_sinkable(row, col, length, heading)).fold(0, |mask, col| mask | 1 << col)
    }

    fn is_sinkable(&self, row: usize, col: usize, length: Length, heading: Orientation) -> bool {
        if !self.log.rules().call().tells_sinking() {
            return true;
        }
        let ship = Cell::new(row, col).and_then(|bow| Placement::new(bow, length, heading));
        let numbers = ship.into_iter().flat_map(Placement::cells).filter_map(|cell| self.log.shot_number(cell));
        let last = numbers.clone().max().unwrap_or(0);
        numbers.filter(|&number| self.known[number - 1]).all(|number| match self.log.shots()[number - 1].answer {
            Answer::Sunk(called) => number == last && called.is_none_or(|called| called == length),
            _ => number != last,
        })
    }
}
