//! `exact`: fire at the cell that most likely holds a ship.
//!
//! “Computing the Probability of Striking a Battleship” (Jack Spalding-Jamieson, University of Waterloo) counts, for
//! every cell, in how many of the layouts that fit the log a ship lies there. This captain
//! takes the cell with the highest count, the first in reading order if several tie. The counts are exact integers, so
//! ties are real ones. Where answers come after the turn, its shots are the likeliest cells by the odds at its beginning.
//!
//! Where a count takes more memory than [`BUDGET`], it fires as `density` does. An estimate from random samples would
//! be nearer to the odds, but the choice would depend on the samples.
//!
//! On the russian board, where the first counts are slow, its openings are a table ([`crate::exact_openings`]).

use broadside_odds::{Budget, Counts, OutOfReach, Transfer};
use broadside_rules::{Cell, Rules, ShotLog, Stop};

use crate::bits::Bits;
use crate::choice::{Choice, Remembered, first_open};
use crate::density::Density;
use crate::exact_openings::Openings;
use crate::{Captain, GameRng, Reason};

/// What a count may take: the empty russian board takes 104 MB, the empty classic board 7.
const BUDGET: Budget = Budget { bytes: 256 << 20, steps: 0 };

/// Choices after up to so many shots are remembered: counts are slowest at the beginning. On the classic board those after 20 shots
/// take a twentieth of the first.
const OPENING: usize = 20;

/// So many choices at most: some megabytes.
const OPENINGS: usize = 1 << 15;

/// A captain that fires by exact odds.
pub(crate) struct Exact<B> {
    rules: Rules,
    budget: Budget,
    transfer: Transfer,
    stop: Stop,
    /// Who aims where the odds are out of reach.
    density: Density<B>,
    openings: Remembered,
    /// Openings counted beforehand, where there are some for the rules.
    known: Option<&'static Openings>,
    /// The counts by which the last shots were chosen, where answers come after the turn.
    turn: Option<(Choice, Counts)>,
    /// Whether the last count needed more memory than the budget.
    is_out_of_reach: bool,
}

impl<B: Bits> Exact<B> {
    pub(crate) fn new(rules: &Rules) -> Self {
        Self::with_budget(rules, BUDGET)
    }

    fn with_budget(rules: &Rules, budget: Budget) -> Self {
        Self {
            rules: rules.clone(),
            budget,
            transfer: Transfer::new(budget),
            stop: Stop::never(),
            density: Density::new(rules),
            openings: Remembered::new(OPENING, OPENINGS),
            known: Openings::of(rules),
            turn: None,
            is_out_of_reach: false,
        }
    }

    /// The exact counts; `None` when they are out of reach or no layout fits.
    fn count(&mut self, log: &ShotLog) -> Option<Counts> {
        assert_eq!(log.rules(), &self.rules, "the log of a game by other rules");
        let turn = self.rules.salvo().withholds().then(|| Choice::next(log));
        if let Some((_, counts)) = self.turn.as_ref().filter(|(choice, _)| Some(choice) == turn.as_ref()) {
            return Some(counts.clone());
        }
        let counts = self.transfer.count(log);
        self.is_out_of_reach = counts == Err(OutOfReach::Memory);
        let counts = counts.ok().filter(|counts| counts.layouts() > 0);
        self.turn = turn.zip(counts.clone());
        counts
    }

    /// The next shot by exact odds; `None` when they are out of reach or no layout fits.
    fn next(&mut self, log: &ShotLog) -> Option<Cell> {
        let choice = Choice::next(log);
        if let Some(cells) = self.openings.get(&choice) {
            return first_open(cells, log);
        }
        let counts = self.count(log)?;
        let cells = choice.likeliest(log, |cell| counts.at(cell));
        let cell = first_open(&cells, log);
        self.openings.insert(choice, cells);
        cell
    }
}

impl<B: Bits> Captain for Exact<B> {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell {
        self.is_out_of_reach = false;
        assert_eq!(log.rules(), &self.rules, "the log of a game by other rules");
        if let Some(cell) = self.known.and_then(|known| known.best(log.shots())) {
            return cell;
        }
        self.next(log).unwrap_or_else(|| self.density.aim(log, rng))
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let density = self.density.explain(log, rng);
        let Some(counts) = self.count(log) else {
            return Reason { words: format!("no exact odds within reach, so by density: {}", density.words), ..density };
        };
        let cell = counts.best(log.fired())[0];
        let chance = |cell| (!log.fired().contains(cell)).then(|| counts.chance(cell));
        let (with, all) = (counts.at(cell), counts.layouts());
        Reason {
            cell,
            mode: density.mode,
            scores: self.rules.grid().cells().map(chance).collect(),
            words: format!("a ship lies there in {with} of {all} layouts that fit, as often as anywhere"),
        }
    }

    fn set_stop(&mut self, stop: &Stop) {
        self.transfer = Transfer::new(self.budget.until(stop));
        self.stop = stop.clone();
    }

    fn set_budget(&mut self, budget: Budget) -> bool {
        self.budget = budget;
        self.transfer = Transfer::new(budget.until(&self.stop));
        // What was out of reach may be within it now.
        self.openings.clear();
        true
    }

    fn was_out_of_reach(&self) -> bool {
        self.is_out_of_reach
    }
}

#[cfg(test)]
mod tests {
    use broadside_odds::Dealer;
    use broadside_odds::oracle::{self, each_layout};
    use broadside_rules::{Layout, Referee};
    use proptest::prelude::*;
    use rand::SeedableRng;

    use super::*;
    use crate::bits::Wide;
    use crate::testing::rules_and_seed;

    fn play(captain: &mut dyn Captain, rules: &Rules, layout: &Layout) -> ShotLog {
        let (mut referee, mut rng) = (Referee::new(rules, layout.clone()), GameRng::seed_from_u64(1));
        while !referee.is_over() {
            let cell = captain.aim(referee.log(), &mut rng);
            referee.fire(cell).unwrap();
        }
        referee.log().clone()
    }

    #[test]
    fn greedy_play_on_4x4_takes_2352_shots_over_all_264_layouts() {
        let rules: Rules = "4x4 3,2 allowed ship".parse().unwrap();
        let mut exact = Exact::<u128>::new(&rules);
        let (mut layouts, mut shots) = (0, 0);
        let all = each_layout(&rules, Budget::default(), &mut |layout| {
            layouts += 1;
            shots += play(&mut exact, &rules, layout).len();
        });
        assert_eq!((all, layouts, shots), (Ok(()), 264, 2352));
    }

    #[test]
    fn on_the_empty_classic_board_it_fires_at_the_first_of_the_four_likeliest_cells() {
        let rules: Rules = "classic".parse().unwrap();
        let reason = Exact::<u128>::new(&rules).explain(&ShotLog::new(&rules), &mut GameRng::seed_from_u64(1));
        assert_eq!(reason.cell.to_string(), "E5");
        let expected: f64 = reason.scores.iter().flatten().sum();
        assert!((expected - 17.0).abs() < 1e-9, "the chances add up to the 17 cells of the fleet, not {expected}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn every_shot_is_the_first_of_the_likeliest_by_definition(seed: u64) {
            let rules: Rules = "4x5 3,2,2 corners ship".parse().unwrap();
            let layout = Dealer::new(&rules).uniform(&mut GameRng::seed_from_u64(seed)).unwrap();
            let game = play(&mut Exact::<u128>::new(&rules), &rules, &layout);
            let mut log = ShotLog::new(&rules);
            for &shot in game.shots() {
                let counts = oracle::count(&log, Budget::default()).unwrap();
                prop_assert_eq!(counts.best(log.fired())[0], shot.cell);
                log.push(shot).unwrap();
            }
        }

        #[test]
        fn where_the_odds_are_out_of_reach_it_fires_as_density((rules, seed) in rules_and_seed()) {
            let budget = Budget { bytes: 0, steps: 0 };
            let mut rng = GameRng::seed_from_u64(seed);
            let layout = Dealer::new(&rules).uniform(&mut rng).unwrap();
            let game = play(&mut Exact::<Wide<32>>::with_budget(&rules, budget), &rules, &layout);
            let (mut density, mut log) = (Density::<Wide<32>>::new(&rules), ShotLog::new(&rules));
            for &shot in game.shots() {
                if Transfer::new(budget).count(&log).is_err() {
                    prop_assert_eq!(density.aim(&log, &mut rng), shot.cell, "after {}", log);
                }
                log.push(shot).unwrap();
            }
        }
    }

    #[test]
    fn a_stopped_shot_is_legal_and_is_not_remembered() {
        let rules: Rules = "10x10 4,3,3,2,2,2,1,1,1 never ship".parse().unwrap();
        let (log, mut rng) = (ShotLog::new(&rules), GameRng::seed_from_u64(1));
        let (mut exact, stop) = (Exact::<u128>::new(&rules), Stop::new());
        exact.set_stop(&stop);
        stop.stop();
        assert_eq!(exact.aim(&log, &mut rng), Density::<u128>::new(&rules).aim(&log, &mut rng));
        assert!(exact.openings.is_empty());
    }

    #[test]
    fn the_classic_board_is_out_of_reach_of_no_memory() {
        let rules: Rules = "classic".parse().unwrap();
        assert!(Exact::<u128>::with_budget(&rules, Budget { bytes: 0, steps: 0 }).count(&ShotLog::new(&rules)).is_none());
    }
}
