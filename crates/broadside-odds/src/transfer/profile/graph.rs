//! All profiles that can occur and the moves between them, block by block.
//!
//! The graph knows nothing of numbers: it is built once and then swept by every kind of sum.
//!
//! # Blocks and groups
//! A state is a profile before a column. To sweep column after column would bring all vectors of a
//! column (megabytes) through the cache ten times a row. So each row is cut into blocks of a few
//! columns. Moves inside a block leave the marks outside it alone, but for the column just before it: states that agree
//! there form a group, and no move inside the block leads from one group to another. A group (some
//! hundred states) is swept through all columns of the block while it is in the cache, and only
//! the vectors between blocks are stored. The building is faster too, since a group's hash map
//! is small.
//!
//! A block is at least as wide as the longest ship, so no move passes over a whole block.
//!
//! Blocks with the same rules that begin with the same states share one [`BlockGraph`], so an empty
//! board pays for its first and last few rows only.

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use broadside_rules::Stop;
use rustc_hash::FxHashMap;

use super::marks::Profile;
use super::moves::RowRules;
use super::step::Step;
use crate::{OutOfReach, WorkLimits};

/// The least number of columns in a block, unless the grid has fewer.
const NARROWEST: usize = 4;

/// A move from one state to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// What the move puts.
    pub(crate) step: Step,
    /// Whether no earlier move of the block leads to the same place, and it is not an entry: a sweep that comes by it first need
    /// not add to what is there.
    pub(crate) is_first: bool,
    /// A state of the block, or the number of its states plus the number of an exit.
    target: u32,
}

/// Where a move leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// To a later state of the same group.
    State(usize),
    /// Out of the block: to a state that the next block begins with.
    Exit(usize),
}

/// Some states of a block that its moves don't connect with others.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The states.
    pub(crate) states: Range<usize>,
    /// The numbers of the entries among them.
    pub(crate) entries: Range<usize>,
}

/// The states of one block and the moves from them. Moves lead from lower states to higher ones.
#[derive(Debug)]
pub(crate) struct BlockGraph {
    /// The states that the block begins with, ascending.
    pub(crate) entries: Vec<u32>,
    /// How many states the next block begins with.
    pub(crate) exits: usize,
    /// For each group the end of its states; it begins where the last one ends.
    group_ends: Vec<u32>,
    /// The column before which each state stands.
    col: Vec<u8>,
    /// For each state where its edges end.
    edge_ends: Vec<u32>,
    edges: Vec<Edge>,
}

impl BlockGraph {
    /// How many states the block has, not counting exits.
    pub(crate) fn states(&self) -> usize {
        self.col.len()
    }

    /// The column before which a state stands.
    #[inline]
    pub(crate) fn col(&self, state: usize) -> usize {
        usize::from(self.col[state])
    }

    /// The groups, in the order of their states.
    pub(crate) fn groups(&self) -> impl Iterator<Item = Group> {
        let mut start = Group { states: 0..0, entries: 0..0 };
        self.group_ends.iter().map(move |&end| {
            let entry = start.entries.end;
            let entries = self.entries[entry..].partition_point(|&state| state < end);
            start = Group { states: start.states.end..end as usize, entries: entry..entry + entries };
            start.clone()
        })
    }

    /// The moves from a state.
    #[inline]
    pub(crate) fn edges(&self, state: usize) -> &[Edge] {
        let start = if state == 0 { 0 } else { self.edge_ends[state - 1] };
        &self.edges[start as usize..self.edge_ends[state] as usize]
    }

    /// Where a move leads.
    #[inline]
    pub(crate) fn target(&self, edge: Edge) -> Target {
        let target = edge.target as usize;
        target.checked_sub(self.states()).map_or(Target::State(target), Target::Exit)
    }

    /// The memory that it takes, in bytes.
    fn bytes(&self) -> usize {
        4 * self.entries.len() + 4 * self.group_ends.len() + 5 * self.col.len() + 8 * self.edges.len()
    }
}

/// A block of the board and its graph.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The row.
    pub(crate) row: usize,
    /// What can happen in it.
    pub(crate) graph: Arc<BlockGraph>,
}

/// A state while its block is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place<const PLANES: usize> {
    col: usize,
    profile: Profile<PLANES>,
}

/// One word, since a hash of four would take longer than all else that is done to a place.
impl<const PLANES: usize> Hash for Place<PLANES> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.profile.word() ^ (self.col as u64) << 58);
    }
}

/// A block that was built: what it was built from, and what comes after it.
struct Built<'a, const PLANES: usize> {
    rules: &'a RowRules,
    entry: Vec<Place<PLANES>>,
    graph: Arc<BlockGraph>,
    exit: Vec<Place<PLANES>>,
}

/// The building of all blocks of a board, within limits.
pub(crate) struct Building<'a> {
    /// The length of the longest ship.
    longest: usize,
    /// Bytes of a vector of each state, at the least.
    vector: usize,
    limits: &'a WorkLimits,
    /// The memory that is left, in bytes.
    left: usize,
    /// The states between blocks so far, each of which will have a vector.
    states: usize,
    /// The memory of the lists of states that are kept until all blocks are built, in bytes.
    lists: usize,
}

impl<'a> Building<'a> {
    /// For a board whose longest ship has this length, with vectors of at most `len` numbers.
    pub(crate) fn new(longest: usize, len: usize, limits: &'a WorkLimits) -> Self {
        // On the russian board the windows keep 41 % of the vectors. An eighth is a forecast that errs on the side of trying.
        Self { longest, vector: len.div_ceil(8) * size_of::<u64>(), limits, left: limits.budget.bytes, states: 0, lists: 0 }
    }

    /// Whether so many states between two rows would fit: each has a vector, and a place in a list and in a table.
    pub(crate) fn affords(&self, states: f64) -> bool {
        let bytes = self.vector + 2 * size_of::<Place<3>>();
        states * bytes as f64 <= self.left as f64
    }

    /// The blocks of a board, from the first to the last, and the memory that is left for vectors.
    pub(crate) fn blocks<const PLANES: usize>(mut self, rules: &[RowRules]) -> Result<(Vec<Block>, usize), OutOfReach> {
        let cuts = cut(rules[0].cols(), self.longest);
        let mut built: Vec<Vec<Built<PLANES>>> = cuts.iter().map(|_| Vec::new()).collect();
        let mut entry = vec![Place { col: 0, profile: Profile::OPEN }];
        let mut blocks = Vec::new();
        let rows = rules.len();
        for (row, rules) in rules.iter().enumerate() {
            let before = self.states;
            for (i, cols) in cuts.iter().enumerate() {
                let known = built[i].iter().rposition(|built| built.rules == rules && built.entry == entry);
                let known = if let Some(known) = known {
                    known
                } else {
                    let next = &cuts[(i + 1) % cuts.len()];
                    built[i].push(self.build(rules, cols, next, std::mem::take(&mut entry))?);
                    built[i].len() - 1
                };
                let built = &built[i][known];
                blocks.push(Block { row, graph: Arc::clone(&built.graph) });
                self.states += built.exit.len();
                entry.clone_from(&built.exit);
            }
            self.forecast(self.states - before, rows - row)?;
        }
        Ok((blocks, self.left))
    }

    fn build<'r, const PLANES: usize>(
        &mut self,
        rules: &'r RowRules,
        cols: &Range<usize>,
        next: &Range<usize>,
        entry: Vec<Place<PLANES>>,
    ) -> Result<Built<'r, PLANES>, OutOfReach> {
        let left = self.left.checked_sub(self.lists).ok_or(OutOfReach::Memory)?;
        let (graph, exit) = Builder::new(rules, cols, left, &self.limits.stop).build(&entry, next)?;
        self.left = self.left.checked_sub(graph.bytes()).ok_or(OutOfReach::Memory)?;
        self.lists += (entry.len() + exit.len()) * size_of::<Place<PLANES>>();
        Ok(Built { rules, entry, graph: Arc::new(graph), exit })
    }

    /// Gives up where the vectors of the rows to come would not fit: of each row as many as of the last, but for the lowest,
    /// in which fewer ships go on.
    fn forecast(&self, states: usize, rows: usize) -> Result<(), OutOfReach> {
        let states = self.states + states.saturating_mul(rows.saturating_sub(self.longest));
        if states.saturating_mul(self.vector) > self.left { Err(OutOfReach::Memory) } else { Ok(()) }
    }
}

/// The columns of each block of a row.
fn cut(cols: usize, longest: usize) -> Vec<Range<usize>> {
    let blocks = (cols / longest.max(NARROWEST)).max(1);
    (0..blocks).map(|i| i * cols / blocks..(i + 1) * cols / blocks).collect()
}

/// Builds one block. States are first numbered in the order in which they are found, and at the end in
/// the order in which they were visited.
struct Builder<'a, const PLANES: usize> {
    rules: &'a RowRules,
    cols: &'a Range<usize>,
    bytes: usize,
    stop: &'a Stop,
    /// The states found in the block.
    found: Vec<Place<PLANES>>,
    /// Their numbers in the order of visits.
    visits: Vec<u32>,
    group_ends: Vec<u32>,
    edge_ends: Vec<u32>,
    edges: Vec<(Step, bool, Found)>,
    /// The states of the present group, and those waiting at each column.
    group: FxHashMap<Place<PLANES>, u32>,
    queues: Vec<Vec<u32>>,
    exits: Vec<Place<PLANES>>,
    exit_numbers: FxHashMap<Place<PLANES>, u32>,
}

/// The number of a state as found, or of an exit as found.
#[derive(Clone, Copy)]
enum Found {
    Inside(u32),
    Exit(u32),
}

impl<'a, const PLANES: usize> Builder<'a, PLANES> {
    fn new(rules: &'a RowRules, cols: &'a Range<usize>, bytes: usize, stop: &'a Stop) -> Self {
        Self {
            rules,
            cols,
            bytes,
            stop,
            found: Vec::new(),
            visits: Vec::new(),
            group_ends: Vec::new(),
            edge_ends: Vec::new(),
            edges: Vec::new(),
            group: FxHashMap::default(),
            queues: vec![Vec::new(); cols.len()],
            exits: Vec::new(),
            exit_numbers: FxHashMap::default(),
        }
    }

    /// The graph of the block and the states that the next one, which has the columns `next`, begins with.
    fn build(mut self, entry: &[Place<PLANES>], next: &Range<usize>) -> Result<(BlockGraph, Vec<Place<PLANES>>), OutOfReach> {
        self.found.extend(entry);
        let mut first = 0;
        for group in entry.chunk_by(|a, b| outside(a.profile, self.cols) == outside(b.profile, self.cols)) {
            self.visit_group(first, group)?;
            first += group.len();
        }
        Ok(self.finish(entry.len(), next))
    }

    /// Visits all states of the group that has these entries, which were found as `first` and so on. Gives up if they take
    /// more memory than they may. That is asked at every state, since a board with long ships is a single group.
    fn visit_group(&mut self, first: usize, entries: &[Place<PLANES>]) -> Result<(), OutOfReach> {
        self.group.clear();
        for (state, place) in (first..).zip(entries) {
            self.group.insert(*place, small(state));
            self.queues[place.col - self.cols.start].push(small(state));
        }
        for queue in 0..self.queues.len() {
            let mut states = std::mem::take(&mut self.queues[queue]);
            for state in states.drain(..) {
                self.visit(state);
                self.stop.check()?;
                if self.taken() > self.bytes {
                    return Err(OutOfReach::Memory);
                }
            }
            self.queues[queue] = states;
        }
        self.group_ends.push(small(self.visits.len()));
        Ok(())
    }

    /// The memory that the block takes while it is built, about. A place found stands in a list and, for its group or as an
    /// exit, in a table.
    fn taken(&self) -> usize {
        let listed = self.found.capacity() + self.exits.capacity();
        let tabled = self.group.capacity() + self.exit_numbers.capacity();
        size_of::<(Step, bool, Found)>() * self.edges.capacity()
            + size_of::<Place<PLANES>>() * listed
            + size_of::<(Place<PLANES>, u32)>() * tabled
    }

    fn visit(&mut self, state: u32) {
        let Place { col, profile } = self.found[state as usize];
        let rules = self.rules;
        rules.moves(profile, col, |step| {
            let place = Place { col: col + step.width, profile: step.after };
            let (is_first, target) = if place.col < self.cols.end { self.inside(place) } else { self.exit(place) };
            self.edges.push((step.step, is_first, target));
        });
        self.visits.push(state);
        self.edge_ends.push(small(self.edges.len()));
    }

    /// The number of a state, and whether it is new.
    fn inside(&mut self, place: Place<PLANES>) -> (bool, Found) {
        let next = small(self.found.len());
        let state = *self.group.entry(place).or_insert(next);
        if state == next {
            self.found.push(place);
            self.queues[place.col - self.cols.start].push(state);
        }
        (state == next, Found::Inside(state))
    }

    /// The number of an exit, and whether it is new.
    fn exit(&mut self, mut place: Place<PLANES>) -> (bool, Found) {
        if place.col == self.rules.cols() {
            place.col = 0;
        }
        let next = small(self.exits.len());
        let exit = *self.exit_numbers.entry(place).or_insert(next);
        if exit == next {
            self.exits.push(place);
        }
        (exit == next, Found::Exit(exit))
    }

    /// The exits in the order in which the next block wants them: each group together.
    fn exit_order(&self, next: &Range<usize>) -> Vec<u32> {
        if PLANES <= 3 && self.rules.cols() <= 21 {
            // A word says all that a profile does.
            let key = |place: &Place<PLANES>| (outside(place.profile, next).word(), place.profile.word(), place.col);
            let mut keys: Vec<_> = self.exits.iter().map(key).zip(0..).collect();
            keys.sort_unstable();
            return keys.into_iter().map(|(_, exit)| exit).collect();
        }
        let mut order: Vec<u32> = (0..small(self.exits.len())).collect();
        order.sort_unstable_by_key(|&exit| {
            let place = self.exits[exit as usize];
            (outside(place.profile, next), place.col, place.profile)
        });
        order
    }

    /// Numbers the states as visited, and the exits in the order in which the next block wants them: each group together.
    fn finish(self, entries: usize, next: &Range<usize>) -> (BlockGraph, Vec<Place<PLANES>>) {
        let order = self.exit_order(next);
        let state_numbers = inverse(&self.visits);
        let exit_numbers = inverse(&order);
        let states = small(self.found.len());
        let number = |found| match found {
            Found::Inside(state) => state_numbers[state as usize],
            Found::Exit(exit) => states + exit_numbers[exit as usize],
        };
        // Copies, not the lists as they have grown, which may be twice as large.
        let graph = BlockGraph {
            entries: state_numbers[..entries].to_vec(),
            exits: order.len(),
            group_ends: self.group_ends.as_slice().to_vec(),
            col: self.visits.iter().map(|&state| self.found[state as usize].col.to_le_bytes()[0]).collect(),
            edge_ends: self.edge_ends.as_slice().to_vec(),
            edges: self.edges.iter().map(|&(step, is_first, found)| Edge { step, is_first, target: number(found) }).collect(),
        };
        (graph, order.iter().map(|&exit| self.exits[exit as usize]).collect())
    }
}

/// What the moves inside a block leave alone: the marks outside it, less the column before it,
/// which a ship in the block's first column may shut.
fn outside<const PLANES: usize>(profile: Profile<PLANES>, block: &Range<usize>) -> Profile<PLANES> {
    profile.without(block.start.saturating_sub(1)..block.end)
}

/// For each element its place in the order.
fn inverse(order: &[u32]) -> Vec<u32> {
    let mut places = vec![0; order.len()];
    for (place, element) in (0..).zip(order) {
        places[*element as usize] = place;
    }
    places
}

/// State numbers are kept in 32 bits; a budget that would allow more of them can't be met anyway.
fn small(n: usize) -> u32 {
    u32::try_from(n).expect("a block has fewer than 2^32 states and edges")
}
