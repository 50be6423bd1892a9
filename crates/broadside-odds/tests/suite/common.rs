//! Random rules and the logs of random games, shared by the property tests.

use broadside_odds::{Budget, Counts, Dealer, Engine, OutOfReach};
use broadside_rules::{Call, Cell, Fleet, Grid, Length, Referee, Rules, ShotLog, Touch};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What the engine gives for a log. The one on a GPU is asked in every way that it can count.
pub(crate) fn count(engine: Engine, log: &ShotLog, budget: Budget) -> Result<Counts, OutOfReach> {
    match engine {
        #[cfg(feature = "gpu")]
        Engine::Gpu => crate::gpu::count(log, budget),
        engine => engine.count(log, budget),
    }
}

/// Rules with a few thousand layouts at the most, of every kind.
pub(crate) fn small_rules() -> impl Strategy<Value = Rules> {
    let board = (1usize..=5, 1usize..=5, proptest::collection::vec(1usize..=4, 1..=4));
    let kind = (proptest::sample::select(Touch::ALL), proptest::sample::select(Call::ALL));
    (board, kind).prop_filter_map("a fleet that fits", |((rows, cols, lengths), (touch, call))| {
        let fleet = Fleet::new(lengths.into_iter().filter_map(Length::new)).ok()?;
        let rules = Rules::new(Grid::new(rows, cols).ok()?, fleet, touch, call).ok()?;
        (ways(&rules) < 3000.0).then_some(rules)
    })
}

/// An upper bound of the number of layouts.
fn ways(rules: &Rules) -> f64 {
    let places = |length: Length| broadside_rules::Placement::all(rules.grid(), length).count() as f64;
    rules
        .fleet()
        .classes()
        .map(|(length, count)| (0..count).map(|i| (places(length) - i as f64) / (i + 1) as f64).product::<f64>())
        .product()
}

/// A log of a game of random shots, some of them near earlier hits, stopped at a random moment.
pub(crate) fn played_log(rules: &Rules, seed: u64) -> ShotLog {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let layout = Dealer::new(rules).uniform(&mut rng).expect("small boards can be dealt");
    let mut referee = Referee::new(rules, layout);
    let shots = rng.random_range(0..=rules.grid().len());
    for _ in 0..shots {
        if referee.is_over() {
            break;
        }
        let cell = next_cell(referee.log(), &mut rng);
        referee.fire(cell).expect("a new cell");
    }
    referee.log().clone()
}

fn next_cell(log: &ShotLog, rng: &mut Xoshiro256PlusPlus) -> Cell {
    let grid = log.rules().grid();
    let open = |cell: &Cell| !log.fired().contains(*cell);
    let near: Vec<Cell> = log.hits().iter().flat_map(|hit| grid.side_neighbours(hit)).filter(open).collect();
    let all: Vec<Cell> = grid.cells().filter(open).collect();
    let choices = if near.is_empty() || rng.random_range(0..3) == 0 { all } else { near };
    choices[rng.random_range(0..choices.len())]
}

/// What a chi-square statistic passes once in a thousand times, by the approximation of Wilson and Hilferty (1931).
pub(crate) fn chi_square_limit(freedom: usize) -> f64 {
    let (k, z) = (freedom as f64, 3.090_232);
    let part = 2.0 / (9.0 * k);
    k * (1.0 - part + z * part.sqrt()).powi(3)
}
