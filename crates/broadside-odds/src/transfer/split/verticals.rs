//! The sweep for at most two vertical ships.
//!
//! What a vertical ship does to its rows depends on its column alone, and the length is known once it ends. So the
//! polynomials of all runs of rows of a column (its windows) are made once, and all that ships of one length do is a sum
//! over the columns, with which [`super::levels`] sweeps the rows. Ships that share rows are the business of
//! [`super::pairs`].
//!
//! Everything is a sum of products of the row polynomials. It is computed once forward; then the same steps in reverse
//! order give what every coefficient is worth, which is what it is multiplied with in all. Coefficient times worth is the
//! number of layouts in which the row is so occupied. Nothing is ever subtracted.

use super::lanes::{
    Polynomials, Strip, Work, add, add_lowered, add_scaled, add_strip, adjoint, dot, get, nothing, product, raise, repeated, wide,
};
use super::levels::Levels;
use super::number::Number;
use super::pairs::Pairs;
use super::strips::{Board, Strips};
use super::weights::Weigh;

// The steps of a sweep.
const FILL: usize = 0;
const WINDOWS: usize = 1;
const COLUMNS: usize = 2;
const PAIRS: usize = 3;
const COLUMNS_BACK: usize = 4;
const LEVELS: usize = 5;
const WINDOWS_BACK: usize = 6;
const SPREAD: usize = 7;

/// The tables of one sweep.
#[derive(Debug, Default)]
pub(crate) struct Tables<N> {
    /// The rows' own polynomials, and what they are worth.
    strips: Strips<N>,
    /// `[open column][kind]`: the weights of the vertical placements by their first row.
    verticals: Polynomials<N>,
    /// `[open column][rows]`: the polynomials of so many rows from each row on, with the column occupied.
    windows: Polynomials<N>,
    /// What the windows of one column are worth.
    worths: Polynomials<N>,
    raised: Polynomials<N>,
    /// Per kind: the windows of its length, over all columns and their ships.
    placed: Polynomials<N>,
    /// What that is worth.
    placed_worths: Polynomials<N>,
    levels: Levels<N>,
    pairs: Pairs<N>,
}

/// A board and its tables.
pub(crate) struct Sweep<'a, 'g, N, W> {
    /// The board.
    pub(crate) board: &'a Board<'g, W>,
    /// The tables.
    pub(crate) tables: &'a mut Tables<N>,
}

impl<N: Number, W: Weigh<N>> Sweep<'_, '_, N, W> {
    /// Adds what the ships on each cell are worth to `cells`, and returns the total.
    pub(crate) fn count(&mut self, cells: &mut [N]) -> N {
        match self.board.problem.rows {
            ..=12 if N::VECTORS => self.count_wide::<3>(cells),
            ..=20 => self.count_wide::<5>(cells),
            _ => self.count_wide::<16>(cells),
        }
    }

    fn count_wide<const K: usize>(&mut self, cells: &mut [N]) -> N {
        let cols = self.board.problem.cols;
        let mut strips = vec![nothing::<N, K>(); cols];
        self.reset::<K>();
        self.pass(&mut strips);
        for (at, cell) in cells.iter_mut().enumerate() {
            let (row, col) = (at / cols, at % cols);
            let n = get(&strips[col], row);
            // What one of two images has stands for both.
            *cell = cell.plus(if self.board.mirrored { W::half(n.plus(get(&strips[cols - 1 - col], row))) } else { n });
        }
        self.tables.levels.total()
    }

    /// Makes room for the board.
    fn reset<const K: usize>(&mut self) {
        let Board { parts, forms, open, most, .. } = *self.board;
        let (len, kinds) = (parts.len, forms.kinds.len());
        self.tables.strips.reset::<K, W>(self.board);
        self.tables.levels.reset(self.board.problem.rows, len, most);
        if most > 0 {
            let Tables { verticals, windows, worths, raised, placed, placed_worths, .. } = &mut *self.tables;
            verticals.reserve::<K>(open.len() * kinds, 1);
            for (at, &col) in open.iter().enumerate() {
                for (k, kind) in forms.kinds.iter().enumerate() {
                    verticals.at_mut::<K>(at * kinds + k)[0] = self.board.weights(kind.class, true, col);
                }
            }
            windows.reserve::<K>(open.len() * (forms.longest + 1), len);
            worths.reserve::<K>(forms.longest + 1, len);
            raised.reserve::<K>(2, len);
            placed.clear::<K>(kinds, len);
            placed_worths.reserve::<K>(kinds, len);
        }
        if most == 2 {
            self.tables.pairs.reset::<K, W>(self.board);
        }
    }

    /// One step after the other. Each is compiled by itself: as one function they would be too long for the compiler.
    fn pass<const K: usize>(&mut self, cells: &mut [Strip<N, K>]) {
        let (most, set) = (self.board.most, self.board.instructions);
        wide::<N>(set, Pass::<_, _, K, FILL>(self, cells));
        if most > 0 {
            wide::<N>(set, Pass::<_, _, K, WINDOWS>(self, cells));
        }
        if most == 2 {
            wide::<N>(set, Pass::<_, _, K, COLUMNS>(self, cells));
            wide::<N>(set, Pass::<_, _, K, PAIRS>(self, cells));
            wide::<N>(set, Pass::<_, _, K, COLUMNS_BACK>(self, cells));
        }
        wide::<N>(set, Pass::<_, _, K, LEVELS>(self, cells));
        if most > 0 {
            wide::<N>(set, Pass::<_, _, K, WINDOWS_BACK>(self, cells));
        }
        wide::<N>(set, Pass::<_, _, K, SPREAD>(self, cells));
    }

    #[inline(always)]
    fn step<const K: usize, const STEP: usize>(&mut self, cells: &mut [Strip<N, K>]) {
        let board = self.board;
        let Tables { strips, levels, pairs, verticals, placed, placed_worths, .. } = &mut *self.tables;
        match STEP {
            FILL => strips.fill::<K, W>(board),
            WINDOWS => {
                for at in board.columns() {
                    self.window::<K>(at);
                }
            }
            COLUMNS => {
                levels.alone::<K>(board.forms, strips.free(), pairs.above.at_mut(0), pairs.below.at_mut(0));
                pairs.columns::<K, W>(board, strips, verticals);
            }
            PAIRS => pairs.pairs::<K, W>(board, strips, verticals, cells),
            COLUMNS_BACK => {
                pairs.columns_back::<K, W>(board, strips, verticals);
                levels.reset(board.problem.rows, board.parts.len, board.most);
                levels.add_pairs::<K>(pairs.above_worth.at(0), pairs.below_worth.at(0), board.parts);
            }
            LEVELS => {
                levels.sweep::<K>(board.forms, strips.free(), placed);
                levels.worths::<K>(board.forms, strips.free_worth.at_mut(0), placed_worths);
            }
            WINDOWS_BACK => {
                for at in board.columns() {
                    self.window_back::<K>(at, cells);
                }
            }
            _ => strips.spread::<K, W>(board, cells),
        }
    }

    /// The windows of a column.
    #[inline(always)]
    fn window<const K: usize>(&mut self, at: usize) {
        let forms = self.board.forms;
        let (spare, images) = (&forms.spare[1], self.board.images(at));
        let Tables { strips, windows, verticals, placed, raised, .. } = &mut *self.tables;
        let base = at * (forms.longest + 1);
        let (held, raised) = (strips.held.at::<K>(at), raised.at_mut::<K>(0));
        windows.at_mut::<K>(base + 1).copy_from_slice(held);
        for rows in 2..=forms.longest {
            raise(raised, windows.at::<K>(base + rows - 1), spare);
            product::<N, K, K>(windows.at_mut(base + rows), held, raised, &forms.windows[rows]);
        }
        for (k, kind) in forms.kinds.iter().enumerate() {
            let vertical = repeated(&verticals.at::<K>(at * forms.kinds.len() + k)[0], images);
            add_scaled(placed.at_mut::<K>(k), windows.at(base + kind.length), &vertical, spare);
        }
    }

    /// The adjoint of [`Sweep::window`]; then all that the column's rows are worth is known.
    #[inline(always)]
    fn window_back<const K: usize>(&mut self, at: usize, cells: &mut [Strip<N, K>]) {
        let forms = self.board.forms;
        let (spare, images) = (&forms.spare[1], self.board.images(at));
        let Tables { strips, windows, worths, verticals, placed_worths, raised, .. } = &mut *self.tables;
        let base = at * (forms.longest + 1);
        for rows in 1..=forms.longest {
            worths.at_mut::<K>(rows).fill(nothing());
        }
        for (k, kind) in forms.kinds.iter().enumerate() {
            let vertical = repeated(&verticals.at::<K>(at * forms.kinds.len() + k)[0], images);
            add_scaled(worths.at_mut::<K>(kind.length), placed_worths.at(k), &vertical, spare);
        }
        let held = strips.held.at::<K>(at);
        let held_worth = strips.held_worths.at_mut::<K>(at);
        for rows in (2..=forms.longest).rev() {
            raise(raised.at_mut::<K>(0), windows.at::<K>(base + rows - 1), spare);
            raised.at_mut::<K>(1).fill(nothing());
            let (others, others_worth) = raised.split::<K>(1);
            adjoint::<N, K, K>((held, held_worth), (others, others_worth), worths.at(rows), &forms.windows[rows]);
            add_lowered(worths.at_mut::<K>(rows - 1), others_worth, spare);
        }
        add(held_worth, worths.at::<K>(1), spare);
        let col = self.board.open[at];
        add_strip(&mut cells[col], &dot(held, held_worth, spare));
    }
}

/// A step of the sweep.
struct Pass<'s, 'a, 'g, N, W, const K: usize, const STEP: usize>(&'s mut Sweep<'a, 'g, N, W>, &'s mut [Strip<N, K>]);

impl<N: Number, W: Weigh<N>, const K: usize, const STEP: usize> Work for Pass<'_, '_, '_, N, W, K, STEP> {
    #[inline(always)]
    fn run(self) {
        self.0.step::<K, STEP>(self.1);
    }
}
