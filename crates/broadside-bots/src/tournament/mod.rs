//! Tournaments: who plays whom, the games, and what they show.

mod config;
mod folder;
#[cfg(feature = "page")]
mod page;
mod part;
mod plan;
mod ratings;
mod record;
mod results;
mod run;
mod schedule;
mod sprt;

pub use config::{Placing, Player, PlayerKind, TournamentConfig, TournamentError, TournamentIdentity};
pub use folder::{TournamentFolder, TournamentFolderError};
pub use part::{PartError, TournamentMerge, TournamentMergeError, TournamentPart};
pub use ratings::{Comparison, Rating, Ratings};
pub use record::{ForfeitLine, GameLine};
pub use results::{FirstMove, PairResult, PlayerResult, Score, SprtResult, TournamentResults};
#[cfg(unix)]
pub use run::{Cores, Tournament};
pub use schedule::{Entry, Mode, Pairing, Schedule, Slot};
pub use sprt::{Decision, Sprt, SprtBounds};
