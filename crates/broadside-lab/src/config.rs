//! What decides a campaign, and what can be wrong with it.

use broadside_captains::CaptainError;
use broadside_odds::DealError;
use broadside_rules::{Rules, Stopped};

/// The rules of a campaign, its number of games and its seed.
#[derive(Clone, Debug)]
pub struct CampaignConfig {
    /// The rules.
    pub rules: Rules,
    /// How many games.
    pub games: u64,
    /// What the layouts and the captains' random choices derive from.
    pub seed: u64,
}

/// A campaign that can't be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CampaignError {
    /// There is no such captain, or not for these rules.
    #[error(transparent)]
    Captain(#[from] CaptainError),
    /// No captain is given.
    #[error("there is no captain: name at least one")]
    NoCaptains,
    /// A captain is given twice.
    #[error("the captain ‘{0}’ is named twice")]
    DuplicateCaptain(String),
    /// The list of layouts is empty.
    #[error("there is no layout to play on")]
    NoLayouts,
    /// The layouts can't be dealt.
    #[error(transparent)]
    Deal(DealError),
    /// The campaign was asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl From<DealError> for CampaignError {
    fn from(error: DealError) -> Self {
        match error {
            DealError::Stopped(stopped) => Self::Stopped(stopped),
            error => Self::Deal(error),
        }
    }
}
