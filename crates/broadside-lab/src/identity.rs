//! What decides the games of a campaign.

use std::fmt::Display;

use serde::{Deserialize, Serialize};

use crate::{Campaign, CheckpointError};

/// What decides the games of a campaign: two with the same identity have the same results.
///
/// The number of games is part of it, since results depend on it. A single game doesn't: game `i` is the same in a campaign of
/// any length, so parts may be put together whose campaigns differ in nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The version of this program, since captains may change.
    pub version: String,
    /// The rules.
    pub rules: String,
    /// The seed.
    pub seed: u64,
    /// How many games.
    pub games: u64,
    /// Where the layouts come from.
    pub layouts: String,
    /// Who plays.
    pub captains: Vec<String>,
}

impl Identity {
    /// The identity of a campaign.
    pub(crate) fn new(campaign: &Campaign) -> Self {
        let config = campaign.config();
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            rules: config.rules.to_string(),
            seed: config.seed,
            games: config.games,
            layouts: campaign.layouts().to_string(),
            captains: campaign.captains().map(str::to_owned).collect(),
        }
    }

    /// The first thing in which the campaign asked for differs.
    pub(crate) fn difference(&self, asked: &Self) -> Option<CheckpointError> {
        self.difference_of_games(asked).or_else(|| differs("number of games", &self.games, &asked.games))
    }

    /// The first thing in which the games of the campaign asked for differ, however many they are.
    pub fn difference_of_games(&self, asked: &Self) -> Option<CheckpointError> {
        let unknown = || CheckpointError::Damaged("its campaign is described in an unknown way");
        differs("program's version", &self.version, &asked.version)
            .or_else(|| differs("rules", &self.rules, &asked.rules))
            .or_else(|| differs("captains", &self.captains.join(" "), &asked.captains.join(" ")))
            .or_else(|| differs("seed", &self.seed, &asked.seed))
            .or_else(|| differs("layouts", &self.layouts, &asked.layouts))
            // Texts may differ past what a message shows.
            .or_else(|| (Self { games: asked.games, ..self.clone() } != *asked).then(unknown))
    }
}

fn differs(what: &'static str, theirs: &dyn Display, asked: &dyn Display) -> Option<CheckpointError> {
    let (theirs, ours) = (excerpt(theirs), excerpt(asked));
    (theirs != ours).then_some(CheckpointError::OtherCampaign { what, theirs, ours })
}

/// A part of a text short enough for a message, without control characters.
pub(crate) fn excerpt(text: &dyn Display) -> String {
    text.to_string().chars().take(200).flat_map(char::escape_debug).collect()
}
