//! Counting where ships may touch: the orientation split and the row sweep.
//!
//! Ships that lie along rows don't interact across rows. Fix the vertical ships, and the rest is a product over rows of
//! small polynomials in "how many of each length are used" (`rows`, `polynomial`, `fleet`). Of `m` ships longer than one
//! cell either at most `m / 2` are vertical or fewer than that are horizontal, and the second case is the first on the transposed
//! board (`engine`). What a row holds beside vertical ships depends on their columns only (`strips`), and what one vertical
//! ship does to its rows can be summed over the columns (`verticals`), so that the sweep down the rows carries no more than
//! how many there were (`levels`). Two that share rows are summed up for each column as far as possible, and meet in one
//! product for each pair of columns and number of shared rows (`pairs`). The same steps in reverse give the worth of every
//! coefficient, and coefficient times worth all the cells. Which coefficients meet is listed beforehand (`forms`).
//!
//! A hit that few placements can cover is branched on first (`branch`), since the cost of a sweep falls steeply with
//! the number of ships; and where few choices are left, layouts are listed (`listing`). Fleets with more than two
//! vertical ships in a half take a slower sweep over a map of states (`general`).
//!
//! Numbers are `f64` used as 53-bit integers where that is enough: all sums and products are of numbers that are not
//! negative, and rounding is monotone, so a result below 2^53 proves that all its parts were exact; else the count is
//! repeated in `u128` (`number`).

mod branch;
mod engine;
mod fleet;
mod forms;
mod general;
mod lanes;
mod levels;
mod listing;
mod number;
mod pairs;
mod polynomial;
mod rows;
mod strips;
mod verticals;
mod weighted;
mod weights;

pub(crate) use engine::Engine;
pub(crate) use number::Number;
