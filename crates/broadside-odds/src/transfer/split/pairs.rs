//! Two upright ships side by side: the sweep of one pair of columns.
//!
//! A state is the first rows of both ships. The ships of the `outer` column choose one of `K`
//! vectors, those of the `inner` column a lane in it, so that a step is the same for all of them:
//! a product with the polynomial of the row with both columns occupied.

use super::columns::{Column, Crossing, mask_lanes};
use super::fleet::Limited;
use super::lanes::{Block, LANES, Lanes, add_products, add_scaled, dense_adjoint, dense_product, sum};
use super::number::Number;
use super::strips::{Ground, extend};
use super::uprights::Tables;
use super::weights::Weigh;

/// The tables of one pair.
#[derive(Debug, Default)]
pub(crate) struct Scratch<N> {
    /// `[row][part][slot of the outer column]`: ways to come into the row.
    ways: Vec<Lanes<N>>,
    /// `[part][slot]`: the ways out of the row, then the worth below it.
    filled: Vec<Lanes<N>>,
    /// `[part][slot]`: the worth in the row.
    worth: Vec<Lanes<N>>,
    /// `[row][part]`: the rows' polynomials with both columns occupied.
    held: Vec<N>,
    /// Per row: whether that polynomial is not zero.
    open: Vec<bool>,
    /// What its coefficients are worth, to be summed over the lanes.
    meets: Vec<Lanes<N>>,
}

/// Sweeps every pair of open columns.
#[inline(always)]
pub(crate) fn sweep<N: Number, W: Weigh<N>>(ground: &Ground<'_, W>, tables: &mut Tables<N>, cells: &mut [N]) {
    let ships = ground.parts.ships();
    for right in 1..ground.open.len() {
        for left in 0..right {
            // The vectors should be as full as possible.
            let turn = ground.open[left].slots > ground.open[right].slots;
            let (outer, inner) = if turn { (right, left) } else { (left, right) };
            let mut pair = Pair {
                ground,
                tables,
                parts: ground.parts.limited(ships.saturating_sub(2)),
                more: ground.parts.limited(ships.saturating_sub(1)),
                left,
                right,
                outer,
                inner,
            };
            pair.gather();
            pair.make_room();
            pair.down();
            pair.up(cells);
        }
    }
}

/// Calls a method with the number of vectors as a constant. Numbers that don't come in vectors are
/// not worth the code for each size.
macro_rules! sized {
    ($count:expr, $self:ident . $method:ident ( $($argument:expr),* )) => {
        match if N::VECTORS { $count } else { LANES } {
            1 => $self.$method::<1>($($argument),*),
            2 => $self.$method::<2>($($argument),*),
            3 => $self.$method::<3>($($argument),*),
            4 => $self.$method::<4>($($argument),*),
            5 => $self.$method::<5>($($argument),*),
            6 => $self.$method::<6>($($argument),*),
            7 => $self.$method::<7>($($argument),*),
            _ => $self.$method::<8>($($argument),*),
        }
    };
}

struct Pair<'a, 'g, N, W> {
    ground: &'a Ground<'g, W>,
    tables: &'a mut Tables<N>,
    /// Two ships are upright, so at most all but two lie in the rows.
    parts: Limited<'a>,
    /// One of the two has ended.
    more: Limited<'a>,
    left: usize,
    right: usize,
    outer: usize,
    inner: usize,
}

impl<N: Number, W: Weigh<N>> Pair<'_, '_, N, W> {
    fn outer(&self) -> &Column {
        &self.ground.open[self.outer]
    }

    fn inner(&self) -> &Column {
        &self.ground.open[self.inner]
    }

    /// Takes the pair's row polynomials from the strips.
    #[inline(always)]
    fn gather(&mut self) {
        let (left, right) = (&self.ground.open[self.left], &self.ground.open[self.right]);
        let Tables { strips, pair, .. } = &mut *self.tables;
        let lane = self.left + 1;
        pair.held.clear();
        pair.open.clear();
        for row in 0..self.ground.board.rows {
            let filled = &strips.filled[strips.at(row, self.right, lane)..][..self.parts.len];
            pair.held.extend(filled.iter().map(|lanes| lanes[lane % LANES]));
            let crossed = left.cells[row].alive != 0 && right.cells[row].alive != 0;
            let held = &pair.held[row * self.parts.len..];
            pair.open.push(crossed && held.iter().any(|&n| n != N::ZERO));
        }
    }

    fn make_room(&mut self) {
        let size = self.parts.len * LANES;
        let rows = self.ground.board.rows;
        let pair = &mut self.tables.pair;
        extend(&mut pair.ways, rows * size, Lanes::zero());
        extend(&mut pair.filled, size, Lanes::zero());
        extend(&mut pair.worth, size, Lanes::zero());
        extend(&mut pair.meets, self.parts.len, Lanes::zero());
    }

    /// How many vectors the row needs: one for each slot up to the last in use.
    #[inline(always)]
    fn width(&self, row: usize) -> usize {
        let unused = self.outer().cells[row].alive.leading_zeros() as usize;
        if N::VECTORS { LANES - unused } else { LANES }
    }

    /// The width of a row that leads on to its neighbours, 0 if nothing can come through.
    #[inline(always)]
    fn passage(&self, row: Option<usize>) -> usize {
        let open = row.filter(|&row| self.tables.pair.open.get(row) == Some(&true));
        open.map_or(0, |row| self.width(row))
    }

    #[inline(always)]
    fn down(&mut self) {
        for row in 0..self.ground.board.rows {
            if self.tables.pair.open[row] {
                sized!(self.width(row), self.down_row(row));
            }
        }
    }

    #[inline(always)]
    fn down_row<const K: usize>(&mut self, row: usize) {
        let size = self.parts.len * K;
        self.arrive::<K>(row);
        let start = self.ways_at(row);
        let Scratch { ways, filled, held, .. } = &mut self.tables.pair;
        let ways = blocks::<N, K>(&ways[start..][..size]);
        let held = &held[row * self.parts.len..][..self.parts.len];
        let out = blocks_mut::<N, K>(&mut filled[..size]);
        dense_product(out, ways, held, self.parts);
        self.end_outer::<K>(row);
        self.end_inner::<K>(row);
    }

    fn ways_at(&self, row: usize) -> usize {
        row * self.parts.len * LANES
    }

    /// The ways into a row: both ships from above, or one or both started here.
    #[inline(always)]
    fn arrive<const K: usize>(&mut self, row: usize) {
        let (outer, inner) = (self.outer().cells[row], self.inner().cells[row]);
        let (keep, begin) = (inner.keep(), begin(inner));
        let (len, size) = (self.parts.len, self.parts.len * K);
        let outer_at = self.tables.at(self.outer, row);
        let inner_at = self.tables.at(self.inner, row);
        let (width, start) = (self.passage(row.checked_sub(1)), self.ways_at(row));
        let kept = if width == 0 { 0 } else { outer.kept() };
        let Tables { reached, pair, .. } = &mut *self.tables;
        let beside = &reached[outer_at..][..len];
        let beneath = &reached[inner_at..][..len];
        let above = &pair.filled[..len * width];
        let ways = blocks_mut::<N, K>(&mut pair.ways[start..][..size]);
        for part in 0..len {
            for k in 0..K {
                let mut lanes = Lanes::zero();
                if kept >> k & 1 == 1 {
                    add_products(&mut lanes, &above[part * width + k], &keep);
                } else if outer.start.is_some_and(|start| usize::from(start) == k) {
                    add_products(&mut lanes, &beneath[part], &keep);
                }
                add_scaled(&mut lanes, &begin, beside[part][k]);
                ways[part][k] = lanes;
            }
        }
    }

    #[inline(always)]
    fn end_outer<const K: usize>(&mut self, row: usize) {
        let (size, at) = (self.parts.len * K, self.tables.at(self.inner, row));
        let column = &self.ground.open[self.outer];
        let Tables { joined, pair, .. } = &mut *self.tables;
        let filled = blocks::<N, K>(&pair.filled[..size]);
        for (slot, place) in column.cells[row].ends(column.col) {
            let factor = self.ground.weights.weigh(N::ONE, place);
            for &(v, sum) in self.more.grown(place.class) {
                add_scaled(&mut joined[at + usize::from(sum)], &filled[usize::from(v)][slot], factor);
            }
        }
    }

    #[inline(always)]
    fn end_inner<const K: usize>(&mut self, row: usize) {
        let (size, at) = (self.parts.len * K, self.tables.at(self.outer, row));
        let column = &self.ground.open[self.inner];
        let Tables { passed, pair, .. } = &mut *self.tables;
        let filled = blocks::<N, K>(&pair.filled[..size]);
        for (slot, place) in column.cells[row].ends(column.col) {
            let factor = self.ground.weights.weigh(N::ONE, place);
            for &(v, sum) in self.more.grown(place.class) {
                let to = &mut passed[at + usize::from(sum)];
                for k in 0..K {
                    to[k] = to[k].plus(factor.times(filled[usize::from(v)][k][slot]));
                }
            }
        }
    }

    #[inline(always)]
    fn up(&mut self, cells: &mut [N]) {
        for row in (0..self.ground.board.rows).rev() {
            if self.tables.pair.open[row] {
                sized!(self.width(row), self.up_row(row, cells));
            }
        }
    }

    #[inline(always)]
    fn up_row<const K: usize>(&mut self, row: usize, cells: &mut [N]) {
        let (len, size, start) = (self.parts.len, self.parts.len * K, self.ways_at(row));
        self.settle::<K>(row);
        let Scratch { ways, filled, worth, held, meets, .. } = &mut self.tables.pair;
        let ways = blocks::<N, K>(&ways[start..][..size]);
        let settled = blocks::<N, K>(&filled[..size]);
        let worth = blocks_mut::<N, K>(&mut worth[..size]);
        let held = &held[row * len..][..len];
        dense_adjoint(worth, meets, ways, settled, held, self.parts);
        let total = self.credit(row);
        for column in [self.outer, self.inner] {
            let cell = row * self.ground.board.cols + self.ground.open[column].col;
            cells[cell] = cells[cell].plus(total);
        }
        self.start::<K>(row);
    }

    /// The worth below a filled row: both ships go on, or one ends (and the other may).
    #[inline(always)]
    fn settle<const K: usize>(&mut self, row: usize) {
        let size = self.parts.len * K;
        let next = |column: &Column| column.cells.get(row + 1).copied().unwrap_or_default();
        let width = self.passage(Some(row + 1));
        let kept = if width == 0 { 0 } else { next(self.outer()).kept() };
        let keep = next(self.inner()).keep();
        let inner_at = self.tables.at(self.inner, row);
        let outer_at = self.tables.at(self.outer, row);
        let (parts, weights) = (self.ground.parts, self.ground.weights);
        let outer = ends(self.outer(), row, weights);
        let (inner, count) = end_lanes(self.inner(), row, weights);
        let Tables { settled, onward, pair, len, .. } = &mut *self.tables;
        let (settled, onward) = (&settled[inner_at..][..*len], &onward[outer_at..][..*len]);
        let below = &pair.worth[..self.parts.len * width];
        for (v, out) in blocks_mut::<N, K>(&mut pair.filled[..size]).iter_mut().enumerate() {
            let mut acc = [Lanes::zero(); K];
            for k in 0..K {
                if kept >> k & 1 == 1 {
                    add_products(&mut acc[k], &below[v * width + k], &keep);
                }
                if let Some((class, weight)) = outer[k]
                    && let Some(sum) = parts.grow(v, class)
                {
                    add_scaled(&mut acc[k], &settled[sum], weight);
                }
            }
            for (class, lane) in &inner[..count] {
                if let Some(sum) = parts.grow(v, *class) {
                    for k in 0..K {
                        add_scaled(&mut acc[k], lane, onward[sum][k]);
                    }
                }
            }
            *out = acc;
        }
    }

    /// Notes what the row's polynomial is worth, as left in `meets`; returns the worth of all.
    #[inline(always)]
    fn credit(&mut self, row: usize) -> N {
        let (len, lane) = (self.parts.len, self.left + 1);
        let at = self.tables.strips.at(row, self.right, lane);
        let Tables { strips, pair, .. } = &mut *self.tables;
        let mut total = N::ZERO;
        for part in 0..len {
            let n = sum(&pair.meets[part]);
            strips.worths[at + part][lane % LANES] = n;
            total = total.plus_product(pair.held[row * len + part], n);
        }
        total
    }

    /// The worth of starting here, to the ship that was there before.
    #[inline(always)]
    fn start<const K: usize>(&mut self, row: usize) {
        let (outer, inner) = (self.outer().cells[row], self.inner().cells[row]);
        let (len, size) = (self.parts.len, self.parts.len * K);
        let outer_at = self.tables.at(self.outer, row);
        let inner_at = self.tables.at(self.inner, row);
        let Tables { company, pair, .. } = &mut *self.tables;
        let worth = blocks::<N, K>(&pair.worth[..size]);
        if let Some(start) = inner.start {
            for (to, worth) in company[outer_at..][..len].iter_mut().zip(worth) {
                for k in 0..K {
                    to[k] = to[k].plus(worth[k][usize::from(start)]);
                }
            }
        }
        if let Some(start) = outer.start {
            let keep = inner.keep();
            for (to, worth) in company[inner_at..][..len].iter_mut().zip(worth) {
                add_products(to, &worth[usize::from(start)], &keep);
            }
        }
    }
}

/// One in the lane of the ship that starts in the cell.
#[inline(always)]
fn begin<N: Number>(cell: Crossing) -> Lanes<N> {
    mask_lanes(cell.alive & !cell.kept())
}

#[inline(always)]
fn blocks<N, const K: usize>(lanes: &[Lanes<N>]) -> &[Block<N, K>] {
    lanes.as_chunks().0
}

#[inline(always)]
fn blocks_mut<N, const K: usize>(lanes: &mut [Lanes<N>]) -> &mut [Block<N, K>] {
    lanes.as_chunks_mut().0
}

/// Per slot: class and weight of the ship that may end in the row.
#[inline(always)]
fn ends<N: Number, W: Weigh<N>>(column: &Column, row: usize, weights: &W) -> [Option<(usize, N)>; LANES] {
    let mut ends = [None; LANES];
    for (slot, place) in column.cells[row].ends(column.col) {
        ends[slot] = Some((place.class, weights.weigh(N::ONE, place)));
    }
    ends
}

/// Class and weight, in the lane of its slot, of each ship that may end in the row, and how many
/// there are.
#[inline(always)]
fn end_lanes<N: Number, W: Weigh<N>>(column: &Column, row: usize, weights: &W) -> ([(usize, Lanes<N>); LANES], usize) {
    let (mut list, mut count) = ([(0, Lanes::zero()); LANES], 0);
    for (slot, place) in column.cells[row].ends(column.col) {
        let weight = weights.weigh(N::ONE, place);
        list[count] = (place.class, mask_lanes::<N>(1 << slot).times(weight));
        count += 1;
    }
    (list, count)
}
