//! `admiral`: hunts and sinks with the rest of the game in mind.
//!
//! Like `density` it counts the placements through each cell, but what it makes of them is tuned for the fewest shots in
//! the whole game, which is not the same as the likeliest hit now. While it hunts, a placement weighs by its length and by how many others
//! of that length there are; what lies around a cell counts; and the hunt keeps to one diagonal in as many as the
//! shortest ship left is long. With a ship hit, cells of nearly equal chance differ by what a miss there would tell the
//! hunt. All this depends on how many ships are left: there are [`StageParameters`] for each number of them.
//!
//! `docs/admiral.md` says how the numbers were found, what each idea is worth and what failed.

mod cell_scores;
mod hunt;
mod parameters;
mod pattern;
mod target;
mod tuned;

use broadside_rules::{Cell, Rules, ShotLog};

use crate::bits::{Bits, for_width};
use crate::cell_counts::CellCounts;
use crate::density::{Density, fallback_shot};
use crate::opening::Opening;
use crate::placements::{HitSorter, PlacementGroup};
use crate::position::Position;
use crate::{Captain, GameRng, Mode, Reason};

use hunt::Hunt;
pub use parameters::{LENGTHS, Parameters, STAGES, StageParameters};
use target::Target;

/// The captain, with its parameters.
struct Admiral<B> {
    parameters: Parameters,
    position: Position<B>,
    sorter: HitSorter<B>,
    groups: Vec<PlacementGroup<B>>,
    counts: CellCounts<B>,
    hunt: Hunt<B>,
    target: Target,
    opening: Opening<B>,
}

/// The admiral with other parameters than its own, to try them.
pub fn with_parameters(rules: &Rules, parameters: Parameters) -> Box<dyn Captain> {
    for_width!(rules.grid(), B => Box::new(Admiral::<B>::new(rules, parameters)))
}

/// The admiral with its own parameters; `density` under the name of `admiral` where they don't suit the rules.
pub(crate) fn tuned<B: Bits>(rules: &Rules) -> Box<dyn Captain> {
    if Parameters::suit(rules) {
        Box::new(Admiral::<B>::new(rules, Parameters::default()))
    } else {
        Box::new(Density::<B>::new(rules).named("admiral"))
    }
}

impl<B: Bits> Admiral<B> {
    fn new(rules: &Rules, parameters: Parameters) -> Self {
        let position = Position::new(rules);
        Self {
            parameters,
            sorter: HitSorter::new(),
            groups: Vec::new(),
            counts: CellCounts::new(),
            hunt: Hunt::new(rules, position.board()),
            target: Target::new(rules.grid()),
            opening: Opening::default(),
            position,
        }
    }

    /// The best cell when this many shots all missed.
    fn opening_shot(&mut self, shots: usize) -> usize {
        let fired = self.position.fired();
        self.opening.get(shots, fired).unwrap_or_else(|| {
            let best = self.best();
            self.opening.insert(shots, fired, best);
            best
        })
    }

    fn best(&mut self) -> usize {
        self.compute();
        let scores = if self.hunts() { self.hunt.scores() } else { self.target.scores() };
        scores.best(self.position.unfired()).unwrap_or_else(|| fallback_shot(&self.position))
    }

    fn hunts(&self) -> bool {
        self.position.live_count() == 0
    }

    /// Scores all cells.
    fn compute(&mut self) {
        let groups = &mut self.groups;
        groups.clear();
        self.sorter.each(&self.position, |group| groups.extend((!group.bows.is_empty()).then_some(group)));
        let ships = self.position.left().classes().map(|(_, ships)| ships).sum();
        let stage = self.parameters.for_stage(ships, self.position.left().shortest());
        self.hunt.compute(&self.position, &self.groups, stage, &mut self.counts);
        if !self.hunts() {
            self.target.compute(&self.position, &self.groups, stage, self.hunt.scores(), &mut self.counts);
        }
    }

    /// How many placements of some of the groups go through the cell.
    fn through(&mut self, cell: usize, listed: impl Fn(&PlacementGroup<B>) -> bool) -> usize {
        let cols = self.position.board().grid().cols();
        self.counts.clear();
        self.groups.iter().filter(|&group| listed(group)).for_each(|group| group.add_to_counts(&mut self.counts, cols));
        self.counts.at(cell)
    }

    /// Why this cell, once all are scored.
    fn words(&mut self, cell: usize) -> String {
        let all = self.through(cell, |_| true);
        if all == 0 {
            return "no placement fits; the first cell by a hit".to_owned();
        }
        if !self.hunts() {
            let aimed = self.through(cell, |group| group.hits > 0);
            return format!("{aimed} placements through live hits go through it, {} others do", all - aimed);
        }
        let shortest = self.position.left().shortest();
        let pattern = if self.hunt.pattern().has(cell) && shortest > 1 {
            format!("on the pattern that no ship of length {shortest} escapes")
        } else {
            "off the pattern, but worth more than any cell on it".to_owned()
        };
        format!("{all} placements go through it; {pattern}")
    }
}

impl<B: Bits> Captain for Admiral<B> {
    fn name(&self) -> &'static str {
        "admiral"
    }

    fn aim(&mut self, log: &ShotLog, _rng: &mut GameRng) -> Cell {
        self.position.read(log);
        let best = if log.hit_count() == 0 { self.opening_shot(log.len()) } else { self.best() };
        self.position.board().cell(best)
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let cell = self.aim(log, rng);
        self.compute();
        let words = self.words(self.position.board().index(cell));
        let (mode, scores) = if self.hunts() { (Mode::Hunt, self.hunt.scores()) } else { (Mode::Target, self.target.scores()) };
        let scores = self.position.scores(self.position.unfired(), |index| f64::from(scores.at(index)));
        Reason { cell, mode, scores, words }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::captain;

    fn reason(shots: &str) -> Reason {
        let rules: Rules = "classic".parse().unwrap();
        let log = ShotLog::parse(&rules, shots).unwrap();
        captain("admiral", &rules).unwrap().explain(&log, &mut GameRng::seed_from_u64(1))
    }

    #[test]
    fn a_hit_is_followed_up_beside_it() {
        let reason = reason("E5+");
        assert_eq!(reason.mode, Mode::Target);
        assert!(["D5", "F5", "E4", "E6"].contains(&reason.cell.to_string().as_str()), "{}", reason.cell);
    }

    #[test]
    fn a_row_of_hits_is_followed_at_its_ends() {
        let reason = reason("E5+ E6+");
        assert!(["E4", "E7"].contains(&reason.cell.to_string().as_str()), "{}", reason.cell);
    }

    #[test]
    fn the_only_place_left_is_fired_at() {
        // 1x5 with one ship of length 3: after misses at both ends it lies on the three cells between.
        let rules: Rules = "1x5 3 allowed ship".parse().unwrap();
        let log = ShotLog::parse(&rules, "A1- A5-").unwrap();
        let reason = captain("admiral", &rules).unwrap().explain(&log, &mut GameRng::seed_from_u64(1));
        assert!(["A2", "A3", "A4"].contains(&reason.cell.to_string().as_str()));
    }

    #[test]
    fn where_its_orders_do_not_suit_it_fires_like_density() {
        for rules in ["russian", "10x10 5,4,3,3,2 allowed silent"] {
            let rules: Rules = rules.parse().unwrap();
            let mut rng = GameRng::seed_from_u64(5);
            let (mut admiral, mut density) = (captain("admiral", &rules).unwrap(), captain("density", &rules).unwrap());
            assert_eq!(admiral.name(), "admiral");
            let log = ShotLog::parse(&rules, "E5+ A1-").unwrap();
            assert_eq!(admiral.aim(&log, &mut rng), density.aim(&log, &mut rng));
        }
    }
}
