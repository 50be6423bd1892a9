//! Files that results go to: known to be writable before the work starts, and never half written.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A result can't be written.
#[derive(Debug, thiserror::Error)]
#[error("can't write {}", .path.display())]
pub(crate) struct TargetError {
    path: PathBuf,
    source: io::Error,
}

/// A file for a result.
pub(crate) struct Target {
    path: PathBuf,
    /// What becomes the file in the end; `None` where there is something that is no file, such as `/dev/stdout`.
    draft: Option<NamedTempFile>,
}

impl Target {
    /// Makes sure that the file can be written, without touching what is there.
    pub(crate) fn claim(path: &Path) -> Result<Self, TargetError> {
        Self::open(path).map_err(|source| TargetError { path: path.to_owned(), source })
    }

    fn open(path: &Path) -> io::Result<Self> {
        let path = path.to_owned();
        match fs::metadata(&path) {
            Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(there) if !there.is_file() => return Ok(Self { path, draft: None }),
            // A file that may not be changed is not to be replaced either.
            Ok(_) => drop(fs::OpenOptions::new().append(true).open(&path)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Without the draft's name, which nobody has asked for.
        let draft = drafted(tempfile::Builder::new().prefix(".broadside-"), folder).map_err(|error| error.kind())?;
        Ok(Self { path, draft: Some(draft) })
    }

    /// Writes the whole file at once: whoever looks sees the old one or the new one.
    pub(crate) fn write(self, bytes: &[u8]) -> Result<(), TargetError> {
        let Self { path, draft } = self;
        let written = match draft {
            None => fs::OpenOptions::new().write(true).open(&path).and_then(|mut file| file.write_all(bytes)),
            Some(mut draft) => draft
                .write_all(bytes)
                .and_then(|()| draft.as_file().sync_all())
                .and_then(|()| draft.persist(&path).map(drop).map_err(|error| error.error)),
        };
        written.map_err(|source| TargetError { path, source })
    }
}

/// A draft that others may read as they may read other new files.
#[cfg(unix)]
fn drafted(builder: &mut tempfile::Builder<'_, '_>, folder: &Path) -> io::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(Permissions::from_mode(0o666)).tempfile_in(folder)
}

#[cfg(not(unix))]
fn drafted(builder: &mut tempfile::Builder<'_, '_>, folder: &Path) -> io::Result<NamedTempFile> {
    builder.tempfile_in(folder)
}

/// Makes sure that files can be made in this folder, and makes the folder if it isn't there.
pub(crate) fn claim_folder(path: &Path) -> Result<(), TargetError> {
    let made = fs::create_dir_all(path).and_then(|()| tempfile::tempfile_in(path).map(drop).map_err(|error| error.kind().into()));
    made.map_err(|source| TargetError { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claimed_file_is_untouched_until_it_is_written_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("result");
        fs::write(&path, "old").unwrap();
        drop(Target::claim(&path).unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        Target::claim(&path).unwrap().write(b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left behind");
    }

    #[test]
    fn what_cannot_be_written_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Target::claim(folder.path()).is_err());
        assert!(Target::claim(&folder.path().join("missing/result")).is_err());
        fs::write(folder.path().join("file"), "").unwrap();
        assert!(claim_folder(&folder.path().join("file")).is_err());
        claim_folder(&folder.path().join("new/folder")).unwrap();
    }
}
