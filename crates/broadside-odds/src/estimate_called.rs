//! Estimates for logs with so many turns of which only the number of hits is known that their cases can't all be counted.
//!
//! Cases are made turn by turn, each with its exact number of layouts, and thinned after each turn without bias (`cases::thin`). A run gives
//! an unbiased number of layouts, in all and for each cell; independent runs give means and their errors.

use broadside_rules::{Draft, ShotLog, Stop, Stopped};
use rand::Rng;

use crate::cases::{self, Answers, WeightedCase};
use crate::estimate::{Drawing, EstimatedCounts, Sums};
use crate::{Budget, OutOfReach, Problem, Transfer, oracle};

/// Independent runs.
const RUNS: u64 = 32;

/// Draws asked for that make up for a case kept in each run: about as much work.
const DRAWS_A_CASE: u64 = 4;

/// The fewest and the most cases kept in a run.
const KEPT: (u64, u64) = (8, 1 << 12);

/// An estimate from about as much work as so many draws are; `None` when nothing was found that fits.
pub(crate) fn estimate_called(
    log: &ShotLog,
    samples: u64,
    rng: &mut impl Rng,
    stop: &Stop,
) -> Result<Option<EstimatedCounts>, Stopped> {
    let mut transfer = Transfer::new(Budget::default().until(stop));
    let most = (samples / RUNS / DRAWS_A_CASE).clamp(KEPT.0, KEPT.1) as usize;
    let grid = log.rules().grid();
    let mut sums = Sums::new(grid.len());
    for _ in 0..RUNS {
        match run(&mut transfer, log, most, rng) {
            Ok((weight, shares)) => sums.add(weight, &shares),
            Err(OutOfReach::Stopped) => return Err(Stopped),
            Err(_) => return estimate_from_layouts(log, samples, rng, stop),
        }
    }
    Ok(sums.has_weight().then(|| sums.estimate(grid)))
}

/// The number of layouts of one run, and the share of them that covers each cell.
fn run(transfer: &mut Transfer, log: &ShotLog, most: usize, rng: &mut impl Rng) -> Result<(f64, Vec<f64>), OutOfReach> {
    let mut kept: Vec<WeightedCase> =
        cases::start(log).into_iter().map(|answers| WeightedCase { answers, layouts: 1, weight: 1.0 }).collect();
    for turn in log.called_turns() {
        let mut next = Vec::new();
        for case in kept {
            for answers in cases::next(log, std::slice::from_ref(&case.answers), turn, KEPT.1 as usize)? {
                let layouts = transfer.total(&Problem::from_answers(log, &answers))?;
                next.extend((layouts > 0).then_some(WeightedCase { answers, layouts, weight: case.weight }));
            }
        }
        kept = cases::thin(next, most, rng);
    }
    let (mut weight, mut cells) = (0.0, vec![0.0; log.rules().grid().len()]);
    for WeightedCase { answers, weight: factor, .. } in &kept {
        add(transfer, log, answers, *factor, &mut weight, &mut cells)?;
    }
    let shares = cells.into_iter().map(|cell| if weight > 0.0 { cell / weight } else { 0.0 }).collect();
    Ok((weight, shares))
}

fn add(
    transfer: &mut Transfer,
    log: &ShotLog,
    answers: &Answers,
    factor: f64,
    weight: &mut f64,
    cells: &mut [f64],
) -> Result<(), OutOfReach> {
    let counts = transfer.count_problem(&Problem::from_answers(log, answers))?;
    *weight += factor * counts.layouts() as f64;
    cells.iter_mut().zip(counts.cells()).for_each(|(sum, &count)| *sum += factor * count as f64);
    Ok(())
}

/// Where not even a case can be counted: layouts are drawn as if nothing had been called, and those that don't fit weigh nothing.
fn estimate_from_layouts(
    log: &ShotLog,
    samples: u64,
    rng: &mut impl Rng,
    stop: &Stop,
) -> Result<Option<EstimatedCounts>, Stopped> {
    let grid = log.rules().grid();
    let drawing = Drawing::new(&Problem::from_log(log), log);
    let mut sums = Sums::new(grid.len());
    for _ in 0..samples {
        stop.check()?;
        let (weight, ships) = drawing.draw(rng);
        let layout = (weight > 0.0).then(|| Draft::Ships(ships.iter().map(|(_, place)| place.ship).collect()));
        let layout = layout.and_then(|draft| draft.check(log.rules()).into_layout().ok());
        let fits = layout.is_some_and(|layout| oracle::fits(log, &layout));
        sums.add(if fits { weight } else { 0.0 }, &if fits { drawing.covered(&ships) } else { vec![] });
    }
    Ok(sums.has_weight().then(|| sums.estimate(grid)))
}
