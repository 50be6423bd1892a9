//! The row polynomials of a whole board, for no, one or two occupied columns, all rows at a time.
//!
//! A walk along the rows gives the polynomials of the cells left of each column, one in the other direction those of the
//! cells right of it. With one column occupied, a row is the product of the two. For a second one, a walk goes on from
//! each occupied column, and at the second is multiplied with the polynomial of the rest.

use std::cmp::Ordering;

use super::fleet::Parts;
use super::forms::Forms;
use super::lanes::{
    LANES, Polynomials, Strip, add, add_products, add_scaled, add_strip, adjoint, nothing, product, scale, strip,
};
use super::number::Number;
use super::weights::{Place, Weigh};
use crate::problem::Problem;
use crate::transfer::InstructionSet;
use broadside_rules::Stop;

/// A problem made ready for a sweep with few vertical ships.
pub(crate) struct Board<'a, W> {
    /// The problem.
    pub(crate) problem: &'a Problem,
    /// The parts of its fleet.
    pub(crate) parts: &'a Parts,
    /// Its products.
    pub(crate) forms: &'a Forms,
    /// The weights of the placements.
    pub(crate) weights: &'a W,
    /// The columns that may hold vertical ships.
    pub(crate) open: &'a [usize],
    /// Whether the board and the weights look the same with left and right exchanged. Then one of two columns that are images of
    /// each other stands for both, and so does one of two pairs of columns.
    pub(crate) mirrored: bool,
    /// The most vertical ships, at most 2.
    pub(crate) most: usize,
    /// The ships of the fleet.
    pub(crate) ships: usize,
    /// Looked at before every column and pair of columns. A sweep that is stopped has no result.
    pub(crate) stop: &'a Stop,
    /// The instructions to use.
    pub(crate) instructions: InstructionSet,
}

impl<W> Board<'_, W> {
    /// About how many numbers the tables of a sweep hold.
    pub(crate) fn numbers(&self) -> usize {
        let (open, longest) = (self.open.len(), self.forms.longest);
        let pairs = if self.most == 2 { open * (open + self.problem.cols) + 12 * open * longest } else { 0 };
        (4 * self.problem.cols + 4 * open * longest + pairs) * self.parts.len * self.problem.rows.next_multiple_of(LANES)
    }

    /// Whether two vertical ships in these open columns leave more rows with hits than ships to lie in them.
    #[inline(always)]
    fn too_few_horizontal(&self, left: usize, right: usize) -> bool {
        let occupied = 1 << self.open[left] | 1 << self.open[right];
        let mut rows = 0;
        for must in &self.problem.must {
            rows += usize::from(must & !occupied != 0);
        }
        rows + 2 > self.ships
    }

    /// How many open columns there are without those for which another stands; they are the first.
    #[inline(always)]
    pub(crate) fn distinct(&self) -> usize {
        if self.mirrored { self.open.len().div_ceil(2) } else { self.open.len() }
    }

    /// The numbers of these columns, until the sweep is stopped.
    #[inline(always)]
    pub(crate) fn columns(&self) -> impl Iterator<Item = usize> {
        (0..self.distinct()).take_while(|_| !self.stop.is_stopped())
    }

    /// The open column that stands for this one.
    #[inline(always)]
    pub(crate) fn representative(&self, at: usize) -> usize {
        if self.mirrored { at.min(self.open.len() - 1 - at) } else { at }
    }

    /// For how many columns the open column stands.
    #[inline(always)]
    pub(crate) fn images(&self, at: usize) -> usize {
        self.pair_images(at, at)
    }

    /// For how many pairs of columns the pair stands; zero if another stands for it.
    #[inline(always)]
    pub(crate) fn pair_images(&self, left: usize, right: usize) -> usize {
        if !self.mirrored {
            return 1;
        }
        match (left + right + 1).cmp(&self.open.len()) {
            Ordering::Less => 2,
            Ordering::Equal => 1,
            Ordering::Greater => 0,
        }
    }

    /// The columns right of an open one, without those that are in no pair with it that stands for itself or another.
    #[inline(always)]
    fn right_of(&self, col: usize) -> std::ops::Range<usize> {
        col + 1..if self.mirrored { self.problem.cols - col } else { self.problem.cols }
    }

    /// Whether layouts with two vertical ships in these open columns are counted by themselves.
    #[inline(always)]
    pub(crate) fn is_counted(&self, left: usize, right: usize) -> bool {
        self.pair_images(left, right) > 0 && !self.too_few_horizontal(left, right)
    }

    /// One in every row of the board.
    fn ones<N: Number, const K: usize>(&self) -> Strip<N, K> {
        strip(self.problem.must.iter().map(|_| N::ONE))
    }

    /// The weight of a placement in each row, 0 where it is not allowed.
    pub(crate) fn weights<N: Number, const K: usize>(&self, class: usize, vertical: bool, col: usize) -> Strip<N, K>
    where
        W: Weigh<N>,
    {
        let ships = &self.problem.classes[class];
        let allowed = if vertical { &ships.vertical } else { &ships.horizontal };
        strip(allowed.iter().enumerate().map(|(row, mask)| {
            let place = Place { class, vertical, row, col };
            if mask >> col & 1 == 1 { self.weights.weigh(N::ONE, place) } else { N::ZERO }
        }))
    }
}

/// The number of a pair of open columns.
#[inline(always)]
pub(crate) fn pair(left: usize, right: usize) -> usize {
    right * (right - 1) / 2 + left
}

/// A walk over the cells of the rows.
#[derive(Clone, Copy)]
struct Walk {
    /// Its place in the table: the polynomials of 0, 1, 2, … cells.
    base: usize,
    /// The cell it starts from.
    from: usize,
    /// Ships that it must leave for the vertical ones.
    slack: usize,
    /// Whether it goes from right to left.
    mirrored: bool,
}

const FORWARD: Walk = Walk { base: 0, from: 0, slack: 0, mirrored: false };
const BACKWARD: Walk = Walk { base: 0, from: 0, slack: 1, mirrored: true };

/// Row polynomials of a board, and later what their coefficients are worth.
#[derive(Debug, Default)]
pub(crate) struct Strips<N> {
    cols: usize,
    /// `[class][col]`: the weights of the horizontal placements, and whether there are any.
    horizontal: Polynomials<N>,
    usable: Vec<bool>,
    /// Per column: one where the cell may stay without a ship.
    skips: Polynomials<N>,
    /// By the number of cells from the left.
    walks: Polynomials<N>,
    /// By the number of cells from the right.
    rests: Polynomials<N>,
    /// `[open column][b]`: the cells left of `b`, with the column occupied.
    apart: Polynomials<N>,
    /// `[open column]`: the rows with the column occupied.
    pub(crate) held: Polynomials<N>,
    /// `[pair]`: the rows with two columns occupied.
    pub(crate) both: Polynomials<N>,
    /// What the rows without occupied columns are worth.
    pub(crate) free_worth: Polynomials<N>,
    /// What the rows with a column occupied are worth.
    pub(crate) held_worths: Polynomials<N>,
    /// What the rows with two columns occupied are worth.
    pub(crate) both_worths: Polynomials<N>,
    walk_worths: Polynomials<N>,
    rest_worths: Polynomials<N>,
    apart_worths: Polynomials<N>,
    /// `[class][col]`: what the horizontal placements are worth.
    uses: Polynomials<N>,
}

impl<N: Number> Strips<N> {
    /// The rows without occupied columns.
    pub(crate) fn free<const K: usize>(&self) -> &[Strip<N, K>] {
        self.walks.at(self.cols)
    }

    /// Makes room for a board.
    pub(crate) fn reset<const K: usize, W: Weigh<N>>(&mut self, board: &Board<'_, W>) {
        let (cols, open, len) = (board.problem.cols, board.open.len(), board.parts.len);
        self.cols = cols;
        self.walks.reserve::<K>(cols + 1, len);
        self.rests.reserve::<K>(cols + 1, len);
        self.held.reserve::<K>(board.distinct(), len);
        self.free_worth.reserve::<K>(1, len);
        self.held_worths.clear::<K>(board.distinct(), len);
        if board.most == 2 {
            let pairs = open * open.saturating_sub(1) / 2;
            self.apart.reserve::<K>(open * (cols + 1), board.forms.pair_len);
            self.both.reserve::<K>(pairs, board.forms.pair_len);
            self.both_worths.reserve::<K>(pairs, board.forms.pair_len);
        }
        self.weigh::<K, W>(board);
    }

    /// Looks up the weights of the horizontal placements.
    fn weigh<const K: usize, W: Weigh<N>>(&mut self, board: &Board<'_, W>) {
        let (cols, classes) = (self.cols, &board.problem.classes);
        self.horizontal.clear::<K>(classes.len() * cols, 1);
        self.usable.clear();
        for (class, ships) in classes.iter().enumerate() {
            let any = ships.horizontal.iter().fold(0, |any, mask| any | mask);
            self.usable.extend((0..cols).map(|col| ships.count > 0 && any >> col & 1 == 1));
            for col in (0..cols).filter(|col| self.usable[class * cols + col]) {
                self.horizontal.at_mut::<K>(class * cols + col)[0] = board.weights(class, false, col);
            }
        }
        self.skips.reserve::<K>(cols, 1);
        for col in 0..cols {
            let may_skip = |must: &u64| if must >> col & 1 == 0 { N::ONE } else { N::ZERO };
            self.skips.at_mut::<K>(col)[0] = strip(board.problem.must.iter().map(may_skip));
        }
    }

    /// The walk from an open column on.
    fn apart(&self, at: usize, col: usize) -> Walk {
        Walk { base: at * (self.cols + 1), from: col + 1, slack: 2, mirrored: false }
    }

    /// Computes all row polynomials.
    #[inline(always)]
    pub(crate) fn fill<const K: usize, W>(&mut self, board: &Board<'_, W>) {
        let cols = self.cols;
        let one = board.ones();
        for (walks, walk) in [(&mut self.walks, FORWARD), (&mut self.rests, BACKWARD)] {
            if walk.slack > board.most {
                continue;
            }
            walks.at_mut::<K>(0).fill(nothing());
            walks.at_mut::<K>(0)[0] = one;
            for b in 1..=cols {
                let horizontal = Horizontal { weights: &self.horizontal, usable: &self.usable, skips: &self.skips, cols };
                horizontal.step::<K, W>(board, walk, walks, b);
            }
        }
        for (at, &col) in board.open.iter().enumerate().take(board.distinct()) {
            let right = cols - 1 - col;
            let form = &board.forms.held[right];
            product::<N, K, K>(self.held.at_mut(at), self.walks.at(col), self.rests.at(right), form);
            if board.most == 2 {
                self.fill_apart::<K, W>(board, at);
            }
        }
    }

    /// The rows with this and another column occupied.
    #[inline(always)]
    fn fill_apart<const K: usize, W>(&mut self, board: &Board<'_, W>, at: usize) {
        let (cols, col) = (self.cols, board.open[at]);
        let walk = self.apart(at, col);
        let start = self.apart.at_mut::<K>(walk.base + walk.from);
        start.copy_from_slice(&self.walks.at(col)[..start.len()]);
        for b in board.right_of(col) {
            if b > walk.from {
                let horizontal = Horizontal { weights: &self.horizontal, usable: &self.usable, skips: &self.skips, cols };
                horizontal.step::<K, W>(board, walk, &mut self.apart, b);
            }
            if let Ok(other) = board.open.binary_search(&b)
                && board.is_counted(at, other)
            {
                let right = cols - 1 - b;
                let out = self.both.at_mut(pair(at, other));
                product::<N, K, K>(out, self.apart.at(walk.base + b), self.rests.at(right), &board.forms.both[right]);
            }
        }
    }

    /// From the worths of the row polynomials to those of the cells under horizontal ships, `[col]`.
    #[inline(always)]
    pub(crate) fn spread<const K: usize, W>(&mut self, board: &Board<'_, W>, cells: &mut [Strip<N, K>]) {
        let (cols, len) = (self.cols, board.parts.len);
        self.uses.clear::<K>(board.problem.classes.len() * cols, 1);
        self.walk_worths.clear::<K>(cols + 1, len);
        self.rest_worths.clear::<K>(cols + 1, len);
        self.walk_worths.at_mut::<K>(cols).copy_from_slice(self.free_worth.at(0));
        for (at, &col) in board.open.iter().enumerate().take(board.distinct()) {
            let right = cols - 1 - col;
            let left = (self.walks.at(col), self.walk_worths.at_mut(col));
            let rest = (self.rests.at(right), self.rest_worths.at_mut(right));
            adjoint::<N, K, K>(left, rest, self.held_worths.at(at), &board.forms.held[right]);
            if board.most == 2 {
                self.spread_apart::<K, W>(board, at);
            }
        }
        let horizontal = Horizontal { weights: &self.horizontal, usable: &self.usable, skips: &self.skips, cols };
        for b in (1..=cols).rev() {
            horizontal.step_back::<K, W>(board, FORWARD, &self.walks, &mut self.walk_worths, &mut self.uses, b);
            if BACKWARD.slack <= board.most {
                horizontal.step_back::<K, W>(board, BACKWARD, &self.rests, &mut self.rest_worths, &mut self.uses, b);
            }
        }
        for (class, ships) in board.problem.classes.iter().enumerate() {
            for col in (0..cols).filter(|col| self.usable[class * cols + col]) {
                let uses = self.uses.at::<K>(class * cols + col);
                for cell in &mut cells[col..col + ships.length] {
                    add_strip(cell, &uses[0]);
                }
            }
        }
    }

    /// The adjoint of [`Strips::fill_apart`].
    #[inline(always)]
    fn spread_apart<const K: usize, W>(&mut self, board: &Board<'_, W>, at: usize) {
        let (cols, col) = (self.cols, board.open[at]);
        let walk = self.apart(at, col);
        self.apart_worths.reserve::<K>(cols + 1, board.forms.pair_len);
        for b in walk.from..cols.max(walk.from + 1) {
            self.apart_worths.at_mut::<K>(b).fill(nothing());
        }
        for b in board.right_of(col).rev() {
            if let Ok(other) = board.open.binary_search(&b)
                && board.is_counted(at, other)
            {
                let right = cols - 1 - b;
                let left = (self.apart.at(walk.base + b), self.apart_worths.at_mut(b));
                let rest = (self.rests.at(right), self.rest_worths.at_mut(right));
                adjoint::<N, K, K>(left, rest, self.both_worths.at(pair(at, other)), &board.forms.both[right]);
            }
            if b > walk.from {
                let horizontal = Horizontal { weights: &self.horizontal, usable: &self.usable, skips: &self.skips, cols };
                horizontal.step_back::<K, W>(board, walk, &self.apart, &mut self.apart_worths, &mut self.uses, b);
            }
        }
        add(self.walk_worths.at_mut::<K>(col), self.apart_worths.at(walk.from), &board.forms.spare[2]);
    }
}

/// The horizontal placements of a board.
struct Horizontal<'a, N> {
    weights: &'a Polynomials<N>,
    usable: &'a [bool],
    skips: &'a Polynomials<N>,
    cols: usize,
}

impl<N: Number> Horizontal<'_, N> {
    /// The cell that a walk passes in its `b`-th step.
    #[inline(always)]
    fn skip<const K: usize>(&self, walk: Walk, b: usize) -> &Strip<N, K> {
        &self.skips.at(if walk.mirrored { self.cols - b } else { b - 1 })[0]
    }

    /// Whether a walk passes a placement in its `b`-th step: its index, and where the walk was before.
    #[inline(always)]
    fn ending(&self, walk: Walk, b: usize, class: usize, length: usize) -> Option<(usize, usize)> {
        if b < walk.from + length {
            return None;
        }
        let at = class * self.cols + if walk.mirrored { self.cols - b } else { b - length };
        if self.usable[at] { Some((at, b - length)) } else { None }
    }

    #[inline(always)]
    fn step<const K: usize, W>(&self, board: &Board<'_, W>, walk: Walk, polynomials: &mut Polynomials<N>, b: usize) {
        let (before, now) = polynomials.split::<K>(walk.base + b);
        let len = now.len();
        let parts = &board.forms.spare[walk.slack];
        scale(now, &before[(walk.base + b - 1) * len..], self.skip::<K>(walk, b), parts);
        for (class, ships) in board.problem.classes.iter().enumerate() {
            let Some((at, from)) = self.ending(walk, b, class, ships.length) else { continue };
            let (weight, before) = (&self.weights.at::<K>(at)[0], &before[(walk.base + from) * len..][..len]);
            for &(v, sum) in &board.forms.steps[walk.slack][class] {
                add_products(&mut now[usize::from(sum)], &before[usize::from(v)], weight);
            }
        }
    }

    /// The adjoint of [`Horizontal::step`]; the worths have a table for the walk alone.
    #[inline(always)]
    fn step_back<const K: usize, W>(
        &self,
        board: &Board<'_, W>,
        walk: Walk,
        values: &Polynomials<N>,
        worths: &mut Polynomials<N>,
        uses: &mut Polynomials<N>,
        b: usize,
    ) {
        let (before, now) = worths.split::<K>(b);
        let len = now.len();
        let parts = &board.forms.spare[walk.slack];
        add_scaled(&mut before[(b - 1) * len..], now, self.skip::<K>(walk, b), parts);
        for (class, ships) in board.problem.classes.iter().enumerate() {
            let Some((at, from)) = self.ending(walk, b, class, ships.length) else { continue };
            let (weight, before) = (&self.weights.at::<K>(at)[0], &mut before[from * len..][..len]);
            let values = values.at::<K>(walk.base + from);
            let mut worth = nothing();
            for &(v, sum) in &board.forms.steps[walk.slack][class] {
                let (v, now) = (usize::from(v), &now[usize::from(sum)]);
                add_products(&mut before[v], now, weight);
                add_products(&mut worth, &values[v], now);
            }
            add_products(&mut uses.at_mut::<K>(at)[0], &worth, weight);
        }
    }
}
