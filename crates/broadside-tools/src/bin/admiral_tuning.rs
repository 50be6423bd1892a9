//! Tries parameters for the admiral, game by game on the same layouts.
//!
//! `admiral_tuning RULES SEED GAMES BASE VARIANT…`: BASE is a captain (`@density`) or changes to the admiral's own parameters
//! (`-` for none); each VARIANT changes the parameters of the base. A change is `NUMBER=VALUE`, several are joined by colons:
//! `2s.pattern=0.5` is for two ships left with a short one among them, `pattern=0.5` for every stage.
//!
//! ```sh
//! cargo run --release -p broadside-tools --bin admiral_tuning -- classic 1 100000 @density -
//! cargo run --release -p broadside-tools --bin admiral_tuning -- classic 1 100000 - pattern=0 beside=0
//! ```
//!
//! Seeds below 1,000 are for tuning, 20261115 and up for tests.

use std::error::Error;
use std::time::Instant;

use broadside_captains::admiral::{Parameters, with_parameters};
use broadside_captains::{Captain, GameRng, captain};
use broadside_odds::Dealer;
use broadside_rules::{Layout, Referee, Rules};
use rand::SeedableRng;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rules, seed, games, base, variants @ ..] = &arguments[..] else {
        return Err("usage: admiral_tuning RULES SEED GAMES BASE VARIANT…".into());
    };
    let rules: Rules = rules.parse()?;
    let layouts = deal(&rules, seed.parse()?, games.parse()?)?;
    let mut parameters = Parameters::default();
    let mut first = match base.strip_prefix('@') {
        Some(name) => captain(name, &rules)?,
        None => with_parameters(&rules, changed(&mut parameters, base)?.clone()),
    };
    let start = Instant::now();
    let first = play(first.as_mut(), &rules, &layouts)?;
    println!("{base:40} {:.4}  {:.0} games/s", mean(&first), speed(&layouts, start));
    for variant in variants {
        let mut other = with_parameters(&rules, changed(&mut parameters.clone(), variant)?.clone());
        let start = Instant::now();
        let shots = play(other.as_mut(), &rules, &layouts)?;
        let (difference, error) = difference(&shots, &first);
        let games_per_s = speed(&layouts, start);
        println!("{variant:40} {:.4}  {difference:+.4} ± {error:.4}  {games_per_s:.0} games/s", mean(&shots));
    }
    Ok(())
}

fn deal(rules: &Rules, seed: u64, games: usize) -> Result<Vec<Layout>, Box<dyn Error>> {
    let (mut dealer, mut rng) = (Dealer::new(rules), GameRng::seed_from_u64(seed));
    (0..games).map(|_| Ok(dealer.uniform(&mut rng)?)).collect()
}

/// The parameters with some numbers changed.
fn changed<'a>(parameters: &'a mut Parameters, changes: &str) -> Result<&'a Parameters, Box<dyn Error>> {
    if changes != "-" {
        parameters.change(changes)?;
    }
    Ok(parameters)
}

/// The shots of each game.
fn play(captain: &mut dyn Captain, rules: &Rules, layouts: &[Layout]) -> Result<Vec<usize>, Box<dyn Error>> {
    let mut rng = GameRng::seed_from_u64(1);
    let game = |layout: &Layout| {
        let mut referee = Referee::new(rules, layout.clone());
        while !referee.is_over() {
            let cell = captain.aim(referee.log(), &mut rng);
            referee.fire(cell)?;
        }
        Ok(referee.log().len())
    };
    layouts.iter().map(game).collect()
}

fn speed(layouts: &[Layout], start: Instant) -> f64 {
    layouts.len() as f64 / start.elapsed().as_secs_f64()
}

fn mean(shots: &[usize]) -> f64 {
    shots.iter().sum::<usize>() as f64 / shots.len() as f64
}

/// The mean difference game by game, and its standard error.
fn difference(shots: &[usize], others: &[usize]) -> (f64, f64) {
    let games = shots.len() as f64;
    let mean = mean(shots) - mean(others);
    let square = |(&a, &b): (&usize, &usize)| (a as f64 - b as f64 - mean).powi(2);
    let variance = shots.iter().zip(others).map(square).sum::<f64>() / (games - 1.0);
    (mean, (variance / games).sqrt())
}
