//! Plays classic games and prints their logs after 5, 10, 20 and 30 shots: the fixed positions of `broadside bench odds`.
//!
//! `cargo run --release -p broadside-odds --example midgame_logs > testdata/midgame.txt`
//!
//! The shooter fires at the cell with the highest exact chance, the first in reading order, so the positions are those of
//! games that are played well. Games that end before 30 shots are left out.

use broadside_odds::{Budget, Dealer, Engine};
use broadside_rules::{Preset, Referee, ShotLog};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

const GAMES: usize = 120;
const SHOTS: [usize; 4] = [5, 10, 20, 30];

fn main() {
    let logs: Vec<Vec<String>> = (1..).filter_map(game).take(GAMES).collect();
    for (i, shots) in SHOTS.iter().enumerate() {
        println!("# after {shots} shots");
        for log in &logs {
            println!("{}", log[i]);
        }
    }
}

/// The logs of one game; `None` if it ended too early.
fn game(seed: u64) -> Option<Vec<String>> {
    let rules = Preset::Classic.rules();
    let layout = Dealer::new(&rules).uniform(&mut Xoshiro256PlusPlus::seed_from_u64(seed)).ok()?;
    let mut referee = Referee::new(&rules, layout);
    let mut logs = Vec::new();
    while let Some(&wanted) = SHOTS.get(logs.len()) {
        if referee.log().len() == wanted {
            logs.push(referee.log().to_string());
            continue;
        }
        referee.fire(best(referee.log())?).ok()?;
    }
    (!referee.is_over()).then_some(logs)
}

fn best(log: &ShotLog) -> Option<broadside_rules::Cell> {
    let counts = Engine::Transfer.count(log, Budget::default()).ok()?;
    counts.best(log.fired()).first().copied()
}
