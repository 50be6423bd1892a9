//! Saving the tally of a campaign, so that it can be resumed.
//!
//! Three lines of text: the name and version of the format, the campaign and its tally as JSON, and a checksum of
//! both. Whatever can't be relied on is refused with the reason.

use std::fmt::Display;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Campaign, Histogram, Tally, hex};

/// The first word of every version of the format.
const NAME: &str = "broadside-checkpoint";

/// The version of the format: a new number for every change.
const FORMAT: &str = "1";

/// What decides the games of a campaign: two with the same identity have the same results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    /// The version of this program, since captains may change.
    pub(crate) version: String,
    /// The rules.
    pub(crate) rules: String,
    /// The seed.
    pub(crate) seed: u64,
    /// How many games.
    pub(crate) games: u64,
    /// Where the layouts come from.
    pub(crate) layouts: String,
    /// Who plays.
    pub(crate) captains: Vec<String>,
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

    /// The first thing in which another identity differs.
    fn difference(&self, other: &Self) -> Option<CheckpointError> {
        let differs = |what, theirs: &dyn Display, ours: &dyn Display| {
            let (theirs, ours) = (excerpt(theirs), excerpt(ours));
            (theirs != ours).then_some(CheckpointError::OtherCampaign { what, theirs, ours })
        };
        differs("program's version", &self.version, &other.version)
            .or_else(|| differs("rules", &self.rules, &other.rules))
            .or_else(|| differs("captains", &self.captains.join(" "), &other.captains.join(" ")))
            .or_else(|| differs("seed", &self.seed, &other.seed))
            .or_else(|| differs("number of games", &self.games, &other.games))
            .or_else(|| differs("layouts", &self.layouts, &other.layouts))
            .or_else(|| (self != other).then_some(CheckpointError::Damaged("its campaign is described in an unknown way")))
    }
}

/// A part of a text short enough for a message, without control characters.
fn excerpt(text: &dyn Display) -> String {
    text.to_string().chars().take(200).flat_map(char::escape_debug).collect()
}

/// A text that no campaign can be resumed from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// It is something else.
    #[error("it is not a checkpoint of broadside")]
    NotACheckpoint,
    /// It is of a format that this program doesn't know.
    #[error("its format has version {}, and this program reads version {FORMAT}", excerpt(.0))]
    Format(String),
    /// It isn't as it was written.
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
    /// It is of another campaign.
    #[error("it is of another campaign: its {what}: {theirs}; asked for: {ours}")]
    OtherCampaign {
        /// What differs.
        what: &'static str,
        /// The checkpoint's.
        theirs: String,
        /// That of the campaign at hand.
        ours: String,
    },
}

/// A saved tally, with the campaign that it belongs to.
///
/// ```
/// use broadside_lab::{CampaignConfig, Checkpoint, Campaign, Layouts};
/// let config = CampaignConfig { rules: "5x5 3,2 allowed ship".parse()?, games: 100, seed: 1 };
/// let campaign = Campaign::new(config, ["random", "density"], Layouts::Uniform)?;
/// let mut tally = campaign.start();
/// campaign.play(&mut tally, |_| true)?;
/// let text = Checkpoint::new(&campaign, &tally).to_text();
/// assert_eq!(Checkpoint::parse(&text)?.tally(&campaign)?, tally);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    campaign: Identity,
    played: u64,
    shots: Vec<Vec<u64>>,
    differences: Vec<Vec<u64>>,
}

impl Checkpoint {
    /// The checkpoint of a campaign with this tally.
    pub fn new(campaign: &Campaign, tally: &Tally) -> Self {
        let counts = |histogram: &Histogram| histogram.counts().map(|(_, count)| count).collect();
        Self {
            campaign: Identity::new(campaign),
            played: tally.played(),
            shots: tally.shots().iter().map(counts).collect(),
            differences: tally.differences().iter().map(counts).collect(),
        }
    }

    /// Whether all games had been played.
    pub fn is_finished(&self) -> bool {
        self.played == self.campaign.games
    }

    /// The checkpoint as text.
    ///
    /// # Panics
    /// Never: it has nothing in it that JSON hasn't.
    pub fn to_text(&self) -> String {
        let body = serde_json::to_string(self).expect("numbers and texts");
        let text = format!("{NAME} {FORMAT}\n{body}\n");
        let sum = checksum(&text);
        text + &sum + "\n"
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// When the text is none, of another version of the format, or not as it was written.
    pub fn parse(text: &str) -> Result<Self, CheckpointError> {
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let version = first.strip_prefix(NAME).and_then(|rest| rest.strip_prefix(' ')).ok_or(CheckpointError::NotACheckpoint)?;
        if version != FORMAT {
            return Err(CheckpointError::Format(version.to_owned()));
        }
        let damaged = CheckpointError::Damaged;
        let (body, sum) = rest.split_once('\n').ok_or(damaged("it ends too early"))?;
        let whole = &text[..first.len() + body.len() + 2];
        if sum != checksum(whole) + "\n" {
            return Err(damaged("its checksum is wrong"));
        }
        serde_json::from_str(body).map_err(|_| damaged("its contents can't be read"))
    }

    /// The tally to resume from.
    ///
    /// # Errors
    /// When the checkpoint is of another campaign, or its numbers can't be those of any.
    pub fn tally(&self, campaign: &Campaign) -> Result<Tally, CheckpointError> {
        if let Some(error) = self.campaign.difference(&Identity::new(campaign)) {
            return Err(error);
        }
        let empty = campaign.start();
        let (shots, differences) = (self.fill(&self.shots, empty.shots()), self.fill(&self.differences, empty.differences()));
        let whole = shots.zip(differences).filter(|_| self.played <= self.campaign.games);
        let (shots, differences) = whole.ok_or(CheckpointError::Damaged("its numbers don't belong together"))?;
        Ok(Tally::from_parts(self.played, shots, differences))
    }

    /// Histograms of these shapes with these counts, if each counts all games once.
    fn fill(&self, counts: &[Vec<u64>], shapes: &[Histogram]) -> Option<Vec<Histogram>> {
        let fill = |(counts, shape): (&Vec<u64>, &Histogram)| {
            let total = counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
            let first = shape.counts().next().map(|(number, _)| number)?;
            let fits = counts.len() == shape.counts().count() && total == Some(self.played);
            fits.then(|| Histogram::from_counts(first, counts.clone()))
        };
        (counts.len() == shapes.len()).then(|| counts.iter().zip(shapes).map(fill).collect::<Option<_>>())?
    }
}

fn checksum(text: &str) -> String {
    format!("sha256 {}", hex(&Sha256::digest(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CampaignConfig, Layouts};

    fn campaign(games: u64, seed: u64, rules: &str, names: &[&str], layouts: Layouts) -> Campaign {
        let config = CampaignConfig { rules: rules.parse().unwrap(), games, seed };
        Campaign::new(config, names.iter().copied(), layouts).unwrap()
    }

    fn small() -> (Campaign, Tally) {
        let campaign = campaign(100, 1, "3x3 2 allowed ship", &["random", "density"], Layouts::Uniform);
        let mut tally = campaign.start();
        campaign.play(&mut tally, |_| true).unwrap();
        (campaign, tally)
    }

    /// The text with its body changed and the checksum made right again.
    fn forged(text: &str, from: &str, to: &str) -> String {
        let body = text.replacen(from, to, 1);
        assert_ne!(body, text, "{from} is there");
        let end = body.trim_end().rfind('\n').unwrap() + 1;
        format!("{}{}\n", &body[..end], checksum(&body[..end]))
    }

    #[test]
    fn a_tally_comes_back_as_it_was() {
        let (campaign, tally) = small();
        let checkpoint = Checkpoint::new(&campaign, &tally);
        let read = Checkpoint::parse(&checkpoint.to_text()).unwrap();
        assert_eq!(read, checkpoint);
        assert_eq!(read.tally(&campaign), Ok(tally));
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_noticed() {
        let (campaign, tally) = small();
        let text = Checkpoint::new(&campaign, &tally).to_text();
        for cut in 0..text.len() {
            assert!(Checkpoint::parse(&text[..cut]).is_err(), "cut at {cut}");
        }
        for at in 0..text.len() {
            for bit in 0..8 {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                assert!(String::from_utf8(bytes).map_or(true, |text| Checkpoint::parse(&text).is_err()), "bit {bit} at {at}");
            }
        }
        assert!(Checkpoint::parse(&(text + "more")).is_err());
    }

    #[test]
    fn another_campaign_is_refused_with_what_differs() {
        let (small, tally) = small();
        let checkpoint = Checkpoint::new(&small, &tally);
        let uniform = || Layouts::Uniform;
        let rules = "3x3 2 allowed ship";
        let names = &["random", "density"][..];
        for (what, other) in [
            ("number of games", campaign(99, 1, rules, names, uniform())),
            ("seed", campaign(100, 2, rules, names, uniform())),
            ("rules", campaign(100, 1, "3x3 2 allowed bare", names, uniform())),
            ("captains", campaign(100, 1, rules, &["density", "random"], uniform())),
            ("layouts", campaign(100, 1, rules, names, Layouts::Sequential)),
        ] {
            let error = checkpoint.tally(&other).unwrap_err();
            assert!(matches!(&error, CheckpointError::OtherCampaign { what: found, .. } if *found == what), "{error}");
        }
    }

    #[test]
    fn other_versions_are_refused() {
        let (campaign, tally) = small();
        let text = Checkpoint::new(&campaign, &tally).to_text();
        let format = Checkpoint::parse(&forged(&text, "checkpoint 1", "checkpoint 2"));
        assert_eq!(format, Err(CheckpointError::Format("2".to_owned())));
        let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
        let other = Checkpoint::parse(&forged(&text, &version, "\"version\":\"0.0.0\"")).unwrap();
        let error = other.tally(&campaign).unwrap_err();
        assert!(error.to_string().contains("program's version: 0.0.0; asked for: "), "{error}");
    }

    #[test]
    fn numbers_that_do_not_belong_together_are_refused_even_with_a_right_checksum() {
        let (campaign, tally) = small();
        let text = Checkpoint::new(&campaign, &tally).to_text();
        for (from, to) in [
            ("\"played\":", "\"played\":1"),
            ("\"shots\":[[0,", "\"shots\":[[1,"),
            ("\"shots\":[[0,", "\"shots\":[[18446744073709551615,"),
            ("\"shots\":[[0,", "\"shots\":[[0,0,"),
            ("\"differences\":[[", "\"differences\":[[],["),
        ] {
            let read = Checkpoint::parse(&forged(&text, from, to)).unwrap();
            assert!(matches!(read.tally(&campaign), Err(CheckpointError::Damaged(_))), "{to}");
        }
        let unreadable = Checkpoint::parse(&forged(&text, "\"played\":", "\"played\":-"));
        assert_eq!(unreadable, Err(CheckpointError::Damaged("its contents can't be read")));
        for alien in ["", "\n", "hello", "broadside-checkpoint"] {
            assert_eq!(Checkpoint::parse(alien), Err(CheckpointError::NotACheckpoint));
        }
    }
}
