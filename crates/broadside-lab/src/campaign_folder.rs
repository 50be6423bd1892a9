//! The folder of a campaign: its checkpoint while it runs, its results at the end.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::{Checkpoint, CheckpointError, FolderLock, FolderLockError, write_atomic};

/// The file to resume from.
const CHECKPOINT: &str = "checkpoint";

/// No checkpoint is longer than this.
const LONGEST: u64 = 1 << 28;

/// A folder that exists and that nobody else writes to.
///
/// ```
/// use broadside_lab::{Campaign, CampaignConfig, CampaignFolder, Checkpoint, Layouts};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path();
/// let config = CampaignConfig { rules: "5x5 3,2 allowed ship".parse()?, games: 10, seed: 1 };
/// let campaign = Campaign::new(config, ["random"], Layouts::Uniform)?;
/// let folder = CampaignFolder::open(path)?;
/// assert_eq!(folder.checkpoint()?, None);
/// let checkpoint = Checkpoint::new(&campaign, &campaign.run(|_| {})?);
/// folder.save(&checkpoint)?;
/// assert_eq!(folder.checkpoint()?, Some(checkpoint));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CampaignFolder {
    path: PathBuf,
    _lock: FolderLock,
}

/// The folder can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CampaignFolderError {
    /// It can't be made.
    #[error("can't make the folder {}", .path.display())]
    Make {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another program has it.
    #[error("another program is writing to {}: wait until it is done, or choose another folder", .path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// A file in it can't be written.
    #[error("can't write {}; what was there before is still whole", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The checkpoint can't be read.
    #[error("can't read the checkpoint {}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The checkpoint can be read, and can't be relied on.
    #[error("can't use {}", .path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: CheckpointError,
    },
}

impl CampaignFolder {
    /// Makes the folder if it isn't there, and locks it.
    ///
    /// # Errors
    /// When it can't be made or written to, or another program has it.
    pub fn open(path: &Path) -> Result<Self, CampaignFolderError> {
        fs::create_dir_all(path).map_err(|source| CampaignFolderError::Make { path: path.to_owned(), source })?;
        let lock = FolderLock::acquire(path).map_err(|error| match error {
            FolderLockError::Io(source) => CampaignFolderError::Write { path: path.to_owned(), source },
            FolderLockError::InUse => CampaignFolderError::InUse { path: path.to_owned() },
        })?;
        Ok(Self { path: path.to_owned(), _lock: lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where its checkpoint is.
    pub fn checkpoint_path(&self) -> PathBuf {
        self.path.join(CHECKPOINT)
    }

    /// The checkpoint in it, if there is one.
    ///
    /// # Errors
    /// When it can't be read or relied on.
    pub fn checkpoint(&self) -> Result<Option<Checkpoint>, CampaignFolderError> {
        match Self::read_checkpoint(&self.path) {
            Err(CampaignFolderError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
            read => read.map(Some),
        }
    }

    /// The checkpoint in a folder that may be in use, or the checkpoint that this file is.
    ///
    /// # Errors
    /// When there is none, or it can't be read or relied on.
    pub fn read_checkpoint(path: &Path) -> Result<Checkpoint, CampaignFolderError> {
        let path = if path.is_dir() { path.join(CHECKPOINT) } else { path.to_owned() };
        let mut bytes = Vec::new();
        let read = File::open(&path).and_then(|file| file.take(LONGEST).read_to_end(&mut bytes));
        if let Err(source) = read {
            return Err(CampaignFolderError::Read { path, source });
        }
        let text = String::from_utf8(bytes).map_err(|_| CheckpointError::Damaged("it is not text"));
        text.and_then(|text| Checkpoint::parse(&text)).map_err(|source| CampaignFolderError::Unusable { path, source })
    }

    /// Writes a checkpoint in place of the one that is there.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn save(&self, checkpoint: &Checkpoint) -> Result<(), CampaignFolderError> {
        self.write(CHECKPOINT, checkpoint.to_text().as_bytes())
    }

    /// Writes a file into it, whole or not at all.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), CampaignFolderError> {
        let path = self.path.join(name);
        write_atomic(&path, bytes).map_err(|source| CampaignFolderError::Write { path, source })
    }
}
