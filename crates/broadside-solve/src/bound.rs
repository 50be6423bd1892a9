//! Lower bounds on the expected number of shots, on boards of any size.
//!
//! # One hidden ship
//! Tell the shooter the places of all ships but one. More knowledge never hurts, so the misses of best play are at least
//! those of finding the last ship alone. Let the other ships have one of M arrangements, and let n be the number of places left
//! for the hidden ship of length l.
//!
//! Number the shots before its first hit from 0. Shot i is the first to hit q(i) of the places, and each of these has cost i
//! misses by then. After the hit, the q(i) places must be distinguished. The k-th cheapest of them costs at least a(k) more
//! misses, where a(k) is in the table of `crate::counting_bound`. (For l = 2 each further shot hits one place, so a(k) = k − 1.)
//! No cell is on more than 2l places (1 for l = 1). So n places cost at least
//!
//! f(n) = the sum of the n least numbers i + a(k), over i ≥ 0 and 1 ≤ k ≤ 2l.
//!
//! f adds ever larger numbers, so it is convex. So the sum of f(n) over the M arrangements is least when all n are as equal as
//! integers can be. The n add up to c·N, where N is the number of layouts and c the number of ships of length l, since each
//! layout hides each of these ships once. So all layouts together cost at least 1/c of that sum, and N times the number of ship
//! cells for the hits. This needs only N and M, which are counted exactly.
//!
//! # Transcripts
//! Fix a play. A game with m misses and K ship cells ends with a hit, so its misses can fall in C(K − 1 + m, m) ways. The hits
//! can be called in S ways. Layouts with different ship cells have different transcripts of answers, so N of them have at least
//! the N shortest transcripts.
//!
//! This is a proof if the ship cells determine the layout. They do if ships may not touch side by side. If they may touch, two
//! layouts can have the same cells and the same transcript (2x2 with 2,2 and the shots A1 B2 A2 B1), and the number is not a
//! proved bound. [`Bound::transcripts_are_proved`] tells which.

use broadside_odds::{OutOfReach, Problem, Transfer, WorkLimits};
use broadside_rules::{Call, Fleet, Length, Rules};
use num_rational::Ratio;

use crate::counting_bound::after_first_hit;

/// A lower bound on the expected number of shots.
///
/// ```
/// use broadside_odds::Budget;
/// use broadside_rules::Preset;
/// use broadside_solve::Bound;
///
/// let bound = Bound::for_rules(&Preset::Classic.rules(), Budget::default())?;
/// assert_eq!(bound.layouts, 15_046_987_768);
/// // No play sinks the classic fleet in fewer than 35 shots on average.
/// assert_eq!(bound.best_proved().to_integer(), 35);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The number of layouts.
    pub layouts: u128,
    /// The bound with one hidden ship.
    pub hidden: Ratio<u128>,
    /// The length of the hidden ship.
    pub length: Length,
    /// The bound by counting transcripts.
    pub transcripts: Ratio<u128>,
    proved: bool,
}

impl Bound {
    /// Counts layouts and works out both bounds.
    ///
    /// # Errors
    /// When the layouts can't be counted within the limits, or the numbers pass 2^128.
    pub fn for_rules(rules: &Rules, limits: impl Into<WorkLimits>) -> Result<Self, OutOfReach> {
        let limits = limits.into();
        let layouts = Transfer::new(limits.clone()).total(&Problem::for_rules(rules))?;
        let mut best: Option<(Ratio<u128>, Length)> = None;
        for (length, count) in rules.fleet().classes() {
            let hidden = hidden(rules, layouts, length, count as u128, &limits)?;
            best = best.max(Some((hidden, length)));
        }
        let (hidden, length) = best.ok_or(OutOfReach::Overflow)?;
        let transcripts = transcripts(rules, layouts).ok_or(OutOfReach::Overflow)?;
        Ok(Self { layouts, hidden, length, transcripts, proved: !rules.touch().allows_sides() })
    }

    /// Whether the bound by counting transcripts is proved for these rules.
    pub fn transcripts_are_proved(&self) -> bool {
        self.proved
    }

    /// The larger of the proved bounds.
    pub fn best_proved(&self) -> Ratio<u128> {
        if self.proved { self.hidden.max(self.transcripts) } else { self.hidden }
    }
}

/// The bound with a ship of this length hidden.
fn hidden(rules: &Rules, layouts: u128, length: Length, count: u128, limits: &WorkLimits) -> Result<Ratio<u128>, OutOfReach> {
    let others = arrangements_without(rules, length, limits)?;
    let places = layouts.checked_mul(count).ok_or(OutOfReach::Overflow)?;
    let (each, more) = (places / others, places % others);
    let (low, high) = costs(length, each);
    let sum = (others - more).checked_mul(low).zip(more.checked_mul(high)).and_then(|(low, high)| low.checked_add(high));
    let hits = places.checked_mul(rules.fleet().cells() as u128);
    let shots = sum.zip(hits).and_then(|(sum, hits)| sum.checked_add(hits)).ok_or(OutOfReach::Overflow)?;
    Ok(Ratio::new(shots, places))
}

/// The number of ways to place all ships but one of this length.
fn arrangements_without(rules: &Rules, length: Length, limits: &WorkLimits) -> Result<u128, OutOfReach> {
    let mut lengths = rules.fleet().lengths().to_vec();
    lengths.iter().position(|&other| other == length).map(|at| lengths.remove(at));
    let Ok(fleet) = Fleet::new(lengths) else { return Ok(1) };
    // A fleet that fits also fits without one ship.
    let Ok(rules) = rules.builder().with_fleet(fleet).build() else { return Ok(1) };
    Transfer::new(limits.clone()).total(&Problem::for_rules(&rules))
}

/// f for this number of places, and for one more.
fn costs(length: Length, places: u128) -> (u128, u128) {
    let through = if length.get() == 1 { 1 } else { 2 * length.get() };
    let adds = after_first_hit(length.get(), through);
    let (mut left, mut cost, mut misses) = (places, 0, 0u128);
    loop {
        let room = adds.iter().filter(|&&add| u128::from(add) <= misses).count() as u128;
        if left < room {
            return (cost + left * misses, cost + (left + 1) * misses);
        }
        (left, cost, misses) = (left - room, cost + room * misses, misses + 1);
    }
}

/// The mean length of the shortest transcripts.
fn transcripts(rules: &Rules, layouts: u128) -> Option<Ratio<u128>> {
    let cells = rules.fleet().cells() as u128;
    let ways = ways_to_call(rules.fleet(), rules.call());
    let (mut left, mut shots, mut misses) = (layouts, 0u128, 0);
    while left > 0 {
        let taken = left.min(ways.saturating_mul(choose(cells - 1 + misses, misses)));
        shots = shots.checked_add(taken.checked_mul(cells + misses)?)?;
        left -= taken;
        misses += 1;
    }
    Some(Ratio::new(shots, layouts))
}

/// The number of ways in which all hits of a game can be called, or a larger number.
fn ways_to_call(fleet: &Fleet, call: Call) -> u128 {
    let cells = fleet.cells() as u128;
    match call {
        Call::Silent => 1,
        // The last hit sinks a ship. The other sinkings are some of the hits before it.
        Call::Bare => choose(cells - 1, fleet.len() as u128 - 1),
        Call::Ship => sinkings(fleet),
        // The answers tell the length on every hit, so each class is counted by itself.
        Call::Every => {
            fleet
                .classes()
                .fold((1u128, 0), |(ways, before), (length, count)| {
                    let (count, own) = (count as u128, (count * length.get()) as u128);
                    let class = choose(before + own, own).saturating_mul(choose(own - 1, count - 1));
                    (ways.saturating_mul(class), before + own)
                })
                .0
        }
    }
}

/// The number of orders of hits and sinkings with lengths. A ship sinks only after as many hits as it has cells, and every ship
/// afloat has an unhit cell.
fn sinkings(fleet: &Fleet) -> u128 {
    let classes: Vec<(usize, usize)> = fleet.classes().map(|(length, count)| (length.get(), count)).collect();
    let mut ways = std::collections::BTreeMap::from([(classes.clone(), 1u128)]);
    for hits in 1..=fleet.cells() {
        let mut next = std::collections::BTreeMap::new();
        for (afloat, ways) in ways {
            for after in after_a_hit(&afloat).filter(|after| can_be(fleet, after, hits)) {
                let sum: &mut u128 = next.entry(after).or_default();
                *sum = sum.saturating_add(ways);
            }
        }
        ways = next;
    }
    ways.into_values().fold(0, u128::saturating_add)
}

/// The ships afloat after one more hit: all, or one fewer of some length.
fn after_a_hit(afloat: &[(usize, usize)]) -> impl Iterator<Item = Vec<(usize, usize)>> {
    let sunk = (0..afloat.len()).filter(|&class| afloat[class].1 > 0).map(|class| {
        let mut after = afloat.to_vec();
        after[class].1 -= 1;
        after
    });
    std::iter::once(afloat.to_vec()).chain(sunk)
}

/// Whether these ships can be afloat after this number of hits, each with an unhit cell, with all others sunk.
fn can_be(fleet: &Fleet, afloat: &[(usize, usize)], hits: usize) -> bool {
    let left: usize = afloat.iter().map(|(length, count)| length * count).sum();
    let sunk = fleet.cells() - left;
    let spare: usize = afloat.iter().map(|(length, count)| (length - 1) * count).sum();
    sunk <= hits && hits <= sunk + spare
}

/// The number of ways to choose `k` of `n`, or the largest number there is.
fn choose(n: u128, k: u128) -> u128 {
    let k = k.min(n - k);
    (0..k).try_fold(1u128, |ways, i| ways.checked_mul(n - i).map(|ways| ways / (i + 1))).unwrap_or(u128::MAX)
}

#[cfg(test)]
mod tests {
    use broadside_odds::Budget;

    use super::*;

    fn bound(rules: &str) -> Bound {
        Bound::for_rules(&rules.parse().unwrap(), Budget::default()).unwrap()
    }

    fn decimal(ratio: Ratio<u128>) -> f64 {
        *ratio.numer() as f64 / *ratio.denom() as f64
    }

    #[test]
    fn the_best_known_count_of_transcripts_for_the_classic_board() {
        let bound = bound("classic");
        assert_eq!(bound.layouts, 15_046_987_768);
        assert!((decimal(bound.transcripts) - 24.0876).abs() < 5e-5);
        assert!(!bound.transcripts_are_proved());
    }

    #[test]
    fn hiding_the_shortest_ship_raises_it() {
        let bound = bound("classic");
        assert_eq!(bound.length.get(), 2);
        assert!(decimal(bound.best_proved()) > 33.0, "{}", decimal(bound.best_proved()));
    }

    #[test]
    fn by_hand() {
        // 1x3 with 2: two places through one cell, which cost 0 and 1 misses.
        assert_eq!(bound("1x3 2 allowed ship").hidden, Ratio::new(5, 2));
        // A single cell on six: 0 to 5 misses.
        assert_eq!(bound("1x6 1 allowed ship").hidden, Ratio::new(7, 2));
        // 3x3 with 2: 12 places, misses 0, 1, 1, 2, 2, 2, 3 and so on, four of each from 3 on.
        assert_eq!(bound("3x3 2 allowed ship").hidden, Ratio::new(24 + 1 + 1 + 2 * 3 + 3 * 4 + 4 * 2, 12));
        // Two hits: the first doesn't sink a ship of length 2.
        assert_eq!(sinkings(&"2".parse().unwrap()), 1);
        // 2 and 1: 1 sinks first, second or last.
        assert_eq!(sinkings(&"2,1".parse().unwrap()), 3);
    }
}
