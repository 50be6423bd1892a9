//! `random`: any cell not fired at, each as likely as the other.

use broadside_rules::{Cell, Rules, ShotLog};
use rand::RngExt;

use crate::bits::Bits;
use crate::field::Field;
use crate::{Captain, GameRng, Mode, Reason};

/// A captain without any idea (seed documents 000, solution 1, and 001).
pub(crate) struct Random<B> {
    field: Field<B>,
}

impl<B: Bits> Random<B> {
    pub(crate) fn new(rules: &Rules) -> Self {
        Self { field: Field::new(rules.grid()) }
    }
}

/// A cell of the set, each as likely as the other. Counting to the one drawn makes the choice depend on the set alone.
#[inline]
pub(crate) fn draw<B: Bits>(set: B, rng: &mut GameRng) -> usize {
    draw_of(set, set.count(), rng)
}

/// The same for a set whose size is known.
#[inline]
fn draw_of<B: Bits>(set: B, size: usize, rng: &mut GameRng) -> usize {
    set.nth(rng.random_range(0..size as u32) as usize)
}

/// While at least one cell in so many is left, guessing is quicker than counting: the processor need not wait for the last
/// shot to be written down before it knows the next one.
const MANY: usize = 3;

/// A cell not fired at, by drawing any cell until it is one.
#[inline]
fn guess<B: Bits>(fired: B, cells: usize, rng: &mut GameRng) -> usize {
    loop {
        let cell = rng.random_range(0..cells as u32) as usize;
        if !fired.has(cell) {
            return cell;
        }
    }
}

impl<B: Bits> Captain for Random<B> {
    fn name(&self) -> &'static str {
        "random"
    }

    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell {
        assert_eq!(log.rules().grid(), self.field.grid(), "the log of a game by other rules");
        let (fired, cells) = (B::of_words(log.fired().words()), self.field.grid().len());
        let unfired = cells - log.len();
        let cell =
            if unfired * MANY > cells { guess(fired, cells, rng) } else { draw_of(self.field.all() & !fired, unfired, rng) };
        self.field.cell(cell)
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let cell = self.aim(log, rng);
        let unfired = self.field.grid().len() - log.len();
        let score = |cell| (!log.fired().contains(cell)).then_some(1.0);
        Reason {
            cell,
            mode: Mode::Hunt,
            scores: self.field.grid().cells().map(score).collect(),
            words: format!("one of {unfired} cells not fired at, drawn by lot"),
        }
    }
}
