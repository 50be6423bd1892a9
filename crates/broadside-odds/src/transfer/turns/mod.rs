//! Turns of which only the number of hits was called, without taking them apart.
//!
//! A ship that lies somewhere accounts for some hits of each turn, whatever the others do. So the layouts of a log are the ways to place the ships such that they
//! account for all that was called together (`owed`), and none clashes with another. Placements that account for the same are put together (`places`), and which
//! groups go together follows before any clash is looked at (`plan`): few do, once some turns were called. What is left is to go through the
//! placements of the groups that do: all of them (`search`), or some at random (`draws`).
//!
//! That takes time for each way to place all ships but the last, and no memory for them. Early in a game there are far more ways than cases
//! ([`cases`](crate::cases)), later far fewer.

mod draws;
mod owed;
mod places;
mod plan;
mod search;

use broadside_rules::{Grid, ShotLog, Stop, Stopped};

use self::draws::Draws;
use self::owed::Owed;
use self::places::{Choices, Places};
use self::plan::Plan;
use super::sampler::Source;
use crate::{Counts, Problem, WorkLimits};

/// What the tables of a plan may take, whatever the budget: past it, it takes longer to plan than to count otherwise.
const MOST_BYTES: usize = 4 << 20;

/// The ways to place a fleet such that it accounts for all that was called.
pub(super) trait Ways {
    /// Sets of placements that a count looks at, at the most.
    fn work(&self) -> f64;
    /// The exact counts.
    fn count(&self, stop: &Stop) -> Result<Counts, Stopped>;
    /// Whether there is no way at all.
    fn are_none(&self) -> bool;
    /// Draws layouts; none if ways without a clash are too few.
    fn draws(self: Box<Self>) -> Option<Box<dyn Source>>;
}

/// The ways of a log; none if they take more than the budget, or to plan them takes too long. Whoever was stopped gets none either.
pub(super) fn ways(log: &ShotLog, limits: &WorkLimits) -> Option<Box<dyn Ways>> {
    let problem = Problem::from_log(log);
    let owed = Owed::new(log, problem.must_cells())?;
    let choices = Choices::new(&problem, &owed);
    match choices.most() {
        ..=64 => ways_in_words::<1>(&problem, &owed, &choices, limits),
        65..=128 => ways_in_words::<2>(&problem, &owed, &choices, limits),
        129..=192 => ways_in_words::<3>(&problem, &owed, &choices, limits),
        193..=256 => ways_in_words::<4>(&problem, &owed, &choices, limits),
        257..=512 => ways_in_words::<8>(&problem, &owed, &choices, limits),
        _ => None,
    }
}

fn ways_in_words<const W: usize>(
    problem: &Problem,
    owed: &Owed<'_>,
    choices: &Choices,
    limits: &WorkLimits,
) -> Option<Box<dyn Ways>> {
    let bytes = limits.budget.bytes.min(MOST_BYTES).checked_sub(choices.bytes(problem.cells(), W))?;
    let places = Places::<W>::new(problem, choices);
    // The best plan so far and one in the making.
    let plan = Plan::new(owed, &places, &choices.ships, bytes / 2, &limits.stop)?;
    Some(Box::new(WaysInWords { grid: problem.grid(), plan, places }))
}

struct WaysInWords<const W: usize> {
    grid: Grid,
    plan: Plan,
    places: Places<W>,
}

impl<const W: usize> Ways for WaysInWords<W> {
    fn work(&self) -> f64 {
        self.plan.work
    }

    fn count(&self, stop: &Stop) -> Result<Counts, Stopped> {
        let (layouts, found) = search::count(&self.plan, &self.places, stop)?;
        let mut cells = vec![0; self.grid.len()];
        for (ship, &layouts) in self.places.ships.iter().flatten().zip(found.iter().flatten()) {
            ship.cells().for_each(|cell| cells[self.grid.index(cell)] += u128::from(layouts));
        }
        Ok(Counts::new(self.grid, layouts.into(), cells))
    }

    fn are_none(&self) -> bool {
        self.plan.first.is_none()
    }

    fn draws(self: Box<Self>) -> Option<Box<dyn Source>> {
        Some(Box::new(Draws::new(self.grid, self.plan, self.places)?))
    }
}

#[cfg(test)]
mod tests;
