//! The ways to cover the hits, ship after ship, with the number of proposals that each leads to.
//!
//! Every hit is covered by exactly one ship. Take the uncovered hit that the fewest placements cover, choose one of them,
//! and go on until all hits are covered: each layout is met by exactly one such chain. What is left then is to place the
//! other ships, which cover no hit, anywhere. What a chain leads to depends only on the hits covered and on the ships left,
//! so chains share their ends: [`Step`]s are few even where chains are many.
//!
//! A *proposal* is a chain and one free placement for each ship left. Of a layout with `k` ships left of some class there are
//! `k!` proposals, one for each order, so proposals are counted `K! / k!` times, with `K` the ships of the class in all: then
//! each layout has exactly the product of all `K!`, whichever its chain. Ships in proposals may clash; clashing ones are thrown
//! away.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::random::below;
use super::ships::{Covering, Ships, bits};

/// The most choices that are worth a table.
const MOST_CHOICES: usize = 1 << 18;

/// What is to be done next.
#[derive(Debug)]
pub(super) enum Step {
    /// Cover a hit by one of these choices.
    Cover(Range<usize>),
    /// Place free ships: for each class so many.
    Free(Vec<usize>),
}

/// A placement over a hit, and what comes after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    /// The index of the placement.
    pub(super) ship: u32,
    /// The index of the step after it.
    pub(super) next: u32,
}

/// The steps from no hit covered to all.
#[derive(Debug)]
pub(super) struct Covers {
    pub(super) steps: Vec<Step>,
    choices: Vec<Choice>,
    /// For each choice, the proposals of it and of those before it in its step, divided by what all have in common.
    sums: Vec<u64>,
    /// The first step.
    pub(super) first: u32,
    /// No more layouts than this: the proposals, divided by how many each layout has.
    pub(super) most_layouts: u128,
}

impl Covers {
    /// The steps of some ships; `None` when there is no way to cover the hits or the numbers or tables would be too large.
    pub(super) fn new<const W: usize>(ships: &Ships<W>) -> Option<Self> {
        let mut maker = Maker::new(ships);
        let (first, proposals) = maker.step(&mut Left::new(&ships.counts), 0)?;
        let orders: u128 = ships.counts.iter().flat_map(|&count| 1..=count as u128).product();
        let most_layouts = proposals / orders;
        (proposals > 0).then_some(Self { steps: maker.steps, choices: maker.choices, sums: maker.sums, first, most_layouts })
    }

    /// One of the choices, in proportion to its proposals.
    #[inline]
    pub(super) fn choose(&self, choices: &Range<usize>, rng: &mut (impl rand::Rng + ?Sized)) -> Choice {
        // A sunk ship has one place. Its random word is passed over, so that a seed draws what it always drew.
        if choices.len() == 1 {
            rng.next_u64();
            return self.choices[choices.start];
        }
        let sums = &self.sums[choices.clone()];
        let at = below(sums[sums.len() - 1], rng);
        self.choices[choices.start + sums.partition_point(|&sum| sum <= at)]
    }

    /// All choices of a step.
    pub(super) fn all(&self, choices: &Range<usize>) -> &[Choice] {
        &self.choices[choices.clone()]
    }
}

struct Maker<'a> {
    /// For each hit, in the order in which they are covered, the placements over it.
    covering: Vec<Vec<Covering>>,
    free: &'a [Range<u32>],
    counts: &'a [usize],
    steps: Vec<Step>,
    choices: Vec<Choice>,
    sums: Vec<u64>,
    /// By the index of the ships left and the hits covered: the step and its proposals.
    known: FxHashMap<(u128, u128), (u32, u128)>,
}

/// The ships left of each class, and their index: the numbers as digits in mixed radix. A fleet has at most 128 ships, so that there are
/// at most 3^64 indices.
struct Left {
    ships: Vec<usize>,
    index: u128,
    strides: Vec<u128>,
}

impl Left {
    fn new(counts: &[usize]) -> Self {
        let (mut strides, mut stride) = (Vec::with_capacity(counts.len()), 1);
        for &count in counts {
            strides.push(stride);
            stride *= count as u128 + 1;
        }
        Self { ships: counts.to_vec(), index: stride - 1, strides }
    }

    fn take(&mut self, class: usize) {
        self.ships[class] -= 1;
        self.index -= self.strides[class];
    }

    fn put_back(&mut self, class: usize) {
        self.ships[class] += 1;
        self.index += self.strides[class];
    }
}

impl<'a> Maker<'a> {
    fn new<const W: usize>(ships: &'a Ships<W>) -> Self {
        let mut order: Vec<u32> = (0..ships.hits).collect();
        order.sort_by_cached_key(|&hit| ships.covering.iter().filter(|ship| ship.hits >> hit & 1 == 1).count());
        let mut covering = vec![vec![]; order.len()];
        for ship in &ships.covering {
            let hits = order.iter().zip(0..).fold(0, |hits, (&hit, place)| hits | (ship.hits >> hit & 1) << place);
            bits(hits).for_each(|place| covering[place].push(Covering { hits, ..*ship }));
        }
        Self {
            covering,
            free: &ships.free,
            counts: &ships.counts,
            steps: vec![],
            choices: vec![],
            sums: vec![],
            known: FxHashMap::default(),
        }
    }

    /// The step with these ships left and hits covered, and its proposals; `None` when there are too many.
    fn step(&mut self, left: &mut Left, covered: u128) -> Option<(u32, u128)> {
        if let Some(&known) = self.known.get(&(left.index, covered)) {
            return Some(known);
        }
        let hit = covered.trailing_ones() as usize;
        let (step, proposals) = if hit < self.covering.len() {
            self.cover(hit, left, covered)?
        } else {
            (Step::Free(left.ships.clone()), self.free(&left.ships)?)
        };
        let made = (self.steps.len() as u32, proposals);
        self.steps.push(step);
        self.known.insert((left.index, covered), made);
        Some(made)
    }

    /// The choices over a hit.
    fn cover(&mut self, hit: usize, left: &mut Left, covered: u128) -> Option<(Step, u128)> {
        let mut choices = Vec::with_capacity(self.covering[hit].len());
        for at in 0..self.covering[hit].len() {
            let Covering { ship, class, hits } = self.covering[hit][at];
            if left.ships[class] == 0 || hits & covered != 0 {
                continue;
            }
            left.take(class);
            let (next, proposals) = self.step(left, covered | hits)?;
            left.put_back(class);
            if proposals > 0 {
                choices.push((Choice { ship, next }, proposals));
            }
        }
        let all = choices.iter().try_fold(0_u128, |sum, (_, proposals)| sum.checked_add(*proposals))?;
        Some((Step::Cover(self.keep(&choices)?), all))
    }

    fn keep(&mut self, choices: &[(Choice, u128)]) -> Option<Range<usize>> {
        let common = choices.iter().fold(0, |common, (_, proposals)| divisor(*proposals, common));
        let first = self.choices.len();
        let mut sum = 0_u64;
        for &(choice, proposals) in choices {
            sum = sum.checked_add(u64::try_from(proposals / common).ok()?)?;
            self.choices.push(choice);
            self.sums.push(sum);
        }
        (self.choices.len() <= MOST_CHOICES).then_some(first..self.choices.len())
    }

    /// The proposals for these ships, with none of them over a hit.
    fn free(&self, left: &[usize]) -> Option<u128> {
        let mut proposals = 1_u128;
        for ((&left, &count), free) in left.iter().zip(self.counts).zip(self.free) {
            for _ in 0..left {
                proposals = proposals.checked_mul(free.len() as u128)?;
            }
            for order in left + 1..=count {
                proposals = proposals.checked_mul(order as u128)?;
            }
        }
        Some(proposals)
    }
}

/// The greatest common divisor.
fn divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
