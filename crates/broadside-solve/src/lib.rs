//! Best play: the least expected number of shots that sinks the fleet, exactly, on small boards.
//!
//! [`Solver`] searches over what a shooter may believe. It finds the least expected number of shots as a fraction, the
//! best first shots, the least worst case against a defender who never commits to a layout, and a whole plan of play, a
//! [`Policy`]. [`Bound`] proves for boards of any size that no play does better than some number of shots. [`mask`] has the
//! smallest firing patterns that no ship escapes.
//!
//! ```
//! use broadside_odds::Budget;
//! use broadside_rules::{Rules, ShotLog};
//! use broadside_solve::Solver;
//!
//! let rules: Rules = "4x4 3 allowed ship".parse()?;
//! let solution = Solver::new(&ShotLog::new(&rules), Budget::default())?.solve(&mut |_| {})?;
//! assert_eq!(solution.expected().to_string(), "45/8");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Two things make it quick: positions that differ only in where their cells lie have one name (`key`), and the misses
//! that can't be avoided are counted before anything is searched (`floor`).
//!
//! The crate reads no files and knows no clock: a search keeps to a budget of memory. It gives the optimum or says that it is
//! out of reach; good play on larger boards is the captains' business.

mod belief;
mod bound;
mod counting;
mod floor;
mod goal;
mod hidden;
mod key;
pub mod mask;
mod policy;
mod remnant;
mod search;
mod solver;

pub use bound::Bound;
pub use policy::{ParsePolicyError, Policy};
pub use solver::{Progress, Solution, SolveError, Solver};
