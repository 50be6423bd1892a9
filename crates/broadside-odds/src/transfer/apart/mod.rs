//! Few ships that must keep apart: all but three are listed, and the last three are counted at once.
//!
//! Where ships may not touch, ships in neighbouring rows depend on each other, so there is no product over rows, and the state
//! of the profile sweep remembers where every ship of the last row lies. With few ships it is cheaper to think in placements.
//! Fix all ships but three. A placement `r` of one of the three is part of as many layouts as there are pairs of placements
//! for the other two that go with it and with each other:
//!
//! ```text
//! (places for the one) · (places for the other) − (pairs of such places that clash)
//! ```
//!
//! Which pairs clash is known beforehand, as is which of them a ship on `r` takes away (`pairs`). So each `r` costs a few
//! words of "and" and counting of bits, and the five ships of the classic fleet cost as much as listing two (`counter`). Hits
//! that must be covered come first: exactly one ship covers each.
//!
//! On a board that looks the same when turned or mirrored, as the empty one does, the first ship is listed once for all places
//! that turn into each other (`symmetry`).

mod counter;
mod pairs;
mod places;
mod symmetry;

use self::counter::Counter;
use self::pairs::Pairs;
use self::places::Places;
use super::profile::Narrowed;
use crate::{Counts, OutOfReach, Problem, WorkLimits};

/// Words looked at for which listing is worth a try, by the number of ships that are listed. Some 9e9 are looked at in a second. With
/// two listed ships, as of the classic fleet, the profile sweep takes ten times as long wherever that was measured, or needs more memory
/// than there is; so these get two seconds. More ships fall into fewer profiles, and the sweep takes over after some tenths of a
/// second.
const MOST_WORDS: [f64; 4] = [2e10, 2e10, 2e10, 2e9];

/// The most memory that the tables may take, in bytes, whatever the budget.
const MOST_BYTES: usize = 64 << 20;

/// The exact counts, if there are so few ships that this is the way to count.
///
/// # Errors
/// When it is stopped.
pub(crate) fn count(problem: &Problem, limits: &WorkLimits) -> Result<Option<Counts>, OutOfReach> {
    let Some(narrowed) = Narrowed::new(problem) else {
        return Ok(Some(Counts::new(problem.grid(), 0, vec![0; problem.cells()])));
    };
    let Some(counter) = prepare(&narrowed.problem, limits) else {
        return Ok(None);
    };
    let (layouts, mut cells) = counter.counts()?;
    for (row, col) in narrowed.forced.iter().flat_map(|(_, ship)| ship.each_cell()) {
        cells[row * problem.cols + col] = layouts;
    }
    Ok(Some(Counts::new(problem.grid(), layouts, cells)))
}

/// The tables, if the work is small enough.
fn prepare<'a>(problem: &'a Problem, limits: &'a WorkLimits) -> Option<Counter<'a>> {
    let bytes = MOST_BYTES.min(limits.budget.bytes);
    if problem.must_cells() > u128::BITS as usize || Places::bytes(problem) > bytes || words(problem) > most_words(problem) {
        return None;
    }
    let places = Places::new(problem);
    let pairs = Pairs::new(&places, problem, bytes)?;
    Some(Counter::new(problem, places, pairs, &limits.stop))
}

/// For how many words listing is worth a try.
fn most_words(problem: &Problem) -> f64 {
    MOST_WORDS[problem.ships().saturating_sub(3).min(MOST_WORDS.len() - 1)]
}

/// About how many words the count looks at: for each choice of the listed ships, for each place of the last three, the clashing
/// pairs of the other two.
fn words(problem: &Problem) -> f64 {
    let mut choices: Vec<f64> =
        problem.classes.iter().flat_map(|class| std::iter::repeat_n(class.choices() as f64, class.count)).collect();
    choices.sort_by(f64::total_cmp);
    let listed = choices.len().saturating_sub(3);
    // A ship that covers a hit has few places: as many as it has cells, in each direction.
    let covering = |at: usize| if at < problem.must_cells() { 10.0 } else { f64::INFINITY };
    let nodes: f64 = choices[..listed].iter().enumerate().map(|(at, &choices)| choices.min(covering(at))).product();
    let last = &choices[listed..];
    // A place clashes with some thirty of another ship.
    let pairs = last.iter().fold(0.0, |most, &choices| choices.max(most)) * 30.0 / 64.0;
    nodes * last.iter().sum::<f64>() * pairs.max(1.0) / images(problem)
}

/// How many images the board has that look the same: the first ship is listed for one of them.
fn images(problem: &Problem) -> f64 {
    let alone = problem.classes.iter().find(|class| class.count > 0).is_some_and(|class| class.count == 1);
    if !alone || problem.must_cells() > 0 {
        return 1.0;
    }
    let turned = problem.transposed();
    let same = [problem.is_mirrored(), turned.is_mirrored(), turned == *problem];
    same.into_iter().map(|same| if same { 2.0 } else { 1.0 }).product()
}

#[cfg(test)]
mod tests;
