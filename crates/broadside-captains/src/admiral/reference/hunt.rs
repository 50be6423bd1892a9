//! What a cell is worth while no ship is known.

use broadside_rules::{Orientation, Rules};

use super::cell_scores::{CellScores, PaddedScores};
use super::parameters::{StageParameters, length_index};
use super::pattern::Patterns;
use crate::bits::Bits;
use crate::board::Board;
use crate::cell_counts::CellCounts;
use crate::placements::PlacementGroup;
use crate::position::Position;

/// A cell keeps at least this part of its own placements, whatever lies around it.
const MIN_PART: f32 = 1e-3;

/// The scores while no ship is known.
#[derive(Clone, Debug)]
pub(crate) struct Hunt<B> {
    patterns: Patterns<B>,
    scores: CellScores,
    fired: CellScores,
    placements: PaddedScores,
    shots: PaddedScores,
    /// For each row, the edges it lies on and those it lies one step from; the same for each column.
    row_edges: Vec<[f32; 2]>,
    col_edges: Vec<[f32; 2]>,
    /// The pattern in use.
    pattern: B,
    /// Memory for one row: what lies around, and the factor.
    around: Vec<f32>,
    factor: Vec<f32>,
}

impl<B: Bits> Hunt<B> {
    pub(crate) fn new(rules: &Rules, board: &Board<B>) -> Self {
        let grid = rules.grid();
        let edges = |size: usize| (0..size).map(move |i| [0, 1].map(|away| edges_at(i, size, away))).collect();
        Self {
            patterns: Patterns::new(board, rules.fleet().longest().get()),
            scores: CellScores::new(grid),
            fired: CellScores::new(grid),
            placements: PaddedScores::new(grid),
            shots: PaddedScores::new(grid),
            row_edges: edges(grid.rows()),
            col_edges: edges(grid.cols()),
            pattern: B::EMPTY,
            around: vec![0.0; grid.cols()],
            factor: vec![0.0; grid.cols()],
        }
    }

    /// The score of each cell, as computed last.
    pub(crate) fn scores(&self) -> &CellScores {
        &self.scores
    }

    /// Scores all cells, given the placements that meet no live hit, shortest first.
    pub(crate) fn compute(
        &mut self,
        position: &Position<B>,
        groups: &[PlacementGroup<B>],
        stage: &StageParameters,
        counts: &mut CellCounts<B>,
    ) {
        self.scores.clear();
        for group in groups.iter().filter(|group| group.hits == 0) {
            counts.clear();
            group.add_to_counts(counts, position.board().grid().cols());
            let n = group.count() as f32;
            self.scores.add(counts.planes(), stage.length[length_index(group.length)] * n / (n + stage.few));
        }
        self.add_surroundings(position, stage);
        self.apply_pattern(position, groups, stage);
    }

    /// Adds the shares of the cells around each cell, and multiplies it by its factor.
    fn add_surroundings(&mut self, position: &Position<B>, stage: &StageParameters) {
        self.fired.clear();
        self.fired.add(&[position.fired()], 1.0);
        self.placements.copy(&self.scores);
        self.shots.copy(&self.fired);
        let (rings, shots) = (
            [stage.beside, stage.corner, stage.second, stage.knight],
            [stage.fired_beside, stage.fired_corner, stage.fired_second, 0.0],
        );
        let cols = self.col_edges.len();
        for (row, edges) in self.row_edges.iter().enumerate() {
            for (factor, other) in self.factor.iter_mut().zip(&self.col_edges) {
                *factor = 1.0 + stage.edge * (edges[0] + other[0]) + stage.near_edge * (edges[1] + other[1]);
            }
            self.shots.add_rings(row, shots, &mut self.factor);
            self.around.fill(0.0);
            self.placements.add_rings(row, rings, &mut self.around);
            let score = &mut self.scores.numbers_mut()[row * cols..][..cols];
            for ((score, around), factor) in score.iter_mut().zip(&self.around).zip(&self.factor) {
                *score = ((*score + around) * factor).max(MIN_PART * *score);
            }
        }
    }

    fn apply_pattern(&mut self, position: &Position<B>, groups: &[PlacementGroup<B>], stage: &StageParameters) {
        self.pattern = B::EMPTY;
        let Some(group) = groups.iter().find(|group| group.hits == 0) else { return };
        let (board, unfired) = (position.board(), position.unfired());
        let cover = |bows, orientation| board.covered(bows, group.length, orientation);
        let open = cover(group.bows.horizontal, Orientation::Horizontal) | cover(group.bows.vertical, Orientation::Vertical);
        self.pattern = self.patterns.fewest_left(group.length, open & unfired).1 & unfired;
        let score = self.scores.numbers_mut();
        self.pattern.iter().for_each(|cell| score[cell] *= 1.0 + stage.pattern);
    }
}

/// How many of the two ends lie so far away.
fn edges_at(place: usize, size: usize, away: usize) -> f32 {
    f32::from(u8::from(place == away) + u8::from(place + away + 1 == size))
}
