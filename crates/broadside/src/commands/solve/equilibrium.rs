//! `broadside solve --equilibrium`: how to hide and how to shoot against an opponent who knows how one does it.

use std::io::{self, Write};

use broadside_captains::ROSTER;
use broadside_lab::{AllLayouts, WorstHider};
use broadside_odds::Budget;
use broadside_rules::{Rules, ShotLog};
use broadside_solve::{Equilibrium, EquilibriumProgress, LayoutClass};
use indicatif::ProgressBar;
use num_rational::{BigRational, Ratio};
use num_traits::ToPrimitive;
use serde::Serialize;

use super::OutOfReachError;
use crate::exit::{Failure, Outcome};
use crate::files::OutputFile;
use crate::options::Format;
use crate::{draw, output, progress};

/// So many layouts of the hider's mix are listed in the text.
const LISTED: usize = 12;

pub(super) fn print(rules: &Rules, budget: Budget, file: Option<OutputFile>, format: Format) -> Result<Outcome, Failure> {
    let spinner = progress::spinner("listing layouts".to_owned());
    let report = find(rules, budget, file, &spinner);
    spinner.finish_and_clear();
    let report = report?;
    output::print(format, |out| report.write_text(out), || report.json())
}

fn find(rules: &Rules, budget: Budget, file: Option<OutputFile>, spinner: &ProgressBar) -> Result<Report, Failure> {
    let found = Equilibrium::find(rules, budget, &mut |taken| show_progress(spinner, taken));
    let found = found.map_err(|error| Failure::no_answer(OutOfReachError(error)))?;
    if let Some(file) = file {
        file.write(found.to_string().as_bytes())?;
    }
    spinner.set_message("captains");
    let layouts = AllLayouts::list(rules, budget).map_err(Failure::no_answer)?;
    let worst = |name| layouts.worst_hider(name).map(|worst| (name, worst)).map_err(Failure::no_answer);
    let captains = ROSTER.iter().map(|info| worst(info.name)).collect::<Result<_, _>>()?;
    Ok(Report { found, captains })
}

fn show_progress(spinner: &ProgressBar, taken: EquilibriumProgress) {
    let EquilibriumProgress { replies, lower, upper, search, .. } = taken;
    let search = search.map(|search| format!(", {} positions", search.positions)).unwrap_or_default();
    spinner.set_message(format!("{replies} best replies, value {lower:.6} to {upper:.6}{search}"));
}

/// What the command has found.
struct Report {
    found: Equilibrium,
    captains: Vec<(&'static str, WorstHider)>,
}

#[derive(Serialize)]
struct EquilibriumJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    lower: String,
    upper: String,
    layouts: usize,
    uniform: String,
    price_of_uniform: f64,
    replies: usize,
    hider: Vec<ClassJson>,
    cells: Vec<Vec<f64>>,
    captains: Vec<CaptainJson>,
}

#[derive(Serialize)]
struct ClassJson {
    chance: String,
    layouts: Vec<String>,
}

/// A captain against the hider who knows it.
#[derive(Serialize)]
struct CaptainJson {
    name: &'static str,
    worst: f64,
    layout: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    turned: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    std_err: Option<f64>,
    price: f64,
}

impl Report {
    fn json(&self) -> EquilibriumJson {
        let found = &self.found;
        let class = |class: &LayoutClass| ClassJson {
            chance: class.chance.to_string(),
            layouts: class.layouts.iter().map(ToString::to_string).collect(),
        };
        let shares: Vec<f64> = found.rules().grid().cells().map(|cell| float(&found.share(cell))).collect();
        EquilibriumJson {
            value: found.value().map(ToString::to_string),
            lower: found.lower().to_string(),
            upper: found.upper().to_string(),
            layouts: found.layouts(),
            uniform: found.uniform().to_string(),
            price_of_uniform: self.price_of_uniform(),
            replies: found.rounds(),
            hider: found.hider().iter().map(class).collect(),
            cells: shares.chunks(found.rules().grid().cols()).map(<[f64]>::to_vec).collect(),
            captains: self.captains.iter().map(|(name, worst)| self.captain_json(name, worst)).collect(),
        }
    }

    fn captain_json(&self, name: &'static str, worst: &WorstHider) -> CaptainJson {
        let (shots, layout, turned, std_err) = match worst {
            WorstHider::Exact { layout, shots, turned } => (*shots as f64, layout, Some(turned.to_string()), None),
            WorstHider::Estimate { layout, mean, std_err, .. } => (*mean, layout, None, Some(*std_err)),
        };
        let price = shots - float(self.found.upper());
        CaptainJson { name, worst: shots, layout: layout.to_string(), turned, std_err, price }
    }

    fn price_of_uniform(&self) -> f64 {
        float(&(self.found.lower() - self.found.uniform()))
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let found = &self.found;
        writeln!(out, "{}: {} layouts", found.rules(), found.layouts())?;
        match found.value() {
            Some(value) => writeln!(out, "value of the game       {}", decimal(value))?,
            None => writeln!(out, "value of the game       {:.12} to {:.12}", float(found.lower()), float(found.upper()))?,
        }
        writeln!(out, "all layouts alike       {}", decimal(found.uniform()))?;
        writeln!(out, "price of hiding so      {:.4}", self.price_of_uniform())?;
        writeln!(out, "\nHow often the hider's best mix covers each cell, in percent")?;
        draw::heat_map(out, &ShotLog::new(found.rules()), |cell| float(&found.share(cell)))?;
        self.write_mix(out)?;
        writeln!(out, "\nShots of the captains against a hider who knows them, and what that costs them")?;
        self.captains.iter().try_for_each(|(name, worst)| self.write_captain(out, name, worst))
    }

    fn write_mix(&self, out: &mut dyn Write) -> io::Result<()> {
        let hider = self.found.hider();
        let used: usize = hider.iter().map(|class| class.layouts.len()).sum();
        writeln!(out, "\nThe mix: {used} layouts. In each line one of those that symmetries of the board take to each other")?;
        let mut classes: Vec<&LayoutClass> = hider.iter().collect();
        classes.sort_by(|a, b| b.chance.cmp(&a.chance));
        for class in classes.iter().take(LISTED) {
            let LayoutClass { layouts, chance } = class;
            writeln!(out, "  {} × {:.4}  {}", layouts.len(), float(chance), layouts[0])?;
        }
        match classes.len().saturating_sub(LISTED) {
            0 => Ok(()),
            more => writeln!(out, "  and {more} more: see --format json"),
        }
    }

    fn write_captain(&self, out: &mut dyn Write, name: &str, worst: &WorstHider) -> io::Result<()> {
        let price = |shots: f64| shots - float(self.found.upper());
        match worst {
            WorstHider::Exact { shots, turned, layout } => {
                let turned = small_float(*turned);
                write!(out, "  {name:<18}  {shots:>5}  {:+.4} on {layout}", price(*shots as f64))?;
                writeln!(out, "; with the board turned at random {turned:.4}  {:+.4}", price(turned))
            }
            WorstHider::Estimate { mean, std_err, layout, .. } => {
                writeln!(
                    out,
                    "  {name:<18}  {mean:>5.2} ± {std_err:.2}  {:+.2} on {layout} (random choices: an estimate)",
                    price(*mean)
                )
            }
        }
    }
}

fn float(ratio: &BigRational) -> f64 {
    ratio.to_f64().unwrap_or(f64::NAN)
}

fn small_float(ratio: Ratio<u64>) -> f64 {
    *ratio.numer() as f64 / *ratio.denom() as f64
}

/// The digits of a fraction that still go into a line.
const MAX_DIGITS: usize = 40;

/// A fraction as a decimal number, and as itself unless it is very long.
fn decimal(ratio: &BigRational) -> String {
    let fraction = ratio.to_string();
    let shown = if fraction.len() <= MAX_DIGITS { fraction } else { "a long fraction: see --format json".to_owned() };
    format!("{:.4} ({shown})", float(ratio))
}
