//! Captains: every one chooses the next shot of a game of Battleship in its own way.
//!
//! A [`Captain`] is given the log of the game and a random generator, never the layout: cheating doesn't compile.
//! [`captain`] finds one by name, [`ROSTER`] lists them all with where they come from.
//!
//! ```
//! use broadside_captains::{GameRng, captain};
//! use broadside_odds::Dealer;
//! use broadside_rules::{Preset, Referee};
//! use rand::SeedableRng;
//!
//! let rules = Preset::Classic.rules();
//! let mut rng = GameRng::seed_from_u64(7);
//! let mut referee = Referee::new(&rules, Dealer::new(&rules).uniform(&mut rng)?);
//! let mut density = captain("density", &rules)?;
//! while !referee.is_over() {
//!     let cell = density.aim(referee.log(), &mut rng);
//!     referee.fire(cell)?;
//! }
//! assert!(referee.log().len() < 80);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The choice is a function of the log and of the generator's state. What captains keep between shots is only a memory
//! of the log they have read: given another log, or one with a shot taken back, they read it from the start. So a
//! captain can take over any game at any time, and be asked about any position.
//!
//! The crate plays no games by itself and measures nothing: that is the laboratory's. Odds are those of `broadside-odds`.

pub mod admiral;
#[cfg(test)]
mod agreement;
mod bits;
mod chart;
mod density;
mod exact;
mod field;
mod finder;
mod fits;
mod hunt;
mod lengths;
mod opening;
mod optimal;
mod pair;
mod plain;
mod planes;
mod random;
mod reason;
mod registry;
mod sinker;
mod sinkings;
#[cfg(test)]
mod testing;

use broadside_rules::{Cell, ShotLog};

pub use reason::{Mode, Reason};
pub use registry::{EnlistError, Entry, OPTIMAL, ROSTER, UnknownCaptain, captain, keep_policy};

/// The generator that a captain draws from. Its state is part of what decides the next shot.
pub type GameRng = rand_xoshiro::Xoshiro256PlusPlus;

/// Somebody who chooses where to fire.
///
/// # Panics
/// Both verbs panic when the log is of a game by other rules than the captain was made for, or when no cell is left to
/// fire at.
pub trait Captain: Send {
    /// The name in the roster.
    fn name(&self) -> &str;

    /// The cell to fire at next: never one that was fired at.
    ///
    /// The same log and the same state of the generator give the same cell.
    fn aim(&mut self, log: &ShotLog, rng: &mut GameRng) -> Cell;

    /// The cell that [`Captain::aim`] would choose, and why.
    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason;
}
