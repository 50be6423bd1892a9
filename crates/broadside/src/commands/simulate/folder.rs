//! The folder of a campaign, with what to do when it can't be used.

use std::io;
use std::path::{Path, PathBuf};

use broadside_lab::draw::PngError;
use broadside_lab::{Campaign, CampaignFolder, CampaignFolderError, Checkpoint, CheckpointError, Ranges, Results, Tally};

use crate::exit::Failure;

/// The folder can't be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FolderError {
    #[error("can't make the folder {}: choose another --out", .path.display())]
    Make { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Files(#[from] CampaignFolderError),
    #[error("can't keep the results: make room in {} and run the same command with --resume", .path.display())]
    Keep { path: PathBuf, source: Box<FolderError> },
    #[error("can't draw the plots")]
    Draw(#[from] PngError),
    #[error("can't go on from {}: give the options that it was made with, or remove it to start over", .path.display())]
    Unusable { path: PathBuf, source: CheckpointError },
    #[error("{} is of a campaign that isn't finished: go on with --resume, or remove the file to start over", .path.display())]
    Unfinished { path: PathBuf },
    #[error("{} is in the way: remove it, or choose another --out", .path.display())]
    InTheWay { path: PathBuf, source: CheckpointError },
    #[error("{} has the games {games}, which no part has: give its folder as a part too, remove it, or choose another --out", .path.display())]
    MoreThanParts { path: PathBuf, games: Ranges },
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        use FolderError as E;
        match error {
            E::Keep { .. } | E::Draw(_) | E::Make { .. } | E::Files(_) => Self::system(error),
            E::Unusable { .. } | E::Unfinished { .. } | E::InTheWay { .. } | E::MoreThanParts { .. } => Self::bad_request(error),
        }
    }
}

/// A folder that exists and that nobody else writes to.
pub(crate) struct Folder(CampaignFolder);

impl Folder {
    /// Makes the folder if it isn't there, and locks it.
    pub(crate) fn open(path: &Path) -> Result<Self, FolderError> {
        CampaignFolder::open(path).map(Self).map_err(|error| match error {
            CampaignFolderError::Make { path, source } => FolderError::Make { path, source },
            error => FolderError::Files(error),
        })
    }

    /// The tally to start from. Writes it at once: a folder that can't be written to is found out before the work.
    pub(super) fn begin(&self, campaign: &Campaign, resume: bool, quiet: bool) -> Result<Tally, FolderError> {
        let tally = if resume { self.resume(campaign, quiet)? } else { self.start(campaign)? };
        self.save(&Checkpoint::new(campaign, &tally))?;
        Ok(tally)
    }

    fn resume(&self, campaign: &Campaign, quiet: bool) -> Result<Tally, FolderError> {
        let Some(checkpoint) = self.read(|path, source| FolderError::Unusable { path, source })? else {
            if !quiet {
                anstream::eprintln!("there is no checkpoint in {}: starting with the first game", self.0.path().display());
            }
            return Ok(campaign.start());
        };
        let unusable = |source| FolderError::Unusable { path: self.0.checkpoint_path(), source };
        let tally = checkpoint.tally(campaign).map_err(unusable)?;
        if !quiet {
            anstream::eprintln!("going on after {} of {} games", tally.played(), campaign.config().games);
        }
        Ok(tally)
    }

    /// A new start, unless that would destroy unfinished work or a file that is none of ours.
    fn start(&self, campaign: &Campaign) -> Result<Tally, FolderError> {
        match self.read(|path, source| FolderError::InTheWay { path, source })? {
            Some(checkpoint) if !checkpoint.is_finished() => Err(FolderError::Unfinished { path: self.0.checkpoint_path() }),
            _ => Ok(campaign.start()),
        }
    }

    /// Makes sure that a checkpoint of merged parts replaces nothing that they don't have.
    pub(crate) fn check_merged(&self, merged: &Checkpoint) -> Result<(), FolderError> {
        let Some(there) = self.read(|path, source| FolderError::InTheWay { path, source })? else { return Ok(()) };
        let path = self.0.checkpoint_path();
        if let Some(source) = there.campaign().difference_of_games(merged.campaign()) {
            return Err(FolderError::InTheWay { path, source });
        }
        let games = there.games().without(merged.games());
        if games.is_empty() { Ok(()) } else { Err(FolderError::MoreThanParts { path, games }) }
    }

    /// The checkpoint in the folder, if there is one, and what to say when it can't be relied on.
    fn read(&self, unusable: fn(PathBuf, CheckpointError) -> FolderError) -> Result<Option<Checkpoint>, FolderError> {
        self.0.checkpoint().map_err(|error| match error {
            CampaignFolderError::Unusable { path, source } => unusable(path, source),
            error => FolderError::Files(error),
        })
    }

    /// Writes a checkpoint.
    pub(crate) fn save(&self, checkpoint: &Checkpoint) -> Result<(), FolderError> {
        Ok(self.0.save(checkpoint)?)
    }

    /// Writes the results, each file whole or not at all.
    pub(crate) fn keep(&self, results: &Results) -> Result<(), FolderError> {
        let write = |(name, bytes): &(&str, Vec<u8>)| self.0.write(name, bytes).map_err(FolderError::Files);
        let written = results.files()?.iter().try_for_each(write);
        written.map_err(|error| FolderError::Keep { path: self.0.path().to_owned(), source: Box::new(error) })
    }
}
