//! What a shooter knows: the states that fit all answers, each with its number of layouts.

use crate::bits::bits;
use crate::state::{AnswerCode, StateId, States};
use crate::weight::Weight;

/// The states that are still possible, in the order of their numbers.
///
/// All of them have the same number of unhit cells, since the shooter is told of every hit. They have the same number of
/// ships of each class, since the shooter is told of every sinking. Under the call `silent` a state counts as one ship.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Position<W> {
    /// Each state with its weight: the number of its layouts, or the sum of their weights.
    rows: Vec<(StateId, W)>,
}

impl<W: Weight> Position<W> {
    /// The position with these states and weights. They may come in any order, and a state more than once.
    pub(crate) fn new(mut rows: Vec<(StateId, W)>) -> Self {
        rows.sort_unstable_by_key(|row| row.0);
        rows.dedup_by(|later, first| {
            let same = later.0 == first.0;
            first.1 += if same { later.1 } else { W::default() };
            same
        });
        Self { rows }
    }

    pub(crate) fn rows(&self) -> &[(StateId, W)] {
        &self.rows
    }

    /// Whether at most one state is possible.
    pub(crate) fn is_known(&self) -> bool {
        self.rows.len() <= 1
    }

    /// The weight of all layouts together: their number, if each counts once.
    pub(crate) fn weight(&self) -> W {
        self.rows.iter().map(|row| row.1).sum()
    }

    /// The cells that some state has, and the cells that all states have.
    pub(crate) fn cells(&self, states: &States) -> (u64, u64) {
        self.rows.iter().fold((0, u64::MAX), |(some, all), row| {
            let cells = states.cells(row.0);
            (some | cells, all & cells)
        })
    }

    /// The weight of the layouts that have each cell.
    pub(crate) fn counts(&self, states: &States) -> [W; 64] {
        let mut counts = [W::default(); 64];
        for &(id, weight) in &self.rows {
            bits(states.cells(id)).for_each(|cell| counts[cell as usize] += weight);
        }
        counts
    }

    /// The position after each possible answer to a shot.
    pub(crate) fn split(&self, cell: u32, states: &mut States) -> Vec<(AnswerCode, Self)> {
        let mut parts: Vec<(AnswerCode, Vec<(StateId, W)>)> = Vec::new();
        for &(id, weight) in &self.rows {
            let (code, next) = states.fire(id, cell);
            match parts.iter_mut().find(|part| part.0 == code) {
                Some(part) => part.1.push((next, weight)),
                None => parts.push((code, vec![(next, weight)])),
            }
        }
        parts.into_iter().map(|(code, rows)| (code, Self::new(rows))).collect()
    }

    /// A cell that holds a ship in every state, and that some best play fires at next.
    ///
    /// A cell c that holds a ship in every state must be hit in any case, so a shot at it is no miss. It can still be wrong
    /// to fire at it *first*. Take five cells `w c x z v`, with z hit. The fleet is either w-c and x-z, or c-x and z-v. Both
    /// c and x are certain. The answer to x tells which fleet it is: x sinks x-z, but doesn't sink c-x. After c and then x
    /// the answers are a hit and a sinking for both fleets, and the rest is a guess.
    ///
    /// A shot at c is right if, for every other cell x, the states that have x agree whether x and c belong to one ship.
    /// Proof: take any play, and a second play that fires at c first and then does the same. The second play always knows
    /// what the first would have been told:
    ///
    /// - The answer to x differs between the two only if x and c belong to one ship. That is known once x is hit, and the
    ///   first play, which has not hit c, would have been told of a hit without a sinking.
    /// - When the first play fires at c, it is told of a sinking if and only if the second play has been told of one on that
    ///   ship, with the same length.
    ///
    /// So the second play has the same misses on each layout and knows no less. This holds for the average and for the
    /// worst case.
    pub(crate) fn free_shot(&self, states: &States) -> Option<u32> {
        let (_, certain) = self.cells(states);
        bits(certain).find(|&cell| self.is_free(1 << cell, states))
    }

    fn is_free(&self, bit: u64, states: &States) -> bool {
        let (mut with, mut apart) = (0, 0);
        for ship in self.rows.iter().flat_map(|row| states.ships(row.0)) {
            if ship.cells & bit == 0 { apart |= ship.cells } else { with |= ship.cells }
        }
        with & apart == 0
    }

    /// Collects the positions after all free shots, without those in which only one state is possible.
    pub(crate) fn after_free_shots(self, states: &mut States, found: &mut Vec<Self>) {
        if self.is_known() {
            return;
        }
        match self.free_shot(states) {
            Some(cell) => self.split(cell, states).into_iter().for_each(|(_, part)| part.after_free_shots(states, found)),
            None => found.push(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use broadside_rules::{Draft, Rules};

    use super::*;

    /// The states of some layouts on a row of five after A4 was hit.
    fn after_a4(layouts: &[&str]) -> (Position<u32>, States) {
        let rules: Rules = "1x5 2,2 allowed ship".parse().unwrap();
        let mut states = States::new(&rules);
        let layout = |text: &&str| text.parse::<Draft>().unwrap().check(&rules).into_layout().unwrap();
        let rows = layouts.iter().map(|text| (states.after_shots(&layout(text), 1 << 3), 1)).collect();
        (Position::new(rows), states)
    }

    #[test]
    fn of_two_certain_cells_only_one_tells_which_layout_it_is() {
        let (position, mut states) = after_a4(&["A1-A2 A3-A4", "A2-A3 A4-A5"]);
        assert_eq!(position.cells(&states).1, 0b00110, "A2 and A3 are certain");
        assert_eq!(position.free_shot(&states), None);
        assert_eq!(position.split(2, &mut states).len(), 2, "A3 sinks a ship or doesn't");
        let after_a2 = position.split(1, &mut states);
        assert_eq!(after_a2.len(), 1, "A2 is a plain hit in both");
        assert_eq!(after_a2[0].1.split(2, &mut states).len(), 1, "and then A3 sinks a ship in both");
    }

    #[test]
    fn a_certain_cell_that_always_goes_with_the_next_hit_is_free() {
        let (position, states) = after_a4(&["A1-A2 A4-A5", "A2-A3 A4-A5"]);
        assert_eq!(position.free_shot(&states), Some(1), "A2 belongs with whichever of A1 and A3 is hit");
    }
}
