//! One program at a time in a folder of results.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use fs4::{FileExt, TryLockError};

use crate::files::remove_drafts;

/// The file that a [`FolderLock`] locks.
pub const LOCK_FILE: &str = ".lock";

/// A lock on a folder, held until it is dropped or the program ends in any way. Half-written files that killed programs
/// have left there are removed when it is acquired.
///
/// ```
/// use broadside_lab::{FolderLock, FolderLockError};
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// let lock = FolderLock::acquire(folder)?;
/// assert!(matches!(FolderLock::acquire(folder), Err(FolderLockError::InUse)));
/// drop(lock);
/// FolderLock::acquire(folder)?;
/// # Ok::<(), FolderLockError>(())
/// ```
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    /// Closing the file releases the lock.
    _file: File,
}

/// The folder can't be locked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderLockError {
    /// Another program has locked it.
    #[error("another program is using it")]
    InUse,
    /// The lock file can't be made or locked.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl FolderLock {
    /// Locks a folder without waiting.
    ///
    /// # Errors
    /// When another program has locked it, or the lock file can't be made.
    pub fn acquire(folder: &Path) -> Result<Self, FolderLockError> {
        let path = folder.join(LOCK_FILE);
        loop {
            let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path)?;
            // Not `file.try_lock()`: the standard library's method is newer than the oldest supported compiler.
            match FileExt::try_lock(&file) {
                // The last owner may have removed the file after it was opened here: then this is a lock on nothing.
                Ok(()) if !is_at(&file, &path) => {}
                Ok(()) => {
                    remove_drafts(folder)?;
                    return Ok(Self { path, _file: file });
                }
                Err(TryLockError::WouldBlock) => return Err(FolderLockError::InUse),
                Err(TryLockError::Error(error)) => return Err(error.into()),
            }
        }
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // Where `is_at` can't tell, removing the file could give two programs a lock each.
        if cfg!(unix) {
            // A lock file that stays is no obstacle to the next program.
            drop(fs::remove_file(&self.path));
        }
    }
}

/// Whether an open file is the one at this path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let (open, there) = (file.metadata().map(identity), fs::metadata(path).map(identity));
    open.ok().zip(there.ok()).is_some_and(|(open, there)| open == there)
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_half_written_files_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        for name in [".a1b2.broadside-part", "checkpoint", ".hidden"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        drop(FolderLock::acquire(folder.path()).unwrap());
        let mut names: Vec<String> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names.retain(|name| cfg!(unix) || name != LOCK_FILE);
        assert_eq!(names, [".hidden", "checkpoint"]);
    }

    /// Threads stand for programs: a lock belongs to the open file.
    #[test]
    fn of_many_at_once_only_one_has_the_lock() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let (folder, holders, acquired) = (tempfile::tempdir().unwrap(), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let Ok(lock) = FolderLock::acquire(folder.path()) else { continue };
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                        acquired.fetch_add(1, Ordering::Relaxed);
                        holders.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert!(acquired.into_inner() > 0);
    }
}
