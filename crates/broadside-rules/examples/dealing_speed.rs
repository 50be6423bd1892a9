//! How many layouts are dealt in a second, on one core.
//!
//! ```text
//! cargo run --release -p broadside-rules --example dealing_speed [PRESET [LAYOUTS]]
//! ```
//!
//! Without arguments it deals 2,000,000 classic layouts. Every thousandth is checked against the rules, so a fast dealer
//! that deals wrong boards would not pass.

use std::env;
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use broadside_rules::{Draft, Preset, RejectionSampler, Rules};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let preset: Preset = arguments.next().map_or(Ok(Preset::Classic), |word| word.parse())?;
    let layouts: u32 = arguments.next().map_or(Ok(2_000_000), |number| number.parse())?;
    let rules = preset.rules();
    let start = Instant::now();
    let checked = deal(&rules, layouts)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{preset}: {layouts} layouts in {seconds:.3} s, {:.0} a second, {checked} of them checked",
        f64::from(layouts) / seconds
    );
    Ok(())
}

/// Deals the layouts and says how many were checked.
fn deal(rules: &Rules, layouts: u32) -> Result<u32, Box<dyn Error>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut sampler = RejectionSampler::new(rules);
    let mut checked = 0;
    for number in 0..layouts {
        let layout = black_box(sampler.uniform(1_000_000, &mut rng).ok_or("the board is too tight")?);
        if number % 1000 == 0 {
            assert!(Draft::from(&layout).check(rules).is_valid(), "{layout} is not legal");
            checked += 1;
        }
    }
    Ok(checked)
}
