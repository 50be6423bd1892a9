//! `random`: any cell not fired at, each equally likely.

use broadside_rules::{Cell, Grid, LogMark, Rules, ShotLog};
use rand::RngExt;

use crate::bits::Bits;
use crate::{Captain, GameRng, Mode, Reason};

/// A captain that fires at random, as in the article “Battleship” (Nick Berry, `DataGenetics`, 2011) and as solution 1 of
/// “CSE 202: Project Algorithmic Solutions” (UC San Diego, 2023).
///
/// It keeps a list of the cells not fired at. A cell that is fired at is replaced by the last of the list, so the order of
/// the list follows from the log. This is quicker than finding the n-th bit of a set, or trying cells until one is free.
pub(crate) struct Random {
    grid: Grid,
    /// Every cell that is no rock, in reading order: the list of a new game, which is quicker to copy than to make.
    all: Vec<Cell>,
    /// For each cell in reading order, its place in that list; 0 for rocks, which are never looked up.
    places: Vec<u16>,
    mark: Option<LogMark>,
    open: Vec<Cell>,
    /// For each cell in reading order, its place in the list while it is there.
    place: Vec<u16>,
}

/// A random cell of the set, each equally likely. The choice depends on the set and the generator alone.
#[inline]
pub(crate) fn random_cell<B: Bits>(set: B, rng: &mut GameRng) -> usize {
    set.nth(rng.random_range(0..set.count() as u32) as usize)
}

impl Random {
    pub(crate) fn new(rules: &Rules) -> Self {
        let cells = rules.grid().len();
        let all: Vec<Cell> = rules.grid().cells().filter(|&cell| !rules.is_rock(cell)).collect();
        let mut places = vec![0; cells];
        (0..).zip(&all).for_each(|(place, &cell)| places[rules.grid().index(cell)] = place);
        Self { grid: rules.grid(), all, places, mark: None, open: Vec::with_capacity(cells), place: Vec::with_capacity(cells) }
    }

    /// Brings the list up to date with the log.
    #[inline]
    fn read(&mut self, log: &ShotLog) {
        let shots = self.mark.and_then(|mark| log.since(mark)).unwrap_or_else(|| {
            self.start_over(log);
            log.shots()
        });
        for shot in shots {
            self.remove(shot.cell);
        }
        self.mark = Some(log.mark());
    }

    fn start_over(&mut self, log: &ShotLog) {
        assert_eq!(log.rules().grid(), self.grid, "the log of a game by other rules");
        self.open.clear();
        self.open.extend_from_slice(&self.all);
        self.place.clear();
        self.place.extend_from_slice(&self.places);
    }

    #[inline]
    fn remove(&mut self, cell: Cell) {
        let place = self.place[self.grid.index(cell)];
        let last = self.open.pop().expect("a cell to fire at");
        if last != cell {
            self.open[usize::from(place)] = last;
            self.place[self.grid.index(last)] = place;
        }
    }
}

impl Captain for Random {
    fn name(&self) -> &'static str {
        "random"
    }

    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell {
        self.read(log);
        self.open[rng.random_range(0..self.open.len() as u32) as usize]
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let cell = self.aim(log, rng);
        let score = |cell| (!log.fired().contains(cell)).then_some(1.0);
        Reason {
            cell,
            mode: Mode::Hunt,
            scores: self.grid.cells().map(score).collect(),
            words: format!("one of {} cells not fired at, chosen at random", self.open.len()),
        }
    }
}
