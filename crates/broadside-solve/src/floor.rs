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

use std::ops::Range;

use crate::belief::Belief;
use crate::goal::Goal;
use crate::remnant::{Id, Remnants};

/// Groups are cut down to so many remnants: fewer remnants never cost more.
const MOST: usize = 128;

/// The table of f for one goal.
pub(crate) struct Floor {
    goal: Goal,
    /// For each h from 1, each n and each k up to [`MOST`].
    table: Vec<Vec<u32>>,
    /// For each h from 1, what the k-th remnant met by a shot adds to the misses after it, in ascending order.
    adds: Vec<Vec<u32>>,
    /// For the other ships of a group: when it was last met, and its number then.
    numbers: Vec<(u64, u32)>,
    stamp: u64,
    groups: Vec<Group>,
}

impl Floor {
    /// The table for ships of at most so many cells.
    pub(crate) fn new(goal: Goal, cells: usize) -> Self {
        let mut floor = Self { goal, table: Vec::new(), adds: Vec::new(), numbers: Vec::new(), stamp: 0, groups: Vec::new() };
        (0..cells).for_each(|_| floor.add_cell());
        floor
    }

    /// What it is for.
    pub(crate) fn goal(&self) -> Goal {
        self.goal
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
        self.adds.push(self.adds_after_hit(cells));
        self.table.push(table);
    }

    /// What the k-th remnant met by one shot adds to the misses after it. Sorted, since the sum of the first so many may
    /// then be too low but not too high, whatever their number.
    fn adds_after_hit(&self, cells: usize) -> Vec<u32> {
        let misses = |q: usize| self.one_ship(cells - 1, q, q);
        let mut adds: Vec<u32> = (1..=MOST).map(|q| misses(q) - misses(q - 1)).collect();
        adds.sort_unstable();
        adds
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
        let Some(&(first, _)) = belief.rows().first() else { return 0 };
        let classes = remnants.ships(first).chunk_by(|one, other| one.class == other.class).map(<[_]>::len);
        let mut from = 0;
        let mut best = 0;
        for count in classes {
            best = best.max(self.all_but_one(from..from + count, belief, remnants));
            from += count;
        }
        best
    }

    /// The bound if all ships but one of these, which are of one class, are told. A layout is counted once for each of them.
    fn all_but_one(&mut self, ships: Range<usize>, belief: &Belief, remnants: &Remnants) -> u32 {
        self.groups.clear();
        self.stamp += 1;
        let count = ships.len() as u32;
        for &(id, weight) in belief.rows() {
            for ship in ships.clone() {
                let group = self.group_of(remnants.rest(id, ship));
                self.groups[group].add(remnants.ships(id)[ship].cells, weight);
            }
        }
        let groups = self.groups.iter().filter(|group| group.count > 1);
        let cost = groups.map(|group| self.group(group)).fold(0, |sum, cost| self.goal.join(sum, cost));
        match self.goal {
            Goal::Sum => cost.div_ceil(count),
            Goal::Worst => cost,
        }
    }

    /// The number of the group whose other ships are these.
    #[inline]
    fn group_of(&mut self, rest: Id) -> usize {
        let rest = rest as usize;
        if self.numbers.len() <= rest {
            self.numbers.resize(rest + 1, (0, 0));
        }
        let (stamp, number) = &mut self.numbers[rest];
        if *stamp != self.stamp {
            (*stamp, *number) = (self.stamp, self.groups.len() as u32);
            self.groups.push(Group::default());
        }
        *number as usize
    }

    /// The bound for some remnants of one ship.
    fn group(&self, group: &Group) -> u32 {
        match self.goal {
            // Every layout that a remnant stands for costs the same.
            Goal::Sum => self.sum(group) * group.weight,
            Goal::Worst => self.one_ship(group.cells as usize, group.count as usize, group.most()),
        }
    }

    /// The cheapest places for all remnants of the group: the k-th of those met by the shot with number i (from 0) costs at
    /// least i misses and what telling it from the k − 1 others adds.
    fn sum(&self, group: &Group) -> u32 {
        let adds = &self.adds[group.cells as usize - 1];
        let mut places = [0u16; 2 * MOST];
        let mut shot = 0;
        group.each_load(|load| {
            for &add in adds.iter().take(load) {
                places[(shot + add as usize).min(2 * MOST - 1)] += 1;
            }
            shot += 1;
        });
        let (mut left, mut cost) = (group.count, 0);
        for (misses, &room) in (0..).zip(&places) {
            let taken = left.min(u32::from(room));
            cost += taken * misses;
            left -= taken;
            if left == 0 {
                break;
            }
        }
        cost
    }
}

/// Digits of a group's loads: more remnants than these can count are never in one group that a search gets through.
const DIGITS: usize = 16;

/// Remnants of one ship that agree in all other ships.
#[derive(Default)]
struct Group {
    count: u32,
    /// The number of cells of each.
    cells: u32,
    /// The least weight.
    weight: u32,
    /// How many have each cell: bit i of word d is the digit d of the number for cell i.
    loads: [u64; DIGITS],
}

impl Group {
    #[inline]
    fn add(&mut self, cells: u64, weight: u32) {
        self.weight = if self.count == 0 { weight } else { self.weight.min(weight) };
        self.count += 1;
        self.cells = cells.count_ones();
        let mut carry = cells;
        for digit in &mut self.loads {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
            if carry == 0 {
                break;
            }
        }
    }

    /// All numbers but 0, the largest first.
    fn each_load(&self, mut visit: impl FnMut(usize)) {
        let top = self.loads.iter().rposition(|&digit| digit != 0).unwrap_or(0);
        for load in (1..2usize << top).rev() {
            let cells = self.loads[..=top]
                .iter()
                .enumerate()
                .fold(u64::MAX, |cells, (place, &digit)| cells & if load >> place & 1 == 1 { digit } else { !digit });
            (0..cells.count_ones()).for_each(|_| visit(load));
        }
    }

    /// The largest number.
    fn most(&self) -> usize {
        if self.count >> DIGITS > 0 {
            return self.count as usize;
        }
        let mut cells = u64::MAX;
        self.loads.iter().rev().fold(0, |most, digit| {
            let some = cells & digit;
            cells = if some == 0 { cells } else { some };
            2 * most + usize::from(some != 0)
        })
    }
}

/// What each of so many places of a ship through one cell adds to the misses after that cell is hit, at least.
pub(crate) fn after_first_hit(cells: usize, places: usize) -> Vec<u32> {
    let mut adds = Floor::new(Goal::Sum, cells).adds.pop().unwrap_or_default();
    adds.truncate(places);
    adds
}

fn at(n: usize, k: usize) -> usize {
    n * (MOST + 1) + k
}
