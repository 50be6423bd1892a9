//! The masks of a position: what is still to be shot to be sure.

use std::io::{self, Write};

use broadside_lab::draw;
use broadside_odds::{Budget, explain};
use broadside_rules::{CellSet, ShotLog};
use broadside_solve::mask::MaskError;
use broadside_solve::mask::hitting::{Effort, Smallest};
use broadside_solve::mask::midgame::{EffortLimits, block, sure_hit};
use serde::Serialize;

use super::{MaskReport, names, shots};
use crate::draw::{Square, board};
use crate::exit::Failure;
use crate::logs::ImpossibleError;
use crate::marks::Marks;
use crate::output;

/// Both answers for one position.
pub(super) struct Midgame {
    log: ShotLog,
    length: usize,
    block: Smallest<CellSet>,
    sure_hit: Smallest<CellSet>,
}

/// Answers may be false.
#[derive(Debug, thiserror::Error)]
#[error("firing patterns need true answers: where some are false, nothing is sure to be hit; leave out --noise")]
struct FalseAnswersError;

impl Midgame {
    pub(super) fn new(log: ShotLog, length: usize, effort: u64) -> Result<Self, Failure> {
        if !log.rules().noise().is_none() {
            return Err(Failure::no_answer(FalseAnswersError));
        }
        let limits = || EffortLimits { hitting_effort: Effort::nodes(effort), ..EffortLimits::default() };
        let block = block(&log, length, &mut limits()).map_err(|error| failure(&log, error))?;
        let sure_hit = sure_hit(&log, &mut limits()).map_err(|error| failure(&log, error))?;
        Ok(Self { log, length, block, sure_hit })
    }

    fn draw(&self, out: &mut dyn Write, cells: &CellSet) -> io::Result<()> {
        let marks = Marks::from_log(&self.log);
        board(out, self.log.rules().grid(), |cell| match marks.at(cell) {
            Some(mark) => Square::Shot(mark),
            None if cells.contains(cell) => Square::Aim,
            None => Square::Water,
        })
    }

    fn headline(&self) -> String {
        match self.block.best().len() {
            0 => format!("No shot is needed: no ship of length {} is left that has not been hit.", self.length),
            _ => format!("To meet every ship of length {} not hit yet: {}.", self.length, verdict(&self.block)),
        }
    }
}

/// How many shots, and whether fewer would do.
fn verdict(answer: &Smallest<CellSet>) -> String {
    match answer {
        Smallest::Proved(cells) => format!("{}, and no fewer do (proved)", shots(cells.len())),
        Smallest::Bounded { best, at_least } => {
            format!("{} are enough, {at_least} or more are needed (not proved: try a larger --effort)", shots(best.len()))
        }
    }
}

/// Why there is no answer, with the shots to blame when no layout fits.
fn failure(log: &ShotLog, error: MaskError) -> Failure {
    let contradiction = if error == MaskError::NoLayout { explain(log, Budget::default()).ok().flatten() } else { None };
    contradiction
        .map_or_else(|| Failure::no_answer(error), |contradiction| Failure::no_answer(ImpossibleError::Layouts(contradiction)))
}

impl MaskReport for Midgame {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}\n", self.headline())?;
        self.draw(out, self.block.best())?;
        writeln!(out, "\nTo be sure of a hit on any ship: {}.\n", verdict(&self.sure_hit))?;
        self.draw(out, self.sure_hit.best())?;
        writeln!(
            out,
            "\n* fire here   - miss   + hit   # sunk{}",
            if self.log.rules().rocks().is_some() { "   ^ rock" } else { "" }
        )
    }

    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        output::json_line(out, &Json { mask: Mask::new(&self.block), sure_hit: Mask::new(&self.sure_hit) })
    }

    fn board(&self) -> draw::Board {
        // Short, since a board may be narrow.
        let title = format!("After {}, length {}", shots(self.log.len()), self.length);
        let mask = Mask::new(&self.block);
        let caption = format!("{}, at least {} needed", shots(mask.count), mask.at_least);
        draw::Board::from_log(&self.log).with_title(title).with_caption(caption).with_best(self.block.best().iter())
    }
}

#[derive(Serialize)]
struct Json {
    #[serde(flatten)]
    mask: Mask,
    #[serde(rename = "catch")]
    sure_hit: Mask,
}

#[derive(Serialize)]
struct Mask {
    cells: Vec<String>,
    count: usize,
    smallest: bool,
    at_least: usize,
}

impl Mask {
    fn new(answer: &Smallest<CellSet>) -> Self {
        let count = answer.best().len();
        let at_least = if let Smallest::Bounded { at_least, .. } = answer { *at_least } else { count };
        Self { cells: names(answer.best()), count, smallest: answer.is_proved(), at_least }
    }
}
