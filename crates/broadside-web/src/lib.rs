//! Battleship in the browser: the server, its stored games and its page.
//!
//! A [`Server`] listens at an address and keeps its games in a folder. The page (`page/`) is part of the program; it talks to
//! the server through the JSON interface that [`description`] describes.
//!
//! - Nothing is thought out here: rules, odds, captains and campaigns are the libraries'. This crate stores games, shows
//!   each player what that player may know (a view), and bounds what a request may cost.
//! - A shot is on disk before it is answered. No game is kept in memory: each request reads its game and replays it.
//! - Every way from a game to a player goes through the private module `view`.

mod api;
mod app;
pub mod client;
mod desk;
mod extract;
mod game;
mod live;
mod refusal;
mod routes;
mod secret;
mod server;
mod store;
mod view;
mod wire;

pub use api::description;
pub use server::{Config, ServeError, Server};
pub use store::StoreError;
