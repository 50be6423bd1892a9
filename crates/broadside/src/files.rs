//! Files for results: known to be writable before the work starts, never half written, and named when something fails; and
//! short texts from files.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A file or a folder can't be written. What was there before is still there.
#[derive(Debug, thiserror::Error)]
#[error("can't write {}", .path.display())]
pub(crate) struct WriteError {
    path: PathBuf,
    source: io::Error,
}

impl WriteError {
    fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |source| Self { path: path.to_owned(), source }
    }
}

/// The text of a file, or of standard input for ‘-’. No more than `most` bytes and one are read, so that a longer one shows.
pub(crate) fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let reader: Box<dyn Read> = if path == Path::new("-") { Box::new(io::stdin().lock()) } else { Box::new(File::open(path)?) };
    let mut text = String::new();
    reader.take(most + 1).read_to_string(&mut text)?;
    Ok(text)
}

/// What a file is called in messages.
pub(crate) fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// A file for a result.
#[derive(Debug)]
pub(crate) struct OutputFile {
    path: PathBuf,
    file: broadside_lab::OutputFile,
}

impl OutputFile {
    /// Makes sure that the file can be written, without touching what is there.
    pub(crate) fn claim(path: &Path) -> Result<Self, WriteError> {
        let file = broadside_lab::OutputFile::claim(path).map_err(WriteError::at(path))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Writes the whole file at once.
    pub(crate) fn write(self, bytes: &[u8]) -> Result<(), WriteError> {
        self.file.write(bytes).map_err(WriteError::at(&self.path))
    }
}

/// Makes a folder if it isn't there, and makes sure that files can be written in it.
pub(crate) fn claim_folder(path: &Path) -> Result<(), WriteError> {
    broadside_lab::claim_output_folder(path).map_err(WriteError::at(path))
}

/// Writes a whole file at once.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    broadside_lab::write_atomic(path, bytes).map_err(WriteError::at(path))
}
