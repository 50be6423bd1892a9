//! From a problem to its counts.

use super::number::SweepNumber;
use super::plan::{Plan, Width};
use crate::transfer::split::Number;
use crate::transfer::weights::WeightTable;
use crate::{Counts, OutOfReach, Problem, WeightedCounts, WorkLimits};

/// The exact number of layouts, and for each cell how many have a ship there.
///
/// # Errors
/// When the budget does not suffice, or the number of layouts may pass 128 bits.
pub(crate) fn count(problem: &Problem, limits: &WorkLimits) -> Result<Counts, OutOfReach> {
    let Some(plan) = Plan::new(problem, limits)? else {
        return Ok(Counts::new(problem.grid(), 0, vec![0; problem.cells()]));
    };
    // Floating point first: processors multiply vectors of it. All sums are of numbers that are not negative, and rounding is
    // monotone, so results below the limit had only exact parts.
    let sums = plan.sweep::<f64>(None)?.sums(plan.first_row(), |all| all.exact().is_some())?;
    let cells: Option<Vec<u128>> = sums.covered.iter().map(|sum| sum.exact()).collect();
    if let (Some(layouts), Some(cells)) = (sums.all.exact(), cells) {
        return Ok(on_board(problem, &plan, layouts, cells));
    }
    match Width::holding(sums.all)? {
        Width::Single => counts::<u64>(problem, &plan),
        Width::Double => counts::<u128>(problem, &plan),
    }
}

fn counts<T: SweepNumber + Into<u128>>(problem: &Problem, plan: &Plan) -> Result<Counts, OutOfReach> {
    let sums = plan.sweep::<T>(None)?.sums(plan.first_row(), |_| true)?;
    Ok(on_board(problem, plan, sums.all.into(), sums.covered.into_iter().map(T::into).collect()))
}

fn on_board(problem: &Problem, plan: &Plan, layouts: u128, mut cells: Vec<u128>) -> Counts {
    plan.complete(&mut cells, layouts);
    Counts::new(problem.grid(), layouts, plan.on_board(cells, layouts))
}

/// The exact number of layouts alone, in about a third of the time.
///
/// # Errors
/// When the budget does not suffice, or the number of layouts may pass 128 bits.
pub(crate) fn total(problem: &Problem, limits: &WorkLimits) -> Result<u128, OutOfReach> {
    let Some(plan) = Plan::new(problem, limits)? else {
        return Ok(0);
    };
    Ok(match plan.width()? {
        Width::Single => plan.sweep::<u64>(None)?.total()?.into(),
        Width::Double => plan.sweep::<u128>(None)?.total()?,
    })
}

/// The weight of all layouts, and for each cell of those that have a ship there.
///
/// Weights are not negative. A sum that passes the range of `f64` comes out as infinite.
///
/// # Errors
/// When the budget does not suffice.
pub(crate) fn weigh(problem: &Problem, weights: &WeightTable, limits: &WorkLimits) -> Result<WeightedCounts, OutOfReach> {
    let Some(plan) = Plan::new(problem, limits)? else {
        return Ok(WeightedCounts::new(problem.grid(), 0.0, vec![0.0; problem.cells()]));
    };
    let weights = plan.turned_weights(weights);
    let forced = plan.forced().iter().map(|(class, ship)| weights.get(*class, ship.vertical, ship.row, ship.col));
    let forced: f64 = forced.product();
    let sums = plan.sweep(Some(&weights))?.sums(0, |_| true)?;
    let cells = sums.covered.iter().map(|sum| sum * forced).collect();
    let layouts = sums.all * forced;
    Ok(WeightedCounts::new(problem.grid(), layouts, plan.on_board(cells, layouts)))
}

#[cfg(test)]
mod tests {
    use broadside_rules::{Rules, ShotLog};

    use super::*;
    use crate::{Budget, oracle};

    #[test]
    fn cells_that_are_images_of_others_have_their_counts() {
        let boards = [
            ("4x4 2,1 never ship", ""),
            ("5x5 3,2 never ship", ""),
            ("5x5 3,2 corners ship", "C3-"),
            ("5x5 2,2 allowed ship", "B2- B4- D2- D4-"),
            ("6x6 3,2,1 corners ship", ""),
            ("5x5 2,1,1 never silent", "C3+"),
            ("5x4 3,1 never ship", ""),
            ("4x5 3,1 never ship", "B3- C3-"),
            ("1x1 1 never ship", ""),
            ("2x2 1 never ship", ""),
        ];
        for (rules, shots) in boards {
            let log = ShotLog::parse(&rules.parse::<Rules>().unwrap(), shots).unwrap();
            let counted = count(&Problem::from_log(&log), &WorkLimits::default()).unwrap();
            assert_eq!(counted, oracle::count(&log, Budget::default()).unwrap(), "{rules} {shots}");
        }
    }
}
