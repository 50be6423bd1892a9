//! Exact odds after every shot of whole classic games.

use broadside_odds::{Budget, Dealer, Engine};
use broadside_rules::{Preset, Referee};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Games played; `BROADSIDE_GAMES=1000` runs the full claim in a few minutes of a release build.
fn games() -> u64 {
    std::env::var("BROADSIDE_GAMES").ok().and_then(|games| games.parse().ok()).unwrap_or(20)
}

#[test]
fn after_every_shot_the_true_layout_is_possible_and_hits_are_certain() {
    let rules = Preset::Classic.rules();
    let mut dealer = Dealer::new(&rules);
    for game in 0..games() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(game);
        let layout = dealer.uniform(&mut rng).unwrap();
        let mut referee = Referee::new(&rules, layout.clone());
        while !referee.is_over() {
            let counts = Engine::Transfer.count(referee.log(), Budget::default()).unwrap();
            assert!(counts.layouts() > 0, "game {game}: {}", referee.log());
            for cell in rules.grid().cells() {
                let (fired, hit) = (referee.log().fired().contains(cell), referee.log().hits().contains(cell));
                let at = counts.at(cell);
                assert!(!hit || at == counts.layouts(), "game {game}: a hit is certain");
                assert!(hit || !fired || at == 0, "game {game}: a miss is certain");
                assert!(at > 0 || !layout.cells().contains(cell), "game {game}: where a ship lies, one may lie");
            }
            referee.fire(counts.best(referee.log().fired())[0]).unwrap();
        }
    }
}
