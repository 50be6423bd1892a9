//! What the tests share.

use broadside_odds::Dealer;
use broadside_rules::{Call, Fleet, Grid, Length, Referee, Rocks, Rules, RulesBuilder, ShotLog, Touch};
use proptest::collection::vec;
use proptest::prelude::*;
use rand::SeedableRng;

use crate::GameRng;
use crate::random::random_cell;

/// Small rules of every kind, with a seed for a game by them.
pub(crate) fn rules_and_seed() -> impl Strategy<Value = (Rules, u64)> {
    let fleet = vec((1usize..=5).prop_filter_map("a length", Length::new), 1..=5);
    let sides = prop_oneof![8 => (1usize..=10, 1usize..=10), 1 => (Just(1), 2usize..=30), 1 => (10usize..=16, 9usize..=16)];
    let words = (0..Touch::ALL.len(), 0..Call::ALL.len());
    // Rocks on one board in three.
    let rocks = prop_oneof![2 => Just(Vec::new()), 1 => vec(0usize..256, 1..=3)];
    let rules = (sides, fleet, words, rocks).prop_filter_map("rules that fit", |((rows, cols), fleet, (touch, call), rocks)| {
        let (grid, fleet) = (Grid::new(rows, cols).ok()?, Fleet::new(fleet).ok()?);
        // Boards that are nearly full take too long to deal.
        (fleet.cells() * 4 <= grid.len() + 4).then_some(())?;
        let rocks = Rocks::new(rocks.into_iter().filter_map(|rock| grid.cell(rock % grid.len())));
        RulesBuilder::new(grid, fleet, Touch::ALL[touch], Call::ALL[call]).with_rocks(rocks).build().ok()
    });
    (rules, any::<u64>())
}

/// Shows the log before each shot of a game played at random.
pub(crate) fn random_game(rules: &Rules, seed: u64, mut look: impl FnMut(&ShotLog)) {
    let mut rng = GameRng::seed_from_u64(seed);
    let mut referee = Referee::new(rules, Dealer::new(rules).uniform(&mut rng).unwrap());
    let mut position = crate::position::Position::<crate::bits::Wide<32>>::hits_only(rules);
    while !referee.is_over() {
        look(referee.log());
        position.read(referee.log());
        let cell = random_cell(position.unfired(), &mut rng);
        referee.fire(position.board().cell(cell)).unwrap();
    }
}
