//! What the text of a tournament's identity says: enough to make results of its games, without its bots being there.

use broadside_rules::Rules;

use super::config::{Placing, TournamentConfig, TournamentIdentity};
use super::schedule::{Mode, Pairing, Schedule};
use super::sprt::SprtBounds;

/// More players than this can't take part.
pub(crate) const MAX_PLAYERS: usize = 1000;

/// No pair plays more games than this.
const MAX_GAMES: u64 = 1 << 32;

/// Games of a block when it may be stopped early.
const BLOCK: u64 = 20;

/// A tournament without the means to play it.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) identity: TournamentIdentity,
    pub(crate) rules: Rules,
    pub(crate) mode: Mode,
    pub(crate) players: Vec<PlannedPlayer>,
    pub(crate) pairs: Vec<(usize, usize)>,
    /// Whether players place their own ships.
    pub(crate) own: bool,
    pub(crate) sprt: Option<SprtBounds>,
    pub(crate) schedule: Schedule,
}

/// Who takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlannedPlayer {
    pub(crate) name: String,
    pub(crate) is_bot: bool,
}

impl Plan {
    /// The plan of a tournament that can be played.
    pub(crate) fn of(config: &TournamentConfig) -> Self {
        let players = config.players.iter().map(|player| PlannedPlayer { name: player.name.clone(), is_bot: player.is_bot() });
        Self {
            identity: config.identity(),
            rules: config.rules.clone(),
            mode: config.mode,
            players: players.collect(),
            pairs: config.pairs(),
            own: config.placing == Placing::Own,
            sprt: config.sprt,
            schedule: config.schedule(),
        }
    }

    /// The plan of a tournament that was played elsewhere, or what is wrong with its identity.
    pub(crate) fn read(identity: TournamentIdentity) -> Result<Self, &'static str> {
        let rules = identity.rules.parse().map_err(|_| "its rules can't be read")?;
        let mode = *Mode::ALL.iter().find(|mode| mode.word() == identity.mode).ok_or("its mode is unknown")?;
        let pairing = Pairing::ALL.iter().find(|pairing| pairing.word() == identity.pairing).ok_or("its pairing is unknown")?;
        if !(2..=MAX_PLAYERS).contains(&identity.players.len()) || identity.games > MAX_GAMES {
            return Err("it has too many or too few players or games");
        }
        let players: Vec<PlannedPlayer> = identity.players.iter().map(|text| PlannedPlayer::read(text)).collect();
        let bounds = |[low, high]: [f64; 2]| SprtBounds::new(low, high).ok_or("its early stop can't be read");
        let (sprt, own, pairs) =
            (identity.sprt.map(bounds).transpose()?, identity.layouts == "own", pairing.pairs(players.len()));
        let schedule = schedule(mode, &pairs, own, identity.games, sprt.is_some());
        Ok(Self { identity, rules, mode, players, pairs, own, sprt, schedule })
    }

    /// The number of the player of this name.
    pub(crate) fn player(&self, name: &str) -> Option<usize> {
        self.players.iter().position(|player| player.name == name)
    }
}

impl PlannedPlayer {
    /// `NAME` for a captain, `NAME=COMMAND` for a bot.
    fn read(text: &str) -> Self {
        let (name, is_bot) = text.split_once('=').map_or((text, false), |(name, _)| (name, true));
        Self { name: name.to_owned(), is_bot }
    }
}

/// All games; in small blocks if it may be stopped early.
pub(crate) fn schedule(mode: Mode, pairs: &[(usize, usize)], own: bool, games: u64, stops_early: bool) -> Schedule {
    Schedule::new(mode, pairs, own, games, if stops_early { BLOCK } else { games })
}
