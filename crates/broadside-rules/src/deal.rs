//! Random layouts.
//!
//! Uniform means that every legal layout is equally likely. Placing one ship after the other and drawing again the
//! ship that doesn't fit is *not* uniform: a first ship in a corner leaves more room for the others, so it belongs to
//! more layouts, yet it is drawn no more often. Here all ships are drawn independently, and if any two don't go
//! together **all** are drawn again: then each legal layout keeps exactly its share.
//!
//! Where boards are so tight that this would take too long, a [`Census`] of all layouts is drawn from instead.

use rand::{Rng, RngExt};

use crate::{CellSet, Census, Layout, Placement, Rules};

/// Attempts before a census is tried. A classic layout takes 2.6 attempts on average, a russian one some two thousand.
const PATIENCE: u32 = 20_000;

/// Positions of that census.
const CENSUS_BUDGET: usize = 300_000;

/// Further attempts before dealing gives up where no census can be taken: seconds of trying.
const LAST_PATIENCE: u32 = 30_000_000;

/// The board is too tight to deal from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the board is too tight: no layout came up in {attempts} attempts")]
pub struct DealError {
    /// How many attempts were made.
    pub attempts: u32,
}

/// Deals random layouts of some rules.
///
/// ```
/// use broadside_rules::{Dealer, Preset};
/// use rand::SeedableRng;
/// let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
/// let mut dealer = Dealer::new(&Preset::Russian.rules());
/// let layout = dealer.uniform(&mut rng)?;
/// assert_eq!(layout.cells().len(), 20);
/// # Ok::<(), broadside_rules::DealError>(())
/// ```
pub struct Dealer {
    rules: Rules,
    /// For each ship, longest first, which list of berths is its own.
    class_of: Vec<usize>,
    berths: Vec<Vec<Berth>>,
    taken: CellSet,
    ships: Vec<Placement>,
    fallback: Fallback,
}

/// The list of all layouts, for boards too tight to draw from.
enum Fallback {
    /// Not needed yet.
    Untried,
    /// The board is small enough for it.
    Census(Box<Census>),
    /// It is not.
    None,
}

struct Berth {
    ship: Placement,
    cells: CellSet,
    zone: CellSet,
}

impl Dealer {
    /// A dealer for these rules.
    pub fn new(rules: &Rules) -> Self {
        let (grid, touch) = (rules.grid(), rules.touch());
        let berth = |ship: Placement| Berth { ship, cells: ship.cell_set(grid), zone: ship.blocked_cells(grid, touch) };
        let classes = rules.fleet().classes().enumerate();
        Self {
            class_of: classes.flat_map(|(class, (_, count))| vec![class; count]).collect(),
            berths: rules.fleet().classes().map(|(length, _)| Placement::all(grid, length).map(berth).collect()).collect(),
            taken: CellSet::empty(grid),
            ships: Vec::with_capacity(rules.fleet().len()),
            fallback: Fallback::Untried,
            rules: rules.clone(),
        }
    }

    /// A layout drawn uniformly: every legal layout is equally likely.
    ///
    /// # Errors
    /// When the board is so tight that neither drawing nor a census finds a layout.
    pub fn uniform(&mut self, rng: &mut impl Rng) -> Result<Layout, DealError> {
        // Drawing comes first each time, even where it has failed before: the layout depends on the generator alone, not
        // on what was dealt before it.
        if self.draw(PATIENCE, rng) {
            return Ok(self.layout());
        }
        if matches!(self.fallback, Fallback::Untried) {
            let census = Census::new(&self.rules, CENSUS_BUDGET);
            self.fallback = census.map_or(Fallback::None, |census| Fallback::Census(Box::new(census)));
        }
        if let Fallback::Census(census) = &self.fallback {
            return Ok(Layout::from_legal_ships(self.rules.grid(), census.draw(rng)));
        }
        let found = self.draw(LAST_PATIENCE, rng);
        found.then(|| self.layout()).ok_or(DealError { attempts: PATIENCE + LAST_PATIENCE })
    }

    /// A layout dealt as many published simulations do it: one ship after the other, longest first, each drawn again
    /// until it fits; all are taken up again when one has no place left. Not uniform.
    ///
    /// # Errors
    /// When the board is so tight that no layout comes up.
    pub fn sequential(&mut self, rng: &mut impl Rng) -> Result<Layout, DealError> {
        let found = (0..PATIENCE).any(|_| self.one_after_the_other(rng));
        found.then(|| self.layout()).ok_or(DealError { attempts: PATIENCE })
    }

    fn draw(&mut self, patience: u32, rng: &mut impl Rng) -> bool {
        (0..patience).any(|_| self.attempt(rng))
    }

    /// Draws every ship independently; says whether they go together.
    fn attempt(&mut self, rng: &mut impl Rng) -> bool {
        self.begin();
        for &class in &self.class_of {
            let berths = &self.berths[class];
            let berth = &berths[rng.random_range(0..berths.len())];
            if !berth.cells.is_disjoint(&self.taken) {
                return false;
            }
            self.taken |= &berth.zone;
            self.ships.push(berth.ship);
        }
        true
    }

    fn one_after_the_other(&mut self, rng: &mut impl Rng) -> bool {
        self.begin();
        for &class in &self.class_of {
            let berths = &self.berths[class];
            if berths.iter().all(|berth| !berth.cells.is_disjoint(&self.taken)) {
                return false;
            }
            let berth = loop {
                let berth = &berths[rng.random_range(0..berths.len())];
                if berth.cells.is_disjoint(&self.taken) {
                    break berth;
                }
            };
            self.taken |= &berth.zone;
            self.ships.push(berth.ship);
        }
        true
    }

    fn begin(&mut self) {
        self.taken.clear();
        self.ships.clear();
    }

    fn layout(&self) -> Layout {
        Layout::from_legal_ships(self.rules.grid(), self.ships.clone())
    }
}
