//! Why a log that no layout fits can't be.

use std::fmt;

use broadside_rules::{Answer, Shot, ShotLog};

use crate::noise::{covered_cells, within};
use crate::{OutOfReach, Problem, Transfer, WorkLimits};

/// A log that no layout fits, explained: the first shot after which nothing is left, and a set of earlier shots that it
/// contradicts. None of these can be left out: without it, some layout would fit the rest.
///
/// Leaving out a shot means forgetting its answer, not that it was fired, since that decides which shot sank a ship.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Contradiction {
    /// The number, from 1, of the first shot after which no layout is left.
    pub number: usize,
    /// That shot.
    pub shot: Shot,
    /// The earlier shots that it contradicts, with their numbers from 1, in order.
    pub against: Vec<(usize, Shot)>,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no layout is left after shot {}, {}", self.number, self.shot)?;
        let against: Vec<String> = self.against.iter().map(|(number, shot)| format!("{shot} (shot {number})")).collect();
        match against.as_slice() {
            [] if self.shot.answer == Answer::Untold => write!(f, ": no layout has as many hits in each turn as were called"),
            [] => write!(f, ": with the cells fired at so far, no layout gives that answer"),
            against => write!(f, ": it contradicts {}", against.join(", ")),
        }
    }
}

/// Explains why no layout fits the log; `None` when some does.
///
/// ```
/// use broadside_odds::{Budget, explain};
/// use broadside_rules::{Preset, ShotLog};
///
/// let log = ShotLog::parse(&Preset::Classic.rules(), "E5- C3+ C4#3")?;
/// let contradiction = explain(&log, Budget::default())?.expect("two hits sink no ship of three");
/// assert_eq!(contradiction.number, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When counting is out of reach, or it is stopped.
pub fn explain(log: &ShotLog, limits: impl Into<WorkLimits>) -> Result<Option<Contradiction>, OutOfReach> {
    let limits = &limits.into();
    if !log.called_turns().is_empty() {
        return explain_called(log, limits);
    }
    if is_possible(log, log.len(), |_| true, limits)? {
        return Ok(None);
    }
    let last = first_impossible(log.len(), |shots| is_possible(log, shots, |_| true, limits))?;
    // Forgetting answers one by one leaves a set from which none can go. Which one depends on the order, so two orders
    // are tried: misses are many and seldom to blame, and late shots are more often to blame than early ones.
    let early: Vec<usize> = (0..last).collect();
    let misses_first: Vec<usize> = {
        let (misses, hits): (Vec<usize>, Vec<usize>) = early.iter().partition(|&&i| !log.shots()[i].answer.is_hit());
        [misses, hits].concat()
    };
    let sets = [shrink(log, last, &early, limits)?, shrink(log, last, &misses_first, limits)?];
    let smallest = sets.into_iter().min_by_key(Vec::len).unwrap_or_default();
    let against = smallest.into_iter().map(|i| (i + 1, log.shots()[i])).collect();
    Ok(Some(Contradiction { number: last + 1, shot: log.shots()[last], against }))
}

/// The same for a log with turns of which only the number of hits is known. Which of the numbers called before contradict the last one is
/// not looked for: each try would be a union of cases.
fn explain_called(log: &ShotLog, limits: &WorkLimits) -> Result<Option<Contradiction>, OutOfReach> {
    let mut transfer = Transfer::new(limits.clone());
    let mut is_possible = |shots: usize| {
        let mut begun = log.clone();
        begun.truncate(shots);
        Ok(transfer.count(&begun)?.layouts() > 0)
    };
    if is_possible(log.len())? {
        return Ok(None);
    }
    let last = first_impossible(log.len(), is_possible)?;
    Ok(Some(Contradiction { number: last + 1, shot: log.shots()[last], against: vec![] }))
}

/// The number, from 0, of the first of so many shots after which no layout is left. The layouts left only ever get fewer, so it can
/// be found by halving.
fn first_impossible(shots: usize, mut is_possible: impl FnMut(usize) -> Result<bool, OutOfReach>) -> Result<usize, OutOfReach> {
    let (mut possible, mut impossible) = (0, shots);
    while impossible - possible > 1 {
        let middle = usize::midpoint(possible, impossible);
        if is_possible(middle)? {
            possible = middle;
        } else {
            impossible = middle;
        }
    }
    Ok(impossible - 1)
}

/// The shots before `last` whose answers can't all be true with that of `last`, none of which can be left out.
fn shrink(log: &ShotLog, last: usize, order: &[usize], limits: &WorkLimits) -> Result<Vec<usize>, OutOfReach> {
    let mut kept = vec![true; last + 1];
    for &shot in order {
        kept[shot] = false;
        if is_possible(log, last + 1, |i| kept[i], limits)? {
            kept[shot] = true;
        }
    }
    Ok((0..last).filter(|&shot| kept[shot]).collect())
}

/// Whether some layout gives the known answers among the first `len` shots.
fn is_possible(log: &ShotLog, len: usize, known: impl Fn(usize) -> bool, limits: &WorkLimits) -> Result<bool, OutOfReach> {
    let prefix = ShotLog::from_shots(log.rules(), log.shots()[..len].iter().copied()).expect("a prefix of a log is a log");
    let (mut transfer, problem) = (Transfer::new(limits.clone()), Problem::from_known_answers(&prefix, known));
    let sunk = covered_cells(&prefix).map_or(Ok(0), |covered| transfer.total(&within(&problem, &covered)))?;
    Ok(transfer.total(&problem)? > sunk)
}
