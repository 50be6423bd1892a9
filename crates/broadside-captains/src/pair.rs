//! A finder and a sinker together: any of one with any of the other is a complete captain.
//!
//! Seed document 000 splits the game in two: find a ship, then sink it, and again. A [`Sinker`] goes after live hits as
//! long as there are any to go after; otherwise a [`Finder`] looks for the next ship.

use broadside_rules::{Cell, Rules, ShotLog};

use crate::bits::Bits;
use crate::chart::Chart;
use crate::{Captain, GameRng, Mode, Reason};

/// A way to find a ship.
pub(crate) trait Finder<B>: Send {
    /// Where to look for a ship.
    fn find(&mut self, chart: &Chart<B>, rng: &mut GameRng) -> usize;

    /// What each cell is worth at the moment, and what the numbers mean.
    fn judge(&mut self, chart: &Chart<B>) -> (Vec<Option<f64>>, String);
}

/// A way to sink a ship that was hit.
pub(crate) trait Sinker<B>: Send {
    /// The next shot at a ship that was hit; `None` when there is none to go after.
    fn pursue(&self, chart: &Chart<B>) -> Option<usize>;

    /// The same with the reason.
    fn words(&self, chart: &Chart<B>) -> String;
}

/// A captain made of both.
pub(crate) struct Pair<B, F, S> {
    name: &'static str,
    chart: Chart<B>,
    finder: F,
    sinker: S,
}

impl<B: Bits, F: Finder<B>, S: Sinker<B>> Pair<B, F, S> {
    pub(crate) fn new(name: &'static str, rules: &Rules, finder: F, sinker: S) -> Self {
        Self { name, chart: Chart::new(rules), finder, sinker }
    }
}

impl<B: Bits, F: Finder<B>, S: Sinker<B>> Captain for Pair<B, F, S> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell {
        self.chart.read(log);
        let target = self.sinker.pursue(&self.chart);
        let cell = target.unwrap_or_else(|| self.finder.find(&self.chart, rng));
        self.chart.field().cell(cell)
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let cell = self.aim(log, rng);
        let index = self.chart.field().index(cell);
        let alone = self.chart.scores(B::only(index), |_| 1.0);
        if self.sinker.pursue(&self.chart).is_none() {
            let (scores, words) = match self.finder.judge(&self.chart) {
                judged if judged.0[index].is_some() => judged,
                _ => (alone, "no cell of the pattern is left, and any other will do".to_owned()),
            };
            return Reason { cell, mode: Mode::Hunt, scores, words };
        }
        let scores = alone;
        Reason { cell, mode: Mode::Target, scores, words: self.sinker.words(&self.chart) }
    }
}
