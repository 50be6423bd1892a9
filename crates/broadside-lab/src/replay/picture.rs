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
        beside(&boards, &self.headline(frame), &sentence(&self.reason(frame)))
    }

    /// The reason in words, beginning with the cell where it is not the one fired at.
    pub fn reason(&self, frame: &Frame) -> String {
        match &self.captain {
            Some(name) if frame.advice != frame.shot.cell => format!("{name} would fire at {}: {}", frame.advice, frame.words),
            _ => frame.words.clone(),
        }
    }

    /// What the captain was doing; without a captain the likeliest cell, if the shot was another.
    pub fn advice(&self, frame: &Frame) -> String {
        match frame.mode {
            Some(mode) => format!("mode: {mode}"),
            None if frame.advice != frame.shot.cell => format!("likeliest: {}", frame.advice),
            None => String::new(),
        }
    }
}

/// The text with a capital letter.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
