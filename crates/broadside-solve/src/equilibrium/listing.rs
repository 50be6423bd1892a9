//! Lists the positions of a [`Graph`].
//!
//! Three things keep the list short, and all hold for every mix that uses the layouts of a class alike:
//!
//! - Positions that a symmetry of the board takes to each other are one.
//! - Layouts with the same state can't be told apart any more. Only their classes are kept.
//! - A cell is left out if another is at least as good on every layout ([`worth_firing_at`]).

use broadside_odds::{OutOfReach, WorkLimits};
use broadside_rules::{Rules, Symmetry};
use rustc_hash::FxHashMap;

use super::classes::Classes;
use super::graph::{CellMap, Child, Ends, Graph, NOTHING, PositionId, Shot};
use crate::bits::bits;
use crate::solver::Progress;
use crate::state::{AnswerCode, StateId, States};

/// A state that is possible, and the leaf with the classes of its layouts.
type Row = (StateId, PositionId);

/// What is found out of a shot before its position is added.
struct FoundShot {
    cell: u32,
    missed: PositionId,
    children: Vec<Child>,
    /// The positions after each answer.
    parts: Vec<PositionId>,
}

/// The list while it grows.
struct Lister<'a> {
    graph: Graph,
    maps: Vec<CellMap>,
    /// For each state, where each symmetry takes it.
    images: Vec<[StateId; 8]>,
    leaves: FxHashMap<Box<[u32]>, PositionId>,
    known: FxHashMap<Box<[Row]>, PositionId>,
    /// The bytes of the keys of both.
    key_bytes: usize,
    limits: &'a WorkLimits,
    on_progress: &'a mut dyn FnMut(Progress),
}

/// An image not yet worked out.
const UNKNOWN: StateId = StateId::MAX;

/// Bytes of an entry besides its key: the box, the number, and the spare room of the table and the allocator.
const ENTRY_BYTES: usize = 56;

/// Bytes for each position when a reply is worked out: its weight and its misses.
const REPLY_BYTES: usize = 128;

/// Positions added between two reports of progress.
const PROGRESS_INTERVAL: usize = 1 << 12;

/// The graph of a board.
///
/// # Errors
/// When it passes the budget, or the work was stopped.
pub(super) fn list(
    rules: &Rules,
    classes: &Classes,
    limits: &WorkLimits,
    on_progress: &mut dyn FnMut(Progress),
) -> Result<Graph, OutOfReach> {
    let mut lister = Lister::new(rules, limits, on_progress);
    lister.leaf(&[]);
    let rows = lister.start(classes);
    lister.graph.start = rows.iter().map(|row| row.0).collect();
    lister.graph.root = lister.position(&rows)?.0;
    Ok(lister.graph)
}

/// Where a symmetry takes each cell.
fn cell_map(rules: &Rules, way: Symmetry) -> CellMap {
    let (grid, mut map) = (rules.grid(), [0; 64]);
    grid.cells().for_each(|cell| map[grid.index(cell)] = grid.index(way.cell(cell)) as u8);
    map
}

impl<'a> Lister<'a> {
    fn new(rules: &Rules, limits: &'a WorkLimits, on_progress: &'a mut dyn FnMut(Progress)) -> Self {
        let graph = Graph {
            rules: rules.clone(),
            states: States::new(rules),
            start: Vec::new(),
            root: NOTHING,
            origins: rules.symmetries().map(|way| cell_map(rules, way.inverse())).collect(),
            ends: Vec::new(),
            shots: Vec::new(),
            children: Vec::new(),
            parts: Vec::new(),
        };
        let maps = rules.symmetries().map(|way| cell_map(rules, way)).collect();
        let (leaves, known) = (FxHashMap::default(), FxHashMap::default());
        Self { graph, maps, images: Vec::new(), leaves, known, key_bytes: 0, limits, on_progress }
    }

    /// The position before the first shot.
    fn start(&mut self, classes: &Classes) -> Vec<Row> {
        let mut rows = Vec::new();
        for (class, members) in (0..).zip(&classes.members) {
            let leaf = self.leaf(&[class]);
            rows.extend(members.iter().map(|&member| (self.graph.states.after_shots(&classes.layouts[member], 0), leaf)));
        }
        self.merged(rows)
    }

    /// The leaf with layouts of these classes, which are in order.
    fn leaf(&mut self, classes: &[u32]) -> PositionId {
        if let Some(&leaf) = self.leaves.get(classes) {
            return leaf;
        }
        self.graph.parts.extend(classes);
        let leaf = self.close();
        self.key_bytes += size_of_val(classes);
        self.leaves.insert(classes.into(), leaf);
        leaf
    }

    /// Ends the position whose shots and parts were added last.
    fn close(&mut self) -> PositionId {
        let ends = Ends { shots: self.graph.shots.len() as u32, parts: self.graph.parts.len() as u32 };
        self.graph.ends.push(ends);
        self.graph.ends.len() as PositionId - 1
    }

    /// Rows in order, those with the same state as one.
    fn merged(&mut self, mut rows: Vec<Row>) -> Vec<Row> {
        rows.sort_unstable();
        if rows.windows(2).all(|pair| pair[0].0 != pair[1].0) {
            return rows;
        }
        rows.chunk_by(|one, other| one.0 == other.0).map(|same| (same[0].0, self.union(same))).collect()
    }

    /// The leaf with the layouts of all these rows.
    fn union(&mut self, rows: &[Row]) -> PositionId {
        if let [row] = rows {
            return row.1;
        }
        let mut classes: Vec<u32> = rows.iter().flat_map(|row| self.graph.parts(row.1 as usize)).copied().collect();
        classes.sort_unstable();
        self.leaf(&classes)
    }

    /// The number of a position, and the symmetry that takes it to its image in the graph.
    fn position(&mut self, rows: &[Row]) -> Result<(PositionId, usize), OutOfReach> {
        if let [row] = rows {
            return Ok((row.1, 0));
        }
        let (rows, way) = self.least_image(rows);
        if let Some(&known) = self.known.get(rows.as_slice()) {
            return Ok((known, way));
        }
        let position = self.add(&rows)?;
        self.key_bytes += size_of_val(rows.as_slice());
        self.known.insert(rows.into(), position);
        self.look_around()?;
        Ok((position, way))
    }

    /// Reports progress, and gives up when the list is too long.
    fn look_around(&mut self) -> Result<(), OutOfReach> {
        self.limits.check()?;
        if self.known.len().is_multiple_of(PROGRESS_INTERVAL) {
            let (positions, bytes) = (self.graph.ends.len(), self.bytes());
            (self.on_progress)(Progress { positions, bytes });
            // Half of the numbers, since the list is looked at only now and then.
            let numbered = positions <= Child::MOST / 2 && self.graph.children.len() <= u32::MAX as usize / 2;
            if bytes > self.limits.budget.bytes || !numbered {
                return Err(OutOfReach::Memory);
            }
        }
        Ok(())
    }

    fn bytes(&self) -> usize {
        let entries = (self.leaves.len() + self.known.len()) * ENTRY_BYTES + self.key_bytes;
        self.graph.bytes() + self.images.len() * size_of::<[StateId; 8]>() + entries.max(self.graph.ends.len() * REPLY_BYTES)
    }

    /// The least image of a position, and the symmetry that takes it there.
    fn least_image(&mut self, rows: &[Row]) -> (Vec<Row>, usize) {
        let some = rows.iter().fold(0, |some, row| some | self.graph.states.cells(row.0));
        let image = |map: &CellMap| bits(some).fold(0u64, |image, cell| image | 1 << map[cell as usize]);
        let images: Vec<u64> = self.maps.iter().map(image).collect();
        let least = images.iter().min().copied().unwrap_or_default();
        // Mostly the cells alone tell which image is the least, and only that one is worked out.
        let ways = (0..images.len()).filter(|&way| images[way] == least);
        ways.map(|way| (self.image(rows, way), way)).min().expect("the symmetry that moves nothing, if no other")
    }

    fn image(&mut self, rows: &[Row], way: usize) -> Vec<Row> {
        let mut image: Vec<Row> = rows.iter().map(|&(id, leaf)| (self.image_of_state(id, way), leaf)).collect();
        image.sort_unstable();
        image
    }

    fn image_of_state(&mut self, id: StateId, way: usize) -> StateId {
        let at = id as usize;
        if self.images.len() <= at {
            self.images.resize(at + 1, [UNKNOWN; 8]);
        }
        if self.images[at][way] == UNKNOWN {
            self.images[at][way] = self.graph.states.moved(id, &self.maps[way]);
        }
        self.images[at][way]
    }

    /// Adds a position and all that can follow it.
    fn add(&mut self, rows: &[Row]) -> Result<PositionId, OutOfReach> {
        let cells = worth_firing_at(rows, &self.graph.states);
        let shots = bits(cells).map(|cell| self.shot(rows, cell)).collect::<Result<Vec<_>, _>>()?;
        self.graph.parts.extend(&shots[0].parts);
        for FoundShot { cell, missed, children, .. } in shots {
            self.graph.children.extend(children);
            self.graph.shots.push(Shot { cell: cell as u8, missed, children_end: self.graph.children.len() as u32 });
        }
        Ok(self.close())
    }

    fn shot(&mut self, rows: &[Row], cell: u32) -> Result<FoundShot, OutOfReach> {
        let mut shot = FoundShot { cell, missed: NOTHING, children: Vec::new(), parts: Vec::new() };
        for (code, part) in self.split(rows, cell) {
            let is_known = part.len() == 1;
            let (position, way) = self.position(&part)?;
            shot.parts.push(position);
            if !is_known {
                shot.children.push(Child::new(position, way));
            }
            if code == AnswerCode::MISS {
                shot.missed = position;
            }
        }
        Ok(shot)
    }

    /// The position after each answer, in the order of the answers.
    fn split(&mut self, rows: &[Row], cell: u32) -> Vec<(AnswerCode, Vec<Row>)> {
        let mut parts: Vec<(AnswerCode, Vec<Row>)> = Vec::new();
        for &(id, leaf) in rows {
            let (code, next) = self.graph.states.fire(id, cell);
            match parts.iter_mut().find(|part| part.0 == code) {
                Some(part) => part.1.push((next, leaf)),
                None => parts.push((code, vec![(next, leaf)])),
            }
        }
        parts.sort_by_key(|part| part.0);
        parts.into_iter().map(|(code, rows)| (code, self.merged(rows))).collect()
    }
}

/// The cells to fire at, without those that another cell makes superfluous.
///
/// A cell d makes a cell c superfluous if every state that has c has d too, and d is *separable*: for every other cell x, the
/// states that have both x and d agree whether they belong to one ship. Proof: take any play that fires at c first. A second
/// play fires at d first and then does the same as the first play, but for d. It misses no more on any layout:
///
/// - If d is missed, so is c. The second play doesn't fire at c, and knows all that the first would be told.
/// - If d is hit, both plays fire at the same cells, and only d comes earlier. The second play always knows what the first would
///   have been told. The answer to x differs between the two only if x and d belong to one ship; that is known once x is hit,
///   and the first play, which has not hit d, would have been told of a hit without a sinking. When the first play fires at d, it
///   is told of a sinking if and only if the second has been told of one on that ship, with the same length.
///
/// With c and d in the same states, both separable, the one with the lower number stays. (If all states have d, it is a free shot of
/// [`crate::position::Position::free_shot`].)
fn worth_firing_at(rows: &[Row], states: &States) -> u64 {
    // For each cell: the cells that all states with it have, those that are on one ship with it, and those on another.
    let (mut some, mut always, mut with, mut apart) = (0, [u64::MAX; 64], [0; 64], [0; 64]);
    for &(id, _) in rows {
        let cells = states.cells(id);
        some |= cells;
        for ship in states.ships(id) {
            for cell in bits(ship.cells).map(|cell| cell as usize) {
                always[cell] &= cells;
                with[cell] |= ship.cells;
                apart[cell] |= cells & !ship.cells;
            }
        }
    }
    let those = |keep: &dyn Fn(u32) -> bool| bits(some).filter(|&cell| keep(cell)).fold(0u64, |set, cell| set | 1 << cell);
    let separable = those(&|cell| with[cell as usize] & apart[cell as usize] == 0);
    let has = |set: u64, cell: u32| set >> cell & 1 == 1;
    let is_superfluous = |cell: u32| {
        let yields_to = |other: u32| !has(always[other as usize], cell) || !has(separable, cell) || other < cell;
        bits(always[cell as usize] & separable & !(1 << cell)).any(yields_to)
    };
    those(&|cell| !is_superfluous(cell))
}
