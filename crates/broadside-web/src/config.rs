//! How a server is set up.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use broadside_odds::PlacementWeights;
use broadside_rules::Rules;

use crate::bots::{ServedBot, TournamentPage};
use crate::shard::Shard;

/// Where a server listens, where it keeps its games, and what it allows.
///
/// ```
/// let mut config = broadside_web::Config::new("127.0.0.1:0".parse()?, "games".into());
/// config.hosts.push("battleship.example".to_owned());
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Config {
    /// The address; port 0 takes a free one.
    pub addr: SocketAddr,
    /// The folder of the games.
    pub data: PathBuf,
    /// Names under which the page is reached, beside those of this machine.
    pub hosts: Vec<String>,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub proxies: Vec<IpAddr>,
    /// Where whoever runs the server may ask for `/healthz` and `/metrics`. Keep it from strangers.
    pub admin: Option<SocketAddr>,
    /// Games that have not changed for so many days are removed, and lists of finished games that nobody has used for so long.
    pub keep_days: Option<u32>,
    /// The memory of the process, in bytes. What needs more than is left waits, and is refused in the end.
    pub memory: usize,
    /// Which of several servers this is, where several share the games.
    pub shard: Option<Shard>,
    /// Programs of others that can be played against. None, unless they are given.
    pub bots: Vec<ServedBot>,
    /// A tournament to show at `/tournament`.
    pub tournament: Option<Arc<dyn TournamentPage>>,
    /// How opponents hide, by whoever runs the server: positions and captains can name it `weights`.
    pub weights: Option<ServedWeights>,
    /// What one client may do, and for how long.
    pub limits: Limits,
}

/// How opponents hide where layouts are those of some rules.
///
/// ```
/// use broadside_odds::PlacementWeights;
/// use broadside_web::{Config, ServedWeights};
///
/// let mut config = Config::new("127.0.0.1:0".parse()?, "games".into());
/// let rules = "classic".parse()?;
/// config.weights = Some(ServedWeights { weights: PlacementWeights::edges(&rules), rules });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ServedWeights {
    /// The rules.
    pub rules: Rules,
    /// The weights of their placements.
    pub weights: PlacementWeights,
}

/// The memory of a server that is given no other.
const MEMORY: usize = 1 << 30;

impl Config {
    /// A server at an address with its games in a folder, and the usual limits.
    pub fn new(addr: SocketAddr, data: PathBuf) -> Self {
        let (hosts, proxies, limits) = (Vec::new(), Vec::new(), Limits::default());
        let (admin, keep_days, shard, bots) = (None, None, None, Vec::new());
        let (memory, tournament, weights) = (MEMORY, None, None);
        Self { addr, data, hosts, proxies, admin, keep_days, memory, shard, bots, tournament, weights, limits }
    }
}

/// What one client may do, and for how long. The limits for one address don't hold for clients on this machine.
///
/// ```
/// // A server that a class of pupils uses through one address.
/// let mut config = broadside_web::Config::new("0.0.0.0:1805".parse()?, "games".into());
/// config.limits.connections_of_address = 500;
/// config.limits.games_per_minute = 200;
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Connections at once, fewer if the memory is small. More wait to be accepted.
    pub connections: u32,
    /// Connections at once of one address.
    pub connections_of_address: usize,
    /// Requests a second of one address, on average.
    pub requests_per_second: u32,
    /// New games a minute of one address, on average.
    pub games_per_minute: u32,
    /// How long the head of a request may take, and how long a connection may be idle.
    pub head_timeout: Duration,
    /// How long a client may take to read what was sent to it.
    pub write_timeout: Duration,
    /// How long requests under way may take to end when the server stops.
    pub shutdown_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 4096,
            connections_of_address: 128,
            requests_per_second: 50,
            games_per_minute: 30,
            head_timeout: Duration::from_secs(15),
            write_timeout: Duration::from_secs(15),
            shutdown_timeout: Duration::from_secs(1),
        }
    }
}
