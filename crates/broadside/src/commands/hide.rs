//! `broadside hide`: where to put the fleet.

use std::io::{self, Write};

use broadside_captains::Registry;
use broadside_lab::{Effort, HiderError, HidingJudge, JudgedHiding, LayoutSearch};
use broadside_rules::{Layout, Rules, Stop};
use serde::Serialize;

use crate::draw::{self, Square};
use crate::exit::{Failure, Outcome};
use crate::marks::Mark;
use crate::options::{FormatOption, RuleOptions};
use crate::{output, progress};

/// Where to put the fleet: layouts that a captain finds late, and what others need for them
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The captain to hide from
    #[arg(long, value_name = "NAME", default_value = "admiral~")]
    against: String,
    /// How many layouts
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=32))]
    n: u8,
    /// About how many games the captain plays while layouts are looked for
    #[arg(long, value_name = "GAMES", default_value_t = Effort::default().games, value_parser = clap::value_parser!(u64).range(100..))]
    effort: u64,
    /// Games by which each layout is judged, for each captain that makes random choices
    #[arg(long, value_name = "GAMES", default_value_t = 200, value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,
    /// Seed of the games that judge
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    rules: RuleOptions,
}

const EXAMPLES: &str = "\
Examples:
  broadside hide                                     five layouts for the classic game
  broadside hide --against density --n 1             where density looks last
  broadside hide --preset russian --effort 100000    looks longer
  broadside hide --format json

The layouts are found by moving one ship at a time, and then judged by games that had no part in finding them. Beside each captain \
stands what it needs on average if every layout is equally likely. Use a different layout in each game: an opponent who has seen one \
finds it again.

Exit status: 0 done; 1 the board is too tight to deal from; 2 the request can't be read.";

/// Captains that judge every layout: a strong one, a plain one, and one that shoots as many people do.
const JUDGES: [&str; 3] = ["admiral~", "density~", "hunt-target-parity"];

#[derive(Serialize)]
struct HideJson {
    against: String,
    layouts: Vec<LayoutJson>,
}

#[derive(Serialize)]
struct LayoutJson {
    layout: String,
    captains: Vec<JudgeJson>,
}

#[derive(Serialize)]
struct JudgeJson {
    captain: String,
    mean: f64,
    std_err: f64,
    /// What the captain needs if every layout is equally likely.
    uniform: f64,
    /// The share of those games that took fewer shots.
    later_than: f64,
}

/// A layout with what each captain needs for it.
struct Found {
    layout: Layout,
    judged: Vec<JudgedHiding>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let rules = args.rules.rules()?;
    let spinner = progress::spinner("looking for layouts".to_owned());
    let report = find(args, &rules);
    spinner.finish_and_clear();
    let report = report.map_err(failure)?;
    output::print(args.format.format, |out| report.write_text(out, &rules), || report.json())
}

fn failure(error: HiderError) -> Failure {
    if matches!(error, HiderError::Deal(_)) { Failure::no_answer(error) } else { Failure::bad_request(error) }
}

/// What the command has found.
struct Report {
    captains: Vec<String>,
    found: Vec<Found>,
}

fn find(args: &Args, rules: &Rules) -> Result<Report, HiderError> {
    let registry = Registry::new();
    let search = LayoutSearch::new(&args.against, rules, &registry, Effort { games: args.effort })?;
    let mut layouts: Vec<Layout> = search.run()?.into_iter().map(|judged| judged.layout).collect();
    layouts.truncate(args.n.into());
    let others = JUDGES.iter().map(ToString::to_string).filter(|name| *name != args.against);
    let captains: Vec<String> = std::iter::once(args.against.clone()).chain(others).collect();
    let mut found: Vec<Found> = layouts.into_iter().map(|layout| Found { layout, judged: Vec::new() }).collect();
    for name in &captains {
        let captain = registry.captain(name, rules)?;
        let mut judge = HidingJudge::new(captain, rules, args.games, args.seed, &Stop::never())?;
        for layout in &mut found {
            layout.judged.push(judge.judge(&layout.layout)?);
        }
    }
    Ok(Report { captains, found })
}

impl Report {
    fn json(&self) -> HideJson {
        let judge = |(judged, captain): (&JudgedHiding, &String)| JudgeJson {
            captain: captain.clone(),
            mean: judged.mean,
            std_err: judged.std_err,
            uniform: judged.uniform,
            later_than: judged.later_than,
        };
        let layout = |found: &Found| LayoutJson {
            layout: found.layout.to_string(),
            captains: found.judged.iter().zip(&self.captains).map(judge).collect(),
        };
        HideJson { against: self.captains[0].clone(), layouts: self.found.iter().map(layout).collect() }
    }

    fn write_text(&self, out: &mut dyn Write, rules: &Rules) -> io::Result<()> {
        writeln!(out, "{rules}: layouts that {} finds late", self.captains[0])?;
        for found in &self.found {
            writeln!(out, "\n{}", found.layout)?;
            let cells = found.layout.cells();
            draw::board(out, rules.grid(), |cell| match (cells.contains(cell), rules.is_rock(cell)) {
                (true, _) => Square::Ship,
                (_, true) => Square::Shot(Mark::Rock),
                _ => Square::Water,
            })?;
            for (judged, captain) in found.judged.iter().zip(&self.captains) {
                let JudgedHiding { mean, std_err, uniform, .. } = judged;
                writeln!(out, "  {captain:<18} {mean:>6.2} ± {std_err:.2} shots, {uniform:.2} on average")?;
            }
        }
        Ok(())
    }
}
