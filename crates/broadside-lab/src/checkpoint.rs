//! The standing of a contest, written down so that it can go on later.
//!
//! Three lines of text: what this is, with the version of the format; the contest and its standing as JSON; and a checksum
//! of all before it. Whatever can't be relied on is refused with the reason.

use std::fmt::Display;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::layouts::hex;
use crate::{Contest, Histogram, Standing};

/// The first word of every version of the format.
const NAME: &str = "broadside-checkpoint";

/// The version of the format: a new number for every change.
const FORMAT: &str = "1";

/// What decides the games of a contest: two with the same identity have the same results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    /// The version of this program, since captains may learn.
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
    /// The identity of a contest.
    pub(crate) fn of(contest: &Contest) -> Self {
        let campaign = contest.campaign();
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            rules: campaign.rules.to_string(),
            seed: campaign.seed,
            games: campaign.games,
            layouts: contest.layouts().to_string(),
            captains: contest.captains().to_vec(),
        }
    }

    /// The first thing in which another identity differs.
    fn difference(&self, other: &Self) -> Option<CheckpointError> {
        let differs = |what, theirs: &dyn Display, ours: &dyn Display| {
            let (theirs, ours) = (excerpt(theirs), excerpt(ours));
            (theirs != ours).then_some(CheckpointError::Foreign { what, theirs, ours })
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

/// A part of a text short enough for a message, with nothing in it that a terminal would obey.
fn excerpt(text: &dyn Display) -> String {
    text.to_string().chars().take(200).flat_map(char::escape_debug).collect()
}

/// A text that no contest can go on from.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// It is something else.
    #[error("it is not a checkpoint of broadside")]
    Alien,
    /// It is of a format that this program doesn't know.
    #[error("its format has version {}, and this program reads version {FORMAT}", excerpt(.0))]
    Format(String),
    /// It isn't as it was written.
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
    /// It is of another campaign.
    #[error("it is of another campaign: its {what}: {theirs}; asked for: {ours}")]
    Foreign {
        /// What differs.
        what: &'static str,
        /// The checkpoint's.
        theirs: String,
        /// That of the contest at hand.
        ours: String,
    },
}

/// The standing of a contest at some time.
///
/// ```
/// use broadside_lab::{Campaign, Checkpoint, Contest, Layouts};
/// let campaign = Campaign { rules: "5x5 3,2 allowed ship".parse()?, games: 100, seed: 1 };
/// let contest = Contest::new(campaign, ["random", "density"], Layouts::Uniform)?;
/// let mut standing = contest.start();
/// contest.play(&mut standing, |_| true)?;
/// let text = Checkpoint::of(&contest, &standing).to_text();
/// assert_eq!(Checkpoint::parse(&text)?.standing(&contest)?, standing);
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
    /// The checkpoint of a contest at this standing.
    pub fn of(contest: &Contest, standing: &Standing) -> Self {
        let counts = |histogram: &Histogram| histogram.counts().map(|(_, count)| count).collect();
        Self {
            campaign: Identity::of(contest),
            played: standing.played(),
            shots: standing.shots().iter().map(counts).collect(),
            differences: standing.differences().iter().map(counts).collect(),
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
        let version = first.strip_prefix(NAME).and_then(|rest| rest.strip_prefix(' ')).ok_or(CheckpointError::Alien)?;
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

    /// The standing to go on from.
    ///
    /// # Errors
    /// When the checkpoint is of another contest, or its numbers can't be those of any.
    pub fn standing(&self, contest: &Contest) -> Result<Standing, CheckpointError> {
        if let Some(error) = self.campaign.difference(&Identity::of(contest)) {
            return Err(error);
        }
        let empty = contest.start();
        let (shots, differences) = (self.fill(&self.shots, empty.shots()), self.fill(&self.differences, empty.differences()));
        let whole = shots.zip(differences).filter(|_| self.played <= self.campaign.games);
        let (shots, differences) = whole.ok_or(CheckpointError::Damaged("its numbers don't belong together"))?;
        Ok(Standing::of_parts(self.played, shots, differences))
    }

    /// Histograms of these shapes with these counts, if each counts all games once.
    fn fill(&self, counts: &[Vec<u64>], shapes: &[Histogram]) -> Option<Vec<Histogram>> {
        let fill = |(counts, shape): (&Vec<u64>, &Histogram)| {
            let total = counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
            let first = shape.counts().next().map(|(number, _)| number)?;
            let fits = counts.len() == shape.counts().count() && total == Some(self.played);
            fits.then(|| Histogram::of_counts(first, counts.clone()))
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
    use crate::{Campaign, Layouts};

    fn contest(games: u64, seed: u64, rules: &str, names: &[&str], layouts: Layouts) -> Contest {
        let campaign = Campaign { rules: rules.parse().unwrap(), games, seed };
        Contest::new(campaign, names.iter().copied(), layouts).unwrap()
    }

    fn small() -> (Contest, Standing) {
        let contest = contest(100, 1, "3x3 2 allowed ship", &["random", "density"], Layouts::Uniform);
        let mut standing = contest.start();
        contest.play(&mut standing, |_| true).unwrap();
        (contest, standing)
    }

    /// The text with its body changed and the checksum made right again.
    fn forged(text: &str, from: &str, to: &str) -> String {
        let body = text.replacen(from, to, 1);
        assert_ne!(body, text, "{from} is there");
        let end = body.trim_end().rfind('\n').unwrap() + 1;
        format!("{}{}\n", &body[..end], checksum(&body[..end]))
    }

    #[test]
    fn a_standing_comes_back_as_it_was() {
        let (contest, standing) = small();
        let checkpoint = Checkpoint::of(&contest, &standing);
        let read = Checkpoint::parse(&checkpoint.to_text()).unwrap();
        assert_eq!(read, checkpoint);
        assert_eq!(read.standing(&contest), Ok(standing));
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_noticed() {
        let (contest, standing) = small();
        let text = Checkpoint::of(&contest, &standing).to_text();
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
        let (small, standing) = small();
        let checkpoint = Checkpoint::of(&small, &standing);
        let uniform = || Layouts::Uniform;
        let rules = "3x3 2 allowed ship";
        let names = &["random", "density"][..];
        for (what, other) in [
            ("number of games", contest(99, 1, rules, names, uniform())),
            ("seed", contest(100, 2, rules, names, uniform())),
            ("rules", contest(100, 1, "3x3 2 allowed bare", names, uniform())),
            ("captains", contest(100, 1, rules, &["density", "random"], uniform())),
            ("layouts", contest(100, 1, rules, names, Layouts::Sequential)),
        ] {
            let error = checkpoint.standing(&other).unwrap_err();
            assert!(matches!(&error, CheckpointError::Foreign { what: found, .. } if *found == what), "{error}");
        }
    }

    #[test]
    fn other_versions_are_refused() {
        let (contest, standing) = small();
        let text = Checkpoint::of(&contest, &standing).to_text();
        let format = Checkpoint::parse(&forged(&text, "checkpoint 1", "checkpoint 2"));
        assert_eq!(format, Err(CheckpointError::Format("2".to_owned())));
        let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
        let other = Checkpoint::parse(&forged(&text, &version, "\"version\":\"0.0.0\"")).unwrap();
        let error = other.standing(&contest).unwrap_err();
        assert!(error.to_string().contains("program's version: 0.0.0; asked for: "), "{error}");
    }

    #[test]
    fn numbers_that_do_not_belong_together_are_refused_even_with_a_right_checksum() {
        let (contest, standing) = small();
        let text = Checkpoint::of(&contest, &standing).to_text();
        for (from, to) in [
            ("\"played\":", "\"played\":1"),
            ("\"shots\":[[0,", "\"shots\":[[1,"),
            ("\"shots\":[[0,", "\"shots\":[[18446744073709551615,"),
            ("\"shots\":[[0,", "\"shots\":[[0,0,"),
            ("\"differences\":[[", "\"differences\":[[],["),
        ] {
            let read = Checkpoint::parse(&forged(&text, from, to)).unwrap();
            assert!(matches!(read.standing(&contest), Err(CheckpointError::Damaged(_))), "{to}");
        }
        let unreadable = Checkpoint::parse(&forged(&text, "\"played\":", "\"played\":-"));
        assert_eq!(unreadable, Err(CheckpointError::Damaged("its contents can't be read")));
        for alien in ["", "\n", "hello", "broadside-checkpoint"] {
            assert_eq!(Checkpoint::parse(alien), Err(CheckpointError::Alien));
        }
    }
}
