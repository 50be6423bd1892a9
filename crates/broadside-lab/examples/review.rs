//! How well a game was played: the chance of each shot beside the best chance there was.
//!
//! `cargo run --release -p broadside-lab --example review -- "E5- C3+ C4+ C5#3"`

use broadside_lab::{Review, generator};
use broadside_odds::Budget;
use broadside_rules::{Preset, ShotLog};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let shots = std::env::args().nth(1).unwrap_or("E5- C3+ C4+ C5#3 H8-".to_owned());
    let log = ShotLog::parse(&Preset::Classic.rules(), &shots)?;
    let review = Review::new(&log, Budget::default(), &mut generator(1, 0), |_| {})?;
    for reviewed in &review.shots {
        let best: Vec<String> = reviewed.best.iter().map(ToString::to_string).collect();
        let (chance, best_chance) = (reviewed.chance * 100.0, reviewed.best_chance * 100.0);
        println!("{:<6} {chance:5.1} %   best {best_chance:5.1} % at {}", reviewed.shot.to_string(), best.join(" "));
    }
    println!("accuracy {:.1} %, luck {:+.2} hits", review.accuracy() * 100.0, review.luck());
    Ok(())
}
