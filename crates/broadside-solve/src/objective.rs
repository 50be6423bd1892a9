//! What a search minimises: the misses over all layouts together, or the misses on the worst layout.
//!
//! Every play hits all cells of the fleet, so plays differ only in their misses. The expected number of shots is the number
//! of cells of the fleet, plus the misses over all layouts divided by the number of layouts.

use crate::weight::Weight;

/// What is minimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Objective {
    /// The misses summed over all layouts.
    Sum,
    /// The misses on the layout with most misses.
    Worst,
}

impl Objective {
    /// The cost of a shot that misses this number of layouts, without what follows.
    pub(crate) fn miss<W: Weight>(self, layouts: W) -> W {
        match self {
            Self::Sum => layouts,
            Self::Worst => layouts.min(W::from(1)),
        }
    }

    /// The cost of two outcomes together.
    #[inline]
    pub(crate) fn combine<W: Weight>(self, one: W, other: W) -> W {
        match self {
            Self::Sum => one + other,
            Self::Worst => one.max(other),
        }
    }

    /// The cost of what follows a miss. For the worst case it includes the miss; for the sum, [`Objective::miss`] has it.
    #[inline]
    pub(crate) fn after_miss<W: Weight>(self, cost: W) -> W {
        match self {
            Self::Sum => cost,
            Self::Worst => cost + W::from(1),
        }
    }
}
