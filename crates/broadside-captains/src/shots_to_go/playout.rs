//! Games played to their end, many at a time.
//!
//! The captain draws no lots: where two layouts have given the same answers so far, it fires at the same cell. So a set of
//! layouts is played as one tree. Its nodes are the logs that come up, and each is thought about once.
//!
//! The trees of several first cells meet: whether A1 was missed before A2 or after it, the games go on alike. So a node that an earlier
//! cell's tree has is not played again.

use std::collections::HashMap;
use std::ops::Range;

use broadside_rules::{Answer, Cell, Length, Shot, ShotLog, Stop, Stopped};
use rand::SeedableRng;

use super::boards::Boards;
use crate::bits::Bits;
use crate::{Captain, GameRng};

/// Nodes with fewer layouts are not looked up: playing them costs no more.
const SHARED: usize = 3;

/// A captain that plays on from one position.
pub(crate) struct Player {
    captain: Box<dyn Captain>,
    log: ShotLog,
    /// The shots of the position.
    start: usize,
    rng: GameRng,
    todo: Vec<Branch>,
    /// The layouts, sorted so that those of a branch are next to each other.
    order: Vec<u32>,
    /// How often the captain was asked.
    thoughts: u64,
    /// The nodes of all trees so far.
    nodes: HashMap<Box<[u128]>, Node>,
    /// What the log is known by among the nodes.
    key: Vec<u128>,
}

/// Where a log came up first.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The place of the first cell among those that are played.
    place: usize,
    /// The shots from the position to the node.
    shots: u16,
}

/// A shot with its answer, and the layouts that give it.
#[derive(Clone, Copy, Debug)]
struct Branch {
    /// The length of the log before the shot.
    before: usize,
    shot: Shot,
    from: usize,
    to: usize,
}

impl Player {
    /// A player with this captain, which must not make random choices.
    pub(crate) fn new(log: &ShotLog, captain: Box<dyn Captain>) -> Self {
        let rng = GameRng::seed_from_u64(0);
        let (nodes, key) = (HashMap::new(), Vec::new());
        Self { captain, log: log.clone(), start: log.len(), rng, todo: Vec::new(), order: Vec::new(), thoughts: 0, nodes, key }
    }

    /// How often the captain was asked for a shot.
    pub(crate) fn thoughts(&self) -> u64 {
        self.thoughts
    }

    /// Plays on from another position.
    pub(crate) fn start(&mut self, log: &ShotLog) {
        self.log = log.clone();
        self.start = log.len();
    }

    /// Fires at each of the cells on each of these layouts, and lets the captain play on. Returns for each cell the shots to the
    /// end on each layout, the one at the cell included.
    pub(crate) fn play<B: Bits>(
        &mut self,
        boards: &Boards<B>,
        range: Range<usize>,
        cells: &[Cell],
        stop: &Stop,
    ) -> Result<Vec<Vec<u16>>, Stopped> {
        self.nodes.clear();
        let mut shots: Vec<Vec<u16>> = Vec::new();
        for &cell in cells {
            let of_cell = self.play_cell(boards, range.clone(), cell, stop, &shots)?;
            shots.push(of_cell);
        }
        Ok(shots)
    }

    /// Plays one cell, given what the cells before it took.
    fn play_cell<B: Bits>(
        &mut self,
        boards: &Boards<B>,
        range: Range<usize>,
        cell: Cell,
        stop: &Stop,
        before: &[Vec<u16>],
    ) -> Result<Vec<u16>, Stopped> {
        let mut all = vec![0; range.len()];
        let first = range.start;
        self.order.clear();
        self.order.extend(range.map(|board| board as u32));
        self.todo.clear();
        self.log.truncate(self.start);
        self.split(boards, cell, 0, self.order.len());
        while let Some(branch) = self.todo.pop() {
            self.log.truncate(branch.before);
            self.log.push(branch.shot).expect("the answer of a layout");
            let shots = (self.log.len() - self.start) as u16;
            let layouts = self.order[branch.from..branch.to].iter().map(|&board| board as usize - first);
            if self.log.is_over() {
                layouts.for_each(|layout| all[layout] = shots);
                continue;
            }
            if branch.to - branch.from >= SHARED {
                read_key(&self.log, self.start, &mut self.key);
                if let Some(node) = self.nodes.get(&self.key[..]) {
                    layouts.for_each(|layout| all[layout] = before[node.place][layout] - node.shots + shots);
                    continue;
                }
                self.nodes.insert(self.key[..].into(), Node { place: before.len(), shots });
            }
            stop.check()?;
            self.thoughts += 1;
            let next = self.captain.aim(&self.log, &mut self.rng);
            self.split(boards, next, branch.from, branch.to);
        }
        Ok(all)
    }

    /// Sorts layouts by what they answer to a shot, and notes a branch for each answer.
    fn split<B: Bits>(&mut self, boards: &Boards<B>, cell: Cell, mut from: usize, to: usize) {
        let (index, fired) = (self.log.rules().grid().index(cell), B::from_words(self.log.fired().words()));
        let answer = |board: u32| boards.answer(board as usize, index, fired);
        while from < to {
            let first = answer(self.order[from]);
            let end = partition(&mut self.order[from..to], |board| answer(board) == first) + from;
            self.todo.push(Branch { before: self.log.len(), shot: Shot { cell, answer: first }, from, to: end });
            from = end;
        }
    }
}

/// What the rest of a game depends on, beside the layout and the position: the cells fired at and, in their order, the hits since. The
/// order of misses makes no difference, neither to the captain nor to which layouts are left.
fn read_key(log: &ShotLog, start: usize, key: &mut Vec<u128>) {
    key.clear();
    key.extend_from_slice(log.fired().words());
    let grid = log.rules().grid();
    let hits = log.shots()[start..].iter().filter(|shot| shot.answer.is_hit());
    key.extend(hits.map(|&Shot { cell, answer }| {
        let (length, sunk) = (answer.length().map_or(0, Length::get) as u128, u128::from(answer.is_sunk()));
        (grid.index(cell) as u128) << 32 | length << 1 | sunk
    }));
}

/// Puts the numbers that satisfy a condition, and the first in any case, before the others. Returns how many they are.
fn partition(numbers: &mut [u32], chosen: impl Fn(u32) -> bool) -> usize {
    let mut end = 1;
    for i in 1..numbers.len() {
        if chosen(numbers[i]) {
            numbers.swap(i, end);
            end += 1;
        }
    }
    end
}

/// The answers that layouts give to a shot, each with how many give it: what the shot tells.
pub(crate) fn answers<B: Bits>(boards: &Boards<B>, log: &ShotLog, cell: Cell) -> Vec<(Answer, u64)> {
    let (index, fired) = (log.rules().grid().index(cell), B::from_words(log.fired().words()));
    let mut counts: Vec<(Answer, u64)> = Vec::new();
    for board in 0..boards.len() {
        let answer = boards.answer(board, index, fired);
        match counts.iter_mut().find(|count| count.0 == answer) {
            Some(count) => count.1 += 1,
            None => counts.push((answer, 1)),
        }
    }
    counts
}
