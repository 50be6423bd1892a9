//! Whoever sits at the board: a captain or a bot.

#![cfg(unix)]

use broadside_odds::DealError;
use broadside_rules::{Cell, Layout, Rules, Shot, ShotLog};

use crate::{Bot, CaptainPlayer, Forfeit, Outcome};

/// A player who takes part in games now.
pub enum Seat {
    /// A captain of this program.
    Captain(Box<CaptainPlayer>),
    /// A program of somebody else's.
    Bot(Box<Bot>),
}

/// Why a player can't go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SeatError {
    /// A bot has lost the game.
    #[error(transparent)]
    Forfeit(#[from] Forfeit),
    /// The board is too tight for a captain to place its ships.
    #[error(transparent)]
    Deal(#[from] DealError),
}

impl Seat {
    /// Begins a game.
    ///
    /// # Errors
    /// When a bot doesn't take it.
    pub fn start_game(&mut self, rules: &Rules, seed: u64) -> Result<(), Forfeit> {
        match self {
            Self::Captain(captain) => {
                captain.start_game(seed);
                Ok(())
            }
            Self::Bot(bot) => bot.start_game(rules, seed),
        }
    }

    /// Where its ships are.
    ///
    /// # Errors
    /// When a bot gives no legal layout in time, or the board is too tight for a captain.
    pub fn place(&mut self, rules: &Rules) -> Result<Layout, SeatError> {
        match self {
            Self::Captain(captain) => Ok(captain.place()?),
            Self::Bot(bot) => Ok(bot.place(rules)?),
        }
    }

    /// Where it fires.
    ///
    /// # Errors
    /// When a bot gives no cell in time.
    pub fn fire(&mut self, log: &ShotLog) -> Result<Cell, Forfeit> {
        match self {
            Self::Captain(captain) => Ok(captain.fire(log)),
            Self::Bot(bot) => bot.fire(log),
        }
    }

    /// Tells it of a shot at its ships.
    ///
    /// # Errors
    /// When a bot doesn't take it.
    pub fn opponent(&mut self, shot: Shot) -> Result<(), Forfeit> {
        match self {
            Self::Captain(_) => Ok(()),
            Self::Bot(bot) => bot.opponent(shot),
        }
    }

    /// Ends a game that has a result.
    ///
    /// # Errors
    /// When a bot has given answers that nobody asked for.
    pub fn end_game(&mut self) -> Result<(), Forfeit> {
        match self {
            Self::Captain(_) => Ok(()),
            Self::Bot(bot) => bot.end_game(),
        }
    }

    /// Tells it how the game ended.
    pub fn result(&mut self, outcome: Outcome, words: &str) {
        if let Self::Bot(bot) = self {
            bot.result(outcome, words);
        }
    }
}
