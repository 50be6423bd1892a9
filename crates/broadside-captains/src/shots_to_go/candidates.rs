//! The cells worth a comparison.

use broadside_odds::{Budget, Counts, OutOfReach, Sampler, Transfer};
use broadside_rules::{Cell, ShotLog, Stop};
use rand::SeedableRng;

use super::Error;
use crate::{Captain, GameRng};

/// The chance of a hit for each cell in reading order, and whether it is exact.
#[derive(Clone, Debug)]
pub(super) struct Chances {
    pub(super) of_cell: Vec<f64>,
    pub(super) exact: bool,
}

/// Layouts drawn to estimate chances where they can't be counted.
const DRAWS: usize = 4096;

impl Chances {
    /// Exact chances within the budget; otherwise estimates from layouts drawn.
    pub(super) fn new(log: &ShotLog, budget: Budget, sampler: &mut Sampler, seed: u64, stop: &Stop) -> Result<Self, Error> {
        match Transfer::new(budget.until(stop)).count(log) {
            Ok(counts) => Ok(Self { of_cell: exact(log, &counts), exact: true }),
            Err(OutOfReach::Stopped) => Err(OutOfReach::Stopped.into()),
            Err(_) => Ok(Self { of_cell: estimated(log, sampler, seed), exact: false }),
        }
    }
}

fn exact(log: &ShotLog, counts: &Counts) -> Vec<f64> {
    log.rules().grid().cells().map(|cell| counts.chance(cell)).collect()
}

fn estimated(log: &ShotLog, sampler: &mut Sampler, seed: u64) -> Vec<f64> {
    let (grid, mut rng) = (log.rules().grid(), GameRng::seed_from_u64(!seed));
    let mut covered = vec![0_u32; grid.len()];
    for _ in 0..DRAWS {
        sampler.draw_cells(&mut rng).iter().for_each(|cell| covered[grid.index(cell)] += 1);
    }
    covered.into_iter().map(|count| f64::from(count) / DRAWS as f64).collect()
}

/// Up to so many cells that may hold a ship, in turn from the captain's own ranking and from the highest chances; then the
/// cell to be watched, if it is not among them. Half of what is to be gained with two ships left lies beyond the captain's
/// own best twenty.
pub(super) fn candidates(
    log: &ShotLog,
    captain: &mut dyn Captain,
    chances: &Chances,
    most: usize,
    watched: Option<Cell>,
) -> Vec<Cell> {
    let grid = log.rules().grid();
    let chance = |cell: Cell| chances.of_cell[grid.index(cell)];
    let scores = captain.explain(log, &mut GameRng::seed_from_u64(0)).scores;
    let score = |cell: Cell| scores[grid.index(cell)].unwrap_or(0.0);
    let open = || grid.cells().filter(|&cell| !log.fired().contains(cell) && chance(cell) > 0.0);
    let ranked = |worth: &dyn Fn(Cell) -> f64| {
        let mut cells: Vec<Cell> = open().collect();
        cells.sort_by(|&a, &b| worth(b).total_cmp(&worth(a)));
        cells
    };
    let mut chosen: Vec<Cell> = Vec::new();
    for pair in ranked(&score).into_iter().zip(ranked(&chance)) {
        for cell in [pair.0, pair.1] {
            if chosen.len() < most && !chosen.contains(&cell) {
                chosen.push(cell);
            }
        }
    }
    let watched = watched.filter(|cell| !chosen.contains(cell) && grid.contains(*cell) && !log.fired().contains(*cell));
    chosen.extend(watched);
    chosen
}
