//! The search: what a belief costs under best play.
//!
//! Each belief has a floor, a cost proved to be too low or exact. The search asks whether a belief costs less than a limit.
//! It takes the shot whose floor is lowest, and looks into what may follow that shot until its floor passes that of the next
//! best shot, the limit is reached, or its cost is exact and no other shot's floor is below it. So shots are looked into in the
//! order of what they may still be worth, and those whose floor is above the cost of the best are never looked into at all.
//!
//! What is found out of a belief is kept under its [`key`].

use broadside_odds::{Budget, OutOfReach};
use rustc_hash::FxHashMap;

use crate::belief::{Belief, bits};
use crate::floor::Floor;
use crate::goal::Goal;
use crate::key::{Key, key};
use crate::remnant::{Remnants, Reply};

/// A cost that is exact, or a floor of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) least: u32,
    pub(crate) exact: bool,
}

/// Bytes that an entry takes beside its key: the box, the cost, the table's spare room and the allocator's.
const ENTRY: usize = 56;

/// x
const SLACK: u32 = 16;

/// Beliefs looked into between two calls to tell of progress.
const TELL: u64 = 1 << 12;

/// One search, with all it remembers.
pub(crate) struct Search<'a> {
    goal: Goal,
    floor: Floor,
    pub(crate) remnants: &'a mut Remnants,
    known: FxHashMap<Key, Cost>,
    /// The keys' bytes.
    bytes: usize,
    budget: usize,
    pub(crate) looked_into: u64,
    tell: &'a mut dyn FnMut(u64),
}

/// What follows an answer to a shot.
struct Part {
    belief: Belief,
    miss: bool,
    cost: Cost,
    key: Option<Key>,
}

/// A shot under consideration.
struct Aim {
    cell: u32,
    misses: u32,
    /// What may follow; `None` until somebody looks.
    parts: Option<Vec<Part>>,
    probed: bool,
    floor: u32,
}

impl Aim {
    fn is_exact(&self) -> bool {
        self.probed && self.parts.iter().flatten().all(|part| part.cost.exact)
    }
}

impl<'a> Search<'a> {
    pub(crate) fn new(goal: Goal, remnants: &'a mut Remnants, cells: usize, budget: Budget, tell: &'a mut dyn FnMut(u64)) -> Self {
        let floor = Floor::new(goal, cells);
        Self { goal, floor, remnants, known: FxHashMap::default(), bytes: 0, budget: budget.bytes, looked_into: 0, tell }
    }

    /// The number of beliefs remembered.
    pub(crate) fn known(&self) -> usize {
        self.known.len()
    }

    /// The bytes taken.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes + self.known.len() * ENTRY + self.remnants.bytes()
    }

    pub(crate) fn root_floor(&mut self, belief: &Belief) -> u32 {
        let a = self.floor.of(belief, self.remnants);
        let ships = self.remnants.ships(belief.rows()[0].0).len();
        for ship in 0..ships {
            let mut groups: std::collections::BTreeMap<u32, Vec<(u32, u32)>> = Default::default();
            for &(id, w) in belief.rows() {
                let cells = self.remnants.ships(id)[ship];
                let one = self.remnants.number(vec![cells]);
                groups.entry(self.remnants.rest(id, ship)).or_default().push((one, w));
            }
            let (mut ex, mut fl) = (0, 0);
            for g in groups.values() {
                let b = Belief::of(g.clone());
                ex += self.cost(&b).unwrap();
                fl += self.floor.of(&b, self.remnants);
            }
            eprintln!("ship {ship} exact {ex} floor {fl}");
        }
        a
    }

    /// The cost of a belief, free shots included.
    pub(crate) fn cost(&mut self, belief: &Belief) -> Result<u32, OutOfReach> {
        let mut parts = Vec::new();
        belief.clone().after_free_shots(self.remnants, &mut parts);
        let mut cost = 0;
        for part in parts {
            let key = key(&part, self.remnants);
            cost = self.goal.join(cost, self.look(&part, key, u32::MAX)?.least);
        }
        Ok(cost)
    }

    /// The cells whose shot costs no more than `cost`, which is the cost of this belief. It has no free shot.
    pub(crate) fn best(&mut self, belief: &Belief, cost: u32, only_first: bool) -> Result<Vec<u32>, OutOfReach> {
        let mut best = Vec::new();
        let mut aims = self.aims(belief);
        aims.sort_by_key(|aim| aim.cell);
        for aim in &mut aims {
            while aim.floor <= cost && !aim.is_exact() {
                self.raise(belief, aim, cost + 1)?;
            }
            if aim.floor <= cost {
                best.push(aim.cell);
                if only_first {
                    break;
                }
            }
        }
        Ok(best)
    }

    /// The cost if it is below the limit, or else a floor that isn't.
    fn look(&mut self, belief: &Belief, key: Key, limit: u32) -> Result<Cost, OutOfReach> {
        self.looked_into += 1;
        if self.looked_into.is_multiple_of(TELL) {
            (self.tell)(self.known.len() as u64);
        }
        let mut aims = self.aims(belief);
        let cost = loop {
            let (best, next) = lowest(&aims);
            let aim = &mut aims[best];
            if aim.floor >= limit || aim.is_exact() {
                break Cost { least: aim.floor, exact: aim.is_exact() };
            }
            let slack = 1 + aim.floor / SLACK;
            self.raise(belief, aim, limit.min(next.saturating_add(slack)))?;
        };
        self.keep(key, cost)?;
        Ok(cost)
    }

    fn keep(&mut self, key: Key, cost: Cost) -> Result<(), OutOfReach> {
        let length = key.len();
        if self.known.insert(key, cost).is_none() {
            self.bytes += length;
        }
        if self.bytes() > self.budget { Err(OutOfReach::Memory) } else { Ok(()) }
    }

    /// All shots that can hit something.
    fn aims(&self, belief: &Belief) -> Vec<Aim> {
        let (some, _) = belief.cells(self.remnants);
        let (loads, weight) = (belief.loads(self.remnants), belief.weight());
        let aim = |cell: u32| {
            let misses = self.goal.miss(weight - loads[cell as usize]);
            Aim { cell, misses, parts: None, probed: false, floor: misses }
        };
        bits(some).map(aim).collect()
    }

    /// Raises the floor of a shot by one more degree of care: first by counting, then by what is remembered, then by looking
    /// into what follows until the floor reaches the limit or is exact.
    fn raise(&mut self, belief: &Belief, aim: &mut Aim, limit: u32) -> Result<(), OutOfReach> {
        match &mut aim.parts {
            None => aim.parts = Some(self.parts(belief, aim.cell)),
            Some(parts) if !aim.probed => {
                parts.iter_mut().for_each(|part| self.probe(part));
                aim.probed = true;
            }
            Some(parts) => return self.deepen(aim.misses, parts, limit).map(|floor| aim.floor = floor),
        }
        aim.floor = self.total(aim.misses, aim.parts.as_deref().unwrap_or(&[]));
        Ok(())
    }

    fn parts(&mut self, belief: &Belief, cell: u32) -> Vec<Part> {
        let mut parts = Vec::new();
        for (reply, part) in belief.split(cell, self.remnants) {
            let mut beliefs = Vec::new();
            part.after_free_shots(self.remnants, &mut beliefs);
            for belief in beliefs {
                let least = self.floor.of(&belief, self.remnants);
                parts.push(Part { belief, miss: reply == Reply::MISS, cost: Cost { least, exact: false }, key: None });
            }
        }
        parts.sort_by_key(|part| part.belief.rows().len());
        parts
    }

    /// Takes over what is remembered.
    fn probe(&self, part: &mut Part) {
        let key = key(&part.belief, self.remnants);
        if let Some(&known) = self.known.get(&key) {
            part.cost = Cost { least: known.least.max(part.cost.least), ..known };
        }
        part.key = Some(key);
    }

    fn total(&self, misses: u32, parts: &[Part]) -> u32 {
        parts.iter().fold(misses, |sum, part| self.goal.join(sum, self.share(part)))
    }

    /// What a part adds to its shot.
    fn share(&self, part: &Part) -> u32 {
        if part.miss { self.goal.after_miss(part.cost.least) } else { part.cost.least }
    }

    fn deepen(&mut self, misses: u32, parts: &mut [Part], limit: u32) -> Result<u32, OutOfReach> {
        let mut total = self.total(misses, parts);
        for i in 0..parts.len() {
            if total >= limit {
                break;
            }
            let part = &mut parts[i];
            if !part.cost.exact {
                let room = match self.goal {
                    Goal::Sum => part.cost.least.saturating_add(limit - total),
                    Goal::Worst => limit - u32::from(part.miss),
                };
                let key = part.key.clone().unwrap_or_else(|| key(&part.belief, self.remnants));
                part.cost = self.look(&part.belief, key, room)?;
                total = self.total(misses, parts);
            }
        }
        Ok(total)
    }
}

/// The shot with the lowest floor, an exact one first, and the lowest floor of the others.
fn lowest(aims: &[Aim]) -> (usize, u32) {
    let order = |aim: &Aim| (aim.floor, !aim.is_exact());
    let best = (0..aims.len()).min_by_key(|&i| order(&aims[i])).expect("an open belief has cells to fire at");
    let next = (0..aims.len()).filter(|&i| i != best).map(|i| aims[i].floor).min();
    (best, next.unwrap_or(u32::MAX))
}
