//! `density-plain`: the same shots as `density`, found by a plain loop over placements.
//!
//! It says what `density` means in the plainest way, so it is the oracle that `density` is tested against and the
//! yardstick that its speed is measured by.

use broadside_rules::{Cell, Placement, Rules, ShotLog, Touch};

use crate::bits::Bits;
use crate::chart::Chart;
use crate::density::{last_resort, reason};
use crate::{Captain, GameRng, Reason};

/// Density by a plain loop over placements.
pub(crate) struct PlainDensity<B> {
    chart: Chart<B>,
    /// For each length of the fleet, longest first, where a ship of it can lie.
    berths: Vec<(usize, Vec<Berth>)>,
}

/// A place for a ship: the cells it covers and those that the touch rule keeps free of other ships.
struct Berth {
    cells: Vec<usize>,
    around: Vec<usize>,
}

impl<B: Bits> PlainDensity<B> {
    pub(crate) fn new(rules: &Rules) -> Self {
        let (grid, touch) = (rules.grid(), rules.touch());
        let berth = |ship: Placement| Berth {
            cells: ship.cells().map(|cell| grid.index(cell)).collect(),
            around: around(ship, rules, touch),
        };
        let lengths = rules.fleet().classes().map(|(length, _)| length);
        let berths = lengths.map(|length| (length.get(), Placement::all(grid, length).map(berth).collect()));
        Self { berths: berths.collect(), chart: Chart::new(rules) }
    }

    /// For each cell the numbers of placements through it, by the live hits that they cover.
    fn counts(&self) -> Vec<Vec<usize>> {
        let (live, hits) = (self.chart.live(), self.chart.hits());
        let blocked = (self.chart.fired() & !hits) | self.chart.sunk();
        let longest = self.chart.left().longest();
        let mut counts = vec![vec![0; longest + 1]; self.chart.field().grid().len()];
        for (length, berths) in &self.berths {
            let ships = self.chart.left().classes().find(|(l, _)| l == length).map_or(0, |(_, count)| count);
            for berth in berths.iter().filter(|_| ships > 0) {
                let free = berth.cells.iter().all(|&cell| !blocked.has(cell));
                if free && !berth.around.iter().any(|&cell| hits.has(cell)) {
                    let through = berth.cells.iter().filter(|&&cell| live.has(cell)).count();
                    berth.cells.iter().for_each(|&cell| counts[cell][through] += ships);
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
        self.chart.read(log);
        let counts = self.counts();
        let worth = |cell: usize| counts[cell].iter().rev();
        // Of equals `max_by` keeps the last, so the first in reading order must come last.
        let cells: Vec<usize> = self.chart.unfired().iter().collect();
        let best = cells.into_iter().rev().max_by(|&a, &b| worth(a).cmp(worth(b))).expect("a cell to fire at");
        let counted = counts[best].iter().any(|&count| count > 0);
        self.chart.field().cell(if counted { best } else { last_resort(&self.chart) })
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let cell = self.aim(log, rng);
        let counts = self.counts();
        reason(&self.chart, cell, |index| counts[index].clone())
    }
}
