//! `broadside serve`: the web app.

use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use broadside_odds::Budget;
use broadside_rules::{Preset, Rules};
use broadside_web::{Config, ServedWeights, Server, Shard, check_games};
use tokio::sync::oneshot;
use tracing_subscriber::filter::LevelFilter;

use crate::bots::{NamedBot, named_bot};
use crate::exit::{Failure, Outcome};
use crate::options::notation;
use crate::{heap, interrupt, lan, output, served_bots, weights};

/// The web app on this machine: play, analyse, lab
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Where to listen. Others reach it only if the address is one that they can reach; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:1805", value_parser = read_address)]
    addr: SocketAddr,
    /// Listen on the local network, so that a friend there can open the page; prints the address as a QR code too
    #[arg(long, value_name = "PORT", num_args = 0..=1, require_equals = true, default_missing_value = "1805", conflicts_with = "addr")]
    lan: Option<u16>,
    /// Folder of the games; where it is absent they are kept with the other data of your programs
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// A name under which others reach the page, such as that of a proxy; may be given several times
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// A proxy before this server, whose X-Forwarded-For says who the client is; may be given several times
    #[arg(long = "proxy", value_name = "ADDRESS")]
    proxies: Vec<IpAddr>,
    /// Where to answer /healthz and /metrics, for whoever runs the server
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = read_address)]
    admin: Option<SocketAddr>,
    /// Remove games that have not changed for so many days, and lists of finished games that nobody has used for so long
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..))]
    keep: Option<u32>,
    /// The most memory that the server takes, such as 512MB or 4GB, at least 128MB; work that needs more than is left waits
    #[arg(long, value_name = "SIZE", default_value = "1GB")]
    memory: Budget,
    /// The most connections at once, each of which is counted with 64 KB; fewer if they would take over a quarter of the memory
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    connections: u32,
    /// One of several servers that share the games, such as 3/16: the third of sixteen. The ids of its games begin with its number
    #[arg(long, value_name = "N/M")]
    shard: Option<Shard>,
    /// A bot to play against: the command that starts it, which is not given to a shell; may be given several times. It runs
    /// with the limits of tournaments, a process for each answer; one that fails loses the game
    #[arg(long = "bot", value_name = "NAME=COMMAND", value_parser = named_bot)]
    bots: Vec<NamedBot>,
    /// Show a tournament at /tournament while it is played: the folder of ‘tournament --out’
    #[arg(long, value_name = "DIR")]
    tournament: Option<PathBuf>,
    /// How opponents hide: ‘people’ for what is known of people on average, or a file as ‘learn --save’ writes it. Analyse offers it, and
    /// the captains density@weights and admiral@weights know it
    #[arg(long, value_name = "people|FILE")]
    weights: Option<PathBuf>,
    /// The board and fleet that the weights are for: a preset or whole rules, such as ‘8x8 4,3,2 never ship’; classic unless given
    #[arg(long, value_name = "RULES", requires = "weights", value_parser = notation::<Rules>)]
    weights_for: Option<Rules>,
    /// Check the stored games and end: status 1 if one of them is damaged
    #[arg(long)]
    check: bool,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Write a line to standard error for every request
    #[arg(long, value_name = "FORMAT", value_enum, num_args = 0..=1, default_missing_value = "text")]
    log: Option<LogFormat>,
}

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum LogFormat {
    /// For people
    Text,
    /// For programs: one JSON object a line
    Json,
}

fn read_address(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse().map_err(|_| "write an address in numbers and a port, such as 127.0.0.1:1805 or 0.0.0.0:80")
}

const EXAMPLES: &str = "\
Examples:
  broadside serve --open                         start it and open the page
  broadside serve --addr 127.0.0.1:0             on any free port
  broadside serve --lan                          for a friend in the same network
  broadside serve --data games --log json        games in ./games, a JSON line for every request
  broadside serve --data games --check           are all games in ./games as they should be?
  broadside serve --bot 'mine=python3 mybot.py'  play against a bot of your own
  broadside serve --weights habits.txt           odds against somebody who hides like that, by ‘broadside learn’
  broadside serve --tournament results           watch a tournament that is being played
  broadside serve --host play.example --proxy 127.0.0.1 --admin 127.0.0.1:1806 --keep 90

Every shot is on disk before it is answered: the server can be killed at any moment, and games go on when it is started again. \
Ctrl-C lets requests under way end. What can be asked for is described at /api/openapi.json.";

/// How long work that was asked to stop may take when the server ends.
const LAST_WORK: Duration = Duration::from_millis(500);

/// There is no usual place for data on this system.
#[derive(Debug, thiserror::Error)]
#[error("this system has no usual folder for data: name one with --data")]
struct NoDataFolder;

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    log(args.log);
    let default = || dirs::data_dir().map(|folder| folder.join("broadside"));
    let data = args.data.clone().or_else(default).ok_or_else(|| Failure::bad_request(NoDataFolder))?;
    if args.check {
        return check(&data);
    }
    heap::set_up();
    let (stop, stopped) = oneshot::channel();
    // It fails only when the server has ended already.
    interrupt::listen(move || _ = stop.send(())).map_err(Failure::system)?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(rayon::current_num_threads()).enable_all().build()?;
    let served = runtime.block_on(async {
        let server = Server::bind(config(args, data)?).await.map_err(Failure::no_answer)?;
        announce(&server, args)?;
        server
            .run(async {
                // The sender lives as long as the process.
                _ = stopped.await;
            })
            .await;
        Ok(Outcome::Done)
    });
    // Work that doesn't hear that it should stop ends with the process.
    runtime.shutdown_timeout(LAST_WORK);
    served
}

fn config(args: &Args, data: PathBuf) -> Result<Config, Failure> {
    let addr = match args.lan {
        Some(port) => SocketAddr::new(lan::address().map_err(Failure::no_answer)?, port),
        None => args.addr,
    };
    let mut config = Config::new(addr, data);
    config.hosts.clone_from(&args.hosts);
    config.proxies.clone_from(&args.proxies);
    (config.admin, config.keep_days, config.memory) = (args.admin, args.keep, args.memory.bytes);
    (config.shard, config.limits.connections) = (args.shard, args.connections);
    config.weights = args.weights.as_deref().map(|path| served_weights(path, args.weights_for.as_ref())).transpose()?;
    served_bots::add(&mut config, &args.bots, args.tournament.as_deref())?;
    Ok(config)
}

fn served_weights(path: &Path, rules: Option<&Rules>) -> Result<ServedWeights, Failure> {
    let rules = rules.cloned().unwrap_or_else(|| Preset::default().rules());
    Ok(ServedWeights { weights: weights::read(path, &rules)?, rules })
}

/// Checks all stored games and says what is wrong.
fn check(data: &Path) -> Result<Outcome, Failure> {
    let report = check_games(data).map_err(Failure::no_answer)?;
    let mut out = output::stdout();
    for problem in &report.problems {
        writeln!(out, "the file is damaged: {problem}")?;
    }
    for id in &report.damaged {
        writeln!(out, "the game {id} is damaged")?;
    }
    writeln!(out, "{} games, {} damaged", report.games, report.damaged.len())?;
    out.flush()?;
    Ok(if report.problems.is_empty() && report.damaged.is_empty() { Outcome::Done } else { Outcome::No })
}

/// Says where the page is, and opens it.
fn announce(server: &Server, args: &Args) -> io::Result<()> {
    let address = format!("http://{}/", server.address());
    let mut out = output::stdout();
    writeln!(out, "Broadside is at {address} (Ctrl-C stops it)")?;
    if args.lan.is_some() {
        writeln!(out, "Whoever is in the same network can open it, by the address or with a phone's camera:")?;
        lan::write_qr_code(&mut out, &address)?;
    }
    out.flush()?;
    if args.open && open::that_detached(&address).is_err() {
        anstream::eprintln!("no browser could be opened: open the address yourself");
    }
    Ok(())
}

/// Errors always go to standard error; with a format, a line for every request does too.
fn log(format: Option<LogFormat>) {
    let level = if format.is_some() { LevelFilter::INFO } else { LevelFilter::ERROR };
    let builder = tracing_subscriber::fmt().with_writer(io::stderr).with_target(false).with_max_level(level);
    match format.unwrap_or(LogFormat::Text) {
        LogFormat::Text => builder.with_ansi(anstream::stderr().is_terminal()).init(),
        LogFormat::Json => builder.json().flatten_event(true).init(),
    }
}
