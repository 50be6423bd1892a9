//! Parts of a campaign, put together.

use sha2::{Digest, Sha256};

use crate::{Checkpoint, CheckpointError, Ranges};

/// Puts parts of a campaign together, in any order: the result is the checkpoint of one run of all their games, to the byte.
///
/// ```
/// use broadside_lab::{Campaign, CampaignConfig, Checkpoint, Layouts, Merge};
/// let config = CampaignConfig { rules: "5x5 3,2 allowed ship".parse()?, games: 100, seed: 1 };
/// let campaign = Campaign::new(config, ["random", "density"], Layouts::Uniform)?;
/// let mut merge = Merge::new();
/// for part in ["60..100", "0..60"] {
///     let mut tally = campaign.start();
///     campaign.play_games(&part.parse()?, &mut tally, |_| false)?;
///     merge.add(part, Checkpoint::new(&campaign, &tally))?;
/// }
/// let whole = merge.finish().expect("there are parts");
/// assert_eq!(whole, Checkpoint::new(&campaign, &campaign.run(|_| {})?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Merge {
    parts: Vec<Part>,
    whole: Option<Checkpoint>,
}

/// What is remembered of a part, to recognise it when it comes again.
#[derive(Debug)]
struct Part {
    name: String,
    games: Ranges,
    digest: [u8; 32],
}

/// Parts that can't be put together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// A part is of another campaign than the first one.
    #[error("{part} doesn't go with {first}")]
    OtherCampaign {
        /// The part.
        part: String,
        /// The first part.
        first: String,
        /// What differs.
        source: CheckpointError,
    },
    /// Two parts have some of the same games, and are not the same.
    #[error("{part} and {other} both have the games {games} and are not the same: leave out one of them")]
    Overlap {
        /// The part.
        part: String,
        /// One that came before.
        other: String,
        /// The games that both have.
        games: Ranges,
    },
}

impl Merge {
    /// Without parts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a part, and says whether it was new: one that has been added before, under whatever name, changes nothing.
    ///
    /// The campaign is as long as the longest that a part belongs to.
    ///
    /// # Errors
    /// When it is of another campaign, or has games of another part without being the same. Nothing is added then.
    pub fn add(&mut self, name: impl Into<String>, part: Checkpoint) -> Result<bool, MergeError> {
        let remembered = Part { name: name.into(), games: part.games().clone(), digest: digest(&part) };
        let is_new = self.whole.as_ref().map_or(Ok(true), |whole| self.check(whole, &remembered, &part))?;
        let games = part.campaign().games;
        let whole = match self.whole.take() {
            None => part,
            Some(mut whole) => {
                if is_new {
                    whole.add(&part);
                }
                whole.of_games_at_least(games)
            }
        };
        self.whole = Some(whole);
        self.parts.extend(is_new.then_some(remembered));
        Ok(is_new)
    }

    /// Whether a part adds something to the whole.
    fn check(&self, whole: &Checkpoint, new: &Part, part: &Checkpoint) -> Result<bool, MergeError> {
        if let Some(source) = part.campaign().difference_of_games(whole.campaign()) {
            return Err(MergeError::OtherCampaign { part: new.name.clone(), first: self.parts[0].name.clone(), source });
        }
        let clashes = |other: &&Part| !other.games.intersection(&new.games).is_empty();
        match self.parts.iter().find(clashes) {
            None => Ok(true),
            Some(other) if other.digest == new.digest => Ok(false),
            Some(other) => {
                let games = other.games.intersection(&new.games);
                Err(MergeError::Overlap { part: new.name.clone(), other: other.name.clone(), games })
            }
        }
    }

    /// All parts so far as one.
    pub fn so_far(&self) -> Option<&Checkpoint> {
        self.whole.as_ref()
    }

    /// All parts as one; `None` if there were none.
    pub fn finish(self) -> Option<Checkpoint> {
        self.whole
    }
}

fn digest(part: &Checkpoint) -> [u8; 32] {
    Sha256::digest(part.tally_text().as_bytes()).into()
}
