//! Pictures of boards in files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use broadside_lab::draw;

/// The picture can't be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PictureError {
    #[error("give the picture a name that ends in .svg or .png, not {}", .0.display())]
    Kind(PathBuf),
    #[error("can't write {}", .path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("can't draw the picture")]
    Draw(#[from] draw::PngError),
}

/// A file for a picture, known to be writable.
pub(crate) struct Picture {
    path: PathBuf,
    image: bool,
}

impl Picture {
    /// Reads the kind from the name's ending, and checks that the file can be written.
    pub(crate) fn open(path: &Path) -> Result<Self, PictureError> {
        let image = match path.extension().and_then(|ending| ending.to_str()) {
            Some(ending) if ending.eq_ignore_ascii_case("svg") => false,
            Some(ending) if ending.eq_ignore_ascii_case("png") => true,
            _ => return Err(PictureError::Kind(path.to_owned())),
        };
        let opened = fs::OpenOptions::new().create(true).append(true).open(path);
        opened.map_err(|source| PictureError::Write { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), image })
    }

    /// Draws the board to the file.
    pub(crate) fn write(&self, board: &draw::Board) -> Result<(), PictureError> {
        let svg = board.svg();
        let bytes = if self.image { draw::png(&svg, 2.0)? } else { svg.into_bytes() };
        fs::write(&self.path, bytes).map_err(|source| PictureError::Write { path: self.path.clone(), source })
    }
}
