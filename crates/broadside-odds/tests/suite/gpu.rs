//! The engine on a GPU, by the software adapter that every machine can have: Mesa's llvmpipe, package `mesa-vulkan-drivers`.
//! Without one these tests fail; they never pass unseen.

use std::sync::OnceLock;

use broadside_odds::gpu::{AdapterChoice, AdapterKind, Gpu, GpuError, Integers, Progress, adapters};
use broadside_odds::{Budget, Counts, Engine, OutOfReach, Transfer};
use broadside_rules::{Preset, Rules, ShotLog};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::common::{played_log, small_rules};

/// The two ways to keep counts, each with a device of its own.
fn both() -> &'static [Gpu; 2] {
    static BOTH: OnceLock<[Gpu; 2]> = OnceLock::new();
    BOTH.get_or_init(|| {
        [Integers::Native, Integers::Pairs].map(|integers| {
            let gpu =
                Gpu::open(&AdapterChoice::Software, Some(integers)).expect("a software adapter: install mesa-vulkan-drivers");
            assert_eq!((gpu.integers(), gpu.adapter().kind), (integers, AdapterKind::Software));
            gpu
        })
    })
}

/// What the engine gives, after both ways have given the same.
pub(crate) fn count(log: &ShotLog, budget: Budget) -> Result<Counts, OutOfReach> {
    let [native, pairs] = both().each_ref().map(|gpu| gpu.count(log, budget));
    assert_eq!(native, pairs, "{} {log}", log.rules());
    native
}

/// The groups of the committed positions of games, as text of one log a line.
fn midgame(heading: &str) -> Vec<ShotLog> {
    let rules = Preset::Classic.rules();
    let text = include_str!("../../../broadside/src/commands/bench/midgame.txt");
    let lines = text.lines().skip_while(|line| *line != heading).skip(1).take_while(|line| !line.starts_with('#'));
    lines.map(|line| ShotLog::parse(&rules, line).expect("a log")).collect()
}

fn agree_in_a_batch(logs: &[ShotLog]) {
    let mut transfer = Transfer::new(Budget::default());
    for gpu in both() {
        let counts = gpu.count_many(logs, Budget::default()).expect("the device works");
        assert_eq!(counts.len(), logs.len());
        for (log, counts) in logs.iter().zip(counts) {
            assert_eq!(counts, transfer.count(log), "{} {log}", log.rules());
        }
    }
}

#[test]
fn thousands_of_random_logs_in_one_batch_agree_with_the_transfer_engine() {
    let mut runner = TestRunner::deterministic();
    let cases = (small_rules(), any::<u64>());
    let log = |_| {
        let (rules, seed) = cases.new_tree(&mut runner).expect("rules").current();
        played_log(&rules, seed)
    };
    agree_in_a_batch(&(0..3000).map(log).collect::<Vec<_>>());
}

#[test]
fn late_classic_games_in_one_batch_agree_with_the_transfer_engine() {
    agree_in_a_batch(&midgame("# after 30 shots"));
}

#[test]
fn a_log_too_open_for_its_budget_is_an_error_of_its_own() {
    let rules = Preset::Classic.rules();
    let logs = [vec![ShotLog::new(&rules)], midgame("# after 30 shots")].concat();
    let counts = both()[0].count_many(&logs, Budget { steps: 1 << 24, ..Budget::default() }).unwrap();
    assert_eq!(counts[0], Err(OutOfReach::Steps));
    assert!(counts[1..].iter().all(Result::is_ok));
}

#[test]
fn many_small_rounds_give_what_one_gives() {
    let log = ShotLog::new(&Preset::Sploosh.rules());
    let small = Budget { bytes: 1000, ..Budget::default() };
    let mut seen = Vec::new();
    let counts = both()[1].count_with_progress(&log, small, &mut |progress| seen.push(progress));
    assert_eq!(counts, Engine::Transfer.count(&log, Budget::default()));
    // Two and a half hundred rows of cells don't fit into a thousand bytes.
    let Some(&Progress { done, total }) = seen.last() else { panic!("no progress") };
    assert!(done == total && seen.is_sorted_by_key(|progress| progress.done), "{seen:?}");
}

#[test]
fn a_board_past_128_cells_is_refused() {
    let log = ShotLog::new(&"12x11 3,2 allowed ship".parse::<Rules>().unwrap());
    assert_eq!(both()[0].count(&log, Budget::default()), Err(GpuError::TooLarge.into()));
    let log = ShotLog::new(&"2x64 3,2 allowed ship".parse::<Rules>().unwrap());
    assert_eq!(count(&log, Budget::default()), Engine::Transfer.count(&log, Budget::default()));
}

#[test]
fn an_adapter_that_is_not_there_is_an_error() {
    let missing = Gpu::open(&AdapterChoice::Named("no such adapter".to_owned()), None).map(|_| ());
    assert_eq!(missing, Err(GpuError::NoSuchAdapter));
    assert!(adapters().iter().any(|adapter| adapter.kind == AdapterKind::Software), "install mesa-vulkan-drivers");
}
