//! The rules of Battleship.
//!
//! Everything else in Broadside is built on these types: the size of the board ([`Grid`], [`Cell`], [`CellSet`]), the
//! ships ([`Fleet`], [`Placement`]), how close they may lie ([`Touch`]) and what is called out ([`Call`]), together the
//! [`Rules`]; boards as people describe them ([`Draft`], [`Picture`]) and as they are legal ([`Layout`]); the game
//! itself ([`Referee`], [`Shot`], [`ShotLog`], [`GameRecord`], and [`Duel`] for two sides); and random layouts
//! ([`RejectionSampler`], [`Census`]; `broadside-odds` has the `Dealer` that chooses between them).
//!
//! Two ideas run through it. What can be *described* and what is *legal* are different types, with checking as the only
//! way across: a [`Draft`] becomes a [`Layout`] through [`Draft::check`], four words become [`Rules`] only if the fleet
//! fits. And what a shooter may *know* is a type of its own, [`ShotLog`]: whoever is given only that can't cheat.
//!
//! The crate reads no files, prints nothing and knows no odds; those belong to the crates above it.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod baseline;
mod builder;
mod call;
mod cell;
mod cell_set;
mod census;
mod check;
mod draft;
mod duel;
mod fast_check;
mod fit;
mod fleet;
mod grid;
mod layout;
mod log;
mod pairs;
mod picture;
mod placement;
mod preset;
mod readings;
mod record;
mod referee;
mod rejection;
mod rules;
mod shot;
mod stop;
mod text;
mod touch;
mod violation;

pub use builder::RulesBuilder;
pub use call::{Call, ParseCallError};
pub use cell::{Cell, ParseCellError};
pub use cell_set::CellSet;
pub use census::{Census, CensusError};
pub use draft::{Draft, ParseDraftError, Report};
pub use duel::{Duel, DuelError, Ending, ParseEndingError, ParseSideError, ParseTurnsError, Side, Turns};
pub use fit::FitError;
pub use fleet::{Fleet, FleetError, Length, ParseLengthError};
pub use grid::{Grid, GridError};
pub use layout::Layout;
pub use log::{LogError, LogMark, LogProblem, ParseLogError, ShotLog};
pub use picture::{ParsePictureError, Picture};
pub use placement::{Orientation, ParsePlacementError, Placement};
pub use preset::{ParsePresetError, Preset};
pub use readings::Readings;
pub use record::{GameRecord, RecordError};
pub use referee::{FireError, Referee};
pub use rejection::RejectionSampler;
pub use rules::{ParseRulesError, Rules, StoredRulesError};
pub use shot::{Answer, ParseAnswerError, ParseShotError, Shot};
pub use stop::{Stop, Stopped};
pub use touch::{ParseTouchError, Touch};
pub use violation::{Violation, ViolationKind};
