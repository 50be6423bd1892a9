//! Logs of shots, from an option, a file or standard input.

use std::io;
use std::path::PathBuf;

use broadside_odds::Contradiction;
use broadside_rules::{LogError, ParseLogError, ParseShotError, ParseTurnCallError, Rules, ShotLog, TurnCallError};

use crate::exit::Failure;
use crate::files;

/// Where the log is.
#[derive(clap::Args)]
pub(crate) struct LogOptions {
    /// File with the log; ‘-’ for standard input
    #[arg(value_name = "FILE", conflicts_with = "shots")]
    file: Option<PathBuf>,
    /// The shots so far with their answers, in order
    #[arg(long, value_name = "LOG", allow_hyphen_values = true)]
    shots: Option<String>,
}

/// A log longer than this, in bytes, has more shots than the largest board has cells.
const MAX_LOG: u64 = 1 << 16;

/// The log can't be read.
#[derive(Debug, thiserror::Error)]
enum ReadError {
    #[error("can't read {}", .path.display())]
    Open { path: PathBuf, source: io::Error },
    #[error("the log is longer than {MAX_LOG} bytes: no game is that long")]
    Long,
    #[error("the log can't be read")]
    Shot(#[from] ParseShotError),
    #[error("the log can't be read")]
    Call(#[from] ParseTurnCallError),
}

/// No layout fits the log.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ImpossibleError {
    #[error("the log contradicts itself: check the shot named below")]
    Log(#[from] LogError),
    #[error("the log contradicts itself: check the turn named below")]
    Turn(#[from] TurnCallError),
    #[error("the log is impossible: one of the shots named below must be wrong")]
    Layouts(#[from] Contradiction),
}

impl LogOptions {
    /// Whether there is a log at all, be it an empty one.
    pub(crate) fn is_given(&self) -> bool {
        self.file.is_some() || self.shots.is_some()
    }

    /// The log; no shots when none are given.
    pub(crate) fn read(&self, rules: &Rules) -> Result<ShotLog, Failure> {
        let text = self.text().map_err(Failure::bad_request)?;
        ShotLog::parse(rules, &text).map_err(|error| match error {
            ParseLogError::Shot(error) => Failure::bad_request(ReadError::Shot(error)),
            ParseLogError::Call(error) => Failure::bad_request(ReadError::Call(error)),
            ParseLogError::Log(error) => Failure::no_answer(ImpossibleError::Log(error)),
            ParseLogError::Turn(error) => Failure::no_answer(ImpossibleError::Turn(error)),
        })
    }

    /// The text of the log, from wherever it is.
    fn text(&self) -> Result<String, ReadError> {
        let Some(path) = &self.file else { return Ok(self.shots.clone().unwrap_or_default()) };
        let text = files::read_text(path, MAX_LOG).map_err(|source| ReadError::Open { path: path.clone(), source })?;
        if text.len() as u64 > MAX_LOG { Err(ReadError::Long) } else { Ok(text) }
    }
}
