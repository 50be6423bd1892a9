//! The laboratory: what is measured, and how it is shown.
//!
//! A [`Campaign`] is a number of games from a seed; a [`Contest`] lets captains play it on the same layouts, on all threads
//! and in as many sittings as it takes, with a [`Checkpoint`] in between. Shots are counted in a [`Histogram`], from
//! which every statistic comes ([`stats`]). [`Results`] are what a contest has shown, as JSON, CSV and figures.
//! [`draw::Board`] is a board as people look at it, [`draw::Chart`] a figure for a paper; both are SVG text or, through
//! [`draw::png`], an image. [`Prices`] are captains' exact expectations on small boards. A [`replay::Replay`] tells one game shot by shot, and a [`report::Report`] sets the source
//! documents beside what is measured. Nothing here prints or reads the clock; files are written by [`write_whole`] alone.

mod checkpoint;
mod contest;
pub mod draw;
mod files;
mod games;
mod layouts;
mod odds_table;
mod price;
pub mod replay;
pub mod report;
mod results;
mod review;
mod seeds;
pub mod stats;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use contest::{Contest, Standing, pairs};
pub use files::write_whole;
pub use games::{Campaign, CampaignError};
pub use layouts::Layouts;
pub use odds_table::{Errors, OddsTable};
pub use price::{Price, PriceError, Prices};
pub use results::{CaptainResult, Perfect, Results};
pub use review::{Judged, Review};
pub use seeds::generator;
pub use stats::Histogram;
