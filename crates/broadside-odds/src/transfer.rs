//! Temporary.

use broadside_rules::ShotLog;

use crate::{Budget, Counts, OutOfReach, Problem};

pub(crate) fn count(log: &ShotLog, b: Budget) -> Result<Counts, OutOfReach> {
    crate::clique::count(log, b)
}

pub(crate) fn total(p: &Problem, b: Budget) -> Result<u128, OutOfReach> {
    crate::clique::total(p, b)
}
