//! Lower bounds on the misses of a position with several ships.
//!
//! A shooter who is given a hint does no worse than one who isn't. So the misses are at least the sum, over all possible
//! hints, of the misses that are left after the hint. There are three kinds of hints here.
//!
//! *All ships but one.* What is left is the cost of finding one ship ([`crate::hidden_ship`]).
//!
//! *The shape*: how many unhit cells each ship has.
//!
//! *Whether two ships are apart.* Let all places of one ship, the near one, be in a region X. Let another ship, the far one,
//! have no cell in X. Every miss is in X or outside. The misses in X are at least those of a shooter who is told everything
//! but the near ship. The misses outside are at least those of a shooter who is told everything but the far ship. So the two
//! bounds may be added, over all layouts in which the two ships are apart. (Without the region, a miss could be counted
//! twice.) The other layouts have a bound of their own. After a hit, the ship that was hit is the near one, and in few
//! layouts the two are not apart. This holds for the sum only: the two worst cases may be in different layouts.

use std::ops::Range;

use crate::hidden_ship::{HiddenShip, MAX_PLACES, Places};
use crate::objective::Objective;
use crate::position::Position;
use crate::state::{Ship, ShipKindId, StateId, States};

/// A state and its number of layouts.
type Row = (StateId, u32);

/// Works out bounds for one objective, and keeps what it has worked out.
pub(crate) struct PositionBound {
    objective: Objective,
    hidden: HiddenShip,
    /// By the state of the other ships of a group: the last round in which it was met, and the number of the group then.
    numbers: Vec<(u64, u32)>,
    round: u64,
    groups: Vec<Group>,
}

impl PositionBound {
    /// For ships of at most so many cells.
    pub(crate) fn new(objective: Objective, cells: usize) -> Self {
        Self { objective, hidden: HiddenShip::new(objective, cells), numbers: Vec::new(), round: 0, groups: Vec::new() }
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
    pub(crate) fn cost(&mut self, position: &Position, states: &mut States) -> u32 {
        let rows = position.rows();
        let Some(&(first, _)) = rows.first() else { return 0 };
        let shape = states.shape(first);
        if rows.iter().all(|row| states.shape(row.0) == shape) {
            return self.one_shape(rows, states);
        }
        let classes = kinds(states.ships(first), |one, other| one.class == other.class);
        self.best_hidden(&classes, rows, states).max(self.shape_by_shape(rows, states))
    }

    /// The bound with the hint of the shape.
    fn shape_by_shape(&mut self, rows: &[Row], states: &mut States) -> u32 {
        let mut shaped: Vec<(u32, Row)> = rows.iter().map(|&row| (states.shape(row.0), row)).collect();
        shaped.sort_by_key(|row| row.0);
        let mut sum = 0;
        for shape in shaped.chunk_by(|one, other| one.0 == other.0) {
            let rows: Vec<Row> = shape.iter().map(|row| row.1).collect();
            sum = self.objective.combine(sum, self.one_shape(&rows, states));
        }
        sum
    }

    fn one_shape(&mut self, rows: &[Row], states: &mut States) -> u32 {
        let kinds = kinds(states.ships(rows[0].0), |one, other| one.class == other.class && one.size() == other.size());
        let best = self.best_hidden(&kinds, rows, states);
        if kinds.len() == 1 || self.objective == Objective::Worst {
            best
        } else {
            best.max(self.near_and_far(&kinds, rows, states))
        }
    }

    /// The largest bound with the hint of all ships but one.
    fn best_hidden(&mut self, kinds: &[Range<usize>], rows: &[Row], states: &mut States) -> u32 {
        kinds.iter().map(|kind| self.all_but_one(kind.clone(), rows, states)).max().unwrap_or(0)
    }

    /// The largest bound with the hint that two ships are apart.
    fn near_and_far(&mut self, kinds: &[Range<usize>], rows: &[Row], states: &mut States) -> u32 {
        let some = rows.iter().fold(0, |some, row| some | states.cells(row.0));
        let mut best = 0;
        for near in kinds {
            let region = cells_of(rows, near, states);
            for far in kinds.iter().filter(|&far| far != near && region != some) {
                let is_apart = |row: &Row| states.ships(row.0)[far.clone()].iter().all(|ship| ship.cells & region == 0);
                let (apart, rest): (Vec<Row>, Vec<Row>) = rows.iter().partition(|row| is_apart(row));
                let both = self.all_but_one(near.clone(), &apart, states) + self.all_but_one(far.clone(), &apart, states);
                best = best.max(both + self.best_hidden(kinds, &rest, states));
            }
        }
        best
    }

    /// The bound with the hint of all ships but one of these, which are of one kind. A layout is counted once for each.
    fn all_but_one(&mut self, ships: Range<usize>, rows: &[Row], states: &mut States) -> u32 {
        self.groups.clear();
        self.round += 1;
        let count = ships.len() as u32;
        for &(id, weight) in rows {
            for ship in ships.clone() {
                let ship = states.ship_in(id, ship);
                let group = self.group_of(ship.rest);
                self.groups[group].add(ship.kind, ship.place, weight);
            }
        }
        let groups = std::mem::take(&mut self.groups);
        let cost = groups.iter().fold(0, |sum, group| self.objective.combine(sum, self.group(group, states)));
        self.groups = groups;
        match self.objective {
            Objective::Sum => cost.div_ceil(count),
            Objective::Worst => cost,
        }
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

    /// The bound for one group.
    fn group(&mut self, group: &Group, states: &mut States) -> u32 {
        let least = self.hidden.least(group.kind, group.places, states);
        match self.objective {
            // All layouts of a state cost the same.
            Objective::Sum => least * group.weight,
            Objective::Worst => least,
        }
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
fn cells_of(rows: &[Row], ships: &Range<usize>, states: &States) -> u64 {
    rows.iter().flat_map(|row| &states.ships(row.0)[ships.clone()]).fold(0, |cells, ship| cells | ship.cells)
}

/// The possible places of one ship while the other ships are known.
#[derive(Default)]
struct Group {
    kind: ShipKindId,
    places: Places,
    /// The least weight of the states.
    weight: u32,
}

impl Group {
    /// Leaves out places that don't fit into the word. Fewer places never cost more, so the bound holds.
    #[inline]
    fn add(&mut self, kind: ShipKindId, place: usize, weight: u32) {
        if place < MAX_PLACES {
            self.weight = if self.places == 0 { weight } else { self.weight.min(weight) };
            self.kind = kind;
            self.places |= 1 << place;
        }
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
    fn plain(objective: Objective, position: &Position, states: &mut States, known: &mut HashMap<Vec<Row>, u32>) -> u32 {
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
    fn position(rules: &Rules, keep: u64, shots: &[u32], states: &mut States) -> Position {
        let (mut rows, mut number) = (Vec::new(), 0u32);
        each_layout(rules, Budget::default(), &mut |layout| {
            number = number.wrapping_mul(0x9e37_79b1).wrapping_add(keep as u32 | 1);
            if rows.len() < 5 && (number >> 16) % 3 == 0 {
                rows.push((states.after_shots(layout, 0), 1 + (number >> 24) % 2));
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
