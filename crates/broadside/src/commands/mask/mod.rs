//! `broadside mask`: the smallest firing patterns that no ship escapes.

mod empty;
mod midgame;
mod table;

use std::io::Write;
use std::path::PathBuf;

use broadside_lab::draw;
use broadside_rules::CellSet;
use broadside_solve::mask::OneShipBoard;

use crate::exit::{Failure, Outcome};
use crate::logs::LogOptions;
use crate::options::{Format, FormatOption, RuleOptions};
use crate::picture::Picture;
use crate::{output, progress};

/// The smallest set of shots that no ship of one length escapes, on the empty board or after some shots
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    log: LogOptions,
    /// Length of the ship
    #[arg(long, value_name = "CELLS", required_unless_present = "table")]
    length: Option<usize>,
    /// Show this diagonal mask, the cells whose row and column (from 0) add up to K and a multiple of the length
    #[arg(long, value_name = "K", conflicts_with_all = ["file", "shots", "rocks"])]
    offset: Option<usize>,
    /// How far to search, in nodes, before settling for bounds
    #[arg(long, value_name = "NODES", default_value_t = 1_000)]
    effort: u64,
    /// Also draw the board to this file, as .svg or .png
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Print the tables of docs/masks.md instead: square boards of 5 to 12, lengths 2 to 5
    #[arg(long, conflicts_with_all = ["file", "shots", "length", "offset", "picture", "format", "preset", "board", "fleet", "touch", "call", "rocks"])]
    table: bool,
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    rules: RuleOptions,
}

const EXAMPLES: &str = "\
Examples:
  broadside mask --length 3                          33 shots that meet every ship of 3 on 10x10
  broadside mask --length 3 --board 2x5 --format json
  broadside mask --length 2 --offset 0 --picture chessboard.svg
  broadside mask --length 4 --shots 'E5- C3+ C4#2'   what is left to fire after these shots
  broadside mask --table                             the tables of docs/masks.md

On the empty board only the size of the board counts. After shots, or among rocks, the fleet
and the other rules count too, and there are two answers: the fewest shots that meet every
ship of the length that has not been hit, and the fewest that are sure to hit something.
Each is proved smallest, or given with a bound from below.

Exit status: 0 done; 1 no such ship fits or is afloat (nothing to block), or no layout fits
the log; 2 the request can't be read.";

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let mut out = output::stdout();
    if args.table {
        table::write(&mut out, args.effort)?;
        out.flush()?;
        return Ok(Outcome::Done);
    }
    let length = args.length.unwrap_or(0);
    let picture = args.picture.as_deref().map(Picture::claim).transpose()?;
    let spinner = progress::spinner("searching".to_owned());
    let report = report(args, length);
    spinner.finish_and_clear();
    let report = report?;
    if let Some(picture) = picture {
        picture.write(&report.board())?;
    }
    match args.format.format {
        Format::Text => report.write_text(&mut out)?,
        Format::Json => report.write_json(&mut out)?,
    }
    out.flush()?;
    Ok(Outcome::Done)
}

/// What the command has found, to be shown in one of three ways.
trait MaskReport {
    fn write_text(&self, out: &mut dyn Write) -> std::io::Result<()>;
    fn write_json(&self, out: &mut dyn Write) -> std::io::Result<()>;
    fn board(&self) -> draw::Board;
}

fn report(args: &Args, length: usize) -> Result<Box<dyn MaskReport>, Failure> {
    // First of all, so that a length that fits nowhere gets the same answer with and without shots.
    let board = OneShipBoard::new(args.rules.grid(), length).map_err(Failure::no_answer)?;
    if args.log.is_given() || args.rules.has_rocks() {
        let log = args.log.read(&args.rules.rules()?)?;
        Ok(Box::new(midgame::Midgame::new(log, length, args.effort)?))
    } else {
        Ok(Box::new(empty::Empty::new(board, args.offset, args.effort)))
    }
}

/// So many shots, in words.
fn shots(count: usize) -> String {
    if count == 1 { "1 shot".to_owned() } else { format!("{count} shots") }
}

/// The names of the cells.
fn names(cells: &CellSet) -> Vec<String> {
    cells.iter().map(|cell| cell.to_string()).collect()
}
