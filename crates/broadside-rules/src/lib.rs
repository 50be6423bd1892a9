#![doc = include_str!("../README.md")]
//!
//! # The types
//!
//! The size of the board is a [`Grid`] of [`Cell`]s, with [`CellSet`] for sets of them. The ships are a [`Fleet`], one ship
//! is a [`Placement`]. How close ships may lie ([`Touch`]) and what is called out ([`Call`]) make up the [`Rules`] with them,
//! and maybe [`Rocks`].
//! Boards as people describe them are a [`Draft`] or a [`Picture`], legal boards are a [`Layout`]. The game itself is played
//! by a [`Referee`], or a [`Duel`] for two sides, and kept as [`Shot`]s in a [`ShotLog`] and as a [`GameRecord`]. Random layouts
//! come from a [`RejectionSampler`] or a [`Census`]; `broadside-odds` has the `Dealer` that chooses between them.
//!
//! What can be described and what is legal are different types, with checking as the only way across: a [`Draft`] becomes a
//! [`Layout`] through [`Draft::check`], and a [`RulesBuilder`] becomes [`Rules`] only if the fleet fits. And what a shooter may
//! know is a type of its own: whoever is given only a [`ShotLog`] can't cheat.

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
mod noise;
mod pairs;
mod picture;
mod placement;
mod preset;
mod readings;
mod record;
mod referee;
mod rejection;
mod rocks;
mod rules;
mod salvo;
mod shot;
mod stop;
mod sunk;
mod symmetry;
mod text;
mod touch;
mod turn_call;
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
pub use log::{LogError, LogMark, LogProblem, ParseLogError, ShotLog, TurnCallError};
pub use noise::{Noise, ParseNoiseError};
pub use picture::{ParsePictureError, Picture};
pub use placement::{Orientation, ParsePlacementError, Placement};
pub use preset::{ParsePresetError, Preset};
pub use readings::Readings;
pub use record::{GameRecord, RecordError};
pub use referee::{FireError, Referee};
pub use rejection::RejectionSampler;
pub use rocks::{ParseRocksError, Rocks};
pub use rules::{ParseRulesError, Rules, StoredRulesError};
pub use salvo::{ParseSalvoCallError, ParseSalvoError, Salvo, SalvoCall, SalvoShots};
pub use shot::{Answer, ParseAnswerError, ParseShotError, Shot};
pub use stop::{Stop, Stopped};
pub use symmetry::Symmetry;
pub use touch::{ParseTouchError, Touch};
pub use turn_call::{CalledTurn, LogWord, ParseTurnCallError, TurnCall};
pub use violation::{Violation, ViolationKind};
