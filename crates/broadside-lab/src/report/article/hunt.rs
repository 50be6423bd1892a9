//! Hunt and target, with parity and without.

use super::super::check::SIGMAS;
use super::super::games::sampled;
use super::super::{Check, Row, Section};
use super::{Shots, example_row, median_row};
use crate::Histogram;

pub(super) fn section(shots: &Shots) -> Section {
    let ((random, _), (hunt, hunting)) = (shots.get("random"), shots.get("hunt-target"));
    let (parity, with_parity) = shots.get("hunt-target-parity");
    let silent = &shots.silent_parity;
    let order = vec![("random", sampled(random)), ("hunt-target", sampled(hunt)), ("parity", sampled(parity))];
    let rows = vec![
        Row::new("results", "Hunting beats random shots, and parity improves on it", Check::SampledFalling(order)).by(hunting),
        Row::new("parity", "Parity improves on hunting “over the entire range”", improvement(parity, hunt))
            .uncertainty("2.58 standard errors allowed")
            .note(
                "Counted: the numbers of shots at which no smaller share of games is over with parity than without, chance \
                 allowed for.",
            ),
        median_row("hunt/target with parity", 64.0, silent, &shots.silent_command).note(
            "Nothing is called sunk, as in the article at this point, so the spacing stays 2 \
                 throughout. Squares are taken from a queue, as its walkthrough shows.",
        ),
        median_row("hunt/target with parity, sinkings called", 64.0, parity, with_parity).note(
            "Here the spacing widens when the shortest ship sinks, which the article suggests in \
             passing.",
        ),
        example_row("hunt and target", 53.0, hunt, hunting),
    ];
    let about = "Random shots until something is hit, then all squares around hits; with parity the \
         random shots keep to every second square."
        .into();
    Section { title: "Hunt and target", about, rows, ..Section::default() }
}

/// The numbers of shots at which no smaller share of games is over, of those that any game takes.
fn improvement(better: &Histogram, worse: &Histogram) -> Check {
    let over = |shots: &Histogram, most: i64| {
        let games = shots.counts().filter(|&(number, _)| number <= most).map(|(_, count)| count).sum::<u64>();
        games as f64 / shots.total() as f64
    };
    let spread = |share: f64, shots: &Histogram| share * (1.0 - share) / shots.total() as f64;
    let is_better = |most: &i64| {
        let (a, b) = (over(better, *most), over(worse, *most));
        a - b >= -SIGMAS * (spread(a, better) + spread(b, worse)).sqrt()
    };
    let range = better.smallest().min(worse.smallest()).unwrap_or(0)..=better.largest().max(worse.largest()).unwrap_or(0);
    Check::All { total: range.clone().count(), agree: range.filter(is_better).count(), what: "numbers of shots" }
}
