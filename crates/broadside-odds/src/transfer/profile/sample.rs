//! Layouts drawn at random, each exactly as likely as any other, or as its weight says.
//!
//! The backward vectors say how many layouts continue each move, so a layout is drawn by choosing
//! move after move in proportion. All layouts are drawn side by side, block by block, so
//! that the vectors inside each block are computed only once.

use rand::Rng;

use super::graph::{Edge, Group, Target};
use super::number::SweepNumber;
use super::plan::{Plan, Width};
use super::sweep::Sweep;
use super::windows::Window;
use crate::problem::ShipPosition;
use crate::transfer::weights::WeightTable;
use crate::{OutOfReach, Problem, WorkLimits};

/// Draws layouts of one problem, all layouts being equally likely.
pub(crate) struct Sampler {
    plan: Plan,
    backward: Backward,
}

/// The backward vectors of every block, in the integers that hold the number of layouts.
enum Backward {
    Single(Vec<Vec<u64>>),
    Double(Vec<Vec<u128>>),
}

impl Sampler {
    /// A sampler of a problem; none if it has no layout.
    ///
    /// # Errors
    /// When the budget does not suffice, or the number of layouts may pass 128 bits.
    pub(crate) fn new(problem: &Problem, limits: &WorkLimits) -> Result<Option<Self>, OutOfReach> {
        let Some(plan) = Plan::new(problem, limits)? else {
            return Ok(None);
        };
        let backward = match plan.width()? {
            Width::Single => backward(&plan.sweep(None)?)?.map(Backward::Single),
            Width::Double => backward(&plan.sweep(None)?)?.map(Backward::Double),
        };
        Ok(backward.map(|backward| Self { plan, backward }))
    }

    /// Draws `n` layouts independently. The ships of a layout come longest first.
    pub(crate) fn draw<R: Rng + ?Sized>(&self, rng: &mut R, n: usize) -> Vec<Vec<ShipPosition>> {
        match &self.backward {
            Backward::Single(backward) => draw(&self.plan, &self.sweep(), backward, rng, n),
            Backward::Double(backward) => draw(&self.plan, &self.sweep(), backward, rng, n),
        }
    }

    fn sweep<T: SweepNumber>(&self) -> Sweep<'_, T> {
        self.plan.sweep(None).expect("the sweep was in reach when the backward vectors were made")
    }
}

/// Draws `n` layouts independently, each with a chance in proportion to its weight.
/// Nothing is drawn if no layout has a weight other than zero.
///
/// # Errors
/// When the budget does not suffice.
pub(crate) fn sample_weighted<R: Rng + ?Sized>(
    problem: &Problem,
    weights: &WeightTable,
    limits: &WorkLimits,
    rng: &mut R,
    n: usize,
) -> Result<Vec<Vec<ShipPosition>>, OutOfReach> {
    let Some(plan) = Plan::new(problem, limits)? else {
        return Ok(Vec::new());
    };
    let weights = plan.turned_weights(weights);
    let sweep = plan.sweep(Some(&weights))?;
    Ok(backward(&sweep)?.map_or_else(Vec::new, |backward| draw(&plan, &sweep, &backward, rng, n)))
}

/// The backward vectors of every block; none if there is no layout.
fn backward<T: SweepNumber>(sweep: &Sweep<T>) -> Result<Option<Vec<Vec<T>>>, OutOfReach> {
    let backward = sweep.all_backward()?;
    Ok(backward[0].iter().any(|sum| *sum != T::default()).then_some(backward))
}

fn draw<T: SweepNumber, R: Rng + ?Sized>(
    plan: &Plan,
    sweep: &Sweep<T>,
    backward: &[Vec<T>],
    rng: &mut R,
    n: usize,
) -> Vec<Vec<ShipPosition>> {
    let mut walkers: Vec<Walker> = (0..n).map(|number| Walker { number, place: 0, used: 0, ships: Vec::new() }).collect();
    for (i, exits) in backward[1..].iter().enumerate() {
        walk_block(sweep, i, exits, &mut walkers, rng);
    }
    // Back in the order of drawing: to take the first few must be as good as to draw few.
    walkers.sort_unstable_by_key(|walker| walker.number);
    walkers.into_iter().map(|walker| plan.layout_on_board(walker.ships)).collect()
}

/// A layout being drawn.
struct Walker {
    /// Which of the layouts it is.
    number: usize,
    /// Between blocks the number of an entry, inside a block a state.
    place: usize,
    /// The index of ships used.
    used: usize,
    ships: Vec<ShipPosition>,
}

fn walk_block<T: SweepNumber, R: Rng + ?Sized>(sweep: &Sweep<T>, i: usize, exits: &[T], walkers: &mut [Walker], rng: &mut R) {
    // Walkers of one group together; the sort is stable, so the same seed draws the same layouts.
    walkers.sort_by_key(|walker| walker.place);
    let mut values = sweep.memory(i);
    let mut rest = walkers;
    for group in sweep.blocks[i].graph.groups() {
        let here = rest.partition_point(|walker| walker.place < group.entries.end);
        let (walkers, others) = rest.split_at_mut(here);
        rest = others;
        if walkers.is_empty() {
            continue;
        }
        sweep.backward_group(i, &group, &mut values, exits, None);
        let walk = Walk { sweep, i, group: &group, values: &values, exits };
        for walker in walkers {
            walk.cross(walker, rng);
        }
    }
}

/// The backward vectors of a group and of the exits of its block.
struct Walk<'a, T> {
    sweep: &'a Sweep<'a, T>,
    i: usize,
    group: &'a Group,
    values: &'a [T],
    exits: &'a [T],
}

impl<T: SweepNumber> Walk<'_, T> {
    /// Takes a walker from its entry to an exit.
    fn cross<R: Rng + ?Sized>(&self, walker: &mut Walker, rng: &mut R) {
        let graph = &self.sweep.blocks[self.i].graph;
        let mut state = graph.entries[walker.place] as usize;
        loop {
            let edge = self.choose(state, walker.used, rng);
            walker.used += self.sweep.fleet.stride(edge.step);
            walker.ships.extend(self.ship(state, edge));
            match graph.target(edge) {
                Target::State(next) => state = next,
                Target::Exit(exit) => {
                    walker.place = exit;
                    return;
                }
            }
        }
    }

    /// One of the moves from a state, in proportion to what continues it.
    fn choose<R: Rng + ?Sized>(&self, state: usize, used: usize, rng: &mut R) -> Edge {
        let ways: Vec<(Edge, T)> = self.sweep.blocks[self.i]
            .graph
            .edges(state)
            .iter()
            .map(|&edge| (edge, self.ways(state, used, edge)))
            .filter(|(_, ways)| *ways != T::default())
            .collect();
        let all = ways.iter().fold(T::default(), |all, (_, ways)| all.plus(*ways));
        let mut left = all.random_below(rng);
        for (edge, ways) in &ways {
            if left < *ways {
                return *edge;
            }
            left = left.minus(*ways);
        }
        // Only rounding can lead here.
        ways.last().expect("a walker stands where some layout continues").0
    }

    /// The sum over what continues a move.
    fn ways(&self, state: usize, used: usize, edge: Edge) -> T {
        let Some(used) = self.sweep.fleet.after(used, edge.step) else {
            return T::default();
        };
        let inside = &self.sweep.windows.inside[self.i];
        let ways = match self.sweep.blocks[self.i].graph.target(edge) {
            Target::State(to) => {
                let start = inside.places(&self.group.states).start;
                element(self.values, inside.window(to), start, used)
            }
            Target::Exit(to) => element(self.exits, self.sweep.windows.between[self.i + 1].window(to), 0, used),
        };
        self.sweep.weight(self.i, state, edge.step).map_or(ways, |weight| ways.times(weight))
    }

    /// The ship that a move puts.
    fn ship(&self, state: usize, edge: Edge) -> Option<ShipPosition> {
        let (class, vertical) = edge.step.ship()?;
        let block = &self.sweep.blocks[self.i];
        let length = self.sweep.fleet.length(class);
        Some(ShipPosition { length, row: block.row, col: block.graph.col(state), vertical })
    }
}

/// The element of a state's vector for an index; zero if the index is outside its window.
fn element<T: SweepNumber>(values: &[T], window: Window, start: usize, index: usize) -> T {
    let element = index.checked_sub(window.low()).filter(|i| *i < window.len());
    element.map_or(T::default(), |i| values[window.at - start + i])
}
