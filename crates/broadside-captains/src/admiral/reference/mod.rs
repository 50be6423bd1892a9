//! The admiral in its first and simplest form, to compare with: all placements are counted anew for every shot.

mod cell_scores;
mod hunt;
mod target;

use broadside_rules::{Cell, Rules, ShotLog};

use super::Parameters;
use super::{parameters, pattern};
use crate::bits::Bits;
use crate::cell_counts::CellCounts;
use crate::density::{beside_a_hit, fallback_shot};
use crate::opening::Opening;
use crate::placements::{HitSorter, PlacementGroup};
use crate::position::Position;

use hunt::Hunt;
use target::Target;

/// The captain as it was before its counts were kept from shot to shot.
pub(crate) struct Admiral<B> {
    parameters: Parameters,
    position: Position<B>,
    sorter: HitSorter<B>,
    groups: Vec<PlacementGroup<B>>,
    counts: CellCounts<B>,
    hunt: Hunt<B>,
    target: Target,
    opening: Opening<B>,
}

impl<B: Bits> Admiral<B> {
    pub(crate) fn new(rules: &Rules, parameters: Parameters) -> Self {
        let position = Position::new(rules);
        Self {
            parameters,
            sorter: HitSorter::new(),
            groups: Vec::new(),
            counts: CellCounts::new(),
            hunt: Hunt::new(rules, position.board()),
            target: Target::new(rules.grid()),
            opening: Opening::default(),
            position,
        }
    }

    /// The best cell when this many shots all missed.
    fn opening_shot(&mut self, shots: usize) -> usize {
        let fired = self.position.fired();
        self.opening.get(shots, fired).unwrap_or_else(|| {
            let best = self.best();
            self.opening.insert(shots, fired, best);
            best
        })
    }

    fn best(&mut self) -> usize {
        self.compute();
        let hunt = self.hunt.scores().best(self.position.unfired());
        let best = if self.hunts() {
            hunt
        } else {
            let target = self.target.scores().best(self.position.unfired());
            target.or_else(|| beside_a_hit(&self.position)).or(hunt)
        };
        best.unwrap_or_else(|| fallback_shot(&self.position))
    }

    fn hunts(&self) -> bool {
        self.position.live_count() == 0
    }

    /// Scores all cells.
    fn compute(&mut self) {
        let groups = &mut self.groups;
        groups.clear();
        self.sorter.each(&self.position, |group| groups.extend((!group.bows.is_empty()).then_some(group)));
        let stage = self.parameters.stage(Parameters::stage_number(self.position.left()));
        self.hunt.compute(&self.position, &self.groups, stage, &mut self.counts);
        if !self.hunts() {
            self.target.compute(&self.position, &self.groups, stage, self.hunt.scores(), &mut self.counts);
        }
    }
}

impl<B: Bits> Admiral<B> {
    /// The next shot, and the score of every cell not fired at.
    pub(crate) fn explain(&mut self, log: &ShotLog) -> (Cell, Vec<Option<f64>>) {
        let cell = self.aim(log);
        self.compute();
        let scores = if self.hunts() { self.hunt.scores() } else { self.target.scores() };
        (cell, self.position.scores(self.position.unfired(), |index| f64::from(scores.at(index))))
    }

    /// The next shot.
    pub(crate) fn aim(&mut self, log: &ShotLog) -> Cell {
        self.position.read(log);
        let best = if log.hit_count() == 0 { self.opening_shot(log.len()) } else { self.best() };
        self.position.board().cell(best)
    }
}
