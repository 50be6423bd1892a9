//! What is known so far.

use broadside_rules::Cell;
use num_rational::Ratio;

use super::engine::Tells;

/// How the numbers were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// All layouts are listed, and every game is played as well as can be: exact.
    BestPlay,
    /// All layouts are listed, and `admiral` plays on: exact.
    Listed,
    /// Layouts are drawn, and `admiral` plays on: an estimate.
    Sampled,
}

impl Method {
    /// One word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::BestPlay => "best-play",
            Self::Listed => "listed",
            Self::Sampled => "sampled",
        }
    }
}

/// A cell that may be fired at next.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CellReport {
    /// The cell.
    pub cell: Cell,
    /// The chance of a hit.
    pub chance: f64,
    /// The chance that the shot is answered by a sinking; under a silent call no shot is.
    pub sinks: f64,
    /// The share of the layouts that is left after the answer, on average: the smaller, the more the shot tells.
    pub layouts_left: f64,
    /// The expected shots to the end when this cell is fired at now, that shot included.
    pub shots_to_go: f64,
    /// The standard error of that; 0 where it is exact.
    pub std_err: f64,
    /// The shots lost against the best cell. An estimate may be below zero while the order is not settled.
    pub loss: f64,
    /// The standard error of that; 0 where it is exact.
    pub loss_std_err: f64,
    /// `shots_to_go` as a fraction, where it is exact.
    pub exact: Option<Ratio<u64>>,
    /// Whether it is out of the race: certainly worse than the best.
    pub dropped: bool,
}

impl CellReport {
    /// A cell of which nothing is played yet.
    pub(super) fn new(cell: Cell, chance: f64, tells: Tells) -> Self {
        let Tells { sinks, layouts_left } = tells;
        let (shots_to_go, std_err, loss, loss_std_err) = (0.0, 0.0, 0.0, 0.0);
        Self { cell, chance, sinks, layouts_left, shots_to_go, std_err, loss, loss_std_err, exact: None, dropped: false }
    }

    /// The cell with its exact shots to go.
    pub(super) fn with_exact(self, shots: Ratio<u64>) -> Self {
        Self { shots_to_go: value(shots), exact: Some(shots), ..self }
    }
}

impl CellReport {
    /// Whether its order against the best cell is settled: it is worse by [`SETTLED`] standard errors, or certainly within
    /// [`NEAR`].
    pub fn is_settled(&self) -> bool {
        let margin = SETTLED * self.loss_std_err;
        self.loss > margin || self.loss.abs() + margin < NEAR
    }
}

fn value(ratio: Ratio<u64>) -> f64 {
    *ratio.numer() as f64 / *ratio.denom() as f64
}

/// The report of cells whose shots to go are exact.
pub(super) fn finished(mut cells: Vec<CellReport>, method: Method, layouts: u64, exact_chances: bool) -> Report {
    cells.sort_by(|a, b| a.exact.cmp(&b.exact).then(a.cell.cmp(&b.cell)));
    let least = cells.first().and_then(|report| report.exact).unwrap_or_default();
    for report in &mut cells {
        report.loss = report.exact.map_or(0.0, |shots| value(shots - least));
        report.dropped = report.loss > 0.0;
    }
    Report {
        shots_to_go: value(least),
        std_err: 0.0,
        exact: Some(least),
        best: cells.iter().filter(|report| report.exact == Some(least)).map(|report| report.cell).collect(),
        settled: true,
        method,
        playouts: layouts,
        exact_chances,
        cells,
    }
}

/// The shots to go of the leading cells, as far as they are known.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The expected shots to the end from the best cell on.
    pub shots_to_go: f64,
    /// The standard error of that; 0 where it is exact.
    pub std_err: f64,
    /// `shots_to_go` as a fraction, where it is exact.
    pub exact: Option<Ratio<u64>>,
    /// The best cells: several where they are exactly as good. None when the game is over.
    pub best: Vec<Cell>,
    /// Whether the best cell is known to be best, or to be within [`NEAR`] of it.
    pub settled: bool,
    /// How the numbers were found.
    pub method: Method,
    /// The layouts played on: all that are left, or so many drawn.
    pub playouts: u64,
    /// Whether the chances are exact, and not estimates.
    pub exact_chances: bool,
    /// The cells compared, the best first.
    pub cells: Vec<CellReport>,
}

/// A difference that is certainly smaller than this many shots doesn't matter.
pub const NEAR: f64 = 0.05;

/// The order of two cells is settled when they differ by so many standard errors.
pub const SETTLED: f64 = 2.5;

impl Report {
    /// Whether the numbers are exact.
    pub fn is_exact(&self) -> bool {
        self.method != Method::Sampled
    }

    /// What is known of a cell, if it is among those compared.
    pub fn cell(&self, cell: Cell) -> Option<&CellReport> {
        self.cells.iter().find(|report| report.cell == cell)
    }

    /// The cell with the highest chance, the first of equals in reading order.
    pub fn likeliest(&self) -> Option<&CellReport> {
        self.cells.iter().max_by(|a, b| a.chance.total_cmp(&b.chance).then(b.cell.cmp(&a.cell)))
    }

    /// Why the best cell is better than the likeliest one, in words; why it is good, if they are the same.
    ///
    /// ```
    /// use broadside_captains::shots_to_go::{Settings, ShotsToGo};
    /// use broadside_rules::{Rules, ShotLog, Stop};
    ///
    /// let log = ShotLog::new(&"1x3 2 allowed ship".parse::<Rules>()?);
    /// let report = ShotsToGo::new(&log, &Settings::default(), &Stop::never())?.run(1000, &Stop::never())?;
    /// // All three cells leave 2.5 shots on average: A2 is hit for sure, and the others tell where the ship is.
    /// assert_eq!(report.why().as_deref(), Some("A2 is the likeliest cell too: 100 %"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn why(&self) -> Option<String> {
        let best = self.best.iter().filter_map(|&cell| self.cell(cell));
        let best = best.max_by(|a, b| a.chance.total_cmp(&b.chance).then(b.cell.cmp(&a.cell)))?;
        let other = self.likeliest()?;
        if other.chance <= best.chance {
            return Some(format!("{} is the likeliest cell too: {}", best.cell, percent(best.chance)));
        }
        let chances = format!("{} hits in {}, {} in {}", best.cell, percent(best.chance), other.cell, percent(other.chance));
        Some(format!("{chances}; but {} {}", best.cell, advantage(best, other)))
    }
}

/// What speaks for a cell against a likelier one.
fn advantage(best: &CellReport, other: &CellReport) -> String {
    let sinks = best.sinks - other.sinks;
    let tells = other.layouts_left - best.layouts_left;
    if sinks >= 0.005 && sinks >= tells {
        format!("sinks a ship in {}, and {} in {}", percent(best.sinks), other.cell, percent(other.sinks))
    } else if tells >= 0.005 {
        let [left, other_left] = [best.layouts_left, other.layouts_left].map(percent);
        format!("tells more: its answer leaves {left} of the layouts on average, that of {} {other_left}", other.cell)
    } else {
        "leaves better shots for later".to_owned()
    }
}

fn percent(share: f64) -> String {
    if share >= 0.9995 { "100 %".to_owned() } else { format!("{:.1} %", share * 100.0) }
}
