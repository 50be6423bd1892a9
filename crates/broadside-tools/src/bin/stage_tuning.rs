//! Tunes the admiral's numbers for one number of ships left, with games played as one tree.
//!
//! `stage_tuning RULES SHIPS SEED STEPS POSITIONS LAYOUTS [THREADS]`: each step plays games until so many ships are left, draws layouts that
//! fit each of these positions, and plays on from there twice, on the same layouts: with all numbers of the stage changed by a small step in random
//! directions, and with all changed the other way (simultaneous perturbation, SPSA). The difference moves the numbers. Layouts that share their beginning share the
//! thinking, so a playout costs a fraction of a game, and what happened before the stage adds no noise.
//!
//! Every tenth of the steps the numbers reached are compared with the admiral's own on fresh positions. The last line has the changes in the form that
//! `admiral_tuning` takes, to be tested there on whole games of other layouts.
//!
//! ```sh
//! cargo run --release -p broadside-tools --bin stage_tuning -- classic 3 1 300 20 300
//! ```

use std::error::Error;
use std::thread;

use broadside_captains::admiral::{Parameters, with_parameters};
use broadside_captains::shots_to_go::play_on;
use broadside_captains::{GameRng, captain};
use broadside_lab::generator;
use broadside_odds::{Budget, Dealer, Transfer};
use broadside_rules::{Placement, Referee, Rules, ShotLog, Stop};
use rand::{RngExt, SeedableRng};

/// How much a number is changed to see what it does: so much of its size, and a little for those near zero.
const STEP: (f32, f32) = (0.12, 0.02);

/// How far a number is moved for a difference of one shot, in steps, at the start.
const GAIN: f64 = 6.0;

/// Positions for a comparison with the admiral's own numbers, times those of a step.
const COMPARED: u64 = 8;

/// What to play.
#[derive(Clone)]
struct Task {
    rules: Rules,
    ships: usize,
    seed: u64,
    positions: u64,
    layouts: usize,
    threads: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rules, ships, seed, steps, positions, layouts, threads @ ..] = &arguments[..] else {
        return Err("usage: stage_tuning RULES SHIPS SEED STEPS POSITIONS LAYOUTS [THREADS]".into());
    };
    let threads = threads.first().map_or(Ok(2), |threads| threads.parse())?;
    let (positions, layouts) = (positions.parse()?, layouts.parse()?);
    let task = Task { rules: rules.parse()?, ships: ships.parse()?, seed: seed.parse()?, positions, layouts, threads };
    let tuned = tune(&task, steps.parse()?);
    println!("{}", changes(&tuned, task.ships));
    Ok(())
}

/// Moves the numbers of the stage step by step.
fn tune(task: &Task, steps: u64) -> Parameters {
    let (mut parameters, mut rng) = (Parameters::default(), GameRng::seed_from_u64(task.seed));
    for step in 0..steps {
        let signs: Vec<f32> =
            (0..stage(&mut parameters, task.ships).len()).map(|_| if rng.random() { 1.0 } else { -1.0 }).collect();
        let (up, down) = (moved(&parameters, task.ships, &signs, 1.0), moved(&parameters, task.ships, &signs, -1.0));
        let first = step * task.positions;
        let (difference, _) = compare(task, first..first + task.positions, &up, &down);
        let gain = GAIN / (1.0 + step as f64 / 100.0).powf(0.6);
        parameters = moved(&parameters, task.ships, &signs, (-gain * difference).clamp(-0.5, 0.5) as f32);
        if (step + 1).is_multiple_of(steps.div_ceil(10)) {
            let fresh = (1 << 40) + step * COMPARED * task.positions;
            let (gained, error) = compare(task, fresh..fresh + COMPARED * task.positions, &parameters, &Parameters::default());
            eprintln!("step {}: {gained:+.4} ± {error:.4} shots against the admiral's own numbers", step + 1);
        }
    }
    parameters
}

/// The numbers for so many ships left.
fn stage(parameters: &mut Parameters, ships: usize) -> Vec<(String, &mut f32)> {
    let mut numbers = parameters.numbers();
    numbers.retain(|(name, _)| name.starts_with(&ships.to_string()));
    numbers
}

/// The parameters with the numbers of the stage moved by so many steps in these directions.
fn moved(parameters: &Parameters, ships: usize, signs: &[f32], times: f32) -> Parameters {
    let mut moved = parameters.clone();
    for ((name, number), sign) in stage(&mut moved, ships).into_iter().zip(signs) {
        let step = STEP.0 * number.abs() + STEP.1;
        *number += times * sign * step;
        // Weights and numbers of placements are never below zero.
        if name.contains("length") || name.contains("few") || name.contains("share") {
            *number = number.max(1e-4);
        }
    }
    moved
}

/// How many shots more the first parameters take than the second, with its standard error.
fn compare(task: &Task, games: std::ops::Range<u64>, one: &Parameters, other: &Parameters) -> (f64, f64) {
    let part = |thread: u64| {
        let own = games.clone().filter(move |game| game % task.threads == thread);
        own.filter_map(|game| position_difference(task, game, one, other)).collect::<Vec<f64>>()
    };
    let differences: Vec<f64> = thread::scope(|scope| {
        let threads: Vec<_> = (0..task.threads).map(|thread| scope.spawn(move || part(thread))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a thread that doesn't panic")).collect()
    });
    let n = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / n;
    let variance = differences.iter().map(|difference| (difference - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, (variance / n).sqrt())
}

/// The mean difference on layouts that fit one position; none if the stage never begins, as when two ships go down at once.
fn position_difference(task: &Task, game: u64, one: &Parameters, other: &Parameters) -> Option<f64> {
    let mut rng = generator(task.seed, game);
    let log = first_position(task, &mut rng)?;
    let mut sampler = Transfer::new(Budget::default()).sampler(&log).ok()??;
    let layouts: Vec<Vec<Placement>> = (0..task.layouts).map(|_| sampler.draw_ships(&mut rng).to_vec()).collect();
    let shots = |parameters: &Parameters| {
        let captain = with_parameters(&task.rules, parameters.clone());
        let shots = play_on(&log, captain, &layouts, &Stop::never()).expect("nobody stops it");
        shots.iter().map(|&shots| f64::from(shots)).sum::<f64>()
    };
    Some((shots(one) - shots(other)) / task.layouts as f64)
}

/// The first position of a game with so many ships left.
fn first_position(task: &Task, rng: &mut GameRng) -> Option<ShotLog> {
    let mut admiral = captain("admiral", &task.rules).expect("a captain of the roster");
    let mut referee = Referee::new(&task.rules, Dealer::new(&task.rules).uniform(rng).ok()?);
    while !referee.is_over() {
        if task.rules.fleet().len() - referee.log().sinkings() == task.ships {
            return Some(referee.log().clone());
        }
        let cell = admiral.aim(referee.log(), rng);
        referee.fire(cell).ok()?;
    }
    None
}

/// The numbers of the stage as changes.
fn changes(parameters: &Parameters, ships: usize) -> String {
    let mut parameters = parameters.clone();
    let changes: Vec<String> =
        stage(&mut parameters, ships).into_iter().map(|(name, number)| format!("{name}={number:.4}")).collect();
    changes.join(",")
}
