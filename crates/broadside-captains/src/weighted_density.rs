//! `density@people`: density that knows how the opponent hides.
//!
//! Each placement counts by its weight instead of once. As for `density`, a placement through more live hits outweighs those
//! through fewer. A loop over all placements is enough: one takes a few machine words, and there are some hundreds.

use broadside_odds::{PlacementWeights, Touching};
use broadside_rules::{Cell, Placement, Rules, ShotLog, Touch};

use crate::bits::Bits;
use crate::density::fallback_shot;
use crate::position::Position;
use crate::{Captain, GameRng, Mode, Reason};

/// A captain that weighs placements.
pub(crate) struct WeightedDensity<B> {
    name: String,
    model: String,
    position: Position<B>,
    /// For each length of the fleet, where a ship of it can lie.
    places: Vec<(usize, Vec<Place<B>>)>,
    touching: Touching,
    scores: Vec<f64>,
}

struct Place<B> {
    cells: B,
    /// The cells around it on which the touch rule allows no other ship.
    around: B,
    /// The cells side by side with it, and those at its corners.
    beside: B,
    diagonal: B,
    weight: f64,
}

impl<B: Bits> Place<B> {
    /// The factor for lying beside a hit, which is of another ship.
    fn touching(&self, touching: Touching, others: B) -> f64 {
        match () {
            () if touching.is_either() => 1.0,
            () if self.beside.meets(others) => touching.side,
            () if self.diagonal.meets(others) => touching.corner,
            () => 1.0,
        }
    }
}

/// The factor for each live hit that a placement covers.
const PER_HIT: f64 = 256.0;

impl<B: Bits> WeightedDensity<B> {
    pub(crate) fn new(rules: &Rules, model: &str, weights: &PlacementWeights) -> Self {
        let mut captain = Self {
            name: format!("density@{model}"),
            model: model.to_owned(),
            position: Position::new(rules),
            places: Vec::new(),
            touching: Touching::EITHER,
            scores: vec![0.0; rules.grid().len()],
        };
        captain.set_weights(rules, weights);
        captain
    }

    /// Plays by these weights from now on.
    pub(crate) fn set_weights(&mut self, rules: &Rules, weights: &PlacementWeights) {
        let grid = rules.grid();
        let bits = |cells: &mut dyn Iterator<Item = Cell>| cells.fold(B::EMPTY, |set, cell| set | B::only(grid.index(cell)));
        let place = |ship: Placement| {
            let cells = bits(&mut ship.cells());
            let blocked = |touch| bits(&mut ship.blocked_cells(grid, touch).iter()) & !cells;
            let beside = blocked(Touch::Corners);
            Place {
                cells,
                around: blocked(rules.touch()),
                beside,
                diagonal: blocked(Touch::Never) & !beside,
                weight: weights.get(ship),
            }
        };
        let places = |length| Placement::all(grid, length).map(place).filter(|place| place.weight > 0.0).collect();
        self.touching = weights.touching();
        self.places = rules.fleet().classes().map(|(length, _)| (length.get(), places(length))).collect();
    }

    /// Adds up the weights of the placements through each cell.
    fn weigh(&mut self) {
        let (live, hits) = (self.position.live(), self.position.hits());
        let blocked = (self.position.fired() & !hits) | self.position.sunk();
        self.scores.fill(0.0);
        for (length, ships) in self.position.left().classes() {
            let places = self.places.iter().find(|places| places.0 == length).map_or(&[][..], |places| &places.1[..]);
            for place in places.iter().filter(|place| !place.cells.meets(blocked) && !place.around.meets(hits)) {
                let through = (place.cells & live).count();
                let touching = place.touching(self.touching, hits & !place.cells);
                let weight = place.weight * touching * ships as f64 * (0..through).fold(1.0, |factor, _| factor * PER_HIT);
                place.cells.iter().for_each(|cell| self.scores[cell] += weight);
            }
        }
    }

    /// The weights of the placements through each cell, added up.
    pub(crate) fn sums(&mut self, log: &ShotLog) -> &[f64] {
        self.position.read(log);
        self.weigh();
        &self.scores
    }

    /// The heaviest cell, of equals the first. If nothing fits, not even the unlikely, the cell that `density` falls back on.
    fn best(&self) -> usize {
        let heavier = |best: usize, cell: usize| if self.scores[cell] > self.scores[best] { cell } else { best };
        let best = self.position.unfired().iter().reduce(heavier).expect("a cell to fire at");
        if self.scores[best] > 0.0 { best } else { fallback_shot(&self.position) }
    }
}

impl<B: Bits> Captain for WeightedDensity<B> {
    fn name(&self) -> &str {
        &self.name
    }

    fn aim(&mut self, log: &ShotLog, _rng: &mut GameRng) -> Cell {
        self.sums(log);
        self.position.board().cell(self.best())
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let cell = self.aim(log, rng);
        let mode = if self.position.live().is_empty() { Mode::Hunt } else { Mode::Target };
        let scores = self.position.scores(self.position.unfired(), |index| self.scores[index]);
        let words = format!("the placements through it weigh most, against somebody who hides as ‘{}’ says", self.model);
        Reason { cell, mode, scores, words }
    }
}

#[cfg(test)]
mod tests {
    use broadside_odds::{Dealer, PlacementWeights};
    use broadside_rules::{Preset, Referee};
    use proptest::prelude::*;
    use rand::SeedableRng;

    use super::*;
    use crate::bits::for_width;
    use crate::{Registry, captain};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn with_equal_weights_it_fires_as_density_does(
            board in proptest::sample::select(vec!["classic", "russian", "sploosh", "13x12 4,3,2 corners silent", "6x6 3,2,2 allowed every"]),
            seed: u64,
        ) {
            let rules: Rules = board.parse().unwrap();
            let mut rng = GameRng::seed_from_u64(seed);
            let mut referee = Referee::new(&rules, Dealer::new(&rules).uniform(&mut rng).unwrap());
            let mut density = captain("density", &rules).unwrap();
            let mut weighted: Box<dyn Captain> =
                for_width!(rules.grid(), B => Box::new(WeightedDensity::<B>::new(&rules, "none", &PlacementWeights::uniform())));
            while !referee.is_over() {
                let cell = density.aim(referee.log(), &mut rng);
                prop_assert_eq!(weighted.aim(referee.log(), &mut rng), cell, "{} {}", rules, referee.log());
                prop_assert_eq!(weighted.explain(referee.log(), &mut rng).cell, cell);
                referee.fire(cell).unwrap();
            }
        }
    }

    #[test]
    fn it_looks_first_where_the_opponent_hides() {
        let rules = Preset::Classic.rules();
        let weights = PlacementWeights::from_cells(&rules, |cell| if cell.row() == 9 { 100.0 } else { 1.0 });
        let registry = Registry::new().with_model("bottom", weights);
        let mut rng = GameRng::seed_from_u64(1);
        let cell = registry.captain("density@bottom", &rules).unwrap().aim(&ShotLog::new(&rules), &mut rng);
        assert_eq!(cell.row(), 9);
        assert!(registry.captain("density@top", &rules).is_err());
        assert!(registry.captain("random@bottom", &rules).is_err());
        assert_eq!(registry.captain("density@people~", &rules).unwrap().name(), "density@people~");
        // Turned or not, it looks where they hide: nothing that takes the lowest row elsewhere is allowed.
        for seed in 0..20 {
            let mut rng = GameRng::seed_from_u64(seed);
            assert_eq!(registry.captain("density@bottom~", &rules).unwrap().aim(&ShotLog::new(&rules), &mut rng).row(), 9);
        }
    }
}
