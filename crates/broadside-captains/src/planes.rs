//! A number for each cell of the board, kept as planes of bits: the first plane holds the lowest bit of all numbers, the
//! second the next. Adding one to all cells of a set then takes a few operations on whole boards, and so does finding
//! the largest number.
//!
//! An addition is put off until a second one of the same weight comes: three boards make a full adder, which leaves a
//! sum in place and hands one carry on. So of all additions only half reach the second plane, a quarter the third, and
//! how the work goes doesn't depend on what is added.

use crate::bits::Bits;

/// Enough for any fleet: through a cell go at most twice as many placements as the fleet has cells, and it has at most
/// as many as the largest board, 4096.
const PLANES: usize = 14;

/// A number for each cell.
#[derive(Clone, Debug)]
pub(crate) struct Planes<B> {
    sums: [B; PLANES],
    waiting: [B; PLANES],
    /// Which planes have an addition waiting, one bit each.
    has_waiting: u32,
    /// How many planes are in use.
    used: usize,
}

impl<B: Bits> Planes<B> {
    /// Zero everywhere.
    #[inline]
    pub(crate) fn new() -> Self {
        Self { sums: [B::EMPTY; PLANES], waiting: [B::EMPTY; PLANES], has_waiting: 0, used: 0 }
    }

    /// Adds `times` to the number of every cell of the set.
    #[inline]
    pub(crate) fn add(&mut self, set: B, times: usize) {
        let mut rest = times;
        while rest != 0 {
            self.add_at(set, rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }

    /// Adds two to the power of the plane's number.
    #[inline]
    fn add_at(&mut self, set: B, plane: usize) {
        let (mut carry, mut plane) = (set, plane);
        while self.has_waiting >> plane & 1 == 1 {
            let (a, b, c) = (self.sums[plane], self.waiting[plane], carry);
            self.sums[plane] = a ^ b ^ c;
            carry = (a & b) | (c & (a ^ b));
            self.has_waiting &= !(1 << plane);
            plane += 1;
        }
        self.waiting[plane] = carry;
        self.has_waiting |= 1 << plane;
        self.used = self.used.max(plane + 1);
    }

    /// The planes with everything carried out that was put off.
    #[inline]
    fn settled(&self) -> ([B; PLANES], usize) {
        let (mut sums, mut used, mut carry) = (self.sums, self.used, B::EMPTY);
        for (plane, sum) in sums.iter_mut().enumerate() {
            if plane >= self.used && carry.is_empty() {
                break;
            }
            let (a, b) = (*sum, if self.has_waiting >> plane & 1 == 1 { self.waiting[plane] } else { B::EMPTY });
            *sum = a ^ b ^ carry;
            carry = (a & b) | (carry & (a ^ b));
            used = plane + 1;
        }
        (sums, used)
    }

    /// Those of the cells that have the largest number among them; `None` when all have zero.
    #[inline]
    pub(crate) fn largest(&self, among: B) -> Option<B> {
        let (sums, used) = self.settled();
        let (mut best, mut zero) = (among, true);
        for &plane in sums[..used].iter().rev() {
            if best.meets(plane) {
                best &= plane;
                zero = false;
            }
        }
        (!zero).then_some(best)
    }

    /// The number of one cell.
    pub(crate) fn number(&self, cell: usize) -> usize {
        let (sums, used) = self.settled();
        (0..used).map(|plane| usize::from(sums[plane].has(cell)) << plane).sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn planes_count_like_a_list_of_numbers(additions in vec((any::<u128>(), 0usize..9), 0..60), among: u128) {
            let (mut planes, mut numbers) = (Planes::new(), [0; 128]);
            for (set, times) in additions {
                planes.add(set, times);
                set.iter().for_each(|cell| numbers[cell] += times);
            }
            for (cell, &number) in numbers.iter().enumerate() {
                prop_assert_eq!(planes.number(cell), number);
            }
            let largest = among.iter().map(|cell| numbers[cell]).max().filter(|&number| number > 0);
            let cells = largest.map(|number| among.iter().filter(|&cell| numbers[cell] == number).collect::<Vec<_>>());
            prop_assert_eq!(planes.largest(among).map(|cells| cells.iter().collect::<Vec<_>>()), cells);
        }
    }
}
