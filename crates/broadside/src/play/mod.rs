//! The terminal game.
//!
//! Everything that happens is an [`Event`]. A [`Game`] takes it and returns what it needs computed, as [`Request`]s; other
//! threads compute that and send the result back as another event. Drawing is a function of the game and the size of the
//! terminal. So all of it but the loop below can be tested without a terminal.

mod battle;
mod game;
mod geometry;
mod keys;
mod placing;
mod review;
#[cfg(test)]
mod tests;
mod view;
mod worker;

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use broadside_captains::Captain;
use broadside_odds::Budget;
use broadside_rules::{Rules, Turns};
use crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use crossterm::execute;
use ratatui::DefaultTerminal;
use ratatui::layout::Rect;

use game::Game;
use geometry::Geometry;
use worker::{Analyst, Opponent, Workers};

pub(crate) use game::{Event, Request};

/// What is played, against whom.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) rules: Rules,
    pub(crate) turns: Turns,
    pub(crate) captain: String,
    pub(crate) seed: u64,
    /// Where the player's layouts are remembered.
    pub(crate) habits: Option<PathBuf>,
}

/// How long to wait for a key before looking for results.
const TICK: Duration = Duration::from_millis(40);

/// Plays on this terminal until the player leaves.
pub(crate) fn run(setup: Setup, captain: Box<dyn Captain>) -> io::Result<()> {
    let (opponent, analyst) = (Opponent::new(captain, setup.seed), Analyst::new(setup.seed, Budget::default()));
    let (workers, results) = Workers::start(opponent, analyst, setup.habits.clone());
    let mut game = Game::new(setup);
    let mut terminal = ratatui::try_init()?;
    // Without a mouse the game is as playable.
    _ = execute!(io::stdout(), EnableMouseCapture);
    let result = event_loop(&mut terminal, &mut game, &workers, &results);
    _ = execute!(io::stdout(), DisableMouseCapture);
    ratatui::try_restore()?;
    result
}

fn event_loop(terminal: &mut DefaultTerminal, game: &mut Game, workers: &Workers, results: &Receiver<Event>) -> io::Result<()> {
    while !game.is_done() {
        terminal.draw(|frame| view::draw(frame, game))?;
        for event in next_events(terminal, game, results)? {
            for request in game.update(event) {
                workers.send(request)?;
            }
        }
    }
    Ok(())
}

/// The events since the last call: results first, then keys and the mouse.
fn next_events(terminal: &DefaultTerminal, game: &Game, results: &Receiver<Event>) -> io::Result<Vec<Event>> {
    let mut events: Vec<Event> = results.try_iter().collect();
    let wait = if events.is_empty() { TICK } else { Duration::ZERO };
    if event::poll(wait)? {
        let geometry = Geometry::new(Rect::from((ratatui::layout::Position::ORIGIN, terminal.size()?)), game);
        events.extend(keys::input(&event::read()?, &geometry).map(Event::Input));
    }
    Ok(events)
}
