//! The solver against a plain search and published puzzles, and what the generator promises.

mod claims;
mod formats;
mod generator;
mod plain;
mod published;
mod random;
