//! `broadside merge`: parts of a campaign or of a tournament, put together.

use std::path::{Path, PathBuf};

use broadside_bots::tournament::{TournamentFolder, TournamentMerge, TournamentPart};
use broadside_lab::{CampaignFolder, CampaignFolderError, Checkpoint, Merge, Ranges};

use crate::commands::simulate::folder::Folder;
use crate::commands::{simulate, tournament};
use crate::exit::{Failure, Outcome};
use crate::options::FormatOption;

/// Put parts of a campaign or of a tournament together, as if its games had been played at once
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folders that ‘simulate --range … --out’ or ‘tournament --range … --out’ has made, or the checkpoints in them
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,
    /// Folder for the results; what ‘simulate --out’ or ‘tournament --out’ would have put there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How many games the campaign has (not for tournaments); as many as the parts say, unless told
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Say nothing of parts that are there twice
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    format: FormatOption,
}

const EXAMPLES: &str = "\
Examples:
  broadside simulate --captain density --games 2000 --range 0..1000 --out part-0
  broadside simulate --captain density --games 2000 --range 1000..2000 --out part-1
  broadside merge part-0 part-1 --out results
  broadside tournament --captain density admiral --games 100 --range 0..50 --out half-0
  broadside tournament --captain density admiral --games 100 --range 50..100 --out half-1
  broadside merge half-0 half-1 --out whole

A part says which campaign or tournament it belongs to and which games it has, and carries a checksum. Damaged parts, parts of other \
campaigns, and parts with some of the same games are refused; a part that is given twice counts once. If games are missing, \
the folder gets a checkpoint without results: ‘broadside simulate … --out DIR --resume’ plays them there, or \
‘broadside simulate … --range’ in more parts.

The games of a tournament are numbered from 0, pair after pair (in solo, player after player). Parts of it may have some of \
the same games if they went the same way. If games are missing, nothing is written. What bots wrote to standard error stays \
with the parts, and ‘broadside tournament … --out DIR --resume --review N’ adds reviews.

Exit status: 0 done; 1 games are missing; 2 the parts can't be put together or the results can't be written.";

/// Games are missing.
#[derive(Debug, thiserror::Error)]
#[error("{} of {games} games are missing: {missing}; play them with ‘simulate --games {games} --range {missing}’ and merge again", .missing.len())]
struct MissingGames {
    missing: Ranges,
    games: u64,
}

/// Games of a tournament are missing.
#[derive(Debug, thiserror::Error)]
#[error("{} of {games} games are missing: {missing}; play them with ‘tournament … --range {missing} --out PART’ and merge again", .missing.len())]
struct MissingTournamentGames {
    missing: Ranges,
    games: u64,
}

/// An option that tournaments don't have.
#[derive(Debug, thiserror::Error)]
#[error("--games is for campaigns: a tournament has as many games as its parts say")]
struct GamesOfTournament;

/// The parts have games that the campaign hasn't.
#[derive(Debug, thiserror::Error)]
#[error("the parts belong to a campaign of {parts} games: give --games {parts} or more")]
struct GamesError {
    parts: u64,
}

/// A part can't be used.
#[derive(Debug, thiserror::Error)]
#[error("can't use the part {}: play it anew, or leave it out", .path.display())]
struct PartError {
    path: PathBuf,
    source: CampaignFolderError,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    if TournamentFolder::is_one(&args.parts[0]) { run_tournament(args) } else { run_campaign(args) }
}

fn run_tournament(args: &Args) -> Result<Outcome, Failure> {
    if args.games.is_some() {
        return Err(Failure::bad_request(GamesOfTournament));
    }
    let mut merge = TournamentMerge::new();
    for path in &args.parts {
        let part = TournamentPart::read(path).map_err(tournament::failure)?;
        let is_new = merge.add(path.display().to_string(), part).map_err(Failure::bad_request)?;
        note_repeated(args, path, is_new);
    }
    let merged = merge.finish().expect("clap asks for a part");
    let missing = merged.missing();
    if !missing.is_empty() {
        return Err(Failure::no_answer(MissingTournamentGames { missing, games: merged.whole() }));
    }
    let folder = merged.write_to(&args.out).map_err(tournament::failure)?;
    tournament::keep_and_print(Some(folder), args.format.format, &merged.results())?;
    Ok(Outcome::Done)
}

fn note_repeated(args: &Args, path: &Path, is_new: bool) {
    if !is_new && !args.quiet {
        anstream::eprintln!("{} is there twice: it counts once", path.display());
    }
}

fn run_campaign(args: &Args) -> Result<Outcome, Failure> {
    let merged = merge(args)?;
    let folder = Folder::open(&args.out)?;
    folder.check_merged(&merged)?;
    folder.save(&merged)?;
    let missing = merged.missing();
    if !missing.is_empty() {
        return Err(Failure::no_answer(MissingGames { missing, games: merged.campaign().games }));
    }
    let results = merged.results();
    let kept = folder.keep(&results);
    simulate::print(args.format.format, &results)?;
    kept?;
    Ok(Outcome::Done)
}

fn merge(args: &Args) -> Result<Checkpoint, Failure> {
    let mut merge = Merge::new();
    for path in &args.parts {
        let unusable = |source| Failure::bad_request(PartError { path: path.clone(), source });
        let part = CampaignFolder::read_checkpoint(path).map_err(unusable)?;
        let is_new = merge.add(path.display().to_string(), part).map_err(Failure::bad_request)?;
        note_repeated(args, path, is_new);
    }
    let merged = merge.finish().expect("clap asks for a part");
    let (games, parts) = (args.games.unwrap_or(0), merged.campaign().games);
    if (1..parts).contains(&games) {
        return Err(Failure::bad_request(GamesError { parts }));
    }
    Ok(merged.of_games_at_least(games))
}
