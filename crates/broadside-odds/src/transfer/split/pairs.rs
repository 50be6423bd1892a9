//! Two vertical ships that share rows.
//!
//! Either one starts and ends before the other (they are staggered), or one stands within the rows of the other (it is
//! nested; two equal ships may have the same rows). What the rows above and below the shared ones hold depends on one
//! column only, or on one each, so it is summed up per column first, over all lengths:
//!
//! - staggered: the ships that start above the shared rows and end with them, and those that start with them and end
//!   below;
//! - nested: for a ship within, all that the other may do above and below it.
//!
//! For a pair of columns there is then one product for each number of shared rows, with the polynomials of those rows
//! with both columns occupied. All tables are by the first of the shared rows, but for `leads` (by the first row after the
//! lead) and `tails` (by the last row before the tail); where two ships are staggered, there is a row above that one, and
//! tables are by it.

use super::lanes::{
    LANES, Polynomials, Strip, add, add_lowered, add_narrow_scaled, add_product, add_products, add_scaled, add_strip, adjoint,
    dot, lift, lower, lowered, meet, nothing, product, raise, scale,
};
use super::number::Number;
use super::strips::{Board, Strips, pair};

/// A polynomial for each of some things, and what they are worth.
#[derive(Debug, Default)]
struct ValuesAndWorths<N> {
    values: Polynomials<N>,
    worths: Polynomials<N>,
}

impl<N: Number> ValuesAndWorths<N> {
    fn reserve<const K: usize>(&mut self, polynomials: usize, len: usize) {
        self.values.reserve::<K>(polynomials, len);
        self.worths.reserve::<K>(polynomials, len);
    }

    fn clear<const K: usize>(&mut self, polynomials: usize, len: usize) {
        self.values.clear::<K>(polynomials, len);
        self.worths.clear::<K>(polynomials, len);
    }

    #[inline(always)]
    fn at<const K: usize>(&mut self, index: usize) -> (&[Strip<N, K>], &mut [Strip<N, K>]) {
        (self.values.at(index), self.worths.at_mut(index))
    }
}

/// The tables of the pairs.
#[derive(Debug, Default)]
pub(crate) struct Pairs<N> {
    /// All rows above each row, with horizontal ships only.
    pub(crate) above: Polynomials<N>,
    /// All rows below each row, with horizontal ships only.
    pub(crate) below: Polynomials<N>,
    /// What `above` is worth to the pairs.
    pub(crate) above_worth: Polynomials<N>,
    /// What `below` is worth to the pairs.
    pub(crate) below_worth: Polynomials<N>,
    /// `[open column][rows]`: all rows above, the last of them beside the ship.
    leads: Polynomials<N>,
    /// `[open column][rows]`: all rows below, the first of them beside the ship.
    tails: Polynomials<N>,
    /// `[open column][shared rows]`: all ships that end with the shared rows.
    early: ValuesAndWorths<N>,
    /// `[open column][shared rows]`: all ships that start with the shared rows.
    late: ValuesAndWorths<N>,
    /// `[open column][kind]`: all that the column's ship may do around one of the kind.
    around: ValuesAndWorths<N>,
    /// `[kind]`: all around two ships of the kind in the same rows.
    equal: ValuesAndWorths<N>,
    /// `[kind][rows]`, for one column: the weights by the first row, so many rows further down.
    weights: Polynomials<N>,
    /// `[shared rows][rows]`, for one column: the tails by the first of the shared rows.
    lifted: ValuesAndWorths<N>,
    /// `[rows]`, for one column: what leads and tails are worth.
    lead_worths: Polynomials<N>,
    /// The leads of ships of one kind.
    lead: ValuesAndWorths<N>,
    /// `[rows]`, for one pair: the polynomials of so many shared rows.
    shared: ValuesAndWorths<N>,
    /// The same, by the row above.
    higher: ValuesAndWorths<N>,
}

/// Calls a function with as many vectors as `$rows` rows need, but two or all.
macro_rules! narrow {
    ($rows:expr, $name:ident ( $($argument:expr),* )) => {
        if $rows <= 2 * LANES { $name::<N, K, 2>($($argument),*) } else { $name::<N, K, K>($($argument),*) }
    };
}

impl<N: Number> Pairs<N> {
    /// Makes room for a board.
    pub(crate) fn reset<const K: usize, W>(&mut self, board: &Board<'_, W>) {
        let (forms, columns, len) = (board.forms, board.distinct(), board.parts.len);
        let (kinds, rows, short) = (forms.kinds.len(), forms.longest + 1, forms.pair_len);
        for table in [&mut self.above, &mut self.below, &mut self.above_worth, &mut self.below_worth] {
            table.clear::<K>(1, short);
        }
        self.leads.reserve::<K>(columns * rows, short);
        self.tails.reserve::<K>(columns * rows, short);
        self.early.clear::<K>(columns * forms.overlap, len);
        self.late.clear::<K>(columns * forms.overlap, len);
        self.around.clear::<K>(columns * kinds, short);
        self.equal.clear::<K>(kinds, short);
        self.weights.reserve::<K>(kinds * rows, 1);
        self.lifted.reserve::<K>(rows * rows, short);
        self.lead_worths.reserve::<K>(rows, short);
        self.lead.reserve::<K>(1, short);
        self.shared.reserve::<K>(rows, short);
        self.higher.reserve::<K>(rows, short);
    }

    /// All that depends on one column only, and then on none.
    #[inline(always)]
    pub(crate) fn columns<const K: usize, W>(&mut self, board: &Board<'_, W>, strips: &Strips<N>, verticals: &Polynomials<N>) {
        for at in board.columns() {
            self.column::<K, W>(board, strips.held.at(at), verticals, at);
        }
        self.equal_rows::<K, W>(board, false);
    }

    /// All pairs of columns, forward and back: what the rows with two columns occupied are worth.
    #[inline(always)]
    pub(crate) fn pairs<const K: usize, W>(
        &mut self,
        board: &Board<'_, W>,
        strips: &mut Strips<N>,
        verticals: &Polynomials<N>,
        cells: &mut [Strip<N, K>],
    ) {
        for right in (0..board.open.len()).take_while(|_| !board.stop.is_stopped()) {
            for left in 0..right {
                if board.is_counted(left, right) {
                    self.pair::<K, W>(board, strips, verticals, [left, right], cells);
                }
            }
        }
    }

    /// The adjoint of [`Pairs::columns`]: what the rows above and below, and beside one ship of a pair, are worth.
    #[inline(always)]
    pub(crate) fn columns_back<const K: usize, W>(
        &mut self,
        board: &Board<'_, W>,
        strips: &mut Strips<N>,
        verticals: &Polynomials<N>,
    ) {
        self.equal_rows::<K, W>(board, true);
        for at in board.columns() {
            self.column_back::<K, W>(board, strips, verticals, at);
        }
    }

    /// Two equal ships in the same rows, forward or back.
    #[inline(always)]
    fn equal_rows<const K: usize, W>(&mut self, board: &Board<'_, W>, back: bool) {
        let (forms, rows) = (board.forms, board.problem.rows);
        for (k, kind) in forms.kinds.iter().enumerate() {
            if kind.count < 2 {
                continue;
            }
            let (form, shared) = (&forms.nested[k][k], (rows + 1).saturating_sub(kind.length));
            let mut below = self.below.at::<K>(0).to_vec();
            for _ in 1..kind.length {
                lift(&mut below, &forms.spare[2]);
            }
            if back {
                let mut worth = vec![nothing(); below.len()];
                let above = (self.above.at::<K>(0), self.above_worth.at_mut(0));
                narrow!(shared, adjoint(above, (&below, &mut worth), self.equal.worths.at(k), form));
                for _ in 1..kind.length {
                    lower(&mut worth, &forms.spare[2]);
                }
                add(self.below_worth.at_mut::<K>(0), &worth, &forms.spare[2]);
            } else {
                narrow!(shared, product(self.equal.values.at_mut(k), self.above.at(0), &below, form));
            }
        }
    }

    /// All that depends on one column.
    #[inline(always)]
    fn column<const K: usize, W>(&mut self, board: &Board<'_, W>, held: &[Strip<N, K>], verticals: &Polynomials<N>, at: usize) {
        let forms = board.forms;
        let base = at * (forms.longest + 1);
        self.leads.at_mut::<K>(base).copy_from_slice(self.above.at(0));
        self.tails.at_mut::<K>(base).copy_from_slice(self.below.at(0));
        for rows in 1..forms.longest {
            let (before, now) = self.leads.split::<K>(base + rows);
            let last = before.len() - now.len();
            product::<N, K, K>(now, &before[last..], held, &forms.leads[rows]);
            lower(now, &forms.spare[2]);
            let (before, now) = self.tails.split::<K>(base + rows);
            product::<N, K, K>(now, &before[last..], held, &forms.leads[rows]);
            lift(now, &forms.spare[2]);
        }
        self.prepare::<K, W>(board, verticals, at);
        self.collect_leads::<K, W>(board, at);
        self.collect_tails::<K, W>(board, at);
    }

    /// Moves the weights and tails of a column to where they are used.
    #[inline(always)]
    fn prepare<const K: usize, W>(&mut self, board: &Board<'_, W>, verticals: &Polynomials<N>, at: usize) {
        let forms = board.forms;
        let rows = forms.longest + 1;
        for (k, kind) in forms.kinds.iter().enumerate() {
            let mut weights = verticals.at::<K>(at * forms.kinds.len() + k)[0];
            for by in 0..kind.length {
                self.weights.at_mut::<K>(k * rows + by)[0] = weights;
                weights = lowered(&weights);
            }
        }
        for tail in 0..forms.longest {
            self.lifted.values.at_mut::<K>(rows + tail).copy_from_slice(self.tails.at(at * rows + tail));
        }
        for shared in 2..=forms.overlap {
            for tail in 0..=forms.longest - shared {
                let (before, now) = self.lifted.values.split::<K>(shared * rows + tail);
                raise(now, &before[((shared - 1) * rows + tail) * now.len()..], &forms.spare[2]);
            }
        }
    }

    /// The ships of a kind that have come so many rows.
    #[inline(always)]
    fn take_lead<const K: usize>(&mut self, lead: usize, weights: usize, parts: &[u16]) {
        let weights = self.weights.at::<K>(weights)[0];
        scale(self.lead.values.at_mut::<K>(0), self.leads.at(lead), &weights, parts);
    }

    /// Ships that start above the shared rows, and end with them or below.
    #[inline(always)]
    fn collect_leads<const K: usize, W>(&mut self, board: &Board<'_, W>, at: usize) {
        let forms = board.forms;
        let (rows, base) = (forms.longest + 1, at * (forms.longest + 1));
        for (k, kind) in forms.kinds.iter().enumerate() {
            for by in 0..kind.length {
                self.take_lead::<K>(base + by, k * rows + by, &forms.spare[2]);
                let shared = kind.length - by;
                if by > 0 && shared < forms.overlap {
                    grow(
                        self.early.values.at_mut::<K>(at * forms.overlap + shared),
                        self.lead.values.at(0),
                        &forms.steps[1][kind.class],
                    );
                }
                for (w, within) in forms.kinds.iter().enumerate() {
                    if !(fits(within.length, kind.length, by)) {
                        continue;
                    }
                    let tail = within.length * rows + kind.length - within.length - by;
                    let out = self.around.values.at_mut::<K>(at * forms.kinds.len() + w);
                    let shared = (board.problem.rows + 1).saturating_sub(within.length);
                    narrow!(shared, add_product(out, self.lead.values.at(0), self.lifted.values.at(tail), &forms.nested[w][k]));
                }
            }
        }
        for shared in 1..forms.overlap {
            let early = self.early.values.at_mut::<K>(at * forms.overlap + shared);
            lift(early, &forms.spare[0]);
        }
    }

    /// Ships that start with the shared rows and end below.
    #[inline(always)]
    fn collect_tails<const K: usize, W>(&mut self, board: &Board<'_, W>, at: usize) {
        let forms = board.forms;
        let rows = forms.longest + 1;
        for shared in 1..forms.overlap {
            let late = self.late.values.at_mut::<K>(at * forms.overlap + shared);
            for (k, kind) in forms.kinds.iter().enumerate() {
                if kind.length <= shared {
                    continue;
                }
                let weights = self.weights.at::<K>(k * rows)[0];
                let tail = self.lifted.values.at::<K>(shared * rows + kind.length - shared);
                for &(v, sum) in &forms.steps[1][kind.class] {
                    add_products(&mut late[usize::from(sum)], &tail[usize::from(v)], &weights);
                }
            }
            lift(late, &forms.spare[0]);
        }
    }

    /// One pair of columns, forward and back.
    #[inline(always)]
    fn pair<const K: usize, W>(
        &mut self,
        board: &Board<'_, W>,
        strips: &mut Strips<N>,
        verticals: &Polynomials<N>,
        columns: [usize; 2],
        cells: &mut [Strip<N, K>],
    ) {
        let (forms, rows) = (board.forms, board.problem.rows);
        let index = pair(columns[0], columns[1]);
        let (both, both_worth) = (strips.both.at::<K>(index), strips.both_worths.at_mut::<K>(index));
        // What the shared rows hold counts for all images of the pair.
        let images = board.pair_images(columns[0], columns[1]);
        self.shared.values.at_mut::<K>(1).copy_from_slice(both);
        for _ in 1..images {
            add(self.shared.values.at_mut::<K>(1), both, &forms.shared_parts[1]);
        }
        for shared in 2..=forms.overlap {
            raise(self.higher.values.at_mut::<K>(shared), self.shared.values.at(shared - 1), &forms.shared_parts[shared - 1]);
            let (out, others) = (self.shared.values.at_mut::<K>(shared), self.higher.values.at(shared));
            narrow!((rows + 1).saturating_sub(shared), product(out, both, others, &forms.shared[shared]));
        }
        for shared in 1..=forms.overlap {
            self.shared.worths.at_mut::<K>(shared).fill(nothing());
        }
        self.nested::<K, W>(board, verticals, columns);
        both_worth.fill(nothing());
        for shared in (2..=forms.overlap).rev() {
            self.higher.worths.at_mut::<K>(shared).fill(nothing());
            self.staggered::<K, W>(board, columns, shared - 1);
            let (worth, form) = (self.shared.worths.at::<K>(shared), &forms.shared[shared]);
            let others = self.higher.at::<K>(shared);
            narrow!((rows + 1).saturating_sub(shared), adjoint((both, both_worth), others, worth, form));
            let (to, parts) = (self.shared.worths.at_mut::<K>(shared - 1), &forms.shared_parts[shared - 1]);
            add_lowered(to, self.higher.worths.at(shared), parts);
        }
        for _ in 0..images {
            add(both_worth, self.shared.worths.at::<K>(1), &forms.shared_parts[1]);
        }
        let occupied = dot(both, both_worth, &forms.shared_parts[1]);
        for col in [board.open[columns[0]], board.open[columns[1]]] {
            add_strip(&mut cells[col], &occupied);
        }
    }

    /// One ship within the rows of the other.
    #[inline(always)]
    fn nested<const K: usize, W>(&mut self, board: &Board<'_, W>, verticals: &Polynomials<N>, [left, right]: [usize; 2]) {
        let kinds = &board.forms.kinds;
        let count = kinds.len();
        for (k, kind) in kinds.iter().enumerate() {
            if kind.length > board.forms.overlap {
                continue;
            }
            let weights = [verticals.at::<K>(left * count + k)[0], verticals.at::<K>(right * count + k)[0]];
            let (shared, worth) = self.shared.at::<K>(kind.length);
            let parts = &board.forms.shared_parts[kind.length];
            let rows = (board.problem.rows + 1).saturating_sub(kind.length);
            for (outer, within) in [(left, &weights[1]), (right, &weights[0])] {
                let (around, around_worth) = self.around.at::<K>(board.representative(outer) * count + k);
                narrow!(rows, add_narrow_scaled(worth, around, within, parts));
                narrow!(rows, add_narrow_scaled(around_worth, shared, within, parts));
            }
            if kind.count > 1 {
                let mut both = nothing();
                add_products(&mut both, &weights[0], &weights[1]);
                let (equal, equal_worth) = self.equal.at::<K>(k);
                narrow!(rows, add_narrow_scaled(worth, equal, &both, parts));
                narrow!(rows, add_narrow_scaled(equal_worth, shared, &both, parts));
            }
        }
    }

    /// One ship starts and ends before the other, with so many rows shared.
    #[inline(always)]
    fn staggered<const K: usize, W>(&mut self, board: &Board<'_, W>, [left, right]: [usize; 2], shared: usize) {
        let (stride, form) = (board.forms.overlap, &board.forms.staggered[shared]);
        for (first, second) in [(left, right), (right, left)] {
            let early = self.early.at::<K>(board.representative(first) * stride + shared);
            let late = self.late.at::<K>(board.representative(second) * stride + shared);
            let others = self.higher.at::<K>(shared + 1);
            narrow!(board.problem.rows.saturating_sub(shared + 1), meet(early, others, late, form));
        }
    }

    /// The adjoint of [`Pairs::column`].
    #[inline(always)]
    fn column_back<const K: usize, W>(
        &mut self,
        board: &Board<'_, W>,
        strips: &mut Strips<N>,
        verticals: &Polynomials<N>,
        at: usize,
    ) {
        let forms = board.forms;
        let (rows, base) = (forms.longest + 1, at * (forms.longest + 1));
        self.prepare::<K, W>(board, verticals, at);
        for shared in 1..=forms.overlap {
            for tail in 0..=forms.longest - shared {
                self.lifted.worths.at_mut::<K>(shared * rows + tail).fill(nothing());
            }
        }
        self.lead_worths.clear::<K>(rows, forms.pair_len);
        self.tails_back::<K, W>(board, at);
        self.leads_back::<K, W>(board, at);
        for shared in (2..=forms.overlap).rev() {
            for tail in 0..=forms.longest - shared {
                let (before, now) = self.lifted.worths.split::<K>(shared * rows + tail);
                add_lowered(&mut before[((shared - 1) * rows + tail) * now.len()..], now, &forms.spare[2]);
            }
        }
        let (held, held_worth) = (strips.held.at::<K>(at), strips.held_worths.at_mut::<K>(at));
        for by in (1..forms.longest).rev() {
            let (before, now) = self.lead_worths.split::<K>(by);
            lift(now, &forms.spare[2]);
            let last = before.len() - now.len();
            let lead = (self.leads.at(base + by - 1), &mut before[last..]);
            adjoint::<N, K, K>(lead, (held, held_worth), now, &forms.leads[by]);
            let (before, now) = self.lifted.worths.split::<K>(rows + by);
            lower(now, &forms.spare[2]);
            let last = before.len() - now.len();
            let tail = (self.tails.at(base + by - 1), &mut before[last..]);
            adjoint::<N, K, K>(tail, (held, held_worth), now, &forms.leads[by]);
        }
        add(self.above_worth.at_mut::<K>(0), self.lead_worths.at(0), &forms.spare[2]);
        add(self.below_worth.at_mut::<K>(0), self.lifted.worths.at(rows), &forms.spare[2]);
    }

    /// The adjoint of [`Pairs::collect_tails`].
    #[inline(always)]
    fn tails_back<const K: usize, W>(&mut self, board: &Board<'_, W>, at: usize) {
        let forms = board.forms;
        let rows = forms.longest + 1;
        for shared in 1..forms.overlap {
            let late = self.late.worths.at_mut::<K>(at * forms.overlap + shared);
            lower(late, &forms.spare[0]);
            for (k, kind) in forms.kinds.iter().enumerate() {
                if kind.length <= shared {
                    continue;
                }
                let weights = self.weights.at::<K>(k * rows)[0];
                let tail = self.lifted.worths.at_mut::<K>(shared * rows + kind.length - shared);
                for &(v, sum) in &forms.steps[1][kind.class] {
                    add_products(&mut tail[usize::from(v)], &late[usize::from(sum)], &weights);
                }
            }
        }
    }

    /// The adjoint of [`Pairs::collect_leads`].
    #[inline(always)]
    fn leads_back<const K: usize, W>(&mut self, board: &Board<'_, W>, at: usize) {
        let forms = board.forms;
        let (rows, base) = (forms.longest + 1, at * (forms.longest + 1));
        for shared in 1..forms.overlap {
            lower(self.early.worths.at_mut::<K>(at * forms.overlap + shared), &forms.spare[0]);
        }
        for (k, kind) in forms.kinds.iter().enumerate() {
            for by in 0..kind.length {
                self.take_lead::<K>(base + by, k * rows + by, &forms.spare[2]);
                self.lead.worths.at_mut::<K>(0).fill(nothing());
                let shared = kind.length - by;
                if by > 0 && shared < forms.overlap {
                    shrink(
                        self.lead.worths.at_mut::<K>(0),
                        self.early.worths.at(at * forms.overlap + shared),
                        &forms.steps[1][kind.class],
                    );
                }
                for (w, within) in forms.kinds.iter().enumerate() {
                    if !(fits(within.length, kind.length, by)) {
                        continue;
                    }
                    let tail = self.lifted.at::<K>(within.length * rows + kind.length - within.length - by);
                    let worth = self.around.worths.at::<K>(at * forms.kinds.len() + w);
                    let shared = (board.problem.rows + 1).saturating_sub(within.length);
                    narrow!(shared, adjoint(self.lead.at(0), tail, worth, &forms.nested[w][k]));
                }
                let weights = self.weights.at::<K>(k * rows + by)[0];
                add_scaled(self.lead_worths.at_mut::<K>(by), self.lead.worths.at(0), &weights, &forms.spare[2]);
            }
        }
    }
}

/// Whether a ship fits, so many rows further down, into the rows of a longer one.
fn fits(within: usize, length: usize, by: usize) -> bool {
    within < length && within + by <= length
}

/// `to[v + ship] += from[v]`.
#[inline(always)]
fn grow<N: Number, const K: usize>(to: &mut [Strip<N, K>], from: &[Strip<N, K>], pairs: &[(u16, u16)]) {
    for &(v, sum) in pairs {
        add_strip(&mut to[usize::from(sum)], &from[usize::from(v)]);
    }
}

/// The adjoint of [`grow`].
#[inline(always)]
fn shrink<N: Number, const K: usize>(to: &mut [Strip<N, K>], from: &[Strip<N, K>], pairs: &[(u16, u16)]) {
    for &(v, sum) in pairs {
        add_strip(&mut to[usize::from(v)], &from[usize::from(sum)]);
    }
}
