//! Products of polynomials over the parts of a fleet.

use super::fleet::Parts;
use super::number::Number;

/// The polynomial `1`: nothing used, one way.
pub(crate) fn one<N: Number>(parts: &Parts) -> Vec<N> {
    let mut unit = vec![N::ZERO; parts.len];
    unit[0] = N::ONE;
    unit
}

/// `out += a * b`, without what passes the fleet.
pub(crate) fn add_product<N: Number>(out: &mut [N], a: &[N], b: &[N], parts: &Parts) {
    for (m, &factor) in b.iter().enumerate() {
        if factor != N::ZERO {
            add_shifted(out, a, &parts.sums[m], factor);
        }
    }
}

/// `out[v + m] += factor * a[v]`, for the pairs `(v, v + m)`.
pub(crate) fn add_shifted<N: Number>(out: &mut [N], a: &[N], pairs: &[(u16, u16)], factor: N) {
    for &(v, sum) in pairs {
        let (v, sum) = (usize::from(v), usize::from(sum));
        out[sum] = out[sum].plus(factor.times(a[v]));
    }
}

/// The adjoint of a product: `out[v] += Σ_m b[m] * adjoint[v + m]`.
pub(crate) fn add_quotient<N: Number>(out: &mut [N], adjoint: &[N], b: &[N], parts: &Parts) {
    for (m, &factor) in b.iter().enumerate() {
        if factor != N::ZERO {
            add_unshifted(out, adjoint, &parts.sums[m], factor);
        }
    }
}

/// The adjoint of [`add_shifted`]: `out[v] += factor * adjoint[v + m]`.
pub(crate) fn add_unshifted<N: Number>(out: &mut [N], adjoint: &[N], pairs: &[(u16, u16)], factor: N) {
    for &(v, sum) in pairs {
        let (v, sum) = (usize::from(v), usize::from(sum));
        out[v] = out[v].plus(factor.times(adjoint[sum]));
    }
}

/// `Σ a[v] * adjoint[v + m]`, for the pairs `(v, v + m)`.
pub(crate) fn shifted_dot<N: Number>(a: &[N], adjoint: &[N], pairs: &[(u16, u16)]) -> N {
    pairs.iter().fold(N::ZERO, |sum, &(v, grown)| sum.plus(a[usize::from(v)].times(adjoint[usize::from(grown)])))
}

/// `Σ a[v] * b[v]`.
pub(crate) fn dot<N: Number>(a: &[N], b: &[N]) -> N {
    a.iter().zip(b).fold(N::ZERO, |sum, (&x, &y)| sum.plus(x.times(y)))
}
