//! Few choices left: listing layouts is cheaper than any sweep.
//!
//! Late in a game the ships that are left have few places. One loop inside the other lists the layouts; each placement counts
//! those that it is part of, and the cells follow from the placements at the end.

use std::ops::{AddAssign, Mul};

use super::branch::sweep_cost;
use super::weights;
use crate::problem::{Problem, bits, low_bits};

/// Layouts listed in the time of one unit of [`sweep_cost`], about a microsecond.
const LISTED: f64 = 200.0;

/// What layouts are listed in: their number, or their weight.
pub(crate) trait Amount: Copy + PartialOrd + From<bool> + AddAssign + Mul<Output = Self> {}

impl Amount for u64 {}
impl Amount for f64 {}

/// The layouts of a problem, and for each cell those with a ship there, if listing them is cheaper than a sweep. A layout
/// counts as the product of the weights of its placements.
pub(crate) fn list<N: Amount>(problem: &Problem, weight: impl Fn(weights::Place) -> N) -> Option<(N, Vec<N>)> {
    let fits = problem.cells() <= u128::BITS as usize && ways(problem) <= LISTED * sweep_cost(problem) as f64;
    fits.then(|| list_all(problem, weight))
}

/// The same whatever it takes, on boards of up to 128 cells.
pub(super) fn list_all<N: Amount>(problem: &Problem, weight: impl Fn(weights::Place) -> N) -> (N, Vec<N>) {
    Listing::new(problem, weight).counts(problem.cells())
}

/// At least the number of layouts: the ways to choose places for each class by itself.
fn ways(problem: &Problem) -> f64 {
    let choose = |n: usize, k: usize| (0..k).map(|i| n.saturating_sub(i) as f64 / (i + 1) as f64).product::<f64>();
    problem.classes.iter().map(|class| choose(class.choices(), class.count)).product()
}

/// A placement as a set of cells, its weight, and the layouts that it is part of.
struct Place<N> {
    cells: u128,
    weight: N,
    layouts: N,
}

struct Listing<N> {
    /// For each class its places.
    places: Vec<Vec<Place<N>>>,
    /// For each ship its class.
    ships: Vec<usize>,
    /// The cells that must be covered.
    must: u128,
}

impl<N: Amount> Listing<N> {
    fn new(problem: &Problem, weight: impl Fn(weights::Place) -> N) -> Self {
        let must = problem.must.iter().rev().fold(0, |must, &row| must << problem.cols | u128::from(row));
        let classes = problem.classes.iter().enumerate();
        Self {
            places: (0..problem.classes.len()).map(|class| places(problem, class, &weight)).collect(),
            ships: classes.flat_map(|(class, ships)| std::iter::repeat_n(class, ships.count)).collect(),
            must,
        }
    }

    /// All layouts, and those with a ship on each of the cells.
    fn counts(mut self, cells: usize) -> (N, Vec<N>) {
        let layouts = self.place(0, 0, 0, N::from(true));
        let mut counts = vec![N::from(false); cells];
        for place in self.places.iter().flatten().filter(|place| place.layouts > N::from(false)) {
            let mut left = place.cells;
            while left != 0 {
                counts[left.trailing_zeros() as usize] += place.layouts;
                left &= left - 1;
            }
        }
        (layouts, counts)
    }

    /// Places the ships from number `ship` on, the first of them not before the place `from`; says in how many ways, times
    /// the weight of the ships before.
    fn place(&mut self, ship: usize, from: usize, taken: u128, before: N) -> N {
        let Some(&class) = self.ships.get(ship) else {
            return if self.must & !taken == 0 { before } else { N::from(false) };
        };
        // Ships of one class are placed in order, so that each layout is met once.
        let ordered = self.ships.get(ship + 1) == Some(&class);
        let mut layouts = N::from(false);
        for at in from..self.places[class].len() {
            let Place { cells, weight, .. } = self.places[class][at];
            if cells & taken == 0 {
                let found = self.place(ship + 1, if ordered { at + 1 } else { 0 }, taken | cells, before * weight);
                self.places[class][at].layouts += found;
                layouts += found;
            }
        }
        layouts
    }
}

/// The places of a class, with their weights.
fn places<N: Amount>(problem: &Problem, class: usize, weight: impl Fn(weights::Place) -> N) -> Vec<Place<N>> {
    let (ships, cols) = (&problem.classes[class], problem.cols);
    if ships.count == 0 {
        return vec![];
    }
    let across = u128::from(low_bits(ships.length));
    let down = (0..ships.length).fold(0, |cells, row| cells | 1_u128.checked_shl((row * cols) as u32).unwrap_or(0));
    let mut places = Vec::with_capacity(ships.choices());
    for (vertical, masks, cells) in [(false, &ships.horizontal, across), (true, &ships.vertical, down)] {
        for (row, &mask) in masks.iter().enumerate() {
            places.extend(bits(mask).map(|col| Place {
                cells: cells << (row * cols + col),
                weight: weight(weights::Place { class, vertical, row, col }),
                layouts: N::from(false),
            }));
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle;
    use crate::{Budget, Counts};
    use broadside_rules::{Rules, ShotLog};

    #[test]
    fn listing_gives_the_counts_of_the_definition() {
        let positions = [
            ("4x4 3,2 allowed ship", ""),
            ("5x5 3,2,2 allowed ship", "B2+ C2+ D4- B3+ C1#2 A1- E2-"),
            ("4x5 2,2,1 allowed silent", "B2+ B3+ D1-"),
            ("3x4 2,2,2 allowed ship", "A1+"),
        ];
        for (rules, shots) in positions {
            let log = ShotLog::parse(&rules.parse::<Rules>().unwrap(), shots).unwrap();
            let problem = Problem::from_log(&log);
            let (layouts, cells) = list_all(&problem, |_| 1_u64);
            let listed = Counts::new(problem.grid(), layouts.into(), cells.into_iter().map(u128::from).collect());
            assert_eq!(listed, oracle::count(&log, Budget::default()).unwrap(), "{rules} {shots}");
        }
    }
}
