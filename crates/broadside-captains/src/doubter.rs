//! `doubter`, and `exact` in games with false answers: captains that weigh each answer by the chance that it is false.
//!
//! Both fire at the likeliest cell not fired at. `exact` weighs all layouts; `doubter` takes its chances from [`Beliefs`], for boards on which exact odds
//! are slow. Where they are out of reach `exact` does the same.
//!
//! Neither fires at a cell again, which sinks nothing and only tells something. A shot's answer depends on the ships through its cell alone, so with chance `q` of a ship
//! there it tells `H(q (1 - p) + (1 - q) p) - H(p)` bits, where `H` is the entropy of an event of that chance and `p` the noise: most at one half. Among
//! cells below that, the likeliest is the one that tells most, and a weight for bits only adds shots at cells fired at before. Every
//! weight that was tried took more shots (`docs/variants.md`).
//!
//! Where every answer is true, `doubter` plays as `density` does.

use broadside_odds::{Budget, PlacementWeights, Transfer};
use broadside_rules::{Cell, Rules, ShotLog, Stop};

use crate::beliefs::Beliefs;
use crate::bits::Bits;
use crate::density::Density;
use crate::{Captain, GameRng, Mode, Reason};

/// What the exact odds may take.
const BUDGET: Budget = Budget { bytes: 256 << 20, steps: 0 };

/// A captain that doubts.
pub(crate) struct Doubter<B> {
    name: &'static str,
    rules: Rules,
    /// Weighs all layouts, if it does.
    transfer: Option<Transfer>,
    stop: Stop,
    budget: Budget,
    /// Who aims where every answer is true.
    density: Density<B>,
    is_out_of_reach: bool,
}

impl<B: Bits> Doubter<B> {
    /// A captain that fires by quick beliefs.
    pub(crate) fn new(rules: &Rules) -> Self {
        Self {
            name: "doubter",
            rules: rules.clone(),
            transfer: None,
            stop: Stop::never(),
            budget: BUDGET,
            density: Density::new(rules),
            is_out_of_reach: false,
        }
    }

    /// The same by exact odds.
    pub(crate) fn exact(rules: &Rules) -> Self {
        Self { name: "exact", transfer: Some(Transfer::new(BUDGET)), ..Self::new(rules) }
    }

    /// The chance of a ship on each cell not fired at; nothing for the others.
    fn scores(&mut self, log: &ShotLog) -> Vec<Option<f64>> {
        assert_eq!(log.rules(), &self.rules, "the log of a game by other rules");
        let chances = self.chances(log);
        self.rules.grid().cells().zip(chances).map(|(cell, chance)| (!log.fired().contains(cell)).then_some(chance)).collect()
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

/// The likeliest cell, the first of equals.
fn best(rules: &Rules, scores: &[Option<f64>]) -> Cell {
    let open = rules.grid().cells().zip(scores).filter_map(|(cell, score)| Some((cell, (*score)?)));
    let best = open.fold(None, |best: Option<(Cell, f64)>, next| best.filter(|best| best.1 >= next.1).or(Some(next)));
    best.expect("a cell to fire at").0
}

impl<B: Bits> Captain for Doubter<B> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell {
        if self.rules.noise().is_none() {
            return self.density.aim(log, rng);
        }
        let scores = self.scores(log);
        best(&self.rules, &scores)
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        if self.rules.noise().is_none() {
            return self.density.explain(log, rng);
        }
        let scores = self.scores(log);
        let cell = best(&self.rules, &scores);
        let chance = scores[self.rules.grid().index(cell)].unwrap_or(0.0) * 100.0;
        let words = format!("a ship lies there with {chance:.1} %, which is most of the cells not fired at");
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
