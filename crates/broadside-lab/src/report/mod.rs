//! The reproduction report: every table, figure and claim of the five source documents beside what is measured.
//!
//! One file a document makes its [`Chapter`] of typed rows; a row holds the source's number, the measured one and the
//! rule that compares them ([`Check`]), and the [`Verdict`] follows from these. [`Report::html`] writes them all as one page
//! that needs no script and no network.
//!
//! Everything but the [`Timings`] depends on the [`Settings`] only. The times are measured by whoever has a clock, and
//! handed in.

mod article;
mod boards;
mod check;
mod clique;
mod coursework;
mod finished;
mod fit;
mod games;
mod html;
mod masks;
mod text;
mod timings;

use serde::{Serialize, Serializer, ser::SerializeStruct};

pub use check::{Check, Sampled, Verdict};
pub use finished::{Finished, FinishedError};
pub use text::Unit;
pub use timings::{Checking, Counting, Timings};

use crate::CampaignError;
use games::Games;

/// What a report is made from.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Games for each captain of the article; the other measurements are in proportion.
    pub games: u64,
    /// What all games derive from.
    pub seed: u64,
    /// Finished campaigns to take instead of playing.
    pub results: Finished,
}

/// Somebody who is told how far the work is.
pub trait Watch: Sync {
    /// A new piece of work begins.
    fn begin(&self, what: &str);
    /// So many games more are over, of [`Settings::all_games`].
    fn played(&self, games: u64);
}

/// All documents, with what came of them.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of this crate.
    pub version: &'static str,
    /// What all games derive from.
    pub seed: u64,
    /// Games for each captain of the article.
    pub games: u64,
    /// Files of finished campaigns from which games of the article were taken instead.
    pub results: Vec<String>,
    /// Threads of the parallel timings.
    pub threads: usize,
    /// One a document.
    pub chapters: Vec<Chapter>,
}

/// A source document.
#[derive(Clone, Debug, Serialize)]
pub struct Chapter {
    /// Its number, such as `001`.
    pub number: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Who wrote it, and what it is.
    pub about: &'static str,
    /// Its parts.
    pub sections: Vec<Section>,
}

/// A part of a document: claims, tables and figures that belong together.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Section {
    /// Its heading.
    pub title: &'static str,
    /// What to know before reading the rows.
    pub about: String,
    /// The claims.
    pub rows: Vec<Row>,
    /// Further numbers.
    pub tables: Vec<Table>,
    /// The pictures.
    #[serde(skip)]
    pub figures: Vec<Figure>,
}

/// Numbers in rows and columns.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    /// What they are.
    pub caption: String,
    /// The names of the columns.
    pub head: Vec<String>,
    /// The rows; the first entry of each is its name.
    pub body: Vec<Vec<String>>,
}

/// A picture.
#[derive(Clone, Debug)]
pub struct Figure {
    /// What it shows.
    pub caption: String,
    /// The picture itself.
    pub svg: String,
    /// Whether it needs the whole width of the page.
    pub wide: bool,
}

/// One claim.
#[derive(Clone, Debug)]
pub struct Row {
    /// Where the source makes it.
    pub place: &'static str,
    /// The claim.
    pub claim: String,
    /// The two numbers and the rule.
    pub check: Check,
    /// What the numbers count.
    pub unit: Unit,
    /// The source's own words, where they say more than its number.
    pub says: Option<String>,
    /// What else to know.
    pub note: Option<String>,
    /// Why the numbers may disagree without refuting the claim.
    pub cause: Option<String>,
    /// What measures it; by default the report itself.
    pub command: String,
    /// Whether it is a time, which is another every time.
    pub timing: bool,
}

impl Row {
    fn new(place: &'static str, claim: impl Into<String>, check: Check) -> Self {
        Self {
            place,
            claim: claim.into(),
            check,
            unit: Unit::Plain,
            says: None,
            note: None,
            cause: None,
            command: "broadside reproduce".to_owned(),
            timing: false,
        }
    }

    fn unit(self, unit: Unit) -> Self {
        Self { unit, ..self }
    }

    fn says(self, words: impl Into<String>) -> Self {
        Self { says: Some(words.into()), ..self }
    }

    fn note(self, words: impl Into<String>) -> Self {
        Self { note: Some(words.into()), ..self }
    }

    fn cause(self, words: impl Into<String>) -> Self {
        Self { cause: Some(words.into()), ..self }
    }

    fn by(self, command: impl Into<String>) -> Self {
        Self { command: command.into(), ..self }
    }

    fn timing(self, unit: Unit) -> Self {
        Self { unit, timing: true, ..self }
    }

    /// What follows from the numbers.
    pub fn verdict(&self) -> Verdict {
        match self.check.holds() {
            Some(true) => Verdict::Reproduced,
            Some(false) if self.cause.is_some() => Verdict::Differs,
            Some(false) => Verdict::NotReproduced,
            None => Verdict::Undecided,
        }
    }

    /// What the source says.
    pub fn source(&self) -> String {
        self.says.clone().unwrap_or_else(|| self.check.source(self.unit))
    }

    /// What was measured.
    pub fn measured(&self) -> String {
        self.check.measured(self.unit)
    }

    /// How uncertain that is.
    pub fn error(&self) -> String {
        self.check.error(self.unit)
    }
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serializer.serialize_struct("Row", 10)?;
        row.serialize_field("place", self.place)?;
        row.serialize_field("claim", &self.claim)?;
        row.serialize_field("source", &self.source())?;
        row.serialize_field("measured", &self.measured())?;
        row.serialize_field("error", &self.error())?;
        row.serialize_field("rule", self.check.rule())?;
        row.serialize_field("verdict", &self.verdict())?;
        row.serialize_field("note", &self.remark())?;
        row.serialize_field("timing", &self.timing)?;
        row.serialize_field("command", &self.command)?;
        row.end()
    }
}

impl Row {
    /// The cause, where it matters, and the note.
    pub fn remark(&self) -> Option<String> {
        let cause = self.cause.clone().filter(|_| self.verdict() == Verdict::Differs);
        let words: Vec<String> = [cause, self.note.clone()].into_iter().flatten().collect();
        (!words.is_empty()).then(|| words.join(" "))
    }
}

impl Chapter {
    /// All its claims.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.sections.iter().flat_map(|section| &section.rows)
    }
}

impl Report {
    /// All claims.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.chapters.iter().flat_map(Chapter::rows)
    }

    /// Measures everything but the times, and sets all beside the sources.
    ///
    /// Runs on all threads of the current rayon pool.
    ///
    /// # Errors
    /// When games can't be played, which the rules of the sources give no reason for.
    pub fn measure(settings: &Settings, timings: &Timings, watch: &dyn Watch) -> Result<Self, CampaignError> {
        let games = Games::new(settings, watch);
        let chapters = vec![
            coursework::chapter(&games)?,
            article::chapter(&games)?,
            masks::chapter(watch),
            clique::chapter(&timings.counting, watch),
            boards::chapter(&timings.checking),
        ];
        let (version, threads) = (env!("CARGO_PKG_VERSION"), timings.threads);
        let results = settings.results.origins();
        Ok(Self { version, seed: settings.seed, games: settings.games, results, threads, chapters })
    }
}

impl Settings {
    /// How many games will be played in all.
    pub fn all_games(&self) -> u64 {
        article::games(self) + coursework::games(self)
    }

    /// A part of the games, but never so few that nothing follows.
    fn share(&self, part: u64) -> u64 {
        (self.games / part).max(100)
    }
}
