//! Tournaments of captains: a range of their games, and parts put together.

use std::ops::ControlFlow;
use std::path::PathBuf;

use broadside_bots::tournament::{Mode, Pairing, Placing, Player, TournamentConfig, TournamentError, TournamentMerge};
use broadside_bots::{BotSettings, Launcher, Resources, TimeControl};
use broadside_captains::Registry;
use broadside_lab::Ranges;
use broadside_rules::Turns;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::campaign::LayoutsArgument;
use crate::errors::{CampaignError, CaptainError, CheckpointError, DealError, as_exception, exception};
use crate::rules::RulesArgument;
use crate::work;

/// Adds what is in this file to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Tournament>()?;
    module.add_class::<TournamentPart>()?;
    module.add_function(wrap_pyfunction!(merge_tournament, module)?)
}

/// Captains against each other, as `broadside tournament` plays them. Its games are numbered, and any range of them can be played
/// anywhere.
///
/// `games` is how many each pair plays. `mode` is 'duel' (both place and fire in turns) or 'solo' (everybody fires at the same layouts);
/// `pairing` 'round-robin', 'gauntlet' (the first meets all others) or 'pairs'; `turns` 'alternate' or 'hit-again'; `layouts` 'own', or
/// as for `simulate`: by default 'own' in duels and 'uniform' in solo.
///
/// >>> tournament = Tournament("sploosh", ["random", "density"], games=10, seed=1)
/// >>> tournament.games
/// 10
/// >>> parts = [tournament.play(first, first + 5) for first in (5, 0)]
/// >>> merge_tournament(parts) == tournament.play()
/// True
#[pyclass(frozen, module = "broadside")]
pub(crate) struct Tournament(broadside_bots::tournament::Tournament);

/// The one of some things that a word names.
fn named<T: Copy>(what: &str, word: &str, all: &[T], name: impl Fn(T) -> &'static str) -> PyResult<T> {
    all.iter().copied().find(|&one| name(one) == word).ok_or_else(|| {
        let words: Vec<_> = all.iter().map(|&one| format!("'{}'", name(one))).collect();
        PyValueError::new_err(format!("{what} is {}, not '{word}'", words.join(" or ")))
    })
}

fn placing(mode: Mode, layouts: Option<LayoutsArgument>, rules: &broadside_rules::Rules) -> PyResult<Placing> {
    let own = match &layouts {
        None => mode == Mode::Duel,
        Some(LayoutsArgument::Source(source)) => source == "own",
        Some(LayoutsArgument::Listed(_)) => false,
    };
    if own {
        return Ok(Placing::Own);
    }
    let layouts = layouts.unwrap_or_else(|| LayoutsArgument::Source("uniform".to_owned()));
    layouts.read(rules).map(Placing::Dealt)
}

fn failure(error: TournamentError) -> PyErr {
    match error {
        TournamentError::Captain(error) => exception::<CaptainError>(&error),
        TournamentError::Deal(error) => exception::<DealError>(&error),
        error => exception::<CampaignError>(&error),
    }
}

#[pymethods]
impl Tournament {
    #[new]
    #[pyo3(signature = (rules, captains, games=100, seed=1, *, mode="duel", pairing="round-robin", turns="alternate", layouts=None))]
    #[expect(clippy::too_many_arguments, reason = "arguments from Python")]
    fn new(
        rules: RulesArgument<'_>,
        captains: Vec<String>,
        games: u64,
        seed: u64,
        mode: &str,
        pairing: &str,
        turns: &str,
        layouts: Option<LayoutsArgument>,
    ) -> PyResult<Self> {
        if !(1..=1 << 32).contains(&games) {
            return Err(PyValueError::new_err("each pair plays from 1 game to 2 to the power of 32"));
        }
        let rules = rules.get()?;
        let mode = named("mode", mode, Mode::ALL, Mode::word)?;
        let config = TournamentConfig {
            players: captains.into_iter().map(Player::captain).collect(),
            mode,
            turns: named("turns", turns, Turns::ALL, Turns::word)?,
            pairing: named("pairing", pairing, Pairing::ALL, Pairing::word)?,
            placing: placing(mode, layouts, &rules)?,
            rules,
            games,
            seed,
            sprt: None,
        };
        let (time, resources) = (TimeControl::default(), Resources::default());
        // Captains play inside this process: nothing is started.
        let settings = BotSettings { launcher: Launcher::direct(), time, resources, cores: Vec::new() };
        broadside_bots::tournament::Tournament::new(config, Registry::new(), settings).map(Self).map_err(failure)
    }

    /// How many games it has in all.
    #[getter]
    fn games(&self) -> u64 {
        self.0.schedule().len()
    }

    /// Plays games `first` to `last` - 1, all of them unless told. The part depends on nothing else.
    #[pyo3(signature = (first=0, last=None, *, threads=None, progress=None))]
    fn play(
        &self,
        py: Python<'_>,
        first: u64,
        last: Option<u64>,
        threads: Option<usize>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<TournamentPart> {
        let last = last.unwrap_or(self.games());
        if first > last || last > self.games() {
            return Err(PyValueError::new_err("first is at most last, and last at most the number of games"));
        }
        let workers = vec![Vec::new(); threads.unwrap_or_else(rayon::current_num_threads).max(1)];
        let mut part = broadside_bots::tournament::TournamentPart::new(self.0.config());
        let played = work::run(py, progress.as_ref(), |watch| {
            self.0.play(&Ranges::from(first..last), &workers, &watch.halt, |line| {
                part.add(line);
                watch.add(1);
                ControlFlow::Continue(())
            })
        })?;
        played.map(|()| TournamentPart(part)).map_err(failure)
    }
}

/// Some games of a tournament, or all.
#[pyclass(frozen, module = "broadside")]
pub(crate) struct TournamentPart(broadside_bots::tournament::TournamentPart);

#[pymethods]
impl TournamentPart {
    /// Reads what `to_text` has written; a text that is damaged raises `CheckpointError`.
    #[staticmethod]
    fn from_text(text: &str) -> PyResult<Self> {
        broadside_bots::tournament::TournamentPart::parse(text).map(Self).map_err(as_exception::<CheckpointError, _>())
    }

    /// The part in a folder of `broadside tournament --out`, or the part that this file is.
    #[staticmethod]
    fn read(path: PathBuf) -> PyResult<Self> {
        broadside_bots::tournament::TournamentPart::read(&path).map(Self).map_err(as_exception::<CheckpointError, _>())
    }

    /// The part as text with a checksum, the same for the same games.
    fn to_text(&self) -> String {
        self.0.to_text()
    }

    /// What its games show, as `broadside tournament --format json` prints it.
    fn to_json(&self) -> String {
        self.0.results().json()
    }

    /// How many games it has.
    #[getter]
    fn games(&self) -> u64 {
        self.0.games().len()
    }

    /// The games of the tournament that are not in it, as (first, last) with last left out.
    #[getter]
    fn missing(&self) -> Vec<(u64, u64)> {
        self.0.missing().iter().map(|range| (range.start, range.end)).collect()
    }

    /// Puts its games into a folder as `broadside tournament --out` does and, if none is missing, the results.
    fn write(&self, path: PathBuf) -> PyResult<()> {
        let folder = self.0.write_to(&path).map_err(as_exception::<CheckpointError, _>())?;
        if !self.0.missing().is_empty() {
            return Ok(());
        }
        let files = self.0.results().data_files();
        files.iter().try_for_each(|(name, bytes)| folder.write(name, bytes)).map_err(as_exception::<PyOSError, _>())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().to_text() == self.to_text())
    }

    fn __hash__(&self) -> u64 {
        self.0.identity().seed ^ self.games()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let text = PyTuple::new(slf.py(), [slf.get().to_text()])?;
        Ok((slf.get_type().getattr("from_text")?, text))
    }

    fn __repr__(&self) -> String {
        format!("<TournamentPart of {} games of {}>", self.0.games().len(), self.0.whole())
    }
}

/// Puts parts of a tournament together, in any order: the same as if all their games had been played at once.
///
/// Games that are there twice count once; parts of other tournaments raise `CheckpointError`.
#[pyfunction]
pub(crate) fn merge_tournament(parts: Vec<Bound<'_, TournamentPart>>) -> PyResult<TournamentPart> {
    let mut merge = TournamentMerge::new();
    for (number, part) in parts.iter().enumerate() {
        merge.add(format!("part {number}"), part.get().0.clone()).map_err(as_exception::<CheckpointError, _>())?;
    }
    merge.finish().map(TournamentPart).ok_or_else(|| PyErr::new::<CheckpointError, _>("there are no parts"))
}
