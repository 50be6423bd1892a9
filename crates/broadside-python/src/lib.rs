//! Broadside from Python: the part of the package `broadside` that is Rust.
//!
//! Everything here is a thin layer over the library crates. Long work runs without the interpreter's lock and ends soon after
//! Ctrl-C ([`work`]); every error becomes an exception with the same text ([`errors`]).

// Arguments come from Python by value, documentation is written for Python, and a class has the name of what it holds.
#![allow(
    clippy::needless_pass_by_value,
    clippy::doc_markdown,
    clippy::doc_link_with_quotes,
    clippy::struct_field_names,
    rustdoc::all
)]

mod boards;
mod campaign;
mod captain;
mod cells;
mod deal;
mod errors;
mod folder;
mod odds;
mod placing;
mod referee;
mod results;
mod rules;
#[cfg(unix)]
mod tournament;
mod work;

use pyo3::prelude::*;

/// The part of the package that is Rust; import `broadside` instead.
#[pymodule]
fn _broadside(module: &Bound<'_, PyModule>) -> PyResult<()> {
    errors::add_to(module)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<rules::Rules>()?;
    module.add_class::<odds::Odds>()?;
    module.add_class::<deal::Report>()?;
    module.add_class::<deal::Violation>()?;
    module.add_class::<referee::Answer>()?;
    module.add_class::<referee::Referee>()?;
    module.add_class::<captain::Captain>()?;
    module.add_class::<results::Results>()?;
    module.add_class::<results::CaptainResult>()?;
    module.add_class::<folder::CampaignFolder>()?;
    module.add_class::<boards::Boards>()?;
    module.add_class::<placing::Placing>()?;
    module.add_function(wrap_pyfunction!(odds::odds, module)?)?;
    module.add_function(wrap_pyfunction!(odds::odds_many, module)?)?;
    module.add_function(wrap_pyfunction!(odds::_count_many_seconds, module)?)?;
    module.add_function(wrap_pyfunction!(deal::count, module)?)?;
    module.add_function(wrap_pyfunction!(deal::deal, module)?)?;
    module.add_function(wrap_pyfunction!(deal::validate, module)?)?;
    module.add_function(wrap_pyfunction!(captain::captains, module)?)?;
    module.add_function(wrap_pyfunction!(campaign::simulate, module)?)?;
    module.add_function(wrap_pyfunction!(campaign::play_range, module)?)?;
    module.add_function(wrap_pyfunction!(campaign::merge, module)?)?;
    #[cfg(unix)]
    tournament::add_to(module)?;
    // What is public is said by the package.
    module.delattr("__all__")
}
