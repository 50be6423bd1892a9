//! The best shooter against a mix of layouts.

use broadside_odds::WorkLimits;
use broadside_rules::{Layout, Rules};

use crate::objective::Objective;
use crate::policy::Policy;
use crate::position::Position;
use crate::position_bound::PositionBound;
use crate::search::{Memo, Search};
use crate::solver::{Progress, SolveError, add_nodes, longest};
use crate::state::{StateId, States};
use crate::weight::Weight;

/// Finds best replies on one board.
pub(crate) struct Replies {
    rules: Rules,
    states: States,
    /// The state of each layout before the first shot.
    starts: Vec<StateId>,
    limits: WorkLimits,
}

impl Replies {
    pub(crate) fn new(rules: &Rules, layouts: &[Layout], limits: WorkLimits) -> Self {
        let mut states = States::new(rules);
        let starts = layouts.iter().map(|layout| states.after_shots(layout, 0)).collect();
        Self { rules: rules.clone(), states, starts, limits }
    }

    /// A best reply to a mix in which every layout has a weight above 0, so that the reply knows what to do on each. The weights
    /// times the number of cells must not overflow when they are added up.
    pub(crate) fn best<W: Weight>(&mut self, weights: &[W], on_progress: &mut dyn FnMut(Progress)) -> Result<Policy, SolveError> {
        let all = Position::new(self.starts.iter().copied().zip(weights.iter().copied()).collect());
        let position_bound = PositionBound::new(Objective::Sum, longest(&self.rules));
        let mut memo = Memo::default();
        let mut search = Search::new(position_bound, &mut self.states, &mut memo, &self.limits, on_progress);
        let mut nodes = Vec::new();
        add_nodes(&mut search, &self.rules, &all, &mut nodes)?;
        Ok(Policy::new(self.rules.clone(), nodes))
    }
}
