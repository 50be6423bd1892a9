//! The fewest further shots that are sure to hit something.

use broadside_rules::{CellSet, Placement};

use super::super::MaskError;
use super::super::hitting::{Effort, OutOfEffort, Smallest, smallest_hitting_set};
use super::block::{fewest, unhit};
use super::witness::witness;
use super::{Limits, between, lower_bound};
use broadside_odds::Problem;

/// The fewest unshot cells that meet at least one unshot ship cell of every layout.
pub(super) fn smallest_catch(problem: &Problem, limits: &mut Limits) -> Result<Smallest<CellSet>, MaskError> {
    let layout = witness(problem, &mut limits.witnesses).map_err(|OutOfEffort| MaskError::Unknown)?;
    layout.ok_or(MaskError::NoLayout)?;
    if problem.must_cells() == problem.ship_cells() {
        return Err(MaskError::Over);
    }
    let mut chase = Chase::new(problem);
    if chase.run(limits) == Err(OutOfEffort) {
        // No layout can be asked for any more, but those known still bound the answer.
        chase.raise_bound(&mut limits.search);
    }
    Ok(between(chase.best, chase.at_least))
}

/// The layouts asked for so far, each as the numbers of its unshot ship cells, the smallest set known to meet all there
/// are, and how small such a set can be at least.
struct Chase<'a> {
    problem: &'a Problem,
    hits: CellSet,
    layouts: Vec<Vec<usize>>,
    best: CellSet,
    at_least: usize,
}

impl<'a> Chase<'a> {
    /// Starts with every unshot cell on which a ship may lie: that meets every layout with an unshot ship cell.
    fn new(problem: &'a Problem) -> Self {
        let grid = problem.grid();
        let hits = problem.must_cover();
        let anywhere = problem.classes().iter().flat_map(|class| class.placements().flat_map(Placement::cells));
        let best = &CellSet::from_cells(grid, anywhere) - &hits;
        Self { problem, hits, layouts: Vec::new(), best, at_least: 1 }
    }

    /// Cheap sets first: as long as layouts avoid a greedy set for those known, there is no need for a smallest one.
    fn run(&mut self, limits: &mut Limits) -> Result<(), OutOfEffort> {
        self.try_blocks(limits)?;
        while self.best.len() > self.at_least {
            let greedy = self.meet_known(&mut Effort::nodes(0)).into_best();
            if limits.layouts > 0 && !self.catches(&greedy, limits)? {
                continue;
            }
            let smallest = self.raise_bound(&mut limits.search);
            if limits.layouts == 0 || !smallest.is_proved() {
                return self.trim(&mut limits.witnesses);
            }
            self.catches(smallest.best(), limits)?;
        }
        Ok(())
    }

    /// A small set that meets the layouts known so far; as many cells as that takes, every answer needs.
    fn raise_bound(&mut self, search: &mut Effort) -> Smallest<CellSet> {
        let smallest = self.meet_known(search);
        self.at_least = self.at_least.max(lower_bound(&smallest));
        smallest
    }

    /// Leaves cells out of the best set as long as it meets every layout without them.
    fn trim(&mut self, witnesses: &mut Effort) -> Result<(), OutOfEffort> {
        for cell in self.best.clone().iter() {
            let mut fewer = self.best.clone();
            fewer.remove(cell);
            if self.layout_avoiding(&fewer, witnesses)?.is_none() {
                self.best = fewer;
            }
        }
        Ok(())
    }

    /// To block one length is often the cheapest catch, unless a ship of it may have been hit already.
    fn try_blocks(&mut self, limits: &mut Limits) -> Result<(), OutOfEffort> {
        for class in self.problem.classes() {
            let block = fewest(self.problem, class.length().get(), &unhit(self.problem, class), &mut limits.search);
            self.catches(block.best(), limits)?;
        }
        Ok(())
    }

    /// Whether the set meets every layout. If it does, it may be the best so far. If not, adds layouts that avoid it:
    /// first one, then one that avoids that one too, and so on, since disjoint layouts raise the bound fastest.
    fn catches(&mut self, set: &CellSet, limits: &mut Limits) -> Result<bool, OutOfEffort> {
        let (known, mut avoid) = (self.layouts.len(), set.clone());
        while let Some(layout) = self.layout_avoiding(&avoid, &mut limits.witnesses)? {
            self.layouts.push(layout.iter().map(|cell| layout.grid().index(cell)).collect());
            avoid |= &layout;
            limits.layouts = limits.layouts.saturating_sub(1);
        }
        let catches = self.layouts.len() == known;
        if catches && set.len() < self.best.len() {
            self.best = set.clone();
        }
        Ok(catches)
    }

    /// The unshot ship cells of a layout with no ship on `avoid`.
    fn layout_avoiding(&self, avoid: &CellSet, witnesses: &mut Effort) -> Result<Option<CellSet>, OutOfEffort> {
        let layout = witness(&self.problem.without_cells(avoid), witnesses)?;
        Ok(layout.map(|ships| &CellSet::from_cells(avoid.grid(), ships.iter().flat_map(|ship| ship.cells())) - &self.hits))
    }

    /// A small set, the smallest if the effort allows, that meets the layouts known so far.
    fn meet_known(&self, search: &mut Effort) -> Smallest<CellSet> {
        let grid = self.hits.grid();
        let solved = smallest_hitting_set(grid.len(), &self.layouts, search).expect("every layout has an unshot ship cell");
        solved.map(|chosen| CellSet::from_cells(grid, chosen.into_iter().filter_map(|index| grid.cell(index))))
    }
}
