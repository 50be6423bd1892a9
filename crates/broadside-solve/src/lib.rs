#![doc = include_str!("../README.md")]
//!
//! # How the solver works
//! A *state* is the unhit cells of each ship of a layout, and a *position* is the set of states that fit all answers. The
//! search goes from position to position. Two things make it fast. Positions that differ only in where their cells are share
//! one entry (`canonical`). And a lower bound on the misses is worked out before a position is searched (`position_bound`).

mod bits;
mod bound;
mod canonical;
mod channel_bound;
mod counting_bound;
mod equilibrium;
mod hidden_ship;
pub mod mask;
mod objective;
mod policy;
mod position;
mod position_bound;
mod search;
mod solver;
mod state;
mod weight;

pub use bound::Bound;
pub use channel_bound::shots_with_false_answers;
pub use equilibrium::{Equilibrium, EquilibriumProgress, LayoutClass};
pub use policy::{ParsePolicyError, Policy};
pub use solver::{Progress, Solution, SolveError, Solver};
