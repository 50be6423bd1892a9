//! Layouts drawn from the ways of a plan: ways are drawn until one has no clash.
//!
//! Each way is as likely as any other, and each layout has equally many of them: one for each order of ships of one length. So what is kept is
//! exactly uniform.

use broadside_rules::{CellSet, Grid, Placement};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::places::Places;
use super::plan::Plan;
use crate::transfer::sampler::{Source, below};

/// Ways drawn at the most to see whether enough of them have no clash.
const TRIALS: u32 = 1 << 14;

/// So many of them are enough.
const ENOUGH: u32 = 16;

/// Draws layouts.
pub(super) struct Draws<const W: usize> {
    grid: Grid,
    plan: Plan,
    places: Places<W>,
    first: u32,
    /// The class and the number of each ship drawn.
    drawn: Vec<(usize, usize)>,
}

impl<const W: usize> Draws<W> {
    /// None if there is no way, or too many ways have a clash.
    pub(super) fn new(grid: Grid, plan: Plan, places: Places<W>) -> Option<Self> {
        let first = plan.first?;
        let mut draws = Self { grid, plan, places, first, drawn: Vec::new() };
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
        let mut found = 0;
        (0..TRIALS)
            .any(|_| {
                found += u32::from(draws.attempt(&mut rng));
                found == ENOUGH
            })
            .then_some(draws)
    }

    /// Draws a way; says whether it has no clash.
    fn attempt(&mut self, rng: &mut dyn Rng) -> bool {
        self.drawn.clear();
        let (mut at, mut way) = (self.first as usize, below(self.plan.steps[self.first as usize].ways, rng));
        for &class in &self.plan.order {
            let step = &self.plan.steps[at];
            let number = step.up_to.partition_point(|&up_to| up_to <= way);
            way -= if number > 0 { step.up_to[number - 1] } else { 0 };
            let choice = step.choices[number];
            let places = &self.places.groups[class][choice.group as usize].numbers;
            // The ways of a choice: one of its places, and the ways from the next step on.
            let after = (step.up_to[number] - if number > 0 { step.up_to[number - 1] } else { 0 }) / places.len() as u64;
            let place = places[(way / after) as usize] as usize;
            way %= after;
            let clashes = |&(other, placed): &(usize, usize)| {
                self.places.clashing(other, placed, class)[place / 64] >> (place % 64) & 1 == 1
            };
            if self.drawn.iter().any(clashes) {
                return false;
            }
            self.drawn.push((class, place));
            at = choice.next as usize;
        }
        true
    }

    fn next(&mut self, rng: &mut dyn Rng) -> impl Iterator<Item = Placement> + '_ {
        while !self.attempt(rng) {}
        self.drawn.iter().map(|&(class, place)| self.places.ships[class][place])
    }
}

impl<const W: usize> Source for Draws<W> {
    fn draw(&mut self, rng: &mut dyn Rng, ships: &mut Vec<Placement>) {
        ships.extend(self.next(rng));
    }

    fn draw_cells(&mut self, rng: &mut dyn Rng) -> CellSet {
        let grid = self.grid;
        CellSet::from_cells(grid, self.next(rng).flat_map(Placement::cells))
    }
}
