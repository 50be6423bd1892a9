//! The placements of a problem by number, and which of them clash.

use std::ops::Range;

use crate::Problem;
use crate::problem::ShipPosition;
use crate::transfer::profile::placements;

/// Placements in a word of a set.
pub(super) const WORD: usize = u64::BITS as usize;

/// All placements. A set of them has a bit for each, and those of a class begin with a word.
#[derive(Debug)]
pub(super) struct Places {
    /// By number; none where a class ends within a word.
    pub(super) list: Vec<Option<ShipPosition>>,
    /// For each class the words of its placements.
    pub(super) classes: Vec<Range<usize>>,
    /// For each placement the set of those that it clashes with, itself among them.
    clashes: Vec<u64>,
    /// For each placement the hits that it covers, by their number.
    pub(super) covers: Vec<u128>,
}

impl Places {
    /// The memory that the tables of a problem take, in bytes, about.
    pub(super) fn bytes(problem: &Problem) -> usize {
        let places: usize = problem.classes.iter().map(|class| class.choices() + WORD).sum();
        places.saturating_mul(places) / 8
    }

    pub(super) fn new(problem: &Problem) -> Self {
        let mut places = Self { list: vec![], classes: vec![], clashes: vec![], covers: vec![] };
        for class in 0..problem.classes.len() {
            let first = places.list.len() / WORD;
            let mut ships: Vec<ShipPosition> = placements(problem).filter(|(of, _)| *of == class).map(|(_, ship)| ship).collect();
            // Neighbours side by side, so that what a ship takes away lies in few words.
            ships.sort_by_key(|ship| 2 * ship.row + if ship.vertical { ship.length } else { 1 });
            places.list.extend(ships.into_iter().map(Some));
            places.list.resize(places.list.len().next_multiple_of(WORD), None);
            places.classes.push(first..places.list.len() / WORD);
        }
        places.clashes = places.all_clashes(problem);
        places.covers = places.list.iter().map(|ship| ship.map_or(0, |ship| hits_covered(problem, ship))).collect();
        places
    }

    /// Words of a set.
    pub(super) fn words(&self) -> usize {
        self.list.len() / WORD
    }

    /// The set of all placements.
    pub(super) fn all(&self) -> Vec<u64> {
        let mut all = vec![0; self.words()];
        self.numbers().for_each(|(place, _)| all[place / WORD] |= 1 << (place % WORD));
        all
    }

    /// All placements with their numbers.
    pub(super) fn numbers(&self) -> impl Iterator<Item = (usize, ShipPosition)> {
        self.list.iter().enumerate().filter_map(|(place, ship)| Some((place, (*ship)?)))
    }

    /// The set of placements that clash with one.
    #[inline(always)]
    pub(super) fn clashes(&self, place: usize) -> &[u64] {
        let words = self.words();
        &self.clashes[place * words..][..words]
    }

    /// The class of a placement.
    pub(super) fn class(&self, place: usize) -> usize {
        self.classes.partition_point(|words| words.end * WORD <= place)
    }

    fn all_clashes(&self, problem: &Problem) -> Vec<u64> {
        let words = self.words();
        let mut clashes = vec![0; self.list.len() * words];
        let cells: Vec<Vec<u64>> = self.list.iter().map(|ship| ship.map_or_else(Vec::new, |ship| rows(&ship))).collect();
        for (place, ship) in self.numbers() {
            let reached = ship.reached_rows(problem.rows);
            let reach: Vec<u64> = reached.clone().map(|row| ship.reach(problem.touch, row)).collect();
            for (other, at) in self.numbers() {
                let first = at.row.max(reached.start);
                let meets = (first..(at.row + cells[other].len()).min(reached.end))
                    .any(|row| reach[row - reached.start] & cells[other][row - at.row] != 0);
                clashes[place * words + other / WORD] |= u64::from(meets) << (other % WORD);
            }
        }
        clashes
    }
}

/// The cells of a ship, row by row from its first.
fn rows(ship: &ShipPosition) -> Vec<u64> {
    ship.rows().map(|row| ship.cells(row)).collect()
}

fn hits_covered(problem: &Problem, ship: ShipPosition) -> u128 {
    let hits = problem.must.iter().enumerate().flat_map(|(row, &mask)| crate::problem::bits(mask).map(move |col| (row, col)));
    hits.enumerate().filter(|(_, (row, col))| ship.cells(*row) >> col & 1 == 1).fold(0, |set, (hit, _)| set | 1 << hit)
}

/// The numbers in a set.
pub(super) fn members(set: &[u64]) -> impl Iterator<Item = usize> {
    set.iter().enumerate().flat_map(|(word, &mask)| crate::problem::bits(mask).map(move |bit| word * WORD + bit))
}

/// How many are in a set.
#[inline(always)]
pub(super) fn size(set: &[u64]) -> u64 {
    set.iter().map(|word| u64::from(word.count_ones())).sum()
}
