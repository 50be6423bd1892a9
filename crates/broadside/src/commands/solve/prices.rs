//! The captains beside best play.

use std::collections::BTreeMap;
use std::io::{self, Write};

use broadside_captains::ROSTER;
use broadside_lab::{AllLayouts, ExpectedShots, ExpectedShotsError};
use broadside_odds::Budget;
use broadside_rules::Rules;
use serde::Serialize;

use super::decimal;
use crate::exit::Failure;

/// What the captains' play costs: exactly, or by estimate for those that draw lots.
#[derive(Serialize)]
pub(super) struct PriceList {
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

impl PriceList {
    /// The prices of the whole roster.
    pub(super) fn of(rules: &Rules, budget: Budget) -> Result<Self, Failure> {
        let unanswerable = |error: ExpectedShotsError| Failure::unanswerable(error);
        let prices = AllLayouts::list(rules, budget).map_err(unanswerable)?;
        let mut list = Self { exact: BTreeMap::new(), estimates: BTreeMap::new() };
        for entry in ROSTER {
            match prices.expected_shots(entry.name).map_err(unanswerable)? {
                ExpectedShots::Exact(shots) => _ = list.exact.insert(entry.name, shots),
                ExpectedShots::Estimate { mean, std_err, .. } => {
                    _ = list.estimates.insert(entry.name, Estimate { mean, std_err })
                }
            }
        }
        Ok(list)
    }

    /// The exact ones, the best first, then the estimates.
    pub(super) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut exact: Vec<_> = self.exact.iter().collect();
        exact.sort_by_key(|(_, shots)| **shots);
        for (name, &shots) in exact {
            writeln!(out, "  {name:<18}  {}", decimal(shots))?;
        }
        for (name, Estimate { mean, std_err }) in &self.estimates {
            writeln!(out, "  {name:<18}  {mean:.2} ± {std_err:.2} (draws lots: an estimate)")?;
        }
        Ok(())
    }
}
