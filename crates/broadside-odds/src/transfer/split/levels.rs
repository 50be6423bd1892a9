//! The sweep down and up the rows, with vertical ships that never stand beside each other.
//!
//! Summed over the columns, all that a ship of some length does in its rows is one polynomial. So a state is just the
//! number of ships allotted so far, its level, and the levels are the lanes of a vector: a ship moves what is in them by
//! one lane. The last lane is the last level, so that a ship too many falls off its end. Ships that do stand beside each
//! other take two levels at once; what they come from and lead to is added from outside (`pairs`).

use super::fleet::Parts;
use super::forms::{Form, Forms};
use super::lanes::{LANES, Lanes, Polynomials, Strip, get, lowered, nothing, product, raised, set};
use super::number::Number;

/// The level of no further ship.
const LAST: usize = LANES - 1;

/// The tables by level: polynomials whose coefficients are a vector with a lane for each level.
#[derive(Debug, Default)]
pub(crate) struct Levels<N> {
    rows: usize,
    len: usize,
    first: usize,
    /// Per row: ways to come above it.
    ways: Polynomials<N>,
    /// Per row: ways to go on from above it, by what they use.
    onward: Polynomials<N>,
    /// A polynomial of one row, the same for all levels.
    row: Vec<N>,
    /// A polynomial moved to the next level.
    moved: Polynomials<N>,
}

impl<N: Number> Levels<N> {
    /// Makes room for a board with at most `most` vertical ships.
    pub(crate) fn reset(&mut self, rows: usize, len: usize, most: usize) {
        (self.rows, self.len, self.first) = (rows, len, LAST - most);
        self.moved.reserve::<1>(2, len);
        self.ways.clear::<1>(rows + 1, len);
        self.onward.clear::<1>(rows + 1, len);
        self.ways.at_mut::<1>(0)[0][0].0[self.first] = N::ONE;
        self.onward.at_mut::<1>(rows)[0][0].0[self.first..].fill(N::ONE);
    }

    /// With horizontal ships only: the ways to fill all rows above each row, and all rows below it.
    #[inline(always)]
    pub(crate) fn alone<const K: usize>(
        &mut self,
        forms: &Forms,
        free: &[Strip<N, K>],
        above: &mut [Strip<N, K>],
        below: &mut [Strip<N, K>],
    ) {
        for row in 0..self.rows {
            self.step_down(row, 1, free, &forms.free, false);
            self.step_up(self.rows - 1 - row, 1, free, &forms.free, false);
        }
        for (part, (above, below)) in above.iter_mut().zip(below).enumerate() {
            (*above, *below) = (nothing(), nothing());
            for row in 0..self.rows {
                set(above, row, self.ways.at::<1>(row)[part][0].0[self.first]);
                set(below, row, self.onward.at::<1>(row + 1)[part][0].0[LAST]);
            }
        }
    }

    /// Adds pairs of ships: what it is worth to come to a row with nothing vertical so far, and the ways to come out of one
    /// with nothing vertical to come. Both are indexed by what the horizontal ships beyond the pair use.
    pub(crate) fn add_pairs<const K: usize>(&mut self, above: &[Strip<N, K>], below: &[Strip<N, K>], parts: &Parts) {
        for (part, (above, below)) in above.iter().zip(below).enumerate() {
            // The part that makes up the fleet with this one is the last that goes with it.
            let left = parts.sums[part].last().map_or(0, |&(left, _)| usize::from(left));
            for row in 0..self.rows {
                let onward = &mut self.onward.at_mut::<1>(row)[left][0].0[self.first];
                *onward = onward.plus(get(above, row));
                let ways = &mut self.ways.at_mut::<1>(row + 1)[left][0].0[LAST];
                *ways = ways.plus(get(below, row));
            }
        }
    }

    /// Sweeps both ways. `placed` has, per kind of ship, what its rows hold beside it, over all columns.
    #[inline(always)]
    pub(crate) fn sweep<const K: usize>(&mut self, forms: &Forms, free: &[Strip<N, K>], placed: &Polynomials<N>) {
        let kinds = self.kinds(forms);
        for row in 0..self.rows {
            let up = self.rows - 1 - row;
            self.step_down(row, 1, free, &forms.free, false);
            self.step_up(up, 1, free, &forms.free, false);
            for (at, kind) in forms.kinds.iter().enumerate().take(kinds) {
                let (beside, form) = (placed.at::<K>(at), &forms.placed[at]);
                if row + kind.length <= self.rows {
                    self.step_down(row, kind.length, beside, form, true);
                }
                if up + kind.length <= self.rows {
                    self.step_up(up, kind.length, beside, form, true);
                }
            }
        }
    }

    /// How many kinds of ships may be vertical.
    fn kinds(&self, forms: &Forms) -> usize {
        if self.first < LAST { forms.kinds.len() } else { 0 }
    }

    /// Fills `rows` rows from `row` on, downward; `ship` tells whether they hold a vertical ship.
    #[inline(always)]
    fn step_down<const K: usize>(&mut self, row: usize, rows: usize, filling: &[Strip<N, K>], form: &Form, ship: bool) {
        self.take(row, filling);
        let (before, now) = self.ways.split::<1>(row + rows);
        let from = &before[row * self.len..][..self.len];
        let moved = self.moved.at_mut::<1>(0);
        for (moved, from) in moved.iter_mut().zip(from) {
            *moved = if ship { lowered(from) } else { *from };
        }
        add_row(now, moved, &self.row, form);
    }

    /// The same upward.
    #[inline(always)]
    fn step_up<const K: usize>(&mut self, row: usize, rows: usize, filling: &[Strip<N, K>], form: &Form, ship: bool) {
        self.take(row, filling);
        let moved = self.moved.at_mut::<1>(0);
        for (moved, from) in moved.iter_mut().zip(self.onward.at::<1>(row + rows)) {
            *moved = if ship { raised(from) } else { *from };
        }
        add_row(self.onward.at_mut::<1>(row), moved, &self.row, form);
    }

    /// Takes the polynomial of one row.
    #[inline(always)]
    fn take<const K: usize>(&mut self, row: usize, filling: &[Strip<N, K>]) {
        self.row.clear();
        for strip in filling {
            self.row.push(get(strip, row));
        }
    }

    /// All ways from top to bottom.
    pub(crate) fn total(&self) -> N {
        self.onward.at::<1>(0)[self.len - 1][0].0[self.first]
    }

    /// What the rows without a vertical ship are worth, and those of each kind.
    #[inline(always)]
    pub(crate) fn worths<const K: usize>(&mut self, forms: &Forms, free: &mut [Strip<N, K>], placed: &mut Polynomials<N>) {
        free.fill(nothing());
        for row in 0..self.rows {
            self.worth(row, 1, free, &forms.between, false);
        }
        for (at, kind) in forms.kinds.iter().enumerate().take(self.kinds(forms)) {
            let placed = placed.at_mut::<K>(at);
            placed.fill(nothing());
            for row in 0..(self.rows + 1).saturating_sub(kind.length) {
                self.worth(row, kind.length, placed, &forms.beside[at], true);
            }
        }
    }

    #[inline(always)]
    fn worth<const K: usize>(&mut self, row: usize, rows: usize, out: &mut [Strip<N, K>], form: &Form, ship: bool) {
        let (moved, meets) = self.moved.split::<1>(1);
        for (moved, from) in moved.iter_mut().zip(self.ways.at::<1>(row)) {
            *moved = if ship { lowered(from) } else { *from };
        }
        product::<N, 1, 1>(meets, moved, self.onward.at(row + rows), form);
        for (out, meets) in out.iter_mut().zip(meets) {
            set(out, row, meets[0].sum());
        }
    }
}

/// `to[k] += Σ from[i] * row[j]`.
#[inline(always)]
fn add_row<N: Number>(to: &mut [Strip<N, 1>], from: &[Strip<N, 1>], row: &[N], form: &Form) {
    for (third, to) in to.iter_mut().enumerate() {
        let mut acc: Lanes<N> = to[0];
        for &(i, j) in form.by_third(third) {
            acc.add_scaled(&from[usize::from(i)][0], row[usize::from(j)]);
        }
        to[0] = acc;
    }
}
