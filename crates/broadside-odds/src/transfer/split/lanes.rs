//! A number for each row of the board, side by side, and polynomials whose coefficients are such strips.
//!
//! All kernels are `inline(always)`, so that they are compiled with the vector width of the function they end up in; see
//! [`wide`]. For the same reason they have loops where closures would read as well: a closure that is not inlined is
//! compiled for the narrowest vectors.

use super::forms::Form;
use super::number::Number;
use crate::transfer::InstructionSet;

/// Numbers in one vector: ten rows fit into three vectors of four, where two of eight would be a third empty.
pub(crate) const LANES: usize = 4;

/// A vector of numbers, aligned so that it never straddles two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Lanes<N>(pub [N; LANES]);

impl<N: Number> Lanes<N> {
    /// Zero in every lane.
    #[inline(always)]
    pub(crate) fn zero() -> Self {
        Lanes([N::ZERO; LANES])
    }

    // What is computed comes from copies, and is stored as a whole: else the compiler fears that a vector overlaps the others, and goes
    // lane by lane.

    /// `self + a * b` in every lane.
    #[inline(always)]
    pub(crate) fn add_products(&mut self, a: &Self, b: &Self) {
        let (mut sum, a, b) = (*self, *a, *b);
        for lane in 0..LANES {
            sum.0[lane] = sum.0[lane].plus_product(a.0[lane], b.0[lane]);
        }
        *self = sum;
    }

    /// `self + factor * a` in every lane.
    #[inline(always)]
    pub(crate) fn add_scaled(&mut self, a: &Self, factor: N) {
        let (mut sum, a) = (*self, *a);
        for lane in 0..LANES {
            sum.0[lane] = sum.0[lane].plus_product(factor, a.0[lane]);
        }
        *self = sum;
    }

    /// `self + more` in every lane.
    #[inline(always)]
    fn add(&mut self, more: &Self) {
        let (mut sum, more) = (*self, *more);
        for lane in 0..LANES {
            sum.0[lane] = sum.0[lane].plus(more.0[lane]);
        }
        *self = sum;
    }

    /// `a * b` in every lane.
    #[inline(always)]
    fn product(a: &Self, b: &Self) -> Self {
        let (mut product, b) = (*a, *b);
        for lane in 0..LANES {
            product.0[lane] = product.0[lane].times(b.0[lane]);
        }
        product
    }

    /// The sum over the lanes.
    #[inline(always)]
    pub(crate) fn sum(&self) -> N {
        let mut sum = N::ZERO;
        for n in self.0 {
            sum = sum.plus(n);
        }
        sum
    }
}

/// A number for each row: row `r` is lane `r % 4` of vector `r / 4`. Lanes beyond the board are zero.
pub(crate) type Strip<N, const K: usize> = [Lanes<N>; K];

/// Nothing in every row.
#[inline(always)]
pub(crate) fn nothing<N: Number, const K: usize>() -> Strip<N, K> {
    [Lanes::zero(); K]
}

/// The strip with these numbers.
pub(crate) fn strip<N: Number, const K: usize>(numbers: impl Iterator<Item = N>) -> Strip<N, K> {
    let mut strip = nothing();
    for (row, n) in numbers.enumerate() {
        set(&mut strip, row, n);
    }
    strip
}

/// The number of a row.
#[inline(always)]
pub(crate) fn get<N: Number, const K: usize>(strip: &Strip<N, K>, row: usize) -> N {
    strip[row / LANES].0[row % LANES]
}

/// Sets the number of a row.
#[inline(always)]
pub(crate) fn set<N: Number, const K: usize>(strip: &mut Strip<N, K>, row: usize, n: N) {
    strip[row / LANES].0[row % LANES] = n;
}

/// `to += a * b` in every row.
#[inline(always)]
pub(crate) fn add_products<N: Number, const K: usize>(to: &mut Strip<N, K>, a: &Strip<N, K>, b: &Strip<N, K>) {
    for k in 0..K {
        to[k].add_products(&a[k], &b[k]);
    }
}

// What follows is done to the coefficients of some parts only. The list is of use to the compiler too: of a loop over all
// coefficients it would make vectors across them, with a gather for each lane.

/// `to[i] += a[i] * b` for the listed parts of a polynomial and one strip.
#[inline(always)]
pub(crate) fn add_scaled<N: Number, const K: usize>(to: &mut [Strip<N, K>], a: &[Strip<N, K>], b: &Strip<N, K>, parts: &[u16]) {
    add_narrow_scaled::<N, K, K>(to, a, b, parts);
}

/// The same in the first `J` vectors.
#[inline(always)]
pub(crate) fn add_narrow_scaled<N: Number, const K: usize, const J: usize>(
    to: &mut [Strip<N, K>],
    a: &[Strip<N, K>],
    b: &Strip<N, K>,
    parts: &[u16],
) {
    // A copy: else it is loaded again for every part, since what is stored might be a piece of it.
    let b = *b;
    for &part in parts {
        let (to, a) = (&mut to[usize::from(part)], &a[usize::from(part)]);
        for k in 0..J {
            to[k].add_products(&a[k], &b[k]);
        }
    }
}

/// `to[i] = a[i] * b`.
#[inline(always)]
pub(crate) fn scale<N: Number, const K: usize>(to: &mut [Strip<N, K>], a: &[Strip<N, K>], b: &Strip<N, K>, parts: &[u16]) {
    let b = *b;
    for &part in parts {
        let (to, a) = (&mut to[usize::from(part)], &a[usize::from(part)]);
        for k in 0..K {
            to[k] = Lanes::product(&a[k], &b[k]);
        }
    }
}

/// `to += from` in every row.
#[inline(always)]
pub(crate) fn add_strip<N: Number, const K: usize>(to: &mut Strip<N, K>, from: &Strip<N, K>) {
    for k in 0..K {
        to[k].add(&from[k]);
    }
}

/// A strip added to itself so that it is there so many times.
#[inline(always)]
pub(crate) fn repeated<N: Number, const K: usize>(strip: &Strip<N, K>, times: usize) -> Strip<N, K> {
    let mut sum = *strip;
    for _ in 1..times {
        add_strip(&mut sum, strip);
    }
    sum
}

/// `to[i] += from[i]`.
#[inline(always)]
pub(crate) fn add<N: Number, const K: usize>(to: &mut [Strip<N, K>], from: &[Strip<N, K>], parts: &[u16]) {
    for &part in parts {
        add_strip(&mut to[usize::from(part)], &from[usize::from(part)]);
    }
}

/// `Σ a[i] * b[i]`.
#[inline(always)]
pub(crate) fn dot<N: Number, const K: usize>(a: &[Strip<N, K>], b: &[Strip<N, K>], parts: &[u16]) -> Strip<N, K> {
    let mut sum = nothing();
    for &part in parts {
        add_products(&mut sum, &a[usize::from(part)], &b[usize::from(part)]);
    }
    sum
}

/// What row `r + 1` has, in row `r`; zero in the last.
#[inline(always)]
pub(crate) fn raised<N: Number, const K: usize>(strip: &Strip<N, K>) -> Strip<N, K> {
    let mut out = nothing::<N, K>();
    for (k, out) in out.iter_mut().enumerate() {
        for lane in 0..LANES {
            let row = k * LANES + lane + 1;
            out.0[lane] = if row < K * LANES { strip[row / LANES].0[row % LANES] } else { N::ZERO };
        }
    }
    out
}

/// What row `r - 1` has, in row `r`; zero in the first.
#[inline(always)]
pub(crate) fn lowered<N: Number, const K: usize>(strip: &Strip<N, K>) -> Strip<N, K> {
    let mut out = nothing::<N, K>();
    for (k, out) in out.iter_mut().enumerate() {
        for lane in 0..LANES {
            let row = k * LANES + lane;
            out.0[lane] = if row > 0 { strip[(row - 1) / LANES].0[(row - 1) % LANES] } else { N::ZERO };
        }
    }
    out
}

/// `out[i]` is `from[i]` raised.
#[inline(always)]
pub(crate) fn raise<N: Number, const K: usize>(out: &mut [Strip<N, K>], from: &[Strip<N, K>], parts: &[u16]) {
    for &part in parts {
        out[usize::from(part)] = raised(&from[usize::from(part)]);
    }
}

/// `to[i] += from[i]` lowered.
#[inline(always)]
pub(crate) fn add_lowered<N: Number, const K: usize>(to: &mut [Strip<N, K>], from: &[Strip<N, K>], parts: &[u16]) {
    for &part in parts {
        add_strip(&mut to[usize::from(part)], &lowered(&from[usize::from(part)]));
    }
}

/// Raises a polynomial in place.
#[inline(always)]
pub(crate) fn lift<N: Number, const K: usize>(polynomial: &mut [Strip<N, K>], parts: &[u16]) {
    for &part in parts {
        polynomial[usize::from(part)] = raised(&polynomial[usize::from(part)]);
    }
}

/// Lowers a polynomial in place.
#[inline(always)]
pub(crate) fn lower<N: Number, const K: usize>(polynomial: &mut [Strip<N, K>], parts: &[u16]) {
    for &part in parts {
        polynomial[usize::from(part)] = lowered(&polynomial[usize::from(part)]);
    }
}

/// `out[k] = Σ a[i] * b[j]` over the terms of the form. Only the first `J` vectors are computed.
#[inline(always)]
pub(crate) fn product<N: Number, const K: usize, const J: usize>(
    out: &mut [Strip<N, K>],
    a: &[Strip<N, K>],
    b: &[Strip<N, K>],
    form: &Form,
) {
    for (third, out) in out.iter_mut().enumerate() {
        let pairs = form.by_third(third);
        let mut acc = [Lanes::zero(); J];
        gather(&mut acc, a, b, pairs);
        out[..J].copy_from_slice(&acc);
    }
}

/// `out[k] += Σ a[i] * b[j]`, see [`product`].
#[inline(always)]
pub(crate) fn add_product<N: Number, const K: usize, const J: usize>(
    out: &mut [Strip<N, K>],
    a: &[Strip<N, K>],
    b: &[Strip<N, K>],
    form: &Form,
) {
    for (third, pairs) in form.thirds() {
        let out = &mut out[third];
        let mut acc: [Lanes<N>; J] = *out.first_chunk().expect("J is at most K");
        gather(&mut acc, a, b, pairs);
        out[..J].copy_from_slice(&acc);
    }
}

#[inline(always)]
fn gather<N: Number, const K: usize, const J: usize>(
    acc: &mut [Lanes<N>; J],
    a: &[Strip<N, K>],
    b: &[Strip<N, K>],
    pairs: &[(u16, u16)],
) {
    for &(i, j) in pairs {
        let (a, b) = (&a[usize::from(i)], &b[usize::from(j)]);
        for k in 0..J {
            acc[k].add_products(&a[k], &b[k]);
        }
    }
}

/// A polynomial and what its coefficients are worth.
pub(crate) type Valued<'a, N, const K: usize> = (&'a [Strip<N, K>], &'a mut [Strip<N, K>]);

/// The adjoint of [`product`]: given what the result is worth, adds what the factors are.
#[inline(always)]
pub(crate) fn adjoint<N: Number, const K: usize, const J: usize>(
    (a, a_worth): Valued<'_, N, K>,
    (b, b_worth): Valued<'_, N, K>,
    worth: &[Strip<N, K>],
    form: &Form,
) {
    // Of one length, so that an index is compared with it once.
    let (a_worth, b_worth) = (&mut a_worth[..a.len()], &mut b_worth[..b.len()]);
    for (first, pairs) in form.firsts() {
        // Copies, which stay in registers: else `a` is loaded again for every term, since what is stored might be a piece of it.
        let (a, a_worth) = (a[first], &mut a_worth[first]);
        let mut acc: [Lanes<N>; J] = *a_worth.first_chunk().expect("J is at most K");
        for &(j, third) in pairs {
            let (j, worth) = (usize::from(j), &worth[usize::from(third)]);
            for k in 0..J {
                acc[k].add_products(&b[j][k], &worth[k]);
                b_worth[j][k].add_products(&a[k], &worth[k]);
            }
        }
        a_worth[..J].copy_from_slice(&acc);
    }
}

/// What each of three polynomials is worth beside the other two, in the sum `Σ a[i] * b[j] * c[k]`.
#[inline(always)]
pub(crate) fn meet<N: Number, const K: usize, const J: usize>(
    (a, a_worth): Valued<'_, N, K>,
    (b, b_worth): Valued<'_, N, K>,
    (c, c_worth): Valued<'_, N, K>,
    form: &Form,
) {
    let (a_worth, b_worth, c_worth) = (&mut a_worth[..a.len()], &mut b_worth[..b.len()], &mut c_worth[..c.len()]);
    for (first, pairs) in form.firsts() {
        let (a, a_worth) = (a[first], &mut a_worth[first]);
        let mut acc: [Lanes<N>; J] = *a_worth.first_chunk().expect("J is at most K");
        for &(j, third) in pairs {
            let (j, third) = (usize::from(j), usize::from(third));
            for k in 0..J {
                let (b, c) = (b[j][k], c[third][k]);
                acc[k].add_products(&b, &c);
                b_worth[j][k].add_products(&a[k], &c);
                c_worth[third][k].add_products(&a[k], &b);
            }
        }
        a_worth[..J].copy_from_slice(&acc);
    }
}

/// Polynomials one after another, in memory that is kept between boards.
#[derive(Debug, Default)]
pub(crate) struct Polynomials<N> {
    lanes: Vec<Lanes<N>>,
    /// Coefficients of a polynomial.
    len: usize,
}

impl<N: Number> Polynomials<N> {
    /// Makes room for polynomials of `len` coefficients of `K` vectors; what they hold is of no account.
    pub(crate) fn reserve<const K: usize>(&mut self, polynomials: usize, len: usize) {
        self.len = len;
        let size = polynomials * len * K;
        if self.lanes.len() < size {
            self.lanes.resize(size, Lanes::zero());
        }
    }

    /// Makes room for polynomials that are zero.
    pub(crate) fn clear<const K: usize>(&mut self, polynomials: usize, len: usize) {
        self.reserve::<K>(polynomials, len);
        self.lanes[..polynomials * len * K].fill(Lanes::zero());
    }

    /// One of the polynomials.
    #[inline(always)]
    pub(crate) fn at<const K: usize>(&self, index: usize) -> &[Strip<N, K>] {
        let size = self.len * K;
        self.lanes[index * size..][..size].as_chunks().0
    }

    /// One of the polynomials.
    #[inline(always)]
    pub(crate) fn at_mut<const K: usize>(&mut self, index: usize) -> &mut [Strip<N, K>] {
        let size = self.len * K;
        self.lanes[index * size..][..size].as_chunks_mut().0
    }

    /// The polynomials before `index`, and the one there.
    #[inline(always)]
    pub(crate) fn split<const K: usize>(&mut self, index: usize) -> (&mut [Strip<N, K>], &mut [Strip<N, K>]) {
        let size = self.len * K;
        let (before, rest) = self.lanes.split_at_mut(index * size);
        (before.as_chunks_mut().0, rest[..size].as_chunks_mut().0)
    }
}

/// Work that is worth compiling for every vector width.
pub(crate) trait Work {
    /// Does the work; must be `inline(always)`.
    fn run(self);
}

struct Wide<T>(T);

impl<T: Work> pulp::NullaryFnOnce for Wide<T> {
    type Output = ();
    #[inline(always)]
    fn call(self) {
        self.0.run();
    }
}

/// Runs the work with these instructions, if `N` comes in vectors.
pub(crate) fn wide<N: Number>(instructions: InstructionSet, work: impl Work) {
    if N::VECTORS {
        instructions.run(Wide(work));
    } else {
        work.run();
    }
}
