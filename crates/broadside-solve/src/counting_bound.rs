//! A lower bound on the misses for one ship, from numbers alone.
//!
//! Let the ship have n possible places, all different, with h unhit cells each, and let no cell be in more than k of them. A
//! shot that hits q of the places misses the other n − q. After a miss those n − q are left, and after a hit the q places
//! with one unhit cell less. So the misses are at least
//!
//! f(h, n, k) = min over q ≤ k of (n − q) + f(h, n − q, k) + f(h − 1, q, q),
//!
//! with f = 0 for n ≤ 1, and f(1, n, k) = 0 + 1 + … + (n − 1), since a shot hits only one of n different cells. For the worst
//! case, take the maximum instead of the sum. f doesn't decrease with n and doesn't increase with k.

use crate::objective::Objective;

/// More places than this count as this many. Fewer places never cost more, so the bound holds.
const MAX_PLACES: usize = 128;

/// The table of f for one objective.
pub(crate) struct CountingBound {
    objective: Objective,
    /// For each h from 1, each n and each k up to [`MAX_PLACES`].
    table: Vec<Vec<u32>>,
    /// For each h from 1, what the k-th place hit by a shot adds to the misses after it, in ascending order.
    adds: Vec<Vec<u32>>,
}

impl CountingBound {
    /// The table for ships of at most this number of cells.
    pub(crate) fn new(objective: Objective, cells: usize) -> Self {
        let mut counting = Self { objective, table: Vec::new(), adds: Vec::new() };
        (0..cells).for_each(|_| counting.add_cell());
        counting
    }

    /// Works out f for the next h.
    fn add_cell(&mut self) {
        let cells = self.table.len() + 1;
        let mut table = vec![0; (MAX_PLACES + 1) * (MAX_PLACES + 1)];
        for k in 1..=MAX_PLACES {
            for n in 2..=MAX_PLACES {
                let most = if cells == 1 { 1 } else { k.min(n) };
                let cost = |q: usize| {
                    let missed =
                        self.objective.combine(self.objective.miss((n - q) as u32), self.after_miss(n - q, table[at(n - q, k)]));
                    self.objective.combine(missed, self.one_ship(cells - 1, q, q))
                };
                table[at(n, k)] = (1..=most).map(cost).min().unwrap_or(0);
            }
        }
        self.adds.push(self.adds_after_hit(cells));
        self.table.push(table);
    }

    /// What the k-th place hit by one shot adds to the misses after it. These are sorted. So the sum of the first few may be
    /// too low, but never too high.
    fn adds_after_hit(&self, cells: usize) -> Vec<u32> {
        let misses = |q: usize| self.one_ship(cells - 1, q, q);
        let mut adds: Vec<u32> = (1..=MAX_PLACES).map(|q| misses(q) - misses(q - 1)).collect();
        adds.sort_unstable();
        adds
    }

    fn after_miss(&self, missed: usize, cost: u32) -> u32 {
        if missed == 0 { 0 } else { self.objective.after_miss(cost) }
    }

    /// f(h, n, k).
    fn one_ship(&self, h: usize, n: usize, k: usize) -> u32 {
        if h == 0 { 0 } else { self.table[h - 1][at(n.min(MAX_PLACES), k.min(MAX_PLACES))] }
    }

    /// The bound for some places of a ship, each with `size` unhit cells.
    pub(crate) fn least(&self, size: u32, places: impl Iterator<Item = u64>) -> u32 {
        let mut counts = CellCounts::default();
        places.for_each(|cells| counts.add(cells));
        match self.objective {
            Objective::Sum => self.sum(size, &counts),
            Objective::Worst => self.one_ship(size as usize, counts.places as usize, counts.largest()),
        }
    }

    /// Number the shots before the first hit from 0. Of the places first hit by shot i, the k-th costs at least i misses, and
    /// what it takes to distinguish it from the k − 1 others. This adds the cheapest costs.
    fn sum(&self, size: u32, counts: &CellCounts) -> u32 {
        let adds = &self.adds[size as usize - 1];
        let mut room = [0u16; 2 * MAX_PLACES];
        let mut shot = 0;
        counts.each_count(|count| {
            for &add in adds.iter().take(count) {
                room[(shot + add as usize).min(2 * MAX_PLACES - 1)] += 1;
            }
            shot += 1;
        });
        let (mut left, mut cost) = (counts.places, 0);
        for (misses, &room) in (0..).zip(&room) {
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

/// Binary digits of a count. No search gets through more places of one ship than fit into them.
const DIGITS: usize = 16;

/// For each cell, the number of places that have it.
#[derive(Default)]
struct CellCounts {
    places: u32,
    /// Bit i of word d is the binary digit d of the count for cell i.
    digits: [u64; DIGITS],
}

impl CellCounts {
    #[inline]
    fn add(&mut self, cells: u64) {
        self.places += 1;
        let mut carry = cells;
        for digit in &mut self.digits {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
            if carry == 0 {
                break;
            }
        }
    }

    /// Visits all counts but 0, the largest first.
    fn each_count(&self, mut visit: impl FnMut(usize)) {
        let top = self.digits.iter().rposition(|&digit| digit != 0).unwrap_or(0);
        for count in (1..2usize << top).rev() {
            let cells = self.digits[..=top]
                .iter()
                .enumerate()
                .fold(u64::MAX, |cells, (place, &digit)| cells & if count >> place & 1 == 1 { digit } else { !digit });
            (0..cells.count_ones()).for_each(|_| visit(count));
        }
    }

    /// The largest count.
    fn largest(&self) -> usize {
        if self.places >> DIGITS > 0 {
            return self.places as usize;
        }
        let mut cells = u64::MAX;
        self.digits.iter().rev().fold(0, |largest, digit| {
            let some = cells & digit;
            cells = if some == 0 { cells } else { some };
            2 * largest + usize::from(some != 0)
        })
    }
}

/// For each of this number of places through one cell, the least that it adds to the misses after that cell is hit.
pub(crate) fn after_first_hit(cells: usize, places: usize) -> Vec<u32> {
    let mut adds = CountingBound::new(Objective::Sum, cells).adds.pop().unwrap_or_default();
    adds.truncate(places);
    adds
}

fn at(n: usize, k: usize) -> usize {
    n * (MAX_PLACES + 1) + k
}
