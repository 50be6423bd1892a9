//! What every picture needs to write SVG.

use std::fmt::{Arguments, Write};

/// Adds to the picture.
pub(super) fn push(svg: &mut String, words: Arguments<'_>) {
    svg.write_fmt(words).expect("a string takes all that is written to it");
}

/// Text that can stand in an element or an attribute.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
