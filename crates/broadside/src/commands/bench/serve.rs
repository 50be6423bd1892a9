//! `broadside bench serve`: how many players the web server can serve at once.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use broadside_captains::GameRng;
use broadside_lab::generator;
use broadside_rules::Preset;
use broadside_web::client::{Client, ClientError, Player};
use indicatif::ProgressBar;
use rand::seq::SliceRandom;
use serde::Serialize;
use serde_json::json;

use super::process::ServerProcess;
use crate::exit::Failure;
use crate::progress;

/// Let many players play whole games against a captain at once, over loopback
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Players at once, each with a connection
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=2000))]
    players: u64,
    /// Games in all
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Who they play against
    #[arg(long, value_name = "NAME", default_value = "density")]
    captain: String,
    /// A server that runs already, or a proxy before several; without it one is started
    #[arg(long, value_name = "ADDRESS:PORT")]
    at: Option<SocketAddr>,
    /// Seed of the players' shots
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

const EXAMPLES: &str = "\
Examples:
  broadside bench serve
  broadside bench serve --players 100 --games 1000 --format json
  broadside bench serve --at 127.0.0.1:8080

The server runs in a process of its own on a free port, with a new folder for its games that is removed afterwards. Players \
fire at random on the classic board, so a game has about 45 shots of each side. The baseline is a request that touches no \
game (GET /api/captains) from as many connections. Memory is that of the server's process.";

/// Requests of each player for the baseline.
const BASELINE: u64 = 40;

/// Something went wrong that the figures would hide.
#[derive(Debug, thiserror::Error)]
enum LoadError {
    #[error("the server doesn't start")]
    Start(#[source] io::Error),
    #[error("a request failed")]
    Request(#[from] ClientError),
    #[error("a game did not end as games do")]
    Ending,
    #[error("a player stopped")]
    Player(#[from] tokio::task::JoinError),
}

/// What was measured.
#[derive(Serialize)]
pub(super) struct Table {
    players: u64,
    games: u64,
    captain: String,
    seconds: f64,
    /// Shots of the players, each answered with the captain's reply.
    shots: usize,
    requests_per_second: f64,
    baseline_per_second: f64,
    milliseconds: Percentiles,
    /// The server's memory in megabytes after each tenth of the games, where the system tells.
    memory: Vec<f64>,
}

/// How long a shot takes to be answered.
#[derive(Serialize)]
struct Percentiles {
    p50: f64,
    p90: f64,
    p99: f64,
    max: f64,
}

impl Percentiles {
    fn from_times(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at =
            |percent: usize| times.get((times.len().max(1) - 1) * percent / 100).map_or(0.0, |time| time.as_secs_f64() * 1000.0);
        Self { p50: at(50), p90: at(90), p99: at(99), max: at(100) }
    }
}

pub(super) fn measure(args: &Args) -> Result<Table, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::system)?;
    if let Some(address) = args.at {
        return runtime.block_on(load(args, address, None)).map_err(Failure::no_answer);
    }
    let folder = tempfile::tempdir().map_err(Failure::system)?;
    let server = ServerProcess::start(folder.path(), &[]).map_err(|error| Failure::no_answer(LoadError::Start(error)))?;
    runtime.block_on(load(args, server.address, Some(&server))).map_err(Failure::no_answer)
}

/// Lets the players play at an address. Memory is measured where the server's process is known.
async fn load(args: &Args, address: SocketAddr, server: Option<&ServerProcess>) -> Result<Table, LoadError> {
    let baseline = baseline(args.players, address).await?;
    let bar = progress::bar("games".to_owned(), args.games);
    let (started, ended) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let start = Instant::now();
    let players: Vec<_> = (0..args.players.min(args.games))
        .map(|player| {
            let games = Games {
                address,
                captain: args.captain.clone(),
                number: args.games,
                started: started.clone(),
                ended: ended.clone(),
                bar: bar.clone(),
            };
            tokio::spawn(play_games(games, generator(args.seed, player)))
        })
        .collect();
    let memory = watch_memory(server, args.games, &ended, &players).await;
    let mut times = Vec::new();
    for player in players {
        times.extend(player.await??);
    }
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    Ok(Table {
        players: args.players,
        games: args.games,
        captain: args.captain.clone(),
        seconds,
        shots: times.len(),
        requests_per_second: times.len() as f64 / seconds,
        baseline_per_second: baseline,
        milliseconds: Percentiles::from_times(times),
        memory,
    })
}

/// Requests a second that touch no game.
async fn baseline(players: u64, address: SocketAddr) -> Result<f64, LoadError> {
    let mut connected = Vec::new();
    for _ in 0..players {
        connected.push(Client::connect(address).await?);
    }
    let start = Instant::now();
    let asking = connected.into_iter().map(|mut client| {
        tokio::spawn(async move {
            for _ in 0..BASELINE {
                client.get("/api/captains", None).await?;
            }
            Ok::<_, ClientError>(())
        })
    });
    for asked in asking.collect::<Vec<_>>() {
        asked.await??;
    }
    Ok((players * BASELINE) as f64 / start.elapsed().as_secs_f64())
}

/// The server's memory after each tenth of the games.
async fn watch_memory<T>(
    server: Option<&ServerProcess>,
    games: u64,
    ended: &AtomicU64,
    players: &[tokio::task::JoinHandle<T>],
) -> Vec<f64> {
    let mut memory = Vec::new();
    for tenth in 1..=10 {
        // A player who failed ends early, and is asked why afterwards.
        while ended.load(Ordering::Relaxed) * 10 < games * tenth && players.iter().any(|player| !player.is_finished()) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        memory.extend(server.and_then(ServerProcess::memory));
    }
    memory
}

/// The games that the players share.
struct Games {
    address: SocketAddr,
    captain: String,
    /// How many are to be played in all.
    number: u64,
    started: Arc<AtomicU64>,
    ended: Arc<AtomicU64>,
    bar: ProgressBar,
}

/// Plays one game after another until enough are started in all; returns how long each shot took.
async fn play_games(games: Games, mut rng: GameRng) -> Result<Vec<Duration>, LoadError> {
    let mut times = Vec::new();
    let mut client = Client::connect(games.address).await?;
    while games.started.fetch_add(1, Ordering::Relaxed) < games.number {
        client = play(client, &games.captain, &mut rng, &mut times).await?;
        games.ended.fetch_add(1, Ordering::Relaxed);
        games.bar.inc(1);
    }
    Ok(times)
}

/// Plays a whole game, firing at random.
async fn play(client: Client, captain: &str, rng: &mut GameRng, times: &mut Vec<Duration>) -> Result<Client, LoadError> {
    let mut cells: Vec<String> = Preset::Classic.rules().grid().cells().map(|cell| cell.to_string()).collect();
    cells.shuffle(rng);
    let mut player = Player::make(client, &json!({ "captain": captain, "first": "random" })).await?;
    let mut dealt = player.client.post("/api/deal", None, &json!({})).await?;
    player.place(&dealt["ships"].take()).await?;
    for cell in cells {
        if player.is_over() {
            break;
        }
        while !player.is_to_fire() {
            tokio::time::sleep(Duration::from_millis(20)).await;
            player.look().await?;
        }
        let start = Instant::now();
        player.fire(&cell).await?;
        times.push(start.elapsed());
    }
    if is_whole(&player) { Ok(player.client) } else { Err(LoadError::Ending) }
}

/// Whether the game ended with all 17 cells of one fleet hit.
fn is_whole(player: &Player) -> bool {
    let hits = |whose: &str| {
        let shots = player.view[whose]["shots"].as_array().into_iter().flatten();
        shots.filter(|shot| shot.as_str().is_some_and(|shot| !shot.ends_with('-'))).count()
    };
    let winner = player.view["winner"].as_str().unwrap_or_default();
    player.is_over() && hits(winner) == Preset::Classic.rules().fleet().cells()
}

impl super::Table for Table {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { players, games, captain, seconds, shots, milliseconds: ms, .. } = self;
        writeln!(out, "{players} players at once, {games} games against {captain}, {shots} shots in {seconds:.1} s, no error\n")?;
        writeln!(out, "shots a second           {:>9.0}", self.requests_per_second)?;
        writeln!(out, "baseline, GET a second   {:>9.0}", self.baseline_per_second)?;
        writeln!(out, "ratio                    {:>9.3}", self.requests_per_second / self.baseline_per_second)?;
        writeln!(out, "milliseconds a shot      p50 {:.1}  p90 {:.1}  p99 {:.1}  max {:.1}", ms.p50, ms.p90, ms.p99, ms.max)?;
        if self.memory.is_empty() {
            return writeln!(out, "memory                   unknown");
        }
        let memory: Vec<String> = self.memory.iter().map(|megabytes| format!("{megabytes:.1}")).collect();
        writeln!(out, "memory in MB, each tenth {}", memory.join(" "))
    }
}
