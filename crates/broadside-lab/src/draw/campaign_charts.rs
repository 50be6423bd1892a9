//! The two figures of a campaign: how many games took how many shots, and how many were over by then.

use super::{Axis, Chart, Series};
use crate::Histogram;

/// The histograms of the shots of captains, one over the other on the same scale.
///
/// ```
/// use broadside_lab::{Histogram, draw};
/// let shots = Histogram::from_counts(0, vec![0, 0, 3, 5, 2]);
/// let svg = draw::histogram([("random", &shots)], "10 games, 2x2 2 allowed ship").svg();
/// assert!(svg.contains("random") && svg.contains("10 games"));
/// ```
pub fn histogram<'a>(captains: impl IntoIterator<Item = (&'a str, &'a Histogram)>, caption: &str) -> Chart {
    let captains: Vec<_> = captains.into_iter().collect();
    let chart = Chart::new("Shots to sink the fleet", shots(&captains), Axis::new("share of games").percent().from(0.0));
    captains.into_iter().fold(chart.with_caption(caption), |chart, (name, histogram)| {
        let total = histogram.total() as f64;
        let share = |(number, count): (i64, u64)| (number as f64, count as f64 / total);
        chart.with(Series::steps(name, histogram.counts().filter(|&(number, _)| seen(histogram, 0, number)).map(share)))
    })
}

/// The share of games that are over after so many shots, for captains in one figure.
pub fn cumulative<'a>(captains: impl IntoIterator<Item = (&'a str, &'a Histogram)>, caption: &str) -> Chart {
    let captains: Vec<_> = captains.into_iter().collect();
    let share = Axis::new("share of games over").percent().from(0.0).to(1.0);
    let chart = Chart::new("Games over after so many shots", shots(&captains), share);
    captains.into_iter().fold(chart.with_caption(caption), |chart, (name, histogram)| {
        // From just before the first game is over to the last: before and after it curves would hide each other.
        let rise = histogram.cumulative().filter(|&(number, _)| seen(histogram, 1, number));
        chart.with(Series::line(name, rise.map(|(number, share)| (number as f64, share))))
    })
}

/// Whether a number is in the range of those that came up, extended by `before` at its lower end.
fn seen(histogram: &Histogram, before: i64, number: i64) -> bool {
    let ends = histogram.smallest().zip(histogram.largest());
    ends.is_some_and(|(smallest, largest)| (smallest - before..=largest).contains(&number))
}

/// An axis of shots from none to all cells.
fn shots(captains: &[(&str, &Histogram)]) -> Axis {
    let cells = captains.iter().filter_map(|(_, histogram)| histogram.counts().last()).map(|(number, _)| number).max();
    Axis::new("shots").from(0.0).to(cells.unwrap_or(1) as f64 + 0.5)
}
