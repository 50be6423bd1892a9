//! A frame as a picture.

use super::{Frame, Replay};
use crate::draw::{Board, side_by_side};

impl Replay {
    /// A frame as SVG: on the left what was known with the heat, on the right the board after the shot.
    pub fn picture(&self, frame: &Frame) -> String {
        let grid = self.rules().grid();
        let before = Board::from_log(&frame.before).with_title(self.heading(&frame.heat)).with_caption(self.advice(frame));
        let before = if frame.heat.is_chance() {
            before.with_chances(|cell| frame.heat.at(grid.index(cell)).unwrap_or(0.0))
        } else {
            before.with_shades(|cell| frame.heat.share(grid.index(cell)))
        };
        let after = Board::from_log(&frame.after).with_title("After the shot").with_caption(frame.ships_left());
        let boards = [before.with_last_shot(frame.shot.cell), after.with_last_shot(frame.shot.cell)];
        side_by_side(&boards, &self.headline(frame), &capitalised(&self.reason(frame)))
    }
}

/// The text with a capital letter at its start.
pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
