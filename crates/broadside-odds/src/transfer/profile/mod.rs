//! The profile sweep: exact counts for any board, fleet and rule of touching.
//!
//! # The idea
//! Pass the cells of the board one after the other and decide at each what is there: nothing, the
//! next cell of a vertical ship, or the start of a new ship. What may still come depends on the
//! past only through the *profile* (`marks`), a mark for each column, and through the number of
//! ships of each length that are used up (`fleet`). So all the ways to fill the cells passed so
//! far, of which there may be 10^15, fall into some ten thousand profiles, each with a
//! short vector of numbers; a sweep only adds vectors. Every layout is exactly one chain of decisions
//! (`moves`), so the sum is exact.
//!
//! The number of layouts that have a ship on a cell comes from a second sweep, backward from the last cell
//! (`sweep`): forward times backward, over the moves that cover the cell. All cells together cost
//! about three sweeps. The backward vectors also serve to draw layouts at random ([`Sampler`]).
//!
//! # What makes it fast
//! - The profiles and the moves between them are found once (`graph`), apart from any numbers,
//!   and shared by all rows that look alike.
//! - A horizontal ship is one move, so no profile has to remember being inside of one; a cell
//!   that no placement covers has no mark, so misses make profiles fall together (`moves`).
//! - Ships whose place is forced are taken out first (`narrow`).
//! - Of each vector only the part that can be reached and finished is kept (`windows`).
//! - States are visited group by group, so that the vectors stay in the cache (`graph`).
//! - Inner loops are compiled for several instruction sets (`kernel`, `sweep`).
//!
//! # Numbers
//! The sweep is generic in its numbers (`number`): integers of 64 or 128 bits, which are chosen so that
//! the number of layouts is proved to fit (`plan`), or floating point for weighted placements.

mod count;
mod fleet;
mod forecast;
mod graph;
mod kernel;
mod marks;
mod moves;
mod narrow;
mod number;
mod plan;
mod sample;
mod step;
mod sweep;
mod windows;

pub(crate) use count::{count, total, weigh};
pub(crate) use narrow::{Narrowed, placements};
pub(crate) use sample::{Sampler, sample_weighted};
