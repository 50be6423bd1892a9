//! A finder and a sinker together: any of one with any of the other is a complete captain.
//!
//! “CSE 202: Project Algorithmic Solutions” (Martakis, Sharan, Choudhary and Gupta, UC San Diego, 2023)
//! splits the game in two: find a ship, then sink it, and again. A [`Sinker`] goes after live hits as
//! long as there are any to go after; otherwise a [`Finder`] looks for the next ship.

use broadside_rules::{Cell, Rules, ShotLog};

use crate::bits::Bits;
use crate::position::Position;
use crate::{Captain, GameRng, Mode, Reason};

/// A way to find a ship.
pub(crate) trait Finder<B>: Send {
    /// Where to look for a ship.
    fn find(&mut self, position: &Position<B>, rng: &mut GameRng) -> usize;

    /// What each cell is worth at the moment, and what the numbers mean.
    fn scores(&mut self, position: &Position<B>) -> (Vec<Option<f64>>, String);
}

/// A way to sink a ship that was hit.
pub(crate) trait Sinker<B>: Send {
    /// The next shot at a ship that was hit; `None` when there is none to go after.
    fn next_shot(&self, position: &Position<B>) -> Option<usize>;

    /// Why, in a sentence.
    fn words(&self, position: &Position<B>) -> String;
}

/// A captain made of both.
struct Pair<B, F, S> {
    name: &'static str,
    position: Position<B>,
    finder: F,
    sinker: S,
}

/// The captain made of this finder and this sinker.
pub(crate) fn pair<B: Bits>(
    name: &'static str,
    rules: &Rules,
    finder: impl Finder<B> + 'static,
    sinker: impl Sinker<B> + 'static,
) -> Box<dyn Captain> {
    Box::new(Pair { name, position: Position::<B>::new(rules), finder, sinker })
}

impl<B: Bits, F: Finder<B>, S: Sinker<B>> Captain for Pair<B, F, S> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell {
        self.position.read(log);
        let target = self.sinker.next_shot(&self.position);
        let cell = target.unwrap_or_else(|| self.finder.find(&self.position, rng));
        self.position.board().cell(cell)
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let cell = self.aim(log, rng);
        let index = self.position.board().index(cell);
        let alone = self.position.scores(B::only(index), |_| 1.0);
        if self.sinker.next_shot(&self.position).is_none() {
            let (scores, words) = match self.finder.scores(&self.position) {
                known if known.0[index].is_some() => known,
                _ => (alone, "no cell of the pattern is left, and any other will do".to_owned()),
            };
            return Reason { cell, mode: Mode::Hunt, scores, words };
        }
        let scores = alone;
        Reason { cell, mode: Mode::Target, scores, words: self.sinker.words(&self.position) }
    }
}
