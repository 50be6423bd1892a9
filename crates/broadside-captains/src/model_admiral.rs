//! `admiral@people`: admiral that knows how the opponent hides.
//!
//! What admiral makes of the placements through a cell was tuned for layouts that are equally likely. Here each of its scores is multiplied
//! by how much more the placements through the cell weigh in the model than their number says. So it keeps its pattern and its sense for
//! what a miss tells, and looks earlier where the opponent hides. The two sums take a loop over all placements each, so it is slower
//! than admiral itself, whose counts come from tables by line that know no weights.

use broadside_odds::PlacementWeights;
use broadside_rules::{Cell, Rules, ShotLog};

use crate::bits::Bits;
use crate::weighted_density::WeightedDensity;
use crate::{Captain, GameRng, Reason, admiral};

/// An admiral with a model of its opponent.
pub(crate) struct ModelAdmiral<B> {
    name: String,
    model: String,
    admiral: Box<dyn Captain>,
    weighted: WeightedDensity<B>,
    counted: WeightedDensity<B>,
}

impl<B: Bits> ModelAdmiral<B> {
    pub(crate) fn new(rules: &Rules, model: &str, weights: &PlacementWeights) -> Self {
        Self {
            name: format!("admiral@{model}"),
            model: model.to_owned(),
            admiral: admiral::tuned::<B>(rules),
            weighted: WeightedDensity::new(rules, model, weights),
            counted: WeightedDensity::new(rules, model, &PlacementWeights::uniform()),
        }
    }

    /// The admiral's reason, with its scores as the model has them.
    fn weigh(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let mut reason = self.admiral.explain(log, rng);
        let (weights, counts) = (self.weighted.sums(log), self.counted.sums(log));
        let mut best: Option<(usize, f64)> = None;
        for (index, score) in reason.scores.iter_mut().enumerate() {
            let Some(score) = score.as_mut() else { continue };
            if counts[index] > 0.0 {
                *score *= weights[index] / counts[index];
            }
            if best.is_none_or(|(_, most)| *score > most) {
                best = Some((index, *score));
            }
        }
        // What the model deems impossible is left to the admiral alone.
        if let Some((index, _)) = best.filter(|(_, score)| *score > 0.0) {
            reason.cell = log.rules().grid().cells().nth(index).expect("a cell of the board");
        }
        reason
    }
}

impl<B: Bits> Captain for ModelAdmiral<B> {
    fn name(&self) -> &str {
        &self.name
    }

    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell {
        self.weigh(log, rng).cell
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let reason = self.weigh(log, rng);
        let words = format!("what admiral counts, by its weight against somebody who hides as ‘{}’ says", self.model);
        Reason { words, ..reason }
    }
}

#[cfg(test)]
mod tests {
    use broadside_odds::Dealer;
    use broadside_rules::Referee;
    use proptest::prelude::*;
    use rand::SeedableRng;

    use super::*;
    use crate::{Registry, captain};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn with_equal_weights_it_fires_as_admiral_does(
            board in proptest::sample::select(vec!["classic", "russian", "sploosh", "6x6 3,2,2 allowed ship"]),
            seed: u64,
        ) {
            let rules: Rules = board.parse().unwrap();
            let mut rng = GameRng::seed_from_u64(seed);
            let mut referee = Referee::new(&rules, Dealer::new(&rules).uniform(&mut rng).unwrap());
            let (mut admiral, mut weighted) = (captain("admiral", &rules).unwrap(), captain("admiral@uniform", &rules).unwrap());
            while !referee.is_over() {
                let cell = admiral.aim(referee.log(), &mut rng);
                prop_assert_eq!(weighted.aim(referee.log(), &mut rng), cell, "{} {}", rules, referee.log());
                referee.fire(cell).unwrap();
            }
        }
    }

    #[test]
    fn it_looks_first_where_the_opponent_hides_and_says_which_model_it_plays() {
        let rules: Rules = "classic".parse().unwrap();
        let weights = PlacementWeights::from_cells(&rules, |cell| if cell.row() == 9 { 100.0 } else { 1.0 });
        let registry = Registry::new().with_model("bottom", weights);
        let mut admiral = registry.captain("admiral@bottom", &rules).unwrap();
        let reason = admiral.explain(&ShotLog::new(&rules), &mut GameRng::seed_from_u64(1));
        assert_eq!((admiral.name(), reason.cell.row()), ("admiral@bottom", 9));
        assert!(reason.words.contains("‘bottom’"), "{}", reason.words);
        assert!(registry.captain("admiral@bottom+uniform", &rules).is_err());
        assert_eq!(registry.captain("admiral@people~", &rules).unwrap().name(), "admiral@people~");
    }
}
