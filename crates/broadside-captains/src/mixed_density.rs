//! `density@uniform+people`: density that finds out which of several models its opponent hides by.
//!
//! Before the first game all models are equally likely. By Bayes' rule a model becomes more likely by the probability that it gave to
//! what was seen: the layouts at the end of earlier games ([`Captain::remember`]), and the log of this one. The probability of a log is
//! the weight of the layouts that fit it, over the weight of all: both are exact, by the weighted sweep. A placement then
//! counts by its share of the weight of its length in each model, times the probability of that model.

use std::sync::Arc;

use broadside_odds::{Budget, PlacementWeights, Transfer};
use broadside_rules::{Cell, Layout, Placement, Rules, ShotLog, Stop};

use crate::bits::Bits;
use crate::weighted_density::WeightedDensity;
use crate::{Captain, GameRng, Reason};

/// Density by a mix of models.
pub(crate) struct MixedDensity<B> {
    rules: Rules,
    density: WeightedDensity<B>,
    models: Vec<Model>,
    budget: Budget,
    stop: Stop,
}

struct Model {
    weights: Arc<PlacementWeights>,
    /// The logarithm of the probability of all layouts seen so far.
    seen: f64,
    /// The logarithm of the weight of all layouts, once it is known.
    log_total: Option<f64>,
}

impl<B: Bits> MixedDensity<B> {
    /// By a mix of these models, whose names are joined by `+` in `name`.
    pub(crate) fn new(rules: &Rules, name: &str, models: Vec<Arc<PlacementWeights>>) -> Self {
        let model = |weights| Model { weights, seen: 0.0, log_total: None };
        let models: Vec<Model> = models.into_iter().map(model).collect();
        let density = WeightedDensity::new(rules, name, &PlacementWeights::uniform());
        Self { rules: rules.clone(), density, models, budget: Budget::default(), stop: Stop::never() }
    }

    /// The probability of each model, given the layouts seen and this log.
    fn chances(&mut self, log: &ShotLog) -> Vec<f64> {
        let mut engine = Transfer::new(self.budget.until(&self.stop));
        let empty = ShotLog::new(&self.rules);
        let mut logs: Vec<f64> = self.models.iter().map(|model| model.seen).collect();
        for (chance, model) in logs.iter_mut().zip(&mut self.models) {
            let mut weight = |log: &ShotLog| engine.weigh(log, &model.weights).ok().map(|counts| counts.layouts().ln());
            model.log_total = model.log_total.or_else(|| weight(&empty));
            // Where it can't be weighed, the log tells nothing.
            if let (Some(total), Some(left)) = (model.log_total, weight(log)) {
                *chance += left - total;
            }
        }
        normalised(&logs)
    }

    /// Plays by the mix of the models, each as likely as it is now.
    fn weigh_models(&mut self, log: &ShotLog) {
        let chances = self.chances(log);
        let mut mix = PlacementWeights::uniform();
        for (length, _) in self.rules.fleet().classes() {
            let places: Vec<Placement> = self.rules.placements(length).collect();
            let total = |model: &Model| places.iter().map(|&ship| model.weights.get(ship)).sum::<f64>();
            let factors: Vec<f64> =
                self.models.iter().zip(&chances).map(|(model, chance)| chance * places.len() as f64 / total(model)).collect();
            for &ship in &places {
                mix.set(ship, self.models.iter().zip(&factors).map(|(model, factor)| factor * model.weights.get(ship)).sum());
            }
        }
        self.density.set_weights(&self.rules, &mix);
    }
}

/// Probabilities from their logarithms, which may lack a common factor. All alike if none is above 0.
fn normalised(logs: &[f64]) -> Vec<f64> {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !most.is_finite() {
        return vec![1.0 / logs.len() as f64; logs.len()];
    }
    let parts: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
    let sum: f64 = parts.iter().sum();
    parts.iter().map(|part| part / sum).collect()
}

impl<B: Bits> Captain for MixedDensity<B> {
    fn name(&self) -> &str {
        self.density.name()
    }

    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell {
        self.weigh_models(log);
        self.density.aim(log, rng)
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        self.weigh_models(log);
        self.density.explain(log, rng)
    }

    fn remember(&mut self, layout: &Layout) {
        let log = ShotLog::new(&self.rules);
        let mut engine = Transfer::new(self.budget);
        for model in &mut self.models {
            let total = model.log_total.or_else(|| engine.weigh(&log, &model.weights).ok().map(|counts| counts.layouts().ln()));
            let weight = model.weights.of_ships(layout.ships()).ln();
            model.log_total = total;
            model.seen += total.map_or(0.0, |total| weight - total);
        }
    }

    fn set_stop(&mut self, stop: &Stop) {
        self.stop = stop.clone();
    }

    fn set_budget(&mut self, budget: Budget) -> bool {
        self.budget = budget;
        true
    }
}

#[cfg(test)]
mod tests {
    use broadside_odds::Dealer;
    use broadside_odds::oracle::{each_layout, fits};
    use broadside_rules::Referee;
    use rand::SeedableRng;

    use super::*;
    use crate::Registry;

    fn habit(rules: &Rules) -> Arc<PlacementWeights> {
        Arc::new(PlacementWeights::from_cells(rules, |cell| if cell.row() == 0 { 4.0 } else { 1.0 }))
    }

    fn mixed(rules: &Rules) -> MixedDensity<u128> {
        MixedDensity::new(rules, "uniform+habit", vec![Arc::new(PlacementWeights::uniform()), habit(rules)])
    }

    #[test]
    fn within_a_game_models_are_as_likely_as_bayes_rule_says() {
        let rules: Rules = "5x5 3,2 allowed ship".parse().unwrap();
        for shots in ["", "A1-", "A3+ C2-", "E5- D4-"] {
            let log = ShotLog::parse(&rules, shots).unwrap();
            let mut captain = mixed(&rules);
            // By listing: the share of the weight of each model that fits the log.
            let mut likely = vec![];
            for model in &captain.models {
                let (mut left, mut total) = (0.0, 0.0);
                each_layout(&rules, Budget::default(), &mut |layout| {
                    let weight: f64 = layout.ships().iter().map(|&ship| model.weights.get(ship)).product();
                    total += weight;
                    left += if fits(&log, layout) { weight } else { 0.0 };
                })
                .unwrap();
                likely.push(left / total);
            }
            let expected = likely[1] / (likely[0] + likely[1]);
            assert!((captain.chances(&log)[1] - expected).abs() < 1e-12, "{shots}");
        }
    }

    /// The shots of a captain in a match against somebody with these habits, who shows the layout after each game.
    fn match_shots(captain: &mut dyn Captain, rules: &Rules, weights: &PlacementWeights, games: u64) -> f64 {
        let mut dealer = Dealer::new(rules).with_weights(weights);
        let mut shots = 0;
        for game in 0..games {
            let mut rng = GameRng::seed_from_u64(game);
            let layout = dealer.weighted(&mut rng).unwrap();
            let mut referee = Referee::new(rules, layout.clone());
            while !referee.is_over() {
                let cell = captain.aim(referee.log(), &mut rng);
                referee.fire(cell).unwrap();
            }
            shots += referee.log().len();
            captain.remember(&layout);
        }
        shots as f64 / games as f64
    }

    #[test]
    fn over_a_match_it_finds_out_and_is_never_far_worse_than_the_better_model() {
        let rules: Rules = "6x6 3,2,2 allowed ship".parse().unwrap();
        let registry = Registry::new().with_model("habit", PlacementWeights::clone(&habit(&rules)));
        for (weights, truth) in [(PlacementWeights::uniform(), 0), (PlacementWeights::clone(&habit(&rules)), 1)] {
            let mut captain = mixed(&rules);
            let found = match_shots(&mut captain, &rules, &weights, 300);
            assert!(captain.chances(&ShotLog::new(&rules))[truth] > 0.99);
            let names = ["density@uniform", "density@habit"];
            let alone = names.map(|name| match_shots(registry.captain(name, &rules).unwrap().as_mut(), &rules, &weights, 300));
            let better = alone[0].min(alone[1]);
            assert!(found < better + 0.3, "{found} beside {alone:?}");
        }
    }

    #[test]
    fn it_is_found_by_its_name() {
        let rules: Rules = "classic".parse().unwrap();
        let name = |name: &str| Registry::new().captain(name, &rules).map(|captain| captain.name().to_owned());
        assert_eq!(name("density@uniform+people").unwrap(), "density@uniform+people");
        assert_eq!(name("density@uniform+people~").unwrap(), "density@uniform+people~");
        assert!(name("density@uniform+nobody").is_err());
        assert!(name("density@").is_err());
    }
}
