//! How far habits are believed, chosen by what they predict.
//!
//! Factors that were learned from layouts without a habit are noise, and noise costs shots: captains fire in an order that fits
//! uniform layouts well, and any factor upsets it. So habits are believed only as far as the rest of the layouts predicts each
//! part of them: priors of several strengths are tried, first with one factor for cells that symmetries of the board exchange,
//! then with one for each cell, and what doesn't predict clearly better than the simpler model is not believed.

use broadside_rules::Rules;

use crate::{CellModel, CellUses, Learner, OutOfReach, WorkLimits};

/// The strengths that are tried, the strongest first.
const PRIORS: [f64; 4] = [640.0, 160.0, 40.0, 10.0];

/// A model is believed if it predicts better than the simpler one by so many standard errors.
///
/// With 1.5 for both kinds, layouts without a habit were taken for one by cells in 8 of 60 cases, and in none for a symmetric one: twenty each
/// of 1,000, 100 and 10 uniform classic layouts (the example `recovery` of `broadside-lab`).
const CLEARLY: f64 = 1.5;
const CLEARLY_BY_CELLS: f64 = 2.5;

/// Habits that were learned from layouts in parts.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenHabits {
    /// The habits, learned from all parts.
    pub model: CellModel,
    /// Which kind of model it is.
    pub kind: HabitKind,
    /// The strength of the prior; infinite if there is no habit.
    pub prior: f64,
    /// For each part, how many bits better the rest predicts it than "all layouts are equally likely" does, for each layout. Empty if
    /// there is only one part.
    pub bits: Vec<f64>,
}

/// Which cells have a factor of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HabitKind {
    /// None: nothing predicts clearly better than that all layouts are equally likely.
    None,
    /// Cells that symmetries of the board take to each other share one.
    Symmetric,
    /// Each cell.
    EachCell,
}

impl HabitKind {
    /// What can be learned, the simpler kind first.
    pub const LEARNED: [Self; 2] = [Self::Symmetric, Self::EachCell];

    /// Learns habits of this kind, with the default prior.
    pub fn learner(self, rules: &Rules, limits: impl Into<WorkLimits>) -> Learner {
        let learner = Learner::new(rules, limits);
        if self == Self::EachCell { learner } else { learner.with_symmetries() }
    }
}

/// What a model predicts of parts that it was not learned from.
struct Predicted {
    kind: HabitKind,
    prior: f64,
    bits: Vec<f64>,
}

impl Predicted {
    fn mean(&self, parts: &[CellUses]) -> f64 {
        mean_and_error(&self.bits, parts).0
    }

    fn is_clearly_better(&self, than: &Self, parts: &[CellUses]) -> bool {
        let gains: Vec<f64> = self.bits.iter().zip(&than.bits).map(|(one, other)| one - other).collect();
        let (mean, std_err) = mean_and_error(&gains, parts);
        mean > std_err * if self.kind == HabitKind::EachCell { CLEARLY_BY_CELLS } else { CLEARLY }
    }
}

/// The habits behind layouts in at least two parts, which are better of the same size. Of the `kinds` the simpler should come first:
/// [`HabitKind::LEARNED`], unless only one is wanted.
///
/// ```
/// use broadside_odds::{Budget, CellUses, HabitKind, choose_habits};
/// use broadside_rules::{Draft, Rules};
///
/// let rules: Rules = "4x4 3 allowed ship".parse()?;
/// let layout = |text: &str| text.parse::<Draft>().unwrap().check(&rules).into_layout().expect("a legal layout");
/// // Always along the edge.
/// let seen = ["A1-A3", "A4-C4", "D2-D4", "B1-D1", "A2-A4", "D1-D3"].map(layout);
/// let parts: Vec<CellUses> = seen.chunks(2).map(|part| CellUses::of_layouts(&rules, part)).collect();
/// let habits = choose_habits(&rules, Budget::default(), &parts, &HabitKind::LEARNED)?;
/// assert_eq!(habits.kind, HabitKind::Symmetric);
/// assert!(habits.model.factor("A2".parse()?) > habits.model.factor("B2".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the exact weights pass the budget.
pub fn choose_habits(
    rules: &Rules,
    limits: impl Into<WorkLimits>,
    parts: &[CellUses],
    kinds: &[HabitKind],
) -> Result<ChosenHabits, OutOfReach> {
    let limits = limits.into();
    let mut chosen = Predicted { kind: HabitKind::None, prior: f64::INFINITY, bits: vec![0.0; parts.len()] };
    for &kind in kinds {
        let best = best_prior(kind, &mut kind.learner(rules, limits.clone()), parts)?;
        if best.is_clearly_better(&chosen, parts) {
            chosen = best;
        }
    }
    let Predicted { kind, prior, bits } = chosen;
    let model = kind.learner(rules, limits).with_prior(prior).learn(&CellUses::sum(rules, parts))?;
    Ok(ChosenHabits { model, kind, prior, bits })
}

/// The habits behind layouts in parts, of this kind and with this prior, whatever they predict.
///
/// # Errors
/// When the exact weights pass the budget.
pub fn learn_habits(
    rules: &Rules,
    limits: impl Into<WorkLimits>,
    parts: &[CellUses],
    kind: HabitKind,
    prior: f64,
) -> Result<ChosenHabits, OutOfReach> {
    let mut learner = kind.learner(rules, limits).with_prior(prior);
    let model = learner.learn(&CellUses::sum(rules, parts))?;
    let bits = if parts.len() < 2 { Vec::new() } else { learner.cross_validate(parts)? };
    Ok(ChosenHabits { model, kind, prior, bits })
}

/// The strength that predicts best.
fn best_prior(kind: HabitKind, learner: &mut Learner, parts: &[CellUses]) -> Result<Predicted, OutOfReach> {
    let mut best: Option<Predicted> = None;
    for prior in PRIORS {
        learner.set_prior(prior);
        let next = Predicted { kind, prior, bits: learner.cross_validate(parts)? };
        if best.as_ref().is_none_or(|best| next.mean(parts) > best.mean(parts)) {
            best = Some(next);
        }
    }
    Ok(best.expect("some strengths are tried"))
}

/// Whether bits that were gained on each part are more than chance.
pub fn is_clear(gains: &[f64], parts: &[CellUses]) -> bool {
    let (mean, std_err) = mean_and_error(gains, parts);
    mean > CLEARLY * std_err
}

/// The mean of some bits a layout over all layouts, and its standard error from the differences between the parts, of which there
/// are at least two.
pub fn mean_and_error(bits: &[f64], parts: &[CellUses]) -> (f64, f64) {
    let total: f64 = parts.iter().map(|part| part.layouts).sum();
    let mean = bits.iter().zip(parts).map(|(bits, part)| bits * part.layouts).sum::<f64>() / total;
    let squares: f64 = bits.iter().zip(parts).map(|(bits, part)| (part.layouts / total * (bits - mean)).powi(2)).sum();
    let count = parts.len() as f64;
    (mean, (squares * count / (count - 1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use broadside_rules::Layout;
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;
    use crate::{Budget, Dealer, PlacementWeights};

    fn chosen(rules: &Rules, weights: &PlacementWeights, seed: u64, count: usize) -> ChosenHabits {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut dealer = Dealer::new(rules).with_weights(weights);
        let layouts: Vec<Layout> = (0..count).map(|_| dealer.weighted(&mut rng).unwrap()).collect();
        choose_habits(rules, Budget::default(), &CellUses::parts(rules, &layouts, 5), &HabitKind::LEARNED).unwrap()
    }

    #[test]
    fn where_there_is_no_habit_mostly_none_is_believed() {
        let rules: Rules = "5x5 3,2 allowed ship".parse().unwrap();
        let believed = (0..20).filter(|&seed| chosen(&rules, &PlacementWeights::uniform(), seed, 60).kind != HabitKind::None);
        // By chance one in ten or so: more than seven of twenty happen less often than once in a thousand times.
        assert!(believed.count() <= 7);
        let none = (0..20).map(|seed| chosen(&rules, &PlacementWeights::uniform(), seed, 60));
        for habits in none.filter(|habits| habits.kind == HabitKind::None) {
            assert!(rules.grid().cells().all(|cell| habits.model.factor(cell).to_bits() == 1.0_f64.to_bits()));
        }
    }

    #[test]
    fn a_habit_of_the_edges_is_shared_by_all_sides_and_one_of_a_row_is_not() {
        let rules: Rules = "5x5 3,2 allowed ship".parse().unwrap();
        assert_eq!(chosen(&rules, &PlacementWeights::edges(&rules), 1, 300).kind, HabitKind::Symmetric);
        let first_row = PlacementWeights::from_cells(&rules, |cell| if cell.row() == 0 { 4.0 } else { 1.0 });
        let habits = chosen(&rules, &first_row, 1, 300);
        assert_eq!(habits.kind, HabitKind::EachCell);
        assert!(habits.model.factor("A3".parse().unwrap()) > 2.0 * habits.model.factor("E3".parse().unwrap()));
    }
}
