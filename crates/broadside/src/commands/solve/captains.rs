//! The expected shots of the captains, beside best play.

use std::collections::BTreeMap;
use std::io::{self, Write};

use broadside_captains::ROSTER;
use broadside_lab::{AllLayouts, ExpectedShots, ExpectedShotsError};
use broadside_odds::Budget;
use broadside_rules::Rules;
use serde::Serialize;

use super::decimal;
use crate::exit::Failure;

/// The expected shots of the captains: exact, or an estimate for those that make random choices.
#[derive(Serialize)]
pub(super) struct CaptainTable {
    #[serde(rename = "captains", serialize_with = "as_fractions")]
    exact: BTreeMap<&'static str, num_rational::Ratio<u64>>,
    estimates: BTreeMap<&'static str, Estimate>,
}

#[derive(Serialize)]
struct Estimate {
    mean: f64,
    std_err: f64,
}

fn as_fractions<S: serde::Serializer>(
    exact: &BTreeMap<&'static str, num_rational::Ratio<u64>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(exact.iter().map(|(name, shots)| (name, shots.to_string())))
}

impl CaptainTable {
    /// The expected shots of the whole roster.
    pub(super) fn new(rules: &Rules, budget: Budget) -> Result<Self, Failure> {
        let no_answer = |error: ExpectedShotsError| Failure::no_answer(error);
        let layouts = AllLayouts::list(rules, budget).map_err(no_answer)?;
        let mut table = Self { exact: BTreeMap::new(), estimates: BTreeMap::new() };
        for entry in ROSTER {
            match layouts.expected_shots(entry.name).map_err(no_answer)? {
                ExpectedShots::Exact(shots) => _ = table.exact.insert(entry.name, shots),
                ExpectedShots::Estimate { mean, std_err, .. } => {
                    _ = table.estimates.insert(entry.name, Estimate { mean, std_err });
                }
            }
        }
        Ok(table)
    }

    /// The exact ones, the best first, then the estimates.
    pub(super) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut exact: Vec<_> = self.exact.iter().collect();
        exact.sort_by_key(|(_, shots)| **shots);
        for (name, &shots) in exact {
            writeln!(out, "  {name:<18}  {}", decimal(shots))?;
        }
        for (name, Estimate { mean, std_err }) in &self.estimates {
            writeln!(out, "  {name:<18}  {mean:.2} ± {std_err:.2} (random choices: an estimate)")?;
        }
        Ok(())
    }
}
