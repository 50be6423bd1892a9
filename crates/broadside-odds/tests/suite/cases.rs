//! Positions with known integers, run by every engine that can reach them.
//!
//! The figures in `testdata/odds.json` come from publications and from programs that share no code with this one.

use std::collections::BTreeMap;

use broadside_odds::{Budget, Engine, OutOfReach};
use broadside_rules::{Cell, Rules, ShotLog};
use serde::Deserialize;

use crate::common;

#[derive(Deserialize)]
struct Case {
    name: String,
    rules: String,
    #[serde(default)]
    shots: String,
    layouts: String,
    #[serde(default)]
    cells: BTreeMap<String, String>,
}

fn cases() -> Vec<(Case, ShotLog)> {
    let cases: Vec<Case> = serde_json::from_str(include_str!("../../../../testdata/odds.json")).expect("readable cases");
    cases
        .into_iter()
        .map(|case| {
            let rules: Rules = case.rules.parse().expect("rules");
            let log = ShotLog::parse(&rules, &case.shots).expect("a log");
            (case, log)
        })
        .collect()
}

#[test]
fn every_engine_in_reach_gives_the_known_integers() {
    for (case, log) in cases() {
        for &engine in Engine::ALL {
            // Listing engines get some seconds in all; the transfer engine has no excuse.
            let steps = if engine == Engine::Oracle { 50_000 } else { 4_000_000 };
            let budget = Budget { steps, ..Budget::default() };
            let counts = match common::count(engine, &log, budget) {
                Err(OutOfReach::Steps) if engine != Engine::Transfer => continue,
                counts => counts.unwrap_or_else(|error| panic!("{} by {engine}: {error}", case.name)),
            };
            assert_eq!(counts.layouts().to_string(), case.layouts, "{} by {engine}", case.name);
            for (cell, known) in &case.cells {
                let at = counts.at(cell.parse::<Cell>().expect("a cell"));
                assert_eq!(&at.to_string(), known, "{cell} of {} by {engine}", case.name);
            }
            let covered: u128 = counts.cells().iter().sum();
            assert_eq!(covered, counts.layouts() * log.rules().fleet().cells() as u128, "{} by {engine}", case.name);
        }
    }
}
