//! Layouts drawn at random, each exactly as likely as any other, or as its weight says.
//!
//! The backward vectors say how many layouts continue each move, so a layout is drawn by choosing
//! move after move in proportion. All layouts are drawn side by side, block by block, so
//! that the vectors inside each block are computed only once.

use rand::Rng;

use super::graph::{Arc, Group, Target};
use super::number::Number;
use super::plan::{Plan, Width};
use super::sweep::Sweep;
use super::windows::Window;
use crate::problem::ShipPosition;
use crate::transfer::weights::Weights;
use crate::{Budget, OutOfReach, Problem};

/// Draws `n` layouts independently, all layouts being equally likely. The ships of a layout come longest first.
/// Nothing is drawn if there is no layout.
///
/// # Errors
/// When the budget does not suffice, or the number of layouts may pass 128 bits.
pub(crate) fn sample<R: Rng + ?Sized>(
    problem: &Problem,
    budget: Budget,
    rng: &mut R,
    n: usize,
) -> Result<Vec<Vec<ShipPosition>>, OutOfReach> {
    let Some(plan) = Plan::new(problem, budget)? else {
        return Ok(Vec::new());
    };
    match plan.width()? {
        Width::Single => draw::<u64, R>(&plan, None, rng, n),
        Width::Double => draw::<u128, R>(&plan, None, rng, n),
    }
}

/// Draws `n` layouts independently, each with a chance in proportion to its weight.
/// Nothing is drawn if no layout has a weight other than zero.
///
/// # Errors
/// When the budget does not suffice.
pub(crate) fn sample_weighted<R: Rng + ?Sized>(
    problem: &Problem,
    weights: &Weights,
    budget: Budget,
    rng: &mut R,
    n: usize,
) -> Result<Vec<Vec<ShipPosition>>, OutOfReach> {
    let Some(plan) = Plan::new(problem, budget)? else {
        return Ok(Vec::new());
    };
    let weights = plan.turned_weights(weights);
    draw(&plan, Some(&weights), rng, n)
}

fn draw<T: Number, R: Rng + ?Sized>(
    plan: &Plan,
    weights: Option<&Weights<T>>,
    rng: &mut R,
    n: usize,
) -> Result<Vec<Vec<ShipPosition>>, OutOfReach> {
    let sweep = plan.sweep(weights)?;
    let between = sweep.all_backward();
    if between[0].iter().all(|sum| *sum == T::default()) {
        return Ok(Vec::new());
    }
    let mut walkers: Vec<Walker> = (0..n).map(|number| Walker { number, place: 0, used: 0, ships: Vec::new() }).collect();
    for (i, exits) in between[1..].iter().enumerate() {
        walk_block(&sweep, i, exits, &mut walkers, rng);
    }
    // Back in the order of drawing: to take the first few must be as good as to draw few.
    walkers.sort_unstable_by_key(|walker| walker.number);
    Ok(walkers.into_iter().map(|walker| plan.layout_on_board(walker.ships)).collect())
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

fn walk_block<T: Number, R: Rng + ?Sized>(sweep: &Sweep<T>, i: usize, exits: &[T], walkers: &mut [Walker], rng: &mut R) {
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

impl<T: Number> Walk<'_, T> {
    /// Takes a walker from its entry to an exit.
    fn cross<R: Rng + ?Sized>(&self, walker: &mut Walker, rng: &mut R) {
        let graph = &self.sweep.blocks[self.i].graph;
        let mut state = graph.entries[walker.place] as usize;
        loop {
            let arc = self.choose(state, walker.used, rng);
            walker.used += self.sweep.fleet.stride(arc.step);
            walker.ships.extend(self.ship(state, arc));
            match graph.target(arc) {
                Target::State(next) => state = next,
                Target::Exit(exit) => {
                    walker.place = exit;
                    return;
                }
            }
        }
    }

    /// One of the moves from a state, in proportion to what continues it.
    fn choose<R: Rng + ?Sized>(&self, state: usize, used: usize, rng: &mut R) -> Arc {
        let ways: Vec<(Arc, T)> = self.sweep.blocks[self.i]
            .graph
            .arcs(state)
            .iter()
            .map(|&arc| (arc, self.ways(state, used, arc)))
            .filter(|(_, ways)| *ways != T::default())
            .collect();
        let all = ways.iter().fold(T::default(), |all, (_, ways)| all.plus(*ways));
        let mut left = all.random_below(rng);
        for (arc, ways) in &ways {
            if left < *ways {
                return *arc;
            }
            left = left.minus(*ways);
        }
        // Only rounding can lead here.
        ways.last().expect("a walker stands where some layout continues").0
    }

    /// The sum over what continues a move.
    fn ways(&self, state: usize, used: usize, arc: Arc) -> T {
        let Some(used) = self.sweep.fleet.after(used, arc.step) else {
            return T::default();
        };
        let inside = &self.sweep.windows.inside[self.i];
        let ways = match self.sweep.blocks[self.i].graph.target(arc) {
            Target::State(to) => {
                let start = inside.places(&self.group.states).start;
                element(self.values, inside.of(to), start, used)
            }
            Target::Exit(to) => element(self.exits, self.sweep.windows.between[self.i + 1].of(to), 0, used),
        };
        self.sweep.weight(self.i, state, arc.step).map_or(ways, |weight| ways.times(weight))
    }

    /// The ship that a move puts.
    fn ship(&self, state: usize, arc: Arc) -> Option<ShipPosition> {
        let (class, upright) = arc.step.ship()?;
        let block = &self.sweep.blocks[self.i];
        let length = self.sweep.fleet.length(class);
        Some(ShipPosition { length, row: block.row, col: block.graph.col(state), upright })
    }
}

/// The element of a state's vector for an index; zero if the index is outside its window.
fn element<T: Number>(values: &[T], window: Window, start: usize, index: usize) -> T {
    let element = index.checked_sub(window.low()).filter(|i| *i < window.len());
    element.map_or(T::default(), |i| values[window.at - start + i])
}
