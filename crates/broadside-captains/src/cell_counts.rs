//! A count for each cell of the board, kept as bit planes: the first plane holds the lowest bit of all counts, the second
//! the next. Adding one to all cells of a set then takes a few operations on whole boards, and so does finding the
//! largest count.
//!
//! Two sets and a plane go through a full adder, which leaves the sum in the plane and gives one carry. A carry waits
//! until a second one comes. So only half of the additions reach the second plane and a quarter the third, and the work
//! doesn't depend on what is added.

use crate::bits::Bits;

/// Enough for any fleet: through a cell go at most twice as many placements as the fleet has cells, and it has at most
/// as many as the largest board, 4096.
const PLANES: usize = 14;

/// A count for each cell.
#[derive(Clone, Debug)]
pub(crate) struct CellCounts<B> {
    /// The planes; those from `used` on are empty.
    sums: [B; PLANES],
    waiting: [B; PLANES],
    /// Which planes have a set waiting, one bit each.
    has_waiting: u32,
    used: usize,
}

impl<B: Bits> CellCounts<B> {
    /// Zero everywhere.
    pub(crate) fn new() -> Self {
        Self { sums: [B::EMPTY; PLANES], waiting: [B::EMPTY; PLANES], has_waiting: 0, used: 0 }
    }

    /// Zero everywhere again.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.sums[..self.used].fill(B::EMPTY);
        (self.has_waiting, self.used) = (0, 0);
    }

    /// Adds four sets to the plane.
    #[inline]
    pub(crate) fn add_four(&mut self, [a, b, c, d]: [B; 4], plane: usize) {
        let (ab, cd) = (self.full_adder(a, b, plane), self.full_adder(c, d, plane));
        let carry = self.full_adder(ab, cd, plane + 1);
        self.add(carry, plane + 2);
    }

    /// Adds two sets to the plane.
    #[inline]
    pub(crate) fn add_two(&mut self, a: B, b: B, plane: usize) {
        let carry = self.full_adder(a, b, plane);
        self.add(carry, plane + 1);
    }

    /// Adds one set to the plane: two to the power of its number for each cell.
    #[inline]
    pub(crate) fn add(&mut self, set: B, plane: usize) {
        let (mut carry, mut plane) = (set, plane);
        while self.has_waiting >> plane & 1 == 1 {
            self.has_waiting ^= 1 << plane;
            carry = self.full_adder(self.waiting[plane], carry, plane);
            plane += 1;
        }
        self.waiting[plane] = carry;
        self.has_waiting |= 1 << plane;
        self.used = self.used.max(plane + 1);
    }

    /// Leaves the sum in the plane and returns what goes to the next. The plane becomes a used one when the carry is
    /// added, since that goes further up.
    #[inline]
    fn full_adder(&mut self, a: B, b: B, plane: usize) -> B {
        let sum = self.sums[plane];
        self.sums[plane] = sum ^ a ^ b;
        (a & b) | (sum & (a ^ b))
    }

    /// Carries out what waits.
    #[inline]
    fn settle(&mut self) {
        let (mut plane, mut carry) = (0, B::EMPTY);
        while self.has_waiting >> plane != 0 || !carry.is_empty() {
            let waiting = if self.has_waiting >> plane & 1 == 1 { self.waiting[plane] } else { B::EMPTY };
            carry = self.full_adder(waiting, carry, plane);
            plane += 1;
        }
        self.used = self.used.max(plane);
        self.has_waiting = 0;
    }

    /// Those of the cells that have the largest count among them; `None` when all have zero.
    #[inline]
    pub(crate) fn largest(&mut self, among: B) -> Option<B> {
        self.settle();
        let (mut best, mut zero) = (among, true);
        for &plane in self.sums[..self.used].iter().rev() {
            let better = best & plane;
            if !better.is_empty() {
                best = better;
                zero = false;
            }
        }
        (!zero).then_some(best)
    }

    /// The bit planes that are used, the lowest first.
    #[cfg(test)]
    pub(crate) fn planes(&mut self) -> &[B] {
        self.settle();
        &self.sums[..self.used]
    }

    /// The count of one cell.
    pub(crate) fn at(&mut self, cell: usize) -> usize {
        self.settle();
        (0..self.used).map(|plane| usize::from(self.sums[plane].has(cell)) << plane).sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn counts_agree_with_a_list_of_numbers(additions in vec((any::<[u128; 4]>(), 0usize..4, 0usize..3), 0..60), among: u128) {
            let (mut counts, mut numbers) = (CellCounts::new(), [0; 128]);
            counts.add_two(among, among, 3);
            counts.clear();
            for (sets, plane, how_many) in additions {
                match how_many {
                    0 => counts.add(sets[0], plane),
                    1 => counts.add_two(sets[0], sets[1], plane),
                    _ => counts.add_four(sets, plane),
                }
                sets[..1 << how_many].iter().flat_map(|set| set.iter()).for_each(|cell| numbers[cell] += 1 << plane);
            }
            for (cell, &number) in numbers.iter().enumerate() {
                prop_assert_eq!(counts.at(cell), number);
            }
            let largest = among.iter().map(|cell| numbers[cell]).max().filter(|&number| number > 0);
            let cells = largest.map(|number| among.iter().filter(|&cell| numbers[cell] == number).collect::<Vec<_>>());
            prop_assert_eq!(counts.largest(among).map(|cells| cells.iter().collect::<Vec<_>>()), cells);
        }
    }
}
