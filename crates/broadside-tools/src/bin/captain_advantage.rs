//! What a captain gains over `admiral`, with far less noise than the mean of its games.
//!
//! `captain_advantage CAPTAIN RULES SEED GAMES FILE [THREADS]` plays the games of a campaign with this seed. Wherever the captain fires at
//! another cell than `admiral` would, the two cells are compared: the shots to go if it is fired at and `admiral` plays on, on
//! all layouts left, or on fresh ones drawn where they are too many. Summed over a game, the differences have the mean of what the captain gains in
//! the whole game: the expected shots of `admiral` from a position on, less the shot fired and what is expected after it, add up to
//! the difference between the two captains. Their spread is that of the choices and of the layouts drawn.
//!
//! ```sh
//! cargo run --release -p broadside-tools --bin captain_advantage -- commodore classic 20270101 20000 games.jsonl
//! ```
//!
//! FILE gets a line for each game, in their order. If it has lines already, those games are not played again, so a run that was ended goes on
//! with the same command. The result is one line of JSON. `advantage` and `plain` are shots a game that the captain takes fewer than `admiral`; `plain`
//! is the mean difference of the games themselves.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use broadside_captains::shots_to_go::{Settings, ShotsToGo};
use broadside_captains::{Captain, captain};
use broadside_lab::generator;
use broadside_odds::Dealer;
use broadside_rules::{Cell, Referee, Rules, ShotLog, Stop};
use serde::{Deserialize, Serialize};

/// Up to so many layouts, a difference is measured on all of them.
const LISTED: usize = 300;

/// Layouts that a difference is measured on otherwise: every other one measures. More would cost more than they tell, since the choices
/// themselves differ more from game to game.
const PLAYOUTS: u64 = 256;

/// One game, a line of the file.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Game {
    shots: u32,
    admiral: u32,
    advantage: f64,
    /// Where the captains chose different cells.
    different: u32,
    /// Milliseconds of the longest shot, and of all. They are not kept: the same command writes the same file.
    #[serde(skip)]
    longest_ms: f64,
    #[serde(skip)]
    ms: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, rules, seed, games, file, threads @ ..] = &arguments[..] else {
        return Err("usage: captain_advantage CAPTAIN RULES SEED GAMES FILE [THREADS]".into());
    };
    let (rules, seed, games): (Rules, u64, u64) = (rules.parse()?, seed.parse()?, games.parse()?);
    let threads: usize = threads.first().map_or(Ok(2), |threads| threads.parse())?;
    captain(name, &rules)?;
    let played = Played::open(Path::new(file))?;
    let (next, played) = (AtomicU64::new(played.first.len() as u64), Mutex::new(played));
    let work = || {
        let mut table = Table::new(name, &rules);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games {
                return;
            }
            let game = table.play(seed, number);
            played.lock().expect("no thread panics").add(number, game).expect("the file can be written to");
        }
    };
    thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
    let played = played.into_inner()?.first;
    println!("{}", summary(name, &rules, seed, &played));
    Ok(())
}

/// The games that are over.
struct Played {
    file: File,
    /// All games up to the first that isn't over: those that are quickly over are not preferred.
    first: Vec<Game>,
    /// The others, by their numbers.
    others: BTreeMap<u64, Game>,
}

impl Played {
    /// Reads the games of a file, which is made if there is none. A last line that was cut off is forgotten.
    fn open(path: &Path) -> Result<Self, Box<dyn Error>> {
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
        let (mut text, mut first, mut whole) = (String::new(), Vec::new(), 0);
        file.read_to_string(&mut text)?;
        for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            first.push(serde_json::from_str(line)?);
            whole += line.len() as u64;
        }
        file.set_len(whole)?;
        Ok(Self { file, first, others: BTreeMap::new() })
    }

    fn add(&mut self, number: u64, game: Game) -> Result<(), Box<dyn Error>> {
        self.others.insert(number, game);
        while let Some(game) = self.others.remove(&(self.first.len() as u64)) {
            self.file.write_all(format!("{}\n", serde_json::to_string(&game)?).as_bytes())?;
            self.first.push(game);
        }
        Ok(())
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
            let ms = 1e3 * start.elapsed().as_secs_f64();
            (game.ms, game.longest_ms) = (game.ms + ms, game.longest_ms.max(ms));
            if cell != own {
                game.different += 1;
                game.advantage += advantage(referee.log(), cell, own, seed ^ number);
            }
            referee.fire(cell).expect("a legal shot");
        }
        game.shots = referee.log().len() as u32;
        referee.restart(layout);
        while !referee.is_over() {
            let cell = self.admiral.aim(referee.log(), &mut rng);
            referee.fire(cell).expect("a legal shot");
        }
        game.admiral = referee.log().len() as u32;
        game
    }
}

/// How many shots to go a cell saves against the admiral's own.
fn advantage(log: &ShotLog, cell: Cell, own: Cell, seed: u64) -> f64 {
    let settings = Settings { candidates: 1, watched: Some(cell), listed: LISTED, best_play: false, seed, ..Settings::default() };
    let never = Stop::never();
    let report = ShotsToGo::new(log, &settings, &never).expect("a log of a game").run(PLAYOUTS, &never).expect("nobody stops it");
    let shots = |cell| report.cell(cell).expect("a cell that was compared").shots_to_go;
    shots(own) - shots(cell)
}

fn summary(name: &str, rules: &Rules, seed: u64, games: &[Game]) -> String {
    let mean = |value: &dyn Fn(&Game) -> f64| mean_and_error(&games.iter().map(value).collect::<Vec<_>>());
    // Those played by this run.
    let timed = || games.iter().filter(|game| game.ms > 0.0);
    let shots: f64 = timed().map(|game| f64::from(game.shots)).sum();
    let ms: f64 = timed().map(|game| game.ms).sum();
    let number = |(mean, error): (f64, f64)| format!("{{\"mean\":{mean:.4},\"std_err\":{error:.4}}}");
    format!(
        "{{\"captain\":\"{name}\",\"rules\":\"{rules}\",\"seed\":{seed},\"games\":{},\"shots\":{},\"admiral\":{},\"plain\":{},\
         \"advantage\":{},\"different_shots_a_game\":{:.3},\"ms_a_shot\":{:.3},\"longest_ms\":{:.1}}}",
        games.len(),
        number(mean(&|game| f64::from(game.shots))),
        number(mean(&|game| f64::from(game.admiral))),
        number(mean(&|game| f64::from(game.admiral) - f64::from(game.shots))),
        number(mean(&|game| game.advantage)),
        mean(&|game| f64::from(game.different)).0,
        ms / shots.max(1.0),
        games.iter().map(|game| game.longest_ms).fold(0.0, f64::max),
    )
}

fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, (variance / n).sqrt())
}
