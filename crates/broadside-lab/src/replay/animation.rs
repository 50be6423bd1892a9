//! Frames as an animated GIF.

use gif::{DisposalMethod, Encoder, EncodingError, Repeat};
use resvg::tiny_skia::Pixmap;

use crate::draw::{PngError, pixels};

/// Hundredths of a second that a shot is shown.
const SHOT: u16 = 120;
/// The same for the last shot, before all starts again.
const LAST: u16 = 500;
/// Speed of choosing colours, from 1 (best colours) to 30, when a picture has more than a GIF can hold.
const QUANTIZER_SPEED: i32 = 5;

/// An animated GIF, made picture by picture.
pub struct Animation {
    scale: f32,
    encoder: Option<Encoder<Vec<u8>>>,
    shown: Option<Pixmap>,
    pending: Option<gif::Frame<'static>>,
}

/// The animation can't be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnimationError {
    /// A picture can't be drawn.
    #[error(transparent)]
    Draw(#[from] PngError),
    /// A picture can't be put into the animation.
    #[error("the animation can't be written")]
    Encode(#[from] EncodingError),
    /// The picture is larger than a GIF may be, or another size than the first one.
    #[error("a picture of {width}x{height} doesn't fit the animation")]
    Size {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
    },
    /// There is not one picture.
    #[error("an animation needs a picture")]
    Empty,
}

impl Animation {
    /// An empty animation of pictures drawn `scale` times as large.
    pub fn new(scale: f32) -> Self {
        Self { scale, encoder: None, shown: None, pending: None }
    }

    /// Adds a picture, as SVG.
    ///
    /// # Errors
    /// When it can't be drawn, or has another size than those before it.
    pub fn add(&mut self, svg: &str) -> Result<(), AnimationError> {
        let picture = pixels(svg, self.scale)?;
        let (width, height) = (picture.width(), picture.height());
        let size = || AnimationError::Size { width, height };
        if self.shown.as_ref().is_some_and(|shown| (shown.width(), shown.height()) != (width, height)) {
            return Err(size());
        }
        if self.encoder.is_none() {
            let (w, h) = (u16::try_from(width).map_err(|_| size())?, u16::try_from(height).map_err(|_| size())?);
            let mut encoder = Encoder::new(Vec::new(), w, h, &[])?;
            encoder.set_repeat(Repeat::Infinite)?;
            self.encoder = Some(encoder);
        }
        self.flush(SHOT)?;
        self.pending = Some(change(self.shown.as_ref(), &picture));
        self.shown = Some(picture);
        Ok(())
    }

    /// The animation as a file.
    ///
    /// # Errors
    /// When there is not one picture.
    pub fn finish(mut self) -> Result<Vec<u8>, AnimationError> {
        self.flush(LAST)?;
        Ok(self.encoder.ok_or(AnimationError::Empty)?.into_inner()?)
    }

    /// Writes the picture that waits: only now is it known how long it is shown.
    fn flush(&mut self, delay: u16) -> Result<(), AnimationError> {
        if let Some((encoder, frame)) = self.encoder.as_mut().zip(self.pending.take()) {
            encoder.write_frame(&gif::Frame { delay, dispose: DisposalMethod::Keep, ..frame })?;
        }
        Ok(())
    }
}

/// What has changed since the last picture: the smallest rectangle around it, transparent where nothing has.
fn change(shown: Option<&Pixmap>, picture: &Pixmap) -> gif::Frame<'static> {
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let same = |at: usize| shown.is_some_and(|shown| shown.data()[at * 4..at * 4 + 4] == picture.data()[at * 4..at * 4 + 4]);
    let changed = |x: usize, y: usize| !same(y * width + x);
    let rows = span((0..height).filter(|&y| (0..width).any(|x| changed(x, y))));
    let columns = span((0..width).filter(|&x| rows.clone().any(|y| changed(x, y))));
    let mut bytes = Vec::with_capacity(rows.len() * columns.len() * 4);
    for at in rows.clone().flat_map(|y| columns.clone().map(move |x| y * width + x)) {
        let pixel = &picture.data()[at * 4..at * 4 + 4];
        bytes.extend_from_slice(&[pixel[0], pixel[1], pixel[2], if same(at) { 0 } else { 255 }]);
    }
    let mut frame = gif::Frame::from_rgba_speed(columns.len() as u16, rows.len() as u16, &mut bytes, QUANTIZER_SPEED);
    (frame.left, frame.top) = (columns.start as u16, rows.start as u16);
    frame
}

/// From the first to the last; one pixel when there is none, since a GIF's pictures can't be empty.
fn span(mut places: impl Iterator<Item = usize>) -> std::ops::Range<usize> {
    let first = places.next().unwrap_or(0);
    first..places.last().unwrap_or(first) + 1
}
