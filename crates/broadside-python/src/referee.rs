//! The referee of a game.

use std::sync::atomic::{AtomicU64, Ordering};

use broadside_captains::GameRng;
use broadside_lab::{generator, noise_seed};
use broadside_odds::Dealer;
use broadside_rules::CellSet;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray2};
use pyo3::prelude::*;

use crate::cells::CellArgument;
use crate::errors::{self, as_exception};
use crate::odds::{Odds, exact_odds};
use crate::rules::{Rules, RulesArgument};

/// The answer to a shot. Its text is that of a log: '-' miss, '+' hit, '#' sank, with the length where it is called; '?' where the
/// answer comes after the turn, or is only counted.
#[pyclass(frozen, module = "broadside")]
pub(crate) struct Answer(broadside_rules::Answer);

/// What an answer looks like in an observation: 0 for none yet, 1 for a miss, 2 for a hit, 3 for a hit that sank a ship, and four times the length
/// that was called.
#[inline]
pub(crate) fn code(answer: broadside_rules::Answer) -> i16 {
    let length = answer.length().map_or(0, |length| length.get().cast_signed() as i16);
    let kind = match (answer.is_hit(), answer.is_sunk()) {
        _ if answer == broadside_rules::Answer::Untold => 0,
        (false, _) => 1,
        (true, false) => 2,
        (true, true) => 3,
    };
    kind + 4 * length
}

#[pymethods]
impl Answer {
    /// The answer as environments show it: 0 for none yet, 1 for a miss, 2 for a hit, 3 for a hit that sank a ship, and four times the length
    /// that was called.
    #[getter]
    fn code(&self) -> i16 {
        code(self.0)
    }

    /// Whether a ship was hit, sunk or not.
    #[getter]
    fn hit(&self) -> bool {
        self.0.is_hit()
    }

    /// Whether it was called that a ship sank.
    #[getter]
    fn sunk(&self) -> bool {
        self.0.is_sunk()
    }

    /// The length of the ship, if it was called.
    #[getter]
    fn length(&self) -> Option<usize> {
        self.0.length().map(broadside_rules::Length::get)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Answer('{}')", self.0)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.str().is_ok_and(|text| text == self.0.to_string().as_str())
    }

    fn __hash__(&self) -> u64 {
        self.0.to_string().bytes().fold(0, |hash, byte| hash << 8 | u64::from(byte))
    }
}

/// Answers shots at a hidden layout, and knows when the game is over.
///
/// The layout is given, or it is that of a game of the campaign with this seed.
///
/// >>> referee = Referee(Rules(board="3x3", fleet=[2]), "B2-B3")
/// >>> [str(referee.fire(cell)) for cell in ("A1", "B2", "B3")]
/// ['-', '+', '#2']
/// >>> referee.log, referee.over
/// ('A1- B2+ B3#2', True)
///
/// Where answers come after the turn, the log has them when it is over:
///
/// >>> referee = Referee(Rules(board="3x3", fleet=[2], salvo="2"), "B2-B3")
/// >>> [str(referee.fire(cell)) for cell in ("A1", "B2")], referee.log, referee.shots_left_in_turn
/// (['?', '+'], 'A1- B2+', 2)
///
/// Or the log has only how many of the turn's shots hit, and which ships sank:
///
/// >>> referee = Referee(Rules(board="3x3", fleet=[2], salvo="2:count"), "B2-B3")
/// >>> [str(referee.fire(cell)) for cell in ("A1", "B2")], referee.log
/// (['?', '?'], 'A1? B2? =1')
#[pyclass(module = "broadside")]
pub(crate) struct Referee {
    referee: broadside_rules::Referee,
    layout: String,
    cells: CellSet,
    /// What the captains' choices derive from.
    pub(crate) rng: GameRng,
    /// Tells games apart.
    pub(crate) id: u64,
}

impl Referee {
    /// What the shooter may know.
    pub(crate) fn log_of_shots(&self) -> &broadside_rules::ShotLog {
        self.referee.log()
    }
}

/// A number that no other game has.
fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

#[pymethods]
impl Referee {
    #[new]
    #[pyo3(signature = (rules, layout=None, *, seed=1, game=0))]
    fn new(rules: RulesArgument<'_>, layout: Option<&str>, seed: u64, game: u64) -> PyResult<Self> {
        let (rules, mut rng) = (rules.get()?, generator(seed, game));
        let layout = match layout {
            Some(text) => crate::deal::layout(&rules, text)?,
            None => Dealer::new(&rules).uniform(&mut rng).map_err(as_exception::<errors::DealError, _>())?,
        };
        let (text, cells) = (layout.to_string(), layout.cells());
        Ok(Self {
            referee: broadside_rules::Referee::new(&rules, layout).with_noise_seed(noise_seed(seed, game)),
            layout: text,
            cells,
            rng,
            id: next_id(),
        })
    }

    /// Fires at a cell: "E5", its number in reading order, or its row and column from 0.
    fn fire(&mut self, cell: CellArgument) -> PyResult<Answer> {
        let cell = cell.cell(self.referee.log().rules().grid())?;
        self.referee.fire(cell).map(Answer).map_err(as_exception::<errors::FireError, _>())
    }

    /// The shots so far with their answers: all that the shooter may know.
    #[getter]
    fn log(&self) -> String {
        self.referee.log().to_string()
    }

    /// Whether all ships are sunk.
    #[getter]
    fn over(&self) -> bool {
        self.referee.is_over()
    }

    /// The number of shots so far.
    #[getter]
    fn shots(&self) -> usize {
        self.referee.log().len()
    }

    /// The shots left in the present turn, of which the next shot is one.
    #[getter]
    fn shots_left_in_turn(&self) -> usize {
        self.referee.log().shots_left_in_turn()
    }

    /// The hidden layout.
    #[getter]
    fn layout(&self) -> &str {
        &self.layout
    }

    /// The hidden layout as an array: 1 for a ship, 0 for water.
    fn board<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i16>> {
        let grid = self.referee.log().rules().grid();
        let mut board = Array2::zeros((grid.rows(), grid.cols()));
        self.cells.iter().for_each(|cell| board[[cell.row(), cell.col()]] = 1);
        board.into_pyarray(py)
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.referee.log().rules().clone())
    }

    /// The exact odds for the shots so far.
    fn odds(&self, py: Python<'_>) -> PyResult<Odds> {
        exact_odds(py, self.referee.log())
    }

    fn __repr__(&self) -> String {
        format!("<Referee after {} shots>", self.referee.log().len())
    }
}
