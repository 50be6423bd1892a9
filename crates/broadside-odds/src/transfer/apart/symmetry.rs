//! Turns and mirror images of the board that leave a problem as it is.

use std::collections::{HashMap, HashSet};

use super::places::Places;
use crate::Problem;
use crate::problem::ShipPosition;

/// One of the eight ways to turn or mirror a square, of which four are possible on other boards: rows and columns are
/// exchanged or not, then each is counted from its other end or not.
#[derive(Clone, Copy, Debug)]
struct Turn {
    transposed: bool,
    rows_reversed: bool,
    cols_reversed: bool,
}

impl Turn {
    const ALL: [Self; 8] = {
        let mut all = [Self { transposed: false, rows_reversed: false, cols_reversed: false }; 8];
        let mut at = 0;
        while at < 8 {
            all[at] = Self { transposed: at & 4 != 0, rows_reversed: at & 2 != 0, cols_reversed: at & 1 != 0 };
            at += 1;
        }
        all
    };

    fn cell(self, problem: &Problem, (row, col): (usize, usize)) -> (usize, usize) {
        let (row, col) = if self.transposed { (col, row) } else { (row, col) };
        let row = if self.rows_reversed { problem.rows - 1 - row } else { row };
        (row, if self.cols_reversed { problem.cols - 1 - col } else { col })
    }

    fn ship(self, problem: &Problem, ship: ShipPosition) -> ShipPosition {
        let (row, col) = ship.each_cell().map(|cell| self.cell(problem, cell)).min().expect("a ship has cells");
        ShipPosition { length: ship.length, row, col, vertical: ship.length > 1 && (ship.vertical != self.transposed) }
    }
}

/// The turns that leave the placements of a problem as they are, where there are more than one.
pub(super) struct Symmetry {
    /// For each turn where each cell goes.
    cells: Vec<Vec<usize>>,
    /// For each turn where each placement goes.
    places: Vec<HashMap<usize, usize>>,
}

impl Symmetry {
    /// The symmetry of a problem without hits; none if only the board as it is leaves it as it is.
    pub(super) fn find(places: &Places, problem: &Problem) -> Option<Self> {
        let numbers: HashMap<ShipPosition, usize> = places.numbers().map(|(place, ship)| (ship, place)).collect();
        let mut symmetry = Self { cells: vec![], places: vec![] };
        for turn in Turn::ALL.into_iter().filter(|turn| !turn.transposed || problem.rows == problem.cols) {
            let image = |(place, ship)| Some((place, *numbers.get(&turn.ship(problem, ship))?));
            if let Some(images) = places.numbers().map(image).collect::<Option<_>>() {
                let cells = (0..problem.cells()).map(|cell| turn.cell(problem, (cell / problem.cols, cell % problem.cols)));
                symmetry.cells.push(cells.map(|(row, col)| row * problem.cols + col).collect());
                symmetry.places.push(images);
            }
        }
        (symmetry.len() > 1).then_some(symmetry)
    }

    /// How many turns there are.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Where a cell goes, for each turn.
    pub(super) fn images(&self, cell: usize) -> impl Iterator<Item = usize> {
        self.cells.iter().map(move |cells| cells[cell])
    }

    /// One of each set of placements that are images of each other, and how many these are.
    pub(super) fn representatives(&self, places: Vec<usize>) -> Vec<(usize, u64)> {
        let images = |place: usize| self.places.iter().map(|images| images[&place]).collect::<HashSet<_>>();
        let first = |&(place, ref images): &(usize, HashSet<usize>)| images.iter().all(|&image| place <= image);
        let all = places.into_iter().map(|place| (place, images(place)));
        all.filter(first).map(|(place, images)| (place, images.len() as u64)).collect()
    }
}
