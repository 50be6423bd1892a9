//! Layouts drawn from the profile sweep, many at a time.

use broadside_rules::{CellSet, Grid, Placement};
use rand::Rng;

use super::Source;
use crate::problem::ShipPosition;
use crate::transfer::profile;
use crate::{OutOfReach, Problem, WorkLimits};

/// The most layouts drawn at a time: vectors inside blocks are computed once for all of them.
const BATCH: usize = 4096;

/// Draws layouts from a sweep.
pub(super) struct Swept {
    grid: Grid,
    sampler: profile::Sampler,
    /// Drawn and not handed out yet.
    ready: Vec<Vec<ShipPosition>>,
    /// How many to draw next: few for those who want few.
    batch: usize,
}

impl Swept {
    /// A sweep of the problem; none if it has no layout.
    pub(super) fn new(problem: &Problem, limits: &WorkLimits) -> Result<Option<Self>, OutOfReach> {
        let sampler = profile::Sampler::new(problem, limits)?;
        Ok(sampler.map(|sampler| Self { grid: problem.grid(), sampler, ready: vec![], batch: 1 }))
    }

    fn next(&mut self, rng: &mut dyn Rng) -> impl Iterator<Item = Placement> + use<> {
        if self.ready.is_empty() {
            self.ready = self.sampler.draw(rng, self.batch);
            self.batch = (4 * self.batch).min(BATCH);
        }
        self.ready.pop().into_iter().flatten().filter_map(ShipPosition::placement)
    }
}

impl Source for Swept {
    fn draw(&mut self, rng: &mut dyn Rng, ships: &mut Vec<Placement>) {
        ships.extend(self.next(rng));
    }

    fn draw_cells(&mut self, rng: &mut dyn Rng) -> CellSet {
        CellSet::from_cells(self.grid, self.next(rng).flat_map(Placement::cells))
    }
}
