//! `random`: any cell not fired at, each as likely as the other.

use broadside_rules::{Cell, Rules, ShotLog};
use rand::RngExt;

use crate::bits::Bits;
use crate::chart::Chart;
use crate::{Captain, GameRng, Mode, Reason};

/// A captain without any idea (seed documents 000, solution 1, and 001).
pub(crate) struct Random<B> {
    chart: Chart<B>,
}

impl<B: Bits> Random<B> {
    pub(crate) fn new(rules: &Rules) -> Self {
        Self { chart: Chart::of_hits(rules) }
    }
}

/// A cell of the set, each as likely as the other. Counting to the one drawn makes the choice depend on the set alone.
#[inline]
pub(crate) fn draw<B: Bits>(set: B, rng: &mut GameRng) -> usize {
    set.nth(rng.random_range(0..set.count() as u32) as usize)
}

impl<B: Bits> Captain for Random<B> {
    fn name(&self) -> &'static str {
        "random"
    }

    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell {
        self.chart.read(log);
        self.chart.field().cell(draw(self.chart.unfired(), rng))
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let cell = self.aim(log, rng);
        let unfired = self.chart.unfired();
        Reason {
            cell,
            mode: Mode::Hunt,
            scores: self.chart.scores(unfired, |_| 1.0),
            words: format!("one of {} cells not fired at, drawn by lot", unfired.count()),
        }
    }
}
