//! The misses of finding and sinking one ship when all others are known: exact for a few possible places, and a lower bound
//! for many.
//!
//! The same sets of places come up again and again, so every answer is kept.

use rustc_hash::FxHashMap;

use crate::bits::bits;
use crate::counting_bound::CountingBound;
use crate::objective::Objective;
use crate::state::{ShipKindId, States};

/// A set of places of ships of one kind. Bit i stands for the place with number i.
pub(crate) type Places = u128;

/// The number of places that fit into the set.
pub(crate) const MAX_PLACES: usize = Places::BITS as usize;

/// Up to this number of places the answer is exact. For more it is the counting bound.
const MAX_EXACT_PLACES: u32 = 14;

/// Works out the misses, and keeps what it has worked out.
pub(crate) struct HiddenShip {
    objective: Objective,
    counting: CountingBound,
    /// By the kind of ship and its places.
    known: Vec<FxHashMap<Places, u32>>,
}

impl HiddenShip {
    pub(crate) fn new(objective: Objective, cells: usize) -> Self {
        Self { objective, counting: CountingBound::new(objective, cells), known: Vec::new() }
    }

    /// The number of bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.known.iter().map(|known| known.capacity() * (size_of::<(Places, u32)>() + 1)).sum()
    }

    /// A lower bound on the misses for a ship of this kind that has one of these places. Exact for a few places.
    pub(crate) fn least(&mut self, kind: ShipKindId, places: Places, states: &mut States) -> u32 {
        let count = places.count_ones();
        if count <= 2 {
            // Fire at a cell that only one of the two places has.
            return count.saturating_sub(1);
        }
        if size(kind, states) == 1 {
            return self.single_cells(count);
        }
        if self.known.len() <= kind {
            self.known.resize_with(kind + 1, FxHashMap::default);
        }
        if let Some(&known) = self.known[kind].get(&places) {
            return known;
        }
        let least = if count <= MAX_EXACT_PLACES { self.exact(kind, places, states) } else { self.counted(kind, places, states) };
        self.known[kind].insert(places, least);
        least
    }

    /// Each shot hits one of the places at most.
    fn single_cells(&self, count: u32) -> u32 {
        match self.objective {
            Objective::Sum => count * (count - 1) / 2,
            Objective::Worst => count - 1,
        }
    }

    fn counted(&self, kind: ShipKindId, places: Places, states: &States) -> u32 {
        self.counting.least(size(kind, states), each(places).map(|place| cells(kind, place, states)))
    }

    /// The misses of best play. Tries every cell, unless counting shows that it is no better than the best so far.
    fn exact(&mut self, kind: ShipKindId, places: Places, states: &mut States) -> u32 {
        let bound = self.counted(kind, places, states);
        let some = each(places).fold(0, |some, place| some | cells(kind, place, states));
        let mut shots: Vec<(u32, Places)> = bits(some).map(|cell| (cell, through(kind, places, cell, states))).collect();
        shots.sort_by_key(|shot| std::cmp::Reverse(shot.1.count_ones()));
        let mut best = u32::MAX;
        for (cell, hit) in shots {
            let others = places & !hit;
            let misses = self.objective.miss(others.count_ones());
            let least = self.objective.combine(misses, self.after_miss(others, |hidden| hidden.counted(kind, others, states)));
            if least < best {
                let after = self.after_miss_exactly(kind, others, states);
                let cost = self.objective.combine(self.objective.combine(misses, after), self.after_hit(kind, hit, cell, states));
                best = best.min(cost);
            }
            if best == bound {
                break;
            }
        }
        best
    }

    fn after_miss(&self, missed: Places, cost: impl FnOnce(&Self) -> u32) -> u32 {
        if missed == 0 { 0 } else { self.objective.after_miss(cost(self)) }
    }

    fn after_miss_exactly(&mut self, kind: ShipKindId, missed: Places, states: &mut States) -> u32 {
        let cost = self.least(kind, missed, states);
        self.after_miss(missed, |_| cost)
    }

    /// A ship that is hit has one unhit cell less. Places that don't fit into the set are left out.
    fn after_hit(&mut self, kind: ShipKindId, hit: Places, cell: u32, states: &mut States) -> u32 {
        let (mut next, mut rest) = (kind, 0);
        for place in each(hit) {
            let (_, after) = states.fire(states.single_ship(kind, place), cell);
            let ship = states.ship_in(after, 0);
            next = ship.kind;
            rest |= if ship.place < MAX_PLACES { 1 << ship.place } else { 0 };
        }
        self.least(next, rest, states)
    }
}

fn size(kind: ShipKindId, states: &States) -> u32 {
    cells(kind, 0, states).count_ones()
}

fn cells(kind: ShipKindId, place: usize, states: &States) -> u64 {
    states.cells(states.single_ship(kind, place))
}

fn through(kind: ShipKindId, places: Places, cell: u32, states: &States) -> Places {
    each(places).filter(|&place| cells(kind, place, states) >> cell & 1 == 1).fold(0, |hit, place| hit | 1 << place)
}

/// The numbers of the places in a set.
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
    use crate::state::Ship;

    /// The least misses over all orders of fire, by trying all cells.
    fn plain(objective: Objective, places: &[u64]) -> u32 {
        if places.len() <= 1 {
            return 0;
        }
        let some = places.iter().fold(0, |some, place| some | place);
        let shot = |cell: u32| {
            let (hit, missed): (Vec<u64>, Vec<u64>) = places.iter().partition(|&&place| place >> cell & 1 == 1);
            let rest: Vec<u64> = hit.iter().map(|place| place & !(1 << cell)).collect();
            let after = if missed.is_empty() { 0 } else { objective.after_miss(plain(objective, &missed)) };
            objective.combine(objective.combine(objective.miss(missed.len() as u32), after), plain(objective, &rest))
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
            let objective = if sum { Objective::Sum } else { Objective::Worst };
            let masks: std::collections::BTreeSet<u64> =
                places.iter().map(|cells| cells[..size].iter().fold(0, |mask, cell| mask | 1 << cell)).collect();
            let rules: Rules = "1x8 4 allowed ship".parse().unwrap();
            let mut states = States::new(&rules);
            let located: Vec<_> = masks.iter().map(|&cells| states.locate_alone(Ship { class: 0, cells })).collect();
            let set = located.iter().fold(0, |set, ship| set | 1 << ship.place);
            let masks: Vec<u64> = masks.into_iter().collect();
            let mut hidden = HiddenShip::new(objective, 4);
            let cost = plain(objective, &masks);
            prop_assert_eq!(hidden.least(located[0].kind, set, &mut states), cost);
            prop_assert!(hidden.counting.least(size as u32, masks.into_iter()) <= cost);
        }
    }
}
