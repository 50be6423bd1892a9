#![doc = include_str!("../README.md")]
//!
//! # How it is built
//!
//! A [`Server`] listens at an address and keeps its games in a folder. The page (`page/`) is part of the program; it talks to
//! the server through the JSON interface that [`description`] describes.
//!
//! - Rules, odds, captains and campaigns come from the other crates. This crate stores games, shows each player what that
//!   player may know (a view), and bounds what a request may cost.
//! - A shot is on disk before it is answered. No game is kept in memory between requests: each request reads its game once
//!   and replays it once.
//! - Whatever a player sees of a game goes through the private module `view`.

mod address_limits;
mod admin;
mod api;
mod app;
pub mod background;
mod bots;
mod check;
mod checkpoint;
mod checksum;
pub mod client;
mod config;
mod error;
mod extract;
mod fair;
mod game;
mod guard;
mod hub;
mod memory;
mod messages;
mod metrics;
mod pace;
mod peer;
mod presence;
mod queue;
mod routes;
mod schema;
mod secret;
mod server;
mod shard;
mod store;
mod view;
mod write_timeout;

pub use api::description;
pub use bots::{BotPlayer, ServedBot, TournamentPage};
pub use check::{CheckReport, check_games};
pub use config::{Config, Limits, ServedWeights};
pub use metrics::Metrics;
pub use schema::StoreError;
pub use server::{ServeError, Server};
pub use shard::{ParseShardError, Shard};
