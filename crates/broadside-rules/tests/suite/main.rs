//! What the crate promises, told as sentences and tried on thousands of random boards.
//!
//! The expected values come from [`naive`], which works with plain coordinates and shares no code with the crate, from
//! the papers, or from counting by hand.

mod bad_input;
mod census;
mod claims;
mod crowds;
mod dealing;
mod duels;
mod figures;
#[cfg(feature = "serde")]
mod json;
mod mutations;
mod naive;
mod noise;
mod notation;
mod pictures;
mod referee;
mod salvo;
