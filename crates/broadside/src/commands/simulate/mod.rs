//! `broadside simulate`: campaigns of games, and what they show.

pub(super) mod folder;
pub(crate) mod layouts;
mod matrix;
mod resume_command;
pub(super) mod text;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use broadside_captains::Registry;
use broadside_lab::{Campaign, CampaignConfig, CampaignError, Checkpoint, Ranges, Results, Tally};
use broadside_rules::Rules;

use crate::exit::{Failure, Outcome};
use crate::options::{Format, FormatOption, RuleOptions, notation};
use crate::policy::PolicyOption;
use crate::progress::Meter;
use crate::weights::WeightsOption;
use crate::{interrupt, output};
use folder::Folder;

/// Let captains play many games on the same layouts: statistics, comparisons, plots
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Captains, each of whom plays every game
    #[arg(long = "captain", value_name = "NAME", num_args = 1.., required = true)]
    captains: Vec<String>,
    /// How many games the campaign has; 10000, or up to the end of --range, unless told
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Play only these games of the campaign, the end excluded: a part for ‘broadside merge’;
    /// several ranges are separated by commas
    #[arg(long, value_name = "FIRST..END", value_parser = notation::<Ranges>)]
    range: Option<Ranges>,
    /// Seed of the layouts and of the captains' random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Where layouts come from: uniform (each legal one equally likely), sequential (one ship after the other, as
    /// published simulations deal), or a file of boards as ‘validate’ reads them; game i has board i of the file, which
    /// starts over at its end
    #[arg(long, value_name = "uniform|sequential|FILE", default_value = "uniform")]
    layouts: String,
    /// Hiders who choose the layouts, each against every captain: uniform, sequential, people, edges, apart, clustered,
    /// equilibrium (solved on small boards, approximate on others), weights:FILE, or against:CAPTAIN, who has looked for layouts that this
    /// captain finds late
    #[arg(long = "hider", value_name = "NAME", num_args = 1.., conflicts_with_all = ["layouts", "range", "resume"])]
    hiders: Vec<String>,
    /// Folder for the results: JSON, CSV, plots as SVG and PNG, and a checkpoint to resume from
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on from the checkpoint in the folder; without one, start with the first game
    #[arg(long, requires = "out")]
    resume: bool,
    /// How often a checkpoint is written
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    checkpoint_every: Duration,
    /// Say nothing while it runs
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    policy: PolicyOption,
    #[command(flatten)]
    weights: WeightsOption,
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    rules: RuleOptions,
}

const EXAMPLES: &str = "\
Examples:
  broadside simulate --captain random density
  broadside simulate --captain density exact --games 1000 --preset russian --format json
  broadside simulate --captain hunt-target density --games 10000000 --out results
  broadside simulate --captain hunt-target density --games 10000000 --out results --resume
  broadside simulate --captain density --layouts boards.txt --games 100
  broadside simulate --captain density --games 3000000 --range 0..1000000 --out part-0
  broadside merge part-* --out results
  broadside simulate --captain density admiral admiral~ --hider uniform people against:admiral --out matrix

Game i depends on the seed and on i only, and all captains meet the same layouts; threads and interruptions change no byte \
of the results. With --out, Ctrl-C or even a crash loses at most the games since the last checkpoint. The folder gets \
results.json, summary.csv, histogram.csv, and histogram and cumulative as .svg and .png. With --range it gets the checkpoint \
alone: parts may be played anywhere, and ‘broadside merge’ puts them together, byte for byte as if played at once. With --hider the folder gets \
matrix.json, and matrix as .svg and .png.

A captain without random choices plays a layout alike in every game. With ~ after its name it turns or reflects the board at \
random before each game, so that nobody can hide where it looks last: the same mean on uniform layouts. ‘density@people’ knows \
how people hide on average; with --weights, ‘density@weights’ and ‘admiral@weights’ play by the file, and the hider ‘weights’ hides by it.

Exit status: 0 done; 1 the board is too tight to deal from; 2 the request can't be read or the results can't be written; \
130 stopped by Ctrl-C.";

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "give a number of seconds, such as 10 or 0.5".to_owned())
}

/// How many games a campaign has unless told.
const GAMES: u64 = 10_000;

impl Args {
    /// How many games the campaign has.
    fn games(&self) -> u64 {
        self.games.unwrap_or_else(|| self.range.as_ref().map_or(GAMES, Ranges::end))
    }

    /// Which of them to play.
    fn wanted(&self) -> Ranges {
        self.range.clone().unwrap_or_else(|| (0..self.games()).into())
    }
}

/// Games that the campaign hasn't.
#[derive(Debug, thiserror::Error)]
#[error("--range asks for games past the last of --games {0}: give both for the same campaign")]
struct RangeError(u64);

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    if !args.hiders.is_empty() {
        return matrix::run(args);
    }
    if args.wanted().end() > args.games() {
        return Err(Failure::bad_request(RangeError(args.games())));
    }
    let campaign = campaign(args)?;
    let folder = args.out.as_deref().map(Folder::open).transpose()?;
    let mut tally = match &folder {
        Some(folder) => folder.begin(&campaign, args.resume, args.quiet)?,
        None => campaign.start(),
    };
    let stopped = Arc::new(AtomicBool::new(false));
    let stop = stopped.clone();
    interrupt::listen(move || stop.store(true, Ordering::Relaxed)).map_err(Failure::system)?;
    play(args, &campaign, &mut tally, folder.as_ref(), &stopped)?;
    if !left(args, &tally).is_empty() {
        print_stopped(args, &tally);
        return Ok(Outcome::Interrupted);
    }
    let results = Results::new(&campaign, &tally);
    // Results are worth having even where they can't be kept. Those of a part are not the campaign's.
    let is_whole = tally.played() == args.games();
    let kept = folder.filter(|_| is_whole).map_or(Ok(()), |folder| folder.keep(&results));
    print(args.format.format, &results)?;
    kept?;
    Ok(Outcome::Done)
}

fn campaign(args: &Args) -> Result<Campaign, Failure> {
    let rules = args.rules.rules()?;
    let registry = registry(args, &rules)?;
    let layouts = layouts::read(&args.layouts, &rules).map_err(Failure::bad_request)?;
    let config = CampaignConfig { rules, games: args.games(), seed: args.seed };
    Campaign::with_registry(&registry, config, &args.captains, layouts).map_err(Failure::bad_request)
}

/// A checkpoint doesn't have the weights, so it can't be checked that they are the same.
#[derive(Debug, thiserror::Error)]
#[error("--weights goes with neither --range nor --resume: play the whole campaign at once")]
struct WeightsError;

/// The captains. With --weights, `density@weights` and `admiral@weights` play by them.
fn registry(args: &Args, rules: &Rules) -> Result<Registry, Failure> {
    if args.weights.is_given() && (args.range.is_some() || args.resume) {
        return Err(Failure::bad_request(WeightsError));
    }
    args.weights.registry(args.policy.registry(rules)?, rules)
}

/// The games that are still to be played.
fn left(args: &Args, tally: &Tally) -> Ranges {
    args.wanted().without(tally.games())
}

/// Plays until the end or an interruption, with a checkpoint now and then.
fn play(
    args: &Args,
    campaign: &Campaign,
    tally: &mut Tally,
    folder: Option<&Folder>,
    stopped: &AtomicBool,
) -> Result<(), Failure> {
    let wanted = args.wanted();
    let meter = Meter::new(args.quiet, wanted.len() - left(args, tally).len(), wanted.len());
    while !left(args, tally).is_empty() && !stopped.load(Ordering::Relaxed) {
        let start = Instant::now();
        let pause = |games| {
            meter.add(games);
            stopped.load(Ordering::Relaxed) || (folder.is_some() && start.elapsed() >= args.checkpoint_every)
        };
        campaign.play_games(&wanted, tally, pause).map_err(failure)?;
        if let Some(folder) = folder {
            folder.save(&Checkpoint::new(campaign, tally))?;
        }
    }
    meter.finish();
    Ok(())
}

fn failure(error: CampaignError) -> Failure {
    if matches!(error, CampaignError::Deal(_)) { Failure::no_answer(error) } else { Failure::bad_request(error) }
}

fn print_stopped(args: &Args, tally: &Tally) {
    let wanted = args.wanted().len();
    anstream::eprintln!("stopped after {} of {wanted} games", wanted - left(args, tally).len());
    if args.out.is_some() {
        anstream::eprintln!("go on with: {}", resume_command::words(args.resume));
    } else {
        anstream::eprintln!("nothing is kept of them: with --out DIR they could be resumed");
    }
}

/// Prints results as text or JSON.
pub(super) fn print(format: Format, results: &Results) -> Result<(), Failure> {
    let mut out = output::stdout();
    match format {
        Format::Text => text::write(&mut out, results)?,
        Format::Json => out.write_all(results.json().as_bytes())?,
    }
    out.flush()?;
    Ok(())
}
