//! Errors of the Rust side as exceptions with the same text, all of one base class.

use std::error::Error;

use pyo3::exceptions::{PyException, PyOSError};
use pyo3::prelude::*;
use pyo3::{PyTypeInfo, create_exception};

create_exception!(broadside, BroadsideError, PyException, "Anything that Broadside refuses or can't do.");
create_exception!(broadside, RulesError, BroadsideError, "Rules that can't be read, or a fleet that doesn't fit on the board.");
create_exception!(broadside, LogError, BroadsideError, "A log of shots that can't be read or contradicts itself.");
create_exception!(broadside, LayoutError, BroadsideError, "A layout that can't be read or breaks the rules.");
create_exception!(broadside, OddsError, BroadsideError, "Odds that don't exist, since no layout fits, or are out of reach.");
create_exception!(broadside, DealError, BroadsideError, "A board that is too tight to deal from.");
create_exception!(broadside, CaptainError, BroadsideError, "A captain that is unknown, or doesn't play these rules.");
create_exception!(broadside, FireError, BroadsideError, "A shot that is not allowed.");
create_exception!(broadside, CampaignError, BroadsideError, "A campaign that can't be played.");
create_exception!(
    broadside,
    CheckpointError,
    BroadsideError,
    "A part of a campaign that can't be used, or doesn't go with others."
);

/// Adds the exceptions to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fn add<T: PyTypeInfo>(module: &Bound<'_, PyModule>, name: &str) -> PyResult<()> {
        module.add(name, module.py().get_type::<T>())
    }
    add::<BroadsideError>(module, "BroadsideError")?;
    add::<RulesError>(module, "RulesError")?;
    add::<LogError>(module, "LogError")?;
    add::<LayoutError>(module, "LayoutError")?;
    add::<OddsError>(module, "OddsError")?;
    add::<DealError>(module, "DealError")?;
    add::<CaptainError>(module, "CaptainError")?;
    add::<FireError>(module, "FireError")?;
    add::<CampaignError>(module, "CampaignError")?;
    add::<CheckpointError>(module, "CheckpointError")
}

/// The error and all that caused it, in a line.
fn text(error: &dyn Error) -> String {
    let chain = std::iter::successors(Some(error), |&error| error.source());
    chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// The error with its causes as an exception of this class.
pub(crate) fn exception<T: PyTypeInfo>(error: &dyn Error) -> PyErr {
    PyErr::new::<T, _>(text(error))
}

/// A function that makes exceptions of this class.
pub(crate) fn as_exception<T: PyTypeInfo, E: Error>() -> impl Fn(E) -> PyErr {
    |error| exception::<T>(&error)
}

/// A campaign's error: captains and dealing have classes of their own.
pub(crate) fn campaign(error: broadside_lab::CampaignError) -> PyErr {
    use broadside_lab::CampaignError as E;
    match error {
        E::Captain(error) => exception::<CaptainError>(&error),
        E::Deal(error) => exception::<DealError>(&error),
        error => exception::<CampaignError>(&error),
    }
}

/// A folder's error: what is wrong with the checkpoint in it, or else with the system.
pub(crate) fn folder(error: broadside_lab::CampaignFolderError) -> PyErr {
    match &error {
        broadside_lab::CampaignFolderError::Unusable { .. } => exception::<CheckpointError>(&error),
        _ => exception::<PyOSError>(&error),
    }
}
