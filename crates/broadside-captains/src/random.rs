//! `random`: any cell not fired at, each as likely as the other.

use broadside_rules::{Cell, Grid, LogMark, Rules, ShotLog};
use rand::RngExt;

use crate::bits::Bits;
use crate::{Captain, GameRng, Mode, Reason};

/// A captain without any idea (seed documents 000, solution 1, and 001).
///
/// It keeps a list of the cells not fired at. One that is fired at changes places with the last and is cut off, so the
/// order of the list follows from the log; and drawing from it waits for nothing, where counting to the n-th free bit of
/// a set, or guessing till a cell is free, keeps the processor waiting or guessing.
pub(crate) struct Random {
    grid: Grid,
    mark: Option<LogMark>,
    open: Vec<Cell>,
    /// For each cell in reading order, where it stands in the list while it does.
    place: Vec<u16>,
}

/// A cell of the set, each as likely as the other. Counting to the one drawn makes the choice depend on the set alone.
#[inline]
pub(crate) fn draw<B: Bits>(set: B, rng: &mut GameRng) -> usize {
    set.nth(rng.random_range(0..set.count() as u32) as usize)
}

impl Random {
    pub(crate) fn new(rules: &Rules) -> Self {
        let cells = rules.grid().len();
        Self { grid: rules.grid(), mark: None, open: Vec::with_capacity(cells), place: Vec::with_capacity(cells) }
    }

    /// Brings the list up to date with the log.
    #[inline]
    fn read(&mut self, log: &ShotLog) {
        let shots = self.mark.and_then(|mark| log.since(mark)).unwrap_or_else(|| {
            self.start_over(log);
            log.shots()
        });
        for shot in shots {
            self.cut(shot.cell);
        }
        self.mark = Some(log.mark());
    }

    fn start_over(&mut self, log: &ShotLog) {
        assert_eq!(log.rules().grid(), self.grid, "the log of a game by other rules");
        self.open.clear();
        self.open.extend(self.grid.cells());
        self.place.clear();
        self.place.extend(0..self.grid.len() as u16);
    }

    #[inline]
    fn cut(&mut self, cell: Cell) {
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
            words: format!("one of {} cells not fired at, drawn by lot", self.open.len()),
        }
    }
}
