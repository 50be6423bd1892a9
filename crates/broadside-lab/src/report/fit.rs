//! Fitting a power with a shift, as the coursework does.

/// y = scale · (x + shift)^power.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Power {
    pub(super) scale: f64,
    pub(super) shift: f64,
    pub(super) power: f64,
}

impl Power {
    /// The curve of least squares through the logarithms of the points, with a shift between 0 and `most`.
    ///
    /// For a given shift that is a straight line; the shift is found by golden section.
    pub(super) fn fit(points: &[(f64, f64)], most: f64) -> Self {
        let golden = (5f64.sqrt() - 1.0) / 2.0;
        let (mut low, mut high) = (0.0, most);
        for _ in 0..100 {
            let (left, right) = (high - golden * (high - low), low + golden * (high - low));
            if Self::at(left, points).misfit(points) < Self::at(right, points).misfit(points) { high = right } else { low = left }
        }
        Self::at(f64::midpoint(low, high), points)
    }

    /// The value of the curve.
    pub(super) fn value(self, x: f64) -> f64 {
        self.scale * (x + self.shift).powf(self.power)
    }

    /// The straight line of least squares for this shift.
    fn at(shift: f64, points: &[(f64, f64)]) -> Self {
        let n = points.len() as f64;
        let logs = || points.iter().map(|&(x, y)| ((x + shift).ln(), y.ln()));
        let (mean_x, mean_y) = (logs().map(|(x, _)| x).sum::<f64>() / n, logs().map(|(_, y)| y).sum::<f64>() / n);
        let slope = logs().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>()
            / logs().map(|(x, _)| (x - mean_x).powi(2)).sum::<f64>();
        Self { scale: (mean_y - slope * mean_x).exp(), shift, power: slope }
    }

    fn misfit(self, points: &[(f64, f64)]) -> f64 {
        points.iter().map(|&(x, y)| (self.value(x).ln() - y.ln()).powi(2)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_found_again_from_its_points() {
        let truth = Power { scale: 3.0, shift: 2.5, power: -0.7 };
        let points: Vec<(f64, f64)> = (1..50).map(f64::from).map(|x| (x, truth.value(x))).collect();
        let fitted = Power::fit(&points, 10.0);
        assert!(
            (fitted.scale - 3.0).abs() < 1e-4 && (fitted.shift - 2.5).abs() < 1e-4 && (fitted.power + 0.7).abs() < 1e-4,
            "{fitted:?}"
        );
    }
}
