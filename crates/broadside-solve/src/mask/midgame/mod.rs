//! Masks in the middle of a game: what is still to be shot to be sure.
//!
//! Two questions about a log, both minimum hitting sets ([`hitting`](super::hitting)):
//!
//! * [`block`]: the fewest further shots that are sure to meet every ship of one length that has not been hit. The sets
//!   are the placements of that length that touch no hit and occur in some layout; they are at hand, so one search
//!   answers. A ship that has been hit is met already: only those wholly unhit count.
//! * [`catch`]: the fewest further shots that are sure to hit something, that is, that meet at least one unshot ship cell
//!   of every layout that fits the log. Layouts are far too many to list, so they are asked for as they are needed: find
//!   a smallest set that meets the layouts known so far, ask for a layout that avoids it, add that, and so on until there
//!   is none. A smallest set for some of the layouts is never larger than a smallest set for all, so when none avoids it,
//!   it is smallest for all. Until then its size is the lower bound.
//!
//! Both are exact within [`Limits`], and otherwise bounds from both sides: [`Smallest`] says which.
//!
//! ```
//! use broadside_solve::mask::midgame::{self, Limits};
//! use broadside_rules::{Rules, ShotLog};
//! let rules: Rules = "1x6 3 allowed ship".parse()?;
//! let log = ShotLog::parse(&rules, "A1-")?;
//! let block = midgame::block(&log, 3, &mut Limits::default())?;
//! assert!(block.is_proved());
//! assert_eq!(block.best().to_string(), "A4", "A2-A4, A3-A5 and A4-A6 all cover it");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block;
mod catch;
#[cfg(test)]
mod tests;
mod witness;

use broadside_rules::{CellSet, ShotLog};

use super::hitting::{Effort, OutOfEffort, Smallest};
use super::{MaskError, OneShipBoard};
use broadside_odds::Problem;

/// How far the answers may go before they settle for bounds. There is no clock in them, so the same request always gets
/// the same answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Nodes of all hitting-set searches together.
    pub search: Effort,
    /// Nodes of all searches for a layout together.
    pub witnesses: Effort,
    /// Layouts that [`catch`] may gather before its last look for the smallest set that meets them.
    pub layouts: u64,
}

impl Default for Limits {
    /// A second or two on a board of 10x10.
    fn default() -> Self {
        Self { search: Effort::nodes(5_000), witnesses: Effort::nodes(1_000_000), layouts: 400 }
    }
}

/// The fewest further shots that are sure to meet every ship of this length that has not been hit. None at all when every
/// ship of that length that is left has been hit already.
///
/// # Errors
/// [`MaskError::NoShipFits`] for a length that the board has no room for, [`MaskError::NoneAfloat`] when the log says that
/// no ship of it is left, [`MaskError::Over`] when all are sunk, and [`MaskError::NoLayout`] or [`MaskError::Unknown`] when the log is impossible or may be.
pub fn block(log: &ShotLog, length: usize, limits: &mut Limits) -> Result<Smallest<CellSet>, MaskError> {
    let board = OneShipBoard::new(log.rules().grid(), length)?;
    if !log.lengths_left().contains(&board.length()) {
        return Err(MaskError::NoneAfloat { length });
    }
    let problem = Problem::from_log(log);
    let layout = witness::witness(&problem, &mut limits.witnesses).map_err(|OutOfEffort| MaskError::Unknown)?;
    layout.ok_or(MaskError::NoLayout)?;
    if log.is_over() {
        return Err(MaskError::Over);
    }
    let class = problem.classes().iter().find(|class| class.length().get() == length).ok_or(MaskError::NoneAfloat { length })?;
    Ok(block::smallest_block(&problem, class, &mut limits.search, &mut limits.witnesses))
}

/// The fewest further shots that are sure to hit something, whichever of the layouts that fit the log is the true one.
///
/// # Errors
/// [`MaskError::Over`] when all ships are sunk, and [`MaskError::NoLayout`] or [`MaskError::Unknown`] when the log is
/// impossible or may be.
pub fn catch(log: &ShotLog, limits: &mut Limits) -> Result<Smallest<CellSet>, MaskError> {
    catch::smallest_catch(&Problem::from_log(log), limits)
}

/// What is known of a set that meets everything when no set of fewer than `at_least` cells does.
fn between(best: CellSet, at_least: usize) -> Smallest<CellSet> {
    if best.len() <= at_least { Smallest::Proved(best) } else { Smallest::Bounded { best, at_least } }
}

fn lower_bound(solved: &Smallest<CellSet>) -> usize {
    match solved {
        Smallest::Proved(best) => best.len(),
        Smallest::Bounded { at_least, .. } => *at_least,
    }
}
