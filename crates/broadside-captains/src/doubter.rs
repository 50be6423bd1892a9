//! `doubter`, `doubter-plain`, and `exact` in games with false answers: captains that weigh each answer by the chance that it is false.
//!
//! A ship cell has to be fired at once, whatever is called then. So firing at a cell again sinks nothing and only tells something. A shot is
//! worth the chance that it meets a ship cell that was not fired at before, and for each bit that its answer tells some more: the answer
//! depends on the ships through its cell alone, so with chance `q` of a ship there and noise `p` it tells
//! `H(q (1 - p) + (1 - q) p) - H(p)` bits, where `H` is the entropy of an event of that chance.
//!
//! `doubter-plain` fires at the likeliest cell not fired at, as `exact` does; `doubter` at the cell that is worth most, which may be one that was
//! fired at. Both take their chances from [`Beliefs`]; `exact` weighs all layouts.
//!
//! Where every answer is true, the doubters play as `density` does.

use broadside_odds::{Budget, PlacementWeights, Transfer};
use broadside_rules::{Cell, Rules, ShotLog, Stop};

use crate::beliefs::Beliefs;
use crate::bits::Bits;
use crate::density::Density;
use crate::{Captain, GameRng, Mode, Reason};

/// What the exact odds may take.
const BUDGET: Budget = Budget { bytes: 256 << 20, steps: 0 };

/// Ship cells that a bit is worth.
const BIT: f64 = 0.5;

/// A captain that doubts.
pub(crate) struct Doubter<B> {
    name: &'static str,
    rules: Rules,
    /// What a bit is worth; 0 for one that never fires at a cell again.
    bit: f64,
    /// Weighs all layouts, if it does.
    transfer: Option<Transfer>,
    stop: Stop,
    budget: Budget,
    /// Who aims where every answer is true.
    density: Density<B>,
    is_out_of_reach: bool,
}

impl<B: Bits> Doubter<B> {
    /// A captain that fires again at cells where that is worth most.
    pub(crate) fn new(rules: &Rules) -> Self {
        Self {
            name: "doubter",
            rules: rules.clone(),
            bit: BIT,
            transfer: None,
            stop: Stop::never(),
            budget: BUDGET,
            density: Density::new(rules),
            is_out_of_reach: false,
        }
    }

    /// A captain that fires at the likeliest cell not fired at.
    pub(crate) fn plain(rules: &Rules) -> Self {
        Self { name: "doubter-plain", bit: 0.0, ..Self::new(rules) }
    }

    /// The same by exact odds.
    pub(crate) fn exact(rules: &Rules) -> Self {
        Self { name: "exact", transfer: Some(Transfer::new(BUDGET)), ..Self::plain(rules) }
    }

    /// What a shot at each cell is worth; nothing for cells that it doesn't consider.
    fn worths(&mut self, log: &ShotLog) -> Vec<Option<f64>> {
        assert_eq!(log.rules(), &self.rules, "the log of a game by other rules");
        let chances = self.chances(log);
        let untold: Vec<Cell> = log.untold().collect();
        let worth = |(cell, chance): (Cell, f64)| {
            let is_new = !log.fired().contains(cell);
            let is_open = is_new || (self.bit > 0.0 && log.can_fire_at(cell) && !untold.contains(&cell));
            let hit = if is_new { chance } else { 0.0 };
            let bits = if self.bit > 0.0 { told(chance, self.rules.noise().chance()) } else { 0.0 };
            is_open.then_some(hit + self.bit * bits)
        };
        self.rules.grid().cells().zip(chances).map(worth).collect()
    }

    /// The chance of a ship on each cell.
    fn chances(&mut self, log: &ShotLog) -> Vec<f64> {
        let grid = self.rules.grid();
        if let Some(transfer) = &mut self.transfer {
            let weighed = transfer.weigh(log, &PlacementWeights::uniform());
            self.is_out_of_reach = weighed.is_err();
            if let Some(counts) = weighed.ok().filter(|counts| counts.layouts() > 0.0) {
                return grid.cells().map(|cell| counts.chance(cell)).collect();
            }
        }
        let Beliefs { mut chances, all_fired } = Beliefs::new(log);
        if !self.rules.call().tells_sinking() {
            // The game goes on, so some ship has a cell that was not fired at.
            let goes_on = (1.0 - all_fired).max(1e-9);
            let new = grid.cells().zip(&mut chances).filter(|(cell, _)| !log.fired().contains(*cell));
            new.for_each(|(_, chance)| *chance = (*chance / goes_on).min(1.0));
        }
        chances
    }
}

/// The cell that is worth most, the first of equals.
fn best(rules: &Rules, worths: &[Option<f64>]) -> Cell {
    let open = rules.grid().cells().zip(worths).filter_map(|(cell, worth)| Some((cell, (*worth)?)));
    let best = open.fold(None, |best: Option<(Cell, f64)>, next| best.filter(|best| best.1 >= next.1).or(Some(next)));
    best.expect("a cell to fire at").0
}

/// The bits that an answer tells which is false with chance `wrong`, at a cell with this chance of a ship.
fn told(chance: f64, wrong: f64) -> f64 {
    let entropy = |p: f64| [p, 1.0 - p].into_iter().filter(|&p| p > 0.0).map(|p| -p * p.log2()).sum::<f64>();
    entropy(chance * (1.0 - wrong) + (1.0 - chance) * wrong) - entropy(wrong)
}

impl<B: Bits> Captain for Doubter<B> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell {
        if self.rules.noise().is_none() {
            return self.density.aim(log, rng);
        }
        let worths = self.worths(log);
        best(&self.rules, &worths)
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        if self.rules.noise().is_none() {
            return self.density.explain(log, rng);
        }
        let scores = self.worths(log);
        let cell = best(&self.rules, &scores);
        let chance = self.chances(log)[self.rules.grid().index(cell)] * 100.0;
        let words = if log.fired().contains(cell) {
            format!("a ship lies there with {chance:.1} %, and to know it is worth more than to fire elsewhere")
        } else if self.bit > 0.0 {
            format!("a ship lies there with {chance:.1} %, and with what the answer tells that is worth most")
        } else {
            format!("a ship lies there with {chance:.1} %, which is most of the cells not fired at")
        };
        Reason { cell, mode: if log.hits().is_empty() { Mode::Hunt } else { Mode::Target }, scores, words }
    }

    fn set_stop(&mut self, stop: &Stop) {
        self.stop = stop.clone();
        self.transfer = self.transfer.take().map(|_| Transfer::new(self.budget.until(stop)));
    }

    fn set_budget(&mut self, budget: Budget) -> bool {
        self.budget = budget;
        self.transfer = self.transfer.take().map(|_| Transfer::new(budget.until(&self.stop)));
        self.transfer.is_some()
    }

    fn was_out_of_reach(&self) -> bool {
        self.is_out_of_reach
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_tells_a_bit_where_it_is_true_and_nothing_is_known_and_less_elsewhere() {
        assert!((told(0.5, 0.0) - 1.0).abs() < 1e-12);
        assert!((told(0.5, 0.11) - 0.5).abs() < 1e-3, "the capacity of the channel");
        assert!(told(0.0, 0.1).abs() < 1e-12 && told(1.0, 0.1).abs() < 1e-12);
        assert!(told(0.5, 0.49) < 1e-3);
    }
}
