//! `broadside learn`: how somebody hides, from layouts or from a table of cells.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use broadside_lab::{Layouts, generator};
use broadside_odds::{
    Budget, CellModel, CellUses, DEFAULT_PRIOR, DealError, Learner, OutOfReach, ParseUsesError, PlacementWeights, Touching,
    TouchingFit,
};
use broadside_rules::{GameRecord, Layout, RecordError, Rules};
use serde::Serialize;

use super::simulate::layouts::{self, LayoutsError};
use crate::exit::{Failure, Outcome};
use crate::files::OutputFile;
use crate::options::{FormatOption, RuleOptions};
use crate::{output, progress};

/// Learn how somebody hides: weights of placements from layouts, or from how often each cell was covered
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option that is given or not")]
pub(crate) struct Args {
    /// File of layouts as ‘validate’ reads them; with --games, of games; with --cells, of tables
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The file has records of games, one a line, as ‘replay’ reads them: their layouts are learned from
    #[arg(long, conflicts_with = "cells")]
    games: bool,
    /// The file has tables of how often each cell was covered: a line for each row, a blank line between two groups
    #[arg(long)]
    cells: bool,
    /// Cells that symmetries of the board take to each other get one factor: for few layouts
    #[arg(long)]
    symmetric: bool,
    /// Also learn how much more or less often than by chance ships touch; the weights are then listed where few layouts fit, and estimated elsewhere
    #[arg(long, conflicts_with = "cells")]
    touching: bool,
    /// How strongly habits are doubted: 0 believes every layout, a large number believes none
    #[arg(long, value_name = "STRENGTH", default_value_t = DEFAULT_PRIOR, value_parser = prior)]
    prior: f64,
    /// Parts into which layouts are cut to see what learning is worth on layouts that were not learned from
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(2..=100))]
    folds: u16,
    /// Write the weights to this file, for --weights
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Memory that the exact weights may take, such as 64MB or 2GB
    #[arg(long, value_name = "MEMORY", default_value_t)]
    budget: Budget,
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    rules: RuleOptions,
}

const EXAMPLES: &str = "\
Examples:
  broadside deal -n 100 > layouts.txt && broadside learn layouts.txt
  broadside learn layouts.txt --symmetric --save habits.txt
  broadside learn games.txt --games --save habits.txt
  broadside learn layouts.txt --touching --save habits.txt
  broadside learn cells.txt --cells --save habits.txt
  broadside odds --weights habits.txt

Each cell gets a factor, and a layout is as likely as the product over its cells. The factors maximise the likelihood of what was \
seen, less a penalty on factors far from 1. ‘Bits’ says how much better they predict layouts that were not learned from than the \
belief that all layouts are equally likely: not above 0, nothing was learned.

Exit status: 0 done; 1 the board is out of reach within the budget; 2 the request can't be read.";

fn prior(text: &str) -> Result<f64, String> {
    let prior = text.parse().ok().filter(|prior: &f64| (0.0..=1e9).contains(prior));
    prior.ok_or_else(|| "give a number that is not negative, such as 10".to_owned())
}

/// The file can't be learned from.
#[derive(Debug, thiserror::Error)]
enum LearnError {
    #[error("can't read {}", .path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}, line {line}: this is not a game", .path.display())]
    Record { path: PathBuf, line: usize, source: RecordError },
    #[error("{}, line {line}: this game is played by other rules, {rules}: leave it out, or give its rules", .path.display())]
    OtherRules { path: PathBuf, line: usize, rules: Box<Rules> },
    #[error("{} has nothing to learn from: write a layout, or with --games a game, on each line", .path.display())]
    Empty { path: PathBuf },
    #[error("{} has no tables of cells", .path.display())]
    Tables { path: PathBuf, source: ParseUsesError },
    #[error("the habits can't be learned: allow a larger --budget, or choose a smaller --board or --fleet")]
    OutOfReach(#[from] OutOfReach),
    #[error("the board is too tight to learn how often ships touch: leave out --touching")]
    Deal(#[from] DealError),
}

/// The seed of the layouts that say how often ships touch by chance.
const SEED: u64 = 1;

/// What was learned.
struct Learned {
    model: CellModel,
    layouts: f64,
    /// The mean bits of the parts, and the standard error of that; none if there is only one part.
    bits: Option<(f64, f64)>,
    /// How often ships touch, and the bits that this adds, if it was asked for.
    touching: Option<(Touching, Option<f64>)>,
}

#[derive(Serialize)]
struct LearnedJson {
    layouts: f64,
    bits: Option<f64>,
    bits_std_err: Option<f64>,
    factors: Vec<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    touching: Option<TouchingJson>,
}

#[derive(Serialize)]
struct TouchingJson {
    side: f64,
    corner: f64,
    /// What the two factors add to the bits.
    bits: Option<f64>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let rules = args.rules.rules()?;
    let file = args.save.as_deref().map(OutputFile::claim).transpose()?;
    let seen = Seen::read(args, &rules)?;
    let spinner = progress::spinner("learning".to_owned());
    let learned = learn(args, &rules, &seen);
    spinner.finish_and_clear();
    let learned = learned.map_err(Failure::no_answer)?;
    if let Some(file) = file {
        file.write(learned.weights().to_string().as_bytes())?;
    }
    output::print(args.format.format, |out| learned.write_text(out, &rules), || learned.json(&rules))
}

/// What to learn from.
struct Seen {
    /// How often each cell was covered, in the parts of the cross-validation.
    parts: Vec<CellUses>,
    /// The layouts themselves, if they are known. Layout i is in part i modulo the number of parts.
    layouts: Vec<Layout>,
}

impl Seen {
    fn read(args: &Args, rules: &Rules) -> Result<Self, Failure> {
        if args.cells {
            return Ok(Self { parts: tables(&args.file, rules)?, layouts: Vec::new() });
        }
        let layouts = if args.games { played(&args.file, rules)? } else { listed(&args.file, rules)? };
        if layouts.is_empty() {
            return Err(Failure::bad_request(LearnError::Empty { path: args.file.clone() }));
        }
        Ok(Self { parts: folds(rules, &layouts, args.folds.into()), layouts })
    }

    /// The layouts of a part, and those of all others.
    fn split(&self, part: usize) -> (Vec<Layout>, Vec<Layout>) {
        let (in_part, others): (Vec<_>, Vec<_>) =
            self.layouts.iter().enumerate().partition(|(i, _)| i % self.parts.len() == part);
        let layouts = |listed: Vec<(usize, &Layout)>| listed.into_iter().map(|(_, layout)| layout.clone()).collect();
        (layouts(in_part), layouts(others))
    }
}

fn text(path: &Path) -> Result<String, Failure> {
    let unread = |source| Failure::bad_request(LearnError::Read { path: path.to_owned(), source });
    std::fs::read_to_string(path).map_err(unread)
}

fn tables(path: &Path, rules: &Rules) -> Result<Vec<CellUses>, Failure> {
    let tables = |source| Failure::bad_request(LearnError::Tables { path: path.to_owned(), source });
    CellUses::parse_tables(rules, &text(path)?).map_err(tables)
}

/// The layouts of a file.
fn listed(path: &Path, rules: &Rules) -> Result<Vec<Layout>, Failure> {
    match layouts::from_file(&path.to_string_lossy(), rules) {
        Ok(Layouts::Listed(layouts)) => Ok(layouts.to_vec()),
        Ok(_) => Ok(Vec::new()),
        Err(LayoutsError::Open { source, .. }) => Err(Failure::bad_request(LearnError::Read { path: path.to_owned(), source })),
        Err(error) => Err(Failure::bad_request(error)),
    }
}

/// The layouts of a file of games.
fn played(path: &Path, rules: &Rules) -> Result<Vec<Layout>, Failure> {
    let text = text(path)?;
    let lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty());
    let layout = |(line, game): (usize, &str)| {
        let record = game.parse::<GameRecord>();
        let record = record.map_err(|source| LearnError::Record { path: path.to_owned(), line, source })?;
        let rules_of = Box::new(record.rules().clone());
        if *rules_of == *rules {
            Ok(record.layout().clone())
        } else {
            Err(LearnError::OtherRules { path: path.to_owned(), line, rules: rules_of })
        }
    };
    lines.map(layout).collect::<Result<_, _>>().map_err(Failure::bad_request)
}

/// The layouts in parts: layout i is in part i modulo their number.
fn folds(rules: &Rules, layouts: &[Layout], folds: usize) -> Vec<CellUses> {
    let part = |part: usize| layouts.iter().skip(part).step_by(folds);
    (0..folds.min(layouts.len())).map(|i| CellUses::of_layouts(rules, part(i))).collect()
}

fn learn(args: &Args, rules: &Rules, seen: &Seen) -> Result<Learned, LearnError> {
    let mut learner = Learner::new(rules, args.budget).with_prior(args.prior);
    if args.symmetric {
        learner = learner.with_symmetries();
    }
    let parts = &seen.parts;
    let nothing = CellUses { layouts: 0.0, cells: vec![0.0; rules.grid().len()] };
    let uses = parts.iter().fold(nothing, |sum, part| sum.plus(part));
    let model = learner.learn(&uses)?;
    let bits = if parts.len() < 2 { None } else { Some(weighted_mean(&learner.cross_validate(parts)?, parts)) };
    let touching = if args.touching { Some(learn_touching(args, rules, seen, &mut learner, &model)?) } else { None };
    Ok(Learned { model, layouts: uses.layouts, bits, touching })
}

/// The factors for ships that touch, given those of the cells, and the bits that they add on layouts not learned from.
fn learn_touching(
    args: &Args,
    rules: &Rules,
    seen: &Seen,
    learner: &mut Learner,
    model: &CellModel,
) -> Result<(Touching, Option<f64>), LearnError> {
    let fit = |model: &CellModel| TouchingFit::new(rules, &model.weights(), &mut generator(SEED, 0));
    let touching = fit(model)?.fit(&seen.layouts, args.prior);
    let mut bits = 0.0;
    for part in 0..seen.parts.len() {
        let (held_out, others) = seen.split(part);
        let fit = fit(&learner.learn(&CellUses::of_layouts(rules, &others))?)?;
        bits += fit.bits(fit.fit(&others, args.prior), &held_out) * held_out.len() as f64 / seen.layouts.len() as f64;
    }
    Ok((touching, (seen.parts.len() > 1).then_some(bits)))
}

/// The mean over all layouts, and its standard error from the differences between the parts.
fn weighted_mean(bits: &[f64], parts: &[CellUses]) -> (f64, f64) {
    let total: f64 = parts.iter().map(|part| part.layouts).sum();
    let mean = bits.iter().zip(parts).map(|(bits, part)| bits * part.layouts).sum::<f64>() / total;
    let squares: f64 = bits.iter().zip(parts).map(|(bits, part)| (part.layouts / total * (bits - mean)).powi(2)).sum();
    let count = parts.len() as f64;
    (mean, (squares * count / (count - 1.0)).sqrt())
}

impl Learned {
    fn weights(&self) -> PlacementWeights {
        let weights = self.model.weights();
        match self.touching {
            Some((touching, _)) => weights.with_touching(touching),
            None => weights,
        }
    }

    fn json(&self, rules: &Rules) -> LearnedJson {
        let factors: Vec<f64> = rules.grid().cells().map(|cell| self.model.factor(cell)).collect();
        LearnedJson {
            layouts: self.layouts,
            bits: self.bits.map(|bits| bits.0),
            bits_std_err: self.bits.map(|bits| bits.1),
            factors: factors.chunks(rules.grid().cols()).map(<[f64]>::to_vec).collect(),
            touching: self.touching.map(|(Touching { side, corner }, bits)| TouchingJson { side, corner, bits }),
        }
    }

    fn write_text(&self, out: &mut dyn Write, rules: &Rules) -> io::Result<()> {
        writeln!(out, "{rules}: learned from {:.0} layouts", self.layouts)?;
        match self.bits {
            Some((mean, std_err)) => writeln!(out, "bits a layout on layouts not learned from  {mean:.4} ± {std_err:.4}")?,
            None => writeln!(out, "bits a layout on layouts not learned from  not known: there is only one part")?,
        }
        if let Some((Touching { side, corner }, bits)) = self.touching {
            let bits = bits.map_or_else(|| "not known".to_owned(), |bits| format!("{bits:.4}"));
            writeln!(
                out,
                "a pair of ships side by side  {side:.2} times as likely, at corners  {corner:.2}; more bits by this  {bits}"
            )?;
        }
        writeln!(out, "\nHow much more likely each cell is than by chance")?;
        for row in self.json(rules).factors {
            let row: Vec<String> = row.iter().map(|factor| format!("{factor:5.2}")).collect();
            writeln!(out, "  {}", row.join(" "))?;
        }
        Ok(())
    }
}
