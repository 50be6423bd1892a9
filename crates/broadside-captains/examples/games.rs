//! Measures captains over many games: `cargo run --release --example games -- [OPTIONS] CAPTAIN…`
//!
//! Options: `--games N`, `--rules "10x10 5,4,3,3,2 allowed ship"`, `--seed N`, `--threads N`. Every game's generator
//! derives from the seed and the game's number, so the results don't depend on the number of threads.

use std::time::{Duration, Instant};

use broadside_captains::{Captain, GameRng, ROSTER, captain};
use broadside_rules::{Dealer, Referee, Rules};
use rand::SeedableRng;

struct Plan {
    rules: Rules,
    games: u64,
    seed: u64,
    threads: u64,
    captains: Vec<String>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plan = plan(std::env::args().skip(1))?;
    println!("{}, {} games each, seed {}, {} threads", plan.rules, plan.games, plan.seed, plan.threads);
    println!(
        "{:<20} {:>12} {:>10} {:>8} {:>6} {:>6} {:>6} {:>10}",
        "captain", "games/s", "mean", "± error", "sd", "median", "max", "perfect"
    );
    for name in &plan.captains {
        captain(name, &plan.rules)?;
        let (lengths, time) = campaign(&plan, name);
        report(name, &plan, &lengths, time);
    }
    Ok(())
}

fn plan(mut words: impl Iterator<Item = String>) -> Result<Plan, Box<dyn std::error::Error>> {
    let threads = std::thread::available_parallelism()?.get() as u64;
    let mut plan = Plan { rules: "classic".parse()?, games: 100_000, seed: 1, threads, captains: Vec::new() };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--games" => plan.games = value()?.parse()?,
            "--rules" => plan.rules = value()?.parse()?,
            "--seed" => plan.seed = value()?.parse()?,
            "--threads" => plan.threads = value()?.parse()?,
            _ => plan.captains.push(word),
        }
    }
    if plan.captains.is_empty() {
        plan.captains = ROSTER.iter().map(|entry| entry.name.to_string()).collect();
    }
    Ok(plan)
}

/// How many games took each number of shots, and how long it all took.
fn campaign(plan: &Plan, name: &str) -> (Vec<u64>, Duration) {
    let start = Instant::now();
    let lengths = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..plan.threads).map(|thread| scope.spawn(move || work(plan, name, thread))).collect();
        let parts = workers.into_iter().map(|worker| worker.join().expect("a worker that doesn't panic"));
        parts.reduce(|a, b| a.iter().zip(&b).map(|(a, b)| a + b).collect()).expect("at least one thread")
    });
    (lengths, start.elapsed())
}

fn work(plan: &Plan, name: &str, thread: u64) -> Vec<u64> {
    let mut captain = captain(name, &plan.rules).expect("a captain of that name");
    let mut dealer = Dealer::new(&plan.rules);
    let mut referee: Option<Referee> = None;
    let mut lengths = vec![0; plan.rules.grid().len() + 1];
    for game in (thread..plan.games).step_by(plan.threads as usize) {
        // A fixed odd multiplier spreads the seeds, and seeding mixes them further.
        let mut rng = GameRng::seed_from_u64(plan.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(game));
        let layout = dealer.uniform(&mut rng).expect("a board that is not too tight");
        match &mut referee {
            Some(referee) => referee.restart(layout),
            None => referee = Some(Referee::new(&plan.rules, layout)),
        }
        let referee = referee.as_mut().expect("a game");
        lengths[play(captain.as_mut(), referee, &mut rng)] += 1;
    }
    lengths
}

fn play(captain: &mut dyn Captain, referee: &mut Referee, rng: &mut GameRng) -> usize {
    while !referee.is_over() {
        let cell = captain.aim(referee.log(), rng);
        referee.fire(cell).expect("a legal shot");
    }
    referee.log().len()
}

fn report(name: &str, plan: &Plan, lengths: &[u64], time: Duration) {
    let games = plan.games as f64;
    let moment =
        |power: i32| lengths.iter().enumerate().map(|(n, &count)| count as f64 * (n as f64).powi(power)).sum::<f64>() / games;
    let (mean, sd) = (moment(1), (moment(2) - moment(1).powi(2)).sqrt());
    let error = sd / games.sqrt();
    let mut below = 0;
    let median = lengths
        .iter()
        .position(|&count| {
            below += count;
            2 * below >= plan.games
        })
        .unwrap_or(0);
    let max = lengths.iter().rposition(|&count| count > 0).unwrap_or(0);
    let perfect = lengths[plan.rules.fleet().cells()] as f64 / games;
    let speed = games / time.as_secs_f64();
    println!("{name:<20} {speed:>12.0} {mean:>10.4} {error:>8.4} {sd:>6.2} {median:>6} {max:>6} {perfect:>10.2e}");
    if name == "random" {
        let (cells, ships) = (plan.rules.grid().len() as f64, plan.rules.fleet().cells() as f64);
        let expected = ships * (cells + 1.0) / (ships + 1.0);
        assert!((mean - expected).abs() < 4.0 * error, "random takes {expected} shots on average, not {mean}");
    }
}
