//! Writing files so that they are whole or not there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Writes a file so that a reader finds the old content or the new one, never a part, at any time and after any crash.
/// The content goes to a second file beside it, is forced to disk, and then takes the name. An existing file keeps its
/// permissions; a link is followed. What is no file, such as `/dev/stdout`, is written to directly.
///
/// # Errors
/// When the file can't be written. What was there before is then unchanged.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OutputFile::inspect(path)?.write(bytes)
}

/// A file for results that take long to find. Claim it before the work starts, and write it at the end:
///
/// ```
/// use broadside_lab::OutputFile;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("results.json");
/// let file = OutputFile::claim(&path)?; // fails now, and not after an hour, when the folder is missing
/// let results = "…"; // the work; what was in the file is still there
/// file.write(results.as_bytes())?;
/// # assert_eq!(std::fs::read_to_string(path)?, "…");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// Claiming doesn't change an existing file and leaves nothing behind: work that fails has no effect on the disk.
#[derive(Clone, Debug)]
pub struct OutputFile {
    path: PathBuf,
    kind: Kind,
}

/// What is at the path now.
#[derive(Clone, Debug)]
enum Kind {
    Nothing,
    /// A file, which may be replaced.
    File(fs::Permissions),
    /// Something else that can be written to, such as a pipe or a terminal.
    Stream,
}

impl OutputFile {
    /// Checks that the file can be written, without changing what is there.
    ///
    /// # Errors
    /// When it can't: the folder is missing or read-only, the path is a folder, or the file is read-only.
    pub fn claim(path: &Path) -> io::Result<Self> {
        let file = Self::inspect(path)?;
        if !matches!(file.kind, Kind::Stream) {
            claim_folder(folder_of(&file.path))?;
        }
        Ok(file)
    }

    fn inspect(path: &Path) -> io::Result<Self> {
        let kind = match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => Kind::Stream,
            Ok(found) => {
                // A file that may not be changed is not to be replaced either.
                OpenOptions::new().append(true).open(path)?;
                Kind::File(found.permissions())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Kind::Nothing,
            Err(error) => return Err(error),
        };
        let path = if matches!(kind, Kind::File(_)) { fs::canonicalize(path)? } else { path.to_owned() };
        Ok(Self { path, kind })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the whole file, as [`write_atomic`] does.
    ///
    /// # Errors
    /// When it can't be written. What was there before is then unchanged.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        if matches!(self.kind, Kind::Stream) {
            return OpenOptions::new().write(true).open(&self.path)?.write_all(bytes);
        }
        if self.path.file_name().is_none() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is not the name of a file"));
        }
        let mut draft = draft_in(folder_of(&self.path))?;
        draft.write_all(bytes)?;
        if let Kind::File(permissions) = &self.kind {
            draft.as_file().set_permissions(permissions.clone())?;
        }
        draft.as_file().sync_all()?;
        draft.persist(&self.path).map_err(|error| error.error)?;
        sync_folder(folder_of(&self.path))
    }
}

/// Makes a folder if it isn't there, and checks that files can be made in it.
///
/// # Errors
/// When they can't.
pub fn claim_output_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)?;
    claim_folder(path)
}

fn claim_folder(folder: &Path) -> io::Result<()> {
    draft_in(folder).map(drop)
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// How the names of drafts end.
const DRAFT_SUFFIX: &str = ".broadside-part";

/// Removes drafts that killed programs have left in a folder. The caller makes sure that nobody else is writing there.
pub(crate) fn remove_drafts(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().ends_with(DRAFT_SUFFIX) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// A new file with a name of its own, so that two programs can write beside each other. It is removed when dropped.
fn draft_in(folder: &Path) -> io::Result<NamedTempFile> {
    // A missing folder is reported in the words of the system, which the kind below has lost.
    fs::metadata(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(DRAFT_SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Others may read it as they may read other new files.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // The error without the draft's name, which means nothing to the caller.
    builder.tempfile_in(folder).map_err(|error| error.kind().into())
}

/// Forces the new name to disk as well, where a folder can be opened like a file.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for words in ["first, and longer than what comes", "second"] {
            write_atomic(&path, words.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), words);
        }
        assert_eq!(entries(folder.path()), 1);
    }

    #[test]
    fn a_file_that_can_not_be_replaced_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::create_dir(&path).unwrap();
        assert!(write_atomic(&path, b"new").is_err());
        assert!(path.is_dir() && entries(folder.path()) == 1);
        assert!(write_atomic(&folder.path().join("missing/file"), b"new").is_err());
        assert!(write_atomic(Path::new("/"), b"new").is_err());
    }

    #[test]
    fn a_claimed_file_is_unchanged_until_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "old").unwrap();
        let file = OutputFile::claim(&path).unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), entries(folder.path())), ("old", 1));
        file.write(b"new").unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), entries(folder.path())), ("new", 1));
    }

    #[test]
    fn claiming_a_new_file_does_not_make_it() {
        let folder = tempfile::tempdir().unwrap();
        OutputFile::claim(&folder.path().join("file")).unwrap();
        assert_eq!(entries(folder.path()), 0);
        assert!(OutputFile::claim(&folder.path().join("missing/file")).is_err());
        assert!(OutputFile::claim(folder.path()).is_err());
    }

    #[test]
    fn folders_are_made_where_they_can_be() {
        let folder = tempfile::tempdir().unwrap();
        claim_output_folder(&folder.path().join("new/folder")).unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        assert!(claim_output_folder(&folder.path().join("file")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_atomic(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
