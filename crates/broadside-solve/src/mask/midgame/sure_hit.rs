//! The fewest further shots that are sure to hit something.

use broadside_rules::{CellSet, Placement};

use super::super::MaskError;
use super::super::hitting::{Effort, OutOfEffort, Smallest, smallest_hitting_set};
use super::block::{fewest, unhit};
use super::layout::find_layout;
use super::{EffortLimits, between, lower_bound};
use broadside_odds::Problem;

/// The fewest unshot cells that meet at least one unshot ship cell of every layout.
pub(super) fn smallest_sure_hit(problem: &Problem, limits: &mut EffortLimits) -> Result<Smallest<CellSet>, MaskError> {
    let layout = find_layout(problem, &mut limits.layout_effort).map_err(|OutOfEffort| MaskError::Unknown)?;
    layout.ok_or(MaskError::NoLayout)?;
    if problem.must_cells() == problem.ship_cells() {
        return Err(MaskError::Over);
    }
    let mut search = SureHitSearch::new(problem);
    if search.run(limits) == Err(OutOfEffort) {
        // No more layouts can be found, but the known ones still give a bound.
        search.raise_bound(&mut limits.hitting_effort);
    }
    Ok(between(search.best, search.at_least))
}

/// A search and what it has found so far.
struct SureHitSearch<'a> {
    problem: &'a Problem,
    hits: CellSet,
    /// The layouts found, each as the numbers of its unshot ship cells.
    layouts: Vec<Vec<usize>>,
    /// The smallest set known to meet all layouts.
    best: CellSet,
    /// A lower bound on the size of such a set.
    at_least: usize,
}

impl<'a> SureHitSearch<'a> {
    /// Starts with every unshot cell on which a ship may be. This set meets every layout that has an unshot ship cell.
    fn new(problem: &'a Problem) -> Self {
        let grid = problem.grid();
        let hits = problem.must_cover();
        let anywhere = problem.classes().iter().flat_map(|class| class.placements().flat_map(Placement::cells));
        let best = &CellSet::from_cells(grid, anywhere) - &hits;
        Self { problem, hits, layouts: Vec::new(), best, at_least: 1 }
    }

    /// Tries cheap sets first. While some layout avoids a greedy set for the known layouts, a smallest set is not needed.
    fn run(&mut self, limits: &mut EffortLimits) -> Result<(), OutOfEffort> {
        self.try_blocks(limits)?;
        while self.best.len() > self.at_least {
            let greedy = self.meet_known(&mut Effort::nodes(0)).into_best();
            if limits.layouts > 0 && !self.is_sure(&greedy, limits)? {
                continue;
            }
            let smallest = self.raise_bound(&mut limits.hitting_effort);
            if limits.layouts == 0 || !smallest.is_proved() {
                return self.trim(&mut limits.layout_effort);
            }
            self.is_sure(smallest.best(), limits)?;
        }
        Ok(())
    }

    /// A small set that meets the layouts known so far. Its lower bound is one for the answer too.
    fn raise_bound(&mut self, search: &mut Effort) -> Smallest<CellSet> {
        let smallest = self.meet_known(search);
        self.at_least = self.at_least.max(lower_bound(&smallest));
        smallest
    }

    /// Removes cells from the best set as long as it meets every layout without them.
    fn trim(&mut self, layout_effort: &mut Effort) -> Result<(), OutOfEffort> {
        for cell in self.best.clone().iter() {
            let mut fewer = self.best.clone();
            fewer.remove(cell);
            if self.layout_avoiding(&fewer, layout_effort)?.is_none() {
                self.best = fewer;
            }
        }
        Ok(())
    }

    /// A block of one length is often the smallest sure hit, unless a ship of that length may have been hit already.
    fn try_blocks(&mut self, limits: &mut EffortLimits) -> Result<(), OutOfEffort> {
        for class in self.problem.classes() {
            let block = fewest(self.problem, class.length().get(), &unhit(self.problem, class), &mut limits.hitting_effort);
            self.is_sure(block.best(), limits)?;
        }
        Ok(())
    }

    /// Whether the set meets every layout. If it does, it may be the best so far. If not, adds layouts that avoid it: first one,
    /// then one that has no cell of the first either, and so on, since disjoint layouts raise the bound fastest.
    fn is_sure(&mut self, set: &CellSet, limits: &mut EffortLimits) -> Result<bool, OutOfEffort> {
        let (known, mut avoid) = (self.layouts.len(), set.clone());
        while let Some(layout) = self.layout_avoiding(&avoid, &mut limits.layout_effort)? {
            self.layouts.push(layout.iter().map(|cell| layout.grid().index(cell)).collect());
            avoid |= &layout;
            limits.layouts = limits.layouts.saturating_sub(1);
        }
        let is_sure = self.layouts.len() == known;
        if is_sure && set.len() < self.best.len() {
            self.best = set.clone();
        }
        Ok(is_sure)
    }

    /// The unshot ship cells of a layout with no ship on `avoid`.
    fn layout_avoiding(&self, avoid: &CellSet, layout_effort: &mut Effort) -> Result<Option<CellSet>, OutOfEffort> {
        let layout = find_layout(&self.problem.without_cells(avoid), layout_effort)?;
        Ok(layout.map(|ships| &CellSet::from_cells(avoid.grid(), ships.iter().flat_map(|ship| ship.cells())) - &self.hits))
    }

    /// A small set, the smallest if the effort allows, that meets the layouts known so far.
    fn meet_known(&self, search: &mut Effort) -> Smallest<CellSet> {
        let grid = self.hits.grid();
        let solved = smallest_hitting_set(grid.len(), &self.layouts, search).expect("every layout has an unshot ship cell");
        solved.map(|chosen| CellSet::from_cells(grid, chosen.into_iter().filter_map(|index| grid.cell(index))))
    }
}
