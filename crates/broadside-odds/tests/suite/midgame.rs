//! The fixed positions of `broadside bench odds` in its folder: logs of classic games after 5, 10, 20 and 30
//! shots.
//!
//! The shooter fires at the cell with the highest exact chance, the first in reading order, so the positions are those of
//! games that are played well. Games that end before 30 shots are left out. `WRITE_MIDGAME=1 cargo test midgame` writes the file
//! anew.

use broadside_odds::{Budget, Dealer, Engine};
use broadside_rules::{Cell, Preset, Referee, ShotLog};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../broadside/src/commands/bench/midgame.txt");
const GAMES: usize = 120;
/// Games that are played again by the test.
const CHECKED: usize = 12;
const SHOTS: [usize; 4] = [5, 10, 20, 30];

#[test]
fn the_midgame_positions_are_those_of_games_played_well() {
    if std::env::var_os("WRITE_MIDGAME").is_some() {
        std::fs::write(FILE, text(GAMES)).unwrap();
    }
    let kept = std::fs::read_to_string(FILE).unwrap();
    let groups: Vec<Vec<&str>> = kept.split("# after ").skip(1).map(|group| group.lines().collect()).collect();
    assert!(groups.iter().all(|group| group.len() == 1 + GAMES));
    let first: Vec<String> = groups.iter().map(|group| format!("# after {}\n", group[..=CHECKED].join("\n"))).collect();
    assert_eq!(text(CHECKED), first.concat());
}

fn text(games: usize) -> String {
    let logs: Vec<Vec<String>> = (1..).filter_map(game).take(games).collect();
    let group = |(i, shots): (usize, usize)| {
        let logs: Vec<&str> = logs.iter().map(|log| log[i].as_str()).collect();
        format!("# after {shots} shots\n{}\n", logs.join("\n"))
    };
    SHOTS.into_iter().enumerate().map(group).collect()
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

fn best(log: &ShotLog) -> Option<Cell> {
    let counts = Engine::Transfer.count(log, Budget::default()).ok()?;
    counts.best(log.fired()).first().copied()
}
