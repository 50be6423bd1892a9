//! Which indices of ships used can occur at each state.
//!
//! A state whose profile has a vertical ship with three cells to come can't be reached with no
//! long ship used, and from a state in the last row hardly any ship can be added. For each state
//! the indices that matter lie between a lowest and a highest: enough is used to get there, and
//! little enough is missing to finish. Only that window of the vector is kept and computed: two
//! fifths of the whole on the empty russian board.

use std::ops::Range;

use super::fleet::FleetIndex;
use super::graph::{Block, BlockGraph, Edge, Target};

/// The window of one state, and where its vector lies among others that are stored one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    /// Where the vector begins.
    pub(crate) at: usize,
    /// The lowest index.
    low: u32,
    /// How many indices there are.
    len: u32,
}

impl Window {
    /// The lowest index.
    #[inline(always)]
    pub(crate) fn low(self) -> usize {
        self.low as usize
    }

    /// How many indices there are.
    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        self.len as usize
    }

    /// Where the vector lies, counted from `start`.
    #[inline(always)]
    pub(crate) fn place(self, start: usize) -> Range<usize> {
        self.at - start..self.at - start + self.len()
    }
}

/// The windows of some states whose vectors are stored one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Windows(Vec<Window>);

impl Windows {
    fn new(spans: impl Iterator<Item = Span>) -> Self {
        let mut at = 0;
        let window = |span: Span| {
            let window = Window { at, low: span.low, len: span.high - span.low };
            at += span.len();
            window
        };
        Self(spans.map(window).collect())
    }

    /// The window of a state.
    #[inline(always)]
    pub(crate) fn window(&self, state: usize) -> Window {
        self.0[state]
    }

    /// Where the vectors of some states lie together.
    pub(crate) fn places(&self, states: &Range<usize>) -> Range<usize> {
        self.start(states.start)..self.start(states.end)
    }

    /// The length of all vectors together.
    pub(crate) fn total(&self) -> usize {
        self.start(self.0.len())
    }

    fn start(&self, state: usize) -> usize {
        let before = state.checked_sub(1).map(|last| self.0[last]);
        before.map_or(0, |last| last.at + last.len())
    }
}

/// The windows of all states of a board.
#[derive(Clone, Debug)]
pub(crate) struct BoardWindows {
    /// For each block those of its states.
    pub(crate) inside: Vec<Windows>,
    /// For each block those of the states it begins with, and at last that of the end.
    pub(crate) between: Vec<Windows>,
}

impl BoardWindows {
    /// The memory that the windows of some blocks take, in bytes.
    pub(crate) fn bytes(blocks: &[Block]) -> usize {
        let states: usize = blocks.iter().map(|block| block.graph.states() + block.graph.exits).sum();
        states * (size_of::<Span>() + size_of::<Window>())
    }

    /// The length of all vectors that a sweep stores.
    pub(crate) fn stored(&self) -> usize {
        self.between.iter().map(Windows::total).sum()
    }

    /// The windows of some blocks.
    pub(crate) fn new(blocks: &[Block], fleet: &FleetIndex) -> Self {
        let bounds = Bounds::new(fleet);
        let mut spans = Vec::with_capacity(blocks.len());
        let mut entry = vec![Span { low: 0, high: 1 }];
        for block in blocks {
            let (inside, exit) = bounds.reached(&block.graph, &entry);
            spans.push(inside);
            entry = exit;
        }
        let whole = Span { low: bounds.len - 1, high: bounds.len };
        let mut exit: Vec<Span> = entry.iter().map(|end| end.meet(whole)).collect();
        let mut between = vec![Windows::new(exit.iter().copied())];
        let mut inside = Vec::with_capacity(blocks.len());
        for (block, mut spans) in blocks.iter().zip(spans).rev() {
            bounds.meet_needed(&block.graph, &mut spans, &exit);
            exit = block.graph.entries.iter().map(|&state| spans[state as usize]).collect();
            between.push(Windows::new(exit.iter().copied()));
            inside.push(Windows::new(spans.into_iter()));
        }
        between.reverse();
        inside.reverse();
        Self { inside, between }
    }
}

/// The indices from `low` to before `high`; none if they are equal.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    low: u32,
    high: u32,
}

impl Span {
    fn len(self) -> usize {
        (self.high - self.low) as usize
    }

    /// The smallest span over both.
    fn join(self, other: Self) -> Self {
        match (self.len(), other.len()) {
            (0, _) => other,
            (_, 0) => self,
            _ => Self { low: self.low.min(other.low), high: self.high.max(other.high) },
        }
    }

    /// What is in both.
    fn meet(self, other: Self) -> Self {
        let low = self.low.max(other.low);
        Self { low, high: self.high.min(other.high).max(low) }
    }

    /// The span after a ship is used.
    fn up(self, stride: u32, len: u32) -> Self {
        Self { low: (self.low + stride).min(len), high: (self.high + stride).min(len) }
    }

    /// The span before a ship is used.
    fn down(self, stride: u32) -> Self {
        Self { low: self.low.saturating_sub(stride), high: self.high.saturating_sub(stride) }
    }
}

/// Strides and the number of indices, in 32 bits.
struct Bounds<'a> {
    fleet: &'a FleetIndex,
    len: u32,
}

impl<'a> Bounds<'a> {
    fn new(fleet: &'a FleetIndex) -> Self {
        Self { fleet, len: u32::try_from(fleet.len).expect("a fleet has fewer than 2^32 parts") }
    }

    fn stride(&self, edge: Edge) -> u32 {
        self.fleet.stride(edge.step) as u32
    }

    /// What can have been used at each state of a block and at each exit.
    fn reached(&self, graph: &BlockGraph, entry: &[Span]) -> (Vec<Span>, Vec<Span>) {
        let mut inside = vec![Span::default(); graph.states()];
        let mut exits = vec![Span::default(); graph.exits];
        graph.entries.iter().zip(entry).for_each(|(&state, span)| inside[state as usize] = *span);
        for state in 0..graph.states() {
            for &edge in graph.edges(state) {
                let after = inside[state].up(self.stride(edge), self.len);
                let target = match graph.target(edge) {
                    Target::State(target) => &mut inside[target],
                    Target::Exit(exit) => &mut exits[exit],
                };
                *target = target.join(after);
            }
        }
        (inside, exits)
    }

    /// Cuts off what can't be completed any more.
    fn meet_needed(&self, graph: &BlockGraph, inside: &mut [Span], exits: &[Span]) {
        for state in (0..graph.states()).rev() {
            let needed = graph.edges(state).iter().map(|&edge| {
                let target = match graph.target(edge) {
                    Target::State(target) => inside[target],
                    Target::Exit(exit) => exits[exit],
                };
                target.down(self.stride(edge))
            });
            inside[state] = inside[state].meet(needed.fold(Span::default(), Span::join));
        }
    }
}
