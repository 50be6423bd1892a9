//! In which ways the ships of a fleet may account for what is owed, before anybody looks at clashes.

use broadside_rules::Stop;
use rustc_hash::{FxHashMap, FxHashSet};

use super::owed::{Hits, Owed};
use super::places::{Places, size};

/// What may be done with a ship at a step: lie on one of the places of a group, and then the next step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The number of the group in the class of the ship.
    pub(super) group: u32,
    /// The step of the next ship; nothing after the last.
    pub(super) next: u32,
}

/// What is owed still before a certain ship is placed.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) choices: Vec<Choice>,
    /// The ways to go on from here to the end, clashes included.
    pub(super) ways: u64,
    /// For each choice the ways of it and of those before it.
    pub(super) up_to: Vec<u64>,
}

/// The ships one after the other, and the steps that lead to the end.
#[derive(Debug)]
pub(super) struct Plan {
    /// For each ship its class.
    pub(super) order: Vec<usize>,
    pub(super) steps: Vec<Step>,
    /// None where nothing leads to the end.
    pub(super) first: Option<u32>,
    /// Sets looked at by a search, at the most: places of the last two ships for each way to place those before them.
    pub(super) work: f64,
}

impl Plan {
    /// The plan with the least work: the search never places the last ship, so a class with many places belongs there. None if it takes
    /// more bytes than these, there are too many ways to count, or somebody stops it.
    pub(super) fn new<const W: usize>(
        owed: &Owed<'_>,
        places: &Places<W>,
        ships: &[usize],
        bytes: usize,
        stop: &Stop,
    ) -> Option<Self> {
        let classes = (0..ships.len()).filter(|&class| ships[class] > 0);
        let mut best: Option<Self> = None;
        for last in classes.clone() {
            let order = classes.clone().filter(|&class| class != last).chain([last]);
            let order: Vec<usize> = order.flat_map(|class| std::iter::repeat_n(class, ships[class])).collect();
            let plan = Maker::new(owed, places, order, bytes, stop)?.plan()?;
            if best.as_ref().is_none_or(|best| plan.work < best.work) {
                best = Some(plan);
            }
        }
        best
    }
}

/// About what an entry of a hash map takes beside its contents.
const ENTRY: usize = 8;

struct Maker<'a, const W: usize> {
    owed: &'a Owed<'a>,
    places: &'a Places<W>,
    order: Vec<usize>,
    /// The bytes that are left.
    bytes: usize,
    stop: &'a Stop,
    /// For each of the later ships what it and those after it may account for.
    ends: Vec<Option<FxHashSet<Hits>>>,
    /// By ship and what is owed: the step, if it leads to the end.
    known: FxHashMap<(usize, Hits), Option<u32>>,
    steps: Vec<Step>,
    /// For each step the work from there on.
    work: Vec<f64>,
}

impl<'a, const W: usize> Maker<'a, W> {
    fn new(owed: &'a Owed<'a>, places: &'a Places<W>, order: Vec<usize>, bytes: usize, stop: &'a Stop) -> Option<Self> {
        let ends = vec![None; order.len() + 1];
        let mut maker =
            Self { owed, places, order, bytes, stop, ends, known: FxHashMap::default(), steps: Vec::new(), work: Vec::new() };
        maker.add_ends()?;
        Some(maker)
    }

    /// Takes bytes for a table that grows; none if they are not there, or somebody stops the work.
    fn take(&mut self, bytes: usize) -> Option<()> {
        self.stop.check().ok()?;
        self.bytes = self.bytes.checked_sub(bytes)?;
        Some(())
    }

    /// Steps are looked for from the first ship on and from the last one back, so that few of them lead nowhere.
    fn add_ends(&mut self) -> Option<()> {
        let ships = self.order.len();
        let mut after: FxHashSet<Hits> = [Hits::default()].into_iter().collect();
        for ship in (ships / 2..ships).rev() {
            let mut ends = FxHashSet::default();
            for group in &self.places.groups[self.order[ship]] {
                let before = ends.len();
                ends.extend(after.iter().filter_map(|&hits| self.owed.both(group.hits, hits)));
                self.take((ends.len() - before) * 2 * (size_of::<Hits>() + ENTRY))?;
            }
            self.ends[ship + 1] = Some(std::mem::replace(&mut after, ends));
        }
        self.ends[ships / 2] = Some(after);
        Some(())
    }

    fn plan(mut self) -> Option<Plan> {
        let first = self.step(0, self.owed.all())?;
        let work = first.map_or(0.0, |first| self.work[first as usize]);
        Some(Plan { order: self.order, steps: self.steps, first, work })
    }

    /// The step before a ship, with this owed; none inside if nothing leads from there to the end.
    #[expect(clippy::option_option, reason = "the outer one says that there is no room or no number large enough")]
    fn step(&mut self, ship: usize, owed: Hits) -> Option<Option<u32>> {
        if self.ends[ship].as_ref().is_some_and(|ends| !ends.contains(&owed)) {
            return Some(None);
        }
        if let Some(&known) = self.known.get(&(ship, owed)) {
            return Some(known);
        }
        self.take(2 * (size_of::<(usize, Hits, Option<u32>)>() + ENTRY))?;
        let step = self.make_step(ship, owed)?;
        self.known.insert((ship, owed), step);
        Some(step)
    }

    #[expect(clippy::option_option, reason = "as above")]
    fn make_step(&mut self, ship: usize, owed: Hits) -> Option<Option<u32>> {
        let places = self.places;
        let (mut step, mut work) = (Step { choices: Vec::new(), ways: 0, up_to: Vec::new() }, 0.0);
        for (number, group) in places.groups[self.order[ship]].iter().enumerate() {
            let Some(left) = self.owed.after(owed, group.hits) else { continue };
            let is_last = ship + 1 == self.order.len();
            let next = if is_last { (left == Hits::default()).then_some(0) } else { self.step(ship + 1, left)? };
            let Some(next) = next else { continue };
            let after = if is_last { 1 } else { self.steps[next as usize].ways };
            let own = size(&group.places);
            work += match self.order.len() - ship {
                1 => 1.0,
                // The places of this ship against those of the last one, and the other way round.
                2 => own as f64 + self.last_places(next) as f64,
                _ => own as f64 * (1.0 + self.work[next as usize]),
            };
            step.ways = step.ways.checked_add(own.checked_mul(after)?)?;
            step.up_to.push(step.ways);
            step.choices.push(Choice { group: number as u32, next });
        }
        if step.choices.is_empty() {
            return Some(None);
        }
        self.take(size_of::<Step>() + 2 * step.choices.len() * size_of::<(Choice, u64)>())?;
        self.steps.push(step);
        self.work.push(work);
        Some(Some(self.steps.len() as u32 - 1))
    }

    /// The places of the last ship at its step: of one group, since the last ship accounts for all that is owed still.
    fn last_places(&self, step: u32) -> u64 {
        self.steps[step as usize].ways
    }
}
