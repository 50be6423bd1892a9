//! The engine of the paper on the probability of striking a ship: listing the n-cliques of the placement graph.
//!
//! A vertex is a placement that the log allows for one ship; two vertices of different ships are joined when the
//! placements go together. A layout is a clique with one vertex for each ship, and those that cover every hit are
//! counted. For each ship a bitset holds the placements that go with all ships chosen so far, and choosing one more is an
//! intersection with the bitset of its neighbours, made beforehand for every pair of ships.
//!
//! It is the baseline that the transfer engine is measured against, so it does what the paper describes, as well as that
//! can be done: every clique is listed. Three things differ. The paper tells equal ships apart and lists each layout once
//! for every way to name them; here equal ships are taken in one order. The paper's rules for valid placements leave out
//! that a ship not announced as sunk can't lie wholly under hits; here that is part of the
//! [`Problem`]. And a subset of the ships that can no longer cover the hits is given up at once.

use broadside_rules::{Grid, Placement, ShotLog, Touch};
use rayon::prelude::*;

use crate::transfer::add_up;
use crate::{Counts, OutOfReach, Problem, WorkLimits};

/// Counts by listing cliques on one thread.
///
/// # Errors
/// When there are more cliques to list than the budget has steps, or it is stopped.
pub fn count(log: &ShotLog, limits: impl Into<WorkLimits>) -> Result<Counts, OutOfReach> {
    let limits = limits.into();
    if !log.called_turns().is_empty() {
        return add_up(log, &limits, |case| count(case, limits.clone()));
    }
    let graph = Graph::new(&Problem::from_log(log), log.rules().grid());
    let mut tally = Tally::new(&graph, limits.budget.steps, &limits);
    graph.list(0, &graph.start(), 0, &mut tally)?;
    Ok(graph.counts(&tally))
}

/// Counts by listing cliques on all threads of the current rayon pool: the first two levels are shared out.
///
/// # Errors
/// When there are more cliques to list than the budget has steps, shared out evenly between the branches, or it is stopped.
pub fn count_parallel(log: &ShotLog, limits: impl Into<WorkLimits>) -> Result<Counts, OutOfReach> {
    let limits = limits.into();
    if !log.called_turns().is_empty() {
        return add_up(log, &limits, |case| count_parallel(case, limits.clone()));
    }
    let graph = Graph::new(&Problem::from_log(log), log.rules().grid());
    let branches = graph.branches();
    let steps = limits.budget.steps.div_ceil(branches.len().max(1) as u64);
    let tally = branches
        .into_par_iter()
        .map(|branch| {
            let mut tally = Tally::new(&graph, steps, &limits);
            graph.follow(&branch, &mut tally)?;
            Ok::<_, OutOfReach>(tally)
        })
        .try_reduce(|| Tally::new(&graph, steps, &limits), |a, b| Ok(a.plus(&b)))?;
    Ok(graph.counts(&tally))
}

type Word = u64;
const WORD: usize = Word::BITS as usize;

/// The placement graph, one part for each ship, longest first.
struct Graph {
    grid: Grid,
    parts: Vec<Part>,
    /// `neighbours[i][p][j]`: the placements of ship `i + 1 + j` that go with placement `p` of ship `i`.
    neighbours: Vec<Vec<Vec<Vec<Word>>>>,
    hits: usize,
    /// For each ship, the most hits that it and the later ones can cover.
    reach: Vec<usize>,
    /// For each number of hits, the placements of the last ship that cover just so many.
    closing: Vec<Vec<Word>>,
}

struct Part {
    placements: Vec<Placement>,
    /// The hits that each placement covers.
    hits: Vec<usize>,
}

/// What has been counted so far.
struct Tally<'a> {
    layouts: u128,
    /// For each ship and placement, the layouts that use it.
    uses: Vec<Vec<u64>>,
    steps: u64,
    limits: &'a WorkLimits,
}

impl Graph {
    fn new(problem: &Problem, grid: Grid) -> Self {
        let covered = |ship: &Placement| ship.cells().filter(|cell| problem.must[cell.row()] >> cell.col() & 1 == 1).count();
        let parts: Vec<Part> = problem
            .classes
            .iter()
            .flat_map(|class| {
                (0..class.count).map(|_| {
                    let placements: Vec<Placement> = class.placements().collect();
                    Part { hits: placements.iter().map(covered).collect(), placements }
                })
            })
            .collect();
        let neighbours = (0..parts.len()).map(|i| Self::neighbours_of(&parts, i, problem.touch)).collect();
        let most: Vec<usize> = parts.iter().map(|part| part.hits.iter().copied().max().unwrap_or(0)).collect();
        let reach = (0..=parts.len()).map(|i| most[i..].iter().sum()).collect();
        let closing = (0..=most.last().copied().unwrap_or(0)).map(|hits| closing(parts.last(), hits)).collect();
        Self { grid, parts, neighbours, hits: problem.must_cells(), reach, closing }
    }

    fn neighbours_of(parts: &[Part], i: usize, touch: Touch) -> Vec<Vec<Vec<Word>>> {
        let set = |ship: Placement, part: &Part| {
            bitset(&part.placements, |other| {
                // Equal ships are taken in the order of their placements, so that each layout is listed once.
                ship.compatible(*other, touch) && (ship.length() != other.length() || ship < *other)
            })
        };
        parts[i].placements.iter().map(|ship| parts[i + 1..].iter().map(|part| set(*ship, part)).collect()).collect()
    }

    /// For each ship, all its placements.
    fn start(&self) -> Vec<Vec<Word>> {
        self.parts.iter().map(|part| bitset(&part.placements, |_| true)).collect()
    }

    /// Lists the cliques that continue the ships chosen so far; `open` are the placements left for each later ship.
    fn list(&self, ship: usize, open: &[Vec<Word>], hits: usize, tally: &mut Tally) -> Result<u64, OutOfReach> {
        if ship + 1 == self.parts.len() {
            return self.list_last(ship, &open[0], hits, tally);
        }
        let mut found = 0;
        let mut rest: Vec<Vec<Word>> = open[1..].to_vec();
        for p in members(&open[0]) {
            tally.steps = tally.steps.checked_sub(1).ok_or(OutOfReach::Steps)?;
            tally.limits.check()?;
            let covered = hits + self.parts[ship].hits[p];
            if covered + self.reach[ship + 1] < self.hits {
                continue;
            }
            for ((rest, open), near) in rest.iter_mut().zip(&open[1..]).zip(&self.neighbours[ship][p]) {
                rest.iter_mut().zip(open).zip(near).for_each(|((rest, open), near)| *rest = open & near);
            }
            let below = self.list(ship + 1, &rest, covered, tally)?;
            tally.uses[ship][p] += below;
            found += below;
        }
        Ok(found)
    }

    /// The last ship: each placement left that covers just the hits still open is one clique.
    fn list_last(&self, ship: usize, open: &[Word], hits: usize, tally: &mut Tally) -> Result<u64, OutOfReach> {
        let Some(closing) = self.hits.checked_sub(hits).and_then(|missing| self.closing.get(missing)) else { return Ok(0) };
        let mut found = 0;
        for ((open, closing), uses) in open.iter().zip(closing).zip(tally.uses[ship].as_chunks_mut::<WORD>().0) {
            let mut cliques = open & closing;
            found += u64::from(cliques.count_ones());
            while cliques != 0 {
                uses[cliques.trailing_zeros() as usize % WORD] += 1;
                cliques &= cliques - 1;
            }
        }
        tally.layouts += u128::from(found);
        tally.steps = tally.steps.checked_sub(found + 1).ok_or(OutOfReach::Steps)?;
        Ok(found)
    }

    /// The choices for the first ship, or for the first two.
    fn branches(&self) -> Vec<Vec<usize>> {
        let first = members(&self.start()[0]).collect::<Vec<_>>();
        if self.parts.len() < 3 {
            return first.into_iter().map(|p| vec![p]).collect();
        }
        first.iter().flat_map(|&p| members(&self.neighbours[0][p][0]).map(move |q| vec![p, q]).collect::<Vec<_>>()).collect()
    }

    /// Lists the cliques of one branch.
    fn follow(&self, branch: &[usize], tally: &mut Tally) -> Result<(), OutOfReach> {
        let (mut open, mut hits) = (self.start(), 0);
        for (ship, &p) in branch.iter().enumerate() {
            hits += self.parts[ship].hits[p];
            open.remove(0);
            for (open, near) in open.iter_mut().zip(&self.neighbours[ship][p]) {
                open.iter_mut().zip(near).for_each(|(open, near)| *open &= near);
            }
        }
        let found = if open.is_empty() {
            let complete = u64::from(hits == self.hits);
            tally.layouts += u128::from(complete);
            complete
        } else {
            self.list(branch.len(), &open, hits, tally)?
        };
        branch.iter().enumerate().for_each(|(ship, &p)| tally.uses[ship][p] += found);
        Ok(())
    }

    fn counts(&self, tally: &Tally) -> Counts {
        let mut cells = vec![0u128; self.grid.len()];
        for (part, uses) in self.parts.iter().zip(&tally.uses) {
            for (ship, &uses) in part.placements.iter().zip(uses) {
                ship.cells().for_each(|cell| cells[self.grid.index(cell)] += u128::from(uses));
            }
        }
        Counts::new(self.grid, tally.layouts, cells)
    }
}

impl<'a> Tally<'a> {
    fn new(graph: &Graph, steps: u64, limits: &'a WorkLimits) -> Self {
        // Whole words, so that the innermost loop needs no check of bounds.
        let uses = graph.parts.iter().map(|part| vec![0; part.placements.len().next_multiple_of(WORD)]).collect();
        Self { layouts: 0, uses, steps, limits }
    }

    fn plus(mut self, other: &Self) -> Self {
        self.layouts += other.layouts;
        self.uses.iter_mut().flatten().zip(other.uses.iter().flatten()).for_each(|(a, b)| *a += b);
        self
    }
}

/// The placements of the part that cover just so many hits.
fn closing(part: Option<&Part>, hits: usize) -> Vec<Word> {
    part.map_or_else(Vec::new, |part| {
        let mut covered = part.hits.iter();
        bitset(&part.placements, |_| covered.next() == Some(&hits))
    })
}

fn bitset(placements: &[Placement], mut member: impl FnMut(&Placement) -> bool) -> Vec<Word> {
    let mut set = vec![0; placements.len().div_ceil(WORD)];
    for (p, _) in placements.iter().enumerate().filter(|(_, ship)| member(ship)) {
        set[p / WORD] |= 1 << (p % WORD);
    }
    set
}

fn members(set: &[Word]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(number, &word)| crate::problem::bits(word).map(move |bit| number * WORD + bit))
}
