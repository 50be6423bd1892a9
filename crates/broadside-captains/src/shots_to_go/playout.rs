//! Games played to their end, many at a time.
//!
//! The captain draws no lots: where two layouts have given the same answers so far, it fires at the same cell. So a set of
//! layouts is played as one tree. Its nodes are the logs that come up, and each is thought about once.

use broadside_rules::{Answer, Cell, Shot, ShotLog, Stop, Stopped};
use rand::SeedableRng;

use super::boards::Boards;
use crate::bits::Bits;
use crate::{Captain, GameRng};

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
        Self { captain, log: log.clone(), start: log.len(), rng, todo: Vec::new(), order: Vec::new(), thoughts: 0 }
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

    /// Fires at the cell on each of these layouts, and lets the captain play on. Tells for each layout, in the order in which
    /// games end, the shots to the end, the one at the cell included.
    pub(crate) fn play<B: Bits>(
        &mut self,
        boards: &Boards<B>,
        range: std::ops::Range<usize>,
        cell: Cell,
        stop: &Stop,
        mut ended: impl FnMut(usize, u16),
    ) -> Result<(), Stopped> {
        self.order.clear();
        self.order.extend(range.map(|board| board as u32));
        self.todo.clear();
        self.log.truncate(self.start);
        self.split(boards, cell, 0, self.order.len());
        while let Some(branch) = self.todo.pop() {
            self.log.truncate(branch.before);
            self.log.push(branch.shot).expect("the answer of a layout");
            if self.log.is_over() {
                let shots = (self.log.len() - self.start) as u16;
                self.order[branch.from..branch.to].iter().for_each(|&board| ended(board as usize, shots));
                continue;
            }
            stop.check()?;
            self.thoughts += 1;
            let next = self.captain.aim(&self.log, &mut self.rng);
            self.split(boards, next, branch.from, branch.to);
        }
        Ok(())
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
