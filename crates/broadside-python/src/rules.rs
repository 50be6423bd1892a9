//! Rules.

use std::fmt::Display;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::str::FromStr;

use broadside_rules::{CellSet, RulesBuilder};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::{RulesError, as_exception};

/// The rules of a game: the board, the fleet, how close ships may lie, what is called, rocks, how many shots a turn has, and
/// the chance of a false answer.
///
/// Rules start from a preset or from their text; every part can be replaced.
///
/// >>> Rules("classic")
/// Rules('10x10 5,4,3,3,2 allowed ship')
/// >>> Rules(board="8x8", fleet=[4, 3, 2], touch="never", call="bare")
/// Rules('8x8 4,3,2 never bare')
/// >>> Rules("russian", board=(12, 12)).shape
/// (12, 12)
/// >>> Rules("sploosh", rocks=["C3", "F6"]).rocks
/// ['C3', 'F6']
/// >>> Rules(salvo="ships")
/// Rules('10x10 5,4,3,3,2 allowed ship salvo=ships')
/// >>> Rules(call="silent", noise=0.05)
/// Rules('10x10 5,4,3,3,2 allowed silent noise=0.05')
#[pyclass(frozen, module = "broadside")]
pub(crate) struct Rules(pub(crate) broadside_rules::Rules);

/// The size of a board: `"10x10"`, or rows and columns.
#[derive(FromPyObject)]
pub(crate) enum BoardArgument {
    Text(String),
    Sides(usize, usize),
}

/// A fleet: `"5,4,3"`, or a list of lengths.
#[derive(FromPyObject)]
pub(crate) enum FleetArgument {
    Text(String),
    Lengths(Vec<usize>),
}

/// Rocks: `"C3,D4"`, or a list of cells.
#[derive(FromPyObject)]
pub(crate) enum RocksArgument {
    Text(String),
    Cells(Vec<String>),
}

/// Shots a turn: `"ships"`, `"5:each"`, or a number.
#[derive(FromPyObject)]
pub(crate) enum SalvoArgument {
    Text(String),
    Shots(u64),
}

/// The chance of a false answer: `"0.05"`, or a number.
#[derive(FromPyObject)]
pub(crate) enum NoiseArgument {
    Text(String),
    Chance(f64),
}

/// Rules, or a text that names them: what functions take.
#[derive(FromPyObject)]
pub(crate) enum RulesArgument<'py> {
    Rules(Bound<'py, Rules>),
    Text(String),
}

impl RulesArgument<'_> {
    /// The rules.
    pub(crate) fn get(&self) -> PyResult<broadside_rules::Rules> {
        match self {
            Self::Rules(rules) => Ok(rules.get().0.clone()),
            Self::Text(text) => text.parse().map_err(as_exception::<RulesError, _>()),
        }
    }
}

/// Reads a part of the rules.
fn part<T: FromStr<Err: std::error::Error>>(text: Option<impl Display>) -> PyResult<Option<T>> {
    text.map(|text| text.to_string().parse()).transpose().map_err(as_exception::<RulesError, T::Err>())
}

#[pymethods]
impl Rules {
    #[new]
    #[pyo3(signature = (text="classic", *, board=None, fleet=None, touch=None, call=None, rocks=None, salvo=None, noise=None))]
    #[expect(clippy::too_many_arguments, reason = "arguments from Python")]
    fn new(
        text: &str,
        board: Option<BoardArgument>,
        fleet: Option<FleetArgument>,
        touch: Option<&str>,
        call: Option<&str>,
        rocks: Option<RocksArgument>,
        salvo: Option<SalvoArgument>,
        noise: Option<NoiseArgument>,
    ) -> PyResult<Self> {
        let board = board.map(|board| match board {
            BoardArgument::Text(text) => text,
            BoardArgument::Sides(rows, cols) => format!("{rows}x{cols}"),
        });
        let fleet = fleet.map(|fleet| match fleet {
            FleetArgument::Text(text) => text,
            FleetArgument::Lengths(lengths) => lengths.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
        });
        let rocks = rocks.map(|rocks| match rocks {
            RocksArgument::Text(text) => text,
            RocksArgument::Cells(cells) if cells.is_empty() => "none".to_owned(),
            RocksArgument::Cells(cells) => cells.join(","),
        });
        let salvo = salvo.map(|salvo| match salvo {
            SalvoArgument::Text(text) => text,
            SalvoArgument::Shots(shots) => shots.to_string(),
        });
        let builder: RulesBuilder = text.parse().map_err(as_exception::<RulesError, _>())?;
        let builder = builder.with_grid(part::<_>(board)?).with_fleet(part::<_>(fleet)?);
        let builder = builder.with_touch(part::<_>(touch)?).with_call(part::<_>(call)?).with_rocks(part::<_>(rocks)?);
        let noise = noise.map(|noise| match noise {
            NoiseArgument::Text(text) => text,
            NoiseArgument::Chance(chance) => chance.to_string(),
        });
        let builder = builder.with_salvo(part::<_>(salvo)?).with_noise(part::<_>(noise)?);
        builder.build().map(Self).map_err(as_exception::<RulesError, _>())
    }

    /// The number of rows.
    #[getter]
    fn rows(&self) -> usize {
        self.0.grid().rows()
    }

    /// The number of columns.
    #[getter]
    fn cols(&self) -> usize {
        self.0.grid().cols()
    }

    /// Rows and columns.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.rows(), self.cols())
    }

    /// The lengths of the ships, longest first.
    #[getter]
    fn fleet(&self) -> Vec<usize> {
        self.0.fleet().lengths().iter().map(|length| length.get()).collect()
    }

    /// How close ships may lie: 'allowed', 'corners' or 'never'.
    #[getter]
    fn touch(&self) -> &'static str {
        self.0.touch().word()
    }

    /// What is called: 'silent', 'bare', 'ship' or 'every'.
    #[getter]
    fn call(&self) -> &'static str {
        self.0.call().word()
    }

    /// The shots a turn, and when they are answered: "1", "ships", "5:each", "5:count" …
    #[getter]
    fn salvo(&self) -> String {
        self.0.salvo().to_string()
    }

    /// The chance that an answer is false.
    #[getter]
    fn noise(&self) -> f64 {
        self.0.noise().chance()
    }

    /// The cells where no ship can lie and nobody fires.
    #[getter]
    fn rocks(&self) -> Vec<String> {
        self.0.rocks().into_iter().flat_map(CellSet::iter).map(|cell| cell.to_string()).collect()
    }

    /// The name of a cell: of its number in reading order, or of its row and column from 0.
    ///
    /// >>> Rules("classic").cell(44), Rules("classic").cell((4, 4))
    /// ('E5', 'E5')
    fn cell(&self, cell: crate::cells::CellArgument) -> PyResult<String> {
        Ok(cell.cell(self.0.grid())?.to_string())
    }

    /// The number of a cell in reading order, from 0: its action in an environment.
    ///
    /// >>> Rules("classic").index("E5")
    /// 44
    fn index(&self, cell: crate::cells::CellArgument) -> PyResult<usize> {
        let (grid, cell) = (self.0.grid(), cell.cell(self.0.grid())?);
        if grid.contains(cell) {
            return Ok(grid.index(cell));
        }
        Err(crate::errors::exception::<crate::errors::FireError>(&broadside_rules::FireError::OffGrid(cell)))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Rules('{}')", self.0)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.to_string().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let text = PyTuple::new(slf.py(), [slf.get().0.to_string()])?;
        Ok((slf.get_type().into_any(), text))
    }
}
