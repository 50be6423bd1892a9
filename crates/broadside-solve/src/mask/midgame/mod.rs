//! Masks in the middle of a game.
//!
//! Two questions about a log. Both are minimum hitting sets ([`hitting`](super::hitting)):
//!
//! * [`block`]: the fewest further shots that are sure to meet every ship of one length that has not been hit. The sets are the
//!   placements of that length that have no hit and occur in some layout. They can be listed, so one search answers.
//! * [`sure_hit`]: the fewest further shots that are sure to hit something. They meet at least one unshot ship cell of every
//!   layout that fits the log. Layouts are far too many to list, so they are found one at a time: find a smallest set that
//!   meets the layouts known so far, look for a layout that avoids it, add that layout, and so on until there is none. A
//!   smallest set for some of the layouts is never larger than a smallest set for all. So when no layout avoids it, it is
//!   smallest for all. Until then its size is a lower bound.
//!
//! Both answers are exact within [`EffortLimits`]. Past the limits they are bounds from both sides. [`Smallest`] says which.
//!
//! ```
//! use broadside_solve::mask::midgame::{self, EffortLimits};
//! use broadside_rules::{Rules, ShotLog};
//! let rules: Rules = "1x6 3 allowed ship".parse()?;
//! let log = ShotLog::parse(&rules, "A1-")?;
//! let block = midgame::block(&log, 3, &mut EffortLimits::default())?;
//! assert!(block.is_proved());
//! assert_eq!(block.best().to_string(), "A4", "A2-A4, A3-A5 and A4-A6 all cover it");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block;
mod layout;
mod sure_hit;
#[cfg(test)]
mod tests;

use broadside_rules::{CellSet, ShotLog, Stop};

use super::hitting::{Effort, OutOfEffort, Smallest};
use super::{MaskError, OneShipBoard};
use broadside_odds::Problem;

/// How far the searches may go before the answer is a bound. There is no clock, so the same request always gets the same
/// answer.
#[derive(Clone, Debug)]
pub struct EffortLimits {
    /// Nodes of all hitting-set searches together.
    pub hitting_effort: Effort,
    /// Nodes of all searches for a layout together.
    pub layout_effort: Effort,
    /// Layouts that [`sure_hit`] may find before its last search for the smallest set that meets them.
    pub layouts: u64,
}

impl EffortLimits {
    /// The same limits for searches that end when they are asked to stop. The answer is then a bound, or
    /// [`MaskError::Unknown`].
    #[must_use]
    pub fn until(self, stop: &Stop) -> Self {
        let (hitting_effort, layout_effort) = (self.hitting_effort.until(stop), self.layout_effort.until(stop));
        Self { hitting_effort, layout_effort, ..self }
    }
}

impl Default for EffortLimits {
    /// A second or two on a board of 10x10.
    fn default() -> Self {
        Self { hitting_effort: Effort::nodes(5_000), layout_effort: Effort::nodes(1_000_000), layouts: 400 }
    }
}

/// The fewest further shots that are sure to meet every ship of this length that has not been hit. The set is empty when every
/// ship of that length has been hit already.
///
/// # Errors
/// [`MaskError::NoShipFits`] for a length that the board has no room for, [`MaskError::NoneAfloat`] when the log says that
/// no ship of it is left, [`MaskError::Over`] when all are sunk, and [`MaskError::NoLayout`] or [`MaskError::Unknown`] when the log is impossible or may be.
pub fn block(log: &ShotLog, length: usize, limits: &mut EffortLimits) -> Result<Smallest<CellSet>, MaskError> {
    let board = OneShipBoard::new(log.rules().grid(), length)?;
    if !log.lengths_left().contains(&board.length()) {
        return Err(MaskError::NoneAfloat { length });
    }
    let problem = Problem::from_log(log);
    let layout = layout::find_layout(&problem, &mut limits.layout_effort).map_err(|OutOfEffort| MaskError::Unknown)?;
    layout.ok_or(MaskError::NoLayout)?;
    if log.is_over() {
        return Err(MaskError::Over);
    }
    let class = problem.classes().iter().find(|class| class.length().get() == length).ok_or(MaskError::NoneAfloat { length })?;
    Ok(block::smallest_block(&problem, class, &mut limits.hitting_effort, &mut limits.layout_effort))
}

/// The fewest further shots that are sure to hit something, whichever of the layouts that fit the log is the true one.
///
/// # Errors
/// [`MaskError::Over`] when all ships are sunk, and [`MaskError::NoLayout`] or [`MaskError::Unknown`] when the log is
/// impossible or may be.
pub fn sure_hit(log: &ShotLog, limits: &mut EffortLimits) -> Result<Smallest<CellSet>, MaskError> {
    sure_hit::smallest_sure_hit(&Problem::from_log(log), limits)
}

/// The answer for a set that meets everything, when no set of fewer than `at_least` cells does.
fn between(best: CellSet, at_least: usize) -> Smallest<CellSet> {
    if best.len() <= at_least { Smallest::Proved(best) } else { Smallest::Bounded { best, at_least } }
}

fn lower_bound(solved: &Smallest<CellSet>) -> usize {
    match solved {
        Smallest::Proved(best) => best.len(),
        Smallest::Bounded { at_least, .. } => *at_least,
    }
}
