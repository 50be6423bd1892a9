//! `broadside bench siege`: what innocent players notice while others attack the server.

mod attacker;
mod attacks;
mod innocent;
mod report;
mod setup;

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::time::Duration;

use broadside_web::background::{keep_to_first_core, lower_priority};
use broadside_web::client::ClientError;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use self::attacks::{ALL_AT_ONCE, ATTACKS, Running};
use self::innocent::Noticed;
use self::report::{Figures, Line, MAX_RATIO, Table};
use super::process::ServerProcess;
use crate::exit::Failure;
use crate::progress;

/// Attack the web server in many ways, and tell what innocent players notice of it
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// How long each attack lasts
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
    /// Attacks of two seconds each: a first look, whose figures mean little
    #[arg(long, conflicts_with = "seconds")]
    quick: bool,
    /// Only this attack; may be given several times
    #[arg(long = "attack", value_name = "NAME", value_parser = attack_names())]
    attacks: Vec<String>,
    /// The memory that the server may take, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(64..))]
    memory: u64,
}

fn attack_names() -> clap::builder::PossibleValuesParser {
    let listed = ATTACKS.iter().map(|attack| (attack.name, attack.about));
    let all = listed.chain([(ALL_AT_ONCE, "one connection of every attack")]);
    all.map(|(name, about)| clap::builder::PossibleValue::new(name).help(about)).collect::<Vec<_>>().into()
}

const EXAMPLES: &str = "\
Examples:
  broadside bench siege
  broadside bench siege --attack hard-review --attack all-at-once --seconds 20
  broadside bench siege --quick --format json

The server runs in a process of its own on a free port of this machine, with a new folder for its games that is removed \
afterwards. Four innocent players make games against density on the classic board, fire and ask for odds, alone before every \
attack and during it. Attackers are connections from this machine, for which the limits of one address don't hold: what \
protects the innocent is the server's order of work alone. They have a lower priority than the server, whose machine they \
wouldn't be on. Status 1 if the 99th percentile of a shot, a new game or odds is more \
than 5 times that alone, if an innocent request is refused, or if the server takes more than a tenth above its memory.";

/// What a quick siege takes for each attack.
const QUICK: Duration = Duration::from_secs(2);
/// Before innocent players are measured, so that the attack has begun, and after it, so that it has ended.
const SETTLE: Duration = Duration::from_millis(500);
/// How much the priority of the attackers' thread is lowered: they would have machines of their own, and take none of the server's
/// processor time but by what they ask for.
const ATTACKERS_NICE: u8 = 19;
/// How long an attack may take to make the games that it needs.
const BEGIN_TIMEOUT: Duration = Duration::from_secs(60);

/// Something went wrong that the figures would hide.
#[derive(Debug, thiserror::Error)]
enum SiegeError {
    #[error("the server doesn't start")]
    Start(#[source] io::Error),
    #[error("the attack ‘{0}’ can't begin")]
    Begin(&'static str, #[source] ClientError),
    #[error("the attack ‘{0}’ can't begin within {limit} s", limit = BEGIN_TIMEOUT.as_secs())]
    SlowBegin(&'static str),
    #[error("the server has died during the attack ‘{0}’")]
    Died(&'static str),
}

pub(super) fn measure(args: &Args) -> Result<Table, Failure> {
    let folder = tempfile::tempdir().map_err(Failure::system)?;
    let memory = ["--memory".to_owned(), format!("{}MB", args.memory)];
    let server = ServerProcess::start(folder.path(), &memory).map_err(|error| Failure::no_answer(SiegeError::Start(error)))?;
    Siege::new(args, server).map_err(Failure::system)?.run(args).map_err(Failure::no_answer)
}

/// The server, and threads for both sides: attackers must not hold up the innocent before they reach the server.
struct Siege {
    server: ServerProcess,
    innocent: Runtime,
    attackers: Runtime,
    time: Duration,
}

impl Siege {
    fn new(args: &Args, server: ServerProcess) -> io::Result<Self> {
        let one_thread = || {
            let mut builder = Builder::new_multi_thread();
            builder.worker_threads(1).enable_all();
            builder
        };
        // Players have machines of their own, where neither attackers nor the server's long work is before them.
        let innocent = one_thread().on_thread_start(keep_to_first_core).build()?;
        let attackers = one_thread().on_thread_start(|| lower_priority(ATTACKERS_NICE)).build()?;
        let time = if args.quick { QUICK } else { Duration::from_secs(args.seconds) };
        Ok(Self { server, innocent, attackers, time })
    }

    fn run(mut self, args: &Args) -> Result<Table, SiegeError> {
        let names =
            ATTACKS.iter().map(|attack| (attack.name, attack.about)).chain([(ALL_AT_ONCE, "one connection of every attack")]);
        let chosen: Vec<_> =
            names.filter(|(name, _)| args.attacks.is_empty() || args.attacks.iter().any(|chosen| chosen == name)).collect();
        let bar = progress::bar("attacks".to_owned(), chosen.len() as u64);
        // The first moments of a server are not like the others.
        self.play(SETTLE);
        let (mut alone, mut under_attack) = (Noticed::default(), Vec::new());
        for &(name, about) in &chosen {
            alone.add(self.play(self.time / 2));
            let seen = self.attack(name)?;
            bar.inc(1);
            if bar.is_hidden() {
                let (number, all) = (under_attack.len() + 1, chosen.len());
                anstream::eprintln!("{number} of {all}: {name}: {}", Figures::new(&seen.noticed, seen.peak));
            }
            under_attack.push((name, about, seen));
        }
        bar.finish_and_clear();
        Ok(table(args, self.time, &alone, self.server.peak_memory(), under_attack))
    }

    fn address(&self) -> SocketAddr {
        self.server.address
    }

    fn play(&self, time: Duration) -> Noticed {
        self.innocent.block_on(async { innocent::play_for(self.address(), time).await })
    }

    /// What the innocent notice during an attack, how much was sent a second, and the peak of the memory.
    fn attack(&mut self, name: &'static str) -> Result<UnderAttack, SiegeError> {
        let beginning = async { timeout(BEGIN_TIMEOUT, begin(name, self.address())).await };
        let running = self.attackers.block_on(beginning).map_err(|_| SiegeError::SlowBegin(name))?;
        let running = running.map_err(|error| SiegeError::Begin(name, error))?;
        std::thread::sleep(SETTLE);
        self.server.forget_peak();
        let before = running.sent.load(Ordering::Relaxed);
        let noticed = self.play(self.time);
        let sent = running.sent.load(Ordering::Relaxed) - before;
        let peak = self.server.peak_memory();
        drop(running);
        if !self.server.is_alive() {
            return Err(SiegeError::Died(name));
        }
        std::thread::sleep(SETTLE);
        Ok(UnderAttack { noticed, sent_per_second: sent as f64 / self.time.as_secs_f64(), peak })
    }
}

struct UnderAttack {
    noticed: Noticed,
    sent_per_second: f64,
    peak: Option<f64>,
}

async fn begin(name: &str, address: SocketAddr) -> Result<Running, ClientError> {
    match ATTACKS.iter().find(|attack| attack.name == name) {
        Some(attack) => attack.begin(address).await,
        None => attacks::begin_all(address).await,
    }
}

fn table(
    args: &Args,
    time: Duration,
    alone: &Noticed,
    peak: Option<f64>,
    under_attack: Vec<(&'static str, &'static str, UnderAttack)>,
) -> Table {
    let (refused, alone) = (alone.refused.first(), Figures::new(alone, peak));
    let refused = refused.map(|why| format!("alone: {} requests refused, such as: {why}", alone.refused));
    let line = |(attack, about, UnderAttack { noticed, sent_per_second, peak })| {
        let figures = Figures::new(&noticed, peak);
        let ratios = figures.ratios(&alone);
        Line { attack, about, sent_per_second, figures, ratios, why: noticed.refused }
    };
    let (attacks, memory_bound) = (under_attack.into_iter().map(line).collect::<Vec<_>>(), args.memory as f64);
    let failures = refused.into_iter().chain(attacks.iter().flat_map(|line| line.failures(memory_bound))).collect();
    Table { seconds: time.as_secs_f64(), memory_bound, max_ratio: MAX_RATIO, alone, attacks, failures }
}
