//! Misses that no play avoids.
//!
//! # Several ships
//! Who is told something for nothing does no worse than who isn't. So the misses are at least the sum, over what may be told,
//! of the misses that are left then. Three things are told here.
//!
//! *All ships but one.* What is left is the cost of finding one ship, which [`crate::hidden`] knows.
//!
//! *The shape*: how many cells each ship has left, where that is not known.
//!
//! *Whether a ship is apart.* Let one ship, the near one, have all its places in the cells of a field X, and let another, the
//! far one, have no cell in X. A miss is in X or outside. The misses in X are at least those of a shooter who is told
//! everything but the near ship. The misses outside of X are at least those of a shooter who is told everything but
//! the far ship. So both bounds, taken over all layouts that are apart in this way, may be added up. (Without the field a miss
//! could be counted twice, once for each ship.) The other layouts are bounded by themselves. After a hit the ship that was
//! hit is the near one, and few layouts are not apart. This is for the sum only: the worst cases of the two may lie in
//! different layouts.

use std::ops::Range;

use crate::belief::Belief;
use crate::goal::Goal;
use crate::hidden::{Hidden, MOST_PLACES, Places};
use crate::remnant::{Id, Kind, Remnants, Ship};

/// A remnant and the number of layouts it stands for.
type Row = (Id, u32);

/// Bounds for one goal.
pub(crate) struct Floor {
    goal: Goal,
    hidden: Hidden,
    /// For the other ships of a group: when it was last met, and its number then.
    numbers: Vec<(u64, u32)>,
    stamp: u64,
    groups: Vec<Group>,
}

impl Floor {
    /// For ships of at most so many cells.
    pub(crate) fn new(goal: Goal, cells: usize) -> Self {
        Self { goal, hidden: Hidden::new(goal, cells), numbers: Vec::new(), stamp: 0, groups: Vec::new() }
    }

    /// What it is for.
    pub(crate) fn goal(&self) -> Goal {
        self.goal
    }

    /// The bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.hidden.bytes() + self.numbers.len() * size_of::<(u64, u32)>()
    }

    /// A lower bound on what the belief costs.
    pub(crate) fn of(&mut self, belief: &Belief, remnants: &mut Remnants) -> u32 {
        let rows = belief.rows();
        let Some(&(first, _)) = rows.first() else { return 0 };
        let shape = remnants.shape(first);
        if rows.iter().all(|row| remnants.shape(row.0) == shape) {
            return self.of_one_shape(rows, remnants);
        }
        let classes = kinds(remnants.ships(first), |one, other| one.class == other.class);
        self.best_hidden(&classes, rows, remnants).max(self.shape_by_shape(rows, remnants))
    }

    /// The bound if the shape is told.
    fn shape_by_shape(&mut self, rows: &[Row], remnants: &mut Remnants) -> u32 {
        let mut shaped: Vec<(u32, Row)> = rows.iter().map(|&row| (remnants.shape(row.0), row)).collect();
        shaped.sort_by_key(|row| row.0);
        let mut sum = 0;
        for shape in shaped.chunk_by(|one, other| one.0 == other.0) {
            let rows: Vec<Row> = shape.iter().map(|row| row.1).collect();
            sum = self.goal.join(sum, self.of_one_shape(&rows, remnants));
        }
        sum
    }

    fn of_one_shape(&mut self, rows: &[Row], remnants: &mut Remnants) -> u32 {
        let kinds = kinds(remnants.ships(rows[0].0), |one, other| one.class == other.class && one.size() == other.size());
        let best = self.best_hidden(&kinds, rows, remnants);
        if kinds.len() == 1 || self.goal == Goal::Worst { best } else { best.max(self.joint(&kinds, rows, remnants)) }
    }

    /// The bound with the best choice of the ship that is not told.
    fn best_hidden(&mut self, kinds: &[Range<usize>], rows: &[Row], remnants: &mut Remnants) -> u32 {
        kinds.iter().map(|kind| self.all_but_one(kind.clone(), rows, remnants)).max().unwrap_or(0)
    }

    /// The best bound with one ship near, in few cells, and another far from these.
    fn joint(&mut self, kinds: &[Range<usize>], rows: &[Row], remnants: &mut Remnants) -> u32 {
        let some = rows.iter().fold(0, |some, row| some | remnants.cells(row.0));
        let mut best = 0;
        for near in kinds {
            let field = cells_of(rows, near, remnants);
            for far in kinds.iter().filter(|&far| far != near && field != some) {
                let is_apart = |row: &Row| remnants.ships(row.0)[far.clone()].iter().all(|ship| ship.cells & field == 0);
                let (apart, rest): (Vec<Row>, Vec<Row>) = rows.iter().partition(|row| is_apart(row));
                let both = self.all_but_one(near.clone(), &apart, remnants) + self.all_but_one(far.clone(), &apart, remnants);
                best = best.max(both + self.best_hidden(kinds, &rest, remnants));
            }
        }
        best
    }

    /// The bound if all ships but one of these, which count alike, are told. A layout is counted once for each of them.
    fn all_but_one(&mut self, ships: Range<usize>, rows: &[Row], remnants: &mut Remnants) -> u32 {
        self.groups.clear();
        self.stamp += 1;
        let count = ships.len() as u32;
        for &(id, weight) in rows {
            for ship in ships.clone() {
                let spot = remnants.spot(id, ship);
                let group = self.group_of(spot.rest);
                self.groups[group].add(spot.kind, spot.place, weight);
            }
        }
        let groups = std::mem::take(&mut self.groups);
        let cost = groups.iter().fold(0, |sum, group| self.goal.join(sum, self.group(group, remnants)));
        self.groups = groups;
        match self.goal {
            Goal::Sum => cost.div_ceil(count),
            Goal::Worst => cost,
        }
    }

    /// The number of the group whose other ships are these.
    #[inline]
    fn group_of(&mut self, rest: Id) -> usize {
        let rest = rest as usize;
        if self.numbers.len() <= rest {
            self.numbers.resize(rest + 1, (0, 0));
        }
        let (stamp, number) = &mut self.numbers[rest];
        if *stamp != self.stamp {
            (*stamp, *number) = (self.stamp, self.groups.len() as u32);
            self.groups.push(Group::default());
        }
        *number as usize
    }

    /// The bound for the remnants of one ship.
    fn group(&mut self, group: &Group, remnants: &mut Remnants) -> u32 {
        let least = self.hidden.least(group.kind, group.places, remnants);
        match self.goal {
            // Every layout that a remnant stands for costs the same.
            Goal::Sum => least * group.weight,
            Goal::Worst => least,
        }
    }
}

/// Where the ships stand that are of one kind.
fn kinds(ships: &[Ship], same: impl Fn(&Ship, &Ship) -> bool) -> Vec<Range<usize>> {
    let mut from = 0;
    let range = |kind: &[Ship]| {
        from += kind.len();
        from - kind.len()..from
    };
    ships.chunk_by(same).map(range).collect()
}

/// All cells that these ships may have.
fn cells_of(rows: &[Row], ships: &Range<usize>, remnants: &Remnants) -> u64 {
    rows.iter().flat_map(|row| &remnants.ships(row.0)[ships.clone()]).fold(0, |cells, ship| cells | ship.cells)
}

/// Remnants of one ship that agree in all other ships.
#[derive(Default)]
struct Group {
    kind: Kind,
    places: Places,
    /// The least weight.
    weight: u32,
}

impl Group {
    /// Places that don't fit into the word are left out: fewer remnants never cost more.
    #[inline]
    fn add(&mut self, kind: Kind, place: usize, weight: u32) {
        if place < MOST_PLACES {
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
    use crate::belief::bits;
    use crate::remnant::Reply;

    /// The least misses by trying every cell and every answer.
    fn plain(goal: Goal, belief: &Belief, remnants: &mut Remnants, known: &mut HashMap<Vec<Row>, u32>) -> u32 {
        if belief.is_settled() {
            return 0;
        }
        if let Some(&cost) = known.get(belief.rows()) {
            return cost;
        }
        let mut best = u32::MAX;
        for cell in bits(belief.cells(remnants).0) {
            let mut cost = 0;
            for (reply, part) in belief.split(cell, remnants) {
                let after = plain(goal, &part, remnants, known);
                let after =
                    if reply == Reply::MISS { goal.join(goal.miss(part.weight()), goal.after_miss(after)) } else { after };
                cost = goal.join(cost, after);
            }
            best = best.min(cost);
        }
        known.insert(belief.rows().to_vec(), best);
        best
    }

    /// Some of the layouts of a board, after some shots that were answered alike.
    fn position(rules: &Rules, keep: u64, shots: &[u32], remnants: &mut Remnants) -> Belief {
        let (mut rows, mut number) = (Vec::new(), 0u32);
        each_layout(rules, Budget::default(), &mut |layout| {
            number = number.wrapping_mul(0x9e37_79b1).wrapping_add(keep as u32 | 1);
            if rows.len() < 5 && (number >> 16) % 3 == 0 {
                rows.push((remnants.of(layout, 0), 1 + (number >> 24) % 2));
            }
        })
        .unwrap();
        let start = Belief::of(rows);
        shots.iter().fold(start, |belief, &cell| {
            let parts = belief.split(cell % rules.grid().len() as u32, remnants);
            parts.into_iter().map(|part| part.1).max_by_key(|part| part.rows().len()).unwrap_or_default()
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn no_floor_passes_the_optimum(
            board in proptest::sample::select(vec!["3x3 2,2", "2x4 3,2", "3x3 3,2,2", "2x5 2,2", "1x9 2,2", "3x3 2,1,1", "3x3 3,3"]),
            touch in proptest::sample::select(Touch::ALL),
            call in proptest::sample::select(Call::ALL),
            keep: u64,
            shots in proptest::collection::vec(0u32..10, 0..4),
        ) {
            let Ok(rules) = format!("{board} {touch} {call}").parse::<Rules>() else { return Ok(()) };
            let mut remnants = Remnants::new(&rules);
            let belief = position(&rules, keep, &shots, &mut remnants);
            for goal in [Goal::Sum, Goal::Worst] {
                let cost = plain(goal, &belief, &mut remnants, &mut HashMap::new());
                let floor = Floor::new(goal, 9).of(&belief, &mut remnants);
                prop_assert!(floor <= cost, "{rules} {goal:?}: {floor} > {cost} for {:?}", belief.rows());
            }
        }
    }
}
