//! The graph of all positions that a shooter can come to, and the best reply to a mix as one pass over it.
//!
//! The double oracle asks for hundreds of best replies to mixes that differ only in their weights. So the positions are listed
//! once, whatever the weights are ([`super::listing`]), and each best reply is worked out from the last shots to the first.

use std::ops::AddAssign;

use broadside_odds::{OutOfReach, WorkLimits};
use broadside_rules::Rules;

use crate::policy::{Node, Policy};
use crate::state::{AnswerCode, StateId, States};

/// The number of a position in the graph.
pub(super) type PositionId = u32;

/// The leaf without layouts.
pub(super) const NOTHING: PositionId = 0;

/// Where each cell comes to lie.
pub(super) type CellMap = [u8; 64];

/// A position after a shot in which more than one state is possible, with the symmetry that takes it to its image in the graph.
#[derive(Clone, Copy)]
pub(super) struct Child(u32);

impl Child {
    /// No board has more than eight symmetries.
    const WAY_BITS: u32 = 3;
    /// So many positions have numbers.
    pub(super) const MOST: usize = 1 << (u32::BITS - Self::WAY_BITS);

    pub(super) fn new(position: PositionId, way: usize) -> Self {
        Self(position << Self::WAY_BITS | way as u32)
    }

    #[inline]
    fn position(self) -> PositionId {
        self.0 >> Self::WAY_BITS
    }

    fn way(self) -> usize {
        (self.0 & ((1 << Self::WAY_BITS) - 1)) as usize
    }
}

/// A shot from a position.
pub(super) struct Shot {
    pub(super) cell: u8,
    /// What is left if it misses.
    pub(super) missed: PositionId,
    /// Where its children end. Those of the next shot begin there.
    pub(super) children_end: u32,
}

/// Where the shots and the parts of a position end. Those of the next position begin there.
#[derive(Clone, Copy, Default)]
pub(super) struct Ends {
    pub(super) shots: u32,
    pub(super) parts: u32,
}

/// The positions of a board, each after all that can follow it. A position in which only one state is possible is a leaf: it has
/// no shots, since it costs no miss, and stands for all positions with layouts of the same classes.
pub(super) struct Graph {
    pub(super) rules: Rules,
    pub(super) states: States,
    /// The states before the first shot.
    pub(super) start: Vec<StateId>,
    pub(super) root: PositionId,
    /// For each symmetry, which cell it takes to each cell.
    pub(super) origins: Vec<CellMap>,
    pub(super) ends: Vec<Ends>,
    pub(super) shots: Vec<Shot>,
    pub(super) children: Vec<Child>,
    /// What the weight of a position is the sum of: for a leaf the classes of its layouts, for others the positions after a shot.
    pub(super) parts: Vec<u32>,
}

/// Something that weights and costs are counted in.
pub(super) trait Amount: Copy + Default + PartialOrd + AddAssign {}

impl<T: Copy + Default + PartialOrd + AddAssign> Amount for T {}

/// The weight of each position, and the weight that best play misses from it on.
struct Costs<A> {
    weights: Vec<A>,
    misses: Vec<A>,
}

/// Positions worked out between two looks at whether to stop.
const STOP_INTERVAL: usize = 1 << 14;

impl Graph {
    /// About how many bytes it takes.
    pub(super) fn bytes(&self) -> usize {
        self.states.bytes()
            + self.ends.len() * size_of::<Ends>()
            + self.shots.len() * size_of::<Shot>()
            + self.children.len() * size_of::<Child>()
            + self.parts.len() * size_of::<u32>()
    }

    /// A best reply to a mix, given by the weight of each layout of a class.
    pub(super) fn best_reply<A: Amount>(&mut self, of_class: &[A], limits: &WorkLimits) -> Result<Policy, OutOfReach> {
        let costs = self.costs(of_class, limits)?;
        let (start, unmoved) = (self.start.clone(), std::array::from_fn(|cell| cell as u8));
        let mut nodes = Vec::new();
        self.add_nodes(&costs, &start, self.root, &unmoved, &mut nodes);
        Ok(Policy::new(self.rules.clone(), nodes))
    }

    fn costs<A: Amount>(&self, of_class: &[A], limits: &WorkLimits) -> Result<Costs<A>, OutOfReach> {
        let room = || Vec::with_capacity(self.ends.len());
        let mut costs = Costs { weights: room(), misses: room() };
        for position in 0..self.ends.len() {
            if position.is_multiple_of(STOP_INTERVAL) {
                limits.check()?;
            }
            costs.weights.push(self.weight(position, of_class, &costs.weights));
            costs.misses.push(self.best_shot(position, &costs).map_or(A::default(), |best| best.1));
        }
        Ok(costs)
    }

    fn begin(&self, position: usize) -> Ends {
        if position == 0 { Ends::default() } else { self.ends[position - 1] }
    }

    pub(super) fn parts(&self, position: usize) -> &[u32] {
        &self.parts[self.begin(position).parts as usize..self.ends[position].parts as usize]
    }

    fn is_leaf(&self, position: usize) -> bool {
        self.begin(position).shots == self.ends[position].shots
    }

    fn weight<A: Amount>(&self, position: usize, of_class: &[A], of_position: &[A]) -> A {
        let known = if self.is_leaf(position) { of_class } else { of_position };
        let mut weight = A::default();
        self.parts(position).iter().for_each(|&part| weight += known[part as usize]);
        weight
    }

    /// The number of the shot that misses least, and what it misses.
    fn best_shot<A: Amount>(&self, position: usize, costs: &Costs<A>) -> Option<(usize, A)> {
        let (first, end) = (self.begin(position).shots as usize, self.ends[position].shots as usize);
        let mut best: Option<(usize, A)> = None;
        for shot in first..end {
            let mut misses = costs.weights[self.shots[shot].missed as usize];
            self.children(shot).iter().for_each(|child| misses += costs.misses[child.position() as usize]);
            if best.is_none_or(|best| misses < best.1) {
                best = Some((shot, misses));
            }
        }
        best
    }

    fn children(&self, shot: usize) -> &[Child] {
        let from = if shot == 0 { 0 } else { self.shots[shot - 1].children_end };
        &self.children[from as usize..self.shots[shot].children_end as usize]
    }

    /// Adds best play from a position on, and returns the number of its node; `None` when the game is over. The position has these
    /// states, and a symmetry takes it to its image in the graph; `origin` is where the cells of the image come from.
    fn add_nodes<A: Amount>(
        &mut self,
        costs: &Costs<A>,
        states: &[StateId],
        image: PositionId,
        origin: &CellMap,
        nodes: &mut Vec<Node>,
    ) -> Option<u32> {
        let best = self.best_shot(image as usize, costs);
        let cell = match best {
            Some((shot, _)) => u32::from(origin[usize::from(self.shots[shot].cell)]),
            // Only one state is possible, so every shot is a hit.
            None => self.states.cells(states[0]).trailing_zeros(),
        };
        let aim = self.rules.grid().cell(cell as usize)?;
        let number = nodes.len();
        nodes.push(Node { cell: aim, next: Vec::new() });
        let mut children = best.map_or(Vec::new(), |(shot, _)| self.children(shot).to_vec()).into_iter();
        for (code, part) in split(states, cell, &mut self.states) {
            // A leaf is played without looking at it, so the leaf without layouts will do.
            let child = if part.len() > 1 { children.next() } else { None };
            let (next, origin) = child.map_or((NOTHING, *origin), |child| (child.position(), self.before(child.way(), origin)));
            let then = self.add_nodes(costs, &part, next, &origin, nodes);
            nodes[number].next.push((self.states.answer(code), then));
        }
        Some(number as u32)
    }

    /// Where cells come from that a symmetry has moved, and another map before it.
    fn before(&self, way: usize, origin: &CellMap) -> CellMap {
        self.origins[way].map(|cell| origin[usize::from(cell)])
    }
}

/// The states that are possible after each answer to a shot, in the order of the answers.
fn split(states: &[StateId], cell: u32, table: &mut States) -> Vec<(AnswerCode, Vec<StateId>)> {
    let mut after: Vec<(AnswerCode, StateId)> = states.iter().map(|&id| table.fire(id, cell)).collect();
    after.sort_unstable();
    after.dedup();
    after.chunk_by(|one, other| one.0 == other.0).map(|part| (part[0].0, part.iter().map(|state| state.1).collect())).collect()
}
