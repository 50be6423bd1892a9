//! What one hidden ship costs, from the places it may have: exactly for a few places, at least for many.
//!
//! The same places come up again and again while ships around them are told, so every answer is kept.

use rustc_hash::FxHashMap;

use crate::belief::bits;
use crate::counting::Counting;
use crate::goal::Goal;
use crate::remnant::{Kind, Remnants};

/// Places of ships of one kind: bit i is the place with number i.
pub(crate) type Places = u128;

/// As many places fit into a word.
pub(crate) const MOST_PLACES: usize = Places::BITS as usize;

/// So many places are searched through; for more, misses are counted.
const FEW: u32 = 14;

/// What was found out, by the kind of ship and the places.
pub(crate) struct Hidden {
    goal: Goal,
    counting: Counting,
    known: Vec<FxHashMap<Places, u32>>,
}

impl Hidden {
    pub(crate) fn new(goal: Goal, cells: usize) -> Self {
        Self { goal, counting: Counting::new(goal, cells), known: Vec::new() }
    }

    /// The bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.known.iter().map(|known| known.capacity() * (size_of::<(Places, u32)>() + 1)).sum()
    }

    /// A lower bound on the misses on a ship of this kind that has one of these places; exact for a few places.
    pub(crate) fn least(&mut self, kind: Kind, places: Places, remnants: &mut Remnants) -> u32 {
        let count = places.count_ones();
        if count <= 2 {
            // Two places differ in some cell; who fires at one that only one of them has misses once at most.
            return count.saturating_sub(1);
        }
        if size(kind, remnants) == 1 {
            return self.single_cells(count);
        }
        if self.known.len() <= kind {
            self.known.resize_with(kind + 1, FxHashMap::default);
        }
        if let Some(&known) = self.known[kind].get(&places) {
            return known;
        }
        let least = if count <= FEW { self.exact(kind, places, remnants) } else { self.counted(kind, places, remnants) };
        self.known[kind].insert(places, least);
        least
    }

    /// Different cells are hit one at a time.
    fn single_cells(&self, count: u32) -> u32 {
        match self.goal {
            Goal::Sum => count * (count - 1) / 2,
            Goal::Worst => count - 1,
        }
    }

    fn counted(&self, kind: Kind, places: Places, remnants: &Remnants) -> u32 {
        self.counting.least(size(kind, remnants), each(places).map(|place| cells(kind, place, remnants)))
    }

    /// The misses of best play: every cell is tried unless counting shows that it is no better than the best so far.
    fn exact(&mut self, kind: Kind, places: Places, remnants: &mut Remnants) -> u32 {
        let floor = self.counted(kind, places, remnants);
        let some = each(places).fold(0, |some, place| some | cells(kind, place, remnants));
        let mut shots: Vec<(u32, Places)> = bits(some).map(|cell| (cell, through(kind, places, cell, remnants))).collect();
        shots.sort_by_key(|shot| std::cmp::Reverse(shot.1.count_ones()));
        let mut best = u32::MAX;
        for (cell, hit) in shots {
            let others = places & !hit;
            let misses = self.goal.miss(others.count_ones());
            let least = self.goal.join(misses, self.after_miss(others, |hidden| hidden.counted(kind, others, remnants)));
            if least < best {
                let after = self.after_miss_exactly(kind, others, remnants);
                let cost = self.goal.join(self.goal.join(misses, after), self.after_hit(kind, hit, cell, remnants));
                best = best.min(cost);
            }
            if best == floor {
                break;
            }
        }
        best
    }

    fn after_miss(&self, missed: Places, cost: impl FnOnce(&Self) -> u32) -> u32 {
        if missed == 0 { 0 } else { self.goal.after_miss(cost(self)) }
    }

    fn after_miss_exactly(&mut self, kind: Kind, missed: Places, remnants: &mut Remnants) -> u32 {
        let cost = self.least(kind, missed, remnants);
        self.after_miss(missed, |_| cost)
    }

    /// A ship that is hit has one cell less. Places that don't fit into the word are left out.
    fn after_hit(&mut self, kind: Kind, hit: Places, cell: u32, remnants: &mut Remnants) -> u32 {
        let (mut next, mut rest) = (kind, 0);
        for place in each(hit) {
            let (_, after) = remnants.fire(remnants.solo(kind, place), cell);
            let spot = remnants.spot(after, 0);
            next = spot.kind;
            rest |= if spot.place < MOST_PLACES { 1 << spot.place } else { 0 };
        }
        self.least(next, rest, remnants)
    }
}

fn size(kind: Kind, remnants: &Remnants) -> u32 {
    cells(kind, 0, remnants).count_ones()
}

fn cells(kind: Kind, place: usize, remnants: &Remnants) -> u64 {
    remnants.cells(remnants.solo(kind, place))
}

fn through(kind: Kind, places: Places, cell: u32, remnants: &Remnants) -> Places {
    each(places).filter(|&place| cells(kind, place, remnants) >> cell & 1 == 1).fold(0, |hit, place| hit | 1 << place)
}

/// The numbers of the places.
fn each(mut places: Places) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (places != 0).then(|| places.trailing_zeros() as usize)?;
        places &= places - 1;
        Some(place)
    })
}

#[cfg(test)]
mod tests {
    use broadside_rules::Rules;
    use proptest::prelude::*;

    use super::*;
    use crate::remnant::Ship;

    /// The least misses over all orders of fire, by trying all cells.
    fn plain(goal: Goal, places: &[u64]) -> u32 {
        if places.len() <= 1 {
            return 0;
        }
        let some = places.iter().fold(0, |some, place| some | place);
        let shot = |cell: u32| {
            let (hit, missed): (Vec<u64>, Vec<u64>) = places.iter().partition(|&&place| place >> cell & 1 == 1);
            let rest: Vec<u64> = hit.iter().map(|place| place & !(1 << cell)).collect();
            let after = if missed.is_empty() { 0 } else { goal.after_miss(plain(goal, &missed)) };
            goal.join(goal.join(goal.miss(missed.len() as u32), after), plain(goal, &rest))
        };
        bits(some).map(shot).min().unwrap_or(0)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn a_few_places_cost_what_trying_everything_says(
            size in 2usize..=4,
            places in proptest::collection::btree_set(proptest::sample::subsequence((0..8).collect::<Vec<u32>>(), 4), 1..=6),
            sum: bool,
        ) {
            let goal = if sum { Goal::Sum } else { Goal::Worst };
            let masks: std::collections::BTreeSet<u64> =
                places.iter().map(|cells| cells[..size].iter().fold(0, |mask, cell| mask | 1 << cell)).collect();
            let rules: Rules = "1x8 4 allowed ship".parse().unwrap();
            let mut remnants = Remnants::new(&rules);
            let spots: Vec<_> = masks.iter().map(|&cells| remnants.spot_alone(Ship { class: 0, cells })).collect();
            let set = spots.iter().fold(0, |set, spot| set | 1 << spot.place);
            let masks: Vec<u64> = masks.into_iter().collect();
            let mut hidden = Hidden::new(goal, 4);
            let cost = plain(goal, &masks);
            prop_assert_eq!(hidden.least(spots[0].kind, set, &mut remnants), cost);
            prop_assert!(hidden.counting.least(size as u32, masks.into_iter()) <= cost);
        }
    }
}
