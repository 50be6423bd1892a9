//! The folder of a campaign.

use std::path::PathBuf;

use pyo3::prelude::*;

use crate::campaign::{CaptainsArgument, LayoutsArgument, campaign};
use crate::errors::{self, BroadsideError, CheckpointError, as_exception};
use crate::results::Results;
use crate::rules::RulesArgument;

/// A folder of results that nobody else writes to, until it is closed: a checkpoint while the campaign runs, the results at the
/// end. The program's `simulate --resume` and `merge` read it.
#[pyclass(module = "broadside")]
pub(crate) struct CampaignFolder(Option<broadside_lab::CampaignFolder>);

impl CampaignFolder {
    fn open(&self) -> PyResult<&broadside_lab::CampaignFolder> {
        self.0.as_ref().ok_or_else(|| PyErr::new::<BroadsideError, _>("the folder is closed"))
    }
}

#[pymethods]
impl CampaignFolder {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        broadside_lab::CampaignFolder::open(&path).map(|folder| Self(Some(folder))).map_err(errors::folder)
    }

    /// The checkpoint in it, if there is one.
    fn load(&self) -> PyResult<Option<Results>> {
        Ok(self.open()?.checkpoint().map_err(errors::folder)?.map(Results))
    }

    /// The checkpoint to go on from with this campaign, if there is one; one of another campaign raises `CheckpointError`.
    #[pyo3(signature = (rules, captains, games, seed=1, *, layouts=LayoutsArgument::Source("uniform".to_owned())))]
    fn resume(
        &self,
        rules: RulesArgument<'_>,
        captains: CaptainsArgument,
        games: u64,
        seed: u64,
        layouts: LayoutsArgument,
    ) -> PyResult<Option<Results>> {
        let campaign = campaign(&rules, captains, games, seed, &layouts)?;
        let found = self.load()?;
        if let Some(found) = &found {
            found.0.tally(&campaign).map_err(as_exception::<CheckpointError, _>())?;
        }
        Ok(found)
    }

    /// Writes a checkpoint, whole or not at all.
    fn save(&self, results: &Bound<'_, Results>) -> PyResult<()> {
        self.open()?.save(&results.get().0).map_err(errors::folder)
    }

    /// Writes results.json, summary.csv and histogram.csv, each whole or not at all.
    fn keep(&self, results: &Bound<'_, Results>) -> PyResult<()> {
        let folder = self.open()?;
        let files = results.get().0.results().data_files();
        files.iter().try_for_each(|(name, bytes)| folder.write(name, bytes)).map_err(errors::folder)
    }

    /// Lets others have the folder.
    fn close(&mut self) {
        self.0 = None;
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_args))]
    fn __exit__(&mut self, _args: &Bound<'_, PyAny>) {
        self.close();
    }
}
