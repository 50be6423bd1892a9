//! `broadside solve --bound`: what no play can beat.

use std::io::{self, Write};

use broadside_odds::{Budget, OutOfReach};
use broadside_rules::Rules;
use broadside_solve::Bound;
use num_rational::Ratio;
use serde::Serialize;

use crate::exit::{Failure, Outcome};
use crate::options::Format;
use crate::{output, progress};

/// The layouts can't be counted.
#[derive(Debug, thiserror::Error)]
#[error("the bound can't be found: allow a larger --budget, or choose a smaller --board or --fleet")]
struct BoundError(#[from] OutOfReach);

#[derive(Serialize)]
struct BoundJson {
    bound: String,
    hidden: String,
    hidden_length: usize,
    transcripts: String,
    transcripts_proved: bool,
    layouts: String,
}

pub(super) fn print(rules: &Rules, budget: Budget, format: Format) -> Result<Outcome, Failure> {
    let spinner = progress::spinner("counting".to_owned());
    let bound = Bound::for_rules(rules, budget);
    spinner.finish_and_clear();
    let bound = bound.map_err(|error| Failure::no_answer(BoundError(error)))?;
    output::print(format, |out| write_text(out, rules, &bound), || json(&bound))
}

fn json(bound: &Bound) -> BoundJson {
    BoundJson {
        bound: bound.best_proved().to_string(),
        hidden: bound.hidden.to_string(),
        hidden_length: bound.length.get(),
        transcripts: bound.transcripts.to_string(),
        transcripts_proved: bound.transcripts_are_proved(),
        layouts: bound.layouts.to_string(),
    }
}

fn write_text(out: &mut dyn Write, rules: &Rules, bound: &Bound) -> io::Result<()> {
    let note = if bound.transcripts_are_proved() { "" } else { "  (no proof where ships may touch side by side)" };
    writeln!(out, "{rules}: {} layouts", bound.layouts)?;
    writeln!(out, "no play needs fewer shots on average than {:.4}", decimal(bound.best_proved()))?;
    writeln!(out, "  if every ship but one of length {} were known  {:.4}", bound.length, decimal(bound.hidden))?;
    writeln!(out, "  counting transcripts                          {:.4}{note}", decimal(bound.transcripts))
}

fn decimal(ratio: Ratio<u128>) -> f64 {
    *ratio.numer() as f64 / *ratio.denom() as f64
}
