//! Adding up over all chains of moves.
//!
//! A state carries a vector: one number for each index of ships used. Forward, the number is that
//! of the chains from the first cell to the state which have used just these ships; backward, that
//! of the chains from the state to the last cell which use the rest. A layout that has a ship on a
//! cell is a chain up to there, a move that covers the cell, and a chain from there on; so the
//! layouts that cover the cell are the sum of forward times backward over the moves that cover it.
//! (As many moves leave a cell empty; to sum over those and subtract would lose precision
//! with weights.)
//!
//! Only the vectors between blocks are stored. Going back, the forward vectors of a group are computed
//! once more from there, next to the backward ones and while both are in the cache.

use std::ops::Range;

use broadside_rules::{Stop, Stopped};
use pulp::{Arch, Simd, WithSimd};

use super::fleet::FleetIndex;
use super::graph::{Block, Group, Target};
use super::kernel;
use super::number::SweepNumber;
use super::step::Step;
use super::windows::{BoardWindows, Window};
use crate::transfer::weights::WeightTable;

/// A sweep over one problem with one kind of number.
#[derive(Clone, Copy)]
pub(crate) struct Sweep<'a, T> {
    pub(crate) blocks: &'a [Block],
    pub(crate) windows: &'a BoardWindows,
    pub(crate) fleet: &'a FleetIndex,
    pub(crate) weights: Option<&'a WeightTable<T>>,
    /// Columns of the grid.
    pub(crate) cols: usize,
    /// Looked at before every group of states.
    pub(crate) stop: &'a Stop,
}

/// The sums of a sweep: over all layouts, and for each cell over those that cover it, if they were wanted.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sums<T> {
    pub(crate) all: T,
    pub(crate) covered: Vec<T>,
}

impl<T: SweepNumber> Sweep<'_, T> {
    /// The sum over all layouts.
    pub(crate) fn total(&self) -> Result<T, Stopped> {
        let mut between = self.first();
        for i in 0..self.blocks.len() {
            between = self.forward(i, &between)?;
        }
        Ok(between.first().copied().unwrap_or_default())
    }

    /// The sum over all layouts, and over those that cover each cell from a row on, unless the first is such that nobody wants the
    /// others. The cells above that row get nothing.
    pub(crate) fn sums(&self, first_row: usize, wanted: impl FnOnce(T) -> bool) -> Result<Sums<T>, Stopped> {
        let mut entries: Vec<Vec<T>> = vec![];
        let mut between = self.first();
        for (i, block) in self.blocks.iter().enumerate() {
            let next = self.forward(i, &between)?;
            let entry = std::mem::replace(&mut between, next);
            entries.push(if block.row < first_row { vec![] } else { entry });
        }
        let all = between.first().copied().unwrap_or_default();
        if !wanted(all) {
            return Ok(Sums { all, covered: vec![] });
        }
        let mut exit = self.last();
        let mut covered = vec![T::default(); self.cells()];
        for (i, entry) in entries.iter().enumerate().rev().take_while(|(i, _)| self.blocks[*i].row >= first_row) {
            let row = self.blocks[i].row * self.cols;
            exit = self.backward(i, &exit, Some((entry, &mut covered[row..row + self.cols])))?;
        }
        Ok(Sums { all, covered })
    }

    /// For each block the backward vectors of the states that it begins with, and at last that of the end.
    pub(crate) fn all_backward(&self) -> Result<Vec<Vec<T>>, Stopped> {
        let mut between = vec![self.last()];
        for i in (0..self.blocks.len()).rev() {
            between.push(self.backward(i, &between[between.len() - 1], None)?);
        }
        between.reverse();
        Ok(between)
    }

    fn cells(&self) -> usize {
        self.blocks.last().map_or(0, |block| (block.row + 1) * self.cols)
    }

    /// Before the first cell there is one chain, which has used no ship.
    fn first(&self) -> Vec<T> {
        vec![T::ONE; self.windows.between[0].total()]
    }

    /// After the last cell one profile is left, and its window is the whole fleet used.
    fn last(&self) -> Vec<T> {
        vec![T::ONE; self.windows.between[self.blocks.len()].total()]
    }

    /// The forward vectors after a block, from those before it.
    fn forward(&self, i: usize, entry: &[T]) -> Result<Vec<T>, Stopped> {
        let exit = Arch::new().dispatch(Forward { sweep: self, i, entry });
        self.stop.check().map(|()| exit)
    }

    /// The backward vectors before a block, from those after it. With the forward vectors before it,
    /// also adds to the sums over the layouts that cover each cell of the row.
    fn backward(&self, i: usize, exit: &[T], covered: Option<(&[T], &mut [T])>) -> Result<Vec<T>, Stopped> {
        let entry = Arch::new().dispatch(Backward { sweep: self, i, exit, covered });
        self.stop.check().map(|()| entry)
    }

    #[inline(always)]
    fn forward_block(&self, i: usize, entry: &[T]) -> Vec<T> {
        let mut exit = vec![T::default(); self.windows.between[i + 1].total()];
        let mut values = self.memory(i);
        // A block that is stopped is left unfinished, and thrown away.
        for group in self.blocks[i].graph.groups().take_while(|_| !self.stop.is_stopped()) {
            self.enter(i, &group, entry, &mut values);
            self.forward_group(i, &group, &mut values, Some(&mut exit));
        }
        exit
    }

    #[inline(always)]
    fn backward_block(&self, i: usize, exit: &[T], mut covered: Option<(&[T], &mut [T])>) -> Vec<T> {
        let mut entry = vec![T::default(); self.windows.between[i].total()];
        let mut forward = self.memory(i);
        let mut values = self.memory(i);
        for group in self.blocks[i].graph.groups().take_while(|_| !self.stop.is_stopped()) {
            let mut known = None;
            if let Some((entry, covered)) = &mut covered {
                self.enter(i, &group, entry, &mut forward);
                self.forward_group(i, &group, &mut forward, None);
                known = Some((&forward[..], &mut **covered));
            }
            self.backward_group(i, &group, &mut values, exit, known);
            self.leave(i, &group, &values, &mut entry);
        }
        entry
    }

    /// Memory for the vectors of any group of a block.
    pub(crate) fn memory(&self, i: usize) -> Vec<T> {
        let sizes = self.blocks[i].graph.groups().map(|group| self.windows.inside[i].places(&group.states).len());
        vec![T::default(); sizes.max().unwrap_or(0)]
    }

    /// Puts the vectors of the entries of a group among those of its states. To the others some move of the group comes first.
    #[inline(always)]
    fn enter(&self, i: usize, group: &Group, entry: &[T], values: &mut [T]) {
        for (from, to) in self.entry_places(i, group) {
            values[to].copy_from_slice(&entry[from]);
        }
    }

    /// Takes the vectors of a group's entries.
    #[inline(always)]
    fn leave(&self, i: usize, group: &Group, values: &[T], entry: &mut [T]) {
        for (to, from) in self.entry_places(i, group) {
            entry[to].copy_from_slice(&values[from]);
        }
    }

    /// Where the vector of each entry of a group lies between the blocks, and where in the group.
    fn entry_places(&self, i: usize, group: &Group) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
        let (between, inside) = (&self.windows.between[i], &self.windows.inside[i]);
        let entries = &self.blocks[i].graph.entries;
        let start = inside.places(&group.states).start;
        group.entries.clone().map(move |entry| {
            let own = inside.window(entries[entry] as usize);
            (between.window(entry).place(0), own.place(start))
        })
    }

    /// Completes the forward vectors of a group, and adds to those after the block.
    #[inline(always)]
    fn forward_group(&self, i: usize, group: &Group, values: &mut [T], mut exits: Option<&mut [T]>) {
        let graph = &self.blocks[i].graph;
        let inside = &self.windows.inside[i];
        let start = inside.places(&group.states).start;
        for state in group.states.clone() {
            let window = inside.window(state);
            let own = window.place(start);
            let (before, after) = values.split_at_mut(own.end);
            let source = &before[own.start..];
            for &edge in graph.edges(state) {
                let (to, target) = match (graph.target(edge), &mut exits) {
                    (Target::State(to), _) => {
                        let to = inside.window(to);
                        (to, &mut after[to.at - start - own.end..])
                    }
                    (Target::Exit(to), Some(exits)) => {
                        let to = self.windows.between[i + 1].window(to);
                        (to, &mut exits[to.at..])
                    }
                    (Target::Exit(_), None) => continue,
                };
                let target = &mut target[..to.len()];
                if let Some(bridge) = self.bridge(window, to, edge.step) {
                    let weight = self.weight(i, state, edge.step);
                    put(edge.is_first, target, bridge.to, &source[bridge.from], bridge.masks, weight);
                } else if edge.is_first {
                    kernel::clear(target);
                }
            }
        }
    }

    /// Fills `values` with the backward vectors of a group. With its forward vectors, also adds to the sums over the
    /// layouts that cover each cell of the row.
    #[inline(always)]
    pub(crate) fn backward_group(
        &self,
        i: usize,
        group: &Group,
        values: &mut [T],
        exits: &[T],
        mut covered: Option<(&[T], &mut [T])>,
    ) {
        let graph = &self.blocks[i].graph;
        let inside = &self.windows.inside[i];
        let places = inside.places(&group.states);
        for state in group.states.clone().rev() {
            let window = inside.window(state);
            if window.len() == 0 {
                continue;
            }
            let own = window.place(places.start);
            let (before, after) = values.split_at_mut(own.end);
            let sum = &mut before[own.start..];
            let mut is_first = true;
            for &edge in graph.edges(state) {
                let (to, source) = match graph.target(edge) {
                    Target::State(to) => {
                        let to = inside.window(to);
                        (to, &after[to.at - places.start - own.end..])
                    }
                    Target::Exit(to) => {
                        let to = self.windows.between[i + 1].window(to);
                        (to, &exits[to.at..])
                    }
                };
                let Some(bridge) = self.bridge(window, to, edge.step) else {
                    continue;
                };
                let source = &source[bridge.to];
                let weight = self.weight(i, state, edge.step);
                if let Some((forward, covered)) = &mut covered
                    && edge.step != Step::EMPTY
                {
                    let sum = dot(&forward[own.clone()][bridge.from.clone()], source, bridge.masks, weight);
                    let col = graph.col(state);
                    for cell in &mut covered[col..col + self.fleet.width(edge.step)] {
                        *cell = cell.plus(sum);
                    }
                }
                put(is_first, sum, bridge.from, source, bridge.masks, weight);
                is_first = false;
            }
            if is_first {
                kernel::clear(sum);
            }
        }
    }

    /// The weight of the ship that a move puts.
    #[inline(always)]
    pub(crate) fn weight(&self, i: usize, state: usize, step: Step) -> Option<T> {
        let weights = self.weights?;
        let (class, vertical) = step.ship()?;
        let block = &self.blocks[i];
        Some(weights.get(class, vertical, block.row, block.graph.col(state)))
    }

    /// What a move connects: the parts of the two states' vectors; none if nothing.
    #[inline(always)]
    fn bridge(&self, from: Window, to: Window, step: Step) -> Option<Bridge<'_>> {
        let used = self.fleet.used(step);
        let source = from.low() + used.map_or(0, |used| used.stride);
        let target = to.low();
        let low = source.max(target);
        let high = (source + from.len()).min(target + to.len());
        (low < high).then(|| Bridge {
            from: low - source..high - source,
            to: low - target..high - target,
            masks: used.map(|used| &used.masks[low..high]),
        })
    }
}

/// The parts of two states' vectors that a move connects.
struct Bridge<'a> {
    from: Range<usize>,
    to: Range<usize>,
    /// For a move that uses a ship: in which elements it can be.
    masks: Option<&'a [u64]>,
}

/// Adds to a part of a vector. The first that comes there sets it, and makes the rest of the vector zero: half of all vectors have no
/// second.
#[inline(always)]
fn put<T: SweepNumber>(is_first: bool, to: &mut [T], part: Range<usize>, source: &[T], masks: Option<&[u64]>, weight: Option<T>) {
    if !is_first {
        return add(&mut to[part], source, masks, weight);
    }
    kernel::clear(&mut to[..part.start]);
    kernel::clear(&mut to[part.end..]);
    match (masks, weight) {
        (None, _) => to[part].copy_from_slice(source),
        (Some(masks), None) => kernel::set_masked(&mut to[part], source, masks),
        (Some(masks), Some(weight)) => kernel::set_scaled(&mut to[part], source, masks, weight),
    }
}

#[inline(always)]
fn add<T: SweepNumber>(sum: &mut [T], source: &[T], masks: Option<&[u64]>, weight: Option<T>) {
    match (masks, weight) {
        (None, _) => kernel::add(sum, source),
        (Some(masks), None) => kernel::add_masked(sum, source, masks),
        (Some(masks), Some(weight)) => kernel::add_scaled(sum, source, masks, weight),
    }
}

#[inline(always)]
fn dot<T: SweepNumber>(a: &[T], b: &[T], masks: Option<&[u64]>, weight: Option<T>) -> T {
    // Not by `map_or_else`, which would not be inlined.
    let sum = match masks {
        None => kernel::dot(a, b),
        Some(masks) => kernel::dot_masked(a, b, masks),
    };
    weight.map_or(sum, |weight| sum.times(weight))
}

/// One block forward, compiled for each instruction set.
struct Forward<'a, T> {
    sweep: &'a Sweep<'a, T>,
    i: usize,
    entry: &'a [T],
}

impl<T: SweepNumber> WithSimd for Forward<'_, T> {
    type Output = Vec<T>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<T> {
        self.sweep.forward_block(self.i, self.entry)
    }
}

/// One block backward, compiled for each instruction set.
struct Backward<'a, T> {
    sweep: &'a Sweep<'a, T>,
    i: usize,
    exit: &'a [T],
    covered: Option<(&'a [T], &'a mut [T])>,
}

impl<T: SweepNumber> WithSimd for Backward<'_, T> {
    type Output = Vec<T>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<T> {
        self.sweep.backward_block(self.i, self.exit, self.covered)
    }
}
