//! Exact uniform samples of the layouts that fit a log.
//!
//! Three ways, chosen by cost. Where a good part of all proposals has no clash, they are drawn until one has none
//! (`proposals`): that needs next to no tables and is by far the fastest. Where hardly any fits because few layouts are left,
//! those are listed (`listing`). Where neither will do, moves of the profile sweep are drawn (`swept`). All three draw every
//! layout with exactly the same chance, with integers only.

mod covers;
mod listing;
mod proposals;
mod random;
mod ships;
mod swept;
mod union;

use broadside_rules::{CellSet, Draft, Grid, Layout, Placement, Rules, ShotLog};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use self::listing::Listing;
use self::proposals::Proposals;
pub(super) use self::random::below;
use self::ships::{Ships, Words};
use self::swept::Swept;
use self::union::Union;
use crate::{OutOfReach, Problem, WorkLimits};

/// How many proposals that fit are enough to know.
const ENOUGH: u32 = 16;
/// Where at least one proposal in so many fits, drawing them takes less than a microsecond a layout.
const GOOD: u32 = 64;
/// Where at least one in so many fits, drawing them is still faster than drawing moves of a sweep.
const FAIR: u32 = 4096;
/// Ships put while listing layouts: about as long as the trials take.
const LISTED: usize = 1 << 17;
/// So few layouts are listed in any case: drawing one then takes a few nanoseconds.
const FEW: u128 = 1024;

/// Draws layouts that fit a log: each has the same chance, and draws are independent.
///
/// ```
/// use broadside_odds::{Budget, Transfer};
/// use broadside_rules::{Preset, ShotLog};
/// use rand::SeedableRng;
///
/// let log = ShotLog::parse(&Preset::Classic.rules(), "E5- C3+ C4+ C5#3")?;
/// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
/// let mut sampler = Transfer::new(Budget::default()).sampler(&log)?.expect("some layout fits");
/// let cells = sampler.draw_cells(&mut rng);
/// assert!(log.hits().is_subset(&cells) && log.misses().is_disjoint(&cells));
/// assert_eq!(sampler.draw(&mut rng).ships().len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sampler {
    rules: Rules,
    source: Box<dyn Source>,
    ships: Vec<Placement>,
}

impl Sampler {
    /// A sampler of a log; none if no layout fits.
    pub(super) fn new(log: &ShotLog, limits: &WorkLimits) -> Result<Option<Self>, OutOfReach> {
        if !log.rules().noise().is_none() {
            return Err(OutOfReach::FalseAnswers);
        }
        let source = source(&Problem::from_log(log), limits)?;
        Ok(source.map(|source| Self::of_source(log, source)))
    }

    /// A sampler of a log whose layouts are those of several problems; none if none of them has a layout.
    pub(super) fn of_cases(log: &ShotLog, cases: Vec<(Problem, u128)>) -> Result<Option<Self>, OutOfReach> {
        let union = Union::new(cases)?;
        Ok(union.map(|union| Self::of_source(log, Box::new(union))))
    }

    /// A sampler of a log whose layouts are drawn in this way.
    pub(super) fn of_source(log: &ShotLog, source: Box<dyn Source>) -> Self {
        Self { rules: log.rules().clone(), source, ships: vec![] }
    }

    /// Draws a layout.
    ///
    /// # Panics
    /// Never: only legal layouts are drawn.
    pub fn draw(&mut self, rng: &mut impl Rng) -> Layout {
        let ships = self.draw_ships(rng).to_vec();
        Draft::Ships(ships).check(&self.rules).into_layout().expect("only legal layouts are drawn")
    }

    /// Draws the ships of a layout, in no particular order. Faster than a whole [`Layout`].
    pub fn draw_ships(&mut self, rng: &mut impl Rng) -> &[Placement] {
        self.ships.clear();
        self.source.draw(rng, &mut self.ships);
        &self.ships
    }

    /// Draws the cells under the ships of a layout. The fastest, where the single ships don't matter.
    pub fn draw_cells(&mut self, rng: &mut impl Rng) -> CellSet {
        self.source.draw_cells(rng)
    }
}

impl std::fmt::Debug for Sampler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sampler").field("rules", &self.rules).finish_non_exhaustive()
    }
}

/// A way to draw layouts.
pub(super) trait Source: Send + Sync {
    /// Adds the ships of a layout to the list.
    fn draw(&mut self, rng: &mut dyn Rng, ships: &mut Vec<Placement>);
    /// The cells of a layout.
    fn draw_cells(&mut self, rng: &mut dyn Rng) -> CellSet;
}

/// The cheapest way to draw layouts of a problem; none if it has none.
fn source(problem: &Problem, limits: &WorkLimits) -> Result<Option<Box<dyn Source>>, OutOfReach> {
    match problem.cells() {
        ..=128 => source_in_words::<1>(problem, limits),
        129..=256 => source_in_words::<2>(problem, limits),
        257..=512 => source_in_words::<4>(problem, limits),
        513..=1024 => source_in_words::<8>(problem, limits),
        _ => source_in_words::<32>(problem, limits),
    }
}

/// All layouts of a problem; none if there are more than so many, or if the search meets too many dead ends.
pub(super) fn list(problem: &Problem, most: usize) -> Option<Vec<Vec<Placement>>> {
    match problem.cells() {
        ..=128 => list_in_words::<1>(problem, most),
        129..=256 => list_in_words::<2>(problem, most),
        257..=512 => list_in_words::<4>(problem, most),
        _ => list_in_words::<32>(problem, most),
    }
}

/// Ships put for each layout that is listed, dead ends included.
const STEPS_PER_LAYOUT: usize = 32;

fn list_in_words<const W: usize>(problem: &Problem, most: usize) -> Option<Vec<Vec<Placement>>> {
    let proposals = Proposals::new(Ships::<W>::new(problem)?)?;
    let listing = Listing::new(&proposals, most.saturating_mul(STEPS_PER_LAYOUT).max(LISTED))?;
    let ships = |&ship: &u32| proposals.ships.placements[ship as usize];
    let layouts = || listing.ships.chunks(listing.fleet.max(1)).map(|layout| layout.iter().map(ships).collect());
    (listing.cells.len() <= most).then(|| layouts().collect())
}

fn source_in_words<const W: usize>(problem: &Problem, limits: &WorkLimits) -> Result<Option<Box<dyn Source>>, OutOfReach> {
    let Some(proposals) = Ships::<W>::new(problem).and_then(Proposals::new) else {
        return swept(problem, limits);
    };
    let few = proposals.covers().most_layouts <= FEW;
    let mut trial = Trial::new();
    if !few && trial.finds_one_in(GOOD, &proposals) {
        return Ok(Some(rejection(problem, proposals)));
    }
    if let Some(listing) = Listing::new(&proposals, LISTED) {
        return Ok(listed(problem, proposals, listing));
    }
    if trial.finds_one_in(FAIR, &proposals) {
        return Ok(Some(rejection(problem, proposals)));
    }
    match swept(problem, limits) {
        Err(_) if trial.fit > 0 => Ok(Some(rejection(problem, proposals))),
        swept => swept,
    }
}

fn rejection<const W: usize>(problem: &Problem, proposals: Proposals<W>) -> Box<dyn Source> {
    Box::new(Rejection { grid: problem.grid(), proposals, drawn: vec![] })
}

fn listed<const W: usize>(problem: &Problem, proposals: Proposals<W>, listing: Listing<W>) -> Option<Box<dyn Source>> {
    let listed = Listed { grid: problem.grid(), placements: proposals.ships.placements, listing };
    (!listed.listing.cells.is_empty()).then(|| Box::new(listed) as Box<dyn Source>)
}

fn swept(problem: &Problem, limits: &WorkLimits) -> Result<Option<Box<dyn Source>>, OutOfReach> {
    let swept = Swept::new(problem, limits)?;
    Ok(swept.map(|swept| Box::new(swept) as Box<dyn Source>))
}

/// Proposals tried in order to learn how many fit.
struct Trial {
    rng: Xoshiro256PlusPlus,
    tried: u32,
    fit: u32,
}

impl Trial {
    fn new() -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(0), tried: 0, fit: 0 }
    }

    /// Whether at least one proposal in so many fits, as far as trials tell: enough have to fit within so many tries each.
    fn finds_one_in<const W: usize>(&mut self, many: u32, proposals: &Proposals<W>) -> bool {
        let mut drawn = vec![];
        while self.tried < ENOUGH * many && self.fit < ENOUGH {
            self.tried += 1;
            self.fit += u32::from(proposals.attempt(&mut drawn, &mut self.rng).is_some());
        }
        self.fit == ENOUGH
    }
}

/// Proposals until one fits.
struct Rejection<const W: usize> {
    grid: Grid,
    proposals: Proposals<W>,
    drawn: Vec<u32>,
}

impl<const W: usize> Rejection<W> {
    fn next(&mut self, rng: &mut dyn Rng) -> Words<W> {
        loop {
            if let Some(cells) = self.proposals.attempt(&mut self.drawn, rng) {
                return cells;
            }
        }
    }
}

impl<const W: usize> Source for Rejection<W> {
    fn draw(&mut self, rng: &mut dyn Rng, ships: &mut Vec<Placement>) {
        self.next(rng);
        ships.extend(self.drawn.iter().map(|&ship| self.proposals.ships.placements[ship as usize]));
    }

    fn draw_cells(&mut self, rng: &mut dyn Rng) -> CellSet {
        let cells = self.next(rng);
        ships::cell_set(self.grid, &cells)
    }
}

/// One of a list of all layouts.
struct Listed<const W: usize> {
    grid: Grid,
    placements: Vec<Placement>,
    listing: Listing<W>,
}

impl<const W: usize> Listed<W> {
    fn next(&self, rng: &mut dyn Rng) -> usize {
        below(self.listing.cells.len() as u64, rng) as usize
    }
}

impl<const W: usize> Source for Listed<W> {
    fn draw(&mut self, rng: &mut dyn Rng, ships: &mut Vec<Placement>) {
        let drawn = self.next(rng) * self.listing.fleet;
        let drawn = &self.listing.ships[drawn..drawn + self.listing.fleet];
        ships.extend(drawn.iter().map(|&ship| self.placements[ship as usize]));
    }

    fn draw_cells(&mut self, rng: &mut dyn Rng) -> CellSet {
        ships::cell_set(self.grid, &self.listing.cells[self.next(rng)])
    }
}

#[cfg(test)]
mod tests;
