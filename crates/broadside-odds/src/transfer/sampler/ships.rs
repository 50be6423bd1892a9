//! The placements that a log allows, as sets of cells in a fixed number of words.

use broadside_rules::{CellSet, Grid, Orientation, Placement, Touch};

use crate::Problem;

/// A set of cells: bit = number in reading order.
pub(super) type Words<const W: usize> = [u128; W];

/// A placement that the log allows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ship<const W: usize> {
    /// Its cells.
    pub(super) cells: Words<W>,
    /// The cells that no other ship may take.
    pub(super) blocked: Words<W>,
}

/// All placements that the log allows. Those of one class that cover no hit stand side by side.
#[derive(Debug)]
pub(super) struct Ships<const W: usize> {
    pub(super) list: Vec<Ship<W>>,
    pub(super) placements: Vec<Placement>,
    /// For each class, its placements that cover no hit.
    pub(super) free: Vec<std::ops::Range<u32>>,
    /// The placements that cover hits.
    pub(super) covering: Vec<Covering>,
    /// The number of hits that must be covered.
    pub(super) hits: u32,
    /// The number of ships of each class.
    pub(super) counts: Vec<usize>,
}

/// A placement that covers hits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Covering {
    /// Its index in the list of placements.
    pub(super) ship: u32,
    /// Its class.
    pub(super) class: usize,
    /// The hits that it covers, by their number.
    pub(super) hits: u128,
}

impl<const W: usize> Ships<W> {
    /// The placements of a problem; `None` when there are more than 128 hits to cover.
    pub(super) fn new(problem: &Problem) -> Option<Self> {
        let must = must_words::<W>(problem);
        let hits = must.iter().map(|word| word.count_ones()).sum();
        if hits > u128::BITS {
            return None;
        }
        let counts = problem.classes.iter().map(|class| class.count).collect();
        let mut ships = Self { list: vec![], placements: vec![], free: vec![], covering: vec![], hits, counts };
        for class in 0..problem.classes.len() {
            ships.add_class(problem, class, &must);
        }
        Some(ships)
    }

    fn add_class(&mut self, problem: &Problem, class: usize, must: &Words<W>) {
        let (grid, touch) = (problem.grid(), problem.touch);
        let mut covering = vec![];
        let first = self.list.len() as u32;
        let length = problem.classes[class].length;
        let firsts: [Words<W>; 2] =
            [Orientation::Horizontal, Orientation::Vertical].map(|orientation| first_cells(problem.cols, length, orientation));
        self.list.reserve(problem.classes[class].choices());
        self.placements.reserve(problem.classes[class].choices());
        for placement in problem.classes[class].placements() {
            let bow = placement.bow();
            let at_first = &firsts[usize::from(placement.orientation() == Orientation::Vertical)];
            let cells = shifted(at_first, bow.row() * problem.cols + bow.col());
            let blocked = if touch == Touch::Allowed { cells } else { words(&placement.blocked_cells(grid, touch)) };
            let ship = Ship { cells, blocked };
            let covered = both(&ship.cells, must);
            if covered == [0; W] && !meet(&ship.blocked, must) {
                self.push(ship, placement);
            } else if covered == both(&ship.blocked, must) {
                covering.push((ship, placement, covered));
            }
            // Else a hit beside the ship could be covered by no other.
        }
        self.free.push(first..self.list.len() as u32);
        for (ship, placement, covered) in covering {
            let hits = numbers(&covered, must);
            self.covering.push(Covering { ship: self.list.len() as u32, class, hits });
            self.push(ship, placement);
        }
    }

    fn push(&mut self, ship: Ship<W>, placement: Placement) {
        self.list.push(ship);
        self.placements.push(placement);
    }
}

/// Whether two sets share a cell.
#[inline]
pub(super) fn meet<const W: usize>(a: &Words<W>, b: &Words<W>) -> bool {
    both(a, b) != [0; W]
}

/// Adds the cells of a set to another.
#[inline]
pub(super) fn add<const W: usize>(to: &mut Words<W>, more: &Words<W>) {
    for word in 0..W {
        to[word] |= more[word];
    }
}

#[inline]
fn both<const W: usize>(a: &Words<W>, b: &Words<W>) -> Words<W> {
    std::array::from_fn(|word| a[word] & b[word])
}

/// The cells of a ship with its bow on the first cell of a board of so many columns. Its other placements are shifts of it: to make
/// a set of another kind for each would take most of the time of a new sampler.
fn first_cells<const W: usize>(cols: usize, length: usize, orientation: Orientation) -> Words<W> {
    let stride = if orientation == Orientation::Horizontal { 1 } else { cols };
    let mut words = [0; W];
    for cell in (0..length).map(|i| i * stride).take_while(|cell| *cell < 128 * W) {
        words[cell / 128] |= 1 << (cell % 128);
    }
    words
}

/// A set moved by so many cells.
fn shifted<const W: usize>(set: &Words<W>, by: usize) -> Words<W> {
    let (words, bits) = (by / 128, by % 128);
    std::array::from_fn(|at| {
        let word = |back: usize| at.checked_sub(words + back).map_or(0, |at| set[at]);
        word(0) << bits | if bits == 0 { 0 } else { word(1) >> (128 - bits) }
    })
}

fn words<const W: usize>(set: &CellSet) -> Words<W> {
    std::array::from_fn(|word| set.words().get(word).copied().unwrap_or(0))
}

/// The set of cells of these words.
#[inline]
pub(super) fn cell_set<const W: usize>(grid: Grid, words: &Words<W>) -> CellSet {
    CellSet::from_bits(grid, words[0]).unwrap_or_else(|| {
        let cells = words.iter().enumerate().flat_map(|(at, &word)| bits(word).map(move |bit| at * 128 + bit));
        CellSet::from_cells(grid, cells.filter_map(|cell| grid.cell(cell)))
    })
}

/// The bits of a word.
pub(super) fn bits(mut word: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(bit)
    })
}

fn must_words<const W: usize>(problem: &Problem) -> Words<W> {
    let mut must = [0; W];
    for (row, &mask) in problem.must.iter().enumerate() {
        for col in crate::problem::bits(mask) {
            let cell = row * problem.cols + col;
            must[cell / 128] |= 1 << (cell % 128);
        }
    }
    must
}

/// The numbers of some hits among all hits, as bits.
fn numbers<const W: usize>(some: &Words<W>, all: &Words<W>) -> u128 {
    let (mut numbers, mut before) = (0, 0);
    for (&some, &all) in some.iter().zip(all) {
        let number = |hit: usize| before + (all & ((1 << hit) - 1)).count_ones();
        numbers |= bits(some).fold(0_u128, |numbers, hit| numbers | 1 << number(hit));
        before += all.count_ones();
    }
    numbers
}
