//! Misses that no play avoids, from counting alone.
//!
//! # One ship
//! Let n remnants of one ship be left, each of h cells, no two the same, and no cell in more than k of them. A shot that hits
//! q of them misses n − q, which are then alone, and of the q hit ones one cell fewer is left. So the misses are at least
//!
//! f(h, n, k) = min over q ≤ k of (n − q) + f(h, n − q, k) + f(h − 1, q, q),
//!
//! with f = 0 for n ≤ 1, and f(1, n, k) = 0 + 1 + … + (n − 1), as different single cells are hit one at a time. For the worst
//! case the sum becomes a maximum. f doesn't fall when n grows and doesn't grow with k.
//!
//! # Several ships
//! Who is told all ships but one for nothing does no worse than who isn't. So the misses are at least the sum, over what the
//! other ships may be, of the misses of finding the last one. [`Floor::of`] takes the best choice of the ship that is not
//! told.

use crate::belief::{Belief, bits};
use crate::goal::Goal;
use crate::remnant::{Id, Remnants};

/// Groups are cut down to so many remnants: fewer remnants never cost more.
const MOST: usize = 128;

/// The table of f for one goal.
pub(crate) struct Floor {
    goal: Goal,
    /// For each h from 1, each n and each k up to [`MOST`].
    table: Vec<Vec<u32>>,
    /// Room for sorting.
    room: Vec<(Id, u64, u32)>,
}

impl Floor {
    /// The table for ships of at most so many cells.
    pub(crate) fn new(goal: Goal, cells: usize) -> Self {
        let mut floor = Self { goal, table: Vec::new(), room: Vec::new() };
        (0..cells).for_each(|_| floor.add_cell());
        floor
    }

    /// Works out f for one cell more than so far.
    fn add_cell(&mut self) {
        let cells = self.table.len() + 1;
        let mut table = vec![0; (MOST + 1) * (MOST + 1)];
        for k in 1..=MOST {
            for n in 2..=MOST {
                let most = if cells == 1 { 1 } else { k.min(n) };
                let cost = |q: usize| {
                    let missed = self.goal.join(self.goal.miss((n - q) as u32), self.after_miss(n - q, table[at(n - q, k)]));
                    self.goal.join(missed, self.one_ship(cells - 1, q, q))
                };
                table[at(n, k)] = (1..=most).map(cost).min().unwrap_or(0);
            }
        }
        self.table.push(table);
    }

    fn after_miss(&self, missed: usize, cost: u32) -> u32 {
        if missed == 0 { 0 } else { self.goal.after_miss(cost) }
    }

    /// f(h, n, k).
    fn one_ship(&self, h: usize, n: usize, k: usize) -> u32 {
        if h == 0 { 0 } else { self.table[h - 1][at(n.min(MOST), k.min(MOST))] }
    }

    /// A lower bound on what the belief costs.
    pub(crate) fn of(&mut self, belief: &Belief, remnants: &Remnants) -> u32 {
        let ships = belief.rows().first().map_or(0, |row| remnants.ships(row.0).len());
        (0..ships).map(|ship| self.all_but(ship, belief, remnants)).max().unwrap_or(0)
    }

    /// The bound if all ships but this one are told.
    fn all_but(&mut self, ship: usize, belief: &Belief, remnants: &Remnants) -> u32 {
        let mut room = std::mem::take(&mut self.room);
        room.clear();
        room.extend(belief.rows().iter().map(|&(id, w)| (remnants.rest(id, ship), remnants.ships(id)[ship].cells, w)));
        room.sort_unstable_by_key(|row| row.0);
        let groups = room.chunk_by(|one, other| one.0 == other.0).filter(|group| group.len() > 1);
        let cost = groups.map(|group| self.group(group)).fold(0, |sum, cost| self.goal.join(sum, cost));
        self.room = room;
        cost
    }

    /// The bound for some remnants of one ship.
    fn group(&self, group: &[(Id, u64, u32)]) -> u32 {
        let mut loads = [0; 64];
        group.iter().for_each(|row| bits(row.1).for_each(|cell| loads[cell as usize] += 1));
        let most = loads.into_iter().max().unwrap_or(0);
        let cost = self.one_ship(group[0].1.count_ones() as usize, group.len(), most);
        match self.goal {
            // Every layout that a remnant stands for costs the same.
            Goal::Sum => cost * group.iter().map(|row| row.2).min().unwrap_or(1),
            Goal::Worst => cost,
        }
    }
}

fn at(n: usize, k: usize) -> usize {
    n * (MOST + 1) + k
}
