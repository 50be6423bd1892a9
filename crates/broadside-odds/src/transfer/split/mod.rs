//! Counting where ships may touch: the orientation split and the row sweep.
//!
//! Ships that lie along rows don't interact across rows. Fix the upright ships, and the rest is a product over rows of
//! small polynomials in "how many of each length are used" (`rows`, `polynomial`, `fleet`). Of `m` ships longer than one
//! cell either at most `m / 2` are upright or fewer than that are lying, and the second case is the first on the transposed
//! board (`engine`). So a sweep down the rows carries few upright ships, each as its column and how far it reaches; the
//! length is chosen when a ship ends, so that one sweep serves all lengths (`uprights`, `pairs` for two at a time). The
//! same steps backward give the worth of every state, and forward times backward all the cells.
//!
//! A hit that few placements can cover is branched on first (`branch`), since the cost of a sweep falls steeply with the
//! number of ships. Fleets with more than two upright ships in a half take a slower sweep over a map of states (`general`),
//! which also serves to draw layouts (`sample`).
//!
//! Numbers are `f64` used as 53-bit integers where that is enough: all sums and products are of numbers that are not
//! negative, and rounding is monotone, so a result below 2^53 proves that all its parts were exact; else the count is
//! repeated in `u128` (`number`).

mod branch;
mod columns;
mod engine;
mod fleet;
mod general;
mod lanes;
mod number;
mod pairs;
mod polynomial;
mod rows;
mod sample;
mod strips;
mod uprights;
mod weights;

pub(crate) use engine::Engine;
