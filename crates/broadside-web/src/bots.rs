//! Opponents that are programs of somebody else's, and a tournament of theirs to watch. This crate starts no programs: whoever
//! sets the server up gives it something that does.

use std::fmt::Debug;
use std::io;
use std::sync::Arc;

use broadside_rules::{Cell, Layout, Rules, ShotLog};

/// What the name of a bot begins with where captains are named: `bot:mine`.
pub(crate) const PREFIX: &str = "bot:";

/// A program of somebody else's that can be played against.
#[derive(Clone, Debug)]
pub struct ServedBot {
    /// Its name on the page.
    pub name: String,
    /// What asks it.
    pub player: Arc<dyn BotPlayer>,
}

/// Asks a bot. Each question is answered by itself, in bounded time, on a thread that may wait; a few are asked at once.
///
/// A bot that gives an error instead of an answer loses the game.
pub trait BotPlayer: Debug + Send + Sync {
    /// Where it places its ships.
    ///
    /// # Errors
    /// When it has no answer, with the reason in words.
    fn place(&self, rules: &Rules) -> Result<Layout, String>;

    /// Where it fires: all that it may know are its own shots and those at its own ships.
    ///
    /// # Errors
    /// When it has no answer, with the reason in words.
    fn fire(&self, own: &ShotLog, opponents: &ShotLog) -> Result<Cell, String>;
}

/// A page about a tournament that is being played.
pub trait TournamentPage: Debug + Send + Sync {
    /// The page as it is now, as HTML that needs nothing else, and whether it will still change.
    ///
    /// # Errors
    /// When the tournament can't be read.
    fn html(&self) -> io::Result<(String, bool)>;
}

/// The bot that a captain's name means: `None` for captains, and an error for a bot that isn't here.
pub(crate) fn find<'a>(bots: &'a [ServedBot], captain: &str) -> Option<Result<&'a ServedBot, String>> {
    let name = captain.strip_prefix(PREFIX)?;
    Some(bots.iter().find(|bot| bot.name == name).ok_or_else(|| format!("there is no bot ‘{name}’ on this server")))
}
