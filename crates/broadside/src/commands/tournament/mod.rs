//! `broadside tournament`: bots and captains against each other.

mod cores;
mod text;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use broadside_bots::tournament::{
    Decision, GameLine, Mode, Pairing, Placing, Player, Score, SprtBounds, Tournament, TournamentConfig, TournamentError,
    TournamentFolder, TournamentFolderError, TournamentResults,
};
use broadside_lab::{Ranges, RangesError, Review, generator};
use broadside_odds::Budget;
use broadside_rules::Turns;
use clap::builder::TypedValueParser;

use crate::bots::{BotOptions, NamedBot, named_bot};
use crate::commands::simulate::layouts;
use crate::exit::{Failure, Outcome};
use crate::options::{self, Format, FormatOption, RuleOptions};
use crate::policy::PolicyOption;
use crate::progress::Meter;
use crate::{interrupt, output};

/// Let bots and captains play against each other: ratings, a table of all pairs, every game recorded
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A bot: the command that starts it, which is not given to a shell, with NAME= before it for another name
    #[arg(long = "bot", value_name = "[NAME=]COMMAND", num_args = 1.., value_parser = named_bot)]
    bots: Vec<NamedBot>,
    /// Captains, as ‘simulate’ knows them
    #[arg(long = "captain", value_name = "NAME", num_args = 1..)]
    captains: Vec<String>,
    /// What is played: both place and fire in turns (duel), or everybody fires at the same layouts, alone (solo)
    #[arg(long, value_name = "MODE", default_value = Mode::default().word(), value_parser = mode())]
    mode: Mode,
    /// Who meets whom: everybody everybody (round-robin), the first all others (gauntlet), or 1 and 2, 3 and 4 and so on (pairs)
    #[arg(long, value_name = "WHO", default_value = Pairing::default().word(), value_parser = pairing())]
    pairing: Pairing,
    /// Who fires after a shot in a duel: always the other (alternate), or the same after a hit (hit-again)
    #[arg(long, value_name = "RULE", default_value = Turns::Alternate.word(), value_parser = turns())]
    turns: Turns,
    /// Where layouts come from: own (each player places its ships), uniform, sequential, or a file of boards. By default, own in
    /// duels and uniform in solo
    #[arg(long, value_name = "own|uniform|sequential|FILE")]
    layouts: Option<String>,
    /// How many games each pair plays
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1 << 32))]
    games: u64,
    /// Seed of layouts and of players' random choices. Where strangers' bots play, one that nobody knows
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Stop as soon as it is known which of two means is right: how much better the first player is, in points a game in duels
    /// and in shots in solo
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true, value_parser = sprt_bounds)]
    sprt: Option<SprtBounds>,
    /// Play only the games with these numbers, such as 0..1000, as a part for ‘merge’. The first pair has the first games, or in
    /// solo the first player
    #[arg(long, value_name = "A..B", conflicts_with = "sprt", requires = "out", value_parser = ranges)]
    range: Option<Ranges>,
    /// How many games of each player are reviewed for their accuracy
    #[arg(long, value_name = "N", default_value_t = 0)]
    review: u64,
    /// Games at once; by default as many as leave each bot a core of its own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    concurrency: Option<u64>,
    /// Folder for the games and the results: JSON, CSV and a page
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the games that are missing in the folder
    #[arg(long, requires = "out")]
    resume: bool,
    /// Say nothing while it runs
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    policy: PolicyOption,
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    limits: BotOptions,
    #[command(flatten)]
    rules: RuleOptions,
}

const EXAMPLES: &str = "\
Examples:
  broadside tournament --bot ./mybot --captain density hunt-target --games 100
  broadside tournament --bot 'new=python3 new.py' 'old=python3 old.py' --sprt -0.1,0.1 --games 10000
  broadside tournament --captain density admiral --mode solo --games 1000 --out results
  broadside tournament --captain density admiral --mode solo --games 1000 --out results --resume
  broadside tournament --captain density admiral --games 1000 --range 0..500 --out half

A bot that hangs, crashes, floods, answers nonsense or breaks the rules loses that game, and the reason is recorded; the others \
are not disturbed. The folder gets games.jsonl with every game, results.json, players.csv, pairs.csv, index.html, and what \
bots wrote to standard error. It can be stopped or killed at any moment and goes on with --resume. docs/ubi.md tells how to \
write a bot.

Exit status: 0 done; 1 the board is too tight to deal from; 2 the request can't be read or the results can't be written; \
130 stopped by Ctrl-C.";

fn mode() -> impl TypedValueParser<Value = Mode> {
    options::word(Mode::ALL, Mode::word)
}

fn pairing() -> impl TypedValueParser<Value = Pairing> {
    options::word(Pairing::ALL, Pairing::word)
}

fn turns() -> impl TypedValueParser<Value = Turns> {
    options::word(Turns::ALL, Turns::word)
}

fn ranges(text: &str) -> Result<Ranges, String> {
    text.parse().map_err(|error: RangesError| error.to_string())
}

fn sprt_bounds(text: &str) -> Result<SprtBounds, String> {
    let read = || {
        let (low, high) = text.split_once(',')?;
        SprtBounds::new(low.trim().parse().ok()?, high.trim().parse().ok()?)
    };
    read().ok_or_else(|| "give two numbers, the lower one first, such as -0.1,0.1".to_owned())
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let config = config(args)?;
    let tournament = tournament(args, config)?;
    let all = Ranges::from(0..tournament.schedule().len());
    let games = args.range.as_ref().map_or_else(|| all.clone(), |range| range.intersection(&all));
    let mut score = Score::new(tournament.config());
    let mut folder = open(args, &tournament, &games, &mut score)?;
    let stop = Arc::new(AtomicBool::new(false));
    let asked = stop.clone();
    interrupt::listen(move || asked.store(true, Ordering::Relaxed)).map_err(Failure::system)?;
    play(args, &tournament, &games, &mut score, folder.as_mut(), &stop)?;
    keep_errors(&tournament, folder.as_ref())?;
    if stop.load(Ordering::Relaxed) {
        print_stopped(args, score.played(), games.len());
        return Ok(Outcome::Interrupted);
    }
    if args.range.is_some() {
        return Ok(Outcome::Done);
    }
    keep_and_print(folder, args.format.format, &score.results(&review(args, &tournament)?))?;
    Ok(Outcome::Done)
}

fn config(args: &Args) -> Result<TournamentConfig, Failure> {
    let rules = args.rules.rules()?;
    let default = if args.mode == Mode::Duel { "own" } else { "uniform" };
    let placing = match args.layouts.as_deref().unwrap_or(default) {
        "own" => Placing::Own,
        other => Placing::Dealt(layouts::read(other, &rules).map_err(Failure::bad_request)?),
    };
    let bots = args.bots.iter().map(|bot| Player::bot(bot.name.clone(), bot.command.clone()));
    let players = bots.chain(args.captains.iter().map(Player::captain)).collect();
    let Args { mode, pairing, turns, games, seed, sprt, .. } = *args;
    Ok(TournamentConfig { rules, players, mode, turns, pairing, placing, games, seed, sprt })
}

fn tournament(args: &Args, config: TournamentConfig) -> Result<Tournament, Failure> {
    let registry = args.policy.registry(&config.rules)?;
    let settings = args.limits.settings();
    let protection = settings.launcher.protection();
    let tournament = Tournament::new(config, registry, settings).map_err(Failure::bad_request)?;
    if tournament.bots_in_a_game() > 0 && !args.quiet {
        anstream::eprintln!("{protection}");
    }
    Ok(tournament)
}

pub(crate) fn failure(error: TournamentFolderError) -> Failure {
    use TournamentFolderError as E;
    match error {
        E::Io { .. } => Failure::system(error),
        _ => Failure::bad_request(error),
    }
}

fn open(args: &Args, tournament: &Tournament, games: &Ranges, score: &mut Score) -> Result<Option<TournamentFolder>, Failure> {
    let Some(path) = &args.out else { return Ok(None) };
    let identity = tournament.config().identity();
    let folder = TournamentFolder::open(path, &identity, games, args.resume, |line| score.add(&line)).map_err(failure)?;
    if score.played() > 0 && !args.quiet {
        anstream::eprintln!("going on after {} of {} games", score.played(), games.len());
    }
    Ok(Some(folder))
}

/// Plays the games that are missing.
fn play(
    args: &Args,
    tournament: &Tournament,
    games: &Ranges,
    score: &mut Score,
    mut folder: Option<&mut TournamentFolder>,
    stop: &AtomicBool,
) -> Result<(), Failure> {
    if is_decided(tournament, score) {
        return Ok(());
    }
    let missing: Ranges = games.at(score.played()..games.len()).collect();
    let meter = Meter::new(args.quiet, score.played(), games.len());
    let workers = cores::workers(tournament, args.concurrency, args.quiet);
    let mut written = Ok(());
    let done = |line: GameLine| {
        meter.add(1);
        written = folder.as_mut().map_or(Ok(()), |folder| folder.add(&line));
        score.add(&line);
        if written.is_err() || is_decided(tournament, score) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let played = tournament.play(&missing, &workers, stop, done);
    meter.finish();
    written.map_err(failure)?;
    played.map_err(|error| match error {
        TournamentError::Deal(_) => Failure::no_answer(error),
        _ => Failure::bad_request(error),
    })
}

/// Whether enough is known to stop, at the end of a block of games.
fn is_decided(tournament: &Tournament, score: &Score) -> bool {
    let at_end = score.played() > 0 && score.played().is_multiple_of(tournament.schedule().round());
    at_end && score.sprt().is_some_and(|sprt| sprt.decision() != Decision::Open)
}

/// Keeps what bots wrote to standard error.
fn keep_errors(tournament: &Tournament, folder: Option<&TournamentFolder>) -> Result<(), Failure> {
    let Some(folder) = folder else { return Ok(()) };
    for (i, player) in tournament.config().players.iter().enumerate() {
        let errors = tournament.errors(i);
        if !errors.is_empty() {
            let name = player.name.replace(['/', '\\'], "_");
            folder.write(&format!("stderr/{name}.txt"), errors.text().as_bytes()).map_err(failure)?;
        }
    }
    Ok(())
}

/// The accuracy of the first games of each player.
fn review(args: &Args, tournament: &Tournament) -> Result<Vec<(u64, Option<f64>)>, Failure> {
    let config = tournament.config();
    let mut logs = vec![Vec::new(); config.players.len()];
    if let Some(path) = args.out.as_deref().filter(|_| args.review > 0) {
        let keep = |line: GameLine| {
            for (i, name) in line.players.iter().enumerate() {
                let player = config.players.iter().position(|player| player.name == *name);
                let record = player.zip(line.record(&config.rules, i).ok());
                if let Some((player, record)) = record.filter(|(player, _)| (logs[*player].len() as u64) < args.review) {
                    logs[player].push(record.log().clone());
                }
            }
        };
        TournamentFolder::read(path, keep).map_err(failure)?;
    }
    logs.iter()
        .map(|logs| {
            let (mut expected, mut best) = (0.0, 0.0);
            for log in logs {
                let review = Review::new(log, Budget::default(), &mut generator(config.seed, 0), |_| {});
                let review = review.map_err(Failure::no_answer)?;
                expected += review.expected_hits();
                best += review.shots.iter().map(|shot| shot.best_chance).sum::<f64>();
            }
            Ok((logs.len() as u64, (best > 0.0).then(|| expected / best)))
        })
        .collect()
}

fn keep(folder: &TournamentFolder, results: &TournamentResults) -> Result<(), Failure> {
    results.files().iter().try_for_each(|(name, bytes)| folder.write(name, bytes)).map_err(failure)
}

fn print_stopped(args: &Args, played: u64, games: u64) {
    anstream::eprintln!("stopped after {played} of {games} games");
    if args.out.is_some() {
        anstream::eprintln!("go on with the same command and --resume");
    } else {
        anstream::eprintln!("nothing is kept of them: with --out DIR they could be resumed");
    }
}

/// Writes the results into the folder, if there is one, and prints them even if that fails.
pub(crate) fn keep_and_print(
    folder: Option<TournamentFolder>,
    format: Format,
    results: &TournamentResults,
) -> Result<(), Failure> {
    let kept = folder.map_or(Ok(()), |folder| keep(&folder, results));
    print(format, results)?;
    kept
}

fn print(format: Format, results: &TournamentResults) -> Result<(), Failure> {
    let mut out = output::stdout();
    match format {
        Format::Text => text::write(&mut out, results)?,
        Format::Json => out.write_all(results.json().as_bytes())?,
    }
    out.flush()?;
    Ok(())
}
