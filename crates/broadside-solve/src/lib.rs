//! Best play.
mod belief;
mod floor;
mod goal;
mod key;
mod policy;
mod remnant;
mod search;
mod solver;

pub use policy::{ParsePolicyError, Policy};
pub use solver::{Progress, SolveError, Solution, Solver};
