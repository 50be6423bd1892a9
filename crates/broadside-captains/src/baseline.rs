//! `density-plain`: the same shots as `density`, found by a plain loop over placements.
//!
//! It is the simplest form of `density`: tests compare `density` with it, and the speed of `density` is measured against it.
//! Nobody should use it for anything else.

use broadside_rules::{Cell, Placement, Rules, ShotLog, Touch};

use crate::bits::Bits;
use crate::density::{fallback_shot, reason};
use crate::position::Position;
use crate::{Captain, GameRng, Reason};

/// Density by a plain loop over placements.
pub(crate) struct PlainDensity<B> {
    position: Position<B>,
    /// For each length of the fleet, longest first, where a ship of it can lie.
    places: Vec<(usize, Vec<Place>)>,
}

/// A place for a ship: the cells it covers and those that the touch rule keeps free of other ships.
struct Place {
    cells: Vec<usize>,
    around: Vec<usize>,
}

impl<B: Bits> PlainDensity<B> {
    pub(crate) fn new(rules: &Rules) -> Self {
        let (grid, touch) = (rules.grid(), rules.touch());
        let place = |ship: Placement| Place {
            cells: ship.cells().map(|cell| grid.index(cell)).collect(),
            around: around(ship, rules, touch),
        };
        let lengths = rules.fleet().classes().map(|(length, _)| length);
        let places = lengths.map(|length| (length.get(), Placement::all(grid, length).map(place).collect()));
        Self { places: places.collect(), position: Position::new(rules) }
    }

    /// For each cell the numbers of placements through it, by the live hits that they cover.
    fn counts(&self) -> Vec<Vec<usize>> {
        let (live, hits) = (self.position.live(), self.position.hits());
        let blocked = (self.position.fired() & !hits) | self.position.sunk();
        let longest = self.position.left().longest();
        let mut counts = vec![vec![0; longest + 1]; self.position.board().grid().len()];
        for (length, places) in &self.places {
            let ships = self.position.left().classes().find(|(l, _)| l == length).map_or(0, |(_, count)| count);
            for place in places.iter().filter(|_| ships > 0) {
                let free = place.cells.iter().all(|&cell| !blocked.has(cell));
                if free && !place.around.iter().any(|&cell| hits.has(cell)) {
                    let through = place.cells.iter().filter(|&&cell| live.has(cell)).count();
                    place.cells.iter().for_each(|&cell| counts[cell][through] += ships);
                }
            }
        }
        counts
    }
}

/// The cells around a ship on which the touch rule allows no other.
fn around(ship: Placement, rules: &Rules, touch: Touch) -> Vec<usize> {
    let grid = rules.grid();
    let near = |cell: Cell| match touch {
        Touch::Allowed => vec![],
        Touch::Corners => grid.side_neighbours(cell).collect(),
        Touch::Never => grid.side_neighbours(cell).chain(grid.corner_neighbours(cell)).collect(),
    };
    let near = ship.cells().flat_map(near).filter(|&cell| ship.cells().all(|own| own != cell));
    near.map(|cell| grid.index(cell)).collect()
}

impl<B: Bits> Captain for PlainDensity<B> {
    fn name(&self) -> &'static str {
        "density-plain"
    }

    fn aim(&mut self, log: &ShotLog, _rng: &mut GameRng) -> Cell {
        self.position.read(log);
        let counts = self.counts();
        let key = |cell: usize| counts[cell].iter().rev();
        // Of equals `max_by` keeps the last, so the first in reading order must come last.
        let cells: Vec<usize> = self.position.unfired().iter().collect();
        let best = cells.into_iter().rev().max_by(|&a, &b| key(a).cmp(key(b))).expect("a cell to fire at");
        let counted = counts[best].iter().any(|&count| count > 0);
        self.position.board().cell(if counted { best } else { fallback_shot(&self.position) })
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let cell = self.aim(log, rng);
        let counts = self.counts();
        reason(&self.position, cell, |index| counts[index].clone())
    }
}
