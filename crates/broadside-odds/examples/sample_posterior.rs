//! Layouts drawn at random from all that fit the shots so far, and what they say of a question that counts by cell don't
//! answer: how likely it is that two cells belong to one ship.
//!
//! ```text
//! cargo run --release -p broadside-odds --example sample_posterior
//! ```

use std::error::Error;

use broadside_odds::{Budget, Transfer};
use broadside_rules::{Cell, Preset, ShotLog};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

const SAMPLES: usize = 10_000;

fn main() -> Result<(), Box<dyn Error>> {
    let log = ShotLog::parse(&Preset::Classic.rules(), "C3+ C5+ E5-")?;
    let (first, second): (Cell, Cell) = ("C3".parse()?, "C5".parse()?);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let layouts = Transfer::new(Budget::default()).sample(&log, &mut rng, SAMPLES)?;
    println!("one of them: {}", layouts[0]);
    let together = layouts.iter().filter(|layout| layout.ship_at(first) == layout.ship_at(second)).count();
    println!("{first} and {second} are one ship in {:.1} % of {SAMPLES} layouts", 100.0 * together as f64 / SAMPLES as f64);
    Ok(())
}
