//! A layout that fits, or the certainty that there is none.
//!
//! Plain depth-first search: a hit that is not covered yet is covered next, the one with the fewest ways first; after
//! that the ships of the length with the fewest placements left for each. A placement that leads nowhere is ruled out for
//! the rest of the branch, so no set of ships is tried twice.

use std::cmp::Reverse;

use broadside_rules::{Cell, CellSet, Grid, Length, Orientation, Placement};

use super::super::hitting::{Effort, OutOfEffort};
use crate::belief::bits;
use broadside_odds::{Class, Problem};

/// The ships of some layout of the problem; `None` when there is none.
pub(super) fn witness(problem: &Problem, effort: &mut Effort) -> Result<Option<Vec<Placement>>, OutOfEffort> {
    let mut ships = Vec::new();
    let found = search(problem.clone(), &mut ships, effort)?;
    Ok(found.then_some(ships))
}

/// The ships of some layout that has this one.
pub(super) fn witness_with(
    problem: &Problem,
    ship: Placement,
    effort: &mut Effort,
) -> Result<Option<Vec<Placement>>, OutOfEffort> {
    let mut ships = vec![ship];
    let found = search(placed(problem, ship), &mut ships, effort)?;
    Ok(found.then_some(ships))
}

fn search(mut problem: Problem, ships: &mut Vec<Placement>, effort: &mut Effort) -> Result<bool, OutOfEffort> {
    effort.pay()?;
    if is_hopeless(&problem) {
        return Ok(false);
    }
    if problem.classes.is_empty() {
        return Ok(true);
    }
    for ship in choices(&problem) {
        ships.push(ship);
        if search(placed(&problem, ship), ships, effort)? {
            return Ok(true);
        }
        ships.pop();
        rule_out(&mut problem, ship);
    }
    Ok(false)
}

/// Too few placements for some length, or more hits than the ships can cover.
fn is_hopeless(problem: &Problem) -> bool {
    problem.must_cells() > problem.ship_cells() || problem.classes.iter().any(|class| class.choices() < class.count)
}

/// Placements one of which every layout must have, or so many of one length that one of them it must have.
fn choices(problem: &Problem) -> Vec<Placement> {
    let hits = problem.must.iter().enumerate().flat_map(|(row, &mask)| bits(mask).map(move |col| (row, col as usize)));
    let covers = hits.map(|(row, col)| covering(problem, row, col));
    covers.min_by_key(Vec::len).unwrap_or_else(|| {
        let scarce = problem.classes.iter().min_by_key(|class| (class.choices() / class.count.max(1), Reverse(class.length)));
        scarce.map(|class| class.placements().collect()).unwrap_or_default()
    })
}

/// The placements that cover a cell.
fn covering(problem: &Problem, row: usize, col: usize) -> Vec<Placement> {
    problem.classes.iter().flat_map(|class| covering_of(class, row, col)).collect()
}

fn covering_of(class: &Class, row: usize, col: usize) -> impl Iterator<Item = Placement> + '_ {
    let lying = (0..class.length.min(col + 1)).map(move |i| (row, col - i)).filter(|&(r, c)| class.lying[r] >> c & 1 == 1);
    let upright = (0..class.length.min(row + 1)).map(move |i| (row - i, col)).filter(|&(r, c)| class.upright[r] >> c & 1 == 1);
    let lying = lying.map(|start| (start, Orientation::Horizontal));
    let starts = lying.chain(upright.map(|start| (start, Orientation::Vertical)));
    starts.filter_map(|((r, c), heading)| Placement::new(Cell::new(r, c)?, Length::new(class.length)?, heading))
}

/// What is left to place once this ship is.
fn placed(problem: &Problem, ship: Placement) -> Problem {
    let mut left = problem.without(&rows_of(&ship.blocked_cells(grid_of(problem), problem.touch)));
    for class in left.classes.iter_mut().filter(|class| class.length == ship.length().get()) {
        class.count -= 1;
    }
    left.classes.retain(|class| class.count > 0);
    ship.cells().for_each(|cell| left.must[cell.row()] &= !(1 << cell.col()));
    left
}

fn rule_out(problem: &mut Problem, ship: Placement) {
    for class in problem.classes.iter_mut().filter(|class| class.length == ship.length().get()) {
        let starts = if ship.orientation() == Orientation::Horizontal { &mut class.lying } else { &mut class.upright };
        starts[ship.bow().row()] &= !(1 << ship.bow().col());
    }
}

pub(super) fn grid_of(problem: &Problem) -> Grid {
    Grid::new(problem.rows, problem.cols).expect("a problem has the sides of a grid")
}

/// A mask for each row.
pub(super) fn rows_of(cells: &CellSet) -> Vec<u64> {
    let mut rows = vec![0; cells.grid().rows()];
    cells.iter().for_each(|cell| rows[cell.row()] |= 1 << cell.col());
    rows
}

/// The cells of a mask for each row.
pub(super) fn cells_of(grid: Grid, rows: &[u64]) -> CellSet {
    let cells = rows.iter().enumerate().flat_map(|(row, &mask)| bits(mask).filter_map(move |col| Cell::new(row, col as usize)));
    CellSet::from_cells(grid, cells)
}
