//! What a replay leaves in files.

use std::path::{Path, PathBuf};

use broadside_lab::draw::{PngError, png};
use broadside_lab::replay::{Animation, AnimationError, Frame, Replay, page};
use indicatif::ProgressBar;

use crate::exit::Failure;
use crate::files::{self, OutputFile, WriteError};
use crate::progress;

/// Where a replay goes beside standard output.
#[derive(clap::Args)]
#[command(next_help_heading = "Files")]
pub(super) struct FileOptions {
    /// Write one page with a slider that needs no network
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write an animated GIF
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// Write a picture of each shot to this folder, as shot-001.svg and so on
    #[arg(long, value_name = "FOLDER")]
    images: Option<PathBuf>,
    /// What the pictures of --images are
    #[arg(long, value_name = "KIND", default_value = "svg", value_enum)]
    image_kind: ImageKind,
    /// Write the whole game as a record, which can be replayed
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// What pictures are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ImageKind {
    /// Drawings of any size
    Svg,
    /// Images, twice as large
    Png,
}

/// A replay can't be drawn.
#[derive(Debug, thiserror::Error)]
enum DrawError {
    #[error("can't draw a shot")]
    Shot(#[source] PngError),
    #[error("can't make the animation")]
    Animation(#[source] AnimationError),
}

/// Files that are known to be writable.
pub(super) struct Files {
    html: Option<OutputFile>,
    gif: Option<OutputFile>,
    images: Option<(PathBuf, ImageKind)>,
    record: Option<OutputFile>,
}

impl Files {
    /// Makes sure, before the work starts, that all can be written.
    pub(super) fn claim(options: &FileOptions) -> Result<Self, WriteError> {
        let claim = |path: &Option<PathBuf>| path.as_deref().map(OutputFile::claim).transpose();
        if let Some(folder) = &options.images {
            files::claim_folder(folder)?;
        }
        Ok(Self {
            html: claim(&options.html)?,
            gif: claim(&options.gif)?,
            images: options.images.clone().map(|folder| (folder, options.image_kind)),
            record: claim(&options.record)?,
        })
    }

    /// Whether no file is asked for.
    pub(super) fn is_empty(&self) -> bool {
        self.html.is_none() && self.gif.is_none() && self.images.is_none() && self.record.is_none()
    }

    /// Writes them all.
    pub(super) fn write<I: Iterator<Item = Frame>>(
        self,
        replay: &Replay,
        frames: impl Fn() -> I,
        number: usize,
    ) -> Result<(), Failure> {
        if let Some(file) = self.record {
            file.write(format!("{}\n", replay.record()).as_bytes())?;
        }
        if let Some(file) = self.html {
            let frames = watched("making the page", number, frames());
            file.write(page(replay, frames).as_bytes())?;
        }
        if let Some((folder, kind)) = self.images {
            draw_images(replay, watched("drawing images", number, frames()), &folder, kind)?;
        }
        if let Some(file) = self.gif {
            let animation = animation(replay, watched("drawing the animation", number, frames()));
            file.write(&animation.map_err(|error| Failure::system(DrawError::Animation(error)))?)?;
        }
        Ok(())
    }
}

/// The frames, with a bar on a terminal that says how far they have come.
fn watched(what: &str, number: usize, frames: impl Iterator<Item = Frame>) -> impl Iterator<Item = Frame> {
    let bar: ProgressBar = progress::bar(what.to_owned(), number as u64);
    bar.clone().wrap_iter(frames).chain(std::iter::from_fn(move || {
        bar.finish_and_clear();
        None
    }))
}

fn draw_images(replay: &Replay, frames: impl Iterator<Item = Frame>, folder: &Path, kind: ImageKind) -> Result<(), Failure> {
    let digits = replay.record().log().len().to_string().len().max(3);
    for frame in frames {
        let svg = replay.picture(&frame);
        let (bytes, ending) = match kind {
            ImageKind::Svg => (svg.into_bytes(), "svg"),
            ImageKind::Png => (png(&svg, 2.0).map_err(|error| Failure::system(DrawError::Shot(error)))?, "png"),
        };
        files::write(&folder.join(format!("shot-{:0digits$}.{ending}", frame.number)), &bytes)?;
    }
    Ok(())
}

fn animation(replay: &Replay, frames: impl Iterator<Item = Frame>) -> Result<Vec<u8>, AnimationError> {
    let mut animation = Animation::new(1.0);
    for frame in frames {
        animation.add(&replay.picture(&frame))?;
    }
    animation.finish()
}
