//! `broadside simulate`: campaigns of games, and what they show.

mod folder;
mod layouts;
mod resume;
mod text;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use broadside_lab::{Campaign, CampaignConfig, CampaignError, Results, Tally};

use crate::exit::{Failure, Outcome};
use crate::options::{Format, FormatOption, RuleOptions};
use crate::policy::PolicyOption;
use crate::progress::Meter;
use crate::{interrupt, output};
use folder::Folder;

/// Let captains play many games on the same layouts: statistics, comparisons, plots
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Captains, each of whom plays every game
    #[arg(long = "captain", value_name = "NAME", num_args = 1.., required = true)]
    captains: Vec<String>,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Seed of the layouts and of the captains' random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Where layouts come from: uniform (each legal one equally likely), sequential (one ship after the other, as
    /// published simulations deal), or a file of boards as ‘validate’ reads them; game i has board i of the file, which
    /// starts over at its end
    #[arg(long, value_name = "uniform|sequential|FILE", default_value = "uniform")]
    layouts: String,
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

Game i depends on the seed and on i only, and all captains meet the same layouts; threads and interruptions change no byte \
of the results. With --out, Ctrl-C or even a crash loses at most the games since the last checkpoint. The folder gets \
results.json, summary.csv, histogram.csv, and histogram and cumulative as .svg and .png.

Exit status: 0 done; 1 the board is too tight to deal from; 2 the request can't be read or the results can't be written; \
130 stopped by Ctrl-C.";

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "give a number of seconds, such as 10 or 0.5".to_owned())
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
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
    if tally.played() < args.games {
        print_stopped(args, &tally);
        return Ok(Outcome::Interrupted);
    }
    let results = Results::new(&campaign, &tally);
    // Results are worth having even where they can't be kept.
    let kept = folder.map_or(Ok(()), |folder| folder.keep(&results));
    print(args, &campaign, &results)?;
    kept?;
    Ok(Outcome::Done)
}

fn campaign(args: &Args) -> Result<Campaign, Failure> {
    let rules = args.rules.rules()?;
    let registry = args.policy.registry(&rules)?;
    let layouts = layouts::read(&args.layouts, &rules).map_err(Failure::bad_request)?;
    let config = CampaignConfig { rules, games: args.games, seed: args.seed };
    Campaign::with_registry(&registry, config, &args.captains, layouts).map_err(Failure::bad_request)
}

/// Plays until the end or an interruption, with a checkpoint now and then.
fn play(
    args: &Args,
    campaign: &Campaign,
    tally: &mut Tally,
    folder: Option<&Folder>,
    stopped: &AtomicBool,
) -> Result<(), Failure> {
    let meter = Meter::new(args.quiet, tally.played(), args.games);
    while tally.played() < args.games && !stopped.load(Ordering::Relaxed) {
        let start = Instant::now();
        let pause = |games| {
            meter.add(games);
            stopped.load(Ordering::Relaxed) || (folder.is_some() && start.elapsed() >= args.checkpoint_every)
        };
        campaign.play(tally, pause).map_err(failure)?;
        if let Some(folder) = folder {
            folder.save(campaign, tally)?;
        }
    }
    meter.finish();
    Ok(())
}

fn failure(error: CampaignError) -> Failure {
    if matches!(error, CampaignError::Deal(_)) { Failure::no_answer(error) } else { Failure::bad_request(error) }
}

fn print_stopped(args: &Args, tally: &Tally) {
    anstream::eprintln!("stopped after {} of {} games", tally.played(), args.games);
    if args.out.is_some() {
        anstream::eprintln!("go on with: {}", resume::command(args.resume));
    } else {
        anstream::eprintln!("nothing is kept of them: with --out DIR they could be resumed");
    }
}

fn print(args: &Args, campaign: &Campaign, results: &Results) -> Result<(), Failure> {
    let mut out = output::stdout();
    match args.format.format {
        Format::Text => text::write(&mut out, campaign, results)?,
        Format::Json => out.write_all(results.json().as_bytes())?,
    }
    out.flush()?;
    Ok(())
}
