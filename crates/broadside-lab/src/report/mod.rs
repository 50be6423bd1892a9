//! The report: every table, figure and claim of five published documents beside what is measured.
//!
//! Each document is a [`Chapter`]: a file or folder here. A [`Row`] holds the document's number, the measured one and the
//! rule that compares them ([`Check`]); the [`Verdict`] follows from these. [`Report::html`] writes one page that needs no
//! script and no network.
//!
//! Everything but the [`Timings`] depends on the [`Settings`] only. The caller measures the times, since this crate reads
//! no clock.

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
mod progress;
mod row;
mod text;
mod timings;

use serde::Serialize;

pub use boards::{INVALID_BOARDS, VALID_BOARDS};
pub use check::{Check, Sampled, Verdict};
pub use finished::{FinishedCampaigns, ResultsFileError};
pub use progress::Progress;
pub use row::Row;
pub use text::Unit;
pub use timings::{CountingTimes, Timings, ValidationTimes};

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
    pub results: FinishedCampaigns,
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

/// What came of one of the documents.
#[derive(Clone, Debug, Serialize)]
pub struct Chapter {
    /// Its identifier, such as `001`.
    pub number: &'static str,
    /// A short name, for lists.
    pub short: &'static str,
    /// The heading of the chapter.
    pub title: &'static str,
    /// Author, title and year of the document, as far as they are known.
    pub citation: &'static str,
    /// Where the document can be read, if that is known.
    pub link: Option<&'static str>,
    /// What the document is about.
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
    pub fn measure(settings: &Settings, timings: &Timings, progress: &dyn Progress) -> Result<Self, CampaignError> {
        let games = Games::new(settings, progress);
        let chapters = vec![
            coursework::chapter(&games)?,
            article::chapter(&games)?,
            masks::chapter(progress),
            clique::chapter(&timings.counting, progress),
            boards::chapter(&timings.checking),
        ];
        let (version, threads) = (env!("CARGO_PKG_VERSION"), timings.threads);
        let results = settings.results.origins(&article::CAPTAINS);
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
