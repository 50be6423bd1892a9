//! The search: what a belief costs under best play.
//!
//! Each belief has a floor, a cost proved to be too low or exact. The search asks whether a belief costs less than a limit.
//! It takes the shot whose floor is lowest, and looks into what may follow that shot until its floor passes that of the next
//! best shot, the limit is reached, or its cost is exact and no other shot's floor is below it. So shots are looked into in the
//! order of what they may still be worth, and those whose floor is above the cost of the best are never looked into at all.
//!
//! What is found out of a belief is kept under its [`key`].

use broadside_odds::OutOfReach;
use rustc_hash::FxHashMap;

use crate::belief::{Belief, bits};
use crate::floor::Floor;
use crate::goal::Goal;
use crate::key::{Key, key};
use crate::remnant::{Remnants, Reply};
use crate::solver::Progress;

/// A cost that is exact, or a floor of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost {
    pub(crate) least: u32,
    pub(crate) exact: bool,
}

/// Bytes that an entry takes beside its key: the box, the cost, the table's spare room and the allocator's.
const ENTRY: usize = 56;

/// A shot is looked into until its floor passes the next best one by this part of itself. Without it the search goes to and
/// fro between shots of nearly the same worth; with much of it, it stays too long with one that is not the best. Beliefs looked
/// into for 4x5 with 3,2, measured with a weaker floor than today's: 272,250 with 4, 123,191 with 12, 51,648 with 48; and with
/// today's 60,086 with 16. The best value was not searched for any further.
const SLACK: u32 = 16;

/// Beliefs looked into between two calls to tell of progress.
const TELL: u64 = 1 << 12;

/// What searches for one goal remember.
#[derive(Default)]
pub(crate) struct Known {
    costs: FxHashMap<Key, Cost>,
    /// The keys' bytes.
    key_bytes: usize,
}

impl Known {
    /// The bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.key_bytes + self.costs.len() * ENTRY
    }

    fn keep(&mut self, key: Key, cost: Cost) {
        let length = key.len();
        if self.costs.insert(key, cost).is_none() {
            self.key_bytes += length;
        }
    }
}

/// One search.
pub(crate) struct Search<'a> {
    goal: Goal,
    floor: Floor,
    pub(crate) remnants: &'a mut Remnants,
    known: &'a mut Known,
    budget: usize,
    looked_into: u64,
    tell: &'a mut dyn FnMut(Progress),
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
    /// A search by these tables, which may take so many bytes together.
    pub(crate) fn new(
        floor: Floor,
        remnants: &'a mut Remnants,
        known: &'a mut Known,
        budget: usize,
        tell: &'a mut dyn FnMut(Progress),
    ) -> Self {
        Self { goal: floor.goal(), floor, remnants, known, budget, looked_into: 0, tell }
    }

    /// How far it has come.
    pub(crate) fn progress(&self) -> Progress {
        Progress { beliefs: self.known.costs.len(), bytes: self.known.bytes() + self.remnants.bytes() }
    }

    /// The cost of a belief, free shots included.
    pub(crate) fn cost(&mut self, belief: &Belief) -> Result<u32, OutOfReach> {
        let mut parts = Vec::new();
        belief.clone().after_free_shots(self.remnants, &mut parts);
        let mut cost = 0;
        for part in parts {
            let key = key(&part, self.remnants);
            let known = self.known.costs.get(&key).filter(|known| known.exact).copied();
            let part = if let Some(known) = known { known } else { self.look(&part, key, u32::MAX)? };
            cost = self.goal.join(cost, part.least);
        }
        Ok(cost)
    }

    /// The cells to fire at that cost no more than `cost`, which is the cost of this belief; in reading order.
    pub(crate) fn best_shots(&mut self, belief: &Belief, cost: u32) -> Result<Vec<u32>, OutOfReach> {
        let mut best = Vec::new();
        for mut aim in self.aims(belief) {
            if self.costs_at_most(belief, &mut aim, cost)? {
                best.push(aim.cell);
            }
        }
        Ok(best)
    }

    /// The cell that best play fires at: a free shot if there is one, or else the first found to be best, of those that hit
    /// most first.
    pub(crate) fn best_shot(&mut self, belief: &Belief) -> Result<Option<u32>, OutOfReach> {
        if let Some(cell) = belief.free_shot(self.remnants) {
            return Ok(Some(cell));
        }
        let cost = self.cost(belief)?;
        let mut aims = self.aims(belief);
        aims.sort_by_key(|aim| aim.floor);
        for mut aim in aims {
            if self.costs_at_most(belief, &mut aim, cost)? {
                return Ok(Some(aim.cell));
            }
        }
        Ok(None)
    }

    fn costs_at_most(&mut self, belief: &Belief, aim: &mut Aim, cost: u32) -> Result<bool, OutOfReach> {
        while aim.floor <= cost && !aim.is_exact() {
            self.raise(belief, aim, cost + 1)?;
        }
        Ok(aim.floor <= cost)
    }

    /// The cost if it is below the limit, or else a floor that isn't.
    fn look(&mut self, belief: &Belief, key: Key, limit: u32) -> Result<Cost, OutOfReach> {
        self.looked_into += 1;
        if self.looked_into.is_multiple_of(TELL) {
            let progress = self.progress();
            (self.tell)(progress);
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
        self.known.keep(key, cost);
        if self.progress().bytes > self.budget { Err(OutOfReach::Memory) } else { Ok(cost) }
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
                for part in parts {
                    self.probe(part);
                }
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
        if let Some(&known) = self.known.costs.get(&key) {
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
