//! The fewest further shots that are sure to hit something, after some shots on the classic board.
//!
//! ```sh
//! cargo run --release -p broadside-solve --example sure_hit -- "E5- C3+ C5#3"
//! ```

use broadside_rules::{Preset, ShotLog};
use broadside_solve::mask::midgame::{EffortLimits, sure_hit};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let shots = std::env::args().nth(1).unwrap_or_else(|| "E5+".to_owned());
    let log = ShotLog::parse(&Preset::Classic.rules(), &shots)?;
    let answer = sure_hit(&log, &mut EffortLimits::default())?;
    let proof = if answer.is_proved() { "no fewer are enough" } else { "fewer may be enough" };
    println!("{} shots are sure to hit a ship ({proof}): {}", answer.best().len(), answer.best());
    Ok(())
}
