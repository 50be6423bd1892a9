//! Finds a layout that fits, or proves that there is none.
//!
//! A depth-first search. First it covers the hits, those with the fewest possible placements first. Then it places the other
//! ships, those of the length with the fewest placements for each ship first. A placement that leads to no layout is ruled out
//! for the rest of the branch, so no set of ships is tried twice.

use std::cmp::Reverse;

use broadside_rules::{Cell, Placement};

use super::super::hitting::{Effort, OutOfEffort};
use broadside_odds::Problem;

/// The ships of some layout. `None` when there is none.
pub(super) fn find_layout(problem: &Problem, effort: &mut Effort) -> Result<Option<Vec<Placement>>, OutOfEffort> {
    let mut ships = Vec::new();
    let found = search(problem.clone(), &mut ships, effort)?;
    Ok(found.then_some(ships))
}

/// The ships of some layout with this ship.
pub(super) fn layout_with(
    problem: &Problem,
    ship: Placement,
    effort: &mut Effort,
) -> Result<Option<Vec<Placement>>, OutOfEffort> {
    let mut ships = vec![ship];
    let found = search(placed(problem, ship), &mut ships, effort)?;
    Ok(found.then_some(ships))
}

fn search(mut problem: Problem, ships: &mut Vec<Placement>, effort: &mut Effort) -> Result<bool, OutOfEffort> {
    effort.spend(1)?;
    if is_hopeless(&problem) {
        return Ok(false);
    }
    if problem.classes().is_empty() {
        return Ok(true);
    }
    for ship in choices(&problem) {
        ships.push(ship);
        if search(placed(&problem, ship), ships, effort)? {
            return Ok(true);
        }
        ships.pop();
        problem.rule_out(ship);
    }
    Ok(false)
}

/// Whether there are too few placements for some length, or more hits than the ships can cover.
fn is_hopeless(problem: &Problem) -> bool {
    problem.must_cells() > problem.ship_cells() || problem.classes().iter().any(|class| class.choices() < class.count())
}

/// Placements of which every layout has at least one.
fn choices(problem: &Problem) -> Vec<Placement> {
    let hits = problem.must_cover();
    let covers = hits.iter().map(|cell| covering(problem, cell));
    covers.min_by_key(Vec::len).unwrap_or_else(|| {
        let scarce =
            problem.classes().iter().min_by_key(|class| (class.choices() / class.count().max(1), Reverse(class.length())));
        scarce.map(|class| class.placements().collect()).unwrap_or_default()
    })
}

/// The placements that cover a cell.
fn covering(problem: &Problem, cell: Cell) -> Vec<Placement> {
    problem.classes().iter().flat_map(|class| class.placements_covering(cell)).collect()
}

/// The problem that is left when this ship is placed.
fn placed(problem: &Problem, ship: Placement) -> Problem {
    problem.with_ship(ship).expect("the ship is one of the problem's placements")
}
