//! The README's Rust snippets, compiled and run as documentation tests so that they can't drift.
//!
//! There is nothing to use here: programs build on `broadside-rules` and the crates above it.

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
