//! Exact odds: from a log of shots to the number of layouts that fit it, and for each cell how many of them have a ship
//! there.
//!
//! ```
//! use broadside_odds::{Budget, Engine};
//! use broadside_rules::{Preset, ShotLog};
//!
//! let log = ShotLog::parse(&Preset::Classic.rules(), "E5- C3+ C4+ C5#3")?;
//! let counts = Engine::Transfer.count(&log, Budget::default())?;
//! assert_eq!(counts.at("C3".parse()?), counts.layouts());
//! assert_eq!(counts.at("E5".parse()?), 0);
//! println!("{} layouts fit; fire at {}", counts.layouts(), counts.best(log.fired())[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A log is first read as a [`Problem`]: which placements each class of ships may still take, and which cells must be
//! covered. Then one of the engines counts. [`oracle`] lists every layout and replays the log against the referee; it is the
//! definition. [`baseline::clique`] is the published way. [`Transfer`] is the default: it sweeps over the board and is
//! thousands of times as fast. With the feature `gpu` there is a module of that name, which lists cliques on a GPU. One suite holds
//! them to the same integers.
//!
//! The same sweeps draw exact uniform samples of the layouts left ([`Transfer::sample`]) and weigh layouts by how an opponent
//! likes to place ships ([`PlacementWeights`], [`Transfer::weigh`]). Where exact odds pass a [`Budget`], [`odds`] gives
//! [`EstimatedCounts`] with their errors, which is a type of its own. A log that no layout fits is [explained](explain).
//!
//! [`Dealer`] deals random layouts to play on. All work that may take long gives up when it is asked to: see
//! [`Budget::until`].
//!
//! The crate reads no files, has no clock, and does not choose shots: the cell with the highest chance is not always the
//! best one. `broadside-captains` chooses.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod baseline;
mod budget;
mod cases;
mod cell_uses;
mod contradiction;
mod counts;
mod dealer;
mod edge_factors;
mod engine;
mod estimate;
mod estimate_called;
#[cfg(feature = "gpu")]
pub mod gpu;
mod habit_choice;
mod habits;
mod learn;
mod noise;
pub mod oracle;
mod problem;
mod touching;
mod touching_fit;
mod transfer;
mod weights;

pub use budget::{Budget, OutOfReach, ParseBudgetError, WorkLimits};
pub use cell_uses::{CellUses, ParseUsesError};
pub use contradiction::{Contradiction, explain};
pub use counts::{Counts, WeightedCounts};
pub use dealer::{DealError, Dealer};
pub use edge_factors::EdgeFactors;
pub use engine::{Engine, Odds, OddsError, ParseEngineError, odds, odds_from_counts};
pub use estimate::{Estimate, EstimatedCounts, estimate, estimate_until};
pub use habit_choice::{ChosenHabits, HabitKind, choose_habits, is_clear, learn_habits, mean_and_error};
pub use learn::{CellModel, DEFAULT_PRIOR, Learner};
pub use problem::{Problem, ShipClass};
pub use touching::Touching;
pub use touching_fit::TouchingFit;
pub use transfer::{BatchTransfer, InstructionSet, Sampler, Transfer, WeightedOdds, odds_many};
pub use weights::{ParseWeightsError, PlacementWeights};

/// The examples of the README are tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
