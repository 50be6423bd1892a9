//! Lower bounds on the misses of a position with several ships.
//!
//! A shooter who is given a hint does no worse than one who isn't. So the misses are at least the sum, over all possible
//! hints, of the misses that are left after the hint. There are three kinds of hints here.
//!
//! *All ships but one.* What is left is the cost of finding one ship ([`crate::hidden_ship`]), which is known where all places
//! weigh the same. Other weights are taken in layers: with the weights 5, 3 and 3 the three places are a layer of weight 3, and
//! the first alone is a layer of weight 2. The layers add up to the weights, and no play costs less on a layer than the play
//! that is best for that layer alone.
//!
//! *The shape*: how many unhit cells each ship has.
//!
//! *Whether two ships are apart.* Let all places of one ship, the near one, be in a region X. Let another ship, the far one,
//! have no cell in X. Every miss is in X or outside. The misses in X are at least those of a shooter who is told everything
//! but the near ship. The misses outside are at least those of a shooter who is told everything but the far ship. So the two
//! bounds may be added, over all layouts in which the two ships are apart. (Without the region, a miss could be counted
//! twice.) The other layouts have a bound of their own. After a hit, the ship that was hit is the near one, and in few
//! layouts the two are not apart. This holds for the sum only: the two worst cases may be in different layouts.

use std::cmp::Reverse;
use std::ops::Range;

use crate::hidden_ship::{HiddenShip, MAX_PLACES, Places};
use crate::objective::Objective;
use crate::position::Position;
use crate::state::{Ship, ShipKindId, StateId, States};
use crate::weight::Weight;

/// A state and its weight.
type Row<W> = (StateId, W);

/// Works out bounds for one objective, and keeps what it has worked out.
pub(crate) struct PositionBound<W> {
    objective: Objective,
    hidden: HiddenShip,
    /// By the state of the other ships of a group: the last round in which it was met, and the number of the group then.
    numbers: Vec<(u64, u32)>,
    round: u64,
    groups: Vec<Group<W>>,
    /// The places of all groups.
    members: Vec<Member<W>>,
}

impl<W: Weight> PositionBound<W> {
    /// For ships of at most so many cells.
    pub(crate) fn new(objective: Objective, cells: usize) -> Self {
        let hidden = HiddenShip::new(objective, cells);
        Self { objective, hidden, numbers: Vec::new(), round: 0, groups: Vec::new(), members: Vec::new() }
    }

    /// What the bounds are for.
    pub(crate) fn objective(&self) -> Objective {
        self.objective
    }

    /// The number of bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.hidden.bytes() + self.numbers.len() * size_of::<(u64, u32)>()
    }

    /// A lower bound on the cost of a position.
    pub(crate) fn cost(&mut self, position: &Position<W>, states: &mut States) -> W {
        let rows = position.rows();
        let Some(&(first, _)) = rows.first() else { return W::default() };
        let shape = states.shape(first);
        if rows.iter().all(|row| states.shape(row.0) == shape) {
            return self.one_shape(rows, states);
        }
        let classes = kinds(states.ships(first), |one, other| one.class == other.class);
        self.best_hidden(&classes, rows, states).max(self.shape_by_shape(rows, states))
    }

    /// The bound with the hint of the shape.
    fn shape_by_shape(&mut self, rows: &[Row<W>], states: &mut States) -> W {
        let mut shaped: Vec<(u32, Row<W>)> = rows.iter().map(|&row| (states.shape(row.0), row)).collect();
        shaped.sort_by_key(|row| row.0);
        let mut sum = W::default();
        for shape in shaped.chunk_by(|one, other| one.0 == other.0) {
            let rows: Vec<Row<W>> = shape.iter().map(|row| row.1).collect();
            sum = self.objective.combine(sum, self.one_shape(&rows, states));
        }
        sum
    }

    fn one_shape(&mut self, rows: &[Row<W>], states: &mut States) -> W {
        let kinds = kinds(states.ships(rows[0].0), |one, other| one.class == other.class && one.size() == other.size());
        let best = self.best_hidden(&kinds, rows, states);
        if kinds.len() == 1 || self.objective == Objective::Worst {
            best
        } else {
            best.max(self.near_and_far(&kinds, rows, states))
        }
    }

    /// The largest bound with the hint of all ships but one.
    fn best_hidden(&mut self, kinds: &[Range<usize>], rows: &[Row<W>], states: &mut States) -> W {
        kinds.iter().map(|kind| self.all_but_one(kind.clone(), rows, states)).max().unwrap_or_default()
    }

    /// The largest bound with the hint that two ships are apart.
    fn near_and_far(&mut self, kinds: &[Range<usize>], rows: &[Row<W>], states: &mut States) -> W {
        let some = rows.iter().fold(0, |some, row| some | states.cells(row.0));
        let mut best = W::default();
        for near in kinds {
            let region = cells_of(rows, near, states);
            for far in kinds.iter().filter(|&far| far != near && region != some) {
                let is_apart = |row: &Row<W>| states.ships(row.0)[far.clone()].iter().all(|ship| ship.cells & region == 0);
                let (apart, rest): (Vec<Row<W>>, Vec<Row<W>>) = rows.iter().partition(|row| is_apart(row));
                let both = self.all_but_one(near.clone(), &apart, states) + self.all_but_one(far.clone(), &apart, states);
                best = best.max(both + self.best_hidden(kinds, &rest, states));
            }
        }
        best
    }

    /// The bound with the hint of all ships but one of these, which are of one kind. A layout is counted once for each.
    fn all_but_one(&mut self, ships: Range<usize>, rows: &[Row<W>], states: &mut States) -> W {
        self.groups.clear();
        self.members.clear();
        self.round += 1;
        let count = ships.len() as u32;
        for &(id, weight) in rows {
            for ship in ships.clone() {
                let ship = states.ship_in(id, ship);
                // Places that don't fit into the word are left out. Fewer places never cost more, so the bound holds.
                if ship.place < MAX_PLACES {
                    let group = self.group_of(ship.rest);
                    self.groups[group].add(ship.kind, ship.place, weight);
                    self.members.push(Member { group, weight, place: ship.place });
                }
            }
        }
        let cost = self.all_groups(states);
        match self.objective {
            Objective::Sum => cost.div_ceil(W::from(count)),
            Objective::Worst => cost,
        }
    }

    /// What all groups cost together.
    fn all_groups(&mut self, states: &mut States) -> W {
        let groups = std::mem::take(&mut self.groups);
        let mut cost = W::default();
        let mut some_are_uneven = false;
        for group in &groups {
            if group.is_even || self.objective == Objective::Worst {
                cost = self.objective.combine(cost, self.even_group(group, states));
            } else {
                some_are_uneven = true;
            }
        }
        if some_are_uneven {
            let mut members = std::mem::take(&mut self.members);
            members.retain(|member| !groups[member.group].is_even);
            members.sort_unstable_by_key(|member| (member.group, Reverse(member.weight)));
            for group in members.chunk_by(|one, other| one.group == other.group) {
                cost += self.uneven_group(groups[group[0].group].kind, group, states);
            }
            self.members = members;
        }
        self.groups = groups;
        cost
    }

    /// The number of the group whose other ships are these.
    #[inline]
    fn group_of(&mut self, rest: StateId) -> usize {
        let rest = rest as usize;
        if self.numbers.len() <= rest {
            self.numbers.resize(rest + 1, (0, 0));
        }
        let (round, number) = &mut self.numbers[rest];
        if *round != self.round {
            (*round, *number) = (self.round, self.groups.len() as u32);
            self.groups.push(Group::default());
        }
        *number as usize
    }

    /// The bound for one group whose places all weigh the same, or whose weights don't matter.
    fn even_group(&mut self, group: &Group<W>, states: &mut States) -> W {
        let least = W::from(self.hidden.least(group.kind, group.places, states));
        match self.objective {
            // All layouts of a state cost the same.
            Objective::Sum => least * group.weight,
            Objective::Worst => least,
        }
    }

    /// The bound for one group, layer by layer, from its places in the order of their weights, the heaviest first.
    fn uneven_group(&mut self, kind: ShipKindId, members: &[Member<W>], states: &mut States) -> W {
        let (mut places, mut sum) = (0, W::default());
        for (i, member) in members.iter().enumerate() {
            places |= 1 << member.place;
            let next = members.get(i + 1).map_or(W::default(), |next| next.weight);
            if next < member.weight {
                sum += (member.weight - next) * W::from(self.hidden.least(kind, places, states));
            }
        }
        sum
    }
}

/// For each kind, the numbers of its ships.
fn kinds(ships: &[Ship], same: impl Fn(&Ship, &Ship) -> bool) -> Vec<Range<usize>> {
    let mut from = 0;
    let range = |kind: &[Ship]| {
        from += kind.len();
        from - kind.len()..from
    };
    ships.chunk_by(same).map(range).collect()
}

/// All cells on which these ships may be.
fn cells_of<W>(rows: &[Row<W>], ships: &Range<usize>, states: &States) -> u64 {
    rows.iter().flat_map(|row| &states.ships(row.0)[ships.clone()]).fold(0, |cells, ship| cells | ship.cells)
}

/// The possible places of one ship while the other ships are known.
#[derive(Default)]
struct Group<W> {
    kind: ShipKindId,
    places: Places,
    /// The weight of its first place.
    weight: W,
    /// Whether all places have that weight.
    is_even: bool,
}

/// A place of a group.
struct Member<W> {
    group: usize,
    weight: W,
    place: usize,
}

impl<W: Weight> Group<W> {
    #[inline]
    fn add(&mut self, kind: ShipKindId, place: usize, weight: W) {
        if self.places == 0 {
            (self.kind, self.weight, self.is_even) = (kind, weight, true);
        }
        self.is_even &= self.weight == weight;
        self.places |= 1 << place;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use broadside_odds::{Budget, oracle::each_layout};
    use broadside_rules::{Call, Rules, Touch};
    use proptest::prelude::*;

    use super::*;
    use crate::bits::bits;
    use crate::state::AnswerCode;

    /// The least misses by trying every cell and every answer.
    fn plain(
        objective: Objective,
        position: &Position<u32>,
        states: &mut States,
        known: &mut HashMap<Vec<Row<u32>>, u32>,
    ) -> u32 {
        if position.is_known() {
            return 0;
        }
        if let Some(&cost) = known.get(position.rows()) {
            return cost;
        }
        let mut best = u32::MAX;
        for cell in bits(position.cells(states).0) {
            let mut cost = 0;
            for (code, part) in position.split(cell, states) {
                let after = plain(objective, &part, states, known);
                let after = if code == AnswerCode::MISS {
                    objective.combine(objective.miss(part.weight()), objective.after_miss(after))
                } else {
                    after
                };
                cost = objective.combine(cost, after);
            }
            best = best.min(cost);
        }
        known.insert(position.rows().to_vec(), best);
        best
    }

    /// Some of the layouts of a board, after some shots that were answered alike.
    fn position(rules: &Rules, keep: u64, shots: &[u32], states: &mut States) -> Position<u32> {
        let (mut rows, mut number) = (Vec::new(), 0u32);
        each_layout(rules, Budget::default(), &mut |layout| {
            number = number.wrapping_mul(0x9e37_79b1).wrapping_add(keep as u32 | 1);
            if rows.len() < 5 && (number >> 16) % 3 == 0 {
                rows.push((states.after_shots(layout, 0), 1 + (number >> 24) % 4));
            }
        })
        .unwrap();
        let start = Position::new(rows);
        shots.iter().fold(start, |position, &cell| {
            let parts = position.split(cell % rules.grid().len() as u32, states);
            parts.into_iter().map(|part| part.1).max_by_key(|part| part.rows().len()).unwrap_or_default()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn no_bound_passes_the_optimum(
            board in proptest::sample::select(vec!["3x3 2,2", "2x4 3,2", "3x3 3,2,2", "2x5 2,2", "1x9 2,2", "3x3 2,1,1", "3x3 3,3"]),
            touch in proptest::sample::select(Touch::ALL),
            call in proptest::sample::select(Call::ALL),
            keep: u64,
            shots in proptest::collection::vec(0u32..10, 0..4),
        ) {
            let Ok(rules) = format!("{board} {touch} {call}").parse::<Rules>() else { return Ok(()) };
            let mut states = States::new(&rules);
            let position = position(&rules, keep, &shots, &mut states);
            for objective in [Objective::Sum, Objective::Worst] {
                let cost = plain(objective, &position, &mut states, &mut HashMap::new());
                let bound = PositionBound::new(objective, 9).cost(&position, &mut states);
                prop_assert!(bound <= cost, "{rules} {objective:?}: {bound} > {cost} for {:?}", position.rows());
            }
        }
    }
}
