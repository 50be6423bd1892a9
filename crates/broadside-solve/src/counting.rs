//! Misses that no play avoids on one hidden ship, from counting alone.
//!
//! Let n remnants of one ship be left, each of h cells, no two the same, and no cell in more than k of them. A shot that hits
//! q of them misses n − q, which are then alone, and of the q hit ones one cell fewer is left. So the misses are at least
//!
//! f(h, n, k) = min over q ≤ k of (n − q) + f(h, n − q, k) + f(h − 1, q, q),
//!
//! with f = 0 for n ≤ 1, and f(1, n, k) = 0 + 1 + … + (n − 1), as different single cells are hit one at a time. For the worst
//! case the sum becomes a maximum. f doesn't fall when n grows and doesn't grow with k.

use crate::goal::Goal;

/// Remnants are cut down to so many: fewer remnants never cost more.
const MOST: usize = 128;

/// The table of f for one goal.
pub(crate) struct Counting {
    goal: Goal,
    /// For each h from 1, each n and each k up to [`MOST`].
    table: Vec<Vec<u32>>,
    /// For each h from 1, what the k-th remnant met by a shot adds to the misses after it, in ascending order.
    adds: Vec<Vec<u32>>,
}

impl Counting {
    /// The table for ships of at most so many cells.
    pub(crate) fn new(goal: Goal, cells: usize) -> Self {
        let mut counting = Self { goal, table: Vec::new(), adds: Vec::new() };
        (0..cells).for_each(|_| counting.add_cell());
        counting
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

    /// The bound for some remnants of one ship, each with so many cells.
    pub(crate) fn least(&self, size: u32, remnants: impl Iterator<Item = u64>) -> u32 {
        let mut loads = Loads::default();
        remnants.for_each(|cells| loads.add(cells));
        match self.goal {
            Goal::Sum => self.sum(size, &loads),
            Goal::Worst => self.one_ship(size as usize, loads.count as usize, loads.most()),
        }
    }

    /// The cheapest places for all remnants: the k-th of those met by the shot with number i (from 0) costs at
    /// least i misses and what telling it from the k − 1 others adds.
    fn sum(&self, size: u32, loads: &Loads) -> u32 {
        let adds = &self.adds[size as usize - 1];
        let mut places = [0u16; 2 * MOST];
        let mut shot = 0;
        loads.each_load(|load| {
            for &add in adds.iter().take(load) {
                places[(shot + add as usize).min(2 * MOST - 1)] += 1;
            }
            shot += 1;
        });
        let (mut left, mut cost) = (loads.count, 0);
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

/// Digits of the loads: a search never gets through more remnants of one ship than these can count.
const DIGITS: usize = 16;

/// How many of some remnants have each cell.
#[derive(Default)]
struct Loads {
    count: u32,
    /// Bit i of word d is the digit d of the number for cell i.
    digits: [u64; DIGITS],
}

impl Loads {
    #[inline]
    fn add(&mut self, cells: u64) {
        self.count += 1;
        let mut carry = cells;
        for digit in &mut self.digits {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
            if carry == 0 {
                break;
            }
        }
    }

    /// All numbers but 0, the largest first.
    fn each_load(&self, mut visit: impl FnMut(usize)) {
        let top = self.digits.iter().rposition(|&digit| digit != 0).unwrap_or(0);
        for load in (1..2usize << top).rev() {
            let cells = self.digits[..=top]
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
        self.digits.iter().rev().fold(0, |most, digit| {
            let some = cells & digit;
            cells = if some == 0 { cells } else { some };
            2 * most + usize::from(some != 0)
        })
    }
}

/// What each of so many places of a ship through one cell adds to the misses after that cell is hit, at least.
pub(crate) fn after_first_hit(cells: usize, places: usize) -> Vec<u32> {
    let mut adds = Counting::new(Goal::Sum, cells).adds.pop().unwrap_or_default();
    adds.truncate(places);
    adds
}

fn at(n: usize, k: usize) -> usize {
    n * (MOST + 1) + k
}
