//! Best play, where the rest of the game can be solved.

use broadside_odds::Budget;
use broadside_rules::{Cell, Draft, Layout, Placement, ShotLog, Stop};
use broadside_solve::{SolveError, Solver};
use num_rational::Ratio;

use super::boards::Boards;
use super::candidates::Chances;
use super::engine::{Done, Tells};
use super::report::{CellReport, Method};
use super::{Error, finished};
use crate::bits::Bits;
use crate::optimal;

/// Solves the position for each of these cells, and for the best ones if they are not among them. None where that is out of
/// reach.
pub(super) fn solve<B: Bits>(
    log: &ShotLog,
    layouts: &[Vec<Placement>],
    cells: &[Cell],
    chances: &Chances,
    stop: &Stop,
) -> Result<Option<Done>, Error> {
    let solver = solver(log, layouts, optimal::BUDGET, stop);
    match solver.and_then(|solver| values(solver, cells)) {
        Ok(values) => Ok(Some(report::<B>(log, layouts, values, chances))),
        Err(SolveError::OutOfReach(broadside_odds::OutOfReach::Stopped)) => Err(broadside_odds::OutOfReach::Stopped.into()),
        Err(_) => Ok(None),
    }
}

fn solver(log: &ShotLog, layouts: &[Vec<Placement>], budget: Budget, stop: &Stop) -> Result<Solver, SolveError> {
    if layouts.len() as u64 > optimal::MAX_LAYOUTS {
        return Err(broadside_odds::OutOfReach::Steps.into());
    }
    let layout = |ships: &Vec<Placement>| Draft::Ships(ships.clone()).check(log.rules()).into_layout().ok();
    let layouts: Vec<Layout> = layouts.iter().filter_map(layout).collect();
    Solver::from_layouts(log, &layouts, budget.until(stop))
}

/// The cells with their shots, summed over all layouts.
fn values(mut solver: Solver, cells: &[Cell]) -> Result<Vec<(Cell, u64)>, SolveError> {
    let mut all = cells.to_vec();
    let best = solver.solve(&mut |_| {})?.best_shots;
    all.extend(best.into_iter().filter(|cell| !cells.contains(cell)));
    all.into_iter().map(|cell| Ok((cell, solver.shots_after(cell)?))).collect()
}

fn report<B: Bits>(log: &ShotLog, layouts: &[Vec<Placement>], values: Vec<(Cell, u64)>, chances: &Chances) -> Done {
    let mut boards = Boards::<B>::new(log.rules());
    boards.extend(layouts);
    let count = layouts.len() as u64;
    let cell_report = |(cell, shots): (Cell, u64)| {
        let chance = chances.of_cell[log.rules().grid().index(cell)];
        CellReport::new(cell, chance, Tells::new(&boards, log, cell)).with_exact(Ratio::new(shots, count))
    };
    Done(finished(values.into_iter().map(cell_report).collect(), Method::BestPlay, count, chances.exact))
}
