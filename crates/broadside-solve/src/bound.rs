//! Shots that no play saves, on boards of any size.
//!
//! # One ship hidden
//! Tell the shooter all ships but one. Nobody does worse for knowing more, so the misses of best play are at least those of
//! finding the last ship alone. Let the other ships be one of M arrangements, and let n be the number of places left for the
//! hidden ship of length l. Before its first hit, the shot with number i (from 0) meets q(i) of the places not met yet; each of
//! these has cost i misses by then. Then they must be told apart: of q places through one cell, the k-th cheapest costs at
//! least a(k) misses more, with a(k) from the table of `crate::counting` (for l = 2 the other cell is hit one at a time, so
//! a(k) = k − 1). No cell lies on more than 2l places (l for l = 1, which has no second heading), so n places cost at least
//!
//! f(n) = the sum of the n least numbers i + a(k), over i ≥ 0 and 1 ≤ k ≤ 2l.
//!
//! f is a sum of ever larger numbers, so it is convex, and the sum of f(n) over the M arrangements is least when all n are as
//! equal as integers can be. The n add up to c·N, where N is the number of layouts and c the number of ships of length l (each
//! layout hides each of them once). So all layouts together cost at least 1/c of that sum, and N times the cells of the fleet
//! for the hits. Only two numbers go in, N and M, and both are counted exactly.
//!
//! # Transcripts
//! Under a fixed play the answers tell which cells were hit. A game with m misses and K cells of the fleet has its last hit at
//! the end, so there are C(K − 1 + m, m) ways for the misses to fall, times the number S of ways in which the hits can be
//! called. Layouts that differ in their cells need different transcripts, so N of them take at least the N shortest.
//!
//! That is a proof where the cells of the fleet tell the layout, which is so if ships may not touch side by side. Where they
//! may, two layouts can have the same cells and the same transcript (2x2 with 2,2 fired at in the order A1 B2 A2 B1), and the
//! number is not a bound by this argument; [`Bound::is_proved`] says so.

use broadside_odds::{Budget, OutOfReach, Problem, Transfer};
use broadside_rules::{Call, Fleet, Length, Rules, Touch};
use num_rational::Ratio;

use crate::counting::after_first_hit;

/// A lower bound on the expected number of shots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The number of layouts.
    pub layouts: u128,
    /// By hiding one ship.
    pub hidden: Ratio<u128>,
    /// The length of that ship.
    pub length: Length,
    /// By counting transcripts.
    pub transcripts: Ratio<u128>,
    proved: bool,
}

impl Bound {
    /// Counts what the bounds need.
    ///
    /// # Errors
    /// When the layouts can't be counted within the budget, or the numbers pass 2^128.
    pub fn of(rules: &Rules, budget: Budget) -> Result<Self, OutOfReach> {
        let layouts = Transfer::new(budget).total(&Problem::for_rules(rules))?;
        let mut best: Option<(Ratio<u128>, Length)> = None;
        for (length, count) in rules.fleet().classes() {
            let hidden = hidden(rules, layouts, length, count as u128, budget)?;
            best = best.max(Some((hidden, length)));
        }
        let (hidden, length) = best.ok_or(OutOfReach::Overflow)?;
        let transcripts = transcripts(rules, layouts).ok_or(OutOfReach::Overflow)?;
        Ok(Self { layouts, hidden, length, transcripts, proved: rules.touch() != Touch::Allowed })
    }

    /// Whether the number of transcripts is a proved bound here.
    pub fn is_proved(&self) -> bool {
        self.proved
    }

    /// The best bound that is proved.
    pub fn least(&self) -> Ratio<u128> {
        if self.proved { self.hidden.max(self.transcripts) } else { self.hidden }
    }
}

/// The bound with a ship of this length hidden.
fn hidden(rules: &Rules, layouts: u128, length: Length, count: u128, budget: Budget) -> Result<Ratio<u128>, OutOfReach> {
    let others = arrangements_without(rules, length, budget)?;
    let places = layouts.checked_mul(count).ok_or(OutOfReach::Overflow)?;
    let (each, more) = (places / others, places % others);
    let (low, high) = costs(length, each);
    let sum = (others - more).checked_mul(low).zip(more.checked_mul(high)).and_then(|(low, high)| low.checked_add(high));
    let hits = places.checked_mul(rules.fleet().cells() as u128);
    let shots = sum.zip(hits).and_then(|(sum, hits)| sum.checked_add(hits)).ok_or(OutOfReach::Overflow)?;
    Ok(Ratio::new(shots, places))
}

/// How many ways there are to place all ships but one of this length.
fn arrangements_without(rules: &Rules, length: Length, budget: Budget) -> Result<u128, OutOfReach> {
    let mut lengths = rules.fleet().lengths().to_vec();
    lengths.iter().position(|&other| other == length).map(|at| lengths.remove(at));
    let Ok(fleet) = Fleet::new(lengths) else { return Ok(1) };
    // What fits with the ship fits without it.
    let Ok(rules) = Rules::new(rules.grid(), fleet, rules.touch(), rules.call()) else { return Ok(1) };
    Transfer::new(budget).total(&Problem::for_rules(&rules))
}

/// f for so many places and for one more.
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

/// In how many ways all hits of a game can be called, or more.
fn ways_to_call(fleet: &Fleet, call: Call) -> u128 {
    let cells = fleet.cells() as u128;
    match call {
        Call::Silent => 1,
        // The last hit sinks; the other sinkings are some of the hits before.
        Call::Bare => choose(cells - 1, fleet.len() as u128 - 1),
        Call::Ship => sinkings(fleet),
        // Each hit is of a class, and so for each class by itself.
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

/// The ways in which hits and sinkings with their lengths can follow each other: a ship sinks only after as many hits as it has
/// cells, and every ship afloat has a cell not hit.
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

/// Whether after so many hits these ships can be afloat, each with a cell not hit, and the others sunk.
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
    use super::*;

    fn bound(rules: &str) -> Bound {
        Bound::of(&rules.parse().unwrap(), Budget::default()).unwrap()
    }

    fn decimal(ratio: Ratio<u128>) -> f64 {
        *ratio.numer() as f64 / *ratio.denom() as f64
    }

    #[test]
    fn the_best_known_count_of_transcripts_for_the_classic_board() {
        let bound = bound("classic");
        assert_eq!(bound.layouts, 15_046_987_768);
        assert!((decimal(bound.transcripts) - 24.0876).abs() < 5e-5);
        assert!(!bound.is_proved());
    }

    #[test]
    fn hiding_the_shortest_ship_raises_it() {
        let bound = bound("classic");
        assert_eq!(bound.length.get(), 2);
        assert!(decimal(bound.least()) > 33.0, "{}", decimal(bound.least()));
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
