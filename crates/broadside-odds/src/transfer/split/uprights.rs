//! The sweep for at most two upright ships.
//!
//! Level `l` is the number of upright ships that have been allotted: a board for at most `most`
//! of them begins at level `2 - most`, and a ship that ends leads to the next level. At each
//! level there is, per row, the polynomial of the ways to come there with no ship active, and per
//! column and row a vector of them, one lane for each active ship by its first row. States with
//! two active ships are the business of [`super::pairs`]: they are fed by states with one active
//! ship at level 0 only, and feed such states at level 1 only, so every pair of columns can be
//! swept alone.
//!
//! The order of work: down at level 0; up at level 1; all pairs, each down and up; down at level
//! 1; up at level 0. Whenever the ways to come to a row and their worth below it are both known,
//! their product is what the row's polynomial is worth.

use super::columns::{Column, Crossing, mask_lanes};
use super::fleet::Limited;
use super::lanes::{Lanes, Work, add_products, add_scaled, dense_adjoint, dense_product, meet, sum, wide};
use super::number::Number;
use super::polynomial::{add_product, add_quotient};
use super::strips::{Fill, Ground, Spread, Strips, extend, refill};
use super::weights::Weigh;

/// Sweeps end at level 2: no further upright ship.
pub(crate) const LEVELS: usize = 3;

/// The tables of one sweep. Those by column are `[open column][row][part]`.
#[derive(Debug, Default)]
pub(crate) struct Tables<N> {
    /// Number of parts.
    pub(crate) len: usize,
    /// Number of rows.
    pub(crate) rows: usize,
    /// Per level, `[row][part]`: ways to come above the row with no ship active.
    ways: [Vec<N>; LEVELS],
    /// Per level, `[row][part]`: what that is worth.
    worth: [Vec<N>; LEVELS],
    /// Level 0, in the row: ways to come there with the slot's ship active.
    pub(crate) reached: Vec<Lanes<N>>,
    /// Level 1, row filled: worth of having the slot's ship active, which may end here.
    pub(crate) settled: Vec<Lanes<N>>,
    /// Level 1, row filled: worth of the slot's ship going on to the next row.
    pub(crate) onward: Vec<Lanes<N>>,
    /// Ways by which the other ship of a pair ends in the row while the slot's ship is active.
    pub(crate) joined: Vec<Lanes<N>>,
    /// Ways by which the other ship ends in the row while the slot's ship goes on.
    pub(crate) passed: Vec<Lanes<N>>,
    /// In the row: the worth of another ship starting beside the slot's.
    pub(crate) company: Vec<Lanes<N>>,
    /// `[row][part]`: the polynomial of the row without occupied columns.
    free: Vec<N>,
    /// `[open column][row][part]`: the row's polynomial with the column occupied.
    held: Vec<N>,
    /// Scratch for sums over lanes.
    meets: Vec<Lanes<N>>,
    /// The rows' own polynomials, and what they are worth.
    pub(crate) strips: Strips<N>,
    /// Scratch for a pair, see [`super::pairs`].
    pub(crate) pair: super::pairs::Scratch<N>,
}

impl<N: Number> Tables<N> {
    /// Makes room for a board.
    fn reset<W>(&mut self, ground: &Ground<'_, W>) {
        let (rows, len) = (ground.board.rows, ground.parts.len);
        (self.rows, self.len) = (rows, len);
        for table in self.ways.iter_mut().chain(&mut self.worth) {
            refill(table, (rows + 1) * len, N::ZERO);
        }
        let size = ground.open.len() * rows * len;
        extend(&mut self.settled, size, Lanes::zero());
        refill(&mut self.onward, size, Lanes::zero());
        if ground.most == 2 {
            extend(&mut self.reached, size, Lanes::zero());
            for table in [&mut self.joined, &mut self.passed, &mut self.company] {
                refill(table, size, Lanes::zero());
            }
        }
        refill(&mut self.meets, len, Lanes::zero());
        self.ways[LEVELS - 1 - ground.most][0] = N::ONE;
        self.worth.iter_mut().for_each(|worth| worth[(rows + 1) * len - 1] = N::ONE);
        self.strips.reset(ground);
    }

    /// Where a column and row begin in the tables by column.
    #[inline(always)]
    pub(crate) fn at(&self, open: usize, row: usize) -> usize {
        (open * self.rows + row) * self.len
    }

    /// Takes the row polynomials with at most one column occupied from the strips.
    fn take_rows(&mut self, open: usize) {
        self.free.clear();
        for row in 0..self.rows {
            self.free.extend(self.strips.coefficients(row, None));
        }
        self.held.clear();
        for at in 0..open {
            for row in 0..self.rows {
                self.held.extend(self.strips.coefficients(row, Some(at)));
            }
        }
    }
}

/// A board and its tables.
pub(crate) struct Sweep<'a, 'g, N, W> {
    /// The board.
    pub(crate) ground: &'a Ground<'g, W>,
    /// The tables.
    pub(crate) tables: &'a mut Tables<N>,
}

impl<N: Number, W: Weigh<N>> Sweep<'_, '_, N, W> {
    /// Adds what the ships on each cell are worth to `cells`, and returns the total.
    pub(crate) fn count(&mut self, cells: &mut [N]) -> N {
        let first = LEVELS - 1 - self.ground.most;
        self.tables.reset(self.ground);
        wide::<N>(Fill(&mut self.tables.strips, self.ground));
        self.tables.take_rows(self.ground.open.len());
        wide::<N>(Pass(self, cells));
        self.free_worths();
        wide::<N>(Spread(&self.tables.strips, self.ground, cells));
        self.tables.worth[first][0]
    }

    #[inline(always)]
    fn pass(&mut self, cells: &mut [N]) {
        let most = self.ground.most;
        if most == 2 {
            self.ways_on(0);
            self.down(0, cells);
        }
        self.worth_on(2);
        if most > 0 {
            self.ways_on(1);
            self.up(1, cells);
            self.worth_on(1);
        }
        if most == 2 {
            super::pairs::sweep(self.ground, self.tables, cells);
        }
        if most > 0 {
            self.down(1, cells);
        }
        self.ways_on(2);
        if most == 2 {
            self.up(0, cells);
            self.worth_on(0);
        }
    }

    /// Completes the ways of a level, given those that come from ended ships.
    fn ways_on(&mut self, level: usize) {
        let len = self.tables.len;
        for row in 0..self.tables.rows {
            let (above, below) = self.tables.ways[level].split_at_mut((row + 1) * len);
            let free = &self.tables.free[row * len..][..len];
            add_product(&mut below[..len], &above[row * len..], free, self.ground.parts);
        }
    }

    /// Completes the worth of a level, given that of starting ships.
    fn worth_on(&mut self, level: usize) {
        let len = self.tables.len;
        for row in (0..self.tables.rows).rev() {
            let (above, below) = self.tables.worth[level].split_at_mut((row + 1) * len);
            let free = &self.tables.free[row * len..][..len];
            add_quotient(&mut above[row * len..], &below[..len], free, self.ground.parts);
        }
    }

    /// What the polynomials of the rows without occupied columns are worth.
    fn free_worths(&mut self) {
        let len = self.tables.len;
        for level in LEVELS - 1 - self.ground.most..LEVELS {
            for row in 0..self.tables.rows {
                let out = &mut self.tables.strips.free_worths[row * len..][..len];
                let ways = &self.tables.ways[level][row * len..][..len];
                let worth = &self.tables.worth[level][(row + 1) * len..][..len];
                add_quotient(out, worth, ways, self.ground.parts);
            }
        }
    }

    /// Sweeps all columns down at a level, from the ways with no ship active to the ways of the
    /// next level that come from ended ships.
    #[inline(always)]
    fn down(&mut self, level: usize, cells: &mut [N]) {
        let (len, rows) = (self.tables.len, self.tables.rows);
        let parts = self.ground.parts.limited(usize::MAX);
        let mut here = vec![Lanes::zero(); len];
        let mut filled = here.clone();
        for (open, column) in self.ground.open.iter().enumerate() {
            filled.fill(Lanes::zero());
            for row in (0..rows).filter(|&row| column.cells[row].alive != 0) {
                self.arrive(level, column, row, &mut here, &filled);
                let at = self.tables.at(open, row);
                if level == 0 {
                    self.tables.reached[at..at + len].copy_from_slice(&here);
                } else {
                    let settled = &self.tables.settled[at..at + len];
                    meet_all(&here, settled, &mut self.tables.meets, parts);
                    self.credit(open, row, cells);
                }
                let held = &self.tables.held[at..at + len];
                dense_product(chunks_mut(&mut filled), chunks(&here), held, parts);
                let joined = level == 1 && self.ground.most == 2;
                if joined {
                    add_all(&mut filled, &self.tables.joined[at..at + len]);
                }
                self.end(level, column, row, &filled);
                if joined {
                    add_all(&mut filled, &self.tables.passed[at..at + len]);
                }
            }
        }
    }

    /// Notes what the row's polynomial with the column occupied is worth, as left in `meets`.
    #[inline(always)]
    fn credit(&mut self, open: usize, row: usize, cells: &mut [N]) {
        let at = self.tables.at(open, row);
        let Tables { strips, meets, held, len, .. } = &mut *self.tables;
        let worths = strips.at(row, open, 0);
        let cell = row * self.ground.board.cols + self.ground.open[open].col;
        for part in 0..*len {
            let n = sum(&meets[part]);
            let to = &mut strips.worths[worths + part][0];
            *to = to.plus(n);
            cells[cell] = cells[cell].plus(held[at + part].times(n));
        }
    }

    /// The ways to have a ship active in the row: from above, or started here.
    #[inline(always)]
    fn arrive(&self, level: usize, column: &Column, row: usize, here: &mut [Lanes<N>], above: &[Lanes<N>]) {
        let cell = &column.cells[row];
        let (keep, begin) = (cell.keep(), mask_lanes(cell.alive & !cell.kept()));
        let ways = &self.tables.ways[level][row * self.tables.len..];
        for ((here, above), &ways) in here.iter_mut().zip(above).zip(ways) {
            *here = Lanes::zero();
            add_products(here, above, &keep);
            add_scaled(here, &begin, ways);
        }
    }

    /// Adds the ships that end in the row to the ways of the next level.
    #[inline(always)]
    fn end(&mut self, level: usize, column: &Column, row: usize, filled: &[Lanes<N>]) {
        let below = &mut self.tables.ways[level + 1][(row + 1) * self.tables.len..];
        for (slot, place) in column.cells[row].ends(column.col) {
            let factor = self.ground.weights.weigh(N::ONE, place);
            for &(v, sum) in self.ground.parts.grown(place.class) {
                let to = &mut below[usize::from(sum)];
                *to = to.plus(factor.times(filled[usize::from(v)][slot]));
            }
        }
    }

    /// Sweeps all columns up at a level, from the worth of the next level to that of starting a
    /// ship at this one.
    #[inline(always)]
    fn up(&mut self, level: usize, cells: &mut [N]) {
        let (len, rows) = (self.tables.len, self.tables.rows);
        let parts = self.ground.parts.limited(usize::MAX);
        let mut settled = vec![Lanes::zero(); len];
        let mut here = settled.clone();
        for (open, column) in self.ground.open.iter().enumerate() {
            for row in (0..rows).rev().filter(|&row| column.cells[row].alive != 0) {
                self.settle(level, column, row, &mut settled, &here);
                let at = self.tables.at(open, row);
                let held = &self.tables.held[at..at + len];
                if level == 0 {
                    let reached = chunks(&self.tables.reached[at..at + len]);
                    let (out, worth) = (chunks_mut(&mut here), chunks(&settled));
                    dense_adjoint(out, &mut self.tables.meets, reached, worth, held, parts);
                    self.credit(open, row, cells);
                    add_all(&mut here, &self.tables.company[at..at + len]);
                } else {
                    dense_quotient(&mut here, &settled, held, parts);
                    self.tables.settled[at..at + len].copy_from_slice(&settled);
                    self.keep_onward(open, column, row, &here);
                }
                self.start(level, column, row, &here);
            }
        }
    }

    /// The worth of an active ship once the row is filled: to go on, or to end here.
    #[inline(always)]
    fn settle(&self, level: usize, column: &Column, row: usize, settled: &mut [Lanes<N>], below: &[Lanes<N>]) {
        let keep = column.cells.get(row + 1).map_or(Lanes::zero(), Crossing::keep);
        for (settled, below) in settled.iter_mut().zip(below) {
            *settled = Lanes::zero();
            add_products(settled, below, &keep);
        }
        let worth = &self.tables.worth[level + 1][(row + 1) * self.tables.len..];
        for (slot, place) in column.cells[row].ends(column.col) {
            let factor = self.ground.weights.weigh(N::ONE, place);
            let lane = mask_lanes::<N>(1 << slot).times(factor);
            for &(v, sum) in self.ground.parts.grown(place.class) {
                add_scaled(&mut settled[usize::from(v)], &lane, worth[usize::from(sum)]);
            }
        }
    }

    /// Keeps the worth of coming to this row from the one above.
    #[inline(always)]
    fn keep_onward(&mut self, open: usize, column: &Column, row: usize, here: &[Lanes<N>]) {
        if row > 0 {
            let keep = column.cells[row].keep();
            let at = self.tables.at(open, row - 1);
            let onward = &mut self.tables.onward[at..][..self.tables.len];
            for (onward, here) in onward.iter_mut().zip(here) {
                add_products(onward, here, &keep);
            }
        }
    }

    /// Adds the worth of the ship that starts in the row to that of no ship active.
    #[inline(always)]
    fn start(&mut self, level: usize, column: &Column, row: usize, here: &[Lanes<N>]) {
        if let Some(start) = column.cells[row].start {
            let worth = &mut self.tables.worth[level][row * self.tables.len..];
            for (worth, here) in worth.iter_mut().zip(here) {
                *worth = worth.plus(here[usize::from(start)]);
            }
        }
    }
}

/// What each coefficient is worth between the ways above and the worth below, by lanes.
#[inline(always)]
fn meet_all<N: Number>(ways: &[Lanes<N>], worth: &[Lanes<N>], meets: &mut [Lanes<N>], parts: Limited<'_>) {
    for (m, to) in (0..=u16::MAX).zip(meets) {
        *to = meet(ways, worth, parts.sums(m));
    }
}

/// `out[v] = Σ_m coefficients[m] * worth[v + m]`.
#[inline(always)]
fn dense_quotient<N: Number>(out: &mut [Lanes<N>], worth: &[Lanes<N>], coefficients: &[N], parts: Limited<'_>) {
    for (v, out) in (0..=u16::MAX).zip(out) {
        *out = Lanes::zero();
        for &(m, sum) in parts.sums(v) {
            add_scaled(out, &worth[usize::from(sum)], coefficients[usize::from(m)]);
        }
    }
}

#[inline(always)]
fn add_all<N: Number>(to: &mut [Lanes<N>], from: &[Lanes<N>]) {
    to.iter_mut().zip(from).for_each(|(to, from)| add_scaled(to, from, N::ONE));
}

#[inline(always)]
fn chunks<N>(lanes: &[Lanes<N>]) -> &[[Lanes<N>; 1]] {
    lanes.as_chunks().0
}

#[inline(always)]
fn chunks_mut<N>(lanes: &mut [Lanes<N>]) -> &mut [[Lanes<N>; 1]] {
    lanes.as_chunks_mut().0
}

struct Pass<'s, 'a, 'g, N, W>(&'s mut Sweep<'a, 'g, N, W>, &'s mut [N]);

impl<N: Number, W: Weigh<N>> Work for Pass<'_, '_, '_, N, W> {
    #[inline(always)]
    fn run(self) {
        self.0.pass(self.1);
    }
}
