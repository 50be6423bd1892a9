//! Blocks and sure hits in random games, compared with every layout and every set of cells.

use broadside_odds::{Budget, Dealer, oracle};
use broadside_rules::{Cell, CellSet, Layout, Length, Referee, Rules, ShotLog};
use broadside_solve::mask::MaskError;
use broadside_solve::mask::hitting::{Effort, Smallest};
use broadside_solve::mask::midgame::{EffortLimits, block, sure_hit};
use proptest::prelude::*;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::oracle::tiny_rules;

/// The log of a game of random shots, stopped at a random moment.
fn played_log(rules: &Rules, seed: u64) -> ShotLog {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let layout = Dealer::new(rules).uniform(&mut rng).expect("small boards can be dealt");
    let mut referee = Referee::new(rules, layout);
    let mut cells: Vec<Cell> = rules.grid().cells().collect();
    cells.shuffle(&mut rng);
    cells.truncate(rng.random_range(0..=cells.len()));
    for cell in cells {
        if !referee.is_over() {
            referee.fire(cell).expect("a new cell");
        }
    }
    referee.log().clone()
}

/// Every layout for which the referee would have given the answers of the log.
fn layouts(log: &ShotLog) -> Vec<Layout> {
    let mut found = Vec::new();
    let fits = |layout: &Layout| oracle::fits(log, layout);
    oracle::each_layout(log.rules(), Budget::default(), &mut |layout| found.extend(Some(layout.clone()).filter(fits)))
        .expect("few layouts");
    found
}

/// The unshot ship cells of every layout.
fn unshot(log: &ShotLog) -> Vec<CellSet> {
    layouts(log).iter().map(|layout| &layout.cells() - log.hits()).collect()
}

/// The cells of every ship of this length, in any layout, that has not been hit.
fn unhit(log: &ShotLog, length: Length) -> Vec<CellSet> {
    let ships = layouts(log).into_iter().flat_map(|layout| layout.ships().to_vec());
    let cells = ships.filter(|ship| ship.length() == length).map(|ship| ship.cell_set(log.rules().grid()));
    cells.filter(|cells| cells.is_disjoint(log.hits())).collect()
}

/// The size of the smallest set of cells that meets every one of the sets: every set of cells, tried.
fn fewest_by_listing(sets: &[CellSet]) -> u32 {
    let mut sets: Vec<u128> = sets.iter().filter_map(CellSet::bits).collect();
    sets.sort_unstable();
    sets.dedup();
    let meeting = (0u128..1 << 12).filter(|chosen| sets.iter().all(|set| set & chosen != 0));
    meeting.map(u128::count_ones).min().expect("no set is empty")
}

fn meets_all(sets: &[CellSet], chosen: &CellSet) -> bool {
    sets.iter().all(|set| !set.is_disjoint(chosen))
}

/// Whether the answer is sure, of the right size if it says so, and a bound from both sides if not.
fn is_right(sets: &[CellSet], answer: &Smallest<CellSet>) -> bool {
    let fewest = fewest_by_listing(sets) as usize;
    let size = answer.best().len();
    meets_all(sets, answer.best())
        && match answer {
            Smallest::Proved(_) => size == fewest,
            Smallest::Bounded { at_least, .. } => *at_least <= fewest && fewest <= size && *at_least < size,
        }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn a_block_is_the_smallest_set_that_meets_every_unhit_ship_of_every_layout(rules in tiny_rules(12), seed: u64) {
        let log = played_log(&rules, seed);
        for (length, _) in rules.fleet().classes() {
            let answer = block(&log, length.get(), &mut EffortLimits::default());
            if log.is_over() {
                prop_assert!(matches!(answer, Err(MaskError::Over | MaskError::NoneAfloat { .. })), "{log} {answer:?}");
            } else if log.lengths_left().contains(&length) {
                let answer = answer.expect("a played log has a layout");
                prop_assert!(answer.is_proved() && is_right(&unhit(&log, length), &answer), "{log} {length} {answer:?}");
            } else {
                prop_assert_eq!(answer, Err(MaskError::NoneAfloat { length: length.get() }));
            }
        }
    }

    #[test]
    fn a_sure_hit_is_the_smallest_set_that_meets_every_layout(rules in tiny_rules(12), seed: u64) {
        let log = played_log(&rules, seed);
        match sure_hit(&log, &mut EffortLimits::default()) {
            Ok(answer) => prop_assert!(answer.is_proved() && is_right(&unshot(&log), &answer), "{log} {answer:?}"),
            Err(error) => prop_assert!(log.is_over() && error == MaskError::Over, "{log} {error}"),
        }
    }

    #[test]
    fn answers_cut_short_are_sure_and_bound_the_smallest(
        rules in tiny_rules(12), seed: u64, search in 0u64..3, layout_search in 1u64..200, layouts in 0u64..6,
    ) {
        let log = played_log(&rules, seed);
        let limits = EffortLimits { hitting_effort: Effort::nodes(search), layout_effort: Effort::nodes(layout_search), layouts };
        match sure_hit(&log, &mut limits.clone()) {
            Ok(answer) => prop_assert!(is_right(&unshot(&log), &answer), "{log} {answer:?}"),
            Err(error) => prop_assert!(error == MaskError::Unknown || log.is_over(), "{log} {error}"),
        }
        for length in log.lengths_left() {
            match block(&log, length.get(), &mut limits.clone()) {
                Ok(answer) => prop_assert!(is_right(&unhit(&log, length), &answer), "{log} {length} {answer:?}"),
                Err(error) => prop_assert!(error == MaskError::Unknown || log.is_over(), "{log} {error}"),
            }
        }
    }
}
