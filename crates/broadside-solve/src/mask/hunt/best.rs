//! The least expected number of shots of any play: a search over what the shooter believes.
//!
//! Before the first hit the belief is the set of placements not met yet; after it the rest is
//! [`Sinker`]'s. So with m(R) the fewest misses still to come, summed over the placements of R,
//!
//! m(R) = min over cells x of |R without those through x| + (misses of sinking those through x) +
//! m(R without those through x),
//!
//! where the middle term is left out if only finding counts. The search deepens: can R be done with
//! at most k misses, for k from the lower bound ([`super::bound`]) up. A refused (R, k) is
//! remembered, for R up to the symmetries of the board. When the effort runs out the last k refused
//! is a proved lower bound.
//!
//! Two cuts hold when only finding counts:
//! * A cell whose placements are all met by another cell too is no better than that one: put the
//!   other in its place, and it in place of the other if that comes later.
//! * Some best order meets ever fewer placements with each shot: if the next shot would have met
//!   more, exchange the two. So after a shot that meets g placements all later ones meet at most g.

use std::collections::HashMap;

use broadside_rules::{Cell, Orientation, Placement};

use super::super::OneShipBoard;
use super::super::hitting::{Effort, OutOfEffort};
use super::belief::Belief;
use super::bound::Floor;
use super::sink::{Kill, Sinker, Star};
use super::{Expected, Sweep, per_placement, sinking};

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

/// The least expected number of shots of any play towards the goal. What the search costs is taken
/// from the effort.
pub fn least_expected(board: OneShipBoard, goal: Goal, effort: &mut Effort) -> Optimum {
    let most = most_misses(board, goal);
    match fewest_misses(Waters::new(board, goal), most, effort) {
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

/// The misses of the best of the greedy sweep and the diagonal masks in their best order, with the
/// best sinking.
fn most_misses(board: OneShipBoard, goal: Goal) -> usize {
    let mut sinker = Sinker::new(board.length(), Kill::Best);
    let masks = (0..board.size()).map(|offset| Sweep::diagonal(board, offset));
    let mut misses = |sweep: Sweep| {
        let sunk = if goal == Goal::Sink { sweep.sinking_misses(&mut sinker) } else { 0 };
        sweep.total_find() - board.choices() + sunk
    };
    masks.map(&mut misses).fold(usize::MAX, usize::min).min(misses(Sweep::greedy(board)))
}

/// The fewest misses, or a lower bound of them if the search had to end.
fn fewest_misses(waters: Waters, most: usize, effort: &mut Effort) -> Result<usize, usize> {
    let (all, least) = (waters.placements.len(), waters.least_misses());
    if least >= most {
        Ok(most)
    } else if all <= 128 {
        Search::<2>::new(waters).deepen(least, most, effort)
    } else if all <= 512 {
        Search::<8>::new(waters).deepen(least, most, effort)
    } else {
        Err(least)
    }
}

/// The placements of a board as lists of cell numbers, and what bounds the misses of a hunt for
/// them.
struct Waters {
    board: OneShipBoard,
    goal: Goal,
    placements: Vec<Placement>,
    under: Vec<Vec<u16>>,
    orders: [Vec<usize>; 3],
}

impl Waters {
    fn new(board: OneShipBoard, goal: Goal) -> Self {
        let placements = board.placements();
        let number = |cell: Cell| u16::try_from(board.grid().index(cell)).expect("a board has at most 4096 cells");
        let under = placements.iter().map(|placement| placement.cells().map(number).collect()).collect();
        let orders = orders(board, &placements);
        Self { board, goal, placements, under, orders }
    }

    /// A lower bound before the first shot.
    fn least_misses(&self) -> usize {
        let mut floor = Floor::default();
        self.orders.iter().for_each(|order| self.improve(&mut floor, order, |_| true));
        self.misses(&floor, usize::MAX)
    }

    /// Whether the placements left need more misses than that, when no shot is to meet more than
    /// `before` of them.
    fn need_more(&self, left: impl Fn(usize) -> bool, before: usize, misses: usize) -> bool {
        let mut floor = Floor::default();
        self.orders.iter().any(|order| {
            self.improve(&mut floor, order, &left);
            self.misses(&floor, before) > misses
        })
    }

    fn improve(&self, floor: &mut Floor, order: &[usize], left: impl Fn(usize) -> bool) {
        let placements: Vec<&[u16]> =
            order.iter().filter(|&&index| left(index)).map(|&index| self.under[index].as_slice()).collect();
        floor.improve(&placements, self.board.grid().len());
    }

    fn misses(&self, floor: &Floor, before: usize) -> usize {
        match self.goal {
            Goal::Find => floor.find_misses(before),
            Goal::Sink => floor.sink_misses(self.board.size()),
        }
    }
}

/// Orders in which the bound keeps placements: as they come; by where they start, so that those end
/// to end come first; and the least crowded first.
fn orders(board: OneShipBoard, placements: &[Placement]) -> [Vec<usize>; 3] {
    let start = |index: &usize| {
        let ship = placements[*index];
        (if ship.orientation() == Orientation::Horizontal { ship.bow().col() } else { ship.bow().row() }) % board.size()
    };
    let crowd = |index: &usize| -> usize { placements[*index].cells().map(|cell| Star::full(board, cell).len()).sum() };
    let as_they_come: Vec<usize> = (0..placements.len()).collect();
    let (mut end_to_end, mut least_crowded) = (as_they_come.clone(), as_they_come.clone());
    end_to_end.sort_by_key(start);
    least_crowded.sort_by_cached_key(crowd);
    [as_they_come, end_to_end, least_crowded]
}

/// The search and what it remembers.
struct Search<const W: usize> {
    waters: Waters,
    through: Vec<Belief<W>>,
    symmetries: Vec<Vec<usize>>,
    sinker: Sinker,
    refused: HashMap<Belief<W>, usize>,
}

impl<const W: usize> Search<W> {
    fn new(waters: Waters) -> Self {
        let mut through = vec![Belief::EMPTY; waters.board.grid().len()];
        for (index, cells) in waters.under.iter().enumerate() {
            for &cell in cells {
                let cell = usize::from(cell);
                through[cell] = through[cell].with(index);
            }
        }
        let symmetries = symmetries(&waters);
        let sinker = Sinker::new(waters.board.length(), Kill::Best);
        Self { waters, through, symmetries, sinker, refused: HashMap::new() }
    }

    /// The fewest misses, or a lower bound if the effort runs out. `most` are known to be enough.
    fn deepen(&mut self, least: usize, most: usize, effort: &mut Effort) -> Result<usize, usize> {
        let all = Belief::first(self.waters.placements.len());
        for misses in least..most {
            if self.can_do(all, misses, usize::MAX, effort).map_err(|OutOfEffort| misses)? {
                return Ok(misses);
            }
        }
        Ok(most)
    }

    /// Whether at most so many misses are enough for the placements left. The last shot met
    /// `before`.
    fn can_do(&mut self, left: Belief<W>, misses: usize, before: usize, effort: &mut Effort) -> Result<bool, OutOfEffort> {
        if left.is_empty() {
            return Ok(true);
        }
        if self.waters.need_more(|index| left.contains(index), before, misses) {
            return Ok(false);
        }
        let key = self.canonical(left);
        if self.refused.get(&key).is_some_and(|&refused| refused >= misses) {
            return Ok(false);
        }
        effort.pay()?;
        let found = self.try_aims(left, misses, effort)?;
        if !found {
            self.refused.insert(key, misses);
        }
        Ok(found)
    }

    fn try_aims(&mut self, left: Belief<W>, misses: usize, effort: &mut Effort) -> Result<bool, OutOfEffort> {
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

    /// The cells worth a shot and the placements they meet, most first.
    fn aims(&self, left: Belief<W>) -> Vec<(Cell, Belief<W>)> {
        let met = self.waters.board.grid().cells().zip(self.through.iter().map(|through| through.and(left)));
        let mut aims: Vec<(Cell, Belief<W>)> = met.filter(|(_, met)| !met.is_empty()).collect();
        aims.sort_by_key(|&(_, met)| usize::MAX - met.len());
        match self.waters.goal {
            Goal::Find => undominated(&aims),
            Goal::Sink => aims,
        }
    }

    fn sinking(&mut self, cell: Cell, met: Belief<W>) -> usize {
        if self.waters.goal == Goal::Find {
            return 0;
        }
        let mut star = Star::empty();
        met.iter().for_each(|index| star.insert(self.waters.placements[index], cell));
        self.sinker.misses(star)
    }

    /// The least image of a belief under the symmetries of the board.
    fn canonical(&self, left: Belief<W>) -> Belief<W> {
        let image = |symmetry: &Vec<usize>| left.iter().fold(Belief::EMPTY, |image, index| image.with(symmetry[index]));
        self.symmetries.iter().map(image).min().unwrap_or(left)
    }
}

/// Leaves out each cell whose placements another cell meets too; of equals the first stays. Expects
/// most first.
fn undominated<const W: usize>(aims: &[(Cell, Belief<W>)]) -> Vec<(Cell, Belief<W>)> {
    let mut kept: Vec<(Cell, Belief<W>)> = Vec::new();
    for &(cell, met) in aims {
        if kept.iter().all(|&(_, other)| !met.without(other).is_empty()) {
            kept.push((cell, met));
        }
    }
    kept
}

/// For each symmetry of the board, where it takes each placement.
fn symmetries(waters: &Waters) -> Vec<Vec<usize>> {
    let count = if waters.board.rows() == waters.board.cols() { 8 } else { 4 };
    let number: HashMap<Placement, usize> = waters.placements.iter().copied().zip(0..).collect();
    let images =
        |symmetry: usize| waters.placements.iter().map(|&placement| number[&moved(waters.board, placement, symmetry)]).collect();
    (0..count).map(images).collect()
}

/// Bit 0 of the symmetry turns the rows upside down, bit 1 reverses the columns, bit 2 exchanges both (square boards
/// only).
fn moved(board: OneShipBoard, ship: Placement, symmetry: usize) -> Placement {
    let image = |cell: Cell| {
        let row = if symmetry & 1 == 0 { cell.row() } else { board.rows() - 1 - cell.row() };
        let col = if symmetry & 2 == 0 { cell.col() } else { board.cols() - 1 - cell.col() };
        if symmetry & 4 == 0 { Cell::new(row, col) } else { Cell::new(col, row) }
    };
    let moved = image(ship.bow()).zip(image(ship.stern())).and_then(|(a, b)| Placement::between(a, b));
    moved.expect("a symmetry takes a ship to a ship")
}
