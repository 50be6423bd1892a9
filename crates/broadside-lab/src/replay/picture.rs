//! A frame as a picture.

use super::{Frame, Replay};
use crate::draw::{Board, beside};

impl Replay {
    /// A frame as SVG: on the left what was known with the heat, on the right the board after the shot.
    pub fn picture(&self, frame: &Frame) -> String {
        let grid = self.rules().grid();
        let seen = Board::of(&frame.before).titled(self.heading(&frame.heat)).captioned(self.advice(frame));
        let seen = if frame.heat.is_chance() {
            seen.heated(|cell| frame.heat.at(grid.index(cell)).unwrap_or(0.0))
        } else {
            seen.shaded(|cell| frame.heat.share(grid.index(cell)))
        };
        let after = Board::of(&frame.after()).titled("After the shot").captioned(frame.ships_left());
        let boards = [seen.choosing([frame.shot.cell]), after.choosing([frame.shot.cell])];
        beside(&boards, &self.headline(frame), &sentence(&frame.words))
    }

    /// Where the one who looks would have fired, if elsewhere.
    pub fn advice(&self, frame: &Frame) -> String {
        match (&self.captain, frame.mode) {
            (Some(name), _) if frame.advice != frame.shot.cell => format!("{name} would fire at {}", frame.advice),
            (None, _) if frame.advice != frame.shot.cell => format!("likeliest: {}", frame.advice),
            (_, Some(mode)) => format!("mode: {mode}"),
            (_, None) => String::new(),
        }
    }
}

/// The text with a capital letter.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
