//! A captain of one's own against two of the roster, on the same layouts.
//!
//! `cargo run --release -p broadside-lab --example compare_captains`

use broadside_captains::{Captain, GameRng, Mode, Reason};
use broadside_lab::{Campaign, CampaignConfig, CaptainFactory, Layouts, Results};
use broadside_rules::{Cell, Preset, ShotLog};

/// Fires beside a hit if it can, and otherwise at the first open cell of a checkerboard.
struct Checkerboard;

impl Captain for Checkerboard {
    fn name(&self) -> &'static str {
        "checkerboard"
    }

    fn aim(&mut self, log: &ShotLog, _: &mut GameRng) -> Cell {
        let grid = log.rules().grid();
        let is_open = |cell: &Cell| !log.fired().contains(*cell);
        let beside_a_hit = log.hits().iter().find_map(|hit| grid.side_neighbours(hit).find(is_open));
        let is_black = |cell: &Cell| (cell.row() + cell.col()).is_multiple_of(2);
        let on_the_pattern = grid.cells().find(|cell| is_open(cell) && is_black(cell));
        let anywhere = grid.cells().find(is_open);
        beside_a_hit.or(on_the_pattern).or(anywhere).expect("the game isn't over, so a cell is open")
    }

    fn explain(&mut self, log: &ShotLog, rng: &mut GameRng) -> Reason {
        let cell = self.aim(log, rng);
        let scores = vec![None; log.rules().grid().len()];
        Reason { cell, mode: Mode::Hunt, scores, words: "the first open cell of the pattern".to_owned() }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let config = CampaignConfig { rules: Preset::Classic.rules(), games: 2000, seed: 1 };
    let mine = CaptainFactory::new("checkerboard", |_| Ok(Box::new(Checkerboard)));
    let campaign = Campaign::new(config, [mine, "hunt-target".into(), "density".into()], Layouts::Uniform)?;
    let results = Results::new(&campaign, &campaign.run(|_| {})?);
    for captain in &results.captains {
        println!("{:<13} {:.2} ± {:.2} shots", captain.captain, captain.mean, captain.std_err);
    }
    for difference in &results.differences {
        println!("{}", difference.sentence());
    }
    Ok(())
}
