//! Records of games, from a file or standard input.

use std::io;
use std::path::Path;

use broadside_rules::{GameRecord, RecordError};

use crate::files;

/// Files longer than this, in bytes, are refused: a record of the largest board is some forty thousand.
const MAX: u64 = 16 << 20;

/// There is no record to be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadRecordError {
    #[error("can't read {path}")]
    Open { path: String, source: io::Error },
    #[error("{path} is longer than {MAX} bytes: give a file with fewer games")]
    Long { path: String },
    #[error("{path} has {games} games, numbered from 0: there is no game {game}")]
    Missing { path: String, games: u64, game: u64 },
    #[error("line {line} of {path} is not a game")]
    Bad { path: String, line: usize, source: RecordError },
}

/// Reads game number `game` of a file with one record a line; blank lines don't count.
pub(crate) fn read(path: &Path, game: u64) -> Result<GameRecord, ReadRecordError> {
    let name = files::name(path);
    let text = files::read_text(path, MAX).map_err(|source| ReadRecordError::Open { path: name.clone(), source })?;
    if text.len() as u64 > MAX {
        return Err(ReadRecordError::Long { path: name });
    }
    let mut games = 0;
    for (line, record) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        if games == game {
            return record.trim().parse().map_err(|source| ReadRecordError::Bad { path: name, line, source });
        }
        games += 1;
    }
    Err(ReadRecordError::Missing { path: name, games, game })
}
