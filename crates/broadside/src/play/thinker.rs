//! What takes time, done on a thread of its own so that the screen stays alive.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use broadside_captains::{Captain, GameRng};
use broadside_lab::{Review, generator};
use broadside_odds::{Budget, Engine, odds};
use broadside_rules::ShotLog;

use super::{Event, Wish};

/// Draws for an estimate where exact odds are out of reach.
const SAMPLES: u64 = 20_000;

/// Starts the thread. It ends when the sender is dropped.
pub(crate) fn start(captain: Box<dyn Captain>, seed: u64) -> (Sender<Wish>, Receiver<Event>) {
    let (wishes, requests) = mpsc::channel();
    let (done, results) = mpsc::channel();
    thread::spawn(move || {
        let mut thinker = Thinker::new(captain, seed);
        for wish in requests {
            // Nobody listens any more once the player has left.
            thinker.fulfil(wish, |event| _ = done.send(event));
        }
    });
    (wishes, results)
}

pub(crate) struct Thinker {
    captain: Box<dyn Captain>,
    rng: GameRng,
}

impl Thinker {
    pub(crate) fn new(captain: Box<dyn Captain>, seed: u64) -> Self {
        // Item 0 is not a layout's: those are numbered from 1.
        Self { captain, rng: generator(seed, 0) }
    }

    /// Computes what is wished for.
    pub(crate) fn fulfil(&mut self, wish: Wish, mut tell: impl FnMut(Event)) {
        match wish {
            Wish::Aim(game, log) => tell(Event::Aimed(game, self.captain.aim(&log, &mut self.rng))),
            Wish::Odds(game, log) => {
                let odds = odds(&log, Engine::Transfer, Budget::default(), SAMPLES, &mut self.rng);
                tell(Event::Odds(game, log.len(), Box::new(odds)));
            }
            Wish::Review(game, log) => self.review(game, &log, tell),
        }
    }

    fn review(&mut self, game: u64, log: &ShotLog, mut tell: impl FnMut(Event)) {
        // A log that a referee answered always fits a layout, so all shots are told of.
        _ = Review::new(log, Budget::default(), &mut self.rng, |judged| tell(Event::Judged(game, Box::new(judged.clone()))));
    }
}
