//! Few choices left: listing layouts is cheaper than any sweep.
//!
//! Late in a game the ships that are left have few places. One loop inside the other lists the layouts; each placement counts
//! those that it is part of, and the cells follow from the placements at the end.

use super::branch::sweep_cost;
use crate::problem::{Problem, ShipClass, bits, low_bits};

/// Layouts listed in the time of one unit of [`sweep_cost`], about a microsecond.
const LISTED: f64 = 200.0;

/// The layouts of a problem, and for each cell those with a ship there, if listing them is cheaper than a sweep.
pub(crate) fn list(problem: &Problem) -> Option<(u64, Vec<u64>)> {
    let fits = problem.cells() <= u128::BITS as usize && ways(problem) <= LISTED * sweep_cost(problem) as f64;
    fits.then(|| Listing::new(problem).counts(problem.cells()))
}

/// At least the number of layouts: the ways to choose places for each class by itself.
fn ways(problem: &Problem) -> f64 {
    let choose = |n: usize, k: usize| (0..k).map(|i| n.saturating_sub(i) as f64 / (i + 1) as f64).product::<f64>();
    problem.classes.iter().map(|class| choose(class.choices(), class.count)).product()
}

/// A placement as a set of cells, and the layouts that it is part of.
struct Place {
    cells: u128,
    layouts: u64,
}

struct Listing {
    /// For each class its places.
    places: Vec<Vec<Place>>,
    /// For each ship its class.
    ships: Vec<usize>,
    /// The cells that must be covered.
    must: u128,
}

impl Listing {
    fn new(problem: &Problem) -> Self {
        let must = problem.must.iter().rev().fold(0, |must, &row| must << problem.cols | u128::from(row));
        let classes = problem.classes.iter().enumerate();
        Self {
            places: problem.classes.iter().map(|class| places(class, problem.cols)).collect(),
            ships: classes.flat_map(|(class, ships)| std::iter::repeat_n(class, ships.count)).collect(),
            must,
        }
    }

    /// All layouts, and those with a ship on each of the cells.
    fn counts(mut self, cells: usize) -> (u64, Vec<u64>) {
        let layouts = self.place(0, 0, 0);
        let mut counts = vec![0; cells];
        for place in self.places.iter().flatten().filter(|place| place.layouts > 0) {
            let mut left = place.cells;
            while left != 0 {
                counts[left.trailing_zeros() as usize] += place.layouts;
                left &= left - 1;
            }
        }
        (layouts, counts)
    }

    /// Places the ships from number `ship` on, the first of them not before the place `from`; says in how many ways.
    fn place(&mut self, ship: usize, from: usize, taken: u128) -> u64 {
        let Some(&class) = self.ships.get(ship) else {
            return u64::from(self.must & !taken == 0);
        };
        // Ships of one class are placed in order, so that each layout is met once.
        let ordered = self.ships.get(ship + 1) == Some(&class);
        let mut layouts = 0;
        for at in from..self.places[class].len() {
            let cells = self.places[class][at].cells;
            if cells & taken == 0 {
                let found = self.place(ship + 1, if ordered { at + 1 } else { 0 }, taken | cells);
                self.places[class][at].layouts += found;
                layouts += found;
            }
        }
        layouts
    }
}

/// The places of a class on a board of so many columns.
fn places(class: &ShipClass, cols: usize) -> Vec<Place> {
    if class.count == 0 {
        return vec![];
    }
    let horizontal = u128::from(low_bits(class.length));
    let vertical = (0..class.length).fold(0, |cells, row| cells | 1 << (row * cols));
    let starts = |masks: &[u64], cells: u128| -> Vec<Place> {
        let rows = masks.iter().enumerate();
        let at = rows.flat_map(|(row, &mask)| bits(mask).map(move |col| row * cols + col));
        at.map(|at| Place { cells: cells << at, layouts: 0 }).collect()
    };
    let mut places = starts(&class.horizontal, horizontal);
    places.extend(if class.vertical.iter().any(|&mask| mask != 0) { starts(&class.vertical, vertical) } else { vec![] });
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
            let (layouts, cells) = Listing::new(&problem).counts(problem.cells());
            let listed = Counts::new(problem.grid(), layouts.into(), cells.into_iter().map(u128::from).collect());
            assert_eq!(listed, oracle::count(&log, Budget::default()).unwrap(), "{rules} {shots}");
        }
    }
}
