//! Eight numbers side by side, and polynomials whose coefficients are blocks of them.
//!
//! All kernels are `inline(always)`, so that they are compiled with the vector width of the
//! function they end up in; see [`wide`].

use super::fleet::Limited;
use super::number::Number;

/// Numbers in one vector.
pub(crate) const LANES: usize = 8;
/// A vector of numbers, aligned so that it never straddles two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Lanes<N>(pub [N; LANES]);

impl<N: Number> Lanes<N> {
    /// Zero in every lane.
    #[inline(always)]
    pub(crate) fn zero() -> Self {
        Lanes([N::ZERO; LANES])
    }

    /// Every lane times the factor.
    #[inline(always)]
    pub(crate) fn times(self, factor: N) -> Self {
        Lanes(self.0.map(|n| n.times(factor)))
    }
}

impl<N> std::ops::Index<usize> for Lanes<N> {
    type Output = N;
    #[inline(always)]
    fn index(&self, lane: usize) -> &N {
        &self.0[lane]
    }
}

impl<N> std::ops::IndexMut<usize> for Lanes<N> {
    #[inline(always)]
    fn index_mut(&mut self, lane: usize) -> &mut N {
        &mut self.0[lane]
    }
}

/// `K` vectors: one coefficient of `8 * K` polynomials that are treated alike.
pub(crate) type Block<N, const K: usize> = [Lanes<N>; K];

/// A monomial of a polynomial that many lanes are multiplied with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term<N> {
    /// The part of the fleet it uses.
    pub(crate) part: u16,
    /// Its coefficient, not zero.
    pub(crate) factor: N,
}

/// The terms of a polynomial.
pub(crate) fn terms<N: Number>(coefficients: impl Iterator<Item = N>, into: &mut Vec<Term<N>>) {
    let numbered = (0..=u16::MAX).zip(coefficients);
    let terms = numbered.filter(|&(_, factor)| factor != N::ZERO);
    into.extend(terms.map(|(part, factor)| Term { part, factor }));
}

/// `to += factor * from` in every lane.
#[inline(always)]
pub(crate) fn add_scaled<N: Number>(to: &mut Lanes<N>, from: &Lanes<N>, factor: N) {
    for lane in 0..LANES {
        to[lane] = to[lane].plus_product(factor, from[lane]);
    }
}

/// `to += a * b` in every lane.
#[inline(always)]
pub(crate) fn add_products<N: Number>(to: &mut Lanes<N>, a: &Lanes<N>, b: &Lanes<N>) {
    for lane in 0..LANES {
        to[lane] = to[lane].plus_product(a[lane], b[lane]);
    }
}

/// The sum over the lanes. Best of vectors that have been in memory in between: a compiler that
/// sees their whole life may sum in pieces that are not vectors.
#[inline(always)]
pub(crate) fn sum<N: Number>(lanes: &Lanes<N>) -> N {
    lanes.0.iter().fold(N::ZERO, |sum, &n| sum.plus(n))
}

/// `out = a * (the polynomial of the terms)`.
#[inline(always)]
pub(crate) fn product<N: Number, const K: usize>(
    out: &mut [Block<N, K>],
    a: &[Block<N, K>],
    terms: &[Term<N>],
    parts: Limited<'_>,
) {
    out.fill([Lanes::zero(); K]);
    for term in terms {
        for &(v, sum) in parts.sums(term.part) {
            let (to, from) = (&mut out[usize::from(sum)], &a[usize::from(v)]);
            for k in 0..K {
                add_scaled(&mut to[k], &from[k], term.factor);
            }
        }
    }
}

/// The adjoint of [`product`]: `out[v] = Σ_m terms[m] * worth[v + m]`.
#[inline(always)]
pub(crate) fn quotient<N: Number, const K: usize>(
    out: &mut [Block<N, K>],
    worth: &[Block<N, K>],
    terms: &[Term<N>],
    parts: Limited<'_>,
) {
    out.fill([Lanes::zero(); K]);
    for term in terms {
        for &(v, sum) in parts.sums(term.part) {
            let (to, from) = (&mut out[usize::from(v)], &worth[usize::from(sum)]);
            for k in 0..K {
                add_scaled(&mut to[k], &from[k], term.factor);
            }
        }
    }
}

/// `out = a * coefficients`, for polynomials with most coefficients: each coefficient of the
/// result is gathered in registers.
#[inline(always)]
pub(crate) fn dense_product<N: Number, const K: usize>(
    out: &mut [Block<N, K>],
    a: &[Block<N, K>],
    coefficients: &[N],
    parts: Limited<'_>,
) {
    for (out, splits) in out.iter_mut().zip(parts.splits()) {
        let mut acc = [Lanes::zero(); K];
        for &(m, v) in splits {
            let (factor, from) = (coefficients[usize::from(m)], &a[usize::from(v)]);
            for k in 0..K {
                add_scaled(&mut acc[k], &from[k], factor);
            }
        }
        *out = acc;
    }
}

/// The adjoint of [`dense_product`] in both factors: `out[v] = Σ_m coefficients[m] * worth[v + m]`
/// and, still to be summed over the lanes, `meets[m] = Σ_v ways[v] * worth[v + m]`.
#[inline(always)]
pub(crate) fn dense_adjoint<N: Number, const K: usize>(
    out: &mut [Block<N, K>],
    meets: &mut [Lanes<N>],
    ways: &[Block<N, K>],
    worth: &[Block<N, K>],
    coefficients: &[N],
    parts: Limited<'_>,
) {
    meets[..parts.len].fill(Lanes::zero());
    for (v, (out, ways)) in (0..=u16::MAX).zip(out.iter_mut().zip(ways)) {
        let mut acc = [Lanes::zero(); K];
        for &(m, sum) in parts.sums(v) {
            let (m, worth) = (usize::from(m), &worth[usize::from(sum)]);
            let factor = coefficients[m];
            let meet = &mut meets[m];
            for k in 0..K {
                add_scaled(&mut acc[k], &worth[k], factor);
                add_products(meet, &ways[k], &worth[k]);
            }
        }
        *out = acc;
    }
}

/// What the coefficient of part `m` is worth: `Σ_v a[v] * worth[v + m]`, to be summed over lanes.
#[inline(always)]
pub(crate) fn meet<N: Number>(a: &[Lanes<N>], worth: &[Lanes<N>], pairs: &[(u16, u16)]) -> Lanes<N> {
    let mut acc = Lanes::zero();
    for &(v, sum) in pairs {
        add_products(&mut acc, &a[usize::from(v)], &worth[usize::from(sum)]);
    }
    acc
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

/// Runs the work with the widest vectors of this processor, if `N` comes in vectors.
pub(crate) fn wide<N: Number>(work: impl Work) {
    if N::VECTORS {
        pulp::Arch::new().dispatch(Wide(work));
    } else {
        work.run();
    }
}

/// Whether [`wide`] has an instruction to multiply and add at once.
pub(crate) fn fused() -> bool {
    #[cfg(target_arch = "x86_64")]
    return !matches!(pulp::Arch::new(), pulp::Arch::Scalar);
    #[cfg(not(target_arch = "x86_64"))]
    return cfg!(target_arch = "aarch64");
}
