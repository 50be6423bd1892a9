//! Placing a fleet ship by ship, for environments in which agents place.

use broadside_rules::{Cell, Draft, Grid, Orientation, Placement};
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::LayoutError;
use crate::rules::RulesArgument;

/// A fleet that is placed ship by ship, the longest first.
///
/// The action `cell` places the next ship across from its left end, `cells + cell` down from its upper end.
///
/// >>> placing = Placing(Rules(board="2x3", fleet=[3, 1]))
/// >>> placing.mask().tolist()
/// [1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
/// >>> placing.place(0), placing.place(3), placing.layout
/// (True, True, 'A1-A3 B1')
#[pyclass(module = "broadside")]
pub(crate) struct Placing {
    rules: broadside_rules::Rules,
    ships: Vec<Placement>,
}

impl Placing {
    fn grid(&self) -> Grid {
        self.rules.grid()
    }

    /// The ship that an action would place, if it may.
    fn ship(&self, action: usize) -> Option<Placement> {
        let length = *self.rules.fleet().lengths().get(self.ships.len())?;
        let cells = self.grid().len();
        let down = action >= cells;
        // A ship of one cell lies across, so that it has one action.
        let orientation = if down { Orientation::Vertical } else { Orientation::Horizontal };
        let bow: Cell = self.grid().cell(action % cells).filter(|_| action < 2 * cells && !(down && length.get() == 1))?;
        let ship = Placement::new(bow, length, orientation).filter(|&ship| self.rules.has_room_for(ship))?;
        self.ships.iter().all(|other| ship.compatible(*other, self.rules.touch())).then_some(ship)
    }
}

#[pymethods]
impl Placing {
    #[new]
    fn new(rules: RulesArgument<'_>) -> PyResult<Self> {
        Ok(Self { rules: rules.get()?, ships: Vec::new() })
    }

    /// Which actions are allowed now: 1 or 0 for each.
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let mask: Vec<i8> = (0..2 * self.grid().len()).map(|action| i8::from(self.ship(action).is_some())).collect();
        mask.into_pyarray(py)
    }

    /// Places the next ship, if the action is allowed; says whether it was.
    fn place(&mut self, action: usize) -> PyResult<bool> {
        if action >= 2 * self.grid().len() {
            return Err(PyValueError::new_err(format!("there is no action {action}")));
        }
        let ship = self.ship(action);
        self.ships.extend(ship);
        Ok(ship.is_some())
    }

    /// Takes all ships off the board.
    fn clear(&mut self) {
        self.ships.clear();
    }

    /// Whether all ships are placed.
    #[getter]
    fn done(&self) -> bool {
        self.ships.len() == self.rules.fleet().len()
    }

    /// The ships so far as a layout.
    #[getter]
    fn layout(&self) -> PyResult<String> {
        if !self.done() {
            return Err(PyErr::new::<LayoutError, _>("not all ships are placed"));
        }
        let report = Draft::Ships(self.ships.clone()).check(&self.rules);
        let layout = report.into_layout().map_err(|_| PyErr::new::<LayoutError, _>("the ships break the rules"))?;
        Ok(layout.to_string())
    }

    /// The board so far: 1 for a ship, 0 for water.
    fn board<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i16>> {
        let mut board = numpy::ndarray::Array2::zeros((self.grid().rows(), self.grid().cols()));
        self.ships.iter().flat_map(|ship| ship.cells()).for_each(|cell| board[[cell.row(), cell.col()]] = 1);
        board.into_pyarray(py)
    }
}
