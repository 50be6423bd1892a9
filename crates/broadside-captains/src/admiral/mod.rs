//! `admiral`: hunts and sinks with the rest of the game in mind.
//!
//! Like `density` it counts the placements through each cell, but what it makes of them is tuned for the fewest shots in
//! the whole game, which is not the same as the likeliest hit now. While it hunts, a placement weighs by its length and by how many others
//! of that length there are; what lies around a cell counts; and the hunt keeps to one diagonal in as many as the
//! shortest ship left is long. With a ship hit, cells of nearly equal chance differ by what a miss there would tell the
//! hunt. All this depends on how many ships are left: there are [`StageParameters`] for each number of them.
//!
//! `docs/admiral.md` says how the numbers were found, what each idea is worth and what failed.

mod aligned;
mod fleet;
mod hunt;
mod known_lines;
mod line_counter;
mod line_ships;
mod lines;
mod padding;
mod parameters;
mod pattern;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod same_shots;
mod shots_around;
mod target;
mod tuned;
mod vectors;

use broadside_rules::{Cell, Rules, ShotLog};
use pulp::{Arch, Simd, WithSimd};

use crate::bits::{Bits, for_width};
use crate::cell_counts::CellCounts;
use crate::density::{Density, beside_a_hit, fallback_shot};
use crate::placements::{HitSorter, PlacementGroup};
use crate::position::Position;
use crate::{Captain, GameRng, Mode, Reason};

use hunt::Hunt;
use known_lines::KnownLines;
use lines::LineCounts;
use padding::Padding;
pub use parameters::{BadChange, LENGTHS, LONGEST, Parameters, STAGES, StageParameters};
use target::{Candidate, Outcome, Target};
use vectors::Vectors;

/// The captain, with its parameters.
struct Admiral<B> {
    name: String,
    parameters: Parameters,
    position: Position<B>,
    padding: Padding,
    lines: LineCounts<B>,
    hunt: Hunt<B>,
    target: Target,
    known: KnownLines,
    /// The vectors of this processor.
    arch: Arch,
}

/// The admiral with other parameters than its own, to try them.
///
/// ```
/// use broadside_captains::admiral::{Parameters, with_parameters};
/// use broadside_captains::{GameRng, captain};
/// use broadside_rules::{Preset, ShotLog};
/// use rand::SeedableRng;
///
/// let rules = Preset::Classic.rules();
/// let (log, mut rng) = (ShotLog::new(&rules), GameRng::seed_from_u64(1));
/// let tuned = captain("admiral", &rules)?.explain(&log, &mut rng);
/// let plain = with_parameters(&rules, Parameters::PLAIN).explain(&log, &mut rng);
/// assert_ne!(tuned.scores, plain.scores);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn with_parameters(rules: &Rules, parameters: Parameters) -> Box<dyn Captain> {
    for_width!(rules.grid(), B => Box::new(Admiral::<B>::new(rules, parameters)))
}

/// The admiral with its own parameters.
pub(crate) fn tuned<B: Bits>(rules: &Rules) -> Box<dyn Captain> {
    named::<B>("admiral", rules, Parameters::default())
}

/// The fleet admiral: the admiral with other parameters, where these suit the rules.
pub(crate) fn fleet<B: Bits>(rules: &Rules) -> Box<dyn Captain> {
    let parameters = if Parameters::fleet_suits(rules) { Parameters::fleet() } else { Parameters::default() };
    named::<B>("fleet-admiral", rules, parameters)
}

/// An admiral with this name and these parameters; `density` under that name where no tuned parameters suit the rules.
fn named<B: Bits>(name: &'static str, rules: &Rules, parameters: Parameters) -> Box<dyn Captain> {
    if Parameters::suit(rules) {
        Box::new(Admiral::<B> { name: name.to_owned(), ..Admiral::new(rules, parameters) })
    } else {
        Box::new(Density::<B>::new(rules).named(name))
    }
}

/// What a name has between the admiral and its changes.
const MARK: &str = "admiral?";

/// The changes to the admiral's parameters that a name has after the question mark: `admiral?pattern=0.5`.
pub(crate) fn changes(name: &str) -> Option<&str> {
    name.strip_prefix(MARK)
}

/// The admiral with changes to its parameters, which are part of its name.
pub(crate) fn changed<B: Bits>(rules: &Rules, changes: &str) -> Result<Box<dyn Captain>, BadChange> {
    let mut parameters = Parameters::default();
    parameters.change(changes)?;
    Ok(Box::new(Admiral::<B> { name: format!("{MARK}{changes}"), ..Admiral::new(rules, parameters) }))
}

/// A choice of the best cell, compiled for every width of vectors.
struct BestCell<'a, B> {
    admiral: &'a mut Admiral<B>,
    /// Whether all scores are wanted, or the best cell alone.
    all: bool,
}

impl<B: Bits> WithSimd for BestCell<'_, B> {
    type Output = Option<usize>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Option<usize> {
        let padding = self.admiral.padding;
        // No other board is played on as often. The words of wide boards never hold it.
        if size_of::<B>() == size_of::<u128>() && padding == Padding::TEN_BY_TEN {
            self.admiral.compute(Vectors(simd), Padding::TEN_BY_TEN, self.all)
        } else {
            self.admiral.compute(Vectors(simd), padding, self.all)
        }
    }
}

impl<B: Bits> Admiral<B> {
    fn new(rules: &Rules, parameters: Parameters) -> Self {
        let position = Position::new(rules);
        Self {
            name: "admiral".to_owned(),
            padding: Padding::new(rules.grid()),
            lines: LineCounts::new(rules),
            hunt: Hunt::new(rules, position.board(), &parameters),
            parameters,
            target: Target::new(rules),
            known: KnownLines::new(rules),
            arch: Arch::new(),
            position,
        }
    }

    /// The best cell of the position; `all` to have the scores of all cells.
    fn best(&mut self, all: bool) -> usize {
        let best = self.arch.dispatch(BestCell { admiral: self, all });
        best.unwrap_or_else(|| fallback_shot(&self.position))
    }

    fn hunts(&self) -> bool {
        self.position.live_count() == 0
    }

    /// Scores the cells, and returns the first of those with the highest score, if that is above zero.
    #[inline(always)]
    fn compute<S: Simd>(&mut self, v: Vectors<S>, padding: Padding, all: bool) -> Option<usize> {
        let number = Parameters::stage_number(self.position.left());
        let stage = self.parameters.stage(number);
        self.lines.update(padding, &self.position);
        let (hunts, mut highest) = (self.hunts(), 0.0);
        if !hunts {
            match self.target.compute(v, &self.position, &self.lines, stage, all) {
                Outcome::Decided(cell) => return Some(cell),
                Outcome::Open(added) => highest = added,
            }
        }
        let best = self.hunt.compute(v, padding, &self.position, &self.lines, (number, stage));
        if hunts {
            return best.map(|best| best.cell);
        }
        if let Some(best) = &best {
            let (board, hunt) = (self.position.board(), &self.hunt);
            self.target.add_hunt_share(highest / best.score, |cell| hunt.score(board.cell(cell).row(), board.cell(cell).col()));
        }
        // Sunk ships may have been laid wrong, so that no ship left fits to a hit. Then another hit may be afloat, and where nothing is
        // left beside any, the hunt goes on.
        let target = best_candidate(self.target.candidates()).or_else(|| beside_a_hit(&self.position));
        target.or_else(|| best.map(|best| best.cell))
    }

    /// The score of a cell not fired at, once all are computed.
    fn score(&self, cell: Cell) -> f32 {
        if self.hunts() {
            return self.hunt.score(cell.row(), cell.col());
        }
        let index = self.position.board().index(cell);
        self.target.candidates().iter().find(|candidate| candidate.cell == index).map_or(0.0, |candidate| candidate.score)
    }

    /// Why this cell, once all are scored.
    fn words(&self, cell: usize) -> String {
        let through = |chosen: &dyn Fn(&PlacementGroup<B>) -> bool| placements_through(&self.position, cell, chosen);
        let all = through(&|_| true);
        if all == 0 {
            return "no placement fits; the first cell by a hit".to_owned();
        }
        if !self.hunts() {
            let aimed = through(&|group| group.hits > 0);
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

/// How many of the chosen placements go through a cell.
fn placements_through<B: Bits>(position: &Position<B>, cell: usize, chosen: &dyn Fn(&PlacementGroup<B>) -> bool) -> usize {
    let mut counts = CellCounts::new();
    let cols = position.board().grid().cols();
    HitSorter::new().each(position, |group| {
        if chosen(&group) {
            group.add_to_counts(&mut counts, cols);
        }
    });
    counts.at(cell)
}

/// The first of the candidates with the highest score, if that is above zero.
#[inline(always)]
fn best_candidate(candidates: &[Candidate]) -> Option<usize> {
    let mut best = 0;
    for candidate in candidates {
        best = best.max(candidate.key());
    }
    let best = Candidate::of_key(best);
    (best.score > 0.0).then_some(best.cell)
}

impl<B: Bits> Captain for Admiral<B> {
    fn name(&self) -> &str {
        &self.name
    }

    fn aim(&mut self, log: &ShotLog, _rng: &mut GameRng) -> Cell {
        if let Some(cell) = self.known.get(log) {
            return cell;
        }
        self.position.read(log);
        let best = self.best(false);
        let cell = self.position.board().cell(best);
        self.known.insert(cell);
        cell
    }

    fn explain(&mut self, log: &ShotLog, _rng: &mut GameRng) -> Reason {
        self.position.read(log);
        let best = self.best(true);
        let (board, mode) = (self.position.board(), if self.hunts() { Mode::Hunt } else { Mode::Target });
        let scores = self.position.scores(self.position.unfired(), |index| f64::from(self.score(board.cell(index))));
        Reason { cell: board.cell(best), mode, scores, words: self.words(best) }
    }
}

#[cfg(test)]
mod tests {
    use broadside_odds::{Budget, Engine};
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
    fn it_hunts_where_no_ship_left_fits_to_a_hit() {
        // The ship of two is E6-F6. By the answers up to its sinking it may as well be D6-E6, and then nothing fits to the hit at F6.
        let shots = "E5- F6+ F7- G6- D6+ E6#2 F4- C6- D5+ D3+ D4#3 C3- C4- C5- D2- D7+ C7- D9+ D8#4 E9- B9- C8- C9- D10- E3- E4- E7- E8- F5-";
        let log = ShotLog::parse(&"classic".parse().unwrap(), shots).unwrap();
        let counts = Engine::Transfer.count(&log, Budget::default()).unwrap();
        let best = counts.best(log.fired())[0];
        let cell = reason(shots).cell;
        assert!(2 * counts.at(cell) >= counts.at(best), "{cell}: {} of the {} of {best}", counts.at(cell), counts.at(best));
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
