//! Many games at once, as environments for learning agents need them: arrays in, arrays out.

use broadside_captains::{Captain, GameRng, Registry};
use broadside_lab::generator;
use broadside_odds::Dealer;
use broadside_rules::{Answer, CellSet, Grid, Layout, Referee, Rules, ShotLog, Stop, Stopped};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::errors::{CaptainError, DealError, as_exception, exception};
use crate::odds::{Odds, exact_odds};
use crate::referee::code;
use crate::rules::RulesArgument;
use crate::work::{self, Owned};

/// What shots are worth.
#[derive(Clone, Copy)]
struct Rewards {
    miss: f64,
    hit: f64,
    /// More for a hit that sinks a ship and is called.
    sunk: f64,
    /// More for the hit that ends the game.
    won: f64,
    repeated: f64,
}

/// Boards, each with a game of its own. Board `b` of `n` plays games `b`, `b + n`, `b + 2n` … of the campaign with the seed.
///
/// The arrays belong to the caller and are written in place: `observations` (n, cells) of int16, `masks` (n, cells) of int8,
/// `rewards` of float64, `terminated` and `truncated` of bool (n). An observation is 0 where nobody has fired, 1 on rocks; elsewhere its
/// remainder by 4 is 1 for a miss, 2 for a hit and 3 for a hit that sank a ship, and its quotient by 4 is the length that was
/// called, if one was.
#[pyclass(module = "broadside")]
pub(crate) struct Boards {
    rules: Rules,
    seed: u64,
    rewards: Rewards,
    max_steps: u32,
    dealer: Dealer,
    boards: Vec<Board>,
}

struct Board {
    referee: Referee,
    game: u64,
    steps: u32,
    /// The game is over or was given up: the next step starts another one.
    ended: bool,
    /// What the captains' choices in this game derive from.
    rng: GameRng,
    teacher: Option<Teacher>,
}

/// A captain who says what it would do.
struct Teacher {
    name: String,
    captain: Owned<Box<dyn Captain>>,
    game: u64,
    rng: GameRng,
}

/// The rows of the caller's arrays that belong to one board.
struct View<'a> {
    observation: &'a mut [i16],
    mask: &'a mut [i8],
}

impl Board {
    fn start(&mut self, game: u64, layout: Layout, rng: GameRng, view: &mut View<'_>) {
        self.referee.restart(layout);
        (self.game, self.steps, self.ended, self.rng) = (game, 0, false, rng);
        view.observation.fill(0);
        view.mask.fill(1);
        let rules = self.referee.log().rules();
        for rock in rules.rocks().into_iter().flat_map(CellSet::iter).map(|cell| rules.grid().index(cell)) {
            (view.observation[rock], view.mask[rock]) = (code(Answer::Miss), 0);
        }
    }

    /// Fires, and says what that is worth.
    #[inline]
    fn fire(&mut self, grid: Grid, action: usize, rewards: Rewards, view: &mut View<'_>) -> f64 {
        self.steps += 1;
        if view.observation[action] != 0 {
            return rewards.repeated;
        }
        let cell = grid.cell(action).expect("actions have been checked");
        let answer = self.referee.fire(cell).expect("the cell is open and the game is on");
        view.observation[action] = code(answer);
        view.mask[action] = 0;
        if !answer.is_hit() {
            return rewards.miss;
        }
        rewards.hit + f64::from(answer.is_sunk()) * rewards.sunk + f64::from(self.referee.is_over()) * rewards.won
    }

    /// The cell that a captain fires at.
    fn aim(&mut self, name: &str, rules: &Rules, stop: &Stop) -> Result<i64, TeachError> {
        if self.teacher.as_ref().is_none_or(|teacher| teacher.name != name) {
            let captain = Owned::new(Registry::new().captain(name, rules)?);
            self.teacher = Some(Teacher { name: name.to_owned(), captain, game: self.game, rng: self.rng.clone() });
        }
        let teacher = self.teacher.as_mut().expect("it was just made");
        if teacher.game != self.game || self.referee.log().is_empty() {
            (teacher.game, teacher.rng) = (self.game, self.rng.clone());
        }
        if self.referee.is_over() {
            return Ok(0);
        }
        let captain = teacher.captain.get_mut();
        captain.set_stop(stop);
        let cell = captain.aim(self.referee.log(), &mut teacher.rng);
        stop.check()?;
        Ok(rules.grid().index(cell).cast_signed() as i64)
    }
}

#[derive(Debug, thiserror::Error)]
enum TeachError {
    #[error(transparent)]
    Captain(#[from] broadside_captains::CaptainError),
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl Boards {
    fn grid(&self) -> Grid {
        self.rules.grid()
    }

    fn board(&self, number: usize) -> PyResult<&Board> {
        self.boards.get(number).ok_or_else(|| PyIndexError::new_err("there is no such board"))
    }

    /// The layout of a game, and the generator after dealing.
    fn deal(dealer: &mut Dealer, seed: u64, game: u64) -> Result<(Layout, GameRng), broadside_odds::DealError> {
        let mut rng = generator(seed, game);
        Ok((dealer.uniform(&mut rng)?, rng))
    }

    fn log(&self, number: usize) -> PyResult<&ShotLog> {
        Ok(self.board(number)?.referee.log())
    }

    fn check_shapes(&self, observations: &PyReadwriteArray2<'_, i16>, masks: &PyReadwriteArray2<'_, i8>) -> PyResult<()> {
        use numpy::PyUntypedArrayMethods;
        let shape = [self.boards.len(), self.grid().len()];
        if observations.shape() != shape || masks.shape() != shape {
            return Err(PyValueError::new_err(format!("observations and masks need the shape {shape:?}")));
        }
        Ok(())
    }
}

fn contiguous<T>(slice: Result<T, numpy::AsSliceError>) -> PyResult<T> {
    slice.map_err(|_| PyValueError::new_err("the arrays must be contiguous"))
}

#[pymethods]
impl Boards {
    #[new]
    #[pyo3(signature = (rules, number, *, seed=1, rewards=(-1.0, -1.0, 0.0, 0.0, -1.0), max_steps=None))]
    fn new(
        rules: RulesArgument<'_>,
        number: usize,
        seed: u64,
        rewards: (f64, f64, f64, f64, f64),
        max_steps: Option<u32>,
    ) -> PyResult<Self> {
        let rules = rules.get()?;
        if number == 0 {
            return Err(PyValueError::new_err("there must be at least one board"));
        }
        if !rules.salvo().is_single() {
            return Err(PyValueError::new_err("environments play one shot a turn: leave out the salvo"));
        }
        if !rules.noise().is_none() {
            return Err(PyValueError::new_err("environments give true answers: leave out the noise"));
        }
        let mut dealer = Dealer::new(&rules);
        let mut boards = Vec::with_capacity(number);
        for game in 0..number as u64 {
            let (layout, rng) = Self::deal(&mut dealer, seed, game).map_err(as_exception::<DealError, _>())?;
            boards.push(Board { referee: Referee::new(&rules, layout), game, steps: 0, ended: false, rng, teacher: None });
        }
        let (miss, hit, sunk, won, repeated) = rewards;
        let max_steps = max_steps.unwrap_or(4 * rules.grid().len() as u32);
        let rewards = Rewards { miss, hit, sunk, won, repeated };
        Ok(Self { rules, seed, rewards, max_steps, dealer, boards })
    }

    /// Starts games on all boards, or on those of `which`: with a seed, the first games of its campaign; without one, each
    /// board's next game.
    #[pyo3(signature = (observations, masks, seed=None, which=None))]
    fn reset(
        &mut self,
        mut observations: PyReadwriteArray2<'_, i16>,
        mut masks: PyReadwriteArray2<'_, i8>,
        seed: Option<u64>,
        which: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<()> {
        self.check_shapes(&observations, &masks)?;
        let (cells, number) = (self.grid().len(), self.boards.len() as u64);
        let (observations, masks) = (contiguous(observations.as_slice_mut())?, contiguous(masks.as_slice_mut())?);
        let which = which.as_ref().map(|which| contiguous(which.as_slice())).transpose()?;
        self.seed = seed.unwrap_or(self.seed);
        let rows = observations.chunks_exact_mut(cells).zip(masks.chunks_exact_mut(cells));
        for (first, (board, (observation, mask))) in self.boards.iter_mut().zip(rows).enumerate() {
            if which.is_some_and(|which| !which.get(first).copied().unwrap_or(false)) {
                continue;
            }
            let game = if seed.is_some() { first as u64 } else { board.game + number };
            let dealt = Self::deal(&mut self.dealer, self.seed, game).map_err(as_exception::<DealError, _>())?;
            board.start(game, dealt.0, dealt.1, &mut View { observation, mask });
        }
        Ok(())
    }

    /// Fires once on every board. Where the last step ended a game, the action is ignored and the next game starts instead,
    /// with reward 0, if `autoreset` is set; without it nothing happens there any more.
    #[pyo3(signature = (actions, observations, masks, rewards, terminated, truncated, *, autoreset=true))]
    #[expect(clippy::too_many_arguments, reason = "arguments from Python")]
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        mut observations: PyReadwriteArray2<'_, i16>,
        mut masks: PyReadwriteArray2<'_, i8>,
        mut rewards: PyReadwriteArray1<'_, f64>,
        mut terminated: PyReadwriteArray1<'_, bool>,
        mut truncated: PyReadwriteArray1<'_, bool>,
        autoreset: bool,
    ) -> PyResult<()> {
        self.check_shapes(&observations, &masks)?;
        let grid = self.grid();
        let actions = contiguous(actions.as_slice())?;
        let (rewards, terminated) = (contiguous(rewards.as_slice_mut())?, contiguous(terminated.as_slice_mut())?);
        let (observations, masks) = (contiguous(observations.as_slice_mut())?, contiguous(masks.as_slice_mut())?);
        let truncated = contiguous(truncated.as_slice_mut())?;
        let number = self.boards.len();
        if [actions.len(), rewards.len(), terminated.len(), truncated.len()] != [number; 4] {
            return Err(PyValueError::new_err(format!("there must be {number} actions, rewards and flags")));
        }
        if let Some(action) = actions.iter().find(|&&action| !usize::try_from(action).is_ok_and(|action| action < grid.len())) {
            return Err(PyValueError::new_err(format!("there is no action {action}: the board has {} cells", grid.len())));
        }
        let stepped = py.detach(|| {
            let rows = observations.chunks_exact_mut(grid.len()).zip(masks.chunks_exact_mut(grid.len()));
            let flags = rewards.iter_mut().zip(terminated.iter_mut().zip(truncated.iter_mut()));
            let boards = self.boards.iter_mut().zip(actions).zip(rows).zip(flags);
            for (((board, &action), (observation, mask)), (reward, (terminated, truncated))) in boards {
                let mut view = View { observation, mask };
                if board.ended {
                    *reward = 0.0;
                    if autoreset {
                        let game = board.game + number as u64;
                        let (layout, rng) = Self::deal(&mut self.dealer, self.seed, game)?;
                        board.start(game, layout, rng, &mut view);
                        (*terminated, *truncated) = (false, false);
                    }
                    continue;
                }
                *reward = board.fire(grid, action.cast_unsigned() as usize, self.rewards, &mut view);
                *terminated = board.referee.is_over();
                *truncated = !*terminated && board.steps >= self.max_steps;
                board.ended = *terminated || *truncated;
            }
            Ok(())
        });
        stepped.map_err(as_exception::<DealError, broadside_odds::DealError>())
    }

    /// The cell that a captain would fire at on each board, as actions, on all cores; 0 where the game is over. A captain who is
    /// asked from the first shot on plays as it does in the campaign.
    fn aim<'py>(&mut self, py: Python<'py>, captain: &str) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let (boards, rules) = (&mut self.boards, &self.rules);
        let aimed: Result<Vec<i64>, TeachError> =
            work::run(py, None, |watch| boards.par_iter_mut().map(|board| board.aim(captain, rules, &watch.stop)).collect())?;
        let cells = aimed.map_err(|error| match error {
            TeachError::Captain(error) => exception::<CaptainError>(&error),
            TeachError::Stopped(error) => exception::<CaptainError>(&error),
        })?;
        Ok(cells.into_pyarray(py))
    }

    /// The exact odds on a board.
    #[pyo3(signature = (board=0))]
    fn odds(&self, py: Python<'_>, board: usize) -> PyResult<Odds> {
        exact_odds(py, self.log(board)?)
    }

    /// The shots on a board so far, with their answers.
    #[pyo3(signature = (board=0))]
    fn shots(&self, board: usize) -> PyResult<String> {
        Ok(self.log(board)?.to_string())
    }

    /// The number of the game on each board.
    #[getter]
    fn games<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        self.boards.iter().map(|board| board.game).collect::<Vec<_>>().into_pyarray(py)
    }

    /// How many shots were fired on each board, repeated ones included.
    #[getter]
    fn steps<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.boards.iter().map(|board| board.steps).collect::<Vec<_>>().into_pyarray(py)
    }

    fn __len__(&self) -> usize {
        self.boards.len()
    }
}
