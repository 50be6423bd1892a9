//! What a campaign has shown.

use broadside_lab::Checkpoint;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::errors::{CheckpointError, as_exception};
use crate::rules::Rules;

/// What the games of a campaign, or of a part of it, have shown.
///
/// >>> results = simulate("sploosh", "density", games=100)
/// >>> results.games, results.captains[0].histogram.sum()
/// (100, np.uint64(100))
/// >>> Results.from_text(results.to_text()) == results
/// True
#[pyclass(frozen, module = "broadside")]
#[derive(Clone)]
pub(crate) struct Results(pub(crate) Checkpoint);

/// What one captain did.
#[pyclass(frozen, module = "broadside")]
pub(crate) struct CaptainResult(broadside_lab::CaptainResult);

#[pymethods]
impl CaptainResult {
    /// The captain's name.
    #[getter]
    fn name(&self) -> &str {
        &self.0.captain
    }

    /// How many games.
    #[getter]
    fn games(&self) -> u64 {
        self.0.games
    }

    /// The mean number of shots.
    #[getter]
    fn mean(&self) -> f64 {
        self.0.mean
    }

    /// The standard deviation.
    #[getter]
    fn sd(&self) -> f64 {
        self.0.sd
    }

    /// The standard error of the mean.
    #[getter]
    fn std_err(&self) -> f64 {
        self.0.std_err
    }

    /// The mean number of turns and its standard error; None where a turn is one shot.
    #[getter]
    fn turns(&self) -> Option<(f64, f64)> {
        self.0.turns.map(|turns| (turns.mean, turns.std_err))
    }

    /// The 95% interval of the mean; None for a single game.
    #[getter]
    fn interval(&self) -> Option<(f64, f64)> {
        self.0.interval.map(|interval| (interval.low, interval.high))
    }

    /// The fewest shots.
    #[getter]
    fn min(&self) -> Option<i64> {
        self.0.min
    }

    /// The median.
    #[getter]
    fn median(&self) -> Option<i64> {
        self.0.median
    }

    /// The most shots.
    #[getter]
    fn max(&self) -> Option<i64> {
        self.0.max
    }

    /// How many games took each number of shots, from 0 up to the number of cells.
    #[getter]
    fn histogram<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        self.0.shots.counts().map(|(_, count)| count).collect::<Vec<_>>().into_pyarray(py)
    }

    fn __repr__(&self) -> String {
        format!(
            "<CaptainResult: {} took {:.4} ± {:.4} shots over {} games>",
            self.0.captain, self.0.mean, self.0.std_err, self.0.games
        )
    }
}

impl Results {
    /// The results as JSON has them.
    fn loaded<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.to_json(),))
    }
}

#[pymethods]
impl Results {
    /// The rules.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.0.rules().clone())
    }

    /// The seed.
    #[getter]
    fn seed(&self) -> u64 {
        self.0.campaign().seed
    }

    /// How many games were played.
    #[getter]
    fn games(&self) -> u64 {
        self.0.games().len()
    }

    /// Where the layouts come from.
    #[getter]
    fn layouts(&self) -> &str {
        &self.0.campaign().layouts
    }

    /// What each captain did.
    #[getter]
    fn captains(&self) -> Vec<CaptainResult> {
        self.0.results().captains.into_iter().map(CaptainResult).collect()
    }

    /// Each captain against every one after it, as dicts of the program's JSON.
    #[getter]
    fn differences<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.loaded(py)?.get_item("differences")
    }

    /// How many games took each number of shots: a row for each captain, a column for each number from 0 on.
    #[getter]
    fn histograms<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<u64>> {
        let captains = self.0.results().captains;
        let counts: Vec<u64> = captains.iter().flat_map(|captain| captain.shots.counts().map(|(_, count)| count)).collect();
        let shape = (captains.len(), counts.len() / captains.len().max(1));
        Array2::from_shape_vec(shape, counts).expect("as many counts for each captain").into_pyarray(py)
    }

    /// Which games were played, as pairs: the first one, and the one after the last.
    #[getter]
    fn ranges(&self) -> Vec<(u64, u64)> {
        self.0.games().clone().into()
    }

    /// Which games of the campaign are missing, likewise.
    #[getter]
    fn missing(&self) -> Vec<(u64, u64)> {
        self.0.missing().into()
    }

    /// The results as the program's JSON, to the byte.
    fn to_json(&self) -> String {
        self.0.results().json()
    }

    /// The results as the program's JSON, read into a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.loaded(py)
    }

    /// A table with a line for each captain, as CSV.
    fn to_csv(&self) -> String {
        self.0.results().summary_csv()
    }

    /// How many games took each number of shots, as a pandas DataFrame: a column for each captain. Needs pandas.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let table = PyDict::new(py);
        for captain in self.captains() {
            table.set_item(captain.name(), captain.histogram(py))?;
        }
        let frame = py.import("pandas")?.call_method1("DataFrame", (table,))?;
        frame.getattr("index")?.setattr("name", "shots")?;
        Ok(frame)
    }

    /// The results as the text of a checkpoint, with the campaign's identity and a checksum: what the program resumes from and
    /// merges.
    fn to_text(&self) -> String {
        self.0.to_text()
    }

    /// Reads the text of a checkpoint.
    #[staticmethod]
    fn from_text(text: &str) -> PyResult<Self> {
        Checkpoint::parse(text).map(Self).map_err(as_exception::<CheckpointError, _>())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        self.seed() ^ self.games()
    }

    fn __repr__(&self) -> String {
        let captains: Vec<String> = self
            .0
            .results()
            .captains
            .iter()
            .map(|captain| format!("{} {:.4} ± {:.4}", captain.captain, captain.mean, captain.std_err))
            .collect();
        format!("<Results of {} games: {}>", self.games(), captains.join(", "))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let text = PyTuple::new(slf.py(), [slf.get().to_text()])?;
        Ok((slf.get_type().getattr("from_text")?, text))
    }
}
