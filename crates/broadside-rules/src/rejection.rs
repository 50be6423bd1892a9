//! Random layouts by rejection.
//!
//! Uniform means that every legal layout is equally likely. Placing one ship after the other and drawing again the
//! ship that doesn't fit is *not* uniform: a first ship in a corner leaves more room for the others, so it belongs to
//! more layouts, yet it is drawn no more often. Here all ships are drawn independently, and if any two don't go
//! together **all** are drawn again: then each legal layout keeps exactly its share.

use rand::{Rng, RngExt};

use crate::{CellSet, Grid, Layout, Placement, Rules};

/// Draws ships at random until they make a layout, in a number of attempts that may be too small for a tight board.
///
/// It is a part of `Dealer` in `broadside-odds`, which deals on tight boards too.
///
/// ```
/// use broadside_rules::{Preset, RejectionSampler};
/// use rand::SeedableRng;
/// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
/// let mut sampler = RejectionSampler::new(&Preset::Russian.rules());
/// // A russian layout takes some two thousand attempts on average.
/// let layout = sampler.uniform(100_000, &mut rng).expect("a layout comes up");
/// assert_eq!(layout.cells().len(), 20);
/// ```
#[derive(Clone)]
pub struct RejectionSampler {
    grid: Grid,
    /// For each ship, longest first, which list of places is its own.
    class_of: Vec<usize>,
    places: Vec<Vec<Place>>,
    /// For each place of each list, its weight and those before it, if places have weights.
    running: Option<Vec<Vec<f64>>>,
    taken: CellSet,
    ships: Vec<Placement>,
}

#[derive(Clone)]
struct Place {
    ship: Placement,
    cells: CellSet,
    /// The cells that no other ship may cover.
    blocked: CellSet,
}

impl RejectionSampler {
    /// A sampler for these rules.
    pub fn new(rules: &Rules) -> Self {
        let (grid, touch) = (rules.grid(), rules.touch());
        let place = |ship: Placement| Place { ship, cells: ship.cell_set(grid), blocked: ship.blocked_cells(grid, touch) };
        let classes = rules.fleet().classes().enumerate();
        Self {
            grid,
            class_of: classes.flat_map(|(class, (_, count))| vec![class; count]).collect(),
            places: rules.fleet().classes().map(|(length, _)| rules.placements(length).map(place).collect()).collect(),
            running: None,
            taken: CellSet::empty(grid),
            ships: Vec::with_capacity(rules.fleet().len()),
        }
    }

    /// The same sampler, for [`RejectionSampler::weighted`]. What is negative or not a number counts as 0.
    #[must_use]
    pub fn with_weights(mut self, weight: impl Fn(Placement) -> f64) -> Self {
        let running = |places: &Vec<Place>| {
            let sums = places.iter().scan(0.0, |sum, place| {
                *sum += Some(weight(place.ship)).filter(|weight| weight.is_finite()).map_or(0.0, |weight| weight.max(0.0));
                Some(*sum)
            });
            sums.collect()
        };
        self.running = Some(self.places.iter().map(running).collect());
        self
    }

    /// A layout drawn by the weights of its placements: as likely as their product. Uniform if there are no weights. `None` when
    /// none came up in so many attempts, or if no ship of some length has a weight above 0.
    ///
    /// ```
    /// use broadside_rules::RejectionSampler;
    /// use rand::SeedableRng;
    /// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
    /// let weight = |ship: broadside_rules::Placement| if ship.bow().col() == 0 { 3.0 } else { 1.0 };
    /// let mut sampler = RejectionSampler::new(&"1x3 2 allowed ship".parse()?).with_weights(weight);
    /// let layouts: Vec<String> = (0..1000).filter_map(|_| sampler.weighted(9, &mut rng)).map(|layout| layout.to_string()).collect();
    /// let left = layouts.iter().filter(|layout| *layout == "A1-A2").count();
    /// assert!((700..800).contains(&left), "{left} of 1000");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn weighted(&mut self, attempts: u32, rng: &mut impl Rng) -> Option<Layout> {
        let Some(running) = self.running.take() else { return self.uniform(attempts, rng) };
        let possible = running.iter().all(|sums| sums.last().is_some_and(|&sum| sum > 0.0));
        let found = possible && (0..attempts).any(|_| self.draw_all(rng, |class, _, rng| pick(&running[class], rng)));
        self.running = Some(running);
        found.then(|| self.layout())
    }

    /// A layout drawn uniformly: every legal layout is equally likely. `None` when none came up in so many attempts;
    /// asking again with the same generator continues as if there had been more of them.
    pub fn uniform(&mut self, attempts: u32, rng: &mut impl Rng) -> Option<Layout> {
        (0..attempts).any(|_| self.draw_all(rng, |_, places, rng| rng.random_range(0..places))).then(|| self.layout())
    }

    /// A layout drawn as many published simulations do it: one ship after the other, longest first, each drawn again
    /// until it fits; all are taken up again when one has no place left. Not uniform. `None` when none came up in so
    /// many attempts.
    pub fn sequential(&mut self, attempts: u32, rng: &mut impl Rng) -> Option<Layout> {
        (0..attempts).any(|_| self.draw_one_by_one(rng)).then(|| self.layout())
    }

    /// Draws every ship independently; says whether they go together. `pick` is given a class and its number of places.
    fn draw_all<R: Rng>(&mut self, rng: &mut R, pick: impl Fn(usize, usize, &mut R) -> usize) -> bool {
        self.clear();
        for &class in &self.class_of {
            let places = &self.places[class];
            let place = &places[pick(class, places.len(), rng)];
            if !place.cells.is_disjoint(&self.taken) {
                return false;
            }
            self.taken |= &place.blocked;
            self.ships.push(place.ship);
        }
        true
    }

    fn draw_one_by_one(&mut self, rng: &mut impl Rng) -> bool {
        self.clear();
        for &class in &self.class_of {
            let places = &self.places[class];
            if places.iter().all(|place| !place.cells.is_disjoint(&self.taken)) {
                return false;
            }
            let place = loop {
                let place = &places[rng.random_range(0..places.len())];
                if place.cells.is_disjoint(&self.taken) {
                    break place;
                }
            };
            self.taken |= &place.blocked;
            self.ships.push(place.ship);
        }
        true
    }

    fn clear(&mut self) {
        self.taken.clear();
        self.ships.clear();
    }

    fn layout(&self) -> Layout {
        Layout::from_legal_ships(self.grid, self.ships.clone())
    }
}

/// A place by its weight, from the running sums of the weights. A place of weight 0 is never drawn.
fn pick(running: &[f64], rng: &mut impl Rng) -> usize {
    let total = running.last().copied().unwrap_or(0.0);
    let drawn = rng.random::<f64>() * total;
    running.partition_point(|&sum| sum <= drawn).min(running.partition_point(|&sum| sum < total))
}
