//! An honest estimate where exact odds are out of reach.
//!
//! Layouts are drawn one ship after the other from the placements that still go with those before, and every layout drawn
//! carries the number of choices there were, so that unlikely draws weigh more (sequential importance sampling: Knuth,
//! *Estimating the efficiency of backtrack programs*, Math. Comp. 29, 1975). While a hit is uncovered, the next ship is
//! drawn from those that would cover the first such hit, whatever their length; after that the ships left are placed
//! longest first. Every layout that fits can be drawn, in as many orders as its remaining equal ships have, so
//!
//! ```text
//! weight = product of the numbers of choices / product over lengths of (ships placed freely)!
//! ```
//!
//! has the number of layouts as its expectation, and a draw that gets stuck has weight 0.
//!
//! A draw tells more than where its ships are. Take one ship up: given the others, each place that goes with them is equally
//! likely for it. So a cell counts with the share of these places that cover it, added up over the ships. Over all layouts
//! these shares have the same sum as the cells covered (each is an expectation given the other ships, so this is the theorem of
//! Rao and Blackwell), but they vary far less from draw to draw: some dozens of times fewer draws give the same error.

use broadside_rules::{Cell, CellSet, Grid, Placement, ShotLog, Stop, Stopped};
use rand::{Rng, RngExt};

use crate::estimate_called::estimate_called;
use crate::{Problem, ShipClass};

/// A number known only up to chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean over the draws.
    pub mean: f64,
    /// Its standard error.
    pub std_err: f64,
}

/// Estimated odds of a position: how many layouts fit, and the chance of a ship on each cell, with standard errors.
#[derive(Clone, Debug, PartialEq)]
pub struct EstimatedCounts {
    grid: Grid,
    layouts: Estimate,
    cells: Vec<Estimate>,
    samples: u64,
}

impl EstimatedCounts {
    /// The board's size.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The number of layouts that fit.
    pub fn layouts(&self) -> Estimate {
        self.layouts
    }

    /// The chance that a ship lies on the cell.
    pub fn chance(&self, cell: Cell) -> Estimate {
        self.cells[self.grid.index(cell)]
    }

    /// How many independent draws were made. For a log with turns of which only the number of hits is known, a draw is a run over a
    /// part of their cases.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The cells outside `fired` whose estimated chance is the highest, in reading order.
    pub fn best(&self, fired: &CellSet) -> Vec<Cell> {
        let open = || self.grid.cells().filter(|&cell| !fired.contains(cell));
        let top = open().map(|cell| self.chance(cell).mean).fold(0.0, f64::max);
        open().filter(|&cell| self.chance(cell).mean >= top).collect()
    }
}

/// Estimates the odds of a log from `samples` draws; `None` when not one of them came out as a layout.
///
/// ```
/// use broadside_odds::estimate;
/// use broadside_rules::{Preset, ShotLog};
/// use rand::SeedableRng;
///
/// let log = ShotLog::new(&Preset::Classic.rules());
/// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
/// let layouts = estimate(&log, 1000, &mut rng).expect("a roomy board").layouts();
/// // There are 15,046,987,768.
/// assert!((layouts.mean - 15_046_987_768.0).abs() < 5.0 * layouts.std_err);
/// ```
pub fn estimate(log: &ShotLog, samples: u64, rng: &mut impl Rng) -> Option<EstimatedCounts> {
    estimate_until(log, samples, rng, &Stop::never()).unwrap_or_default()
}

/// [`estimate`], unless it is stopped.
///
/// # Errors
/// When it is.
pub fn estimate_until(log: &ShotLog, samples: u64, rng: &mut impl Rng, stop: &Stop) -> Result<Option<EstimatedCounts>, Stopped> {
    if !log.called_turns().is_empty() {
        return estimate_called(log, samples, rng, stop);
    }
    estimate_by(log, samples, rng, stop, Drawing::shares)
}

/// The same from the cells under the ships of each draw alone: see [`plain_estimate`](crate::baseline::plain_estimate).
pub(crate) fn estimate_from_cells(log: &ShotLog, samples: u64, rng: &mut impl Rng) -> Option<EstimatedCounts> {
    estimate_by(log, samples, rng, &Stop::never(), Drawing::covered).unwrap_or_default()
}

/// What a draw tells about each cell.
type Told = fn(&Drawing, &[(usize, &Place)]) -> Vec<f64>;

fn estimate_by(
    log: &ShotLog,
    samples: u64,
    rng: &mut impl Rng,
    stop: &Stop,
    told: Told,
) -> Result<Option<EstimatedCounts>, Stopped> {
    let grid = log.rules().grid();
    let drawing = Drawing::new(&Problem::from_log(log), log);
    let mut sums = Sums::new(grid.len());
    for _ in 0..samples {
        stop.check()?;
        let (weight, ships) = drawing.draw(rng);
        sums.add(weight, &if weight > 0.0 { told(&drawing, &ships) } else { vec![] });
    }
    Ok(sums.has_weight().then(|| sums.estimate(grid)))
}

/// The sums of weights and of their squares and products that means and errors are made from.
pub(crate) struct Sums {
    draws: u64,
    weight: f64,
    weight_squared: f64,
    cells: Vec<CellSums>,
}

/// The sums for a cell, over its shares: each times its weight, times the weight squared, and squared times the weight squared.
#[derive(Clone, Copy, Default)]
struct CellSums {
    weighted: f64,
    weighted_twice: f64,
    squared: f64,
}

impl Sums {
    pub(crate) fn new(cells: usize) -> Self {
        Self { draws: 0, weight: 0.0, weight_squared: 0.0, cells: vec![CellSums::default(); cells] }
    }

    /// Adds a draw with its share of each cell; one that got stuck has none.
    pub(crate) fn add(&mut self, weight: f64, shares: &[f64]) {
        self.draws += 1;
        self.weight += weight;
        self.weight_squared += weight * weight;
        for (cell, share) in self.cells.iter_mut().zip(shares) {
            let weighted = weight * share;
            cell.weighted += weighted;
            cell.weighted_twice += weight * weighted;
            cell.squared += weighted * weighted;
        }
    }

    /// Whether any draw came out as a layout.
    pub(crate) fn has_weight(&self) -> bool {
        self.weight > 0.0
    }

    pub(crate) fn estimate(&self, grid: Grid) -> EstimatedCounts {
        let n = self.draws.max(1) as f64;
        let mean = self.weight / n;
        let variance = (self.weight_squared / n - mean * mean).max(0.0);
        let layouts = Estimate { mean, std_err: (variance / n).sqrt() };
        let cells = self.cells.iter().map(|cell| self.ratio(*cell)).collect();
        EstimatedCounts { grid, layouts, cells, samples: self.draws }
    }

    /// The chance of a cell is a ratio of two sums over the same draws; its error is that of the residuals
    /// `weight × (share − chance)` (Cochran, *Sampling Techniques*, chapter 6).
    fn ratio(&self, cell: CellSums) -> Estimate {
        if self.weight <= 0.0 {
            return Estimate { mean: 0.0, std_err: 0.0 };
        }
        let chance = cell.weighted / self.weight;
        let residuals = cell.squared - 2.0 * chance * cell.weighted_twice + chance * chance * self.weight_squared;
        Estimate { mean: chance, std_err: residuals.max(0.0).sqrt() / self.weight }
    }
}

/// The placements to draw from.
pub(crate) struct Drawing {
    classes: Vec<Choices>,
    must: CellSet,
    grid: Grid,
}

struct Choices {
    count: usize,
    places: Vec<Place>,
}

pub(crate) struct Place {
    pub(crate) ship: Placement,
    /// The numbers of its cells.
    numbers: Vec<usize>,
    cells: CellSet,
    blocked: CellSet,
}

impl Drawing {
    pub(crate) fn new(problem: &Problem, log: &ShotLog) -> Self {
        let (grid, touch) = (log.rules().grid(), log.rules().touch());
        let place = |ship: Placement| Place {
            ship,
            numbers: ship.cells().map(|cell| grid.index(cell)).collect(),
            cells: ship.cell_set(grid),
            blocked: ship.blocked_cells(grid, touch),
        };
        let choices = |class: &ShipClass| Choices { count: class.count, places: class.placements().map(place).collect() };
        Self { classes: problem.classes.iter().map(choices).collect(), must: log.hits().clone(), grid }
    }

    /// Draws a layout; the weight is 0 when the draw got stuck.
    pub(crate) fn draw<'a>(&'a self, rng: &mut impl Rng) -> (f64, Vec<(usize, &'a Place)>) {
        let mut draw = Draw {
            left: self.classes.iter().map(|class| class.count).collect(),
            taken: CellSet::empty(self.grid),
            uncovered: self.must.clone(),
            ships: Vec::new(),
            weight: 1.0,
        };
        while let Some(hit) = draw.uncovered.first() {
            let choices: Vec<(usize, &'a Place)> = (0..self.classes.len())
                .flat_map(|class| self.open(class, &draw, Some(hit)).map(move |place| (class, place)))
                .collect();
            if !draw.choose(&choices, rng) {
                return (0.0, draw.ships);
            }
        }
        for class in 0..self.classes.len() {
            let free = draw.left[class];
            for placed in 0..free {
                let choices: Vec<(usize, &'a Place)> = self.open(class, &draw, None).map(|place| (class, place)).collect();
                if !draw.choose(&choices, rng) {
                    return (0.0, draw.ships);
                }
                draw.weight /= (placed + 1) as f64;
            }
        }
        (draw.weight, draw.ships)
    }

    /// For each cell whether a ship lies on it.
    pub(crate) fn covered(&self, ships: &[(usize, &Place)]) -> Vec<f64> {
        let mut covered = vec![0.0; self.grid.len()];
        ships.iter().flat_map(|(_, place)| &place.numbers).for_each(|&cell| covered[cell] = 1.0);
        covered
    }

    /// For each cell, how much of the places that each ship could have beside the others covers it, added up over the ships.
    fn shares(&self, ships: &[(usize, &Place)]) -> Vec<f64> {
        let mut shares = vec![0.0; self.grid.len()];
        for (moved, &(class, _)) in ships.iter().enumerate() {
            let (mut taken, mut covered) = (CellSet::empty(self.grid), CellSet::empty(self.grid));
            for (_, other) in ships.iter().enumerate().filter(|(at, _)| *at != moved).map(|(_, ship)| ship) {
                taken |= &other.blocked;
                covered |= &other.cells;
            }
            let uncovered = &self.must - &covered;
            let goes = |place: &&Place| place.cells.is_disjoint(&taken) && uncovered.is_subset(&place.cells);
            let places: Vec<&Place> = self.classes[class].places.iter().filter(goes).collect();
            let share = 1.0 / places.len() as f64;
            places.iter().flat_map(|place| &place.numbers).for_each(|&cell| shares[cell] += share);
        }
        shares
    }

    /// The placements of a class that go with the ships drawn so far and cover the hit, if one is given.
    fn open<'a>(&'a self, class: usize, draw: &Draw<'_>, hit: Option<Cell>) -> impl Iterator<Item = &'a Place> {
        let left = draw.left[class] > 0;
        let taken = draw.taken.clone();
        let places = if left { &self.classes[class].places[..] } else { &[] };
        places.iter().filter(move |place| place.cells.is_disjoint(&taken) && hit.is_none_or(|hit| place.cells.contains(hit)))
    }
}

/// One layout in the making.
struct Draw<'a> {
    left: Vec<usize>,
    taken: CellSet,
    /// The hits that no ship covers yet.
    uncovered: CellSet,
    /// The ships with their classes.
    ships: Vec<(usize, &'a Place)>,
    weight: f64,
}

impl<'a> Draw<'a> {
    fn choose(&mut self, choices: &[(usize, &'a Place)], rng: &mut impl Rng) -> bool {
        if choices.is_empty() {
            return false;
        }
        let (class, place) = choices[rng.random_range(0..choices.len())];
        self.weight *= choices.len() as f64;
        self.left[class] -= 1;
        self.taken |= &place.blocked;
        self.uncovered = &self.uncovered - &place.cells;
        self.ships.push((class, place));
        true
    }
}
