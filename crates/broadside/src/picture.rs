//! Pictures of boards in files.

use std::path::{Path, PathBuf};

use broadside_lab::draw;

use crate::exit::Failure;
use crate::files::{OutputFile, WriteError};

/// The picture can't be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PictureError {
    #[error("give the picture a name that ends in .svg or .png, not {}", .0.display())]
    Ending(PathBuf),
    #[error("can't draw the picture")]
    Draw(#[from] draw::PngError),
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl From<PictureError> for Failure {
    fn from(error: PictureError) -> Self {
        match error {
            PictureError::Ending(_) => Self::bad_request(error),
            PictureError::Draw(_) => Self::system(error),
            PictureError::Write(error) => error.into(),
        }
    }
}

/// A file for a picture.
pub(crate) struct Picture {
    file: OutputFile,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Svg,
    Png,
}

impl Picture {
    /// Reads the kind from the ending of the name, and makes sure that the file can be written.
    pub(crate) fn claim(path: &Path) -> Result<Self, PictureError> {
        let kind = match path.extension().and_then(|ending| ending.to_str()) {
            Some(ending) if ending.eq_ignore_ascii_case("svg") => Kind::Svg,
            Some(ending) if ending.eq_ignore_ascii_case("png") => Kind::Png,
            _ => return Err(PictureError::Ending(path.to_owned())),
        };
        Ok(Self { file: OutputFile::claim(path)?, kind })
    }

    /// Draws the board to the file.
    pub(crate) fn write(self, board: &draw::Board) -> Result<(), PictureError> {
        let svg = board.svg();
        let bytes = if self.kind == Kind::Png { draw::png(&svg, 2.0)? } else { svg.into_bytes() };
        Ok(self.file.write(&bytes)?)
    }
}
