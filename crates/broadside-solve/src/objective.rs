//! What a search minimises: the misses over all layouts together, or the misses on the worst layout.
//!
//! Every play hits all cells of the fleet, so plays differ only in their misses. The expected number of shots is the number
//! of cells of the fleet, plus the misses over all layouts divided by the number of layouts.

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
    pub(crate) fn miss(self, layouts: u32) -> u32 {
        match self {
            Self::Sum => layouts,
            Self::Worst => layouts.min(1),
        }
    }

    /// The cost of two outcomes together.
    #[inline]
    pub(crate) fn combine(self, one: u32, other: u32) -> u32 {
        match self {
            Self::Sum => one + other,
            Self::Worst => one.max(other),
        }
    }

    /// The cost of what follows a miss. For the worst case it includes the miss; for the sum, [`Objective::miss`] has it.
    #[inline]
    pub(crate) fn after_miss(self, cost: u32) -> u32 {
        match self {
            Self::Sum => cost,
            Self::Worst => cost + 1,
        }
    }
}
