//! What a shooter may believe: the remnants that fit what was heard, each with the number of layouts it stands for.

use crate::remnant::{Id, Remnants, Reply};

/// The remnants left, in the order of their numbers. All have as many cells not hit and as many ships of each class, since
/// hits and sinkings are heard; under the call `silent` a remnant counts as one ship.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Belief {
    rows: Vec<(Id, u32)>,
}

impl Belief {
    /// The belief in these remnants, each with its weight, in any order and possibly several times.
    pub(crate) fn of(mut rows: Vec<(Id, u32)>) -> Self {
        rows.sort_unstable_by_key(|row| row.0);
        rows.dedup_by(|later, first| {
            let same = later.0 == first.0;
            first.1 += if same { later.1 } else { 0 };
            same
        });
        Self { rows }
    }

    pub(crate) fn rows(&self) -> &[(Id, u32)] {
        &self.rows
    }

    /// Whether everything is known.
    pub(crate) fn is_settled(&self) -> bool {
        self.rows.len() <= 1
    }

    /// The number of layouts.
    pub(crate) fn weight(&self) -> u32 {
        self.rows.iter().map(|row| row.1).sum()
    }

    /// The cells that some remnant has, and those that all have.
    pub(crate) fn cells(&self, remnants: &Remnants) -> (u64, u64) {
        self.rows.iter().fold((0, u64::MAX), |(some, all), row| {
            let cells = remnants.cells(row.0);
            (some | cells, all & cells)
        })
    }

    /// How many layouts have each cell.
    pub(crate) fn loads(&self, remnants: &Remnants) -> [u32; 64] {
        let mut loads = [0; 64];
        for &(id, weight) in &self.rows {
            bits(remnants.cells(id)).for_each(|cell| loads[cell as usize] += weight);
        }
        loads
    }

    /// What is believed after each answer to a shot.
    pub(crate) fn split(&self, cell: u32, remnants: &mut Remnants) -> Vec<(Reply, Belief)> {
        let mut parts: Vec<(Reply, Vec<(Id, u32)>)> = Vec::new();
        for &(id, weight) in &self.rows {
            let (reply, next) = remnants.fire(id, cell);
            match parts.iter_mut().find(|part| part.0 == reply) {
                Some(part) => part.1.push((next, weight)),
                None => parts.push((reply, vec![(next, weight)])),
            }
        }
        parts.into_iter().map(|(reply, rows)| (reply, Self::of(rows))).collect()
    }

    /// A cell that can be fired at next in some best play, whatever the others are worth, and that no remnant lacks.
    ///
    /// A cell c that surely holds a ship must be hit in any case, so firing at it costs no miss. It may still be wrong to
    /// fire at it *first*: of `w c x z v`, with z hit, let the fleet be w-c and x-z, or c-x and z-v. Both c and x are sure.
    /// After x the answer tells which it is (x sinks x-z and doesn't sink c-x); after c and then x both cases have heard a
    /// hit and a sinking, and the rest is a guess.
    ///
    /// It is right if for every other cell x the remnants that have x agree whether x and c are of one ship. Then take any
    /// play, and another that fires at c first and otherwise does the same. The second can always tell what the first
    /// would have heard: the answer to x is another one only if x and c are of one ship, which is known once x is hit;
    /// before c the first would have heard a plain hit there. When the first fires at c it hears a sinking if and only if
    /// the second has heard one on that ship, with the same length. So the second makes the same misses on each layout, and
    /// knows no less. This holds for the average and for the worst case.
    pub(crate) fn free_shot(&self, remnants: &Remnants) -> Option<u32> {
        let (_, sure) = self.cells(remnants);
        bits(sure).find(|&cell| self.is_free(1 << cell, remnants))
    }

    fn is_free(&self, bit: u64, remnants: &Remnants) -> bool {
        let (mut with, mut apart) = (0, 0);
        for ship in self.rows.iter().flat_map(|row| remnants.ships(row.0)) {
            if ship.cells & bit == 0 { apart |= ship.cells } else { with |= ship.cells }
        }
        with & apart == 0
    }

    /// The beliefs after all free shots, those left out that are settled.
    pub(crate) fn after_free_shots(self, remnants: &mut Remnants, settle: &mut Vec<Belief>) {
        if self.is_settled() {
            return;
        }
        match self.free_shot(remnants) {
            Some(cell) => self.split(cell, remnants).into_iter().for_each(|(_, part)| part.after_free_shots(remnants, settle)),
            None => settle.push(self),
        }
    }
}

/// The numbers of the bits that are set, from the lowest.
#[inline]
pub(crate) fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use broadside_rules::{Draft, Rules};

    use super::*;

    /// The remnants of some layouts on a row of five after A4 was hit.
    fn after_a4(layouts: &[&str]) -> (Belief, Remnants) {
        let rules: Rules = "1x5 2,2 allowed ship".parse().unwrap();
        let mut remnants = Remnants::new(&rules);
        let layout = |text: &&str| text.parse::<Draft>().unwrap().check(&rules).into_layout().unwrap();
        let rows = layouts.iter().map(|text| (remnants.of(&layout(text), 1 << 3), 1)).collect();
        (Belief::of(rows), remnants)
    }

    #[test]
    fn of_two_sure_cells_only_one_tells_which_layout_it_is() {
        let (belief, mut remnants) = after_a4(&["A1-A2 A3-A4", "A2-A3 A4-A5"]);
        assert_eq!(belief.cells(&remnants).1, 0b00110, "A2 and A3 are sure");
        assert_eq!(belief.free_shot(&remnants), None);
        assert_eq!(belief.split(2, &mut remnants).len(), 2, "A3 sinks a ship or doesn't");
        let after_a2 = belief.split(1, &mut remnants);
        assert_eq!(after_a2.len(), 1, "A2 is a plain hit in both");
        assert_eq!(after_a2[0].1.split(2, &mut remnants).len(), 1, "and then A3 sinks a ship in both");
    }

    #[test]
    fn a_sure_cell_whose_ship_is_plain_is_free() {
        let (belief, remnants) = after_a4(&["A1-A2 A4-A5", "A2-A3 A4-A5"]);
        assert_eq!(belief.free_shot(&remnants), Some(1), "A2 belongs with whichever of A1 and A3 is hit");
    }
}
