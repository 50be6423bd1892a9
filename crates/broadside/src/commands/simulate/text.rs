//! Results as a table for people.

use std::io::{self, Write};

use broadside_lab::stats::Interval;
use broadside_lab::{CaptainResult, MeanTurns, Perfect, Results};

/// Writes the table, and below it how each captain compares with those after it.
pub(super) fn write(out: &mut dyn Write, results: &Results) -> io::Result<()> {
    let games = if results.games == 1 { "game" } else { "games" };
    let (words, seed) = (results.layouts_description(), results.seed);
    let part = results.part.as_ref().map(|part| format!(" ({part})")).unwrap_or_default();
    writeln!(out, "{}, {words}, seed {seed}, {} {games}{part}\n", results.rules, results.games)?;
    let width = results.captains.iter().map(|captain| captain.captain.len()).fold("captain".len(), usize::max);
    let turns =
        if results.captains.iter().any(|captain| captain.turns.is_some()) { format!(" {:>18}", "turns") } else { String::new() };
    writeln!(
        out,
        "{:<width$}{turns} {:>18} {:>20} {:>6} {:>4} {:>4} {:>6} {:>4} {:>4}  perfect games",
        "captain", "shots", "95% interval", "sd", "min", "5%", "median", "95%", "max"
    )?;
    results.captains.iter().try_for_each(|captain| write_row(out, captain, width))?;
    if !results.differences.is_empty() {
        writeln!(out)?;
    }
    results.differences.iter().try_for_each(|difference| writeln!(out, "{}", difference.sentence()))
}

fn write_row(out: &mut dyn Write, row: &CaptainResult, width: usize) -> io::Result<()> {
    let number = |number: Option<i64>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
    let percentile = |wanted| number(row.percentiles.iter().find(|(percent, _)| *percent == wanted).map(|(_, shots)| *shots));
    let turns = row.turns.map(|MeanTurns { mean, std_err }| format!(" {:>18}", format!("{mean:.4} ± {std_err:.4}")));
    writeln!(
        out,
        "{:<width$}{} {:>18} {:>20} {:>6.2} {:>4} {:>4} {:>6} {:>4} {:>4}  {}",
        row.captain,
        turns.unwrap_or_default(),
        format!("{:.4} ± {:.4}", row.mean, row.std_err),
        row.interval.map_or_else(|| "-".to_owned(), |Interval { low, high }| format!("{low:.4} to {high:.4}")),
        row.sd,
        number(row.min),
        percentile(5),
        number(row.median),
        percentile(95),
        number(row.max),
        perfect(&row.perfect),
    )
}

fn perfect(perfect: &Perfect) -> String {
    let interval = perfect.interval.map(|Interval { low, high }| format!(" ({} to {})", small(low), small(high)));
    format!("{}{}", perfect.games, interval.unwrap_or_default())
}

/// A share as a percentage with two digits that count: perfect games are rare.
fn small(share: f64) -> String {
    let percent = share * 100.0;
    if percent == 0.0 {
        return "0%".to_owned();
    }
    let enough = std::iter::successors(Some(percent), |scaled| Some(scaled * 10.0)).take(12).position(|scaled| scaled >= 9.95);
    format!("{percent:.*}%", enough.unwrap_or(12))
}

#[cfg(test)]
mod tests {
    use super::small;

    #[test]
    fn small_shares_keep_two_digits() {
        assert_eq!([0.0, 0.000_000_384, 0.0037, 0.123, 1.0].map(small), ["0%", "0.000038%", "0.37%", "12%", "100%"]);
    }
}
