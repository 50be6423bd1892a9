//! What a cell is worth while a ship is hit and afloat.

use broadside_rules::Grid;

use super::cell_scores::CellScores;
use super::parameters::{StageParameters, length_index};
use crate::bits::Bits;
use crate::cell_counts::CellCounts;
use crate::placements::PlacementGroup;
use crate::position::Position;

/// The factor in the weight of a placement for each live hit that it covers.
const WEIGHT_PER_HIT: f32 = 45.0;

/// The scores while a ship is hit and afloat.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    scores: CellScores,
}

impl Target {
    pub(crate) fn new(grid: Grid) -> Self {
        Self { scores: CellScores::new(grid) }
    }

    /// The score of each cell, as computed last.
    pub(crate) fn scores(&self) -> &CellScores {
        &self.scores
    }

    /// Scores all cells: the chance of a hit by the placements through live hits, and a share of the hunt's score.
    pub(crate) fn compute<B: Bits>(
        &mut self,
        position: &Position<B>,
        groups: &[PlacementGroup<B>],
        stage: &StageParameters,
        hunt: &CellScores,
        counts: &mut CellCounts<B>,
    ) {
        self.scores.clear();
        // A placement all of hits has no cell to fire at.
        let aimed = || groups.iter().filter(|group| group.hits > 0 && group.hits < group.length);
        let most = aimed().map(|group| group.hits).max().unwrap_or(0);
        let mut all = 0.0;
        for group in aimed() {
            counts.clear();
            group.add_to_counts(counts, position.board().grid().cols());
            let weight = weight(group, groups, stage, most);
            self.scores.add(counts.planes(), weight);
            all += weight * (group.count() * group.ships) as f32;
        }
        self.add_hunt_share(position, hunt, stage.hunt_share * all);
    }

    /// Adds the hunt's scores of the cells where the ship may lie, scaled so that the hunt's best cell adds `highest`.
    fn add_hunt_share<B: Bits>(&mut self, position: &Position<B>, hunt: &CellScores, highest: f32) {
        let Some(best) = hunt.best(position.unfired()) else { return };
        let times = highest / hunt.at(best);
        for (cell, score) in self.scores.numbers_mut().iter_mut().enumerate() {
            if *score > 0.0 {
                *score += times * hunt.at(cell);
            }
        }
    }
}

/// What a placement weighs; `most` is the highest number of live hits that any placement covers.
fn weight<B: Bits>(group: &PlacementGroup<B>, groups: &[PlacementGroup<B>], stage: &StageParameters, most: usize) -> f32 {
    let places: usize = groups.iter().filter(|other| other.length == group.length).map(PlacementGroup::count).sum();
    let weight = stage.target_length[length_index(group.length)] * places as f32 / (places as f32 + stage.target_few);
    (group.hits..most).fold(weight, |weight, _| weight / WEIGHT_PER_HIT)
}
