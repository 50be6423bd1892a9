//! Work ends soon after it is asked to stop, and gives the same answer when it isn't.

use std::thread;
use std::time::Duration;

use broadside_odds::{
    Budget, DealError, Dealer, Engine, OddsError, OutOfReach, WorkLimits, estimate, estimate_until, explain, odds,
    odds_from_counts, oracle,
};
use broadside_rules::{Rules, ShotLog, Stop, Stopped};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

fn rng() -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(1)
}

fn log(rules: &str) -> ShotLog {
    ShotLog::new(&rules.parse().unwrap())
}

/// Does work that takes hours unless it is stopped, and stops it from another thread.
fn stopped<T>(work: impl FnOnce(&Stop) -> T) -> T {
    let stop = Stop::new();
    let asker = thread::spawn({
        let stop = stop.clone();
        move || {
            thread::sleep(Duration::from_millis(50));
            stop.stop();
        }
    });
    let result = work(&stop);
    asker.join().unwrap();
    result
}

fn limits(stop: &Stop) -> WorkLimits {
    Budget { steps: u64::MAX, ..Budget::default() }.until(stop)
}

#[test]
fn the_engines_that_list_end_when_they_are_stopped() {
    for engine in [Engine::Clique, Engine::CliqueParallel, Engine::Oracle] {
        let counts = stopped(|stop| engine.count(&log("russian"), limits(stop)));
        assert_eq!(counts, Err(OutOfReach::Stopped), "{engine}");
    }
    let listed = stopped(|stop| oracle::each_layout(&"russian".parse().unwrap(), limits(stop), &mut |_| ()));
    assert_eq!(listed, Err(OutOfReach::Stopped));
}

#[test]
fn the_sweeps_end_when_they_are_stopped() {
    let huge = Budget { bytes: 1 << 40, ..Budget::default() };
    // The general sweep, and the profile sweep under both rules of distance.
    let boards = ["14x14 5,5,4,4,3,3,2,2 allowed ship", "14x14 5,4,3,3,2 never ship", "14x14 5,4,3,3,2 corners ship"];
    for rules in boards {
        let counts = stopped(|stop| Engine::Transfer.count(&log(rules), huge.until(stop)));
        assert_eq!(counts, Err(OutOfReach::Stopped), "{rules}");
    }
}

#[test]
fn every_engine_refuses_work_that_is_stopped_already() {
    let stop = Stop::new();
    stop.stop();
    let log = log("classic");
    for &engine in Engine::ALL {
        assert_eq!(engine.count(&log, limits(&stop)), Err(OutOfReach::Stopped), "{engine}");
    }
    assert_eq!(explain(&log, limits(&stop)), Err(OutOfReach::Stopped));
    assert_eq!(odds(&log, Engine::Transfer, limits(&stop), 10, &mut rng()), Err(OddsError::Stopped(Stopped)));
}

#[test]
fn an_estimate_ends_when_it_is_stopped() {
    let estimated = stopped(|stop| estimate_until(&log("classic"), u64::MAX, &mut rng(), stop));
    assert_eq!(estimated, Err(Stopped));
    // So do odds that fall back to an estimate.
    let found = stopped(|stop| odds_from_counts(&log("classic"), Err(OutOfReach::Memory), limits(stop), u64::MAX, &mut rng()));
    assert_eq!(found, Err(OddsError::Stopped(Stopped)));
}

#[test]
fn dealing_ends_when_it_is_stopped() {
    // No layout is found by any number of attempts that can be waited for, and the tables are too large.
    let rules: Rules = "20x20 5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5 never ship".parse().unwrap();
    let dealt = stopped(|stop| Dealer::new(&rules).until(stop).uniform(&mut rng()));
    assert_eq!(dealt, Err(DealError::Stopped(Stopped)));
}

#[test]
fn what_is_not_stopped_gives_the_same_answer() {
    let (stop, log) = (Stop::new(), log("6x6 3,2,2 never ship"));
    for engine in [Engine::Transfer, Engine::Clique, Engine::CliqueParallel, Engine::Oracle] {
        assert_eq!(engine.count(&log, limits(&stop)), engine.count(&log, Budget::default()), "{engine}");
    }
    assert_eq!(estimate_until(&log, 100, &mut rng(), &stop), Ok(estimate(&log, 100, &mut rng())));
    let deal = |dealer: Dealer| dealer.clone().uniform(&mut rng());
    assert_eq!(deal(Dealer::new(log.rules()).until(&stop)), deal(Dealer::new(log.rules())));
}
