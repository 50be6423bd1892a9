//! A game of a tournament as a line of JSON.

use broadside_rules::{GameRecord, RecordError, Rules};
use serde::{Deserialize, Serialize};

/// A game of a tournament. A file has one a line, in the order of their numbers.
///
/// Nothing in it depends on time or on the machine, so the same tournament gives the same lines, unless a bot does otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameLine {
    /// Its number in the tournament.
    pub number: u64,
    /// Its number among the games of the same players.
    pub game: u64,
    /// Who fired, by name: alone, or the one who fired first and the other.
    pub players: Vec<String>,
    /// Who placed the ships that a single player fired at, if a player did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hider: Option<String>,
    /// The layout that each player fired at; empty if it was never placed.
    pub targets: Vec<String>,
    /// The shots of each player, with their answers.
    pub shots: Vec<String>,
    /// The name of the winner of a duel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<String>,
    /// Who lost by a fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<ForfeitLine>,
}

/// A fault that cost a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForfeitLine {
    /// Whose fault.
    pub player: String,
    /// What kind of fault, in a word.
    pub kind: String,
    /// What happened.
    pub reason: String,
}

impl GameLine {
    /// How many shots a player took.
    pub fn shots_of(&self, player: usize) -> usize {
        self.shots.get(player).map_or(0, |shots| shots.split_whitespace().count())
    }

    /// The game of one player, to be replayed or reviewed.
    ///
    /// # Errors
    /// When the line is damaged, or the player has never fired at anything.
    pub fn record(&self, rules: &Rules, player: usize) -> Result<GameRecord, RecordError> {
        let part = |texts: &[String]| texts.get(player).cloned().unwrap_or_default();
        format!("{rules} | {} | {}", part(&self.targets), part(&self.shots)).parse()
    }

    /// The line, with its end.
    ///
    /// # Panics
    /// Never: all in it can be written as JSON.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("numbers and texts") + "\n"
    }
}
