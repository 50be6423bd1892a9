//! Exact odds.

use std::time::Instant;

use broadside_odds::{BatchTransfer, Budget, Counts, Engine, OutOfReach, explain};
use broadside_rules::{Grid, ShotLog};
use numpy::ndarray::{Array2, Array3};
use numpy::{IntoPyArray, PyArray2, PyArray3};
use pyo3::prelude::*;

use crate::cells::rows;
use crate::errors::{LogError, OddsError, as_exception, exception};
use crate::rules::RulesArgument;
use crate::work::{self, Watch};

/// A log of shots: `"E5- C3+ C5#3"`, or a list of shots.
#[derive(FromPyObject)]
pub(crate) enum LogArgument {
    Text(String),
    Shots(Vec<String>),
}

impl LogArgument {
    /// The log under some rules.
    pub(crate) fn read(&self, rules: &broadside_rules::Rules) -> PyResult<ShotLog> {
        let read = match self {
            Self::Text(text) => ShotLog::parse(rules, text),
            Self::Shots(shots) => ShotLog::parse(rules, &shots.join(" ")),
        };
        read.map_err(as_exception::<LogError, _>())
    }
}

/// The odds of a position.
///
/// Exact unless `exact` is false; then `layouts` is a float, `counts` is None, and the standard errors are there.
#[pyclass(frozen, module = "broadside")]
pub(crate) struct Odds {
    grid: Grid,
    odds: broadside_odds::Odds,
    best: Vec<String>,
}

impl Odds {
    /// The odds of a log, with the best cells unless the game is over.
    fn new(log: &ShotLog, odds: broadside_odds::Odds) -> Self {
        let best = if log.is_over() { Vec::new() } else { odds.best(log.fired()) };
        Self { grid: log.rules().grid(), odds, best: best.iter().map(ToString::to_string).collect() }
    }

    fn numbers<'py>(&self, py: Python<'py>, number: impl Fn(broadside_rules::Cell) -> f64) -> Bound<'py, PyArray2<f64>> {
        let cells = self.grid.cells().map(number).collect();
        Array2::from_shape_vec((self.grid.rows(), self.grid.cols()), cells).expect("a number for each cell").into_pyarray(py)
    }
}

/// A number of layouts: counted, or estimated.
#[derive(IntoPyObject)]
enum Layouts {
    Counted(u128),
    Estimated(f64),
}

#[pymethods]
impl Odds {
    /// How many layouts fit the log: an int; for an estimate a float; None where answers may be false, so that all layouts count, but not
    /// all alike.
    #[getter]
    fn layouts(&self) -> Option<Layouts> {
        match &self.odds {
            broadside_odds::Odds::Exact(counts) => Some(Layouts::Counted(counts.layouts())),
            broadside_odds::Odds::Weighted(_) => None,
            broadside_odds::Odds::Estimate(rough) => Some(Layouts::Estimated(rough.layouts().mean)),
        }
    }

    /// For each cell, in how many of the layouts a ship lies there, as rows of ints; None for an estimate, or where answers may be false.
    #[getter]
    fn counts(&self) -> Option<Vec<Vec<u128>>> {
        match &self.odds {
            broadside_odds::Odds::Exact(counts) => Some(rows(self.grid, |cell| counts.at(cell))),
            broadside_odds::Odds::Weighted(_) | broadside_odds::Odds::Estimate(_) => None,
        }
    }

    /// For each cell, the chance of a ship there.
    #[getter]
    fn chances<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        self.numbers(py, |cell| self.odds.chance(cell))
    }

    /// The cells not fired at with the highest chance; none when the game is over.
    #[getter]
    fn best(&self) -> Vec<String> {
        self.best.clone()
    }

    /// Whether the numbers are exact.
    #[getter]
    fn exact(&self) -> bool {
        self.odds.is_exact()
    }

    /// The standard error of each chance; None where they are exact.
    #[getter]
    fn std_err<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray2<f64>>> {
        match &self.odds {
            broadside_odds::Odds::Exact(_) | broadside_odds::Odds::Weighted(_) => None,
            broadside_odds::Odds::Estimate(rough) => Some(self.numbers(py, |cell| rough.chance(cell).std_err)),
        }
    }

    /// The standard error of the number of layouts; None where it is exact.
    #[getter]
    fn layouts_std_err(&self) -> Option<f64> {
        match &self.odds {
            broadside_odds::Odds::Exact(_) | broadside_odds::Odds::Weighted(_) => None,
            broadside_odds::Odds::Estimate(rough) => Some(rough.layouts().std_err),
        }
    }

    fn __repr__(&self) -> String {
        match &self.odds {
            broadside_odds::Odds::Exact(counts) => {
                format!("<Odds of {} layouts, best {}>", counts.layouts(), self.best.join(" "))
            }
            broadside_odds::Odds::Weighted(_) => format!("<Odds with false answers, best {}>", self.best.join(" ")),
            broadside_odds::Odds::Estimate(rough) => {
                let layouts = rough.layouts();
                format!("<Odds estimated: {:.3e} ± {:.0e} layouts, best {}>", layouts.mean, layouts.std_err, self.best.join(" "))
            }
        }
    }
}

/// The budget that a text names.
pub(crate) fn budget(text: Option<&str>) -> PyResult<Budget> {
    text.map_or(Ok(Budget::default()), |text| text.parse().map_err(as_exception::<OddsError, _>()))
}

/// Where the ships are, for a log of shots: exact counts, as far as `budget` (memory, such as "2GB") reaches; past it an
/// estimate from `samples` random draws, which says so.
///
/// >>> found = odds("classic", "E5- C3+ C4+ C5#3")
/// >>> found.layouts, found.exact
/// (153088509, True)
/// >>> found.counts[2][2] == found.layouts  # a ship lies on C3 in every layout
/// True
/// >>> found.chances.shape, found.best
/// ((10, 10), ['D6'])
#[pyfunction]
#[pyo3(signature = (rules, log=LogArgument::Text(String::new()), *, engine="transfer", budget=None, samples=20_000, seed=1))]
pub(crate) fn odds(
    py: Python<'_>,
    rules: RulesArgument<'_>,
    log: LogArgument,
    engine: &str,
    budget: Option<&str>,
    samples: u64,
    seed: u64,
) -> PyResult<Odds> {
    let log = log.read(&rules.get()?)?;
    let engine: Engine = engine.parse().map_err(as_exception::<OddsError, _>())?;
    let odds = odds_of(py, &log, engine, self::budget(budget)?, samples, seed)?;
    Ok(Odds::new(&log, odds))
}

fn odds_of(
    py: Python<'_>,
    log: &ShotLog,
    engine: Engine,
    budget: Budget,
    samples: u64,
    seed: u64,
) -> PyResult<broadside_odds::Odds> {
    let found = work::run(py, None, |watch| {
        broadside_odds::odds(log, engine, budget.until(&watch.stop), samples, &mut broadside_lab::generator(seed, 0))
    });
    found?.map_err(as_exception::<OddsError, _>())
}

/// The exact odds of a log, by default settings: for environments and referees.
pub(crate) fn exact_odds(py: Python<'_>, log: &ShotLog) -> PyResult<Odds> {
    Ok(Odds::new(log, odds_of(py, log, Engine::Transfer, Budget::default(), 20_000, 1)?))
}

/// Logs that are read or counted between two looks at whether to stop.
const LOGS_AT_ONCE: usize = 1024;

/// The chances of all cells for each of many logs, on all cores (or so many `threads`), without the interpreter's lock.
///
/// `progress` is called with the number of logs that are counted.
///
/// >>> odds_many("classic", ["", "E5-", "E5+"]).shape
/// (3, 10, 10)
#[pyfunction]
#[pyo3(signature = (rules, logs, *, budget=None, threads=None, progress=None))]
pub(crate) fn odds_many<'py>(
    py: Python<'py>,
    rules: RulesArgument<'py>,
    logs: Vec<LogArgument>,
    budget: Option<&str>,
    threads: Option<usize>,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray3<f64>>> {
    let (rules, budget) = (rules.get()?, self::budget(budget)?);
    let logs = read_all(py, &rules, &logs)?;
    let counted = work::run(py, progress.as_ref(), |watch| work::on_threads(threads, || count_many(&logs, budget, watch)))??;
    let grid = rules.grid();
    let mut chances = Vec::with_capacity(logs.len() * grid.len());
    for (number, (log, counts)) in logs.iter().zip(counted).enumerate() {
        let counts = possible(log, counts, budget).map_err(|error| exception::<OddsError>(&ManyError { number, error }))?;
        let layouts = counts.layouts() as f64;
        chances.extend(counts.cells().iter().map(|&cell| cell as f64 / layouts));
    }
    let chances = Array3::from_shape_vec((logs.len(), grid.rows(), grid.cols()), chances);
    Ok(chances.expect("a number for each cell of each log").into_pyarray(py))
}

/// Reads all logs, unless Ctrl-C comes before.
fn read_all(py: Python<'_>, rules: &broadside_rules::Rules, logs: &[LogArgument]) -> PyResult<Vec<ShotLog>> {
    let mut read = Vec::with_capacity(logs.len());
    for some in logs.chunks(LOGS_AT_ONCE) {
        py.check_signals()?;
        for log in some {
            read.push(log.read(rules)?);
        }
    }
    Ok(read)
}

/// The counts of all logs, unless the work is stopped before.
fn count_many(logs: &[ShotLog], budget: Budget, watch: &Watch) -> Vec<Result<Counts, OutOfReach>> {
    let mut counted = Vec::with_capacity(logs.len());
    let mut engines = BatchTransfer::new(budget.until(&watch.stop));
    for some in logs.chunks(LOGS_AT_ONCE).take_while(|_| !watch.stop.is_stopped()) {
        counted.extend(engines.count(some));
        watch.add(some.len() as u64);
    }
    counted
}

/// One of many logs has no odds.
#[derive(Debug, thiserror::Error)]
#[error("log {number} of those given, counted from 0: {error}")]
struct ManyError {
    number: usize,
    error: Box<dyn std::error::Error>,
}

/// The counts of a log that some layout fits.
fn possible(log: &ShotLog, counts: Result<Counts, OutOfReach>, budget: Budget) -> Result<Counts, Box<dyn std::error::Error>> {
    let counts = counts?;
    if counts.layouts() == 0
        && let Some(contradiction) = explain(log, budget)?
    {
        return Err(contradiction.into());
    }
    Ok(counts)
}

/// How long the engine alone takes for these logs, in seconds: what `python -m broadside.bench` compares `odds_many` with.
#[pyfunction]
#[pyo3(signature = (rules, logs, *, threads=None))]
pub(crate) fn _count_many_seconds(
    py: Python<'_>,
    rules: RulesArgument<'_>,
    logs: Vec<LogArgument>,
    threads: Option<usize>,
) -> PyResult<f64> {
    let rules = rules.get()?;
    let logs = read_all(py, &rules, &logs)?;
    py.detach(|| {
        work::on_threads(threads, || {
            let start = Instant::now();
            std::hint::black_box(broadside_odds::odds_many(&logs, Budget::default()));
            start.elapsed().as_secs_f64()
        })
    })
}
