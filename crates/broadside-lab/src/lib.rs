//! The laboratory: what is measured, and how it is shown.
//!
//! A [`Campaign`] plays many games on all threads, from a seed, and counts the shots in a [`Histogram`], from which every
//! statistic comes. [`draw::Board`] is a board as people look at it, with a heat map, the marks of the shots and the
//! coordinates, as SVG text or, through [`draw::png`], as an image. A [`replay::Replay`]
//! tells one game shot by shot. Nothing here touches a file or the clock: callers write what they get.

pub mod draw;
mod games;
pub mod replay;
mod seeds;
mod stats;

pub use games::{Campaign, CampaignError};
pub use seeds::generator;
pub use stats::Histogram;
