//! Campaigns: all of them, a range of games, parts put together.

use broadside_lab::{Campaign, CampaignConfig, Checkpoint, Layouts, Merge, Ranges};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::{self, CheckpointError, as_exception};
use crate::results::Results;
use crate::rules::RulesArgument;
use crate::work;

/// Captains: a name, or a list of names.
#[derive(FromPyObject)]
pub(crate) enum CaptainsArgument {
    One(String),
    Several(Vec<String>),
}

/// Where layouts come from: 'uniform', 'sequential', or a list of layouts.
#[derive(FromPyObject)]
pub(crate) enum LayoutsArgument {
    Source(String),
    Listed(Vec<String>),
}

impl LayoutsArgument {
    pub(crate) fn read(&self, rules: &broadside_rules::Rules) -> PyResult<Layouts> {
        match self {
            Self::Source(source) => match source.as_str() {
                "uniform" => Ok(Layouts::Uniform),
                "sequential" => Ok(Layouts::Sequential),
                _ => Err(PyValueError::new_err("layouts are 'uniform', 'sequential', or a list of layouts")),
            },
            Self::Listed(texts) => {
                let layouts = texts.iter().map(|text| crate::deal::layout(rules, text));
                Ok(Layouts::Listed(layouts.collect::<PyResult<_>>()?))
            }
        }
    }
}

/// The campaign that Python describes.
pub(crate) fn campaign(
    rules: &RulesArgument<'_>,
    captains: CaptainsArgument,
    games: u64,
    seed: u64,
    layouts: &LayoutsArgument,
) -> PyResult<Campaign> {
    let rules = rules.get()?;
    let captains = match captains {
        CaptainsArgument::One(name) => vec![name],
        CaptainsArgument::Several(names) => names,
    };
    let layouts = layouts.read(&rules)?;
    Campaign::new(CampaignConfig { rules, games, seed }, captains, layouts).map_err(errors::campaign)
}

fn play(
    py: Python<'_>,
    campaign: Campaign,
    games: &Ranges,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Results> {
    let played = work::run(py, progress, |watch| {
        let campaign = campaign.until(&watch.stop);
        let mut tally = campaign.start();
        let add = |games| {
            watch.add(games);
            false
        };
        let played = work::on_threads(threads, || campaign.play_games(games, &mut tally, add))?;
        played.map(|()| Checkpoint::new(&campaign, &tally)).map_err(errors::campaign)
    })?;
    played.map(Results)
}

/// Lets captains play many games on the same layouts: the same numbers as the program's for the same seed.
///
/// `progress` is called with the number of games played, about twenty times a second and at the end.
///
/// >>> results = simulate("sploosh", ["random", "density"], games=1000, seed=1)
/// >>> [captain.name for captain in results.captains], results.histograms.shape
/// (['random', 'density'], (2, 65))
/// >>> results.differences[0]["settled"]
/// True
#[pyfunction]
#[pyo3(signature = (rules, captains, games=10_000, seed=1, *, layouts=LayoutsArgument::Source("uniform".to_owned()), threads=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "arguments from Python")]
pub(crate) fn simulate(
    py: Python<'_>,
    rules: RulesArgument<'_>,
    captains: CaptainsArgument,
    games: u64,
    seed: u64,
    layouts: LayoutsArgument,
    threads: Option<usize>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Results> {
    if games == 0 {
        return Err(PyValueError::new_err("a campaign has at least one game"));
    }
    let campaign = campaign(&rules, captains, games, seed, &layouts)?;
    play(py, campaign, &(0..games).into(), threads, progress.as_ref())
}

/// Plays games `first` to `last` - 1 of a campaign: the part that `merge` puts together with others.
///
/// `games` is how many games the whole campaign has, if that is known. The result depends on the arguments only, wherever and
/// whenever it is played.
///
/// >>> parts = [play_range("sploosh", ["density"], 1, first, first + 50) for first in (0, 50)]
/// >>> merge(parts) == simulate("sploosh", ["density"], games=100, seed=1)
/// True
#[pyfunction]
#[pyo3(signature = (rules, captains, seed, first, last, *, games=None, layouts=LayoutsArgument::Source("uniform".to_owned()), threads=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "arguments from Python")]
pub(crate) fn play_range(
    py: Python<'_>,
    rules: RulesArgument<'_>,
    captains: CaptainsArgument,
    seed: u64,
    first: u64,
    last: u64,
    games: Option<u64>,
    layouts: LayoutsArgument,
    threads: Option<usize>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Results> {
    if first >= last || games.is_some_and(|games| games < last) {
        return Err(PyValueError::new_err("a range has games: first < last, and last is at most the number of games"));
    }
    let campaign = campaign(&rules, captains, games.unwrap_or(last), seed, &layouts)?;
    play(py, campaign, &(first..last).into(), threads, progress.as_ref())
}

/// Puts parts of a campaign together, in any order: the same as if all their games had been played at once.
///
/// A part that is there twice counts once. Parts of other campaigns, and parts that have some of the same games without being
/// the same, raise `CheckpointError`. Games that are missing are in `missing` of the result.
///
/// >>> part = play_range("sploosh", ["density"], 1, 50, 80, games=100)
/// >>> merge([part, part]).missing
/// [(0, 50), (80, 100)]
#[pyfunction]
pub(crate) fn merge(parts: Vec<Bound<'_, Results>>) -> PyResult<Results> {
    let mut merge = Merge::new();
    for (number, part) in parts.iter().enumerate() {
        merge.add(format!("part {number}"), part.get().0.clone()).map_err(as_exception::<CheckpointError, _>())?;
    }
    merge.finish().map(Results).ok_or_else(|| PyErr::new::<CheckpointError, _>("there are no parts"))
}
