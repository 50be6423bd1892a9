//! What decides a tournament.

use broadside_captains::{CaptainError, Registry};
use broadside_lab::Layouts;
use broadside_odds::DealError;
use broadside_rules::{Rules, Turns};
use serde::{Deserialize, Serialize};

use super::plan::{self, MAX_PLAYERS};
use super::schedule::{Mode, Pairing, Schedule};
use super::sprt::SprtBounds;
use crate::BotCommand;

/// Who takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The name in tables.
    pub name: String,
    /// What it is.
    pub kind: PlayerKind,
}

/// What a player is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayerKind {
    /// A captain of this program.
    Captain,
    /// A program of somebody else's.
    Bot(BotCommand),
}

impl Player {
    /// The captain of this name.
    pub fn captain(name: impl Into<String>) -> Self {
        Self { name: name.into(), kind: PlayerKind::Captain }
    }

    /// A bot under this name.
    pub fn bot(name: impl Into<String>, command: BotCommand) -> Self {
        Self { name: name.into(), kind: PlayerKind::Bot(command) }
    }

    /// Whether it is a program of somebody else's.
    pub fn is_bot(&self) -> bool {
        matches!(self.kind, PlayerKind::Bot(_))
    }

    fn description(&self) -> String {
        match &self.kind {
            PlayerKind::Captain => self.name.clone(),
            PlayerKind::Bot(command) => format!("{}={command}", self.name),
        }
    }
}

/// Who places the ships.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placing {
    /// The referee.
    Dealt(Layouts),
    /// Every player its own.
    Own,
}

/// A tournament before it is played.
#[derive(Clone, Debug)]
pub struct TournamentConfig {
    /// The rules.
    pub rules: Rules,
    /// Who takes part.
    pub players: Vec<Player>,
    /// What is played.
    pub mode: Mode,
    /// Who fires after a shot in a duel.
    pub turns: Turns,
    /// Who meets whom.
    pub pairing: Pairing,
    /// Who places the ships.
    pub placing: Placing,
    /// How many games a pair plays.
    pub games: u64,
    /// What layouts and players' random choices derive from. Bots can't find it out from the seeds that they are given.
    pub seed: u64,
    /// When to stop early; only for two players.
    pub sprt: Option<SprtBounds>,
}

/// A tournament that can't be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TournamentError {
    /// Too few players.
    #[error("a tournament needs two players: name bots with --bot and captains with --captain")]
    TooFew,
    /// Too many players.
    #[error("a tournament has at most {MAX_PLAYERS} players: play those who matter against each other")]
    TooMany,
    /// A bot's name can't be told from its command.
    #[error("a bot can't be called ‘{0}’: give it a name without ‘=’, with --bot NAME=COMMAND")]
    BotName(String),
    /// Two players of one name.
    #[error("two players are called ‘{0}’: give a bot another name with --bot NAME=COMMAND")]
    SameName(String),
    /// There is no such captain, or not for these rules.
    #[error(transparent)]
    Captain(#[from] CaptainError),
    /// The layouts can't be dealt.
    #[error(transparent)]
    Deal(#[from] DealError),
    /// The list of layouts is empty.
    #[error("there is no layout to play on")]
    NoLayouts,
    /// Duels come in pairs.
    #[error("the number of games in duels must be even, since both players fire first equally often")]
    OddGames,
    /// More than one pair.
    #[error("stopping early is for two players: play one pair at a time with --sprt")]
    SprtPairs,
    /// The system is not one on which bots can be run.
    #[error("bots need a Unix system")]
    Unsupported,
}

/// What decides the games of a tournament, as text: two with the same identity have the same results, if their bots do the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TournamentIdentity {
    /// The version of this program.
    pub version: String,
    /// The rules.
    pub rules: String,
    /// The players, bots with their commands.
    pub players: Vec<String>,
    /// `solo` or `duel`.
    pub mode: String,
    /// How turns are taken.
    pub turns: String,
    /// Who meets whom.
    pub pairing: String,
    /// Who places the ships.
    pub layouts: String,
    /// Games for each pair.
    pub games: u64,
    /// The seed.
    pub seed: u64,
    /// The bounds of the early stop.
    pub sprt: Option<[f64; 2]>,
}

impl TournamentIdentity {
    /// The first thing in which it differs from another, with its own value and the other's.
    pub(crate) fn difference(&self, other: &Self) -> Option<(String, String, String)> {
        let fields = |identity: &Self| serde_json::to_value(identity).unwrap_or_default();
        let (there, here) = (fields(self), fields(other));
        let differs = there.as_object().into_iter().flatten().find(|(name, value)| here.get(name.as_str()) != Some(value));
        differs.map(|(name, value)| (name.clone(), value.to_string(), here[name.as_str()].to_string()))
    }
}

impl TournamentConfig {
    /// Checks what can be checked before the first game.
    pub(crate) fn check(&self, registry: &Registry) -> Result<(), TournamentError> {
        if self.players.len() < 2 {
            return Err(TournamentError::TooFew);
        }
        if self.players.len() > MAX_PLAYERS {
            return Err(TournamentError::TooMany);
        }
        for (i, player) in self.players.iter().enumerate() {
            if self.players[..i].iter().any(|other| other.name == player.name) {
                return Err(TournamentError::SameName(player.name.clone()));
            }
            match player.kind {
                PlayerKind::Captain => drop(registry.captain(&player.name, &self.rules)?),
                PlayerKind::Bot(_) if cfg!(not(unix)) => return Err(TournamentError::Unsupported),
                PlayerKind::Bot(_) if player.name.contains('=') => return Err(TournamentError::BotName(player.name.clone())),
                PlayerKind::Bot(_) => {}
            }
        }
        if matches!(&self.placing, Placing::Dealt(Layouts::Listed(layouts)) if layouts.is_empty()) {
            return Err(TournamentError::NoLayouts);
        }
        if self.mode == Mode::Duel && self.games % 2 == 1 {
            return Err(TournamentError::OddGames);
        }
        if self.sprt.is_some() && self.pairs().len() != 1 {
            return Err(TournamentError::SprtPairs);
        }
        Ok(())
    }

    /// Who meets whom, by their numbers.
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        self.pairing.pairs(self.players.len())
    }

    /// All games.
    pub fn schedule(&self) -> Schedule {
        plan::schedule(self.mode, &self.pairs(), self.placing == Placing::Own, self.games, self.sprt.is_some())
    }

    /// What decides the games.
    pub fn identity(&self) -> TournamentIdentity {
        let layouts = match &self.placing {
            Placing::Dealt(layouts) => layouts.to_string(),
            Placing::Own => "own".to_owned(),
        };
        TournamentIdentity {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            rules: self.rules.to_string(),
            players: self.players.iter().map(Player::description).collect(),
            mode: self.mode.word().to_owned(),
            turns: self.turns.to_string(),
            pairing: self.pairing.word().to_owned(),
            layouts,
            games: self.games,
            seed: self.seed,
            sprt: self.sprt.map(|bounds| [bounds.low, bounds.high]),
        }
    }
}
