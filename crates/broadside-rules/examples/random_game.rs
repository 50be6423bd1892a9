//! Two players who fire at random play a game of the Russian rules.
//!
//! ```text
//! cargo run -p broadside-rules --example random_game [SEED]
//! ```

use std::env;
use std::error::Error;

use broadside_rules::{Cell, Duel, Layout, Preset, RejectionSampler, Rules, Side, Turns};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

fn main() -> Result<(), Box<dyn Error>> {
    let seed = env::args().nth(1).map_or(Ok(1), |seed| seed.parse())?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let rules = Preset::Russian.rules();
    let layouts = [deal(&rules, &mut rng)?, deal(&rules, &mut rng)?];
    let mut duel = Duel::new(&rules, Turns::HitAgain, layouts);
    let mut targets = [shuffled_cells(&rules, &mut rng), shuffled_cells(&rules, &mut rng)];
    while let Some(side) = duel.turn() {
        let cell = targets[side as usize].pop().ok_or("no cell is left")?;
        duel.fire(side, cell)?;
    }
    if let Some((winner, _)) = duel.outcome() {
        println!("the {winner} side won after {} shots", duel.log(winner).len());
    }
    for side in [Side::First, Side::Second] {
        println!("{side}: {}", duel.log(side));
    }
    Ok(())
}

fn deal(rules: &Rules, rng: &mut Xoshiro256PlusPlus) -> Result<Layout, &'static str> {
    RejectionSampler::new(rules).uniform(1_000_000, rng).ok_or("the board is too tight")
}

fn shuffled_cells(rules: &Rules, rng: &mut Xoshiro256PlusPlus) -> Vec<Cell> {
    let mut cells: Vec<Cell> = rules.grid().cells().collect();
    cells.shuffle(rng);
    cells
}
