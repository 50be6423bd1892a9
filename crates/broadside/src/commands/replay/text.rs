//! A shot as text and as JSON.

use std::io::{self, Write};

use broadside_captains::Mode;
use broadside_lab::replay::{Frame, Heat, Replay};
use broadside_rules::{Cell, Grid};
use serde::Serialize;

use crate::draw;
use crate::marks::Marks;

/// One shot for programs.
#[derive(Serialize)]
pub(super) struct Line {
    shot: usize,
    cell: String,
    answer: String,
    log: String,
    advice: String,
    mode: Option<&'static str>,
    reason: String,
    heat: &'static str,
    values: Vec<Vec<Option<f64>>>,
    /// The lengths of the ships left, where they are called.
    left: Option<Vec<usize>>,
    hits: usize,
}

impl Line {
    pub(super) fn new(frame: &Frame) -> Self {
        let after = &frame.after;
        let called = after.rules().call().tells_length_on_sinking();
        let left = || after.lengths_left().iter().map(|length| length.get()).collect();
        let columns = after.rules().grid().cols();
        Self {
            shot: frame.number,
            cell: frame.shot.cell.to_string(),
            answer: frame.shot.answer.to_string(),
            log: frame.before.to_string(),
            advice: frame.advice.to_string(),
            mode: frame.mode.map(Mode::word),
            reason: frame.words.clone(),
            heat: frame.heat.name(),
            values: frame.heat.values().chunks(columns).map(<[_]>::to_vec).collect(),
            left: called.then(left),
            hits: after.hit_count(),
        }
    }
}

/// One shot for people.
pub(super) fn write(out: &mut dyn Write, replay: &Replay, frame: &Frame) -> io::Result<()> {
    writeln!(out, "\n{}", replay.headline(frame))?;
    writeln!(out, "  {}", replay.reason(frame))?;
    let (advice, left) = (replay.advice(frame), frame.ships_left());
    writeln!(out, "  {}\n", [advice, left].iter().filter(|words| !words.is_empty()).cloned().collect::<Vec<_>>().join("; "))?;
    let after = &frame.after;
    let (grid, chosen) = (after.rules().grid(), frame.shot.cell);
    let width = if frame.heat.is_chance() { 4 } else { 3 };
    let before = Board { marks: Marks::from_log(&frame.before), heat: &frame.heat, chosen, width };
    let after = Board { marks: Marks::from_log(after), heat: &Heat::Unknown, chosen, width: 3 };
    draw::coordinates(out, grid, before.width)?;
    write!(out, "   ")?;
    draw::coordinates(out, grid, after.width)?;
    for row in 0..grid.rows() {
        writeln!(out)?;
        before.write_row(out, grid, row)?;
        write!(out, "  ")?;
        after.write_row(out, grid, row)?;
    }
    writeln!(out)
}

/// One of the two boards of a shot.
struct Board<'a> {
    marks: Marks,
    heat: &'a Heat,
    chosen: Cell,
    /// Characters for a cell.
    width: usize,
}

impl Board<'_> {
    fn write_row(&self, out: &mut dyn Write, grid: Grid, row: usize) -> io::Result<()> {
        draw::label(out, grid, row)?;
        for cell in (0..grid.cols()).filter_map(|col| Cell::new(row, col)) {
            let index = grid.index(cell);
            let (style, text) = draw::cell_look(self.marks.at(cell), self.heat.share(index), &cell_text(self.heat, index));
            let text = bracketed(&text, self.width, cell == self.chosen);
            // No blanks at the ends of lines, since they are lost where text is copied.
            let text = if cell.col() + 1 == grid.cols() && *self.heat == Heat::Unknown { text.trim_end() } else { &text };
            write!(out, "{style}{text}{style:#}")?;
        }
        Ok(())
    }
}

/// What is written on a cell not fired at.
fn cell_text(heat: &Heat, index: usize) -> String {
    match heat.at(index) {
        None => ".".to_owned(),
        Some(chance) if heat.is_chance() => format!("{:.0}", chance * 100.0),
        // Only the best has a 9, so that the choice can be checked.
        Some(_) => format!("{:.0}", heat.share(index).map_or(0.0, |share| (share * 9.0).floor())),
    }
}

/// The text in the middle of its square; in brackets where it is the shot, as far as there is room.
fn bracketed(text: &str, width: usize, chosen: bool) -> String {
    let room = width - 1;
    let padded = format!("{text:>room$} ");
    if !chosen {
        return padded;
    }
    let blank = room.saturating_sub(text.chars().count() + 1);
    let open = if room > text.chars().count() { "[" } else { "" };
    format!("{:blank$}{open}{text}]", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_take_the_place_of_blanks() {
        assert_eq!([bracketed("9", 3, false), bracketed("9", 3, true)], [" 9 ", "[9]"]);
        assert_eq!([bracketed("57", 4, false), bracketed("57", 4, true)], [" 57 ", "[57]"]);
        assert_eq!([bracketed("5", 4, false), bracketed("5", 4, true)], ["  5 ", " [5]"]);
        assert_eq!([bracketed("100", 4, false), bracketed("100", 4, true)], ["100 ", "100]"]);
    }
}
