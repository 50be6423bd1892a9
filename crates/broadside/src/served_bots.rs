//! Bots for the web app, and the tournament that it shows.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use broadside_bots::tournament::{TournamentFolder, TournamentResults};
use broadside_bots::{Bot, BotCommand, BotSettings, Forfeit, Resources, TimeControl};
use broadside_rules::{Cell, Layout, Rules, ShotLog};
use broadside_web::{BotPlayer, Config, ServedBot, TournamentPage};

use crate::bots::{self, NamedBot};
use crate::exit::Failure;

/// How long a bot of the web app may think: a person waits.
const MOVETIME: Duration = Duration::from_secs(5);
/// Its memory.
const MEMORY: u64 = 256 << 20;

/// Two bots of one name, or a folder without a tournament.
#[derive(Debug, thiserror::Error)]
enum ServedError {
    #[error("two bots are called ‘{0}’: give one another name with --bot NAME=COMMAND")]
    SameName(String),
    #[error("there is no tournament in {}: give the folder of ‘broadside tournament --out’", .0.display())]
    NoTournament(PathBuf),
}

/// Adds bots and a tournament to what a server has. Says what the bots are kept from.
pub(crate) fn add(config: &mut Config, named: &[NamedBot], tournament: Option<&Path>) -> Result<(), Failure> {
    for (i, bot) in named.iter().enumerate() {
        if named[..i].iter().any(|other| other.name == bot.name) {
            return Err(Failure::bad_request(ServedError::SameName(bot.name.clone())));
        }
    }
    if let Some(path) = tournament {
        if !TournamentFolder::is_one(path) || !path.is_dir() {
            return Err(Failure::bad_request(ServedError::NoTournament(path.to_owned())));
        }
        config.tournament = Some(Arc::new(WatchedFolder(path.to_owned())));
    }
    if !named.is_empty() {
        let time = TimeControl { movetime: MOVETIME, ..TimeControl::default() };
        let resources = Resources { memory: MEMORY, ..Resources::default() };
        let settings = BotSettings { launcher: bots::launcher(), time, resources, cores: Vec::new() };
        anstream::eprintln!("{}", settings.launcher.protection());
        config.bots = named.iter().map(|bot| served(bot, &settings)).collect();
    }
    Ok(())
}

fn served(bot: &NamedBot, settings: &BotSettings) -> ServedBot {
    let process = OneAnswer { command: bot.command.clone(), settings: settings.clone() };
    ServedBot { name: bot.name.clone(), player: Arc::new(process) }
}

/// Starts a bot for each answer, in the sandbox that it has in tournaments. A bot needs no memory of the game: it is told
/// everything each time. So nothing of it is there while people think.
#[derive(Debug)]
struct OneAnswer {
    command: BotCommand,
    settings: BotSettings,
}

impl OneAnswer {
    fn ask<T>(&self, rules: &Rules, question: impl FnOnce(&mut Bot) -> Result<T, Forfeit>) -> Result<T, String> {
        let mut bot = Bot::start(&self.command, &self.settings).map_err(|(forfeit, _)| forfeit.to_string())?;
        let answer = bot.start_game(rules, rand::random()).and_then(|()| question(&mut bot));
        bot.kill();
        answer.map_err(|forfeit| forfeit.to_string())
    }
}

impl BotPlayer for OneAnswer {
    fn place(&self, rules: &Rules) -> Result<Layout, String> {
        self.ask(rules, |bot| bot.place(rules))
    }

    fn fire(&self, own: &ShotLog, opponents: &ShotLog) -> Result<Cell, String> {
        self.ask(own.rules(), |bot| {
            opponents.shots().iter().try_for_each(|shot| bot.opponent(*shot))?;
            bot.fire(own)
        })
    }
}

/// The folder of a tournament, which may still be played. Its games are over: nothing in it is hidden from anybody.
#[derive(Debug)]
struct WatchedFolder(PathBuf);

impl TournamentPage for WatchedFolder {
    fn html(&self) -> io::Result<(String, bool)> {
        let (results, goes_on) = TournamentResults::so_far(&self.0).map_err(io::Error::other)?;
        Ok((results.page(), goes_on))
    }
}
