//! The two questions: the fewest misses over all layouts together, and the fewest on the worst of them.
//!
//! Every play hits all cells of the fleet, so only its misses tell it from others. The expected number of shots is the
//! number of cells of the fleet and the misses over all layouts divided by the number of layouts.

/// What is to be as small as possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Goal {
    /// The misses summed over all layouts.
    Sum,
    /// The misses on the layout that takes most.
    Worst,
}

impl Goal {
    /// The cost of a shot that misses layouts of this weight and hits the others, before anything that follows.
    pub(crate) fn miss(self, weight: u32) -> u32 {
        match self {
            Self::Sum => weight,
            Self::Worst => weight.min(1),
        }
    }

    /// The cost of two parts of what may happen.
    #[inline]
    pub(crate) fn join(self, one: u32, other: u32) -> u32 {
        match self {
            Self::Sum => one + other,
            Self::Worst => one.max(other),
        }
    }

    /// The cost of what follows a miss, with the miss itself where it isn't counted already.
    #[inline]
    pub(crate) fn after_miss(self, cost: u32) -> u32 {
        match self {
            Self::Sum => cost,
            Self::Worst => cost + 1,
        }
    }
}
