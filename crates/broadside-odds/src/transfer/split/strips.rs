//! The row polynomials of a whole board, for no, one or two occupied columns.
//!
//! Lane 0 of a walk along a row has no occupied column, lane `i + 1` has open column `i`
//! occupied. A lane starts when its column is passed, as a copy of lane 0, so no ship can lie
//! across the column. At a second occupied column the walk so far is multiplied with the
//! polynomial of the rest of the row.

use super::columns::Column;
use super::fleet::{Limited, Parts};
use super::lanes::{LANES, Lanes, Term, Work, add_scaled, meet, product, quotient, terms};
use super::number::Number;
use super::polynomial::{add_shifted, add_unshifted, shifted_dot};
use super::rows::Row;
use super::weights::{Place, Weigh};
use crate::problem::Problem;

/// Row polynomials of a board, and later what their coefficients are worth.
#[derive(Debug, Default)]
pub(crate) struct Strips<N> {
    /// Number of parts.
    len: usize,
    /// Vectors that the lanes fill.
    blocks: usize,
    rows: usize,
    open: usize,
    cols: usize,
    /// `[row][block][b][part]`: the walk over the cells left of `b`.
    walks: Vec<Lanes<N>>,
    /// `[row][b][part]`: the cells from `b` on.
    rests: Vec<N>,
    /// `[row][open column][block][part]`: the whole row with the column occupied, and the lane's.
    pub(crate) filled: Vec<Lanes<N>>,
    /// The same shape: what each coefficient is worth.
    pub(crate) worths: Vec<Lanes<N>>,
    /// `[row][part]`: what the coefficients of the row without occupied columns are worth.
    pub(crate) free_worths: Vec<N>,
}

/// The board that a [`Strips`] is about.
pub(crate) struct Ground<'a, W> {
    /// The board.
    pub(crate) board: &'a Problem,
    /// The parts of its fleet.
    pub(crate) parts: &'a Parts,
    /// The weights of the placements.
    pub(crate) weights: &'a W,
    /// The columns that may hold upright ships.
    pub(crate) open: &'a [Column],
    /// The most upright ships, at most 2.
    pub(crate) most: usize,
}

impl<W> Ground<'_, W> {
    /// About how many numbers the tables of a sweep hold.
    pub(crate) fn numbers(&self) -> usize {
        let (rows, cols, open) = (self.board.rows, self.board.cols, self.open.len());
        let lanes = if self.most < 2 { LANES } else { (open + 1).next_multiple_of(LANES) };
        let strips = rows * lanes * (cols + 1 + 2 * open);
        let columns = 6 * open * rows * LANES;
        (strips + columns) * self.parts.len
    }

    fn row(&self, row: usize) -> Row<'_, W> {
        let Ground { board, parts, weights, .. } = *self;
        Row { board, parts, weights, at: row, occupied: 0 }
    }
}

impl<N: Number> Strips<N> {
    /// Makes room for a board.
    pub(crate) fn reset<W>(&mut self, ground: &Ground<'_, W>) {
        let (rows, cols, open) = (ground.board.rows, ground.board.cols, ground.open.len());
        let lanes = if ground.most < 2 { 1 } else { open + 1 };
        let (len, blocks) = (ground.parts.len, lanes.div_ceil(LANES));
        (self.len, self.blocks, self.rows, self.open, self.cols) = (len, blocks, rows, open, cols);
        extend(&mut self.walks, rows * blocks * (cols + 1) * len, Lanes::zero());
        refill(&mut self.rests, rows * (cols + 1) * len, N::ZERO);
        extend(&mut self.filled, rows * open * blocks * len, Lanes::zero());
        refill(&mut self.worths, rows * open * blocks * len, Lanes::zero());
        refill(&mut self.free_worths, rows * len, N::ZERO);
    }

    /// Where the coefficients begin in `filled` and `worths`.
    pub(crate) fn at(&self, row: usize, open: usize, lane: usize) -> usize {
        ((row * self.open + open) * self.blocks + lane / LANES) * self.len
    }

    fn walk_at(&self, row: usize, block: usize, b: usize) -> usize {
        ((row * self.blocks + block) * (self.cols + 1) + b) * self.len
    }

    fn rest_at(&self, row: usize, b: usize) -> usize {
        (row * (self.cols + 1) + b) * self.len
    }

    /// The polynomial of the row with one column occupied (`None`: with none).
    pub(crate) fn coefficients(&self, row: usize, open: Option<usize>) -> impl Iterator<Item = N> {
        let lanes = match open {
            Some(open) => &self.filled[self.at(row, open, 0)..],
            None => &self.walks[self.walk_at(row, 0, self.cols)..],
        };
        lanes[..self.len].iter().map(|lanes| lanes[0])
    }

    #[inline(always)]
    fn fill<W: Weigh<N>>(&mut self, ground: &Ground<'_, W>) {
        let parts = ground.parts.limited(usize::MAX);
        let mut rest_terms = Vec::with_capacity(self.len);
        for row in 0..self.rows {
            for block in 0..self.blocks {
                self.walk(ground, row, block);
            }
            self.rest(ground, row);
            for (open, column) in ground.open.iter().enumerate() {
                if column.cells[row].alive != 0 {
                    let rest = self.rest_at(row, column.col + 1);
                    rest_terms.clear();
                    terms(self.rests[rest..rest + self.len].iter().copied(), &mut rest_terms);
                    self.join(row, open, column.col, &rest_terms, parts);
                }
            }
        }
    }

    #[inline(always)]
    fn walk<W: Weigh<N>>(&mut self, ground: &Ground<'_, W>, row: usize, block: usize) {
        let strip = ground.row(row);
        let start = self.walk_at(row, block, 0);
        self.walks[start..][..self.len].fill(Lanes::zero());
        if block == 0 {
            self.walks[start][0] = N::ONE;
        }
        let mut open = ground.open.iter().enumerate().peekable();
        for b in 1..=self.cols {
            self.walk_on(ground, &strip, start, b);
            if let Some((open, _)) = open.next_if(|(_, column)| column.col + 1 == b) {
                let (from, to) = (self.walk_at(row, 0, b - 1), start + b * self.len);
                if (open + 1) / LANES == block && self.lane_is_kept(open + 1) {
                    for part in 0..self.len {
                        self.walks[to + part][(open + 1) % LANES] = self.walks[from + part][0];
                    }
                }
            }
        }
    }

    fn lane_is_kept(&self, lane: usize) -> bool {
        lane < self.blocks * LANES
    }

    #[inline(always)]
    fn walk_on<W: Weigh<N>>(&mut self, ground: &Ground<'_, W>, strip: &Row<'_, W>, start: usize, b: usize) {
        let len = self.len;
        let (before, now) = self.walks[start..][..(b + 1) * len].split_at_mut(b * len);
        if strip.may_skip(b) {
            now.copy_from_slice(&before[(b - 1) * len..]);
        } else {
            now.fill(Lanes::zero());
        }
        for place in strip.ending(b) {
            let factor = ground.weights.weigh(N::ONE, place);
            let from = &before[place.col * len..][..len];
            for &(v, sum) in ground.parts.grown(place.class) {
                add_scaled(&mut now[usize::from(sum)], &from[usize::from(v)], factor);
            }
        }
    }

    #[inline(always)]
    fn rest<W: Weigh<N>>(&mut self, ground: &Ground<'_, W>, row: usize) {
        let (strip, len, start) = (ground.row(row), self.len, self.rest_at(row, 0));
        let rests = &mut self.rests[start..][..(self.cols + 1) * len];
        rests[self.cols * len] = N::ONE;
        for b in (0..self.cols).rev() {
            let (head, after) = rests.split_at_mut((b + 1) * len);
            let now = &mut head[b * len..];
            if strip.may_skip(b + 1) {
                now.copy_from_slice(&after[..len]);
            }
            for place in starting(&strip, b) {
                let from = &after[(ground.board.classes[place.class].length - 1) * len..][..len];
                let factor = ground.weights.weigh(N::ONE, place);
                add_shifted(now, from, ground.parts.grown(place.class), factor);
            }
        }
    }

    #[inline(always)]
    fn join(&mut self, row: usize, open: usize, col: usize, rest: &[Term<N>], parts: Limited<'_>) {
        for block in 0..self.blocks {
            let from = self.walk_at(row, block, col);
            let to = self.at(row, open, block * LANES);
            product(
                self.filled[to..][..self.len].as_chunks_mut::<1>().0,
                self.walks[from..][..self.len].as_chunks::<1>().0,
                rest,
                parts,
            );
        }
    }

    /// From the worths of the row polynomials to those of the cells under lying ships.
    #[inline(always)]
    fn spread<W: Weigh<N>>(&self, ground: &Ground<'_, W>, cells: &mut [N]) {
        let mut scratch = Scratch::new(self);
        for (row, cells) in cells.chunks_mut(self.cols).enumerate() {
            scratch.clear();
            self.split(ground, row, &mut scratch);
            // Lanes of later blocks began as copies of lane 0 of the first: settle them first.
            for block in (0..self.blocks).rev() {
                self.walk_back(ground, row, block, &mut scratch, cells);
            }
            self.rest_back(ground, row, &mut scratch.rests, cells);
        }
    }

    /// The adjoint of `join` for all columns of a row.
    #[inline(always)]
    fn split<W>(&self, ground: &Ground<'_, W>, row: usize, scratch: &mut Scratch<N>) {
        let (len, parts) = (self.len, ground.parts.limited(usize::MAX));
        let last = self.cols * len;
        let free = &self.free_worths[row * len..][..len];
        scratch.walks[last..][..len].iter_mut().zip(free).for_each(|(to, &n)| to[0] = n);
        for (open, column) in ground.open.iter().enumerate() {
            if column.cells[row].alive == 0 {
                continue;
            }
            let rest = self.rest_at(row, column.col + 1);
            scratch.terms.clear();
            terms(self.rests[rest..rest + len].iter().copied(), &mut scratch.terms);
            for block in 0..self.blocks {
                let worth = &self.worths[self.at(row, open, block * LANES)..][..len];
                let to = (block * (self.cols + 1) + column.col) * len;
                let to = scratch.walks[to..][..len].as_chunks_mut::<1>().0;
                quotient(to, worth.as_chunks::<1>().0, &scratch.terms, parts);
                let walk = &self.walks[self.walk_at(row, block, column.col)..][..len];
                for term in &scratch.terms {
                    let m = term.part;
                    let lanes = meet(walk, worth, parts.sums(m));
                    scratch.meets[usize::from(m)] = lanes;
                }
                for term in &scratch.terms {
                    let m = usize::from(term.part);
                    let to = &mut scratch.rests[(column.col + 1) * len + m];
                    *to = to.plus(super::lanes::sum(&scratch.meets[m]));
                }
            }
        }
    }

    #[inline(always)]
    fn walk_back<W: Weigh<N>>(
        &self,
        ground: &Ground<'_, W>,
        row: usize,
        block: usize,
        scratch: &mut Scratch<N>,
        cells: &mut [N],
    ) {
        let (strip, len) = (ground.row(row), self.len);
        let start = block * (self.cols + 1) * len;
        let walks = &self.walks[self.walk_at(row, block, 0)..][..(self.cols + 1) * len];
        for b in (1..=self.cols).rev() {
            self.lane_back(ground, block, b, scratch);
            let worths = &mut scratch.walks[start..][..(b + 1) * len];
            let (before, now) = worths.split_at_mut(b * len);
            if strip.may_skip(b) {
                let skipped = before[(b - 1) * len..].iter_mut().zip(&*now);
                skipped.for_each(|(to, from)| add_scaled(to, from, N::ONE));
            }
            for place in strip.ending(b) {
                let factor = ground.weights.weigh(N::ONE, place);
                let from = place.col * len;
                let mut acc = Lanes::zero();
                for &(v, sum) in ground.parts.grown(place.class) {
                    let (v, worth) = (from + usize::from(v), &now[usize::from(sum)]);
                    add_scaled(&mut before[v], worth, factor);
                    super::lanes::add_products(&mut acc, &walks[v], worth);
                }
                let total = factor.times(super::lanes::sum(&acc));
                cells[place.col..b].iter_mut().for_each(|cell| *cell = cell.plus(total));
            }
        }
    }

    /// The adjoint of a lane's start as a copy of lane 0.
    #[inline(always)]
    fn lane_back<W>(&self, ground: &Ground<'_, W>, block: usize, b: usize, scratch: &mut Scratch<N>) {
        let Ok(open) = ground.open.binary_search_by_key(&(b - 1), |column| column.col) else {
            return;
        };
        if block != 0 || !self.lane_is_kept(open + 1) {
            return;
        }
        let (owner, lane) = ((open + 1) / LANES, (open + 1) % LANES);
        let from = (owner * (self.cols + 1) + b) * self.len;
        let to = (b - 1) * self.len;
        for part in 0..self.len {
            let worth = scratch.walks[from + part][lane];
            scratch.walks[to + part][0] = scratch.walks[to + part][0].plus(worth);
        }
    }

    #[inline(always)]
    fn rest_back<W: Weigh<N>>(&self, ground: &Ground<'_, W>, row: usize, worths: &mut [N], cells: &mut [N]) {
        let (strip, len) = (ground.row(row), self.len);
        let rests = &self.rests[self.rest_at(row, 0)..][..(self.cols + 1) * len];
        for b in 0..self.cols {
            let (head, after) = worths.split_at_mut((b + 1) * len);
            let worth = &head[b * len..];
            if strip.may_skip(b + 1) {
                after[..len].iter_mut().zip(worth).for_each(|(to, &n)| *to = to.plus(n));
            }
            for place in starting(&strip, b) {
                let length = ground.board.classes[place.class].length;
                let (pairs, factor) = (ground.parts.grown(place.class), ground.weights.weigh(N::ONE, place));
                let rest = &rests[(b + length) * len..][..len];
                let total = factor.times(shifted_dot(rest, worth, pairs));
                cells[b..b + length].iter_mut().for_each(|cell| *cell = cell.plus(total));
                add_unshifted(&mut after[(length - 1) * len..][..len], worth, pairs, factor);
            }
        }
    }
}

/// The lying placements whose first cell is `b`.
fn starting<W>(strip: &Row<'_, W>, b: usize) -> impl Iterator<Item = Place> {
    let allowed = move |lying: &[u64]| lying[strip.at] >> b & 1 == 1;
    let classes = strip.board.classes.iter().enumerate();
    classes.filter(move |(_, ships)| allowed(&ships.lying)).map(move |(class, _)| Place {
        class,
        upright: false,
        row: strip.at,
        col: b,
    })
}

/// What the walks of one row are worth.
struct Scratch<N> {
    walks: Vec<Lanes<N>>,
    rests: Vec<N>,
    meets: Vec<Lanes<N>>,
    terms: Vec<Term<N>>,
}

impl<N: Number> Scratch<N> {
    fn new(strips: &Strips<N>) -> Self {
        let polynomials = (strips.cols + 1) * strips.len;
        Scratch {
            walks: vec![Lanes::zero(); strips.blocks * polynomials],
            rests: vec![N::ZERO; polynomials],
            meets: vec![Lanes::zero(); strips.len],
            terms: Vec::with_capacity(strips.len),
        }
    }

    fn clear(&mut self) {
        self.walks.fill(Lanes::zero());
        self.rests.fill(N::ZERO);
    }
}

/// Empties the buffer and fills it anew.
pub(crate) fn refill<T: Clone>(buffer: &mut Vec<T>, len: usize, value: T) {
    buffer.clear();
    buffer.resize(len, value);
}

/// Makes the buffer at least so long; what is in it is left.
pub(crate) fn extend<T: Clone>(buffer: &mut Vec<T>, len: usize, value: T) {
    if buffer.len() < len {
        buffer.resize(len, value);
    }
}

/// Computes all row polynomials.
pub(crate) struct Fill<'a, 'g, N, W>(pub &'a mut Strips<N>, pub &'a Ground<'g, W>);

impl<N: Number, W: Weigh<N>> Work for Fill<'_, '_, N, W> {
    #[inline(always)]
    fn run(self) {
        self.0.fill(self.1);
    }
}

/// Adds the worth of the lying ships to the cells.
pub(crate) struct Spread<'a, 'g, N, W>(pub &'a Strips<N>, pub &'a Ground<'g, W>, pub &'a mut [N]);

impl<N: Number, W: Weigh<N>> Work for Spread<'_, '_, N, W> {
    #[inline(always)]
    fn run(self) {
        self.0.spread(self.1, self.2);
    }
}
