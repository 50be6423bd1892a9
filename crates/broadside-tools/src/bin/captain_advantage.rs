//! What a captain gains over `admiral`, with far less noise than the mean of its games.
//!
//! `captain_advantage CAPTAIN RULES SEED GAMES [THREADS]` plays the games of a campaign with this seed. Wherever the captain fires at
//! another cell than `admiral` would, the two cells are compared: the shots to go if it is fired at and `admiral` plays on, on
//! all layouts left, or on fresh ones drawn where they are too many. Summed over a game, the differences have the mean of what the captain gains in
//! the whole game: the expected shots of `admiral` from a position on, less the shot fired and what is expected after it, add up to
//! the difference between the two captains. Their spread is that of the choices alone.
//!
//! ```sh
//! cargo run --release -p broadside-tools --bin captain_advantage -- commodore classic 20270101 20000
//! ```
//!
//! The result is a line of JSON, after every 250 games one of those so far, and the last one of all. `advantage` and `plain` are shots a game that the captain takes fewer than `admiral`; `plain`
//! is the mean difference of the games themselves.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use broadside_captains::shots_to_go::{Settings, ShotsToGo};
use broadside_captains::{Captain, captain};
use broadside_lab::generator;
use broadside_odds::Dealer;
use broadside_rules::{Cell, Referee, Rules, ShotLog, Stop};

/// Layouts that a difference is measured on where they can't all be listed.
const PLAYOUTS: u64 = 2000;

/// One game.
#[derive(Clone, Copy, Debug, Default)]
struct Game {
    shots: f64,
    admiral: f64,
    advantage: f64,
    /// Where the captains chose different cells.
    different: f64,
    /// Seconds of the longest shot.
    longest: f64,
    seconds: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, rules, seed, games, threads @ ..] = &arguments[..] else {
        return Err("usage: captain_advantage CAPTAIN RULES SEED GAMES [THREADS]".into());
    };
    let (rules, seed, games): (Rules, u64, u64) = (rules.parse()?, seed.parse()?, games.parse()?);
    let threads: usize = threads.first().map_or(Ok(2), |threads| threads.parse())?;
    captain(name, &rules)?;
    let (next, played) = (AtomicU64::new(0), Mutex::new(Played::default()));
    let work = || {
        let mut table = Table::new(name, &rules);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games {
                return;
            }
            let game = table.play(seed, number);
            let mut played = played.lock().expect("no thread panics");
            if played.add(number, game) && played.first.len() as u64 != games {
                println!("{}", summary(name, &rules, seed, &played.first));
            }
        }
    };
    thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
    let played = played.into_inner()?.first;
    println!("{}", summary(name, &rules, seed, &played));
    Ok(())
}

/// A line is printed after so many games.
const EVERY: usize = 250;

/// The games that are over.
#[derive(Default)]
struct Played {
    /// All games up to the first that isn't over: those that are quickly over are not preferred.
    first: Vec<Game>,
    /// The others, by their numbers.
    others: BTreeMap<u64, Game>,
}

impl Played {
    /// Says whether a line is due.
    fn add(&mut self, number: u64, game: Game) -> bool {
        let before = self.first.len() / EVERY;
        self.others.insert(number, game);
        while let Some(game) = self.others.remove(&(self.first.len() as u64)) {
            self.first.push(game);
        }
        self.first.len() / EVERY > before
    }
}

/// A captain and the admiral beside it.
struct Table {
    rules: Rules,
    dealer: Dealer,
    captain: Box<dyn Captain>,
    admiral: Box<dyn Captain>,
}

impl Table {
    fn new(name: &str, rules: &Rules) -> Self {
        let by = |name| captain(name, rules).expect("a captain that was found before");
        Self { rules: rules.clone(), dealer: Dealer::new(rules), captain: by(name), admiral: by("admiral") }
    }

    /// Plays the game with this number, by the captain and by the admiral.
    fn play(&mut self, seed: u64, number: u64) -> Game {
        let mut rng = generator(seed, number);
        let layout = self.dealer.uniform(&mut rng).expect("a board that can be dealt");
        let (mut game, mut referee) = (Game::default(), Referee::new(&self.rules, layout.clone()));
        while !referee.is_over() {
            let own = self.admiral.aim(referee.log(), &mut rng);
            let start = Instant::now();
            let cell = self.captain.aim(referee.log(), &mut rng);
            let time = start.elapsed().as_secs_f64();
            (game.seconds, game.longest) = (game.seconds + time, game.longest.max(time));
            if cell != own {
                game.different += 1.0;
                game.advantage += advantage(referee.log(), cell, own, seed ^ number);
            }
            referee.fire(cell).expect("a legal shot");
        }
        game.shots = referee.log().len() as f64;
        referee.restart(layout);
        while !referee.is_over() {
            let cell = self.admiral.aim(referee.log(), &mut rng);
            referee.fire(cell).expect("a legal shot");
        }
        game.admiral = referee.log().len() as f64;
        game
    }
}

/// How many shots to go a cell saves against the admiral's own.
fn advantage(log: &ShotLog, cell: Cell, own: Cell, seed: u64) -> f64 {
    let settings = Settings { candidates: 1, watched: Some(cell), best_play: false, seed, ..Settings::default() };
    let never = Stop::never();
    let report = ShotsToGo::new(log, &settings, &never).expect("a log of a game").run(PLAYOUTS, &never).expect("nobody stops it");
    let shots = |cell| report.cell(cell).expect("a cell that was compared").shots_to_go;
    shots(own) - shots(cell)
}

fn summary(name: &str, rules: &Rules, seed: u64, games: &[Game]) -> String {
    let mean = |value: &dyn Fn(&Game) -> f64| mean_and_error(&games.iter().map(value).collect::<Vec<_>>());
    let shots: f64 = games.iter().map(|game| game.shots).sum();
    let seconds: f64 = games.iter().map(|game| game.seconds).sum();
    let number = |(mean, error): (f64, f64)| format!("{{\"mean\":{mean:.4},\"std_err\":{error:.4}}}");
    format!(
        "{{\"captain\":\"{name}\",\"rules\":\"{rules}\",\"seed\":{seed},\"games\":{},\"shots\":{},\"admiral\":{},\"plain\":{},\
         \"advantage\":{},\"different_shots_a_game\":{:.3},\"ms_a_shot\":{:.3},\"longest_ms\":{:.1}}}",
        games.len(),
        number(mean(&|game| game.shots)),
        number(mean(&|game| game.admiral)),
        number(mean(&|game| game.admiral - game.shots)),
        number(mean(&|game| game.advantage)),
        mean(&|game| game.different).0,
        1e3 * seconds / shots,
        1e3 * games.iter().map(|game| game.longest).fold(0.0, f64::max),
    )
}

fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, (variance / n).sqrt())
}
