//! Exact odds.
mod budget;
pub mod clique;
mod contradiction;
mod counts;
mod engine;
mod estimate;
pub mod mask;
pub mod oracle;
pub mod plain;
mod problem;
mod transfer;
mod weights;

pub use budget::{Budget, OutOfReach, ParseBudgetError};
pub use contradiction::{Contradiction, explain};
pub use counts::{Counts, Weighed};
pub use engine::{Engine, Odds, OddsError, ParseEngineError, odds};
pub use estimate::{Estimate, Estimated, estimate};
pub use problem::{Class, Problem};
pub use transfer::Transfer;
pub use weights::{Weights, WeightsError};
