//! `broadside learn`: how somebody hides, from layouts or from a table of cells.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use broadside_lab::{Layouts, generator};
use broadside_odds::{
    Budget, CellUses, ChosenHabits, DEFAULT_PRIOR, DealError, HabitKind, OutOfReach, ParseUsesError, PlacementWeights, Touching,
    TouchingFit, choose_habits, is_clear, learn_habits, mean_and_error,
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
    /// Cells that symmetries of the board take to each other get one factor, even if one for each cell predicts better
    #[arg(long)]
    symmetric: bool,
    /// Also learn how much more or less often than by chance ships touch; the weights are then listed where few layouts fit, and estimated elsewhere
    #[arg(long, conflicts_with = "cells")]
    touching: bool,
    /// How strongly habits are doubted: 0 believes every layout, a large number believes none. Without it, as strongly as predicts best;
    /// for a single layout or table, which predicts nothing, 40
    #[arg(long, value_name = "STRENGTH", value_parser = prior)]
    prior: Option<f64>,
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

Without --prior, strengths of 640, 160, 40 and 10 are tried, first with one factor for cells that symmetries exchange, then with one for \
each cell. A model is taken if it predicts better than the simpler one by 1.5 standard errors, or by 2.5 for one of each cell; if none does, there is no habit, and \
all factors are 1. The bits are those of the model that was taken: being the best of several, it may look a little better than it is.

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
    habits: ChosenHabits,
    /// Whether the prior was chosen by what predicts best.
    chosen: bool,
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
    /// `none`, `symmetric` or `cells`.
    habit: &'static str,
    /// None if there is no habit.
    prior: Option<f64>,
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
        Ok(Self { parts: CellUses::parts(rules, &layouts, args.folds.into()), layouts })
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

fn learn(args: &Args, rules: &Rules, seen: &Seen) -> Result<Learned, LearnError> {
    let parts = &seen.parts;
    let chosen = args.prior.is_none() && parts.len() > 1;
    let kinds = if args.symmetric { &HabitKind::LEARNED[..1] } else { &HabitKind::LEARNED };
    let habits = if chosen {
        choose_habits(rules, args.budget, parts, kinds)?
    } else {
        learn_habits(rules, args.budget, parts, kinds[kinds.len() - 1], args.prior.unwrap_or(DEFAULT_PRIOR))?
    };
    let bits = (parts.len() > 1).then(|| mean_and_error(&habits.bits, parts));
    let touching = args.touching.then(|| learn_touching(args, rules, seen, &habits)).transpose()?;
    Ok(Learned { chosen, layouts: CellUses::sum(rules, parts).layouts, bits, touching, habits })
}

/// The factors for ships that touch, given those of the cells, and the bits that they add on layouts not learned from. Without a
/// prior they are 1 if these bits are not more than chance.
fn learn_touching(args: &Args, rules: &Rules, seen: &Seen, habits: &ChosenHabits) -> Result<(Touching, Option<f64>), LearnError> {
    let prior = args.prior.unwrap_or(DEFAULT_PRIOR);
    let fit = |weights: &PlacementWeights| TouchingFit::new(rules, weights, &mut generator(SEED, 0));
    let touching = fit(&habits.model.weights())?.fit(&seen.layouts, prior);
    if seen.parts.len() < 2 {
        return Ok((touching, None));
    }
    let mut learner = habits.kind.learner(rules, args.budget).with_prior(habits.prior);
    let mut bits = Vec::new();
    for part in 0..seen.parts.len() {
        let (held_out, others) = seen.split(part);
        let fit = fit(&learner.learn(&CellUses::of_layouts(rules, &others))?.weights())?;
        bits.push(fit.bits(fit.fit(&others, prior), &held_out));
    }
    if args.prior.is_none() && !is_clear(&bits, &seen.parts) {
        return Ok((Touching::EITHER, Some(0.0)));
    }
    Ok((touching, Some(mean_and_error(&bits, &seen.parts).0)))
}

impl Learned {
    fn weights(&self) -> PlacementWeights {
        let weights = self.habits.model.weights();
        match self.touching {
            Some((touching, _)) => weights.with_touching(touching),
            None => weights,
        }
    }

    fn json(&self, rules: &Rules) -> LearnedJson {
        let factors: Vec<f64> = rules.grid().cells().map(|cell| self.habits.model.factor(cell)).collect();
        LearnedJson {
            layouts: self.layouts,
            bits: self.bits.map(|bits| bits.0),
            bits_std_err: self.bits.map(|bits| bits.1),
            habit: word(self.habits.kind),
            prior: Some(self.habits.prior).filter(|prior| prior.is_finite()),
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
        if self.chosen {
            writeln!(out, "{}", described(&self.habits))?;
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

fn word(kind: HabitKind) -> &'static str {
    match kind {
        HabitKind::Symmetric => "symmetric",
        HabitKind::EachCell => "cells",
        _ => "none",
    }
}

fn described(habits: &ChosenHabits) -> String {
    match habits.kind {
        HabitKind::Symmetric => {
            format!("chosen: one factor for cells that symmetries of the board exchange, prior {}", habits.prior)
        }
        HabitKind::EachCell => format!("chosen: a factor for each cell, prior {}", habits.prior),
        _ => "chosen: no habit, since none predicts clearly better than that all layouts are equally likely".to_owned(),
    }
}
