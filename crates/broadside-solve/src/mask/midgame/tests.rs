//! Positions that can be checked by hand or against the blocking number. Random games are in the crate's suite.

use super::super::board::meets;
use super::*;

fn log(rules: &str, shots: &str) -> ShotLog {
    ShotLog::parse(&rules.parse().unwrap(), shots).unwrap()
}

fn block_size(rules: &str, shots: &str, length: usize) -> Result<Smallest<usize>, MaskError> {
    block(&log(rules, shots), length, &mut EffortLimits::default()).map(|block| block.map(|cells| cells.len()))
}

fn sure_hit_cells(rules: &str, shots: &str) -> Result<Smallest<String>, MaskError> {
    sure_hit(&log(rules, shots), &mut EffortLimits::default()).map(|answer| answer.map(|cells| cells.to_string()))
}

#[test]
fn before_the_first_shot_a_block_is_as_small_as_the_blocking_number() {
    for (length, cells) in [(2, 50), (3, 33), (4, 24), (5, 20)] {
        assert_eq!(block_size("classic", "", length), Ok(Smallest::Proved(cells)));
    }
}

#[test]
fn a_single_miss_on_the_classic_board_never_makes_the_block_larger() {
    for (length, cells) in [(3, 33), (4, 24), (5, 20)] {
        let log = log("classic", "E5-");
        let block = block(&log, length, &mut EffortLimits::default()).unwrap();
        assert!(block.is_proved() && (cells - 1..=cells).contains(&block.best().len()), "{block:?}");
        let class = Problem::from_log(&log).classes().iter().find(|class| class.length().get() == length).unwrap().clone();
        assert!(class.placements().all(|ship| meets(block.best(), ship) > 0));
    }
}

#[test]
fn without_effort_a_large_board_is_still_blocked_nearly_as_well_as_the_bound_allows() {
    let shots: Vec<String> = (0..24).map(|row| format!("{}-", broadside_rules::Cell::new(row, row * 7 % 24).unwrap())).collect();
    let log = log("24x24 4 allowed ship", &shots.join(" "));
    let mut limits = EffortLimits { hitting_effort: Effort::nodes(0), ..EffortLimits::default() };
    let block = block(&log, 4, &mut limits).unwrap();
    assert!(Problem::from_log(&log).classes()[0].placements().all(|ship| meets(block.best(), ship) > 0));
    assert!(block.best().len() <= 24 * 24 / 4);
}

#[test]
fn placements_through_a_live_hit_need_no_further_shot() {
    let two = "1x5 2,2 allowed ship";
    assert_eq!(block_size(two, "A2+", 2), Ok(Smallest::Proved(1)), "A4 meets both A3-A4 and A4-A5");
    assert_eq!(block_size(two, "A2+ A4+", 2), Ok(Smallest::Proved(0)));
}

#[test]
fn a_placement_that_no_layout_has_need_not_be_met() {
    // The hit is the only ship of length 3, so A4-A5 is the only place of the other.
    assert_eq!(block_size("1x5 3,2 allowed ship", "A1+ A2+", 2), Ok(Smallest::Proved(1)));
    // Without touching, the ship of 3 and the two of 1 just fit a row of seven: 1.1.333, 1.333.1 or 333.1.1.
    assert_eq!(block_size("1x7 3,1,1 never ship", "A1-", 1), Err(MaskError::NoLayout));
    assert_eq!(block_size("1x7 3,1,1 never ship", "A3+", 1), Ok(Smallest::Proved(3)), "A1, A5, A7");
}

#[test]
fn where_none_is_afloat_there_is_nothing_to_block() {
    let error = block_size("classic", "C3+ C4#2", 2).unwrap_err();
    assert_eq!(error.to_string(), "no ship of length 2 is afloat: there is nothing to block");
    assert_eq!(block_size("classic", "", 6), Err(MaskError::NoneAfloat { length: 6 }));
    assert_eq!(block_size("classic", "", 11).unwrap_err(), MaskError::NoShipFits { grid: "10x10".parse().unwrap(), length: 11 });
    assert!(matches!(block_size("classic", "", 0), Err(MaskError::NoShipFits { length: 0, .. })));
}

#[test]
fn an_impossible_log_and_a_finished_game_are_told_apart() {
    assert_eq!(sure_hit_cells("2x2 2 allowed ship", "A1- B2-"), Err(MaskError::NoLayout));
    assert_eq!(block_size("2x2 2 allowed ship", "A1- B2-", 2), Err(MaskError::NoLayout));
    assert_eq!(sure_hit_cells("2x2 2 allowed ship", "A1+ A2#2"), Err(MaskError::Over));
    let none = &mut EffortLimits { layout_effort: Effort::nodes(0), ..EffortLimits::default() };
    assert_eq!(sure_hit(&log("classic", ""), none), Err(MaskError::Unknown));
}

#[test]
fn after_a_hit_the_neighbours_are_the_catch() {
    assert_eq!(sure_hit_cells("3x3 2 allowed ship", "B2+"), Ok(Smallest::Proved("A2 B1 B3 C2".to_owned())));
    assert_eq!(sure_hit_cells("3x3 2 allowed ship", "B2+ A2- B1-"), Ok(Smallest::Proved("B3 C2".to_owned())));
    let row = sure_hit(&log("1x5 3 allowed ship", ""), &mut EffortLimits::default()).unwrap();
    assert_eq!(row.map(|cells| cells.to_string()), Smallest::Proved("A3".to_owned()), "all three placements cover A3");
}
