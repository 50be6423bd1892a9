//! A captain of one's own, measured against another on the same layouts.
//!
//! It fires along the rows from the top, but follows up a hit with the cells beside it.
//!
//! ```sh
//! cargo run --release -p broadside-captains --example own_captain
//! ```

use std::error::Error;

use broadside_captains::{Captain, GameRng, Mode, Reason, captain};
use broadside_odds::Dealer;
use broadside_rules::{Cell, Layout, Preset, Referee, Rules, ShotLog};
use rand::SeedableRng;

/// How many games are played.
const GAMES: u64 = 2_000;

/// Fires at the first cell beside a hit, otherwise at the first cell not fired at.
struct RowByRow;

impl Captain for RowByRow {
    fn name(&self) -> &'static str {
        "row-by-row"
    }

    fn aim(&mut self, log: &ShotLog, _rng: &mut GameRng) -> Cell {
        let grid = log.rules().grid();
        let open = |cell: &Cell| !log.fired().contains(*cell);
        let beside_a_hit = |cell: &Cell| grid.side_neighbours(*cell).any(|near| log.hits().contains(near));
        let first = grid.cells().filter(open).find(beside_a_hit);
        first.or_else(|| grid.cells().find(open)).expect("a cell to fire at")
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let cell = self.aim(log, rng);
        let scores = log.rules().grid().cells().map(|other| (other == cell).then_some(1.0)).collect();
        Reason { cell, mode: Mode::Hunt, scores, words: "the first cell in reading order".to_owned() }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let rules = Preset::Classic.rules();
    let mut captains: Vec<Box<dyn Captain>> = vec![Box::new(RowByRow), captain("density", &rules)?];
    let mut shots = vec![0; captains.len()];
    let mut dealer = Dealer::new(&rules);
    for game in 0..GAMES {
        // All captains meet the same layout, and each starts with the same generator.
        let mut rng = GameRng::seed_from_u64(game);
        let layout = dealer.uniform(&mut rng)?;
        for (captain, shots) in captains.iter_mut().zip(&mut shots) {
            *shots += play(captain.as_mut(), &rules, layout.clone(), &mut rng.clone())?;
        }
    }
    for (captain, shots) in captains.iter().zip(shots) {
        println!("{:12} {:.2} shots a game", captain.name(), shots as f64 / GAMES as f64);
    }
    Ok(())
}

/// The number of shots of one game.
fn play(captain: &mut dyn Captain, rules: &Rules, layout: Layout, rng: &mut GameRng) -> Result<usize, Box<dyn Error>> {
    let mut referee = Referee::new(rules, layout);
    while !referee.is_over() {
        referee.fire(captain.aim(referee.log(), rng))?;
    }
    Ok(referee.log().len())
}
