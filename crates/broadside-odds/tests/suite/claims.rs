//! Claims about texts, shared by the property tests and the fuzz targets: reading them never fails badly, and the fast
//! engine equals the slow one on whatever position they describe.

use broadside_odds::{Budget, CellUses, Engine, OutOfReach, PlacementWeights, explain, oracle};
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

/// Tables of cells are refused, or have a number for each cell and as many layouts as their sum says.
pub(crate) fn tables_have_all_cells(text: &str) {
    let rules = "3x4 3,2 allowed ship".parse::<Rules>().unwrap();
    for table in CellUses::parse_tables(&rules, text).unwrap_or_default() {
        assert_eq!(table.cells.len(), 12);
        let total: f64 = table.cells.iter().sum();
        assert!(table.layouts > 0.0 && (table.layouts * 5.0 - total).abs() <= 1e-9 * total);
    }
}

/// A budget is refused or round-trips.
pub(crate) fn budget_round_trip(text: &str) {
    if let Ok(budget) = text.parse::<Budget>() {
        assert_eq!(budget.to_string().parse(), Ok(budget));
    }
}
