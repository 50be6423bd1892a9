//! The odds of a position as data.

use broadside_odds::{Engine, Odds};
use broadside_rules::{Cell, ShotLog};
use serde::Serialize;

/// The odds of a position as JSON has them: counts in full as text, rows top to bottom.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OddsTable {
    /// How many layouts fit; nothing where answers may be false, since then all that are possible count, but not all alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layouts: Option<String>,
    /// For each cell, how many of them have a ship there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<Vec<Vec<String>>>,
    /// For each cell, the chance of a ship there.
    pub odds: Vec<Vec<f64>>,
    /// The best shots; none when the game is over.
    pub best: Vec<String>,
    /// Whether the numbers are exact.
    pub exact: bool,
    /// How they were found.
    pub engine: &'static str,
    /// What an estimate says of itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<EstimateErrors>,
}

/// What an estimate says of itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EstimateErrors {
    /// How many random draws it is from.
    pub samples: u64,
    /// The standard error of the number of layouts.
    pub layouts_std_err: f64,
    /// The standard error of each chance.
    pub odds_std_err: Vec<Vec<f64>>,
}

impl OddsTable {
    /// The odds of a log, found by an engine.
    ///
    /// ```
    /// use broadside_lab::OddsTable;
    /// use broadside_odds::{Budget, Engine, Odds};
    /// use broadside_rules::ShotLog;
    /// let log = ShotLog::new(&"2x2 2 allowed ship".parse()?);
    /// let odds = Odds::Exact(Engine::Transfer.count(&log, Budget::default())?);
    /// let table = OddsTable::new(&log, &odds, Engine::Transfer);
    /// assert_eq!((table.layouts.as_deref(), table.odds[0][0]), (Some("4"), 0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(log: &ShotLog, odds: &Odds, engine: Engine) -> Self {
        let (layouts, cells, estimate) = match odds {
            Odds::Exact(counts) => {
                (Some(counts.layouts().to_string()), Some(rows(log, |cell| counts.at(cell).to_string())), None)
            }
            Odds::Weighted(_) => (None, None, None),
            Odds::Estimate(rough) => {
                let layouts = rough.layouts();
                let cells = rows(log, |cell| format!("{:.0}", rough.chance(cell).mean * layouts.mean));
                let odds_std_err = rows(log, |cell| rough.chance(cell).std_err);
                let errors = EstimateErrors { samples: rough.samples(), layouts_std_err: layouts.std_err, odds_std_err };
                (Some(format!("{:.0}", layouts.mean)), Some(cells), Some(errors))
            }
        };
        Self {
            layouts,
            cells,
            odds: rows(log, |cell| odds.chance(cell)),
            best: best(log, odds).iter().map(ToString::to_string).collect(),
            exact: odds.is_exact(),
            engine: if odds.is_exact() { engine.word() } else { "estimate" },
            estimate,
        }
    }
}

/// The best shots; none when the game is over.
pub(crate) fn best(log: &ShotLog, odds: &Odds) -> Vec<Cell> {
    if log.is_over() { Vec::new() } else { odds.best(log.fired()) }
}

/// One item for each cell, row by row.
fn rows<T>(log: &ShotLog, item: impl Fn(Cell) -> T) -> Vec<Vec<T>> {
    let grid = log.rules().grid();
    (0..grid.rows()).map(|row| (0..grid.cols()).filter_map(|col| Cell::new(row, col)).map(&item).collect()).collect()
}
