//! What the pattern makes of the score of each cell, and that cells fired at have none.

use super::padding::Padding;
use super::parameters::Parameters;
use super::pattern::Patterns;
use crate::bits::Bits;
use crate::board::Board;
use crate::position::Position;

/// If more shots than this are new, the factors of all cells are made again.
const FEW: usize = 4;

/// The factor of each cell: 0 where it was fired at, more than 1 on the pattern, and 1 elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct PatternFactors<B> {
    padding: Padding,
    /// What the pattern adds to 1, at each stage.
    parts: Vec<f32>,
    /// For each length and pattern, 1 on the pattern and 0 elsewhere.
    cells: Vec<Vec<Vec<f32>>>,
    no_cells: Vec<f32>,
    /// 1 for cells not fired at.
    unfired: Vec<f32>,
    fired: B,
    factors: Vec<f32>,
    /// The stage and the pattern, by its length and number, that the factors are of.
    of: Option<(usize, Option<(usize, usize)>)>,
}

impl<B: Bits> PatternFactors<B> {
    pub(crate) fn new(padding: Padding, board: &Board<B>, patterns: &Patterns<B>, parameters: &Parameters) -> Self {
        let has = |pattern: B, row, col| pattern.has(row * board.grid().cols() + col);
        let cells_of = |&pattern: &B| padding.numbers(board, |row, col| f32::from(u8::from(has(pattern, row, col))));
        Self {
            padding,
            parts: parameters.stages.as_flattened().iter().map(|stage| stage.pattern).collect(),
            cells: patterns.all().iter().map(|patterns| patterns.iter().map(cells_of).collect()).collect(),
            no_cells: padding.zeros(),
            unfired: padding.numbers(board, |_, _| 1.0),
            fired: B::EMPTY,
            factors: padding.zeros(),
            of: None,
        }
    }

    /// The factors with a margin around the board, for a pattern by its length and number.
    #[inline(always)]
    pub(crate) fn factors(&mut self, position: &Position<B>, stage: usize, pattern: Option<(usize, usize)>) -> &[f32] {
        let mut changed = position.fired() ^ self.fired;
        self.fired = position.fired();
        let all = self.of != Some((stage, pattern)) || changed.count() > FEW;
        self.of = Some((stage, pattern));
        let part = self.parts[stage];
        let cells = pattern.map_or(&self.no_cells, |(length, number)| &self.cells[length - 1][number]);
        while let Some(index) = changed.take_first() {
            let cell = position.board().cell(index);
            let place = self.padding.start() + self.padding.offset(cell.row(), cell.col());
            self.unfired[place] = 1.0 - self.unfired[place];
            self.factors[place] = (1.0 + part * cells[place]) * self.unfired[place];
        }
        if all {
            for ((factor, &on), &unfired) in self.factors.iter_mut().zip(cells).zip(&self.unfired) {
                *factor = (1.0 + part * on) * unfired;
            }
        }
        &self.factors
    }
}
