//! Exact minimum hitting sets: the fewest elements that meet every set of a family.
//!
//! The search asks whether there is a hitting set of size k, for k from the lower bound up. Each
//! “no” raises the lower bound by one. So when the effort runs out, there is a proved bound on both
//! sides. A node of the search
//!
//! 1. reduces the family. A set that contains another set needs no attention. An element whose sets
//!    all contain some other element can be replaced by that one. The only element of a set is forced;
//! 2. splits it into parts that share no element, whose minima add up;
//! 3. finds a lower bound for each part, by disjoint sets or by shares;
//! 4. branches on a smallest set: one of its elements is chosen, and those tried before it are
//!    ruled out.

mod family;

use broadside_rules::{Stop, Stopped};
use family::Family;

/// How far a search may go. When the effort runs out or the search is stopped, its answer is what it has proved so far.
///
/// ```
/// use broadside_rules::Stop;
/// use broadside_solve::mask::OneShipBoard;
/// use broadside_solve::mask::hitting::Effort;
/// use broadside_solve::mask::expected_shots::{Goal, Optimum, least_expected};
///
/// let board = OneShipBoard::new("5x5".parse()?, 2)?;
/// let stop = Stop::new();
/// stop.stop();
/// let optimum = least_expected(board, Goal::Find, &mut Effort::nodes(1_000).until(&stop));
/// assert!(matches!(optimum, Optimum::Between { .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Effort {
    /// Nodes that may still be visited. A node with more than a few hundred sets counts for several.
    pub nodes: u64,
    stop: Stop,
}

impl Effort {
    /// An effort of this number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes, stop: Stop::never() }
    }

    /// The same effort for a search that ends when it is asked to stop.
    #[must_use]
    pub fn until(self, stop: &Stop) -> Self {
        Self { stop: stop.clone(), ..self }
    }

    /// Takes this number of nodes off the effort. Fails when too few are left, or when the search was asked to stop.
    pub(crate) fn spend(&mut self, nodes: u64) -> Result<(), OutOfEffort> {
        self.stop.check().map_err(|Stopped| OutOfEffort)?;
        self.nodes = self.nodes.checked_sub(nodes).ok_or(OutOfEffort)?;
        Ok(())
    }
}

/// The effort ran out, or the search was stopped, before there was an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OutOfEffort;

/// A set that meets everything, and what is known of how small such a set can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Smallest<T> {
    /// No smaller one exists.
    Proved(T),
    /// The effort ran out: this one meets everything, and none has fewer than `at_least` elements.
    Bounded {
        /// The smallest one found.
        best: T,
        /// A proved lower bound, below the size of `best`.
        at_least: usize,
    },
}

impl<T> Smallest<T> {
    /// The set itself, proved smallest or not.
    pub fn best(&self) -> &T {
        match self {
            Self::Proved(best) | Self::Bounded { best, .. } => best,
        }
    }

    /// The set itself, by value.
    pub fn into_best(self) -> T {
        match self {
            Self::Proved(best) | Self::Bounded { best, .. } => best,
        }
    }

    /// Whether it is proved smallest.
    pub fn is_proved(&self) -> bool {
        matches!(self, Self::Proved(_))
    }

    /// Changes the set, and keeps what is known of its size.
    pub fn map<U>(self, form: impl FnOnce(T) -> U) -> Smallest<U> {
        match self {
            Self::Proved(best) => Smallest::Proved(form(best)),
            Self::Bounded { best, at_least } => Smallest::Bounded { best: form(best), at_least },
        }
    }
}

/// An empty set, which nothing can meet.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("set {index} is empty: nothing can meet it")]
pub struct EmptySet {
    /// Which set.
    pub index: usize,
}

/// The fewest of the elements `0..universe` that meet every set, in ascending order. The nodes of the search are taken off the
/// effort.
///
/// ```
/// use broadside_solve::mask::hitting::{Effort, Smallest, smallest_hitting_set};
///
/// let sets = [vec![0, 1], vec![1, 2], vec![3]];
/// let answer = smallest_hitting_set(4, &sets, &mut Effort::nodes(100))?;
/// assert_eq!(answer, Smallest::Proved(vec![1, 3]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`EmptySet`] if a set is empty.
///
/// # Panics
/// If an element is not below `universe`.
pub fn smallest_hitting_set(universe: usize, sets: &[Vec<usize>], effort: &mut Effort) -> Result<Smallest<Vec<usize>>, EmptySet> {
    if let Some(index) = sets.iter().position(Vec::is_empty) {
        return Err(EmptySet { index });
    }
    let mut family = Family::new(universe, sets);
    let mut best = family.reduce();
    let mut at_least = best.len();
    for part in family.parts() {
        let (found, bound) = deepen(&part, effort);
        best.extend(found);
        at_least += bound;
    }
    best.sort_unstable();
    Ok(if at_least == best.len() { Smallest::Proved(best) } else { Smallest::Bounded { best, at_least } })
}

/// The smallest hitting set found for one part, and the proved lower bound.
fn deepen(part: &Family, effort: &mut Effort) -> (Vec<usize>, usize) {
    let greedy = part.greedy();
    for size in part.at_least()..greedy.len() {
        match branch(part, size, effort) {
            Ok(Some(found)) => return (found, size),
            Ok(None) => {}
            Err(OutOfEffort) => return (greedy, size),
        }
    }
    let size = greedy.len();
    (greedy, size)
}

/// A hitting set of at most `size` elements, if there is one.
fn hit(mut family: Family, size: usize, effort: &mut Effort) -> Result<Option<Vec<usize>>, OutOfEffort> {
    effort.spend(family.work())?;
    let mut chosen = family.reduce();
    let parts = family.parts();
    let bounds: Vec<usize> = parts.iter().map(Family::at_least).collect();
    let Some(mut slack) = size.checked_sub(chosen.len() + bounds.iter().sum::<usize>()) else {
        return Ok(None);
    };
    for (part, bound) in parts.iter().zip(bounds) {
        let Some(found) = hit_part(part, bound, bound + slack, effort)? else {
            return Ok(None);
        };
        slack -= found.len() - bound;
        chosen.extend(found);
    }
    Ok(Some(chosen))
}

/// A smallest hitting set of a part, if it has at least `from` and at most `to` elements.
fn hit_part(part: &Family, from: usize, to: usize, effort: &mut Effort) -> Result<Option<Vec<usize>>, OutOfEffort> {
    for size in from..=to {
        if let Some(found) = branch(part, size, effort)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Chooses in turn each element of a smallest set, without those tried before it.
fn branch(part: &Family, size: usize, effort: &mut Effort) -> Result<Option<Vec<usize>>, OutOfEffort> {
    let mut rest = part.clone();
    for element in part.branching_set() {
        if size > 0
            && let Some(mut found) = hit(rest.without_sets_of(element), size - 1, effort)?
        {
            found.push(part.name(element));
            return Ok(Some(found));
        }
        rest.rule_out(element);
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every subset of the universe, tried.
    fn fewest_by_listing(universe: usize, sets: &[Vec<usize>]) -> usize {
        let masks: Vec<u32> = sets.iter().map(|set| set.iter().map(|&e| 1 << e).sum()).collect();
        let hitting = (0u32..1 << universe).filter(|chosen| masks.iter().all(|mask| mask & chosen != 0));
        hitting.map(u32::count_ones).min().unwrap() as usize
    }

    fn solve(universe: usize, sets: &[Vec<usize>], nodes: u64) -> Smallest<Vec<usize>> {
        smallest_hitting_set(universe, sets, &mut Effort::nodes(nodes)).unwrap()
    }

    fn family() -> impl Strategy<Value = (usize, Vec<Vec<usize>>)> {
        (2usize..=13).prop_flat_map(|universe| {
            let set = prop::collection::btree_set(0..universe, 1..=universe.min(5)).prop_map(|set| set.into_iter().collect());
            (Just(universe), prop::collection::vec(set, 0..30))
        })
    }

    #[test]
    fn nothing_meets_an_empty_family() {
        assert_eq!(solve(5, &[], 10), Smallest::Proved(vec![]));
    }

    #[test]
    fn an_empty_set_cannot_be_met() {
        let error = smallest_hitting_set(3, &[vec![1], vec![]], &mut Effort::nodes(10)).unwrap_err();
        assert_eq!(error.to_string(), "set 1 is empty: nothing can meet it");
    }

    #[test]
    fn the_lines_of_the_fano_plane_need_three_points_though_no_two_are_disjoint() {
        let lines = [[0, 1, 2], [0, 3, 4], [0, 5, 6], [1, 3, 5], [1, 4, 6], [2, 3, 6], [2, 4, 5]].map(Vec::from);
        assert_eq!(solve(7, &lines, 1_000).best().len(), 3);
        assert!(solve(7, &lines, 1_000).is_proved());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]

        #[test]
        fn the_answer_is_as_small_as_listing_every_subset_finds((universe, sets) in family()) {
            let found = solve(universe, &sets, 1_000_000);
            prop_assert!(found.is_proved());
            prop_assert_eq!(found.best().len(), fewest_by_listing(universe, &sets));
            prop_assert!(sets.iter().all(|set| set.iter().any(|e| found.best().contains(e))));
        }

        #[test]
        fn a_search_cut_short_still_bounds_the_answer_from_both_sides((universe, sets) in family(), nodes in 0u64..4) {
            let found = solve(universe, &sets, nodes);
            let fewest = fewest_by_listing(universe, &sets);
            prop_assert!(sets.iter().all(|set| set.iter().any(|e| found.best().contains(e))));
            match found {
                Smallest::Proved(best) => prop_assert_eq!(best.len(), fewest),
                Smallest::Bounded { best, at_least } => prop_assert!(at_least <= fewest && fewest <= best.len() && at_least < best.len()),
            }
        }
    }
}
