//! A layout that fits, or the certainty that there is none.
//!
//! Plain depth-first search: a hit that is not covered yet is covered next, the one with the fewest ways first; after
//! that the ships of the length with the fewest placements left for each. A placement that leads nowhere is ruled out for
//! the rest of the branch, so no set of ships is tried twice.

use std::cmp::Reverse;

use broadside_rules::{Cell, Placement};

use super::super::hitting::{Effort, OutOfEffort};
use broadside_odds::Problem;

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

/// Too few placements for some length, or more hits than the ships can cover.
fn is_hopeless(problem: &Problem) -> bool {
    problem.must_cells() > problem.ship_cells() || problem.classes().iter().any(|class| class.choices() < class.count())
}

/// Placements one of which every layout must have, or so many of one length that one of them it must have.
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

/// What is left to place once this ship is.
fn placed(problem: &Problem, ship: Placement) -> Problem {
    problem.with_ship(ship).expect("the ship is one of the problem's placements")
}
