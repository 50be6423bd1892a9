//! The folder of a tournament: its games while it is played, its results at the end.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use broadside_lab::{CheckpointError, FolderLock, FolderLockError, Ranges, TextFormat, write_atomic};
use serde::{Deserialize, Serialize};

use super::config::TournamentIdentity;
use super::part::{FORMAT as PART, PartError};
use super::record::GameLine;

/// The file that says what is played here.
const TOURNAMENT: &str = "tournament";

/// The file of the games.
const GAMES: &str = "games.jsonl";

/// How the first file is written.
const FORMAT: TextFormat = TextFormat { name: "broadside-tournament", versions: &["1"] };

/// No line of the games is longer than this: two logs of the largest board are some 60,000 bytes.
const LONGEST: u64 = 1 << 18;

/// No part is longer than this.
const LONGEST_PART: u64 = 1 << 34;

/// The folder can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TournamentFolderError {
    /// Another program uses it.
    #[error("another program is writing to {}: wait until it is done, or choose another --out", .0.display())]
    InUse(PathBuf),
    /// It can't be read or written.
    #[error("can't use {}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is of another tournament.
    #[error("{} is of another tournament: {what}; give the options that it was started with, or choose another --out", .path.display())]
    Other {
        /// The folder.
        path: PathBuf,
        /// What differs.
        what: String,
    },
    /// It has games already.
    #[error("{} has games of a tournament: go on with --resume, or choose another --out", .0.display())]
    Started(PathBuf),
    /// There is no tournament in it.
    #[error("there is no tournament in {}", .0.display())]
    Missing(PathBuf),
    /// It isn't as it was written.
    #[error("{} is damaged: {what}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The file that says what is played can't be read.
    #[error("{} can't be read", .path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// Why.
        source: CheckpointError,
    },
    /// A part can't be relied on.
    #[error("can't use the part {}: play it anew, or leave it out", .path.display())]
    Part {
        /// The folder or file.
        path: PathBuf,
        /// Why.
        source: PartError,
    },
}

/// What is played in a folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Head {
    tournament: TournamentIdentity,
    games: Ranges,
}

/// A folder that nobody else writes to.
pub struct TournamentFolder {
    path: PathBuf,
    games: File,
    _lock: FolderLock,
}

impl TournamentFolder {
    /// Makes the folder if it isn't there, locks it, and reads the games that are there already, each of which is passed to
    /// `found`. `games` are the numbers of those that are to be played here.
    ///
    /// # Errors
    /// When it is in use, of another tournament, damaged, or has games though it shall not be resumed.
    pub fn open(
        path: &Path,
        tournament: &TournamentIdentity,
        games: &Ranges,
        resume: bool,
        found: impl FnMut(GameLine),
    ) -> Result<Self, TournamentFolderError> {
        let io = |source| TournamentFolderError::Io { path: path.to_owned(), source };
        fs::create_dir_all(path).map_err(io)?;
        let lock = FolderLock::acquire(path).map_err(|error| match error {
            FolderLockError::Io(source) => io(source),
            _ => TournamentFolderError::InUse(path.to_owned()),
        })?;
        let head = Head { tournament: tournament.clone(), games: games.clone() };
        match read_head(path)? {
            Some(_) if !resume => return Err(TournamentFolderError::Started(path.to_owned())),
            Some(there) => there.check(&head, path)?,
            None => write_atomic(&path.join(TOURNAMENT), FORMAT.write(&head).as_bytes()).map_err(io)?,
        }
        let games_path = path.join(GAMES);
        let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&games_path).map_err(io)?;
        let whole = read_games(&mut file, &games_path, games, found)?;
        file.set_len(whole).and_then(|()| io::Seek::seek(&mut file, io::SeekFrom::End(0))).map_err(io)?;
        Ok(Self { path: path.to_owned(), games: file, _lock: lock })
    }

    /// Adds a game. It is in the file when this returns, so that a kill loses nothing that was played.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn add(&mut self, line: &GameLine) -> Result<(), TournamentFolderError> {
        let path = || self.path.join(GAMES);
        self.games.write_all(line.to_line().as_bytes()).map_err(|source| TournamentFolderError::Io { path: path(), source })
    }

    /// Writes a file of results, whole or not at all.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), TournamentFolderError> {
        let path = self.path.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| write_atomic(&path, bytes)).map_err(|source| TournamentFolderError::Io { path, source })
    }

    /// What was played in a folder that somebody else has made: the tournament, the numbers of the games, and the games.
    ///
    /// # Errors
    /// When there is none, or it is damaged.
    pub fn read(path: &Path, found: impl FnMut(GameLine)) -> Result<(TournamentIdentity, Ranges), TournamentFolderError> {
        let Head { tournament, games } = require_head(path)?;
        let file = path.join(GAMES);
        let mut opened = File::open(&file).map_err(|source| TournamentFolderError::Io { path: file.clone(), source })?;
        read_games(&mut opened, &file, &games, found)?;
        Ok((tournament, games))
    }

    /// Whether there is a tournament in a folder, or a file is a part of one.
    pub fn is_one(path: &Path) -> bool {
        let mut start = [0; PART.name.len()];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
        path.join(TOURNAMENT).is_file() || read.is_ok() && start == *PART.name.as_bytes()
    }
}

impl Head {
    fn check(&self, asked: &Self, path: &Path) -> Result<(), TournamentFolderError> {
        if self == asked {
            return Ok(());
        }
        let what = match self.tournament.difference(&asked.tournament) {
            Some((what, theirs, ours)) => format!("its {what}: {theirs}; asked for: {ours}"),
            None => format!("its games: {}; asked for: {}", self.games, asked.games),
        };
        Err(TournamentFolderError::Other { path: path.to_owned(), what })
    }
}

fn read_head(path: &Path) -> Result<Option<Head>, TournamentFolderError> {
    let path = path.join(TOURNAMENT);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(TournamentFolderError::Io { path, source }),
    };
    match FORMAT.read(&text) {
        Ok((_, contents)) => serde_json::from_str(contents).map(Some).map_err(|error| damaged(&path, &error.to_string())),
        Err(source) => Err(TournamentFolderError::Checkpoint { path, source }),
    }
}

fn require_head(path: &Path) -> Result<Head, TournamentFolderError> {
    read_head(path)?.ok_or_else(|| TournamentFolderError::Missing(path.to_owned()))
}

/// What is played in a folder.
pub(crate) fn read_identity(path: &Path) -> Result<TournamentIdentity, TournamentFolderError> {
    require_head(path).map(|head| head.tournament)
}

/// Whether the tournament in a folder has come to its end.
pub(crate) fn has_results(path: &Path) -> bool {
    path.join(super::results::JSON_FILE).is_file()
}

/// The text of a file that may be a part.
pub(crate) fn read_text(path: &Path) -> Result<String, TournamentFolderError> {
    let io = |source| TournamentFolderError::Io { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(LONGEST_PART).read_to_end(&mut bytes)).map_err(io)?;
    String::from_utf8(bytes).map_err(|_| damaged(path, "it is not text"))
}

pub(crate) fn damaged(path: &Path, what: &str) -> TournamentFolderError {
    TournamentFolderError::Damaged { path: path.to_owned(), what: what.to_owned() }
}

/// Reads games in their order, up to a line that was being written when the program was killed. Gives the length in bytes of
/// those that are whole.
fn read_games(
    file: &mut File,
    path: &Path,
    games: &Ranges,
    mut found: impl FnMut(GameLine),
) -> Result<u64, TournamentFolderError> {
    let (mut reader, mut whole, mut bytes) = (BufReader::new(file), 0, Vec::new());
    let mut numbers = games.iter().flatten();
    loop {
        bytes.clear();
        let read = reader.by_ref().take(LONGEST).read_until(b'\n', &mut bytes);
        let read = read.map_err(|source| TournamentFolderError::Io { path: path.to_owned(), source })?;
        if read == 0 || bytes.last() != Some(&b'\n') {
            return Ok(whole);
        }
        let line: GameLine =
            serde_json::from_slice(&bytes).map_err(|error| damaged(path, &format!("a line can't be read: {error}")))?;
        if numbers.next() != Some(line.number) {
            return Err(damaged(path, &format!("game {} is not where it should be", line.number)));
        }
        found(line);
        whole += read as u64;
    }
}
