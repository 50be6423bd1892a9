//! The best shooter against a mix of layouts.

use broadside_odds::{OutOfReach, WorkLimits};
use broadside_rules::Rules;
use num_bigint::BigUint;
use num_traits::ToPrimitive;

use super::classes::Classes;
use super::graph::Graph;
use super::listing;
use super::wide::Wide;
use crate::objective::Objective;
use crate::policy::Policy;
use crate::position::Position;
use crate::position_bound::PositionBound;
use crate::search::{Memo, Search};
use crate::solver::{Progress, SolveError, add_nodes, longest};
use crate::state::{StateId, States};
use crate::weight::Weight;

/// Finds best replies on one board.
pub(crate) enum Replies {
    /// By a pass over all positions.
    Graph { graph: Box<Graph>, limits: WorkLimits },
    /// By a search, where there are too many positions to list.
    Search(Box<Searches>),
}

/// The integers of the last best replies: those of most boards, and those of boards with many classes.
type Short = Wide<2>;
type Long = Wide<8>;

/// The part of a rough mix in which all layouts are alike, so that a reply knows what to do on layouts that the mix doesn't use.
const LEAST: f64 = 1e-9;

impl Replies {
    pub(crate) fn new(
        rules: &Rules,
        classes: &Classes,
        limits: WorkLimits,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<Self, SolveError> {
        match listing::list(rules, classes, &limits, on_progress) {
            Ok(graph) => Ok(Self::Graph { graph: Box::new(graph), limits }),
            Err(OutOfReach::Memory) => Ok(Self::Search(Box::new(Searches::new(rules, classes, limits)))),
            Err(error) => Err(error.into()),
        }
    }

    /// The bits that the sum of all weights, times the number of cells, may have.
    pub(crate) fn most_bits(&self) -> u64 {
        match self {
            Self::Graph { .. } => Long::BITS,
            Self::Search(_) => u128::BITS.into(),
        }
    }

    /// A best reply to a mix near this one, and that mix.
    pub(crate) fn rough(
        &mut self,
        mix: &[f64],
        classes: &Classes,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<(Policy, Vec<f64>), SolveError> {
        let layouts = classes.layouts.len() as f64;
        match self {
            Self::Graph { graph, limits } => {
                let chances: Vec<f64> = mix.iter().map(|chance| (1.0 - LEAST) * chance + LEAST / layouts).collect();
                Ok((graph.best_reply(&chances, limits)?, chances))
            }
            Self::Search(searches) => {
                let weights = searches.rounded(mix, classes);
                let total: f64 = weights.iter().zip(classes.sizes()).map(|(&weight, size)| f64::from(weight) * size as f64).sum();
                let policy = searches.best(&classes.spread(&weights), on_progress)?;
                Ok((policy, weights.iter().map(|&weight| f64::from(weight) / total).collect()))
            }
        }
    }

    /// A best reply to a mix in integers, none of them 0, by the weight of each layout of a class.
    pub(crate) fn exact(
        &mut self,
        of_class: &[BigUint],
        classes: &Classes,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<Policy, SolveError> {
        match self {
            Self::Graph { graph, limits } => {
                let total: BigUint = of_class.iter().zip(classes.sizes()).map(|(weight, size)| weight * size).sum();
                let most = total * (graph.rules.grid().len() + 1);
                if most.bits() <= Short::BITS {
                    Ok(graph.best_reply(&of_class.iter().map(Short::new).collect::<Vec<_>>(), limits)?)
                } else {
                    Ok(graph.best_reply(&of_class.iter().map(Long::new).collect::<Vec<_>>(), limits)?)
                }
            }
            Self::Search(searches) => {
                let weights: Vec<u128> = of_class.iter().map(|weight| weight.to_u128().unwrap_or(u128::MAX)).collect();
                searches.best(&classes.spread(&weights), on_progress)
            }
        }
    }
}

/// Finds best replies by searches.
pub(crate) struct Searches {
    rules: Rules,
    states: States,
    /// The state of each layout before the first shot.
    starts: Vec<StateId>,
    limits: WorkLimits,
}

impl Searches {
    fn new(rules: &Rules, classes: &Classes, limits: WorkLimits) -> Self {
        let mut states = States::new(rules);
        let starts = classes.layouts.iter().map(|layout| states.after_shots(layout, 0)).collect();
        Self { rules: rules.clone(), states, starts, limits }
    }

    /// A best reply to a mix in which every layout has a weight above 0, so that the reply knows what to do on each. The weights
    /// times the number of cells must not overflow when they are added up.
    fn best<W: Weight>(&mut self, weights: &[W], on_progress: &mut dyn FnMut(Progress)) -> Result<Policy, SolveError> {
        let all = Position::new(self.starts.iter().copied().zip(weights.iter().copied()).collect());
        let position_bound = PositionBound::new(Objective::Sum, longest(&self.rules));
        let mut memo = Memo::default();
        let mut search = Search::new(position_bound, &mut self.states, &mut memo, &self.limits, on_progress);
        let mut nodes = Vec::new();
        add_nodes(&mut search, &self.rules, &all, &mut nodes)?;
        Ok(Policy::new(self.rules.clone(), nodes))
    }

    /// A mix in integers, none of them 0, so that a sum of shots fits into `u32`.
    fn rounded(&self, of_class: &[f64], classes: &Classes) -> Vec<u32> {
        let room = u32::MAX as usize / (self.rules.grid().len() + 1) - classes.layouts.len();
        of_class.iter().map(|chance| (chance * room as f64).to_u32().unwrap_or(0) + 1).collect()
    }
}

#[cfg(test)]
mod tests {
    use broadside_odds::Budget;
    use broadside_rules::{Call, Touch};
    use proptest::prelude::*;

    use super::*;

    /// What a shooter needs against a mix, by the weight of each layout of a class.
    fn shots(policy: &Policy, classes: &Classes, of_class: &[BigUint]) -> BigUint {
        let column = classes.sums(|layout| policy.shots(layout).expect("a reply to every layout") as u64);
        column.iter().zip(of_class).map(|(&shots, weight)| weight * shots).sum()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn a_pass_over_all_positions_is_as_good_as_a_search(
            board in proptest::sample::select(vec![
                "3x3 2", "3x3 2,2", "2x4 3,2", "1x9 2,2", "2x5 2,2", "3x3 3,2", "1x8 2,2,1", "3x3 2,1", "3x4 2", "3x3 2,2,2",
            ]),
            touch in proptest::sample::select(Touch::ALL),
            call in proptest::sample::select(Call::ALL),
            weights in proptest::collection::vec(1u32..1000, 30),
            shift in proptest::sample::select(vec![0u32, 90, 200]),
        ) {
            let Ok(rules) = format!("{board} {touch} {call}").parse::<Rules>() else { return Ok(()) };
            let limits = WorkLimits::from(Budget::default());
            let classes = Classes::list(&rules, &limits).unwrap();
            prop_assume!(!classes.layouts.is_empty());
            let of_class: Vec<BigUint> =
                (0..classes.members.len()).map(|class| BigUint::from(weights[class % weights.len()])).collect();
            // A larger unit changes nothing but the width of the integers.
            let shifted: Vec<BigUint> = of_class.iter().map(|weight| weight << shift).collect();
            let mut graph = Replies::new(&rules, &classes, limits.clone(), &mut |_| {}).unwrap();
            prop_assert!(matches!(graph, Replies::Graph { .. }), "few positions");
            let mut search = Replies::Search(Box::new(Searches::new(&rules, &classes, limits)));
            let by_graph = graph.exact(&shifted, &classes, &mut |_| {}).unwrap();
            let by_search = search.exact(&of_class, &classes, &mut |_| {}).unwrap();
            prop_assert_eq!(shots(&by_graph, &classes, &of_class), shots(&by_search, &classes, &of_class), "{}", rules);
        }
    }

    #[test]
    fn where_positions_are_too_many_replies_are_searched_for() {
        let rules: Rules = "4x4 2,2 allowed ship".parse().unwrap();
        let budget: Budget = "2MB".parse().unwrap();
        let classes = Classes::list(&rules, &budget.into()).unwrap();
        let mut positions = 0;
        let replies = Replies::new(&rules, &classes, budget.into(), &mut |progress| positions = progress.positions);
        assert!(matches!(replies, Ok(Replies::Search(_))));
        assert!(positions > 0, "progress is told while positions are listed");
    }
}
