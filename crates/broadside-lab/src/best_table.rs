//! Shots to go as data.

use broadside_captains::shots_to_go::{CellReport, Report};
use serde::Serialize;

/// The shots to go of the leading cells, as JSON has them. Shots are rounded to four digits after the point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BestTable {
    /// The expected shots to the end from the best cell on.
    pub shots_to_go: f64,
    /// The best cells: several where they are exactly as good. None when the game is over.
    pub best: Vec<String>,
    /// Whether the best cell is known to be best, or within 0.05 shots of it.
    pub settled: bool,
    /// Whether the numbers are exact.
    pub exact: bool,
    /// The layouts played on.
    pub playouts: u64,
    /// The cells compared, the best first.
    pub cells: Vec<BestCell>,
    /// `best-play` and `listed` are exact, `sampled` is an estimate.
    pub method: &'static str,
    /// The standard error of `shots_to_go`.
    pub std_err: f64,
    /// `shots_to_go` as a fraction, where it is exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fraction: Option<String>,
    /// Why the best cell is good, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A cell that may be fired at next.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BestCell {
    /// The cell.
    pub cell: String,
    /// The chance of a hit.
    pub chance: f64,
    /// The expected shots to the end if it is fired at now, that shot included.
    pub shots_to_go: f64,
    /// The standard error of that.
    pub std_err: f64,
    /// The shots lost against the best cell. An estimate may be below zero while the order is not settled.
    pub loss: f64,
    /// The standard error of that.
    pub loss_std_err: f64,
    /// Whether its order against the best cell is settled.
    pub settled: bool,
}

impl BestTable {
    /// What is known.
    ///
    /// ```
    /// use broadside_captains::shots_to_go::{Settings, ShotsToGo};
    /// use broadside_lab::BestTable;
    /// use broadside_rules::{Rules, ShotLog, Stop};
    /// let log = ShotLog::new(&"1x3 2 allowed ship".parse::<Rules>()?);
    /// let report = ShotsToGo::new(&log, &Settings::default(), &Stop::never())?.run(100, &Stop::never())?;
    /// let table = BestTable::new(&report);
    /// // Of the two places that the ship may have, one takes 2 shots and the other 3, whichever cell is first.
    /// assert_eq!((table.shots_to_go, table.best.join(" "), table.exact), (2.5, "A1 A2 A3".to_owned(), true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(report: &Report) -> Self {
        Self {
            shots_to_go: rounded(report.shots_to_go),
            best: report.best.iter().map(ToString::to_string).collect(),
            settled: report.settled,
            exact: report.is_exact(),
            playouts: report.playouts,
            cells: report.cells.iter().map(BestCell::new).collect(),
            method: report.method.word(),
            std_err: rounded(report.std_err),
            fraction: report.exact.map(|shots| shots.to_string()),
            why: report.why(),
        }
    }
}

impl BestCell {
    fn new(report: &CellReport) -> Self {
        Self {
            cell: report.cell.to_string(),
            chance: rounded(report.chance),
            shots_to_go: rounded(report.shots_to_go),
            std_err: rounded(report.std_err),
            loss: rounded(report.loss),
            loss_std_err: rounded(report.loss_std_err),
            settled: report.is_settled(),
        }
    }
}

fn rounded(number: f64) -> f64 {
    // Adding zero makes a plain zero of a negative one.
    (number * 1e4).round() / 1e4 + 0.0
}
