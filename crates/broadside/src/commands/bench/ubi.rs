//! `broadside bench ubi`: what a shot through the bots' protocol costs beside the captain's own time.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use broadside_bots::{Bot, BotSettings, CaptainPlayer, Resources, Seat, TimeControl, play_alone};
use broadside_lab::generator;
use broadside_odds::Dealer;
use broadside_rules::{Layout, Rules};
use serde::Serialize;

use super::Table;
use crate::bots;
use crate::exit::Failure;
use crate::options::RuleOptions;
use crate::policy::PolicyOption;

/// Time captains in this process and through UBI, on the same games
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Captains to play
    #[arg(long = "captain", value_name = "NAME", num_args = 1.., default_values = ["random", "density", "admiral"])]
    captains: Vec<String>,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    #[command(flatten)]
    policy: PolicyOption,
    #[command(flatten)]
    rules: RuleOptions,
}

/// What was measured.
#[derive(Serialize)]
pub(super) struct Times {
    rules: Rules,
    games: u64,
    captains: Vec<Row>,
}

/// The time of a shot in microseconds.
#[derive(Serialize)]
struct Row {
    captain: String,
    shots: usize,
    in_process: f64,
    through_ubi: f64,
    overhead: f64,
}

/// A bot can't be played with.
#[derive(Debug, thiserror::Error)]
#[error("‘broadside ubi {captain}’ doesn't play: {reason}")]
struct UbiError {
    captain: String,
    reason: String,
}

pub(super) fn measure(args: &Args) -> Result<Times, Failure> {
    let rules = args.rules.rules()?;
    let mut dealer = Dealer::new(&rules);
    let deal = |game| dealer.uniform(&mut generator(1, game));
    let layouts = (0..args.games).map(deal).collect::<Result<Vec<_>, _>>().map_err(Failure::no_answer)?;
    let rows = args.captains.iter().map(|captain| row(args, captain, &rules, &layouts)).collect::<Result<_, _>>()?;
    Ok(Times { rules, games: args.games, captains: rows })
}

fn row(args: &Args, captain: &str, rules: &Rules, layouts: &[Layout]) -> Result<Row, Failure> {
    let player = CaptainPlayer::new(&args.policy.registry(rules)?, captain, rules).map_err(Failure::bad_request)?;
    let wrong = |reason: String| Failure::no_answer(UbiError { captain: captain.to_owned(), reason });
    let program = std::env::current_exe().map_err(Failure::system)?;
    let command = format!("'{}' ubi {captain}", program.display()).parse().map_err(Failure::bad_request)?;
    let time = TimeControl { movetime: Duration::from_secs(600), ..TimeControl::default() };
    let settings = BotSettings { launcher: bots::launcher(), time, resources: Resources::default(), cores: Vec::new() };
    let bot = Bot::start(&command, &settings).map_err(|(forfeit, _)| wrong(forfeit.to_string()))?;
    let (own, shots) = play(rules, &mut Seat::Captain(Box::new(player)), layouts).map_err(wrong)?;
    let (ubi, same) = play(rules, &mut Seat::Bot(Box::new(bot)), layouts).map_err(wrong)?;
    if shots != same {
        return Err(wrong("it plays other games than in this process".to_owned()));
    }
    let number: usize = shots.iter().map(|log| log.split_whitespace().count()).sum();
    let each = |time: Duration| time.as_secs_f64() * 1e6 / number as f64;
    let (in_process, through_ubi) = (each(own), each(ubi));
    Ok(Row { captain: captain.to_owned(), shots: number, in_process, through_ubi, overhead: through_ubi - in_process })
}

/// Plays all games. Gives the time and the games.
fn play(rules: &Rules, seat: &mut Seat, layouts: &[Layout]) -> Result<(Duration, Vec<String>), String> {
    // The first game builds tables, and starts a process.
    play_alone(rules, seat, layouts[0].clone(), 0, 0);
    let (mut time, mut games) = (Duration::ZERO, Vec::new());
    for (seed, layout) in (0..).zip(layouts) {
        let start = Instant::now();
        let game = play_alone(rules, seat, layout.clone(), seed, seed);
        time += start.elapsed();
        if let Some((_, forfeit)) = game.forfeit {
            return Err(forfeit.to_string());
        }
        games.push(game.logs[0].to_string());
    }
    Ok((time, games))
}

impl Table for Times {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}, {} games; microseconds a shot\n", self.rules, self.games)?;
        writeln!(out, "{:<20} {:>8} {:>12} {:>12} {:>10}", "captain", "shots", "in process", "through UBI", "overhead")?;
        self.captains.iter().try_for_each(|row| {
            let Row { captain, shots, in_process, through_ubi, overhead } = row;
            writeln!(out, "{captain:<20} {shots:>8} {in_process:>12.2} {through_ubi:>12.2} {overhead:>10.2}")
        })
    }
}
