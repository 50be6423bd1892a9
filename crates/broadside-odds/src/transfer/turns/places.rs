//! The placements that a log allows, by the hits that they account for.

use broadside_rules::Placement;
use rustc_hash::FxHashMap;

use super::owed::{Hits, Owed};
use crate::Problem;

/// Some placements of a class, a bit for each.
pub(super) type Set<const W: usize> = [u64; W];

/// The placements of a class that account for the same hits.
#[derive(Debug)]
pub(super) struct Group<const W: usize> {
    pub(super) hits: Hits,
    pub(super) places: Set<W>,
    /// The same as numbers.
    pub(super) numbers: Vec<u32>,
}

/// For each class of ships its placements, each with the hits that it accounts for.
pub(super) struct Choices {
    /// Longest ships first.
    pub(super) classes: Vec<Vec<(Placement, Hits)>>,
    /// The ships of each.
    pub(super) ships: Vec<usize>,
}

impl Choices {
    pub(super) fn new(problem: &Problem, owed: &Owed<'_>) -> Self {
        let places = |class: &crate::ShipClass| class.placements().filter_map(|ship| Some((ship, owed.hits_of(ship)?))).collect();
        Self {
            classes: problem.classes.iter().map(places).collect(),
            ships: problem.classes.iter().map(|class| class.count).collect(),
        }
    }

    /// The most placements of a class.
    pub(super) fn most(&self) -> usize {
        self.classes.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// About what their tables take on a board of so many cells, with sets of so many words.
    pub(super) fn bytes(&self, cells: usize, words: usize) -> usize {
        let places: usize = self.classes.iter().map(Vec::len).sum();
        // Placements over each cell, and clashes, with every class; a group, at the worst, for each placement.
        let sets = (cells + places) * self.classes.len() + 2 * places;
        sets * words * 8 + 2 * places * size_of::<(Placement, Hits)>()
    }
}

/// The placements with what they clash with.
#[derive(Debug)]
pub(super) struct Places<const W: usize> {
    /// For each class its placements.
    pub(super) ships: Vec<Vec<Placement>>,
    pub(super) groups: Vec<Vec<Group<W>>>,
    /// For each class and placement, and for each class again, the placements that can't lie beside it.
    clashes: Vec<Vec<Set<W>>>,
}

impl<const W: usize> Places<W> {
    pub(super) fn new(problem: &Problem, choices: &Choices) -> Self {
        let ships: Vec<Vec<Placement>> =
            choices.classes.iter().map(|places| places.iter().map(|(ship, _)| *ship).collect()).collect();
        let groups = choices.classes.iter().map(|places| groups(places)).collect();
        let clashes = clashes(problem, &ships);
        Self { ships, groups, clashes }
    }

    /// The placements of another class that can't lie beside this one.
    #[inline]
    pub(super) fn clashing(&self, class: usize, place: usize, other: usize) -> &Set<W> {
        &self.clashes[class][place * self.ships.len() + other]
    }
}

fn groups<const W: usize>(places: &[(Placement, Hits)]) -> Vec<Group<W>> {
    let (mut groups, mut known): (Vec<Group<W>>, FxHashMap<Hits, usize>) = (Vec::new(), FxHashMap::default());
    for (number, &(_, hits)) in places.iter().enumerate() {
        let at = *known.entry(hits).or_insert_with(|| {
            groups.push(Group { hits, places: [0; W], numbers: Vec::new() });
            groups.len() - 1
        });
        groups[at].places[number / 64] |= 1 << (number % 64);
        groups[at].numbers.push(number as u32);
    }
    groups
}

/// For each class and placement, and for each class again, the placements that can't lie beside it: those over one of its blocked cells.
fn clashes<const W: usize>(problem: &Problem, ships: &[Vec<Placement>]) -> Vec<Vec<Set<W>>> {
    let (grid, classes) = (problem.grid(), ships.len());
    let mut over = vec![[0; W]; grid.len() * classes];
    for (class, places) in ships.iter().enumerate() {
        for (number, ship) in places.iter().enumerate() {
            ship.cells().for_each(|cell| over[grid.index(cell) * classes + class][number / 64] |= 1 << (number % 64));
        }
    }
    let of_ship = |ship: &Placement| {
        let mut sets = vec![[0; W]; classes];
        for cell in ship.blocked_cells(grid, problem.touch).iter() {
            for (set, more) in sets.iter_mut().zip(&over[grid.index(cell) * classes..]) {
                set.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
            }
        }
        sets
    };
    ships.iter().map(|places| places.iter().flat_map(of_ship).collect()).collect()
}

/// The members of a set.
#[inline]
pub(super) fn members<const W: usize>(set: &Set<W>) -> impl Iterator<Item = usize> + use<W> {
    let set = *set;
    (0..W).flat_map(move |word| crate::problem::bits(set[word]).map(move |bit| word * 64 + bit))
}

#[inline(always)]
pub(super) fn size<const W: usize>(set: &Set<W>) -> u64 {
    set.iter().map(|word| u64::from(word.count_ones())).sum()
}

#[inline(always)]
pub(super) fn both<const W: usize>(a: &Set<W>, b: &Set<W>) -> Set<W> {
    std::array::from_fn(|word| a[word] & b[word])
}

#[inline(always)]
pub(super) fn without<const W: usize>(a: &Set<W>, b: &Set<W>) -> Set<W> {
    std::array::from_fn(|word| a[word] & !b[word])
}

/// All numbers above this one.
#[inline(always)]
pub(super) fn above<const W: usize>(number: usize) -> Set<W> {
    std::array::from_fn(|word| match word.cmp(&(number / 64)) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => u64::MAX << (number % 64) << 1,
        std::cmp::Ordering::Greater => u64::MAX,
    })
}

/// All numbers below this one.
#[inline(always)]
pub(super) fn below<const W: usize>(number: usize) -> Set<W> {
    std::array::from_fn(|word| match word.cmp(&(number / 64)) {
        std::cmp::Ordering::Less => u64::MAX,
        std::cmp::Ordering::Equal => (1 << (number % 64)) - 1,
        std::cmp::Ordering::Greater => 0,
    })
}
