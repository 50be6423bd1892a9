//! Files that are whole or not there.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file so that whoever looks, at any instant and after any crash, finds the old content or the new one, never
/// a part: into a second file beside it, which is forced to disk and then takes the name.
///
/// # Errors
/// When the file can't be written. What was there before is still there then.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = beside(path)?;
    let written = write_part(&part, bytes).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // The first error is the one to tell; if even this fails, the next attempt writes over it.
        drop(fs::remove_file(&part));
    }
    written?;
    sync_folder(path)
}

/// The name of the second file: always the same, so that one left over by a crash is used up by the next attempt.
fn beside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "this is not the name of a file"))?;
    let mut part = OsString::from(".");
    part.push(name);
    part.push(".part");
    Ok(path.with_file_name(part))
}

fn write_part(part: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(part)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Forces the new name to disk as well, where a folder can be opened like a file.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("broadside-files-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = folder("replaced");
        let path = folder.join("file");
        fs::write(folder.join(".file.part"), "left over by a crash, and longer than what comes").unwrap();
        for words in ["first", "second"] {
            write_whole(&path, words.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), words);
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_that_can_not_be_replaced_stays_as_it_was() {
        let folder = folder("kept");
        let path = folder.join("file");
        fs::create_dir(&path).unwrap();
        assert!(write_whole(&path, b"new").is_err());
        assert!(path.is_dir() && fs::read_dir(&folder).unwrap().count() == 1);
        assert!(write_whole(&folder.join("missing/file"), b"new").is_err());
        assert!(write_whole(Path::new("/"), b"new").is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
