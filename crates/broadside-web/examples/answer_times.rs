//! Whether the time that an answer takes tells anything of the captain's hidden ships.
//!
//! `cargo run --release -p broadside-web --example answer_times [GAMES]`
//!
//! Each game is against `density` on the classic board, with the same fleet and the same shots of the player. Of the games in
//! which all of them missed, the player knows the same; their captains' ships, which the end of the game shows, differ. For
//! some properties of those ships, the games with the property are set against those without: how often one of the former
//! took longer than one of the latter. One half says that the time tells nothing.

use std::error::Error;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use broadside_rules::{Cell, Orientation, Placement};
use broadside_web::client::{Client, Player};
use broadside_web::{Config, Server};
use serde_json::{Value, json};

/// Where the player fires in every game.
const CELLS: [&str; 5] = ["E5", "C7", "G3", "H8", "B2"];
/// The player's ships.
const SHIPS: [&str; 5] = ["A1-A5", "C1-C4", "E1-E3", "G1-G3", "I1-I2"];

/// A game in which all shots missed: the time of their answers, and the captain's ships.
struct Game {
    took: Duration,
    ships: Vec<Placement>,
}

/// A property of hidden ships.
type Property = (&'static str, fn(&[Placement]) -> bool);

const PROPERTIES: [Property; 4] = [
    ("a ship lies beside the first cell that was fired at", |ships| {
        CELLS[0].parse().is_ok_and(|fired| cells(ships).any(|cell| distance(cell, fired) == 1))
    }),
    ("the longest ship lies across", |ships| ships[0].orientation() == Orientation::Horizontal),
    ("most ships lie in the upper half", |ships| cells(ships).filter(|cell| cell.row() < 5).count() >= 9),
    ("most ships lie in the left half", |ships| cells(ships).filter(|cell| cell.col() < 5).count() >= 9),
];

fn cells(ships: &[Placement]) -> impl Iterator<Item = Cell> {
    ships.iter().flat_map(|ship| ship.cells())
}

fn distance(one: Cell, other: Cell) -> usize {
    one.row().abs_diff(other.row()) + one.col().abs_diff(other.col())
}

fn main() -> Result<(), Box<dyn Error>> {
    let games = std::env::args().nth(1).map_or(Ok(3000), |number| number.parse())?;
    let folder = tempfile::tempdir()?;
    let config = Config::new("127.0.0.1:0".parse()?, folder.path().join("games"));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let missed = runtime.block_on(async {
        let server = Server::bind(config).await?;
        let address = server.address();
        let _running = tokio::spawn(server.run(std::future::pending()));
        play_all(address, games).await
    })?;
    println!("{games} games, in {} of which all {} shots missed", missed.len(), CELLS.len());
    for property in PROPERTIES {
        report(property, &missed);
    }
    Ok(())
}

async fn play_all(address: SocketAddr, games: usize) -> Result<Vec<Game>, Box<dyn Error>> {
    let mut missed = Vec::new();
    for _ in 0..games {
        missed.extend(play(address).await?);
    }
    Ok(missed)
}

/// Plays a game; `None` if a shot hit.
async fn play(address: SocketAddr) -> Result<Option<Game>, Box<dyn Error>> {
    let mut player = Player::make(Client::connect(address).await?, &json!({ "captain": "density" })).await?;
    player.place(&json!(SHIPS)).await?;
    let mut took = Duration::ZERO;
    for cell in CELLS {
        let start = Instant::now();
        player.fire(cell).await?;
        took += start.elapsed();
    }
    let missed = player.shots().iter().all(|shot| shot.ends_with('-'));
    let view = player.act("resign", &json!({})).await?;
    let ships = view["opponent"]["ships"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let ships = ships.map(str::parse).collect::<Result<Vec<Placement>, _>>()?;
    Ok(missed.then_some(Game { took, ships }))
}

fn report((name, has): Property, games: &[Game]) {
    let (with, without): (Vec<&Game>, Vec<&Game>) = games.iter().partition(|game| has(&game.ships));
    let [with, without] = [with, without].map(sorted_times);
    let (share, error) = share_longer(&with, &without);
    let median = |times: &[Duration]| times.get(times.len() / 2).map_or(f64::NAN, |time| time.as_secs_f64() * 1000.0);
    println!("{name}: {} games, median {:.3} ms; not: {}, {:.3} ms", with.len(), median(&with), without.len(), median(&without));
    println!("    one of the former took longer in {share:.3} of all pairs, standard error if it tells nothing {error:.3}");
}

fn sorted_times(games: Vec<&Game>) -> Vec<Duration> {
    let mut times: Vec<Duration> = games.into_iter().map(|game| game.took).collect();
    times.sort_unstable();
    times
}

/// In what share of all pairs the first is longer, and the standard error of that if both are alike (Mann and Whitney 1947).
/// Ties count half.
fn share_longer(with: &[Duration], without: &[Duration]) -> (f64, f64) {
    let longer = |time: &Duration| {
        let (less, up_to) = (without.partition_point(|other| other < time), without.partition_point(|other| other <= time));
        (less + up_to) as f64 / 2.0
    };
    let (count, other) = (with.len() as f64, without.len() as f64);
    let share = with.iter().map(longer).sum::<f64>() / (count * other);
    (share, ((count + other + 1.0) / (12.0 * count * other)).sqrt())
}
