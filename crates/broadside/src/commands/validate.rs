//! `broadside validate`: what is wrong with boards.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};

use broadside_rules::{Cell, CellSet, Draft, Readings, Report, Rules, Violation};
use serde::Serialize;

use crate::boards::{Boards, StreamError};
use crate::draw::{self, Square};
use crate::exit::{Failure, Outcome};
use crate::marks::Mark;
use crate::options::{Format, FormatOption, RuleOptions};
use crate::output;

/// Check boards, and list everything that is wrong with them
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Files with boards; ‘-’ or none for standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    rules: RuleOptions,
}

const EXAMPLES: &str = "\
Examples:
  broadside validate --preset russian boards.txt
  broadside deal -n 100 | broadside validate --format json
  echo 'A1-A3 B4-C4' | broadside validate --board 4x4 --fleet 3,2 --touch never

Many boards can stand in one file. A board is either a picture, a line a row, with * or X for a ship and 0 or . \
for water, up to a blank line; or a list of ships on one line, each by its ends, such as ‘A1-A5 C3-E3 J10’. A picture that fits the fleet in several ways is valid, and is reported as ambiguous.

Exit status: 0 all boards are valid; 1 some board is invalid; 2 something can't be read, and reading stops there.";

/// A stream of boards can't be read.
#[derive(Debug, thiserror::Error)]
enum ReadError {
    #[error("can't open {}", .path.display())]
    Open { path: PathBuf, source: io::Error },
    #[error("can't read {name}")]
    Stream { name: String, source: StreamError },
}

/// How many boards were looked at, and how many of them were valid.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    boards: u64,
    valid: u64,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let rules = args.rules.rules()?;
    let mut out = output::stdout();
    let tally = check_all(args, &rules, &mut out);
    // What was found before something could not be read is worth having.
    out.flush()?;
    let tally = tally?;
    if args.format.format == Format::Text && tally.boards > 1 {
        writeln!(out, "{} boards: {} valid, {} invalid", tally.boards, tally.valid, tally.boards - tally.valid)?;
        out.flush()?;
    }
    Ok(if tally.valid == tally.boards { Outcome::Done } else { Outcome::No })
}

fn check_all(args: &Args, rules: &Rules, out: &mut dyn Write) -> Result<Tally, Failure> {
    let standard_input = [PathBuf::from("-")];
    let files = if args.files.is_empty() { &standard_input[..] } else { &args.files };
    let mut tally = Tally::default();
    for path in files {
        let (name, reader) = open(path).map_err(Failure::bad_request)?;
        let label = if files.len() > 1 { format!("{name}, ") } else { String::new() };
        for board in Boards::new(reader) {
            let board = board.map_err(|source| Failure::bad_request(ReadError::Stream { name: name.clone(), source }))?;
            let report = board.draft.check(rules);
            tally.boards += 1;
            tally.valid += u64::from(report.is_valid());
            match args.format.format {
                Format::Text => write_text(out, &format!("{label}board {}", board.number), &board.draft, &report, rules)?,
                Format::Json => output::json_line(out, &Verdict::new(&report))?,
            }
        }
    }
    Ok(tally)
}

fn open(path: &Path) -> Result<(String, Box<dyn BufRead>), ReadError> {
    if path == Path::new("-") {
        if io::stdin().is_terminal() {
            anstream::eprintln!("reading boards from standard input; end with Ctrl-D, or see --help");
        }
        return Ok(("standard input".to_owned(), Box::new(io::stdin().lock())));
    }
    let file = File::open(path).map_err(|source| ReadError::Open { path: path.to_owned(), source })?;
    Ok((path.display().to_string(), Box::new(BufReader::new(file))))
}

#[derive(Serialize)]
struct Verdict {
    valid: bool,
    readings: u128,
    /// Present only where the search for readings passed its budget, so that the number is a lower bound.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    more_readings_possible: bool,
    violations: Vec<Fault>,
}

#[derive(Serialize)]
struct Fault {
    kind: &'static str,
    cells: Vec<String>,
}

impl Verdict {
    fn new(report: &Report) -> Self {
        let fault = |violation: &Violation| Fault {
            kind: violation.kind().word(),
            cells: violation.cells().iter().map(ToString::to_string).collect(),
        };
        Self {
            valid: report.is_valid(),
            readings: report.readings().count(),
            more_readings_possible: matches!(report.readings(), Readings::AtLeast(_)),
            violations: report.violations().iter().map(fault).collect(),
        }
    }
}

fn write_text(out: &mut dyn Write, name: &str, draft: &Draft, report: &Report, rules: &Rules) -> io::Result<()> {
    if !report.is_valid() {
        writeln!(out, "{name}: invalid")?;
        report.violations().iter().try_for_each(|violation| writeln!(out, "  {violation}"))?;
        return draw_faults(out, draft, report, rules);
    }
    match report.readings() {
        Readings::Exactly(0 | 1) => writeln!(out, "{name}: valid"),
        Readings::Exactly(n) => writeln!(out, "{name}: valid and ambiguous ({n} readings)"),
        Readings::AtLeast(n) => writeln!(out, "{name}: valid, perhaps ambiguous (at least {n} reading)"),
    }
}

/// Draws the board with the offending squares marked.
fn draw_faults(out: &mut dyn Write, draft: &Draft, report: &Report, rules: &Rules) -> io::Result<()> {
    let grid = rules.grid();
    let on_board = |cells: Vec<Cell>| CellSet::from_cells(grid, cells.into_iter().filter(|&cell| grid.contains(cell)));
    let ships = on_board(match draft {
        Draft::Picture(picture) => picture.cells().iter().collect(),
        Draft::Ships(ships) => ships.iter().flat_map(|ship| ship.cells()).collect(),
    });
    let faults = on_board(report.violations().iter().flat_map(|violation| violation.cells().to_vec()).collect());
    draw::board(out, grid, |cell| match (faults.contains(cell), ships.contains(cell)) {
        (true, _) => Square::Fault,
        (_, true) => Square::Ship,
        _ if rules.is_rock(cell) => Square::Shot(Mark::Rock),
        _ => Square::Water,
    })
}
