//! The least expected number of shots of any play: a search over sets of placements.
//!
//! Before the first hit the shooter knows the set R of placements not met yet. After it, [`SinkingCost`]
//! has the answer. Let m(R) be the fewest misses still to come, summed over the placements of R. Then
//!
//! m(R) = min over cells x of |R without those through x| + (misses of sinking those through x) +
//! m(R without those through x),
//!
//! where the middle term is left out if only finding counts. The search asks whether R can be done with
//! at most k misses, for k from the lower bound ([`super::packing_bound`]) up. If the answer is no, R
//! and k are kept, for R up to the symmetries of the board. When the effort runs out, the last k is a
//! proved lower bound.
//!
//! Two cuts hold when only finding counts:
//! * A cell whose placements all go through another cell too is no better than that other cell. Exchange
//!   the two in the order.
//! * In some best order no shot meets more placements than the shot before: if it did, exchange the two.
//!   So after a shot that meets g placements, all later ones meet at most g.

use std::collections::HashMap;

use broadside_rules::{Cell, Orientation, Placement, Symmetry};

use super::super::OneShipBoard;
use super::super::hitting::{Effort, OutOfEffort};
use super::packing_bound::PackingBound;
use super::placement_set::PlacementSet;
use super::sink::{PlacementsThrough, SinkStrategy, SinkingCost};
use super::{Expected, ShotOrder, per_placement, sinking};

/// What the shots are counted up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The first hit.
    Find,
    /// The last hit.
    Sink,
}

/// The least expected number of shots, or what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Optimum {
    /// Exactly this.
    Exact(Expected),
    /// The effort ran out, or there are more placements than the search holds (512).
    Between {
        /// No play needs fewer.
        least: Expected,
        /// Some play needs no more.
        most: Expected,
    },
}

/// The least expected number of shots of any play. The nodes of the search are taken off the effort.
pub fn least_expected(board: OneShipBoard, goal: Goal, effort: &mut Effort) -> Optimum {
    let most = most_misses(board, goal);
    match fewest_misses(OneShipProblem::new(board, goal), most, effort) {
        Ok(misses) => Optimum::Exact(shots(board, goal, misses)),
        Err(least) => Optimum::Between { least: shots(board, goal, least), most: shots(board, goal, most) },
    }
}

fn shots(board: OneShipBoard, goal: Goal, misses: usize) -> Expected {
    match goal {
        Goal::Find => per_placement(board, misses) + 1,
        Goal::Sink => sinking(board, misses) + 1,
    }
}

/// The fewest misses of the greedy order and of the diagonal masks in their best order, with the best
/// sinking.
fn most_misses(board: OneShipBoard, goal: Goal) -> usize {
    let mut sinking_cost = SinkingCost::new(board.length(), SinkStrategy::Best);
    let masks = (0..board.size()).map(|offset| ShotOrder::diagonal(board, offset));
    let mut misses = |order: ShotOrder| {
        let sunk = if goal == Goal::Sink { order.sinking_misses(&mut sinking_cost) } else { 0 };
        order.total_find() - board.choices() + sunk
    };
    masks.map(&mut misses).fold(usize::MAX, usize::min).min(misses(ShotOrder::greedy(board)))
}

/// The fewest misses. An error has a lower bound, if the effort ran out.
fn fewest_misses(problem: OneShipProblem, most: usize, effort: &mut Effort) -> Result<usize, usize> {
    let (all, least) = (problem.placements.len(), problem.least_misses());
    if least >= most {
        Ok(most)
    } else if all <= 128 {
        Search::<2>::new(problem).deepen(least, most, effort)
    } else if all <= 512 {
        Search::<8>::new(problem).deepen(least, most, effort)
    } else {
        Err(least)
    }
}

/// One board and goal, with its placements as lists of cell numbers.
struct OneShipProblem {
    board: OneShipBoard,
    goal: Goal,
    placements: Vec<Placement>,
    under: Vec<Vec<u16>>,
    orders: [Vec<usize>; 3],
}

impl OneShipProblem {
    fn new(board: OneShipBoard, goal: Goal) -> Self {
        let placements = board.placements();
        let number = |cell: Cell| u16::try_from(board.grid().index(cell)).expect("a board has at most 4096 cells");
        let under = placements.iter().map(|placement| placement.cells().map(number).collect()).collect();
        let orders = orders(board, &placements);
        Self { board, goal, placements, under, orders }
    }

    /// A lower bound before the first shot.
    fn least_misses(&self) -> usize {
        let mut bound = PackingBound::default();
        self.orders.iter().for_each(|order| self.improve(&mut bound, order, |_| true));
        self.misses(&bound, usize::MAX)
    }

    /// Whether the placements left need more than `misses`, when no shot may meet more than `before` of
    /// them.
    fn need_more(&self, left: impl Fn(usize) -> bool, before: usize, misses: usize) -> bool {
        let mut bound = PackingBound::default();
        self.orders.iter().any(|order| {
            self.improve(&mut bound, order, &left);
            self.misses(&bound, before) > misses
        })
    }

    fn improve(&self, bound: &mut PackingBound, order: &[usize], left: impl Fn(usize) -> bool) {
        let placements: Vec<&[u16]> =
            order.iter().filter(|&&index| left(index)).map(|&index| self.under[index].as_slice()).collect();
        bound.improve(&placements, self.board.grid().len());
    }

    fn misses(&self, bound: &PackingBound, before: usize) -> usize {
        match self.goal {
            Goal::Find => bound.find_misses(before),
            Goal::Sink => bound.sink_misses(self.board.size()),
        }
    }
}

/// Orders in which the bound keeps placements: as they come; by where they start, so that placements end
/// to end come together; and those that overlap with fewest others first.
fn orders(board: OneShipBoard, placements: &[Placement]) -> [Vec<usize>; 3] {
    let start = |index: &usize| {
        let ship = placements[*index];
        (if ship.orientation() == Orientation::Horizontal { ship.bow().col() } else { ship.bow().row() }) % board.size()
    };
    let crowd =
        |index: &usize| -> usize { placements[*index].cells().map(|cell| PlacementsThrough::all(board, cell).len()).sum() };
    let as_they_come: Vec<usize> = (0..placements.len()).collect();
    let (mut end_to_end, mut least_crowded) = (as_they_come.clone(), as_they_come.clone());
    end_to_end.sort_by_key(start);
    least_crowded.sort_by_cached_key(crowd);
    [as_they_come, end_to_end, least_crowded]
}

/// The search and what it keeps.
struct Search<const W: usize> {
    problem: OneShipProblem,
    through: Vec<PlacementSet<W>>,
    symmetries: Vec<Vec<usize>>,
    sinking_cost: SinkingCost,
    refused: HashMap<PlacementSet<W>, usize>,
}

impl<const W: usize> Search<W> {
    fn new(problem: OneShipProblem) -> Self {
        let mut through = vec![PlacementSet::EMPTY; problem.board.grid().len()];
        for (index, cells) in problem.under.iter().enumerate() {
            for &cell in cells {
                let cell = usize::from(cell);
                through[cell] = through[cell].with(index);
            }
        }
        let symmetries = symmetries(&problem);
        let sinking_cost = SinkingCost::new(problem.board.length(), SinkStrategy::Best);
        Self { problem, through, symmetries, sinking_cost, refused: HashMap::new() }
    }

    /// The fewest misses. An error has a lower bound, if the effort ran out. `most` misses are known to be enough.
    fn deepen(&mut self, least: usize, most: usize, effort: &mut Effort) -> Result<usize, usize> {
        let all = PlacementSet::first(self.problem.placements.len());
        for misses in least..most {
            if self.can_do(all, misses, usize::MAX, effort).map_err(|OutOfEffort| misses)? {
                return Ok(misses);
            }
        }
        Ok(most)
    }

    /// Whether this number of misses is enough for the placements left. The last shot met `before` placements.
    fn can_do(&mut self, left: PlacementSet<W>, misses: usize, before: usize, effort: &mut Effort) -> Result<bool, OutOfEffort> {
        if left.is_empty() {
            return Ok(true);
        }
        if self.problem.need_more(|index| left.contains(index), before, misses) {
            return Ok(false);
        }
        let key = self.canonical(left);
        if self.refused.get(&key).is_some_and(|&refused| refused >= misses) {
            return Ok(false);
        }
        effort.spend(1)?;
        let found = self.try_aims(left, misses, effort)?;
        if !found {
            self.refused.insert(key, misses);
        }
        Ok(found)
    }

    fn try_aims(&mut self, left: PlacementSet<W>, misses: usize, effort: &mut Effort) -> Result<bool, OutOfEffort> {
        for (cell, met) in self.aims(left) {
            let rest = left.without(met);
            let spare = misses.checked_sub(rest.len() + self.sinking(cell, met));
            if let Some(spare) = spare
                && self.can_do(rest, spare, met.len(), effort)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The cells to try and the placements that they meet, most first.
    fn aims(&self, left: PlacementSet<W>) -> Vec<(Cell, PlacementSet<W>)> {
        let met = self.problem.board.grid().cells().zip(self.through.iter().map(|through| through.and(left)));
        let mut aims: Vec<(Cell, PlacementSet<W>)> = met.filter(|(_, met)| !met.is_empty()).collect();
        aims.sort_by_key(|&(_, met)| usize::MAX - met.len());
        match self.problem.goal {
            Goal::Find => undominated(&aims),
            Goal::Sink => aims,
        }
    }

    fn sinking(&mut self, cell: Cell, met: PlacementSet<W>) -> usize {
        if self.problem.goal == Goal::Find {
            return 0;
        }
        let mut through = PlacementsThrough::empty();
        met.iter().for_each(|index| through.insert(self.problem.placements[index], cell));
        self.sinking_cost.misses(through)
    }

    /// The least image of a set under the symmetries of the board.
    fn canonical(&self, left: PlacementSet<W>) -> PlacementSet<W> {
        let image = |symmetry: &Vec<usize>| left.iter().fold(PlacementSet::EMPTY, |image, index| image.with(symmetry[index]));
        self.symmetries.iter().map(image).min().unwrap_or(left)
    }
}

/// Leaves out each cell whose placements all go through another cell. Of equal cells the first stays.
/// Expects the cells that meet most first.
fn undominated<const W: usize>(aims: &[(Cell, PlacementSet<W>)]) -> Vec<(Cell, PlacementSet<W>)> {
    let mut kept: Vec<(Cell, PlacementSet<W>)> = Vec::new();
    for &(cell, met) in aims {
        if kept.iter().all(|&(_, other)| !met.without(other).is_empty()) {
            kept.push((cell, met));
        }
    }
    kept
}

/// For each symmetry of the board, where it takes each placement.
fn symmetries(problem: &OneShipProblem) -> Vec<Vec<usize>> {
    let number: HashMap<Placement, usize> = problem.placements.iter().copied().zip(0..).collect();
    let images = |symmetry: Symmetry| problem.placements.iter().map(|&ship| number[&symmetry.placement(ship)]).collect();
    Symmetry::all(problem.board.grid()).map(images).collect()
}
