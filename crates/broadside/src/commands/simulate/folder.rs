//! The folder of a campaign: its checkpoint while it runs, its results at the end.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use broadside_lab::draw::PngError;
use broadside_lab::{Campaign, Checkpoint, CheckpointError, FolderLock, FolderLockError, Results, Tally, write_atomic};

use crate::exit::Failure;

/// The file to resume from.
const CHECKPOINT: &str = "checkpoint";

/// No checkpoint is longer than this.
const LONGEST: u64 = 1 << 28;

/// The folder can't be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum FolderError {
    #[error("can't make the folder {}: choose another --out", .path.display())]
    Make { path: PathBuf, source: io::Error },
    #[error("another program is writing to {}: wait until it is done, or choose another --out", .path.display())]
    InUse { path: PathBuf },
    #[error("can't write {}; what was there before is still whole", .path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("can't keep the results: make room in {} and run the same command with --resume", .path.display())]
    Keep { path: PathBuf, source: Box<FolderError> },
    #[error("can't draw the plots")]
    Draw(#[from] PngError),
    #[error("can't read the checkpoint {}", .path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("can't go on from {}: give the options that it was made with, or remove it to start over", .path.display())]
    Unusable { path: PathBuf, source: CheckpointError },
    #[error("{} is of a campaign that isn't finished: go on with --resume, or remove the file to start over", .path.display())]
    Unfinished { path: PathBuf },
    #[error("{} is in the way: remove it, or choose another --out", .path.display())]
    InTheWay { path: PathBuf, source: CheckpointError },
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        use FolderError as E;
        match error {
            E::Make { .. } | E::Write { .. } | E::Keep { .. } | E::Draw(_) | E::Read { .. } => Self::system(error),
            E::InUse { .. } | E::Unusable { .. } | E::Unfinished { .. } | E::InTheWay { .. } => Self::bad_request(error),
        }
    }
}

/// A folder that exists and that nobody else writes to.
pub(super) struct Folder {
    path: PathBuf,
    _lock: FolderLock,
}

impl Folder {
    /// Makes the folder if it isn't there, and locks it.
    pub(super) fn open(path: &Path) -> Result<Self, FolderError> {
        let make = |source| FolderError::Make { path: path.to_owned(), source };
        fs::create_dir_all(path).map_err(make)?;
        let lock = FolderLock::acquire(path).map_err(|error| match error {
            FolderLockError::Io(source) => FolderError::Write { path: path.to_owned(), source },
            _ => FolderError::InUse { path: path.to_owned() },
        })?;
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    /// The tally to start from. Writes it at once: a folder that can't be written to is found out before the work.
    pub(super) fn begin(&self, campaign: &Campaign, resume: bool, quiet: bool) -> Result<Tally, FolderError> {
        let tally = if resume { self.resume(campaign, quiet)? } else { self.start(campaign)? };
        self.save(campaign, &tally)?;
        Ok(tally)
    }

    fn resume(&self, campaign: &Campaign, quiet: bool) -> Result<Tally, FolderError> {
        let path = self.path.join(CHECKPOINT);
        let Some(checkpoint) = self.read()? else {
            if !quiet {
                anstream::eprintln!("there is no checkpoint in {}: starting with the first game", self.path.display());
            }
            return Ok(campaign.start());
        };
        let tally = checkpoint.and_then(|checkpoint| checkpoint.tally(campaign));
        let tally = tally.map_err(|source| FolderError::Unusable { path, source })?;
        if !quiet {
            anstream::eprintln!("going on after {} of {} games", tally.played(), campaign.config().games);
        }
        Ok(tally)
    }

    /// A new start, unless that would destroy unfinished work or a file that is none of ours.
    fn start(&self, campaign: &Campaign) -> Result<Tally, FolderError> {
        let path = self.path.join(CHECKPOINT);
        match self.read()? {
            Some(Err(source)) => Err(FolderError::InTheWay { path, source }),
            Some(Ok(checkpoint)) if !checkpoint.is_finished() => Err(FolderError::Unfinished { path }),
            _ => Ok(campaign.start()),
        }
    }

    /// The checkpoint in the folder, if there is one.
    fn read(&self) -> Result<Option<Result<Checkpoint, CheckpointError>>, FolderError> {
        let path = self.path.join(CHECKPOINT);
        let mut bytes = Vec::new();
        match File::open(&path).and_then(|file| file.take(LONGEST).read_to_end(&mut bytes)) {
            Ok(_) => Ok(Some(parse(bytes))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(FolderError::Read { path, source }),
        }
    }

    /// Writes a checkpoint.
    pub(super) fn save(&self, campaign: &Campaign, tally: &Tally) -> Result<(), FolderError> {
        self.write(CHECKPOINT, Checkpoint::new(campaign, tally).to_text().as_bytes())
    }

    /// Writes the results, each file whole or not at all.
    pub(super) fn keep(&self, results: &Results) -> Result<(), FolderError> {
        let written = results.files()?.iter().try_for_each(|(name, bytes)| self.write(name, bytes));
        written.map_err(|error| FolderError::Keep { path: self.path.clone(), source: Box::new(error) })
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        let path = self.path.join(name);
        write_atomic(&path, bytes).map_err(|source| FolderError::Write { path, source })
    }
}

fn parse(bytes: Vec<u8>) -> Result<Checkpoint, CheckpointError> {
    let text = String::from_utf8(bytes).map_err(|_| CheckpointError::Damaged("it is not text"))?;
    Checkpoint::parse(&text)
}
