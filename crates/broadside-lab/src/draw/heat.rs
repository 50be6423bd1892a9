//! The heat scale: colours that stay apart for the colour-blind and in print.

use std::fmt;

/// A colour. Its text is that of style sheets: `rgb(255,255,229)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rgb({},{},{})", self.0, self.1, self.2)
    }
}

/// A step of the heat scale: the colour of a cell, and of text that can be read on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeatColour {
    /// The colour of the cell.
    pub background: Rgb,
    /// Black or white, whichever stands out more.
    pub text: Rgb,
}

/// Stops of the scale from 0 to 1: pale yellow over green to dark blue. Lightness falls all the way, so that the order can
/// be read without seeing hues.
const STOPS: [[f64; 3]; 5] =
    [[255.0, 255.0, 229.0], [199.0, 233.0, 180.0], [65.0, 182.0, 196.0], [34.0, 94.0, 168.0], [8.0, 29.0, 88.0]];

/// Relative luminance at which black and white text have the same contrast, 4.58.
const EVEN_LUMINANCE: f64 = 0.179;

impl HeatColour {
    /// The colour of a share from 0 (cold) to 1 (hot).
    ///
    /// ```
    /// use broadside_lab::draw::{HeatColour, Rgb};
    /// let hottest = HeatColour::new(1.0);
    /// assert_eq!((hottest.background.to_string(), hottest.text), ("rgb(8,29,88)".to_owned(), Rgb(255, 255, 255)));
    /// ```
    pub fn new(share: f64) -> Self {
        let at = share.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
        let stop = (1..STOPS.len() - 1).filter(|&stop| stop as f64 <= at).count();
        let between = at - stop as f64;
        let mix = |channel: usize| {
            let mixed = STOPS[stop][channel] * (1.0 - between) + STOPS[stop + 1][channel] * between;
            u8::try_from(mixed.round() as i32).unwrap_or(u8::MAX)
        };
        let background = Rgb(mix(0), mix(1), mix(2));
        let text = if background.luminance() < EVEN_LUMINANCE { Rgb(255, 255, 255) } else { Rgb(0, 0, 0) };
        Self { background, text }
    }
}

impl Rgb {
    /// Relative luminance as WCAG 2 defines it.
    fn luminance(self) -> f64 {
        let linear = |channel: u8| match f64::from(channel) / 255.0 {
            c if c <= 0.04045 => c / 12.92,
            c => ((c + 0.055) / 1.055).powf(2.4),
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn background(share: f64) -> String {
        HeatColour::new(share).background.to_string()
    }

    #[test]
    fn the_ends_of_the_scale_are_its_first_and_last_colours() {
        assert_eq!(background(0.0), "rgb(255,255,229)");
        assert_eq!(background(1.0), "rgb(8,29,88)");
        assert_eq!(background(0.5), "rgb(65,182,196)");
        assert_eq!(HeatColour::new(-1.0), HeatColour::new(0.0));
        assert_eq!(background(7.0), background(1.0));
    }

    #[test]
    fn text_can_be_read_on_every_colour() {
        for step in 0..=1000 {
            let HeatColour { background, text } = HeatColour::new(f64::from(step) / 1000.0);
            let (a, b) = (background.luminance() + 0.05, text.luminance() + 0.05);
            // WCAG 2 asks for a contrast of 4.5.
            assert!(a.max(b) / a.min(b) >= 4.5, "{background} with {text}");
        }
    }
}
