//! `broadside bench`: how fast things are, as ratios against a named baseline in the same run.

mod best;
mod boards;
mod engine;
mod games;
#[cfg(feature = "gpu")]
mod gpu;
mod growth;
mod measure;
pub(crate) mod odds;
mod process;
mod puzzle;
mod serve;
mod siege;
mod ubi;
pub(crate) mod validate;
mod weighted;

use std::io::{self, Write};

use serde::Serialize;

use crate::exit::{Failure, Outcome};
use crate::options::Format;
use crate::output;

/// Measure how fast things are, against a baseline in the same run
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    benchmark: Benchmark,
    /// How results are written
    #[arg(long, global = true, value_name = "FORMAT", default_value = "text", value_enum)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  broadside bench best
  broadside bench games
  broadside bench growth
  broadside bench odds
  broadside bench puzzle
  broadside bench serve
  broadside bench siege
  broadside bench ubi
  broadside bench validate
  broadside bench validate --format json";

#[derive(clap::Subcommand)]
enum Benchmark {
    Best(best::Args),
    Games(games::Args),
    Growth(growth::Args),
    Odds(odds::Args),
    Puzzle(puzzle::Args),
    Serve(serve::Args),
    Siege(siege::Args),
    Ubi(ubi::Args),
    Validate(validate::Args),
}

/// What a benchmark has measured, for people and for programs.
trait Table: Serialize {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()>;
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    match &args.benchmark {
        Benchmark::Best(best) => print(args.format, &best::measure(best)?),
        Benchmark::Games(games) => print(args.format, &games::measure(games)?),
        Benchmark::Growth(growth) => match growth::measure_point(growth)? {
            Some(point) => print(args.format, &point),
            None => print(args.format, &growth::measure(growth)?),
        },
        Benchmark::Odds(odds) => print(args.format, &odds::measure(odds)?),
        Benchmark::Puzzle(puzzle) => {
            let table = puzzle::measure(puzzle)?;
            let printed = print(args.format, &table)?;
            Ok(if table.holds() { printed } else { Outcome::No })
        }
        Benchmark::Serve(serve) => print(args.format, &serve::measure(serve)?),
        Benchmark::Siege(siege) => {
            let table = siege::measure(siege)?;
            let printed = print(args.format, &table)?;
            Ok(if table.holds() { printed } else { Outcome::No })
        }
        Benchmark::Ubi(ubi) => print(args.format, &ubi::measure(ubi)?),
        Benchmark::Validate(validate) => print(args.format, &validate::measure(validate)?),
    }
}

fn print(format: Format, table: &impl Table) -> Result<Outcome, Failure> {
    output::print(format, |out| table.write_text(out), || table)
}
