//! Positions solved: the least expected number of shots, the least worst case, the best shots.

use broadside_odds::{Budget, OutOfReach, oracle};
use broadside_rules::{Call, Cell, CellSet, Rules, ShotLog};
use num_rational::Ratio;

use crate::belief::Belief;
use crate::floor::Floor;
use crate::goal::Goal;
use crate::policy::{Node, Policy};
use crate::remnant::{Remnants, Reply};
use crate::search::{Known, Search};

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Beliefs remembered.
    pub beliefs: usize,
    /// Memory taken, in bytes, about.
    pub bytes: usize,
}

/// A position that can't be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The board doesn't fit into a machine word.
    #[error("a board of {0} cells is too large: best play is searched for on boards of at most 64 cells")]
    Board(usize),
    /// No layout fits the log.
    #[error("no layout fits the log")]
    Impossible,
    /// The search would pass its budget.
    #[error(transparent)]
    OutOfReach(#[from] OutOfReach),
}

/// What best play costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The number of layouts.
    pub layouts: u64,
    /// The shots still to fire, summed over all layouts.
    pub shots: u64,
    /// The cells that best play may fire at next, in reading order.
    pub first: Vec<Cell>,
    /// What the search took.
    pub taken: Progress,
}

impl Solution {
    /// The least expected number of shots still to fire.
    pub fn expected(&self) -> Ratio<u64> {
        Ratio::new(self.shots, self.layouts)
    }
}

/// A position to be solved: all layouts that fit a log.
///
/// ```
/// use broadside_odds::Budget;
/// use broadside_rules::{Rules, ShotLog};
/// use broadside_solve::Solver;
///
/// let rules: Rules = "3x3 2 allowed ship".parse()?;
/// let mut solver = Solver::new(&ShotLog::new(&rules), Budget::default())?;
/// let solution = solver.solve(&mut |_| {})?;
/// assert_eq!(solution.expected().to_string(), "9/2");
/// assert_eq!(solver.worst(&mut |_| {})?, 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    rules: Rules,
    remnants: Remnants,
    all: Belief,
    /// What was found out on the way to the least sum, for the next question.
    known: Known,
    /// Cells of the fleet not hit yet.
    cells_left: usize,
    budget: Budget,
}

/// Bytes that a layout takes before the search begins.
const LAYOUT: usize = 512;

/// Layouts times cells stay below 2^32, so that sums of misses do.
const MOST_LAYOUTS: usize = 1 << 25;

impl Solver {
    /// Lists the layouts that fit the log.
    ///
    /// # Errors
    /// When the board is too large, no layout fits, or there are too many layouts for the budget.
    pub fn new(log: &ShotLog, budget: Budget) -> Result<Self, SolveError> {
        let (rules, grid) = (log.rules(), log.rules().grid());
        if grid.len() > 64 {
            return Err(SolveError::Board(grid.len()));
        }
        let fired = mask(log.fired());
        let mut remnants = Remnants::new(rules);
        let (mut rows, most) = (Vec::new(), (budget.bytes / LAYOUT).min(MOST_LAYOUTS));
        // A try that fails takes no memory, but there may be many more of them than layouts.
        let steps = Budget { steps: budget.steps.min(64 * most as u64), ..budget };
        oracle::each_layout(rules, steps, &mut |layout| {
            if rows.len() <= most && (log.is_empty() || oracle::fits(log, layout)) {
                rows.push((remnants.of(layout, fired), 1));
            }
        })?;
        match rows.len() {
            0 => Err(SolveError::Impossible),
            layouts if layouts > most => Err(OutOfReach::Memory.into()),
            _ => {
                let cells_left = rules.fleet().cells() - log.hit_count();
                Ok(Self { rules: rules.clone(), remnants, all: Belief::of(rows), known: Known::default(), cells_left, budget })
            }
        }
    }

    /// The number of layouts.
    pub fn layouts(&self) -> u64 {
        u64::from(self.all.weight())
    }

    /// The least expected number of shots and the best shots. `tell` is called now and then.
    ///
    /// # Errors
    /// When the search passes the budget.
    pub fn solve(&mut self, tell: &mut dyn FnMut(Progress)) -> Result<Solution, SolveError> {
        let (grid, layouts, cells_left) = (self.rules.grid(), self.layouts(), self.cells_left as u64);
        let (all, mut search) = self.search(tell);
        let misses = search.cost(all)?;
        let first = search.best_shots(all, misses)?.into_iter().filter_map(|cell| grid.cell(cell as usize)).collect();
        Ok(Solution { layouts, shots: u64::from(misses) + cells_left * layouts, first, taken: search.progress() })
    }

    /// A cell that best play fires at next; `None` when the game is over.
    ///
    /// # Errors
    /// When the search passes the budget.
    pub fn best_shot(&mut self) -> Result<Option<Cell>, SolveError> {
        let grid = self.rules.grid();
        let mut quiet = |_| {};
        let (all, mut search) = self.search(&mut quiet);
        Ok(search.best_shot(all)?.and_then(|cell| grid.cell(cell as usize)))
    }

    /// A whole game plan: best play for every answer, from here on.
    ///
    /// # Errors
    /// When the search passes the budget.
    pub fn policy(&mut self, tell: &mut dyn FnMut(Progress)) -> Result<Policy, SolveError> {
        let rules = self.rules.clone();
        let mut nodes = Vec::new();
        let (all, mut search) = self.search(tell);
        grow(&mut search, &rules, all, &mut nodes)?;
        Ok(Policy::of(&rules, nodes))
    }

    /// The least number of shots that is enough whatever the layout, against a defender who never commits to one.
    ///
    /// # Errors
    /// When the search passes the budget.
    pub fn worst(&mut self, tell: &mut dyn FnMut(Progress)) -> Result<usize, SolveError> {
        let floor = Floor::new(Goal::Worst, self.longest());
        let (mut known, budget) = (Known::default(), self.budget.bytes.saturating_sub(self.known.bytes()));
        let misses = Search::new(floor, &mut self.remnants, &mut known, budget, tell).cost(&self.all)?;
        Ok(misses as usize + self.cells_left)
    }

    /// A search for the least sum, and the belief to start from.
    fn search<'a>(&'a mut self, tell: &'a mut dyn FnMut(Progress)) -> (&'a Belief, Search<'a>) {
        let floor = Floor::new(Goal::Sum, self.longest());
        (&self.all, Search::new(floor, &mut self.remnants, &mut self.known, self.budget.bytes, tell))
    }

    /// The most cells of what counts as one ship.
    fn longest(&self) -> usize {
        match self.rules.call() {
            Call::Silent => self.rules.fleet().cells(),
            Call::Bare | Call::Ship | Call::Every => self.rules.fleet().longest().get(),
        }
    }
}

/// Adds what best play does from a belief on; `None` when the game is over.
fn grow(search: &mut Search, rules: &Rules, belief: &Belief, nodes: &mut Vec<Node>) -> Result<Option<u32>, SolveError> {
    let Some(cell) = search.best_shot(belief)? else { return Ok(None) };
    let number = nodes.len();
    let aim = rules.grid().cell(cell as usize).ok_or(SolveError::Impossible)?;
    nodes.push(Node { cell: aim, next: Vec::new() });
    let mut parts: Vec<(Reply, Belief)> = belief.split(cell, search.remnants);
    parts.sort_by_key(|part| part.0);
    for (reply, part) in parts {
        let then = grow(search, rules, &part, nodes)?;
        nodes[number].next.push((search.remnants.answer(reply), then));
    }
    Ok(Some(number as u32))
}

/// The cells as bits in reading order.
fn mask(cells: &CellSet) -> u64 {
    cells.iter().fold(0, |mask, cell| mask | 1 << cells.grid().index(cell))
}
