//! Saving the tally of a campaign, or of a part of it, so that it can be resumed or put together with others.
//!
//! The contents of a [`TextFormat`]: the campaign, the games that were played, and what they have shown. Whatever can't be
//! relied on is refused with the reason.

use broadside_rules::Rules;
use serde::{Deserialize, Serialize};

use crate::identity::excerpt;
use crate::{Campaign, Histogram, Identity, Ranges, Results, Tally, TextFormat, pairs};

/// The file. Version 1 had only the number of games, which were the first ones.
const FORMAT: TextFormat = TextFormat { name: "broadside-checkpoint", versions: &["1", "2"] };

/// A text that no campaign can be resumed from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// It is something else.
    #[error("it is not a checkpoint of broadside")]
    NotACheckpoint,
    /// It is of a format that this program doesn't know.
    #[error("its format has version {}, which this program doesn't know", excerpt(.0))]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    campaign: Identity,
    rules: Rules,
    tally: Tally,
}

/// A checkpoint as it is written.
#[derive(Serialize, Deserialize)]
struct Contents {
    campaign: Identity,
    games: Ranges,
    shots: Vec<Vec<u64>>,
    differences: Vec<Vec<u64>>,
}

/// A checkpoint as version 1 was written.
#[derive(Deserialize)]
struct FirstContents {
    campaign: Identity,
    played: u64,
    shots: Vec<Vec<u64>>,
    differences: Vec<Vec<u64>>,
}

impl From<FirstContents> for Contents {
    fn from(FirstContents { campaign, played, shots, differences }: FirstContents) -> Self {
        Self { campaign, games: (0..played).into(), shots, differences }
    }
}

impl Checkpoint {
    /// The checkpoint of a campaign with this tally.
    pub fn new(campaign: &Campaign, tally: &Tally) -> Self {
        Self { campaign: Identity::new(campaign), rules: campaign.config().rules.clone(), tally: tally.clone() }
    }

    /// Whose tally it is.
    pub fn campaign(&self) -> &Identity {
        &self.campaign
    }

    /// The rules of the campaign.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Which games had been played.
    pub fn games(&self) -> &Ranges {
        self.tally.games()
    }

    /// Which games of the campaign are missing.
    pub fn missing(&self) -> Ranges {
        self.games().missing_from(0..self.campaign.games)
    }

    /// Whether all games had been played.
    pub fn is_finished(&self) -> bool {
        self.missing().is_empty()
    }

    /// The results of the games that had been played.
    pub fn results(&self) -> Results {
        Results::of(&self.campaign, &self.rules, &self.tally)
    }

    /// The checkpoint as text.
    pub fn to_text(&self) -> String {
        FORMAT.write(&self.contents())
    }

    fn contents(&self) -> Contents {
        let counts = |histogram: &Histogram| histogram.counts().map(|(_, count)| count).collect();
        Contents {
            campaign: self.campaign.clone(),
            games: self.games().clone(),
            shots: self.tally.shots().iter().map(counts).collect(),
            differences: self.tally.differences().iter().map(counts).collect(),
        }
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// When the text is none, of another version of the format, or not as it was written, or when its numbers can't be those
    /// of any campaign.
    pub fn parse(text: &str) -> Result<Self, CheckpointError> {
        let (version, contents) = FORMAT.read(text)?;
        let read = match version {
            "1" => serde_json::from_str::<FirstContents>(contents).map(Contents::from),
            _ => serde_json::from_str(contents),
        };
        let contents = read.map_err(|_| CheckpointError::Damaged("its contents can't be read"))?;
        Self::from_contents(contents).ok_or(CheckpointError::Damaged("its numbers don't belong together"))
    }

    fn from_contents(contents: Contents) -> Option<Self> {
        let Contents { campaign, games, shots, differences } = contents;
        let rules = Rules::from_stored(&campaign.rules).ok()?;
        let (captains, played, cells) = (campaign.captains.len(), games.len(), crate::tally::most_shots(&rules));
        if captains == 0
            || shots.len() != captains
            || differences.len() != pairs(captains).count()
            || games.end() > campaign.games
        {
            return None;
        }
        let shots = histograms(shots, 0, cells, played)?;
        let differences = histograms(differences, -cells, cells, played)?;
        Some(Self { campaign, rules, tally: Tally::from_parts(games, shots, differences) })
    }

    /// The tally to resume from.
    ///
    /// # Errors
    /// When the checkpoint is of another campaign.
    pub fn tally(&self, campaign: &Campaign) -> Result<Tally, CheckpointError> {
        match self.campaign.difference(&Identity::new(campaign)) {
            Some(error) => Err(error),
            None => Ok(self.tally.clone()),
        }
    }

    /// The same games as a part of a campaign of at least so many.
    #[must_use]
    pub fn of_games_at_least(self, games: u64) -> Self {
        Self { campaign: Identity { games: games.max(self.campaign.games), ..self.campaign }, ..self }
    }

    /// Adds other games of the same campaign.
    pub(crate) fn add(&mut self, other: &Self) {
        self.tally.merge(&other.tally);
    }

    /// The games and what they have shown, without the campaign: the same for two parts that say the same.
    pub(crate) fn tally_text(&self) -> String {
        let Contents { games, shots, differences, .. } = self.contents();
        serde_json::to_string(&(games, shots, differences)).expect("numbers")
    }
}

/// Histograms of this range with these counts, if each counts all games once.
fn histograms(counts: Vec<Vec<u64>>, smallest: i64, largest: i64, played: u64) -> Option<Vec<Histogram>> {
    let histogram = |counts: Vec<u64>| {
        let total = counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
        let fits = counts.len().cast_signed() as i64 == largest - smallest + 1 && total == Some(played);
        fits.then(|| Histogram::from_counts(smallest, counts))
    };
    counts.into_iter().map(histogram).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text_format::checksum;
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
        let format = Checkpoint::parse(&forged(&text, "checkpoint 2", "checkpoint 3"));
        assert_eq!(format, Err(CheckpointError::Format("3".to_owned())));
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
            ("\"games\":[[0,", "\"games\":[[1,"),
            ("\"games\":100,", "\"games\":10,"),
            ("\"shots\":[[0,", "\"shots\":[[1,"),
            ("\"shots\":[[0,", "\"shots\":[[18446744073709551615,"),
            ("\"shots\":[[0,", "\"shots\":[[0,0,"),
            ("\"differences\":[[", "\"differences\":[[],["),
            ("3x3 2 allowed ship", "4x4 2 allowed ship"),
            ("3x3 2 allowed ship", "chess"),
            ("[\"random\",", "[\"random\",\"random\","),
        ] {
            let read = Checkpoint::parse(&forged(&text, from, to));
            assert_eq!(read, Err(CheckpointError::Damaged("its numbers don't belong together")), "{to}");
        }
        let unreadable = Checkpoint::parse(&forged(&text, "\"games\":[[0,", "\"games\":[[-"));
        assert_eq!(unreadable, Err(CheckpointError::Damaged("its contents can't be read")));
        for alien in ["", "\n", "hello", "broadside-checkpoint"] {
            assert_eq!(Checkpoint::parse(alien), Err(CheckpointError::NotACheckpoint));
        }
    }

    #[test]
    fn checkpoints_of_the_first_version_are_still_read() {
        // Written by version 1 of the format: two games on a board of three cells.
        let contents = concat!(
            r#"{"campaign":{"version":"0.1.0","rules":"1x3 1 allowed ship","seed":7,"games":9,"layouts":"uniform","captains":["random"]},"#,
            r#""played":2,"shots":[[0,1,0,1]],"differences":[]}"#
        );
        let text = format!("broadside-checkpoint 1\n{contents}\n");
        let old = Checkpoint::parse(&format!("{text}{}\n", checksum(&text))).unwrap();
        assert_eq!((old.games().to_string().as_str(), old.missing().to_string().as_str()), ("0..2", "2..9"));
        assert_eq!(Checkpoint::parse(&old.to_text()), Ok(old));
    }
}
