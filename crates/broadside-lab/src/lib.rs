//! The laboratory: what is measured, and how it is shown.
//!
//! A [`Campaign`] plays many games on all threads, from a seed, and counts the shots in a [`Histogram`], from which every
//! statistic comes. [`draw::Board`] is a board as people look at it, with a heat map, the marks of the shots and the
//! coordinates, as SVG text or, through [`draw::png`], as an image. Nothing here touches a file or the clock: callers
//! write what they get.

pub mod draw;
mod games;
mod review;
mod seeds;
mod stats;

pub use games::{Campaign, CampaignError};
pub use review::{Judged, Review};
pub use seeds::generator;
pub use stats::Histogram;
