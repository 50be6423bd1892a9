//! The terminal game.
//!
//! Everything that happens is an [`Event`]; a [`Game`] takes it and says what it needs computed ([`Wish`]), which the
//! thinker does beside the screen and sends back as another event. Drawing is a function of the game and the size of the
//! terminal. So all of it but the loop below can be tested without a terminal.

mod afterwards;
mod battle;
mod game;
mod geometry;
mod keys;
mod placing;
#[cfg(test)]
mod tests;
mod thinker;
mod view;

use std::io;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use broadside_captains::Captain;
use broadside_rules::{Rules, Turns};
use crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use crossterm::execute;
use ratatui::DefaultTerminal;
use ratatui::layout::Rect;

use game::Game;
use geometry::Geometry;

pub(crate) use game::{Event, Wish};

/// What is played, against whom.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) rules: Rules,
    pub(crate) turns: Turns,
    pub(crate) captain: String,
    pub(crate) seed: u64,
}

/// How long to wait for a key before looking for results.
const TICK: Duration = Duration::from_millis(40);

/// Plays on this terminal until the player leaves.
pub(crate) fn run(setup: Setup, captain: Box<dyn Captain>) -> io::Result<()> {
    let (wishes, results) = thinker::start(captain, setup.seed);
    let mut game = Game::new(setup);
    let mut terminal = ratatui::try_init()?;
    // Without a mouse the game is as playable.
    _ = execute!(io::stdout(), EnableMouseCapture);
    let ended = turn_events_into_states(&mut terminal, &mut game, &wishes, &results);
    _ = execute!(io::stdout(), DisableMouseCapture);
    ratatui::try_restore()?;
    ended
}

fn turn_events_into_states(
    terminal: &mut DefaultTerminal,
    game: &mut Game,
    wishes: &std::sync::mpsc::Sender<Wish>,
    results: &Receiver<Event>,
) -> io::Result<()> {
    while !game.is_done() {
        terminal.draw(|frame| view::draw(frame, game))?;
        for event in next_events(terminal, game, results)? {
            for wish in game.update(event) {
                // Sending fails only when the thinker has died, whose panic has been shown then.
                wishes.send(wish).map_err(io::Error::other)?;
            }
        }
    }
    Ok(())
}

/// What has happened since: results first, then keys and the mouse.
fn next_events(terminal: &DefaultTerminal, game: &Game, results: &Receiver<Event>) -> io::Result<Vec<Event>> {
    let mut events: Vec<Event> = results.try_iter().collect();
    let wait = if events.is_empty() { TICK } else { Duration::ZERO };
    if event::poll(wait)? {
        let geometry = Geometry::of(Rect::from((ratatui::layout::Position::ORIGIN, terminal.size()?)), game);
        events.extend(keys::input(&event::read()?, &geometry).map(Event::Input));
    }
    Ok(events)
}
