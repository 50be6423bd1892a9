//! Claims about texts, shared by the property tests and the fuzz targets: reading them never fails badly, and the fast
//! engine equals the slow one on whatever position they describe.

use broadside_odds::{Budget, Engine, OutOfReach, PlacementWeights, explain, oracle};
use broadside_rules::{Rules, ShotLog};

/// Boards that the oracle lists in moments.
const STEPS: u64 = 20_000;

/// `RULES | SHOTS`: the transfer engine gives what the definition gives, and explains just the impossible logs.
pub(crate) fn odds_agree(text: &str) {
    let Some((rules, shots)) = text.split_once('|') else { return };
    let Ok(rules) = rules.parse::<Rules>() else { return };
    let Ok(log) = ShotLog::parse(&rules, shots) else { return };
    if rules.grid().len() > 36 {
        return;
    }
    match oracle::count(&log, Budget { steps: STEPS, ..Budget::default() }) {
        Err(OutOfReach::Steps) => {}
        truth => {
            assert_eq!(Engine::Transfer.count(&log, Budget::default()), truth, "{rules} | {log}");
            let impossible = truth.is_ok_and(|counts| counts.layouts() == 0);
            assert_eq!(explain(&log, Budget::default()).unwrap().is_some(), impossible, "{rules} | {log}");
        }
    }
}

/// A table of weights for the classic board is refused or round-trips.
pub(crate) fn weights_round_trip(text: &str) {
    let rules = "classic".parse::<Rules>().unwrap();
    if let Ok(weights) = PlacementWeights::parse(&rules, text) {
        assert_eq!(PlacementWeights::parse(&rules, &weights.to_string()), Ok(weights));
    }
}

/// A budget is refused or round-trips.
pub(crate) fn budget_round_trip(text: &str) {
    if let Ok(budget) = text.parse::<Budget>() {
        assert_eq!(budget.to_string().parse(), Ok(budget));
    }
}
