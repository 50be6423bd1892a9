//! What takes time, computed on other threads so that the screen stays alive.
//!
//! The captain has a thread of its own, which takes its turns in order. Odds and reviews get a thread for each request, so
//! that a long review of one game delays neither the captain nor a hint in the next.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use broadside_captains::{Captain, GameRng};
use broadside_lab::{Par, Review, ReviewSettings, ShotsReview, generator};
use broadside_odds::{Budget, Engine, odds};
use broadside_rules::{Layout, ShotLog, Stop};

use super::{Event, Request};
use crate::habits;

/// Samples for an estimate where exact odds are out of reach.
const SAMPLES: u64 = 20_000;

/// The captain and its random choices.
pub(crate) struct Opponent {
    captain: Box<dyn Captain>,
    rng: GameRng,
}

impl Opponent {
    pub(crate) fn new(captain: Box<dyn Captain>, seed: u64) -> Self {
        // Item 0 is not a layout's: those are numbered from 1.
        Self { captain, rng: generator(seed, 0) }
    }

    /// Chooses the captain's next shot.
    pub(crate) fn aim(&mut self, game: u64, log: &ShotLog) -> Event {
        Event::Aimed(game, self.captain.aim(log, &mut self.rng))
    }

    /// Shows the captain where the player's ships were.
    pub(crate) fn remember(&mut self, layout: &Layout) {
        self.captain.remember(layout);
    }
}

/// Computes odds and reviews. Its random numbers are its own, so that asking for a hint can't change the captain's play.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Analyst {
    seed: u64,
    budget: Budget,
}

impl Analyst {
    pub(crate) fn new(seed: u64, budget: Budget) -> Self {
        Self { seed, budget }
    }

    /// The odds of a log.
    pub(crate) fn odds(self, game: u64, log: &ShotLog) -> Event {
        let odds = odds(log, Engine::Transfer, self.budget, SAMPLES, &mut self.rng(log));
        Event::Odds(game, log.len(), Box::new(odds))
    }

    /// Judges every shot of a log; `send` is called with each.
    pub(crate) fn review(self, game: u64, log: &ShotLog, mut send: impl FnMut(Event)) {
        // A log that a referee answered always fits a layout, so this can't fail.
        _ = Review::new(log, self.budget, &mut self.rng(log), |reviewed| send(Event::Reviewed(game, Box::new(reviewed.clone()))));
    }

    /// Judges every shot of a log by the shots to the end of the game; `send` is called with each, and with par first.
    pub(crate) fn judge(self, game: u64, log: &ShotLog, mut send: impl FnMut(Event)) {
        let (never, settings) = (Stop::never(), ReviewSettings { seed: !self.seed, ..ReviewSettings::default() });
        let Ok(par) = Par::of(log.rules(), 1, &never) else { return };
        send(Event::Par(game, par));
        _ = ShotsReview::new(log, &settings, &never, |judged| send(Event::Judged(game, Box::new(judged.clone()))));
    }

    /// Random numbers from another seed than the captain's and the layouts'.
    fn rng(self, log: &ShotLog) -> GameRng {
        generator(!self.seed, log.len() as u64)
    }
}

/// What the captain's thread is asked for.
enum CaptainTask {
    Aim(u64, ShotLog),
    Remember(Layout),
}

/// The other threads, and the way to them.
pub(crate) struct Workers {
    captain: Sender<CaptainTask>,
    analyst: Analyst,
    /// Where the player's layouts are remembered.
    habits: Option<PathBuf>,
    results: Sender<Event>,
}

impl Workers {
    /// Starts the captain's thread, which ends when this value is dropped. Results come out of the receiver.
    pub(crate) fn start(mut opponent: Opponent, analyst: Analyst, habits: Option<PathBuf>) -> (Self, Receiver<Event>) {
        let (results, received) = mpsc::channel();
        let (captain, tasks) = mpsc::channel();
        let aimed = results.clone();
        thread::spawn(move || {
            for task in tasks {
                match task {
                    // It fails when the player has left, and then nobody is interested.
                    CaptainTask::Aim(game, log) => _ = aimed.send(opponent.aim(game, &log)),
                    CaptainTask::Remember(layout) => opponent.remember(&layout),
                }
            }
        });
        (Self { captain, analyst, habits, results }, received)
    }

    /// Has something computed. Fails only when the captain has panicked, which has been printed then, or when a layout can't be
    /// written to its file.
    pub(crate) fn send(&self, request: Request) -> io::Result<()> {
        let (analyst, results) = (self.analyst, self.results.clone());
        match request {
            Request::Aim(game, log) => self.captain.send(CaptainTask::Aim(game, log)).map_err(io::Error::other)?,
            Request::Remember(layout) => {
                self.habits.as_deref().map_or(Ok(()), |path| habits::remember(path, &layout))?;
                self.captain.send(CaptainTask::Remember(layout)).map_err(io::Error::other)?;
            }
            Request::Odds(game, log) => drop(thread::spawn(move || results.send(analyst.odds(game, &log)))),
            Request::Review(game, log) => {
                drop(thread::spawn(move || {
                    analyst.review(game, &log, |event| _ = results.send(event));
                    analyst.judge(game, &log, |event| _ = results.send(event));
                }));
            }
        }
        Ok(())
    }
}
