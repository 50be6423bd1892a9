//! Slower ways to count, kept to measure the fast one against and as second opinions in tests.
//!
//! Nobody needs them for anything else: [`Transfer`](crate::Transfer) gives the same integers.

pub mod clique;
pub mod plain_sweep;
