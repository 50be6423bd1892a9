//! Weights from what an opponent has done.
//!
//! The model has a factor for each cell, and a placement weighs the product of the factors of its cells. So a layout l has the
//! probability exp(sum of a over its cells)/Z(a), where a are the logarithms of the factors, and Z is the weight of all layouts
//! together, which [`Transfer::weigh`](crate::Transfer::weigh) has exactly. What is learned from is how often each cell was
//! covered: nothing else of the layouts matters to this model, so a table of cells is as good as the layouts.
//!
//! The factors maximise the likelihood less a penalty: prior/2 times the squares of a. That is a normal distribution around
//! "no habit" before the first layout is seen. The gradient is the covered share less the expected share of each cell, less the
//! penalty, and the function has one maximum.

use std::collections::HashMap;

use broadside_rules::{Cell, Rules, ShotLog};

use crate::{CellUses, OutOfReach, PlacementWeights, Transfer, WorkLimits};

/// Habits that were learned: a factor for each cell.
#[derive(Clone, Debug, PartialEq)]
pub struct CellModel {
    rules: Rules,
    /// The logarithm of each cell's factor.
    logs: Vec<f64>,
    /// The logarithm of the weight of all layouts, over that of their number.
    log_total: f64,
}

impl CellModel {
    /// The factor of a cell: 1 if it is used as often as chance would have it.
    pub fn factor(&self, cell: Cell) -> f64 {
        self.logs[self.rules.grid().index(cell)].exp()
    }

    /// The weights of the placements.
    pub fn weights(&self) -> PlacementWeights {
        PlacementWeights::from_cells(&self.rules, |cell| self.factor(cell))
    }

    /// How many bits better this model predicts some layouts than "all layouts are equally likely" does, for each layout.
    pub fn bits(&self, uses: &CellUses) -> f64 {
        let covered: f64 = self.logs.iter().zip(&uses.cells).map(|(log, uses)| log * uses).sum();
        (covered / uses.layouts - self.log_total) / std::f64::consts::LN_2
    }
}

/// Learns habits.
///
/// ```
/// use broadside_odds::{Budget, CellUses, Learner};
/// use broadside_rules::{Draft, Rules};
///
/// let rules: Rules = "1x3 2 allowed ship".parse()?;
/// let left = "A1-A2".parse::<Draft>()?.check(&rules).into_layout().expect("a legal layout");
/// let uses = CellUses::of_layouts(&rules, [&left, &left, &left]);
/// let model = Learner::new(&rules, Budget::default()).with_prior(0.1).learn(&uses)?;
/// assert!(model.factor("A1".parse()?) > 2.0 && model.factor("A3".parse()?) < 0.5);
/// // The ship is always at the left, which is worth a bit; the prior keeps some doubt.
/// assert!((0.5..1.0).contains(&model.bits(&uses)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Learner {
    rules: Rules,
    engine: Transfer,
    /// For each cell, the number of its class: cells of one class have the same factor.
    class_of: Vec<usize>,
    prior: f64,
    log_layouts: Option<f64>,
}

/// The penalty unless told: before the first layout, two factors in three are taken to be between 0.85 and 1.17, as most of people's
/// are. With a penalty of 10, a hundred uniform layouts of 6x6 taught a model that predicts 0.11 bits a layout worse than none.
pub const DEFAULT_PRIOR: f64 = 40.0;

/// Steps of the search for the maximum at most. It takes some twenty.
const MAX_STEPS: usize = 200;

/// The search ends when no share of a cell is off by more than this.
const TOLERANCE: f64 = 1e-6;

/// The pairs of steps and changes of the gradient that the search remembers.
const MEMORY: usize = 8;

impl Learner {
    /// Learns a factor for each cell by itself, with the default prior.
    pub fn new(rules: &Rules, limits: impl Into<WorkLimits>) -> Self {
        let class_of = (0..rules.grid().len()).collect();
        Self { rules: rules.clone(), engine: Transfer::new(limits), class_of, prior: DEFAULT_PRIOR, log_layouts: None }
    }

    /// Cells that symmetries of the board take to each other get one factor.
    #[must_use]
    pub fn with_symmetries(mut self) -> Self {
        let grid = self.rules.grid();
        let least = |cell: Cell| self.rules.symmetries().map(|way| grid.index(way.cell(cell))).min().unwrap_or(0);
        let mut numbers = HashMap::new();
        self.class_of = grid
            .cells()
            .map(|cell| {
                let next = numbers.len();
                *numbers.entry(least(cell)).or_insert(next)
            })
            .collect();
        self
    }

    /// The strength of the penalty: 0 believes every layout, a large number believes hardly any, and an infinite one none.
    #[must_use]
    pub fn with_prior(mut self, prior: f64) -> Self {
        self.set_prior(prior);
        self
    }

    pub(crate) fn set_prior(&mut self, prior: f64) {
        self.prior = prior.max(0.0);
    }

    /// The habits behind these layouts.
    ///
    /// # Errors
    /// When the exact weights pass the budget.
    pub fn learn(&mut self, uses: &CellUses) -> Result<CellModel, OutOfReach> {
        let logs = self.maximum(uses)?;
        let (log_total, _) = self.expected(&logs)?;
        let logs = self.spread(&logs);
        Ok(CellModel { rules: self.rules.clone(), logs, log_total: log_total - self.log_layouts()? })
    }

    /// How many bits better the rest of the layouts predicts each part than "all layouts are equally likely" does, for each layout:
    /// what learning is worth on layouts that were not learned from. One number for each part.
    ///
    /// # Errors
    /// When the exact weights pass the budget.
    pub fn cross_validate(&mut self, parts: &[CellUses]) -> Result<Vec<f64>, OutOfReach> {
        let rules = self.rules.clone();
        let others = |part: usize| {
            let (before, after) = (CellUses::sum(&rules, &parts[..part]), CellUses::sum(&rules, &parts[part + 1..]));
            before.plus(&after)
        };
        (0..parts.len()).map(|part| Ok(self.learn(&others(part))?.bits(&parts[part]))).collect()
    }

    /// The logarithm of the number of layouts.
    fn log_layouts(&mut self) -> Result<f64, OutOfReach> {
        if self.log_layouts.is_none() {
            let zeros = vec![0.0; self.classes()];
            self.log_layouts = Some(self.expected(&zeros)?.0);
        }
        Ok(self.log_layouts.unwrap_or(0.0))
    }

    fn classes(&self) -> usize {
        self.class_of.iter().max().map_or(0, |last| last + 1)
    }

    /// The value of a class for each cell.
    fn spread(&self, of_class: &[f64]) -> Vec<f64> {
        self.class_of.iter().map(|&class| of_class[class]).collect()
    }

    /// The sum over the cells of each class.
    fn sums(&self, of_cell: impl Iterator<Item = f64>) -> Vec<f64> {
        let mut sums = vec![0.0; self.classes()];
        self.class_of.iter().zip(of_cell).for_each(|(&class, value)| sums[class] += value);
        sums
    }

    /// The logarithm of the weight of all layouts, and how many cells of each class a layout covers on average.
    fn expected(&mut self, logs: &[f64]) -> Result<(f64, Vec<f64>), OutOfReach> {
        let (rules, of_cell) = (self.rules.clone(), self.spread(logs));
        let weights = PlacementWeights::from_cells(&rules, |cell| of_cell[rules.grid().index(cell)].exp());
        let counts = self.engine.weigh(&ShotLog::new(&rules), &weights)?;
        let shares = self.sums(rules.grid().cells().map(|cell| counts.chance(cell)));
        Ok((counts.layouts().ln(), shares))
    }

    /// The penalised likelihood at these logarithms.
    fn point(&mut self, logs: Vec<f64>, aim: &Aim) -> Result<Point, OutOfReach> {
        let (log_total, shares) = self.expected(&logs)?;
        let squares: f64 = logs.iter().map(|log| log * log).sum();
        let slope = |class: usize| shares[class] - aim.covered[class] + aim.penalty * logs[class];
        let gradient = (0..logs.len()).map(slope).collect();
        Ok(Point { value: log_total - dot(&logs, &aim.covered) + aim.penalty / 2.0 * squares, gradient, logs })
    }

    /// The best logarithms of the factors of the classes, by the method of limited-memory BFGS: J. Nocedal, "Updating
    /// quasi-Newton matrices with limited storage", 1980.
    fn maximum(&mut self, uses: &CellUses) -> Result<Vec<f64>, OutOfReach> {
        let start = vec![0.0; self.classes()];
        if uses.layouts <= 0.0 || self.prior.is_infinite() {
            return Ok(start);
        }
        let covered = self.sums(uses.cells.iter().map(|covered| covered / uses.layouts));
        let aim = Aim { covered, penalty: (self.prior / uses.layouts).max(f64::EPSILON) };
        let mut point = self.point(start, &aim)?;
        let mut memory: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
        for _ in 0..MAX_STEPS {
            if point.gradient.iter().all(|slope| slope.abs() < TOLERANCE) {
                break;
            }
            let direction = direction(&point.gradient, &memory);
            let Some(next) = self.step(&point, &direction, &aim)? else { break };
            memory.push((change(&next.logs, &point.logs), change(&next.gradient, &point.gradient)));
            if memory.len() > MEMORY {
                memory.remove(0);
            }
            point = next;
        }
        Ok(point.logs)
    }

    /// A step along the direction that leads far enough down; `None` if there is none.
    fn step(&mut self, from: &Point, direction: &[f64], aim: &Aim) -> Result<Option<Point>, OutOfReach> {
        let slope = dot(&from.gradient, direction);
        let mut length = 1.0;
        for _ in 0..MAX_HALVINGS {
            let moved = |(log, by): (&f64, &f64)| (log + length * by).clamp(-MOST_LOG, MOST_LOG);
            let next = self.point(from.logs.iter().zip(direction).map(moved).collect(), aim)?;
            if next.value <= from.value + SUFFICIENT * length * slope {
                return Ok(Some(next));
            }
            length /= 2.0;
        }
        Ok(None)
    }
}

/// What a model is fitted to: the share of layouts that cover each class of cells, and the penalty.
struct Aim {
    covered: Vec<f64>,
    penalty: f64,
}

/// The penalised likelihood for each layout with its sign changed, where it was looked at.
struct Point {
    logs: Vec<f64>,
    value: f64,
    gradient: Vec<f64>,
}

/// A step is halved at most so often.
const MAX_HALVINGS: usize = 30;

/// The share of what the slope promises that a step must gain.
const SUFFICIENT: f64 = 1e-4;

/// Factors stay within e to this power.
const MOST_LOG: f64 = 20.0;

fn change(new: &[f64], old: &[f64]) -> Vec<f64> {
    new.iter().zip(old).map(|(new, old)| new - old).collect()
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// Down the slope, corrected by what the last steps have shown of the curvature.
fn direction(gradient: &[f64], memory: &[(Vec<f64>, Vec<f64>)]) -> Vec<f64> {
    let mut down: Vec<f64> = gradient.iter().map(|slope| -slope).collect();
    let mut shares = Vec::new();
    for (step, change) in memory.iter().rev() {
        let share = dot(step, &down) / dot(step, change);
        down.iter_mut().zip(change).for_each(|(down, change)| *down -= share * change);
        shares.push(share);
    }
    if let Some((step, change)) = memory.last() {
        let scale = dot(step, change) / dot(change, change);
        for down in &mut down {
            *down *= scale;
        }
    }
    for ((step, change), share) in memory.iter().zip(shares.into_iter().rev()) {
        let back = dot(change, &down) / dot(step, change);
        down.iter_mut().zip(step).for_each(|(down, step)| *down += (share - back) * step);
    }
    down
}

#[cfg(test)]
mod tests {
    use broadside_rules::Layout;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;
    use crate::oracle::each_layout;
    use crate::{Budget, Dealer};

    fn layouts(rules: &Rules, weights: &PlacementWeights, seed: u64, count: usize) -> Vec<Layout> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut dealer = Dealer::new(rules).with_weights(weights);
        (0..count).map(|_| dealer.weighted(&mut rng).unwrap()).collect()
    }

    /// How often a generator covers each cell, by listing all layouts.
    fn true_uses(rules: &Rules, truth: &PlacementWeights) -> CellUses {
        let (mut total, mut cells) = (0.0, vec![0.0; rules.grid().len()]);
        each_layout(rules, Budget::default(), &mut |layout| {
            let weight: f64 = layout.ships().iter().map(|&ship| truth.get(ship)).product();
            total += weight;
            layout.cells().iter().for_each(|cell| cells[rules.grid().index(cell)] += weight);
        })
        .unwrap();
        CellUses { layouts: 1.0, cells: cells.into_iter().map(|weight| weight / total).collect() }
    }

    #[test]
    fn many_layouts_recover_the_generator_and_few_do_no_harm() {
        let rules: Rules = "5x5 3,2 allowed ship".parse().unwrap();
        let truth = PlacementWeights::from_cells(&rules, |cell| if cell.row() == 0 { 3.0 } else { 1.0 });
        // What the best model of this kind could gain: the one learned from the generator itself.
        let all = true_uses(&rules, &truth);
        let most = Learner::new(&rules, Budget::default()).with_prior(0.0).learn(&all).unwrap().bits(&all);
        assert!(most > 0.3, "{most}");
        for (count, share) in [(3000, 0.9), (300, 0.5), (10, -0.05)] {
            let uses = CellUses::of_layouts(&rules, &layouts(&rules, &truth, 7, count));
            let bits = Learner::new(&rules, Budget::default()).learn(&uses).unwrap().bits(&all);
            assert!(bits >= share * most && bits <= most + 1e-6, "{count} layouts: {bits} of {most}");
        }
    }

    #[test]
    fn uniform_layouts_teach_next_to_nothing() {
        let rules: Rules = "6x6 4,3,2 allowed ship".parse().unwrap();
        for count in [10, 100] {
            let all = layouts(&rules, &PlacementWeights::uniform(), 3, count);
            let uses = CellUses::of_layouts(&rules, &all);
            let model = Learner::new(&rules, Budget::default()).learn(&uses).unwrap();
            let bits = model.bits(&true_uses(&rules, &PlacementWeights::uniform()));
            assert!((-0.1..=0.0).contains(&bits), "{count}: {bits}");
        }
    }

    #[test]
    fn cross_validated_bits_tell_a_habit_from_none() {
        let rules: Rules = "5x5 3,2 allowed ship".parse().unwrap();
        let habit = PlacementWeights::from_cells(&rules, |cell| if cell.row() == 0 { 4.0 } else { 1.0 });
        let bits = |weights: &PlacementWeights| {
            let all = layouts(&rules, weights, 5, 200);
            let parts: Vec<CellUses> = all.chunks(40).map(|part| CellUses::of_layouts(&rules, part)).collect();
            let bits = Learner::new(&rules, Budget::default()).cross_validate(&parts).unwrap();
            bits.iter().sum::<f64>() / bits.len() as f64
        };
        assert!(bits(&habit) > 0.3);
        assert!(bits(&PlacementWeights::uniform()) < 0.05);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn at_the_maximum_the_expected_shares_are_those_seen_less_the_penalty(
            seed: u64,
            count in 1usize..30,
            prior in 0.5f64..20.0,
            board in proptest::sample::select(vec!["4x4 3,2 allowed ship", "3x5 2,2 never bare", "5x4 3,1 corners silent"]),
            symmetric: bool,
        ) {
            let rules: Rules = board.parse().unwrap();
            let all = layouts(&rules, &PlacementWeights::edges(&rules), seed, count);
            let uses = CellUses::of_layouts(&rules, &all);
            let mut learner = Learner::new(&rules, Budget::default()).with_prior(prior);
            if symmetric {
                learner = learner.with_symmetries();
            }
            let model = learner.learn(&uses).unwrap();
            // The expected shares by listing all layouts.
            let (mut total, mut shares) = (0.0, vec![0.0; rules.grid().len()]);
            each_layout(&rules, Budget::default(), &mut |layout| {
                let weight: f64 = layout.cells().iter().map(|cell| model.factor(cell)).product();
                total += weight;
                layout.cells().iter().for_each(|cell| shares[rules.grid().index(cell)] += weight);
            }).unwrap();
            let gaps = (0..rules.grid().len()).map(|i| shares[i] / total - uses.cells[i] / uses.layouts);
            let gaps = learner.sums(gaps);
            for (class, gap) in gaps.iter().enumerate() {
                let cell = learner.class_of.iter().position(|&other| other == class).unwrap();
                prop_assert!((gap + prior / uses.layouts * model.logs[cell]).abs() < 1e-4, "{gap}");
            }
        }
    }
}
