//! The cells most likely to hold a ship, from the shots so far.
//!
//! ```text
//! cargo run --release -p broadside-odds --example next_shot -- classic "E5- C3+ C4+ C5#3"
//! ```

use std::env;
use std::error::Error;

use broadside_odds::{Budget, Engine, Odds, odds};
use broadside_rules::{Rules, ShotLog};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Draws for an estimate, where exact odds are out of reach.
const SAMPLES: u64 = 100_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let rules: Rules = arguments.next().as_deref().unwrap_or("classic").parse()?;
    let log = ShotLog::parse(&rules, &arguments.next().unwrap_or_default())?;
    let odds = odds(&log, Engine::Transfer, Budget::default(), SAMPLES, &mut Xoshiro256PlusPlus::seed_from_u64(1))?;
    match &odds {
        Odds::Exact(counts) => println!("{} layouts fit", counts.layouts()),
        Odds::Weighted(_) => println!("every layout counts, but not all alike"),
        Odds::Estimate(estimated) => println!("about {:.3e} layouts fit", estimated.layouts().mean),
    }
    for cell in odds.best(log.fired()) {
        println!("{cell} holds a ship with a chance of {:.1} %", 100.0 * odds.chance(cell));
    }
    Ok(())
}
