//! Tunes the admiral's numbers, one number of ships left after the other, on whole games.
//!
//! `stage_tuning RULES SEED STEPS GAMES FILE [SHIPS…]`: a step is for one number of ships left; SHIPS are the numbers that take turns (all if none are
//! named). In each step games are played with the numbers reached until so many ships are left. From there all numbers of the stage are changed by small steps
//! at random, and the games are played on twice: with these changes, and with the opposite ones. That is done with several changes on the same games. What the changes in one
//! direction cost against the other says how each number should move (an evolution strategy with antithetic pairs); Adam makes a step of it. Each
//! game speaks only for the stage that it reached, so that the stages of one number of ships don't disturb one another.
//!
//! FILE holds the state, and is written after every step: the same command goes on from there, up to so many STEPS. Every hundredth
//! step, and at the end, the running mean of the numbers is printed in the form that `admiral_tuning` takes, to be tested there on other layouts.
//!
//! ```sh
//! cargo run --release -p broadside-tools --bin stage_tuning -- classic 101 1000 2000 state.json
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::Path;

use broadside_captains::admiral::{Parameters, with_parameters};
use broadside_captains::{Captain, GameRng};
use broadside_lab::generator;
use broadside_odds::Dealer;
use broadside_rules::{Referee, Rules, ShotLog};
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};

/// Changes tried in a step, each with its opposite.
const PAIRS: usize = 4;

/// How fast Adam moves a number at the start, in steps of that number.
const RATE: f64 = 0.25;

/// How soon the rate begins to fall, in steps.
const SLOWER_AFTER: f64 = 40.0;

/// How much of Adam's means of the slopes and of their squares stays from one step to the next.
const KEPT: [f64; 2] = [0.85, 0.97];

/// The mean of the values is over about the last of so many parts of the steps: single values are noise around it.
const RECENT: f64 = 3.0;

/// One number, and what the search knows of it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Tuned {
    value: f64,
    /// The running mean of the values.
    mean: f64,
    /// The running means of the slopes and of their squares.
    slope: f64,
    square: f64,
    /// The steps made.
    steps: u32,
}

impl Tuned {
    fn new(value: f32) -> Self {
        let value = f64::from(value);
        Self { value, mean: value, slope: 0.0, square: 0.0, steps: 0 }
    }

    /// A step against the slope, given in shots for one step of this number.
    fn step(&mut self, name: &str, slope: f64) {
        self.steps += 1;
        let steps = f64::from(self.steps);
        self.slope += (1.0 - KEPT[0]) * (slope - self.slope);
        self.square += (1.0 - KEPT[1]) * (slope * slope - self.square);
        let slope = self.slope / (1.0 - KEPT[0].powf(steps));
        let square = self.square / (1.0 - KEPT[1].powf(steps));
        let rate = RATE / (1.0 + steps / SLOWER_AFTER).powf(0.75);
        self.value = allowed(name, self.value - rate * step_of(name, self.value) * slope / square.sqrt().max(1e-9));
        self.mean += RECENT / (steps + RECENT) * (self.value - self.mean);
    }
}

/// How much a number is changed to see what it does.
fn step_of(name: &str, value: f64) -> f64 {
    match field(name) {
        "few" | "target_few" => 0.2 * value.abs() + 2.0,
        "beside" | "corner" | "second" | "knight" => 0.025,
        "hunt_share" => 0.03,
        "pattern" => 0.08,
        "fired_beside" | "fired_corner" | "fired_second" | "edge" | "near_edge" => 0.05,
        _ => 0.12,
    }
}

/// Weights and numbers of placements are never below zero.
fn allowed(name: &str, value: f64) -> f64 {
    let positive = ["few", "length", "share"].iter().any(|part| field(name).contains(part));
    if positive { value.max(1e-4) } else { value }
}

fn field(name: &str) -> &str {
    name.split_once('.').map_or(name, |(_, field)| field)
}

/// What is kept between runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct State {
    step: u64,
    numbers: BTreeMap<String, Tuned>,
}

impl State {
    /// Reads the file, or starts from the admiral's own numbers if there is none.
    fn open(path: &Path) -> Result<Self, Box<dyn Error>> {
        if path.exists() {
            return Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?);
        }
        let numbers = Parameters::default().numbers().into_iter().map(|(name, number)| (name, Tuned::new(*number))).collect();
        Ok(Self { step: 0, numbers })
    }

    /// Writes the file, which is never half written.
    fn save(&self, path: &Path) -> Result<(), Box<dyn Error>> {
        let new = path.with_extension("new");
        std::fs::write(&new, serde_json::to_string_pretty(self)?)?;
        Ok(std::fs::rename(new, path)?)
    }

    /// The parameters with these values.
    fn parameters(&self, value: impl Fn(&str, &Tuned) -> f64) -> Parameters {
        let mut parameters = Parameters::default();
        for (name, number) in parameters.numbers() {
            *number = value(&name, &self.numbers[&name]) as f32;
        }
        parameters
    }

    /// The running means as changes.
    fn changes(&self) -> String {
        let change = |(name, tuned): (&String, &Tuned)| format!("{name}={:.4}", tuned.mean);
        self.numbers.iter().filter(|(_, tuned)| tuned.steps > 0).map(change).collect::<Vec<_>>().join(":")
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rules, seed, steps, games, file, ships @ ..] = &arguments[..] else {
        return Err("usage: stage_tuning RULES SEED STEPS GAMES FILE [SHIPS…]".into());
    };
    let (rules, seed, steps, games): (Rules, u64, u64, u64) = (rules.parse()?, seed.parse()?, steps.parse()?, games.parse()?);
    let mut turns: Vec<usize> = ships.iter().map(|ships| ships.parse()).collect::<Result<_, _>>()?;
    if turns.is_empty() {
        turns = (1..=rules.fleet().len()).rev().collect();
    }
    let (path, mut table) = (Path::new(file), Table { dealer: Dealer::new(&rules), rules });
    let mut state = State::open(path)?;
    while state.step < steps {
        let ships = turns[(state.step % turns.len() as u64) as usize];
        let forks =
            table.forks(&state.parameters(|_, tuned| tuned.value), ships, seed, state.step * games..(state.step + 1) * games);
        let mut rng = generator(seed + 1000, state.step);
        step(&mut state, &table.rules, &forks, &mut rng);
        state.step += 1;
        state.save(path)?;
        if state.step.is_multiple_of(100) || state.step == steps {
            println!("{}", state.changes());
        }
    }
    Ok(())
}

/// A game at the beginning of a stage.
struct Fork {
    referee: Referee,
    /// What the names of the stage's numbers begin with.
    stage: String,
}

/// Where games are played.
struct Table {
    rules: Rules,
    dealer: Dealer,
}

impl Table {
    /// Plays the games up to the beginning of a stage. Those in which it never begins, as when two ships go down at once, are left out.
    fn forks(&mut self, parameters: &Parameters, ships: usize, seed: u64, games: std::ops::Range<u64>) -> Vec<Fork> {
        let mut captain = with_parameters(&self.rules, parameters.clone());
        let mut forks = Vec::new();
        for game in games {
            let mut rng = generator(seed, game);
            let layout = self.dealer.uniform(&mut rng).expect("a board that can be dealt");
            let mut referee = Referee::new(&self.rules, layout);
            while !referee.is_over() && ships_left(referee.log()) > ships {
                fire(captain.as_mut(), &mut referee, &mut rng);
            }
            if ships_left(referee.log()) == ships {
                forks.push(Fork { stage: Parameters::stage_name(referee.log()) + ".", referee });
            }
        }
        forks
    }
}

fn ships_left(log: &ShotLog) -> usize {
    log.rules().fleet().len() - log.sinkings()
}

fn fire(captain: &mut dyn Captain, referee: &mut Referee, rng: &mut GameRng) {
    let cell = captain.aim(referee.log(), rng);
    referee.fire(cell).expect("a legal shot");
}

/// Moves the numbers of the stages that games reached.
fn step(state: &mut State, rules: &Rules, forks: &[Fork], rng: &mut GameRng) {
    let reached: BTreeSet<&str> = forks.iter().map(|fork| &fork.stage[..]).collect();
    let tuned = || state.numbers.keys().filter(|name| reached.iter().any(|stage| name.starts_with(stage)));
    let mut slopes: BTreeMap<String, f64> = BTreeMap::new();
    for _ in 0..PAIRS {
        let signs: BTreeMap<String, f64> = tuned().map(|name| (name.clone(), if rng.random() { 1.0 } else { -1.0 })).collect();
        let costs = costs(state, rules, forks, &signs);
        for (name, sign) in signs {
            let (_, cost) = costs.iter().find(|(start, _)| name.starts_with(**start)).expect("a stage that was reached");
            *slopes.entry(name).or_default() += sign * cost / (2 * PAIRS) as f64;
        }
    }
    for (name, slope) in slopes {
        state.numbers.get_mut(&name).expect("a number of the stage").step(&name, slope);
    }
}

/// For each stage that games reached, the mean of the shots that they take more with these changes than with the opposite ones.
fn costs<'a>(state: &State, rules: &Rules, forks: &'a [Fork], signs: &BTreeMap<String, f64>) -> BTreeMap<&'a str, f64> {
    let changed = |times: f64| {
        let value = |name: &str, tuned: &Tuned| {
            let sign = signs.get(name).copied().unwrap_or(0.0);
            allowed(name, tuned.value + times * sign * step_of(name, tuned.value))
        };
        with_parameters(rules, state.parameters(value))
    };
    let (mut up, mut down) = (changed(1.0), changed(-1.0));
    let mut sums: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for fork in forks {
        let (sum, games) = sums.entry(&fork.stage).or_default();
        *sum += play_on(up.as_mut(), fork) - play_on(down.as_mut(), fork);
        *games += 1.0;
    }
    sums.into_iter().map(|(stage, (sum, games))| (stage, sum / games)).collect()
}

/// The shots of the game played on.
fn play_on(captain: &mut dyn Captain, fork: &Fork) -> f64 {
    let (mut referee, mut rng) = (fork.referee.clone(), GameRng::seed_from_u64(1));
    while !referee.is_over() {
        fire(captain, &mut referee, &mut rng);
    }
    referee.log().len() as f64
}
