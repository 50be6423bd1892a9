//! `broadside replay`: a game shot by shot.

mod files;
mod review;
mod text;

use std::io::{self, Write};
use std::path::PathBuf;

use broadside_captains::CaptainError;
use broadside_lab::CampaignError;
use broadside_lab::replay::{Frame, Replay};

use crate::exit::{Failure, Outcome};
use crate::options::{Format, RuleOptions};
use crate::policy::PolicyOption;
use crate::weights::WeightsOption;
use crate::{output, progress, records};
use files::{FileOptions, Files};

/// A game shot by shot, with what the captain saw and why it fired there
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// File with records of games, one a line; ‘-’ for standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Who plays; with a file, whose thoughts are shown (without one, the exact odds are)
    #[arg(long, value_name = "NAME")]
    captain: Option<String>,
    /// Seed of the layout and of the captain's random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Which game of the seed's campaign, or of the file, from 0
    #[arg(long, value_name = "I", default_value_t = 0)]
    game: u64,
    /// What the heat map shows: the captain's own scores, or the exact odds of a ship; the captain ‘exact’ sees the odds
    #[arg(long, value_name = "WHAT", value_enum)]
    heat: Option<HeatOption>,
    /// Only this shot
    #[arg(long, value_name = "N", conflicts_with_all = ["from", "to"], value_parser = shot_number())]
    shot: Option<u64>,
    /// Only from this shot on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = shot_number())]
    from: u64,
    /// Only up to this shot
    #[arg(long, value_name = "N", value_parser = shot_number())]
    to: Option<u64>,
    /// Review the game instead: par, what each mistake cost in shots, and luck
    #[arg(long, conflicts_with_all = ["shot", "from", "to", "heat"])]
    review: bool,
    #[command(flatten)]
    files: FileOptions,
    /// How shots are written; text, unless a file is asked for
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    policy: PolicyOption,
    #[command(flatten)]
    weights: WeightsOption,
    #[command(flatten)]
    rules: RuleOptions,
}

const EXAMPLES: &str = "\
Examples:
  broadside replay --captain density --seed 1                       every shot of a game
  broadside replay --captain exact --seed 7 --game 3 --shot 12      one shot
  broadside replay --captain density --html game.html               a page with a slider
  broadside replay --captain density --gif game.gif --to 20         an animation
  broadside replay --captain mask --record game.txt                 keep the game
  broadside replay game.txt --captain density                       what density thinks of it
  broadside replay game.txt --captain density@weights --weights habits.txt   … if it knew how the opponent hides
  broadside replay game.txt --review                                what mistakes and luck cost
  echo '3x3 2 allowed ship | B2-B3 | A1- B2+ B3#2' | broadside replay -

Game I under a seed is the game that ‘bench games’ and other campaigns play as game I. A record is RULES | LAYOUT | SHOTS \
on one line, and brings its own rules.

In text, the board before the shot is on the left: for a captain's scores 0 to 9 (the best cell), for odds percent. \
The board after the shot is on the right. · is a miss, X a hit, # a sunk ship, and brackets mark the shot.

JSON has one object a line for each shot: ‘shot’ its number, ‘cell’, ‘answer’, ‘log’ what was known before it, ‘advice’ where \
the captain would fire, ‘mode’ hunt or target, ‘reason’ in words, ‘values’ what each cell was worth by rows, null where it \
was not considered, ‘heat’ what these are (scores, chances from 0 to 1, estimates of them, or unknown), and after the shot \
‘left’, the lengths of the ships left where they are called, and ‘hits’.

With --review, shots = par + mistakes + luck, exactly as shown. Par is what the empty board takes. A mistake is what a shot lost \
against the best cell in shots to the end of the game (see ‘broadside best’); it counts when it is settled. Luck is what the \
answers cost, below zero where they saved shots. Accuracy is par / (par + mistakes).

Exit status: 0 done; 1 the board can't be dealt; 2 the request or the record can't be read.";

/// What the heat map shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum HeatOption {
    /// The captain's own scores
    Captain,
    /// The exact odds
    Odds,
}

fn shot_number() -> impl clap::builder::TypedValueParser<Value = u64> {
    clap::value_parser!(u64).range(1..)
}

/// The request can't be met.
#[derive(Debug, thiserror::Error)]
enum ReplayError {
    #[error("name a --captain to play a game, or a file with a record of one")]
    Nothing,
    #[error("without a captain there are no scores: leave out --heat captain, or name a --captain")]
    NoCaptain,
    #[error("the game has {shots} shots, and none of them is asked for: choose from 1 to {shots}")]
    NoShots { shots: usize },
    #[error(transparent)]
    Captain(#[from] CaptainError),
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let files = Files::claim(&args.files)?;
    let spinner = progress::spinner("playing".to_owned());
    let replay = replay(args);
    spinner.finish_and_clear();
    let replay = replay?;
    if args.review {
        return review::run(replay.record().log(), args.format.unwrap_or(Format::Text));
    }
    let (from, to) = range(args, &replay)?;
    let frames = || replay.frames().skip(from - 1).take(to + 1 - from);
    let mut out = output::stdout();
    let format = args.format.or_else(|| files.is_empty().then_some(Format::Text));
    if let Some(format) = format {
        write_frames(&mut out, &replay, frames(), format)?;
        out.flush()?;
    }
    files.write(&replay, frames, to + 1 - from)?;
    Ok(Outcome::Done)
}

/// The game, and who looks at it.
fn replay(args: &Args) -> Result<Replay, Failure> {
    let replay = match (&args.file, &args.captain) {
        (Some(file), captain) => {
            let replay = Replay::from_record(records::read(file, args.game).map_err(Failure::bad_request)?);
            let registry = args.weights.registry(args.policy.registry(replay.rules())?, replay.rules())?;
            match captain {
                Some(name) => {
                    let seen = replay.with_captain(&registry, name, args.seed);
                    seen.map_err(|error| Failure::bad_request(ReplayError::Captain(error)))?
                }
                None => replay,
            }
        }
        (None, Some(name)) => {
            let rules = args.rules.rules()?;
            let registry = args.weights.registry(args.policy.registry(&rules)?, &rules)?;
            Replay::play(&registry, &rules, name, args.seed, args.game).map_err(|error| match error {
                CampaignError::Deal(error) => Failure::no_answer(error),
                request => Failure::bad_request(request),
            })?
        }
        (None, None) => return Err(Failure::bad_request(ReplayError::Nothing)),
    };
    match (args.heat, replay.captain()) {
        (Some(HeatOption::Captain), None) => Err(Failure::bad_request(ReplayError::NoCaptain)),
        (Some(HeatOption::Odds), _) | (None, Some("exact")) => Ok(replay.with_odds()),
        _ => Ok(replay),
    }
}

/// The numbers of the first and the last shot to show.
fn range(args: &Args, replay: &Replay) -> Result<(usize, usize), Failure> {
    let shots = replay.record().log().len();
    let (from, to) = args.shot.map_or((args.from, args.to), |shot| (shot, Some(shot)));
    let to = to.unwrap_or(shots as u64);
    if from > to || from > shots as u64 {
        return Err(Failure::bad_request(ReplayError::NoShots { shots }));
    }
    Ok((from as usize, (to as usize).min(shots)))
}

fn write_frames(out: &mut dyn Write, replay: &Replay, frames: impl Iterator<Item = Frame>, format: Format) -> io::Result<()> {
    if format == Format::Text {
        writeln!(out, "{}\n{}", replay.title(), replay.rules())?;
    }
    for frame in frames {
        match format {
            Format::Text => text::write(out, replay, &frame)?,
            Format::Json => output::json_line(out, &text::Line::new(&frame))?,
        }
    }
    Ok(())
}
