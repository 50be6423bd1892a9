//! Layouts to play on, ready to answer shots.

use broadside_rules::{Answer, Call, Grid, Length, Placement, Rules};

use crate::bits::Bits;

/// Some layouts of one fleet, each ship as a set of cells.
#[derive(Clone, Debug)]
pub(crate) struct Boards<B> {
    grid: Grid,
    call: Call,
    /// The lengths of the ships, longest first.
    lengths: Vec<Length>,
    /// The ships of one layout after the other, in the order of the lengths.
    ships: Vec<B>,
}

impl<B: Bits> Boards<B> {
    pub(crate) fn new(rules: &Rules) -> Self {
        let lengths = rules.fleet().lengths().to_vec();
        Self { grid: rules.grid(), call: rules.call(), lengths, ships: Vec::new() }
    }

    /// Adds a layout, given as its ships in any order.
    pub(crate) fn push(&mut self, ships: &[Placement]) {
        let first = self.ships.len();
        for run in self.lengths.chunk_by(|a, b| a == b) {
            let of_length = ships.iter().filter(|ship| ship.length() == run[0]);
            self.ships.extend(of_length.map(|ship| cells::<B>(self.grid, *ship)));
        }
        debug_assert_eq!(self.ships.len() - first, self.lengths.len(), "a layout of another fleet");
    }

    /// Adds all of these.
    pub(crate) fn extend(&mut self, layouts: &[Vec<Placement>]) {
        for ships in layouts {
            self.push(ships);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.ships.clear();
    }

    /// How many layouts there are.
    pub(crate) fn len(&self) -> usize {
        self.ships.len() / self.lengths.len()
    }

    /// What a shot at a cell is answered when these cells were fired at before.
    #[inline]
    pub(crate) fn answer(&self, board: usize, cell: usize, fired: B) -> Answer {
        let ships = &self.ships[board * self.lengths.len()..][..self.lengths.len()];
        let Some(number) = ships.iter().position(|ship| ship.has(cell)) else { return Answer::Miss };
        let sinks = (ships[number] & !fired & !B::only(cell)).is_empty();
        Answer::for_hit(self.call, self.lengths[number], sinks)
    }
}

impl<B: Bits> Boards<B> {
    /// For each cell in reading order, how many of the layouts have a ship there.
    pub(crate) fn covered(&self) -> Vec<u32> {
        let mut covered = vec![0; self.grid.len()];
        for ship in &self.ships {
            ship.iter().for_each(|cell| covered[cell] += 1);
        }
        covered
    }
}

fn cells<B: Bits>(grid: Grid, ship: Placement) -> B {
    ship.cells().fold(B::EMPTY, |set, cell| set | B::only(grid.index(cell)))
}
