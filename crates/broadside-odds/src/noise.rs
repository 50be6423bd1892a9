//! What answers that may be false say of the ships.
//!
//! A layout is as likely as the answers are where it is true: a factor for each shot. Up to one factor for all layouts, that is a factor
//! for each cell under a ship, the likelihood of its answers over that of water; so a placement weighs the product over its cells, and the weighted
//! sweeps give the odds exactly. Sinkings are never false: they say which placements are possible, as ever (`problem`).
//!
//! Where no sinkings are called, one thing more is known: the game goes on, so some ship has a cell that was not fired at. The layouts that
//! lie wholly on cells fired at are weighed by themselves and taken away.

use broadside_rules::{Answer, CellSet, Grid, Length, Placement, Rules, Shot, ShotLog};

use crate::{PlacementWeights, Problem};

/// The factors of cells under ships.
pub(crate) struct AnswerWeights {
    grid: Grid,
    /// For each length of the fleet, the factors of the cells in reading order.
    factors: Vec<(Length, Vec<f64>)>,
}

impl AnswerWeights {
    /// The factors of a log; `None` where no answer is false.
    pub(crate) fn new(log: &ShotLog) -> Option<Self> {
        let rules = log.rules();
        if rules.noise().is_none() {
            return None;
        }
        let factors = |length: Length| {
            let mut factors = vec![1.0; rules.grid().len()];
            for shot in log.shots() {
                factors[rules.grid().index(shot.cell)] *= ratio(rules, length, *shot);
            }
            (length, factors)
        };
        let mut weights =
            Self { grid: rules.grid(), factors: rules.fleet().classes().map(|(length, _)| factors(length)).collect() };
        weights.scale(rules.fleet().cells());
        Some(weights)
    }

    /// Keeps the numbers in range: no layout weighs more than 1. All layouts have equally many cells, so all change alike.
    fn scale(&mut self, cells: usize) {
        let best = |cell| self.factors.iter().map(|(_, factors)| factors[cell]).fold(0.0, f64::max);
        let mut best: Vec<f64> = (0..self.grid.len()).map(|cell| best(cell).ln()).filter(|log| log.is_finite()).collect();
        best.sort_unstable_by(|a, b| b.total_cmp(a));
        let mean = best.iter().take(cells).sum::<f64>() / cells as f64;
        self.factors.iter_mut().flat_map(|(_, factors)| factors).for_each(|factor| *factor *= (-mean).exp());
    }

    /// The weights of the problem's placements, each times that of its answers.
    pub(crate) fn times(&self, weights: &PlacementWeights, problem: &Problem) -> PlacementWeights {
        let mut product = weights.clone();
        for ship in problem.classes().iter().flat_map(crate::problem::ShipClass::placements) {
            product.set(ship, weights.get(ship) * self.get(ship));
        }
        product
    }

    /// The weight of a placement.
    pub(crate) fn get(&self, ship: Placement) -> f64 {
        let factors = self.factors.iter().find(|(length, _)| *length == ship.length());
        factors.map_or(0.0, |(_, factors)| ship.cells().map(|cell| factors[self.grid.index(cell)]).product())
    }
}

/// How likely the answer is if a ship of this length is there, over how likely it is on water.
fn ratio(rules: &Rules, length: Length, shot: Shot) -> f64 {
    let wrong = rules.noise().chance();
    match shot.answer {
        Answer::Untold | Answer::Sunk(_) => 1.0,
        Answer::Miss => wrong / (1.0 - wrong),
        Answer::Hit(None) => (1.0 - wrong) / wrong,
        Answer::Hit(Some(called)) if called == length => {
            // A false hit names each ship of the fleet with the same chance.
            let named = rules.fleet().count(length) as f64 / rules.fleet().len() as f64;
            (1.0 - wrong) / (wrong * named)
        }
        Answer::Hit(Some(_)) => 0.0,
    }
}

/// The cells fired at of which some ship has others too, since the game goes on; `None` where the answers say that already.
pub(crate) fn covered_cells(log: &ShotLog) -> Option<CellSet> {
    let rules = log.rules();
    if rules.noise().is_none() || rules.call().tells_sinking() || log.is_over() {
        return None;
    }
    let told = log.shots().iter().filter(|shot| shot.answer != Answer::Untold).map(|shot| shot.cell);
    let cells = CellSet::from_cells(rules.grid(), told);
    (cells.len() >= rules.fleet().cells()).then_some(cells)
}

/// The same problem with ships on these cells alone.
pub(crate) fn within(problem: &Problem, cells: &CellSet) -> Problem {
    let grid = problem.grid();
    problem.without_cells(&CellSet::from_cells(grid, grid.cells().filter(|&cell| !cells.contains(cell))))
}

/// The problem in parts that have no layout in common: those whose first cell off these cells is the first one, the second one, and so on.
pub(crate) fn beyond<'a>(problem: &'a Problem, cells: &CellSet) -> impl Iterator<Item = Problem> + use<'a> {
    let grid = problem.grid();
    let open: Vec<_> = grid.cells().filter(|&cell| !cells.contains(cell)).collect();
    (0..open.len()).map(move |first| {
        let mut part = problem.without_cells(&CellSet::from_cells(grid, open[..first].iter().copied()));
        part.must[open[first].row()] |= 1 << open[first].col();
        part
    })
}
