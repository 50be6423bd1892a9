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
use crate::key::{Key, Ranks, key};
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
/// fro between shots of nearly the same worth; with much of it, it stays too long with one that is not the best. Beliefs
/// remembered for 4x5 with 3,2 and with 2,2, before floors were kept with them: 42,013 and 114,709 with 6, 26,532 and 64,061 with
/// 16, 8,333 and 33,215 with 48; with a better floor 6,043 and 29,617 with 48, 5,134 and 21,910 with 150. Beliefs are then
/// looked into about twice each; with 1000 three times, and 4x5 with 2,2 takes longer.
const SLACK: u32 = 150;

/// Beliefs looked into between two calls to tell of progress.
const TELL: u64 = 1 << 12;

/// What is remembered of a belief.
struct Entry {
    cost: Cost,
    /// The floor of each shot, by the number that the cell has in the belief's name; none if the cost is exact.
    floors: Box<[u32]>,
}

/// What searches for one goal remember.
#[derive(Default)]
pub(crate) struct Known {
    entries: FxHashMap<Key, Entry>,
    /// The bytes of keys and floors.
    bytes: usize,
}

impl Known {
    /// The bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes + self.entries.len() * ENTRY
    }

    fn cost(&self, key: &Key) -> Option<Cost> {
        self.entries.get(key).map(|entry| entry.cost)
    }

    fn keep(&mut self, key: Key, entry: Entry) {
        self.bytes += key.len() + size_of_val(&*entry.floors);
        if let Some(before) = self.entries.get_mut(&key) {
            self.bytes -= key.len() + size_of_val(&*before.floors);
            *before = entry;
        } else {
            self.entries.insert(key, entry);
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

/// A belief's name and the numbers of its cells there.
type Name = (Key, Box<Ranks>);

/// What follows an answer to a shot.
struct Part {
    belief: Belief,
    miss: bool,
    cost: Cost,
    name: Option<Name>,
}

/// A shot under consideration.
struct Aim {
    cell: u32,
    /// The weight of the layouts it misses.
    spared: u32,
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
        Progress { beliefs: self.known.entries.len(), bytes: self.known.bytes() + self.remnants.bytes() + self.floor.bytes() }
    }

    /// The cost of a belief, free shots included.
    pub(crate) fn cost(&mut self, belief: &Belief) -> Result<u32, OutOfReach> {
        let mut parts = Vec::new();
        belief.clone().after_free_shots(self.remnants, &mut parts);
        let mut cost = 0;
        for part in parts {
            let name = self.name(&part);
            let known = self.known.cost(&name.0).filter(|known| known.exact);
            let part = if let Some(known) = known { known } else { self.look(&part, name, u32::MAX)? };
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
    fn look(&mut self, belief: &Belief, (key, ranks): Name, limit: u32) -> Result<Cost, OutOfReach> {
        self.looked_into += 1;
        if self.looked_into.is_multiple_of(TELL) {
            let progress = self.progress();
            (self.tell)(progress);
        }
        let mut aims = self.aims(belief);
        self.recall(&key, &ranks, &mut aims);
        let cost = loop {
            let (best, next) = lowest(&aims);
            let aim = &mut aims[best];
            if aim.floor >= limit || aim.is_exact() {
                break Cost { least: aim.floor, exact: aim.is_exact() };
            }
            let slack = 1 + aim.floor / SLACK;
            self.raise(belief, aim, limit.min(next.saturating_add(slack)))?;
        };
        let floors = if cost.exact { Box::default() } else { by_rank(&aims, &ranks) };
        self.known.keep(key, Entry { cost, floors });
        if self.progress().bytes > self.budget { Err(OutOfReach::Memory) } else { Ok(cost) }
    }

    fn name(&self, belief: &Belief) -> Name {
        let (key, ranks) = key(belief, self.remnants);
        (key, Box::new(ranks))
    }

    /// Takes over the floors that an earlier look has left.
    fn recall(&self, key: &Key, ranks: &Ranks, aims: &mut [Aim]) {
        let Some(entry) = self.known.entries.get(key) else { return };
        for aim in aims {
            let floor = entry.floors.get(usize::from(ranks[aim.cell as usize]));
            aim.floor = aim.floor.max(floor.copied().unwrap_or(0));
        }
    }

    /// All shots that can hit something.
    fn aims(&self, belief: &Belief) -> Vec<Aim> {
        let (some, _) = belief.cells(self.remnants);
        let (loads, weight) = (belief.loads(self.remnants), belief.weight());
        let aim = |cell: u32| {
            let spared = weight - loads[cell as usize];
            let misses = self.goal.miss(spared);
            Aim { cell, spared, misses, parts: None, probed: false, floor: misses }
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
            Some(parts) => self.deepen(aim.misses, parts, limit)?,
        }
        aim.floor = aim.floor.max(self.total(aim.misses, aim.parts.as_deref().unwrap_or(&[])));
        Ok(())
    }

    fn parts(&mut self, belief: &Belief, cell: u32) -> Vec<Part> {
        let mut parts = Vec::new();
        for (reply, part) in belief.split(cell, self.remnants) {
            let mut beliefs = Vec::new();
            part.after_free_shots(self.remnants, &mut beliefs);
            for belief in beliefs {
                let least = self.floor.of(&belief, self.remnants);
                parts.push(Part { belief, miss: reply == Reply::MISS, cost: Cost { least, exact: false }, name: None });
            }
        }
        parts.sort_by_key(|part| part.belief.rows().len());
        if self.goal == Goal::Worst {
            // Any part alone can show that a shot is no good, and the largest is the likeliest to.
            parts.reverse();
        }
        parts
    }

    /// Takes over what is remembered.
    fn probe(&self, part: &mut Part) {
        let name = self.name(&part.belief);
        if let Some(known) = self.known.cost(&name.0) {
            part.cost = Cost { least: known.least.max(part.cost.least), ..known };
        }
        part.name = Some(name);
    }

    fn total(&self, misses: u32, parts: &[Part]) -> u32 {
        parts.iter().fold(misses, |sum, part| self.goal.join(sum, self.share(part)))
    }

    /// What a part adds to its shot.
    fn share(&self, part: &Part) -> u32 {
        if part.miss { self.goal.after_miss(part.cost.least) } else { part.cost.least }
    }

    fn deepen(&mut self, misses: u32, parts: &mut [Part], limit: u32) -> Result<(), OutOfReach> {
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
                let name = part.name.clone().unwrap_or_else(|| self.name(&part.belief));
                part.cost = self.look(&part.belief, name, room)?;
                total = self.total(misses, parts);
            }
        }
        Ok(())
    }
}

/// The floors of the shots in the order of the cells' numbers in the belief's name.
fn by_rank(aims: &[Aim], ranks: &Ranks) -> Box<[u32]> {
    let rank = |aim: &Aim| usize::from(ranks[aim.cell as usize]);
    let mut floors = vec![0; aims.iter().map(|aim| rank(aim) + 1).max().unwrap_or(0)];
    for aim in aims {
        floors[rank(aim)] = aim.floor;
    }
    floors.into()
}

/// The shot with the lowest floor, an exact one first, then the one that misses least; and the lowest floor of the others.
fn lowest(aims: &[Aim]) -> (usize, u32) {
    let order = |aim: &Aim| (aim.floor, !aim.is_exact(), aim.spared);
    let best = (0..aims.len()).min_by_key(|&i| order(&aims[i])).expect("an open belief has cells to fire at");
    let next = (0..aims.len()).filter(|&i| i != best).map(|i| aims[i].floor).min();
    (best, next.unwrap_or(u32::MAX))
}
