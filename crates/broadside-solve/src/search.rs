//! The search: what a position costs under best play.
//!
//! Each position has a lower bound on its cost. The search asks whether a position costs less than a limit. It takes the shot
//! with the lowest bound and searches the positions after that shot. It goes to another shot when the bound has passed that
//! of the next best shot. It ends when the lowest bound reaches the limit or is the exact cost. So the most promising shots
//! are searched first, and those whose bound is above the optimum are never searched.
//!
//! What is found out about a position is kept under its [`canonical_key`].

use broadside_odds::{OutOfReach, WorkLimits};
use rustc_hash::FxHashMap;

use crate::bits::bits;
use crate::canonical::{Key, Renumbering, canonical_key};
use crate::objective::Objective;
use crate::position::Position;
use crate::position_bound::PositionBound;
use crate::solver::Progress;
use crate::state::{AnswerCode, States};
use crate::weight::Weight;

/// A lower bound on a cost; if `exact`, the cost itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cost<W> {
    pub(crate) least: W,
    pub(crate) exact: bool,
}

/// Bytes of an entry besides its key: the box, the cost, and the spare room of the table and the allocator.
const ENTRY_BYTES: usize = 56;

/// A shot is searched until its bound passes that of the next best shot by a slack: its own bound divided by this number.
/// With no slack the search goes back and forth between shots of nearly the same cost. With much slack it stays too long with
/// a shot that is not the best.
///
/// Positions kept for 4x5 with the fleets 3,2 and 2,2, measured before bounds were kept with them: 42,013 and 114,709 with 6;
/// 26,532 and 64,061 with 16; 8,333 and 33,215 with 48. With a better lower bound: 6,043 and 29,617 with 48; 5,134 and 21,910
/// with 150. Each position is then searched about twice. With 1000 it is searched three times, and 4x5 with 2,2 takes longer.
const SLACK: u32 = 150;

/// Positions searched between two reports of progress.
const PROGRESS_INTERVAL: u64 = 1 << 12;

/// What is kept of a position.
struct Entry<W> {
    cost: Cost<W>,
    /// The bound of each shot, by the canonical number of its cell. Empty if the cost is exact.
    bounds: Box<[W]>,
}

/// What searches for one objective have found out so far.
pub(crate) struct Memo<W> {
    entries: FxHashMap<Key, Entry<W>>,
    /// The number of bytes of keys and bounds.
    bytes: usize,
}

impl<W> Default for Memo<W> {
    fn default() -> Self {
        Self { entries: FxHashMap::default(), bytes: 0 }
    }
}

impl<W: Weight> Memo<W> {
    /// The number of bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes + self.entries.len() * ENTRY_BYTES
    }

    fn cost(&self, key: &Key) -> Option<Cost<W>> {
        self.entries.get(key).map(|entry| entry.cost)
    }

    fn keep(&mut self, key: Key, entry: Entry<W>) {
        self.bytes += key.len() + size_of_val(&*entry.bounds);
        if let Some(before) = self.entries.get_mut(&key) {
            self.bytes -= key.len() + size_of_val(&*before.bounds);
            *before = entry;
        } else {
            self.entries.insert(key, entry);
        }
    }
}

/// One search.
pub(crate) struct Search<'a, W> {
    objective: Objective,
    position_bound: PositionBound<W>,
    pub(crate) states: &'a mut States,
    memo: &'a mut Memo<W>,
    limits: &'a WorkLimits,
    visited: u64,
    on_progress: &'a mut dyn FnMut(Progress),
}

/// The canonical key of a position, and the canonical numbers of its cells.
type Canonical = (Key, Box<Renumbering>);

/// A position after a shot.
struct Outcome<W> {
    position: Position<W>,
    /// Whether the shot missed.
    miss: bool,
    cost: Cost<W>,
    canonical: Option<Canonical>,
}

/// A shot under consideration.
struct Candidate<W> {
    cell: u32,
    /// The number of layouts that it misses.
    layouts_missed: W,
    /// The cost of these misses.
    miss_cost: W,
    /// The positions that may follow; `None` until they are worked out.
    outcomes: Option<Vec<Outcome<W>>>,
    /// Whether the outcomes have been looked up among the kept positions.
    recalled: bool,
    bound: W,
}

impl<W> Candidate<W> {
    fn is_exact(&self) -> bool {
        self.recalled && self.outcomes.iter().flatten().all(|outcome| outcome.cost.exact)
    }
}

impl<'a, W: Weight> Search<'a, W> {
    /// A search that uses these tables. The limits hold for all of them together.
    pub(crate) fn new(
        position_bound: PositionBound<W>,
        states: &'a mut States,
        memo: &'a mut Memo<W>,
        limits: &'a WorkLimits,
        on_progress: &'a mut dyn FnMut(Progress),
    ) -> Self {
        Self { objective: position_bound.objective(), position_bound, states, memo, limits, visited: 0, on_progress }
    }

    /// How far it has come.
    pub(crate) fn progress(&self) -> Progress {
        Progress {
            positions: self.memo.entries.len(),
            bytes: self.memo.bytes() + self.states.bytes() + self.position_bound.bytes(),
        }
    }

    /// The cost of a position, free shots included.
    pub(crate) fn cost(&mut self, position: &Position<W>) -> Result<W, OutOfReach> {
        let mut outcomes = Vec::new();
        position.clone().after_free_shots(self.states, &mut outcomes);
        let mut cost = W::default();
        for outcome in outcomes {
            let canonical = self.canonical(&outcome);
            let known = self.memo.cost(&canonical.0).filter(|known| known.exact);
            let exact = if let Some(known) = known { known } else { self.search(&outcome, canonical, W::MAX)? };
            cost = self.objective.combine(cost, exact.least);
        }
        Ok(cost)
    }

    /// The best cells to fire at, in reading order. `cost` is the cost of this position.
    pub(crate) fn best_shots(&mut self, position: &Position<W>, cost: W) -> Result<Vec<u32>, OutOfReach> {
        let mut best = Vec::new();
        for mut candidate in self.candidates(position) {
            if self.costs_at_most(position, &mut candidate, cost)? {
                best.push(candidate.cell);
            }
        }
        Ok(best)
    }

    /// A cell that best play fires at: a free shot if there is one. Otherwise the shots with fewest misses are tried first.
    pub(crate) fn best_shot(&mut self, position: &Position<W>) -> Result<Option<u32>, OutOfReach> {
        if let Some(cell) = position.free_shot(self.states) {
            return Ok(Some(cell));
        }
        let cost = self.cost(position)?;
        let mut candidates = self.candidates(position);
        candidates.sort_by_key(|candidate| candidate.bound);
        for mut candidate in candidates {
            if self.costs_at_most(position, &mut candidate, cost)? {
                return Ok(Some(candidate.cell));
            }
        }
        Ok(None)
    }

    fn costs_at_most(&mut self, position: &Position<W>, candidate: &mut Candidate<W>, cost: W) -> Result<bool, OutOfReach> {
        while candidate.bound <= cost && !candidate.is_exact() {
            self.tighten(position, candidate, cost + W::from(1))?;
        }
        Ok(candidate.bound <= cost)
    }

    /// The exact cost if it is below the limit, and otherwise a bound that is not below the limit.
    fn search(&mut self, position: &Position<W>, (key, numbers): Canonical, limit: W) -> Result<Cost<W>, OutOfReach> {
        self.visited += 1;
        if self.visited.is_multiple_of(PROGRESS_INTERVAL) {
            let progress = self.progress();
            (self.on_progress)(progress);
        }
        let mut candidates = self.candidates(position);
        self.recall_bounds(&key, &numbers, &mut candidates);
        let cost = loop {
            let (best, next) = lowest(&candidates);
            let candidate = &mut candidates[best];
            if candidate.bound >= limit || candidate.is_exact() {
                break Cost { least: candidate.bound, exact: candidate.is_exact() };
            }
            let slack = W::from(1) + candidate.bound / W::from(SLACK);
            self.tighten(position, candidate, limit.min(next.saturating_add(slack)))?;
        };
        let bounds = if cost.exact { Box::default() } else { by_number(&candidates, &numbers) };
        self.memo.keep(key, Entry { cost, bounds });
        if self.progress().bytes > self.limits.budget.bytes { Err(OutOfReach::Memory) } else { Ok(cost) }
    }

    fn canonical(&self, position: &Position<W>) -> Canonical {
        let (key, numbers) = canonical_key(position, self.states);
        (key, Box::new(numbers))
    }

    /// Takes over the bounds that an earlier search has found.
    fn recall_bounds(&self, key: &Key, numbers: &Renumbering, candidates: &mut [Candidate<W>]) {
        let Some(entry) = self.memo.entries.get(key) else { return };
        for candidate in candidates {
            let bound = entry.bounds.get(usize::from(numbers[candidate.cell as usize]));
            candidate.bound = candidate.bound.max(bound.copied().unwrap_or_default());
        }
    }

    /// All shots that can hit something.
    fn candidates(&self, position: &Position<W>) -> Vec<Candidate<W>> {
        let (some, _) = position.cells(self.states);
        let (counts, weight) = (position.counts(self.states), position.weight());
        let candidate = |cell: u32| {
            let layouts_missed = weight - counts[cell as usize];
            let miss_cost = self.objective.miss(layouts_missed);
            Candidate { cell, layouts_missed, miss_cost, outcomes: None, recalled: false, bound: miss_cost }
        };
        bits(some).map(candidate).collect()
    }

    /// Raises the bound of a shot. The first call works out lower bounds of the outcomes, the second looks the outcomes up, and
    /// later ones search the outcomes until the bound reaches the limit or is exact.
    fn tighten(&mut self, position: &Position<W>, candidate: &mut Candidate<W>, limit: W) -> Result<(), OutOfReach> {
        self.limits.check()?;
        match &mut candidate.outcomes {
            None => candidate.outcomes = Some(self.outcomes(position, candidate.cell)?),
            Some(outcomes) if !candidate.recalled => {
                for outcome in outcomes {
                    self.recall_cost(outcome);
                }
                candidate.recalled = true;
            }
            Some(outcomes) => self.deepen(candidate.miss_cost, outcomes, limit)?,
        }
        candidate.bound = candidate.bound.max(self.total(candidate.miss_cost, candidate.outcomes.as_deref().unwrap_or(&[])));
        Ok(())
    }

    fn outcomes(&mut self, position: &Position<W>, cell: u32) -> Result<Vec<Outcome<W>>, OutOfReach> {
        let mut outcomes = Vec::new();
        for (code, after) in position.split(cell, self.states) {
            let mut positions = Vec::new();
            after.after_free_shots(self.states, &mut positions);
            for position in positions {
                self.limits.check()?;
                let least = self.position_bound.cost(&position, self.states);
                outcomes.push(Outcome {
                    position,
                    miss: code == AnswerCode::MISS,
                    cost: Cost { least, exact: false },
                    canonical: None,
                });
            }
        }
        outcomes.sort_by_key(|outcome| outcome.position.rows().len());
        if self.objective == Objective::Worst {
            // One outcome alone can rule out a shot, and the largest is the most likely to.
            outcomes.reverse();
        }
        Ok(outcomes)
    }

    /// Takes over what is known of an outcome.
    fn recall_cost(&self, outcome: &mut Outcome<W>) {
        let canonical = self.canonical(&outcome.position);
        if let Some(known) = self.memo.cost(&canonical.0) {
            outcome.cost = Cost { least: known.least.max(outcome.cost.least), ..known };
        }
        outcome.canonical = Some(canonical);
    }

    fn total(&self, misses: W, outcomes: &[Outcome<W>]) -> W {
        outcomes.iter().fold(misses, |sum, outcome| self.objective.combine(sum, self.share(outcome)))
    }

    /// What an outcome adds to the cost of its shot.
    fn share(&self, outcome: &Outcome<W>) -> W {
        if outcome.miss { self.objective.after_miss(outcome.cost.least) } else { outcome.cost.least }
    }

    fn deepen(&mut self, misses: W, outcomes: &mut [Outcome<W>], limit: W) -> Result<(), OutOfReach> {
        let mut total = self.total(misses, outcomes);
        for i in 0..outcomes.len() {
            if total >= limit {
                break;
            }
            let outcome = &mut outcomes[i];
            if !outcome.cost.exact {
                let room = match self.objective {
                    Objective::Sum => outcome.cost.least.saturating_add(limit - total),
                    Objective::Worst => limit - W::from(u32::from(outcome.miss)),
                };
                let canonical = outcome.canonical.clone().unwrap_or_else(|| self.canonical(&outcome.position));
                outcome.cost = self.search(&outcome.position, canonical, room)?;
                total = self.total(misses, outcomes);
            }
        }
        Ok(())
    }
}

/// The bounds of the shots, by the canonical numbers of their cells.
fn by_number<W: Weight>(candidates: &[Candidate<W>], numbers: &Renumbering) -> Box<[W]> {
    let number = |candidate: &Candidate<W>| usize::from(numbers[candidate.cell as usize]);
    let mut bounds = vec![W::default(); candidates.iter().map(|candidate| number(candidate) + 1).max().unwrap_or(0)];
    for candidate in candidates {
        bounds[number(candidate)] = candidate.bound;
    }
    bounds.into()
}

/// The shot with the lowest bound, and the lowest bound of the others. Of equal bounds an exact one comes first, then the one
/// that misses least.
fn lowest<W: Weight>(candidates: &[Candidate<W>]) -> (usize, W) {
    let order = |candidate: &Candidate<W>| (candidate.bound, !candidate.is_exact(), candidate.layouts_missed);
    let best = (0..candidates.len()).min_by_key(|&i| order(&candidates[i])).expect("an open position has cells to fire at");
    let next = (0..candidates.len()).filter(|&i| i != best).map(|i| candidates[i].bound).min();
    (best, next.unwrap_or(W::MAX))
}
