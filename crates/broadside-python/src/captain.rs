//! The captains.

use broadside_captains::{GameRng, ROSTER, Registry};
use broadside_lab::generator;
use broadside_rules::{Stop, Stopped};
use pyo3::prelude::*;

use crate::errors::{CaptainError, as_exception};
use crate::odds::LogArgument;
use crate::referee::Referee;
use crate::rules::{Rules, RulesArgument};
use crate::work::{self, Owned};

/// The names of all captains that play every board.
///
/// >>> "admiral" in captains()
/// True
#[pyfunction]
pub(crate) fn captains() -> Vec<&'static str> {
    ROSTER.iter().map(|info| info.name).collect()
}

/// A strategy, by its name.
///
/// A captain is given the log of shots, as a text or as a referee. With a referee it makes the very choices that it makes
/// in the campaign's game; with a text its random choices derive from `seed`.
///
/// >>> captain = Captain("density", "classic")
/// >>> captain.aim("E5- C3+ C4+")
/// 'C5'
/// >>> referee = Referee("classic", seed=1, game=0)
/// >>> while not referee.over:
/// ...     answer = referee.fire(captain.aim(referee))
/// >>> referee.shots == int(simulate("classic", ["density"], games=1, seed=1).captains[0].mean)
/// True
#[pyclass(module = "broadside")]
pub(crate) struct Captain {
    captain: Owned<Box<dyn broadside_captains::Captain>>,
    name: String,
    rules: broadside_rules::Rules,
    rng: GameRng,
    /// The referee that it played with last, if any, and the choices it makes there.
    game: Option<(u64, GameRng)>,
}

/// What a captain is told of a game.
#[derive(FromPyObject)]
pub(crate) enum GameArgument<'py> {
    Referee(Bound<'py, Referee>),
    Log(LogArgument),
}

impl Captain {
    fn aim_at(&mut self, py: Python<'_>, log: &broadside_rules::ShotLog, mut rng: GameRng) -> PyResult<(String, GameRng)> {
        let captain = self.captain.get_mut();
        let aimed = work::run(py, None, |watch| {
            captain.set_stop(&watch.stop);
            let cell = captain.aim(log, &mut rng);
            captain.set_stop(&Stop::never());
            watch.stop.check().map(|()| (cell.to_string(), rng))
        })?;
        aimed.map_err(as_exception::<CaptainError, Stopped>())
    }
}

#[pymethods]
impl Captain {
    #[new]
    #[pyo3(signature = (name, rules, *, seed=1))]
    fn new(name: &str, rules: RulesArgument<'_>, seed: u64) -> PyResult<Self> {
        let rules = rules.get()?;
        let captain = Registry::new().captain(name, &rules).map_err(as_exception::<CaptainError, _>())?;
        let name = captain.name().to_owned();
        Ok(Self { captain: Owned::new(captain), name, rules, rng: generator(seed, 0), game: None })
    }

    /// The cell that it fires at next.
    #[pyo3(signature = (log=GameArgument::Log(LogArgument::Text(String::new()))))]
    fn aim(&mut self, py: Python<'_>, log: GameArgument<'_>) -> PyResult<String> {
        match log {
            GameArgument::Log(log) => {
                let log = log.read(&self.rules)?;
                self.check_not_over(&log)?;
                let (cell, rng) = self.aim_at(py, &log, self.rng.clone())?;
                self.rng = rng;
                Ok(cell)
            }
            GameArgument::Referee(referee) => {
                let referee = referee.borrow();
                self.check_not_over(referee.log_of_shots())?;
                let rng = match self.game.take() {
                    Some((id, rng)) if id == referee.id => rng,
                    _ => referee.rng.clone(),
                };
                let (cell, rng) = self.aim_at(py, referee.log_of_shots(), rng)?;
                self.game = Some((referee.id, rng));
                Ok(cell)
            }
        }
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// What it does, in a line.
    #[getter]
    fn about(&self) -> &'static str {
        ROSTER.iter().find(|info| info.name == self.name).map_or("", |info| info.about)
    }

    /// The rules that it plays.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.rules.clone())
    }

    fn __repr__(&self) -> String {
        format!("Captain('{}', '{}')", self.name, self.rules)
    }
}

impl Captain {
    /// There is no shot to make in a game that is over or has other rules.
    fn check_not_over(&self, log: &broadside_rules::ShotLog) -> PyResult<()> {
        if log.rules() != &self.rules {
            return Err(PyErr::new::<CaptainError, _>(format!("this captain plays {}, not {}", self.rules, log.rules())));
        }
        if log.is_over() {
            return Err(PyErr::new::<crate::errors::FireError, _>(broadside_rules::FireError::Over.to_string()));
        }
        Ok(())
    }
}
