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
//! Where answers may be false, hits and misses say nothing for certain and only sinkings do; the rest is in the weights of placements (`noise`).
//!
//! So a log becomes, for each class of equal ships, the set of placements still allowed, and a set of cells that must be
//! covered. What is left is to count the ways to choose placements that go together and cover these cells.
//!
//! Rows are `u64` masks (bit = column), since a grid has at most 64 columns; all placements of a row are judged at once.

use broadside_rules::{Answer, Cell, CellSet, Grid, Length, Orientation, Placement, Rules, Shot, ShotLog, Touch};

/// What is left to count once a log has been read.
///
/// It is made from a log or from rules, and from another problem by narrowing it, so its parts always belong together.
///
/// ```
/// use broadside_odds::{Budget, Problem, Transfer};
/// use broadside_rules::{Preset, ShotLog};
///
/// let log = ShotLog::parse(&Preset::Classic.rules(), "E5+")?;
/// let problem = Problem::from_log(&log);
/// assert!(problem.must_cover().contains("E5".parse()?));
/// let ship = "E5-E9".parse()?;
/// let rest = problem.with_ship(ship).expect("the carrier may lie there");
/// let mut engine = Transfer::new(Budget::default());
/// assert!(engine.total(&rest)? < engine.total(&problem)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The number of rows.
    pub(crate) rows: usize,
    /// The number of columns.
    pub(crate) cols: usize,
    /// How close ships may lie.
    pub(crate) touch: Touch,
    /// The ships by length, longest first.
    pub(crate) classes: Vec<ShipClass>,
    /// For each row, the columns that some ship must cover.
    pub(crate) must: Vec<u64>,
}

/// The ships of one length. They are interchangeable: a layout is counted once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShipClass {
    /// The number of cells of each.
    pub(crate) length: usize,
    /// The number of ships.
    pub(crate) count: usize,
    /// For each row, the columns in which the left end of a horizontal ship may be.
    pub(crate) horizontal: Vec<u64>,
    /// For each row, the columns in which the upper end of a vertical ship may be. None for length 1, which is horizontal.
    pub(crate) vertical: Vec<u64>,
}

impl Problem {
    /// The problem of a log. Shots that are not answered yet tell nothing; of turns of which only the number of hits is known
    /// nothing is taken either, so their layouts are among those of the problem. [`Transfer::count`](crate::Transfer::count) counts
    /// them exactly.
    pub fn from_log(log: &ShotLog) -> Self {
        Self::from_known_answers(log, |_| true)
    }

    /// The problem of a log of which only some answers are known; `known` says which, by the shot's number from 0. That
    /// the other shots were fired is still known, for it decides which shot sank a ship.
    pub(crate) fn from_known_answers(log: &ShotLog, known: impl Fn(usize) -> bool) -> Self {
        let answer = |(number, shot): (usize, &Shot)| if known(number) { shot.answer } else { Answer::Untold };
        Self::from_answers(log, &log.shots().iter().enumerate().map(answer).collect::<Vec<_>>())
    }

    /// The problem of the shots of a log with these answers.
    pub(crate) fn from_answers(log: &ShotLog, answers: &[Answer]) -> Self {
        let rules = log.rules();
        let marks = Marks::new(log, answers);
        let class = |(length, count): (Length, usize)| marks.class(rules, length, count);
        Self {
            rows: rules.grid().rows(),
            cols: rules.grid().cols(),
            touch: rules.touch(),
            classes: rules.fleet().classes().map(class).collect(),
            must: marks.hit,
        }
    }

    /// Whether each cell that must be covered is under some placement.
    pub(crate) fn can_cover_all(&self) -> bool {
        let covered = |row: usize| {
            let class = |class: &ShipClass| {
                let across = (0..class.length).fold(0, |all, k| all | class.horizontal[row] << k);
                let rows = if class.length > 1 { class.length.min(row + 1) } else { 0 };
                (0..rows).fold(across, |all, k| all | class.vertical[row - k])
            };
            self.classes.iter().fold(0, |all, next| all | class(next))
        };
        (0..self.rows).all(|row| self.must[row] == 0 || self.must[row] & !covered(row) == 0)
    }

    /// The problem of the empty board.
    pub fn for_rules(rules: &Rules) -> Self {
        Self::from_log(&ShotLog::new(rules))
    }

    /// The board's size.
    ///
    /// # Panics
    /// Never: a problem is made from rules, which have a grid.
    pub fn grid(&self) -> Grid {
        Grid::new(self.rows, self.cols).expect("a problem has the sides of a grid")
    }

    /// How close ships may lie.
    pub fn touch(&self) -> Touch {
        self.touch
    }

    /// The ships by length, longest first.
    pub fn classes(&self) -> &[ShipClass] {
        &self.classes
    }

    /// The cells that some ship must cover.
    pub fn must_cover(&self) -> CellSet {
        let mut cells = CellSet::empty(self.grid());
        for (row, &mask) in self.must.iter().enumerate() {
            bits(mask).filter_map(|col| Cell::new(row, col)).for_each(|cell| _ = cells.insert(cell));
        }
        cells
    }

    /// The number of cells of the board.
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

    /// Whether the problem is its own mirror image from top to bottom.
    pub(crate) fn is_mirrored(&self) -> bool {
        let palindrome = |masks: &[u64]| masks.iter().eq(masks.iter().rev());
        let class = |class: &ShipClass| {
            let starts = self.rows.saturating_sub(class.length - 1);
            palindrome(&class.horizontal) && palindrome(&class.vertical[..starts])
        };
        palindrome(&self.must) && self.classes.iter().all(class)
    }

    /// The same problem, with more cells that no ship may cover.
    #[must_use]
    pub fn without_cells(&self, cells: &CellSet) -> Self {
        let mut masks = vec![0; self.rows];
        cells.iter().for_each(|cell| masks[cell.row()] |= 1 << cell.col());
        let mut problem = self.clone();
        for class in &mut problem.classes {
            class.rule_out_cells(&masks);
        }
        problem
    }

    /// What is left to place once this ship is there; `None` when the problem doesn't allow it. A class whose last ship is
    /// placed is left out.
    #[must_use]
    pub fn with_ship(&self, ship: Placement) -> Option<Self> {
        let class = self.classes.iter().position(|class| class.allows(ship) && class.count > 0)?;
        let mut left = self.without_cells(&ship.blocked_cells(self.grid(), self.touch));
        left.classes[class].count -= 1;
        left.classes.retain(|class| class.count > 0);
        ship.cells().for_each(|cell| left.must[cell.row()] &= !(1 << cell.col()));
        Some(left)
    }

    /// Forbids one placement.
    pub fn rule_out(&mut self, ship: Placement) {
        for class in self.classes.iter_mut().filter(|class| class.length == ship.length().get()) {
            let starts = class.starts_mut(ship.orientation());
            if let Some(mask) = starts.get_mut(ship.bow().row()) {
                *mask &= !(1 << ship.bow().col());
            }
        }
    }
}

impl ShipClass {
    /// The number of cells of each ship.
    ///
    /// # Panics
    /// Never: a class is made from a fleet, which has lengths.
    pub fn length(&self) -> Length {
        Length::new(self.length).expect("a class has the length of its ships")
    }

    /// The number of ships.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The placements still allowed, horizontal ones first, each kind in reading order.
    pub fn placements(&self) -> impl Iterator<Item = Placement> + '_ {
        let kinds = [(&self.horizontal, Orientation::Horizontal), (&self.vertical, Orientation::Vertical)];
        kinds.into_iter().flat_map(move |(starts, orientation)| {
            starts
                .iter()
                .enumerate()
                .flat_map(move |(row, &mask)| bits(mask).filter_map(move |col| self.at(row, col, orientation)))
        })
    }

    /// The placements still allowed that cover a cell.
    pub fn placements_covering(&self, cell: Cell) -> impl Iterator<Item = Placement> + '_ {
        let (row, col) = (cell.row(), cell.col());
        let across = (0..self.length.min(col + 1)).map(move |i| (row, col - i, Orientation::Horizontal));
        // A ship of one cell counts as horizontal.
        let rows = if self.length > 1 { self.length.min(row + 1) } else { 0 };
        let down = (0..rows).map(move |i| (row - i, col, Orientation::Vertical));
        let ships = across.chain(down).filter_map(|(row, col, orientation)| self.at(row, col, orientation));
        ships.filter(|&ship| self.allows(ship))
    }

    /// Whether a ship of this class may lie there.
    pub fn allows(&self, ship: Placement) -> bool {
        let starts = if ship.orientation() == Orientation::Horizontal { &self.horizontal } else { &self.vertical };
        let row = starts.get(ship.bow().row()).copied().unwrap_or(0);
        ship.length().get() == self.length && row >> ship.bow().col() & 1 == 1
    }

    /// The number of placements still allowed.
    pub fn choices(&self) -> usize {
        self.horizontal.iter().chain(&self.vertical).map(|mask| mask.count_ones() as usize).sum()
    }

    fn at(&self, row: usize, col: usize, orientation: Orientation) -> Option<Placement> {
        Placement::new(Cell::new(row, col)?, Length::new(self.length)?, orientation)
    }

    fn starts_mut(&mut self, orientation: Orientation) -> &mut Vec<u64> {
        if orientation == Orientation::Horizontal { &mut self.horizontal } else { &mut self.vertical }
    }

    /// Forbids every placement that meets one of the cells, given as a mask for each row.
    fn rule_out_cells(&mut self, cells: &[u64]) {
        for (row, starts) in self.horizontal.iter_mut().enumerate() {
            *starts &= !horizontal_meeting(cells[row], self.length);
        }
        for (row, starts) in self.vertical.iter_mut().enumerate() {
            *starts &= !vertical_meeting(cells, row, self.length);
        }
    }

    fn transposed(&self, cols: usize) -> Self {
        let (horizontal, vertical) = (transposed_masks(&self.horizontal, cols), transposed_masks(&self.vertical, cols));
        // A ship of one cell always counts as horizontal.
        let (horizontal, vertical) = if self.length == 1 { (horizontal, vertical) } else { (vertical, horizontal) };
        Self { length: self.length, count: self.count, horizontal, vertical }
    }
}

/// Where one ship lies, as the sweeps keep it: not yet checked against a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ShipPosition {
    /// The number of cells.
    pub(crate) length: usize,
    /// The row of its first cell.
    pub(crate) row: usize,
    /// The column of its first cell.
    pub(crate) col: usize,
    /// Whether it goes down from there, rather than to the right.
    pub(crate) vertical: bool,
}

impl ShipPosition {
    /// Its cells, as rows and columns.
    pub(crate) fn each_cell(&self) -> impl Iterator<Item = (usize, usize)> {
        let (down, across) = if self.vertical { (1, 0) } else { (0, 1) };
        let Self { row, col, .. } = *self;
        (0..self.length).map(move |i| (row + i * down, col + i * across))
    }

    /// The same with rows and columns exchanged; a ship of one cell is never vertical.
    pub(crate) fn transposed(self) -> Self {
        Self { length: self.length, row: self.col, col: self.row, vertical: self.length > 1 && !self.vertical }
    }

    /// The ship as the rules know it.
    pub(crate) fn placement(self) -> Option<Placement> {
        let orientation = if self.vertical { Orientation::Vertical } else { Orientation::Horizontal };
        Placement::new(Cell::new(self.row, self.col)?, Length::new(self.length)?, orientation)
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

/// The left ends of horizontal ships that meet a marked cell of the row.
fn horizontal_meeting(marked: u64, length: usize) -> u64 {
    (0..length).fold(0, |meet, k| meet | marked >> k)
}

/// The upper ends, in this row, of vertical ships that meet a marked cell.
fn vertical_meeting(marked: &[u64], row: usize, length: usize) -> u64 {
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
    /// The answers to the shots; [`Answer::Untold`] where none is known.
    answers: &'a [Answer],
}

impl<'a> Marks<'a> {
    fn new(log: &'a ShotLog, answers: &'a [Answer]) -> Self {
        let grid = log.rules().grid();
        let blank = || vec![0; grid.rows()];
        let width = u64::MAX >> (64 - grid.cols());
        let mut marks = Self { log, width, fired: blank(), miss: blank(), hit: blank(), sunk: blank(), answers };
        // No ship lies on a rock, as if somebody had fired there and missed.
        for rock in log.rules().rocks().into_iter().flat_map(CellSet::iter) {
            marks.miss[rock.row()] |= 1 << rock.col();
        }
        for (shot, &answer) in log.shots().iter().zip(answers) {
            marks.read(shot.cell, answer);
        }
        marks
    }

    fn read(&mut self, cell: Cell, answer: Answer) {
        let (row, bit) = (cell.row(), 1 << cell.col());
        self.fired[row] |= bit;
        match answer {
            Answer::Untold => {}
            Answer::Miss | Answer::Hit(_) if !self.log.rules().noise().is_none() => {}
            Answer::Miss => self.miss[row] |= bit,
            Answer::Hit(_) => self.hit[row] |= bit,
            Answer::Sunk(_) => {
                self.hit[row] |= bit;
                self.sunk[row] |= bit;
            }
        }
    }

    fn class(&self, rules: &Rules, length: Length, count: usize) -> ShipClass {
        let (grid, l) = (rules.grid(), length.get());
        let denied = self.denied(length);
        // Once the end is called, all ships are sunk; where sinkings are called that shows by itself.
        let is_over = !rules.noise().is_none() && self.log.is_over() && !rules.call().tells_sinking();
        let partly = |starts: u64| if is_over { 0 } else { starts };
        let mut horizontal = vec![0; grid.rows()];
        let mut vertical = vec![0; grid.rows()];
        for row in 0..grid.rows() {
            if l <= grid.cols() {
                let fits = self.width >> (l - 1) & !horizontal_meeting(denied[row], l);
                let whole = fits & !horizontal_meeting(!self.fired[row] & self.width, l);
                horizontal[row] = partly(fits & !whole) & !horizontal_meeting(self.sunk[row], l)
                    | self.sinkable(whole, row, length, Orientation::Horizontal);
            }
            if l > 1 && row + l <= grid.rows() {
                let fits = self.width & !vertical_meeting(&denied, row, l);
                let fired = self.fired.iter().skip(row).take(l).fold(fits, |all, mask| all & mask);
                vertical[row] = partly(fits & !fired) & !vertical_meeting(&self.sunk, row, l)
                    | self.sinkable(fired, row, length, Orientation::Vertical);
            }
        }
        ShipClass { length: l, count, horizontal, vertical }
    }

    /// The cells that no ship of this length covers: misses, and hits called with another length.
    fn denied(&self, length: Length) -> Vec<u64> {
        let mut denied = self.miss.clone();
        if self.log.rules().call().tells_length_on_hit() {
            let hits = self.log.shots().iter().zip(self.answers).filter(|(_, answer)| answer.is_hit());
            for (shot, _) in hits.filter(|(_, answer)| answer.length() != Some(length)) {
                denied[shot.cell.row()] |= 1 << shot.cell.col();
            }
        }
        denied
    }

    /// Of placements all of whose cells were fired at, those that sank when and as it was announced. They are few.
    fn sinkable(&self, starts: u64, row: usize, length: Length, orientation: Orientation) -> u64 {
        bits(starts).filter(|&col| self.is_sinkable(row, col, length, orientation)).fold(0, |mask, col| mask | 1 << col)
    }

    fn is_sinkable(&self, row: usize, col: usize, length: Length, orientation: Orientation) -> bool {
        if !self.log.rules().call().tells_sinking() {
            return true;
        }
        let ship = Cell::new(row, col).and_then(|bow| Placement::new(bow, length, orientation));
        let mut numbers = ship.into_iter().flat_map(Placement::cells).filter_map(|cell| self.log.shot_number(cell));
        let last = numbers.clone().max().unwrap_or(0);
        numbers.all(|number| match self.answers[number - 1] {
            Answer::Untold => true,
            Answer::Sunk(called) => number == last && called.is_none_or(|called| called == length),
            _ => number != last,
        })
    }
}
