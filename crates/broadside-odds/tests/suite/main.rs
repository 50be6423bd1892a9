//! The tests of `broadside-odds`: one suite for all engines.

mod agreement;
mod along;
mod cases;
mod claims;
mod common;
mod contradictions;
mod dealing;
mod estimates;
mod games;
#[cfg(feature = "gpu")]
mod gpu;
mod limits;
mod midgame;
mod samples;
mod stopping;
mod texts;
mod variants;
mod weights;
