//! The equilibrium: how to hide and how to shoot when the other side knows how one does it.
//!
//! The hider mixes layouts, the shooter mixes plays. Each side has a mix that no opponent can exploit, and both lead to the same
//! expected number of shots: the value of the game. It is found by the double oracle. The table of the game has a row for each
//! class of layouts and a column for each shooter found so far. The hider's best mix for that table is a linear program. If the
//! best shooter against this mix is better than all in the table, it becomes a new column. Otherwise the mix is an equilibrium.
//!
//! The first rounds use floating point. They ask for the best reply not to the mix itself but to one halfway between it and the
//! best mix so far: the optimum of a table with few columns jumps about. The last rounds use fractions, so that the result is
//! exact and nothing that was rounded is part of its proof.
//!
//! A best reply is one pass over all positions of the board, which are listed once ([`graph`]). Where they don't fit into the budget,
//! each best reply is a search of its own.

mod certificate;
mod classes;
mod graph;
mod listing;
mod replies;
mod simplex;
mod table;
mod wide;

use broadside_odds::WorkLimits;
use broadside_rules::{Cell, Layout, Rules};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use self::classes::Classes;
use self::replies::Replies;
use self::table::{ExactMixes, RoughMix, Table};
use crate::policy::Policy;
use crate::solver::{Progress, SolveError};

/// The equilibrium of a board, with its proof from both sides.
///
/// ```
/// use broadside_odds::Budget;
/// use broadside_solve::Equilibrium;
///
/// // A ship of two on a row of three: the middle is certain, and which end it has is a matter of luck.
/// let found = Equilibrium::find(&"1x3 2 allowed ship".parse()?, Budget::default(), &mut |_| {})?;
/// assert_eq!(found.value().unwrap().to_string(), "5/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equilibrium {
    rules: Rules,
    layouts: usize,
    lower: BigRational,
    upper: BigRational,
    uniform: BigRational,
    hider: Vec<LayoutClass>,
    shooter: Vec<(BigRational, Policy)>,
    rounds: usize,
}

/// Layouts that symmetries of the board take to each other. The hider uses all of them equally often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutClass {
    /// All of them.
    pub layouts: Vec<Layout>,
    /// The probability of each of them.
    pub chance: BigRational,
}

/// How far the search for an equilibrium has come.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EquilibriumProgress {
    /// The best replies found so far.
    pub replies: usize,
    /// The least that the value can be, as far as it is known.
    pub lower: f64,
    /// The most that the value can be, as far as it is known.
    pub upper: f64,
    /// The search for the next best reply.
    pub search: Option<Progress>,
}

impl Equilibrium {
    /// Finds the equilibrium. Calls `on_progress` now and then.
    ///
    /// # Errors
    /// When the board is too large, passes the budget, or the work was stopped.
    pub fn find(
        rules: &Rules,
        limits: impl Into<WorkLimits>,
        on_progress: &mut dyn FnMut(EquilibriumProgress),
    ) -> Result<Self, SolveError> {
        let (limits, cells) = (limits.into(), rules.grid().len());
        if rules.salvo().withholds() {
            return Err(SolveError::Withheld);
        }
        if !rules.noise().is_none() {
            return Err(SolveError::FalseAnswers);
        }
        if cells > 64 {
            return Err(SolveError::Board(cells));
        }
        let classes = Classes::list(rules, &limits)?;
        if classes.layouts.is_empty() {
            return Err(SolveError::Impossible);
        }
        let mut oracle = DoubleOracle::new(rules, classes, limits, on_progress)?;
        let uniform = oracle.reply_to_uniform()?;
        oracle.approach()?;
        let (lower, mixes) = oracle.finish()?;
        Ok(oracle.into_equilibrium(uniform, lower, mixes))
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The number of layouts.
    pub fn layouts(&self) -> usize {
        self.layouts
    }

    /// The value of the game, if both sides of the proof meet. They don't if the hider's best mix has too large a denominator.
    pub fn value(&self) -> Option<&BigRational> {
        (self.lower == self.upper).then_some(&self.lower)
    }

    /// No shooter needs fewer shots on average against the hider's mix.
    pub fn lower(&self) -> &BigRational {
        &self.lower
    }

    /// No layout takes the mix of shooters more shots on average.
    pub fn upper(&self) -> &BigRational {
        &self.upper
    }

    /// The expected shots of the best shooter if all layouts are equally likely.
    pub fn uniform(&self) -> &BigRational {
        &self.uniform
    }

    /// The hider's mix: the classes of layouts that are used.
    pub fn hider(&self) -> &[LayoutClass] {
        &self.hider
    }

    /// The mix of shooters: the probability of each, and how it plays. It turns or reflects the board at random before.
    pub fn shooter(&self) -> &[(BigRational, Policy)] {
        &self.shooter
    }

    /// How many best replies were worked out.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// How often the hider's mix covers a cell.
    pub fn share(&self, cell: Cell) -> BigRational {
        let covering = |class: &LayoutClass| class.layouts.iter().filter(|layout| layout.ship_at(cell).is_some()).count();
        self.hider.iter().map(|class| &class.chance * BigInt::from(covering(class))).sum()
    }
}

/// In floating point, differences below this are not looked into.
const ROUGH: f64 = 1e-6;

/// The search for an equilibrium.
struct DoubleOracle<'a> {
    rules: Rules,
    classes: Classes,
    replies: Replies,
    table: Table,
    policies: Vec<Policy>,
    /// The best mix so far, by class, and what it holds every shooter to.
    centre: Vec<f64>,
    lower: f64,
    upper: f64,
    on_progress: &'a mut dyn FnMut(EquilibriumProgress),
}

impl<'a> DoubleOracle<'a> {
    fn new(
        rules: &Rules,
        classes: Classes,
        limits: WorkLimits,
        on_progress: &'a mut dyn FnMut(EquilibriumProgress),
    ) -> Result<Self, SolveError> {
        let (lower, upper) = (0.0, rules.grid().len() as f64);
        let mut listing = |search| on_progress(EquilibriumProgress { replies: 0, lower, upper, search: Some(search) });
        let replies = Replies::new(rules, &classes, limits, &mut listing)?;
        let centre = vec![1.0 / classes.layouts.len() as f64; classes.members.len()];
        let table = Table::new(classes.sizes());
        Ok(Self { rules: rules.clone(), classes, replies, table, policies: Vec::new(), centre, lower, upper, on_progress })
    }

    fn reply_to_uniform(&mut self) -> Result<BigRational, SolveError> {
        let column = self.exact_reply(&vec![BigUint::one(); self.classes.members.len()])?;
        let layouts = BigInt::from(self.classes.layouts.len());
        let uniform = BigRational::new(BigInt::from(column.iter().sum::<u64>()), layouts);
        self.lower = uniform.to_f64().unwrap_or(0.0);
        Ok(uniform)
    }

    /// Adds the best reply to a mix, given by the weight of each layout of a class, and returns its shots by class.
    fn exact_reply(&mut self, of_class: &[BigUint]) -> Result<Vec<u64>, SolveError> {
        let policy = self.with_progress(|replies, classes, inner| replies.exact(of_class, classes, inner))?;
        Ok(self.add(policy))
    }

    /// Looks for a best reply, and reports progress.
    fn with_progress<T>(
        &mut self,
        find: impl FnOnce(&mut Replies, &Classes, &mut dyn FnMut(Progress)) -> Result<T, SolveError>,
    ) -> Result<T, SolveError> {
        let (replies, lower, upper, on_progress) = (self.policies.len(), self.lower, self.upper, &mut self.on_progress);
        on_progress(EquilibriumProgress { replies, lower, upper, search: None });
        let mut inner = |search: Progress| on_progress(EquilibriumProgress { replies, lower, upper, search: Some(search) });
        find(&mut self.replies, &self.classes, &mut inner)
    }

    /// Adds a shooter to the table, and returns its shots by class.
    fn add(&mut self, policy: Policy) -> Vec<u64> {
        let column = self.classes.sums(|layout| policy.shots(layout).expect("a reply to a mix of all layouts") as u64);
        self.table.push(column.clone());
        self.policies.push(policy);
        column
    }

    /// Adds best replies until the bounds are as close as floating point shows, or the program is too hard for it.
    fn approach(&mut self) -> Result<(), SolveError> {
        while let Some(mix) = self.table.rough_mix() {
            self.upper = mix.value;
            if self.upper - self.lower < ROUGH {
                break;
            }
            let halfway: Vec<f64> = self.centre.iter().zip(&mix.of_class).map(|(one, other)| (one + other) / 2.0).collect();
            let cuts = self.rough_reply(&halfway, &mix)?;
            if !cuts && !self.rough_reply(&mix.of_class, &mix)? {
                break;
            }
        }
        Ok(())
    }

    /// Adds the best reply to a mix. Returns whether it is better than the whole table against the table's own best mix.
    fn rough_reply(&mut self, query: &[f64], mix: &RoughMix) -> Result<bool, SolveError> {
        let (policy, chances) = self.with_progress(|replies, classes, inner| replies.rough(query, classes, inner))?;
        let column = self.add(policy);
        let value = Table::rough_shots(&chances, &column);
        if value > self.lower {
            (self.lower, self.centre) = (value, chances);
        }
        Ok(Table::rough_shots(&mix.of_class, &column) < mix.value - ROUGH)
    }

    /// Adds best replies to the exact mix until there is none that is better. Returns what the mix holds every shooter to.
    fn finish(&mut self) -> Result<(BigRational, ExactMixes), SolveError> {
        loop {
            let rough = RoughMix { value: self.upper, of_class: self.centre.clone() };
            let rough = self.table.rough_mix().unwrap_or(rough);
            let mut mixes = self.table.exact_mixes(&rough);
            let (weights, exact) = self.scaled(&mixes.of_class);
            let column = self.exact_reply(&weights)?;
            if !exact {
                mixes.of_class = fractions(&weights, &self.classes.sizes());
            }
            let lower = Table::shots(&mixes.of_class, &column);
            // A mix that had to be rounded is done when the bounds are as close as the rounding allows.
            let is_known = || self.table.columns().iter().filter(|&other| *other == column).count() > 1;
            if lower >= mixes.value || (!exact && is_known()) {
                return Ok((lower, mixes));
            }
        }
    }

    /// The mix in integers, and whether it is exact but for the order of layouts that are not used. Those weigh so little that
    /// they only decide between replies that are equally good.
    fn scaled(&self, of_class: &[BigRational]) -> (Vec<BigUint>, bool) {
        let common = of_class.iter().fold(BigInt::one(), |common, chance| common.lcm(chance.denom()));
        let cells = BigInt::from(self.rules.grid().len() + 1);
        let step: BigInt = BigInt::from(self.classes.layouts.len()) * &cells + BigInt::one();
        let most: BigInt = ((BigInt::one() << self.replies.most_bits()) - 1) / (cells * BigInt::from(2));
        let exact = &common * &step <= most;
        let scale: BigInt = if exact { common * step } else { most };
        let weight = |chance: &BigRational| {
            let scaled: BigInt = chance.numer() * &scale / chance.denom();
            scaled.to_biguint().unwrap_or_default() + BigUint::one()
        };
        (of_class.iter().map(weight).collect(), exact)
    }

    fn into_equilibrium(self, uniform: BigRational, lower: BigRational, mixes: ExactMixes) -> Equilibrium {
        let members = self.classes.members.iter().zip(mixes.of_class).filter(|(_, chance)| !chance.is_zero());
        let layouts = |class: &[usize]| class.iter().map(|&member| self.classes.layouts[member].clone()).collect();
        let hider = members.map(|(class, chance)| LayoutClass { layouts: layouts(class), chance }).collect();
        let rounds = self.policies.len();
        let shooter = mixes.of_shooter.into_iter().zip(self.policies).filter(|(chance, _)| !chance.is_zero()).collect();
        let (rules, layouts) = (self.rules, self.classes.layouts.len());
        Equilibrium { rules, layouts, lower, upper: mixes.value, uniform, hider, shooter, rounds }
    }
}

/// The probability of each layout of a class, from its weight.
fn fractions(weights: &[BigUint], sizes: &[u64]) -> Vec<BigRational> {
    let total: BigInt = weights.iter().zip(sizes).map(|(weight, &size)| BigInt::from(weight * size)).sum();
    weights.iter().map(|weight| BigRational::new(weight.clone().into(), total.clone())).collect()
}
