//! The solver: the least expected number of shots, the least worst case, the best shots.

use broadside_odds::{Budget, OutOfReach, WorkLimits, oracle};
use broadside_rules::{Cell, CellSet, Layout, Rules, ShotLog};
use num_rational::Ratio;

use crate::objective::Objective;
use crate::policy::{Node, Policy};
use crate::position::Position;
use crate::position_bound::PositionBound;
use crate::search::{Memo, Search};
use crate::state::{AnswerCode, StateId, States};
use crate::weight::Weight;

/// How far a search has come.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The number of positions kept.
    pub positions: usize,
    /// About how many bytes the search takes.
    pub bytes: usize,
}

/// Why a position can't be solved.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The board has more cells than a `u64` has bits.
    #[error("a board of {0} cells is too large: best play is searched for on boards of at most 64 cells")]
    Board(usize),
    /// No layout fits the log.
    #[error("no layout fits the log")]
    Impossible,
    /// Answers come after the turn.
    #[error("best play is searched for where each shot is answered at once: use --salvo N:each, or one shot a turn")]
    Withheld,
    /// Answers may be false.
    #[error("best play is searched for where every answer is true: leave out --noise")]
    FalseAnswers,
    /// The search would pass its budget, or was stopped.
    #[error(transparent)]
    OutOfReach(#[from] OutOfReach),
}

/// Best play from a position on.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The number of layouts that fit the log.
    pub layouts: u64,
    /// The shots still to fire, summed over all layouts.
    pub shots: u64,
    /// The cells that best play may fire at next, in reading order.
    pub best_shots: Vec<Cell>,
    /// What the search took.
    pub used: Progress,
}

impl Solution {
    /// The least expected number of shots still to fire.
    pub fn expected(&self) -> Ratio<u64> {
        Ratio::new(self.shots, self.layouts)
    }
}

/// Solves one position: all layouts that fit a log.
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
/// assert_eq!(solver.worst_case(&mut |_| {})?, 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    rules: Rules,
    states: States,
    all: Position<u32>,
    /// What earlier searches for the least sum have found out.
    memo: Memo<u32>,
    /// The number of ship cells that are not hit.
    cells_left: usize,
    limits: WorkLimits,
}

/// Bytes for each layout before the search begins.
const LAYOUT_BYTES: usize = 512;

/// The number of layouts times the number of cells must be below 2^32, so that a sum of misses fits into `u32`.
const MAX_LAYOUTS: usize = 1 << 25;

/// The layouts of a position, taken in one by one.
struct Lister<'a> {
    log: &'a ShotLog,
    fired: u64,
    states: States,
    rows: Vec<(StateId, u32)>,
    /// So many layouts at most.
    most: usize,
}

impl<'a> Lister<'a> {
    fn new(log: &'a ShotLog, budget: Budget) -> Result<Self, SolveError> {
        let cells = log.rules().grid().len();
        if log.rules().salvo().withholds() {
            return Err(SolveError::Withheld);
        }
        if !log.rules().noise().is_none() {
            return Err(SolveError::FalseAnswers);
        }
        if cells > 64 {
            return Err(SolveError::Board(cells));
        }
        let most = (budget.bytes / LAYOUT_BYTES).min(MAX_LAYOUTS);
        Ok(Self { log, fired: to_bits(log.fired()), states: States::new(log.rules()), rows: Vec::new(), most })
    }

    fn add(&mut self, layout: &Layout) {
        if self.rows.len() <= self.most {
            self.rows.push((self.states.after_shots(layout, self.fired), 1));
        }
    }

    fn finish(self, limits: WorkLimits) -> Result<Solver, SolveError> {
        match self.rows.len() {
            0 => return Err(SolveError::Impossible),
            layouts if layouts > self.most => return Err(OutOfReach::Memory.into()),
            _ => {}
        }
        let (rules, states, all) = (self.log.rules().clone(), self.states, Position::new(self.rows));
        let cells_left = rules.fleet().cells() - self.log.hit_count();
        Ok(Solver { rules, states, all, memo: Memo::default(), cells_left, limits })
    }
}

impl Solver {
    /// Lists the layouts that fit the log. The limits hold for all work of this solver. A [`Budget`] is enough; to stop the work
    /// from outside, give it [`Budget::until`].
    ///
    /// # Errors
    /// When the board is too large, no layout fits, there are too many layouts for the budget, or the work was stopped.
    pub fn new(log: &ShotLog, limits: impl Into<WorkLimits>) -> Result<Self, SolveError> {
        let limits = limits.into();
        let budget = limits.budget;
        let mut lister = Lister::new(log, budget)?;
        // Placements that lead to no layout take no memory, but there may be far more of them than layouts.
        let listing = Budget { steps: budget.steps.min(64 * lister.most as u64), ..budget };
        oracle::each_layout(log.rules(), listing.until(&limits.stop), &mut |layout| {
            if log.is_empty() || oracle::fits(log, layout) {
                lister.add(layout);
            }
        })?;
        lister.finish(limits)
    }

    /// The solver for a log whose layouts are known: all that fit it, each once. The board may have far more layouts than could
    /// be listed, as long as few fit the log.
    ///
    /// # Errors
    /// When the board is too large, or there are no layouts or too many for the budget.
    pub fn from_layouts<'a>(
        log: &ShotLog,
        layouts: impl IntoIterator<Item = &'a Layout>,
        limits: impl Into<WorkLimits>,
    ) -> Result<Self, SolveError> {
        let limits = limits.into();
        let mut lister = Lister::new(log, limits.budget)?;
        layouts.into_iter().for_each(|layout| lister.add(layout));
        lister.finish(limits)
    }

    /// The number of layouts that fit the log.
    pub fn layouts(&self) -> u64 {
        u64::from(self.all.weight())
    }

    /// The least expected number of shots, and the best next shots. Calls `on_progress` now and then.
    ///
    /// # Errors
    /// When the search passes the budget or was stopped.
    pub fn solve(&mut self, on_progress: &mut dyn FnMut(Progress)) -> Result<Solution, SolveError> {
        let (grid, layouts, cells_left) = (self.rules.grid(), self.layouts(), self.cells_left as u64);
        let (all, mut search) = self.search(on_progress);
        let misses = search.cost(all)?;
        let best_shots = search.best_shots(all, misses)?.into_iter().filter_map(|cell| grid.cell(cell as usize)).collect();
        Ok(Solution { layouts, shots: u64::from(misses) + cells_left * layouts, best_shots, used: search.progress() })
    }

    /// The shots still to fire when the next one goes to this cell and best play follows, summed over all layouts.
    ///
    /// ```
    /// use broadside_odds::Budget;
    /// use broadside_rules::{Rules, ShotLog};
    /// use broadside_solve::Solver;
    ///
    /// // A ship of two on a row of three: it covers the middle, and then one of the ends.
    /// let log = ShotLog::new(&"1x3 2 allowed ship".parse::<Rules>()?);
    /// let mut solver = Solver::new(&log, Budget::default())?;
    /// assert_eq!(solver.shots_after("A2".parse()?)?, 2 + 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the search passes the budget or was stopped.
    pub fn shots_after(&mut self, cell: Cell) -> Result<u64, SolveError> {
        let (index, layouts, cells_left) = (self.rules.grid().index(cell) as u32, self.layouts(), self.cells_left as u64);
        let mut quiet = |_| {};
        let (all, mut search) = self.search(&mut quiet);
        let mut misses = 0;
        for (code, part) in all.split(index, search.states) {
            misses += u64::from(search.cost(&part)?);
            misses += if code == AnswerCode::MISS { u64::from(part.weight()) } else { 0 };
        }
        Ok(misses + cells_left * layouts)
    }

    /// A cell that best play fires at next; `None` when the game is over.
    ///
    /// # Errors
    /// When the search passes the budget or was stopped.
    pub fn best_shot(&mut self) -> Result<Option<Cell>, SolveError> {
        let grid = self.rules.grid();
        let mut quiet = |_| {};
        let (all, mut search) = self.search(&mut quiet);
        Ok(search.best_shot(all)?.and_then(|cell| grid.cell(cell as usize)))
    }

    /// A table of best play: where to fire after every answer, from this position on.
    ///
    /// # Errors
    /// When the search passes the budget or was stopped.
    pub fn policy(&mut self, on_progress: &mut dyn FnMut(Progress)) -> Result<Policy, SolveError> {
        let rules = self.rules.clone();
        let mut nodes = Vec::new();
        let (all, mut search) = self.search(on_progress);
        add_nodes(&mut search, &rules, all, &mut nodes)?;
        Ok(Policy::new(rules, nodes))
    }

    /// The least number of shots that is enough for every layout: the optimum against an opponent who never commits to one.
    ///
    /// # Errors
    /// When the search passes the budget or was stopped.
    pub fn worst_case(&mut self, on_progress: &mut dyn FnMut(Progress)) -> Result<usize, SolveError> {
        let position_bound = PositionBound::new(Objective::Worst, longest(&self.rules));
        let (mut memo, mut limits) = (Memo::<u32>::default(), self.limits.clone());
        limits.budget.bytes = limits.budget.bytes.saturating_sub(self.memo.bytes());
        let misses = Search::new(position_bound, &mut self.states, &mut memo, &limits, on_progress).cost(&self.all)?;
        Ok(misses as usize + self.cells_left)
    }

    /// A search for the least sum, and the position to start from.
    fn search<'a>(&'a mut self, on_progress: &'a mut dyn FnMut(Progress)) -> (&'a Position<u32>, Search<'a, u32>) {
        let position_bound = PositionBound::new(Objective::Sum, longest(&self.rules));
        (&self.all, Search::new(position_bound, &mut self.states, &mut self.memo, &self.limits, on_progress))
    }
}

/// The largest number of cells of one ship of a state.
pub(crate) fn longest(rules: &Rules) -> usize {
    let fleet = rules.fleet();
    if rules.call().tells_sinking() { fleet.longest().get() } else { fleet.cells() }
}

/// Adds best play from a position on, and returns the number of its node. `None` when the game is over.
pub(crate) fn add_nodes<W: Weight>(
    search: &mut Search<W>,
    rules: &Rules,
    position: &Position<W>,
    nodes: &mut Vec<Node>,
) -> Result<Option<u32>, SolveError> {
    let Some(cell) = search.best_shot(position)? else { return Ok(None) };
    let number = nodes.len();
    let aim = rules.grid().cell(cell as usize).ok_or(SolveError::Impossible)?;
    nodes.push(Node { cell: aim, next: Vec::new() });
    let mut parts = position.split(cell, search.states);
    parts.sort_by_key(|part| part.0);
    for (code, part) in parts {
        let then = add_nodes(search, rules, &part, nodes)?;
        nodes[number].next.push((search.states.answer(code), then));
    }
    Ok(Some(number as u32))
}

/// The cells as bits, in reading order.
fn to_bits(cells: &CellSet) -> u64 {
    cells.iter().fold(0, |bits, cell| bits | 1 << cells.grid().index(cell))
}
