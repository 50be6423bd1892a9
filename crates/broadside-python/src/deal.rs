//! Layouts: counted, dealt, checked.

use broadside_lab::generator;
use broadside_odds::{DealError, Dealer, Problem, Transfer};
use broadside_rules::{Draft, Layout, Readings};
use numpy::ndarray::Array3;
use numpy::{IntoPyArray, PyArray3};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::errors::{self, LayoutError, OddsError, as_exception};
use crate::rules::RulesArgument;
use crate::work::{self, Watch};

/// How many layouts there are, exactly, within a budget of memory such as "2GB".
///
/// >>> count("classic")
/// 15046987768
/// >>> count(Rules(board="4x4", fleet=[3, 2]))
/// 264
#[pyfunction]
#[pyo3(signature = (rules, *, budget=None))]
pub(crate) fn count(py: Python<'_>, rules: RulesArgument<'_>, budget: Option<&str>) -> PyResult<u128> {
    let (problem, budget) = (Problem::for_rules(&rules.get()?), crate::odds::budget(budget)?);
    work::run(py, None, |watch| Transfer::new(budget.until(&watch.stop)).total(&problem))?.map_err(as_exception::<OddsError, _>())
}

/// Random layouts, each equally likely: boards with 1 for a ship and 0 for water, and the layouts as texts.
///
/// Layout i depends on the seed and on i only; `first` is the number of the first one. With `sequential`, ships are placed one
/// after the other, as published simulations do; layouts are not equally likely then.
///
/// >>> boards, layouts = deal("classic", 3, seed=7)
/// >>> boards.shape, int(boards[0].sum()), len(layouts)
/// ((3, 10, 10), 17, 3)
/// >>> layouts[0] == deal("classic", 1, seed=7)[1][0]
/// True
#[pyfunction]
#[pyo3(signature = (rules, n=1, seed=1, *, first=0, sequential=false))]
pub(crate) fn deal<'py>(
    py: Python<'py>,
    rules: RulesArgument<'py>,
    n: u64,
    seed: u64,
    first: u64,
    sequential: bool,
) -> PyResult<(Bound<'py, PyArray3<u8>>, Vec<String>)> {
    let rules = rules.get()?;
    let dealt = work::run(py, None, |watch| deal_all(&rules, n, seed, first, sequential, watch))?;
    let layouts = dealt.map_err(as_exception::<errors::DealError, _>())?;
    let grid = rules.grid();
    let mut boards = Array3::zeros((layouts.len(), grid.rows(), grid.cols()));
    for (number, layout) in layouts.iter().enumerate() {
        layout.cells().iter().for_each(|cell| boards[[number, cell.row(), cell.col()]] = 1);
    }
    Ok((boards.into_pyarray(py), layouts.iter().map(ToString::to_string).collect()))
}

fn deal_all(
    rules: &broadside_rules::Rules,
    n: u64,
    seed: u64,
    first: u64,
    sequential: bool,
    watch: &Watch,
) -> Result<Vec<Layout>, DealError> {
    let dealer = Dealer::new(rules).until(&watch.stop);
    let deal = |dealer: &mut Dealer, game: u64| {
        let mut rng = generator(seed, game);
        if sequential { dealer.sequential(&mut rng) } else { dealer.uniform(&mut rng) }
    };
    (0..n).into_par_iter().map_init(|| dealer.clone(), |dealer, i| deal(dealer, first.wrapping_add(i))).collect()
}

/// The layout that a text names.
pub(crate) fn layout(rules: &broadside_rules::Rules, text: &str) -> PyResult<Layout> {
    let draft: Draft = text.parse().map_err(as_exception::<LayoutError, _>())?;
    draft.check(rules).into_layout().map_err(|violations| {
        let violations: Vec<String> = violations.iter().map(ToString::to_string).collect();
        PyErr::new::<LayoutError, _>(format!("this layout breaks the rules: {}", violations.join("; ")))
    })
}

/// Something that is wrong with a board.
#[pyclass(frozen, get_all, module = "broadside")]
#[derive(Clone)]
pub(crate) struct Violation {
    /// What kind it is, in a word.
    kind: String,
    /// The cells.
    cells: Vec<String>,
    /// What is wrong, in words.
    text: String,
}

#[pymethods]
impl Violation {
    fn __repr__(&self) -> String {
        format!("<Violation: {}>", self.text)
    }
}

/// What is wrong with a board, if anything.
#[pyclass(frozen, module = "broadside")]
pub(crate) struct Report {
    report: broadside_rules::Report,
}

#[pymethods]
impl Report {
    /// Whether nothing is wrong with it.
    #[getter]
    fn valid(&self) -> bool {
        self.report.is_valid()
    }

    /// In how many ways a picture can be read as the fleet, or at least in how many.
    #[getter]
    fn readings(&self) -> u128 {
        self.report.readings().count()
    }

    /// Whether there may be more readings than were counted.
    #[getter]
    fn more_readings_possible(&self) -> bool {
        matches!(self.report.readings(), Readings::AtLeast(_))
    }

    /// Everything that is wrong with it.
    #[getter]
    fn violations(&self) -> Vec<Violation> {
        let violation = |violation: &broadside_rules::Violation| Violation {
            kind: violation.kind().word().to_owned(),
            cells: violation.cells().iter().map(ToString::to_string).collect(),
            text: violation.to_string(),
        };
        self.report.violations().iter().map(violation).collect()
    }

    fn __bool__(&self) -> bool {
        self.valid()
    }

    fn __repr__(&self) -> String {
        let wrong: Vec<String> = self.report.violations().iter().map(ToString::to_string).collect();
        if wrong.is_empty() { "<Report: valid>".to_owned() } else { format!("<Report: {}>", wrong.join("; ")) }
    }
}

/// Checks a board: a picture, a line a row, with X or * for a ship and . or 0 for water, or a list of ships.
///
/// >>> validate("classic", "A1-A5 C1-C4 E1-E3 G1-G3 I1-I2").valid
/// True
/// >>> report = validate(Rules(board="4x4", fleet=[3, 2], touch="never"), "A1-A3 B4-C4")
/// >>> bool(report), [violation.kind for violation in report.violations]
/// (False, ['touching'])
#[pyfunction]
pub(crate) fn validate(rules: RulesArgument<'_>, text: &str) -> PyResult<Report> {
    let draft: Draft = text.parse().map_err(as_exception::<LayoutError, _>())?;
    Ok(Report { report: draft.check(&rules.get()?) })
}
