//! Odds along a game: once few layouts are left, the next position is what the next answers leave of them.
//!
//! Early in a game nothing of the last count helps with the next: a miss changes the odds of every cell, and all layouts are too
//! many to keep. Late in a game a list of them is filtered in less time than any count takes.

use broadside_rules::{Orientation, Placement, Rules, Shot, ShotLog};

use super::sampler;
use crate::problem::low_bits;
use crate::{Counts, Problem};

/// So many layouts are kept at most: filtering them takes some microseconds.
const FEW: u128 = 500;

/// What is known of the position counted last.
#[derive(Debug, Default)]
pub(super) struct LastPosition {
    rules: Option<Rules>,
    shots: Vec<Shot>,
    left: Left,
}

/// The layouts of a position.
#[derive(Debug, Default)]
enum Left {
    /// Too many to keep, or too hard to list.
    #[default]
    Many,
    /// Few, but not listed: nobody has asked for a position after this one yet.
    Few,
    Listed(Vec<Vec<Placement>>),
}

impl LastPosition {
    /// The counts of a log that goes on from the last one, if the layouts that were left are few.
    pub(super) fn next(&mut self, log: &ShotLog, problem: &Problem) -> Option<Counts> {
        // The same position again is counted again, so that repeated counts measure counting.
        let goes_on = log.len() > self.shots.len() && log.shots().starts_with(&self.shots);
        if !goes_on || self.rules.as_ref() != Some(log.rules()) || matches!(self.left, Left::Many) {
            return None;
        }
        if let Left::Listed(layouts) = &mut self.left {
            layouts.retain(|ships| fits(ships, problem));
        } else {
            self.left = sampler::list(problem, FEW as usize).map_or(Left::Many, Left::Listed);
        }
        let Left::Listed(layouts) = &self.left else { return None };
        self.shots.clear();
        self.shots.extend(log.shots());
        Some(counts(layouts, problem))
    }

    /// Remembers a position that was counted.
    pub(super) fn remember(&mut self, log: &ShotLog, counts: &Counts) {
        self.left = if counts.layouts() <= FEW { Left::Few } else { Left::Many };
        if self.rules.as_ref() != Some(log.rules()) {
            self.rules = Some(log.rules().clone());
        }
        self.shots.clear();
        self.shots.extend(log.shots());
    }
}

/// Whether a layout of an earlier position fits.
fn fits(ships: &[Placement], problem: &Problem) -> bool {
    let allowed = |ship: &Placement| problem.classes.iter().any(|class| class.allows(*ship));
    // Ships don't overlap, so all hits are covered when as many are.
    ships.iter().all(allowed) && ships.iter().map(|ship| hits_covered(*ship, problem)).sum::<usize>() == problem.must_cells()
}

fn hits_covered(ship: Placement, problem: &Problem) -> usize {
    let (row, col, length) = (ship.bow().row(), ship.bow().col(), ship.length().get());
    match ship.orientation() {
        Orientation::Horizontal => (problem.must[row] >> col & low_bits(length)).count_ones() as usize,
        Orientation::Vertical => problem.must[row..row + length].iter().filter(|&&mask| mask >> col & 1 == 1).count(),
    }
}

fn counts(layouts: &[Vec<Placement>], problem: &Problem) -> Counts {
    let mut cells = vec![0; problem.cells()];
    for cell in layouts.iter().flatten().flat_map(|ship| ship.cells()) {
        cells[cell.row() * problem.cols + cell.col()] += 1;
    }
    Counts::new(problem.grid(), layouts.len() as u128, cells)
}
