//! The axes of a chart: range, ticks and labels.

use crate::text::thousands;

/// About how many ticks an axis has.
const TICKS: f64 = 10.0;

/// An axis of a chart.
///
/// ```
/// use broadside_lab::draw::Axis;
/// let shots = Axis::new("shots").from(0.0).to(100.0);
/// let share = Axis::new("share of games").percent();
/// ```
#[derive(Clone, Debug)]
pub struct Axis {
    pub(super) label: String,
    from: Option<f64>,
    to: Option<f64>,
    percent: bool,
    logarithmic: bool,
    names: Vec<(f64, String)>,
}

impl Axis {
    /// An axis with these words along it, as long as what is drawn needs.
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), from: None, to: None, percent: false, logarithmic: false, names: Vec::new() }
    }

    /// Starts the axis here.
    #[must_use]
    pub fn from(self, from: f64) -> Self {
        Self { from: Some(from), ..self }
    }

    /// Ends the axis here.
    #[must_use]
    pub fn to(self, to: f64) -> Self {
        Self { to: Some(to), ..self }
    }

    /// Writes shares as percentages.
    #[must_use]
    pub fn percent(self) -> Self {
        Self { percent: true, ..self }
    }

    /// Makes equal ratios equally long: only numbers above 0 can be shown. Without ends of its own it goes from one power of
    /// ten to another.
    #[must_use]
    pub fn logarithmic(self) -> Self {
        Self { logarithmic: true, ..self }
    }

    /// Ticks at these places only, with these names, instead of round numbers.
    #[must_use]
    pub fn named(self, names: impl IntoIterator<Item = (f64, String)>) -> Self {
        Self { names: names.into_iter().collect(), ..self }
    }

    /// The ends of the axis, given the smallest and the largest number on it. Ends that aren't set are rounded.
    pub(super) fn scale(&self, smallest: f64, largest: f64) -> Scale {
        let (low, high) = (self.from.unwrap_or(smallest.min(largest)), self.to.unwrap_or(largest));
        if self.logarithmic {
            return self.logarithmic_scale(low, high);
        }
        let high = if high > low { high } else { low + 1.0 };
        let step = round_step((high - low) / TICKS);
        let low = self.from.unwrap_or((low / step).floor() * step);
        let high = if self.to.is_some() { high } else { (high / step - 1e-9).ceil() * step };
        Scale { low, high, step, logarithmic: false }
    }

    fn logarithmic_scale(&self, low: f64, high: f64) -> Scale {
        let low = self.from.unwrap_or(10f64.powf((low.log10() + 1e-9).floor())).max(f64::MIN_POSITIVE);
        let high = self.to.unwrap_or(10f64.powf((high.log10() - 1e-9).ceil()));
        Scale { low, high: if high > low { high } else { low * 10.0 }, step: 1.0, logarithmic: true }
    }

    /// The ticks with their names.
    pub(super) fn ticks(&self, scale: &Scale) -> Vec<(f64, String)> {
        if scale.logarithmic && self.names.is_empty() {
            return scale.powers_of_ten().map(|at| (at, self.name(at, at))).collect();
        }
        if self.names.is_empty() { scale.ticks().map(|at| (at, self.name(at, scale.step))).collect() } else { self.names.clone() }
    }

    fn name(&self, at: f64, step: f64) -> String {
        let (at, step, sign) = if self.percent { (at * 100.0, step * 100.0, "%") } else { (at, step, "") };
        let decimals = (0..6).find(|&n| (step * 10f64.powi(n)).fract().min(1.0 - (step * 10f64.powi(n)).fract()) < 1e-6);
        let number = format!("{at:.*}", decimals.unwrap_or(6).unsigned_abs() as usize);
        format!("{}{sign}", if decimals == Some(0) { thousands(&number) } else { number })
    }
}

/// The range of an axis, and how far its ticks are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) low: f64,
    pub(super) high: f64,
    step: f64,
    logarithmic: bool,
}

impl Scale {
    /// Where a number lies, from 0 at the lower end to 1 at the upper; never beyond.
    pub(super) fn place(&self, number: f64) -> f64 {
        if self.logarithmic {
            return ((number / self.low).ln() / (self.high / self.low).ln()).clamp(0.0, 1.0);
        }
        ((number - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    fn powers_of_ten(self) -> impl Iterator<Item = f64> {
        let first = (self.low.log10() - 1e-9).ceil();
        (0..).map(move |i| 10f64.powf(first + f64::from(i))).take_while(move |&at| at <= self.high * (1.0 + 1e-9))
    }

    fn ticks(self) -> impl Iterator<Item = f64> {
        let first = (self.low / self.step - 1e-9).ceil();
        (0..).map(move |i| (first + f64::from(i)) * self.step).take_while(move |&at| at <= self.high + self.step * 1e-6)
    }
}

/// The next round number: 1, 2 or 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let found = [1.0, 2.0, 5.0].into_iter().find(|digit| digit * power >= step * 0.99);
    found.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(axis: &Axis, smallest: f64, largest: f64) -> Vec<String> {
        axis.ticks(&axis.scale(smallest, largest)).into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn ticks_are_round_numbers_that_reach_past_all_that_is_drawn() {
        let all = names(&Axis::new("").from(0.0).to(100.0), 17.0, 99.0);
        assert_eq!(all, ["0", "10", "20", "30", "40", "50", "60", "70", "80", "90", "100"]);
        assert_eq!(names(&Axis::new("").percent().from(0.0), 0.0, 0.17).last().unwrap(), "18%");
        assert_eq!(names(&Axis::new("").percent().from(0.0), 0.0, 0.004)[1], "0.05%");
        assert_eq!(names(&Axis::new(""), -3.0, 4.0), ["-3", "-2", "-1", "0", "1", "2", "3", "4"]);
        assert_eq!(names(&Axis::new("").from(0.0), 0.0, 16_900_000.0)[1], "2,000,000");
    }

    #[test]
    fn on_a_logarithmic_axis_powers_of_ten_are_equally_far_apart() {
        let axis = Axis::new("").logarithmic();
        assert_eq!(names(&axis, 0.03, 170.0), ["0.01", "0.1", "1", "10", "100", "1,000"]);
        let scale = axis.scale(0.03, 170.0);
        let places: Vec<f64> = [0.01, 0.1, 1.0, 10.0, 1000.0, 0.0, 1e9].iter().map(|&at| scale.place(at)).collect();
        let expected = [0.0, 0.2, 0.4, 0.6, 1.0, 0.0, 1.0];
        assert!(places.iter().zip(expected).all(|(place, expected)| (place - expected).abs() < 1e-9), "{places:?}");
        assert_eq!(names(&axis, 10.0, 100.0), ["10", "100"], "ends that are powers of ten stay");
        assert!((axis.scale(5.0, 5.0).low - 1.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_to_draw_still_has_an_axis() {
        assert_eq!(names(&Axis::new("").from(0.0), 0.0, 0.0).len(), 11);
    }

    #[test]
    fn names_can_be_given() {
        let axis = Axis::new("").named([(1.0, "one".to_owned()), (2.0, "two".to_owned())]);
        assert_eq!(names(&axis, 0.5, 2.5), ["one", "two"]);
    }
}
