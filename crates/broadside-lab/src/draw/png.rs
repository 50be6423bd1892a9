//! From SVG to an image.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Options, Tree, fontdb};

/// The picture can't be made into an image.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// The SVG can't be read.
    #[error("the picture can't be read")]
    Svg(#[from] usvg::Error),
    /// The image would be empty or too large.
    #[error("an image of {width}x{height} can't be made")]
    Size {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
    },
    /// The image can't be written as PNG.
    #[error("the image can't be written as PNG: {0}")]
    Png(String),
}

/// The one font, carried along so that a picture looks the same on a machine that has none.
static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(epaint_default_fonts::UBUNTU_LIGHT.to_vec());
    Arc::new(fonts)
});

/// The SVG as a PNG image, `scale` times as large.
///
/// # Errors
/// When the SVG can't be read or the image can't be made.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    pixels(svg, scale)?.encode_png().map_err(|error| PngError::Png(error.to_string()))
}

/// The SVG as pixels, `scale` times as large.
pub(crate) fn pixels(svg: &str, scale: f32) -> Result<Pixmap, PngError> {
    let options = Options { fontdb: Arc::clone(&FONTS), font_family: "Ubuntu".to_owned(), ..Options::default() };
    let tree = Tree::from_str(svg, &options)?;
    let size = tree.size().to_int_size().scale_by(scale).ok_or(PngError::Size { width: 0, height: 0 })?;
    let (width, height) = (size.width(), size.height());
    let mut image = Pixmap::new(width, height).ok_or(PngError::Size { width, height })?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut image.as_mut());
    Ok(image)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Board;

    #[test]
    fn a_board_becomes_an_image_with_text_in_it() {
        let plain = png(&Board::new("3x3".parse().unwrap()).svg(), 1.0).unwrap();
        let titled = png(&Board::new("3x3".parse().unwrap()).with_title("Title").svg(), 1.0).unwrap();
        assert_eq!(&plain[1..4], b"PNG");
        assert_ne!(plain, titled, "the title is drawn");
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        assert!(matches!(png("<svg", 1.0), Err(PngError::Svg(_))));
    }
}
