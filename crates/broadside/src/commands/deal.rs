//! `broadside deal`: random legal layouts.

use std::io::{self, Write};

use broadside_odds::{DealError, Dealer};
use broadside_rules::{Layout, Picture};
use serde::Serialize;

use crate::exit::{Failure, Outcome};
use crate::options::{Format, FormatOption, RuleOptions, random_seed};
use crate::output;
use crate::weights::WeightsOption;

/// Deal random legal layouts, each equally likely or as weights say
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// How many layouts
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    number: u64,
    /// Place one ship after the other, as published simulations do; not all layouts are equally likely then
    #[arg(long)]
    sequential: bool,
    #[command(flatten)]
    weights: WeightsOption,
    /// Seed of the layouts; without it one is chosen at random and printed to standard error
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How a layout is written
    #[arg(long = "as", value_name = "FORM", default_value = "ships", value_enum)]
    form: Form,
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    rules: RuleOptions,
}

const EXAMPLES: &str = "\
Examples:
  broadside deal                                 one layout of the classic fleet
  broadside deal --preset russian --as picture   drawn with X and .
  broadside deal -n 1000 --seed 7 --format json  the same thousand every time
  broadside deal --weights people                as people hide on average
  broadside deal -n 3 | broadside validate       what is dealt can be read again

Layout i depends on the seed and on i only: a larger -n continues the same sequence.";

/// How a layout is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// One line with the ends of each ship: A1-A5 C3-E3
    Ships,
    /// A line of X and . for each row, with a blank line between layouts
    Picture,
}

#[derive(Serialize)]
struct Dealt {
    layout: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    picture: Option<Vec<String>>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let rules = args.rules.rules()?;
    let (mut dealer, mut method) = (Dealer::new(&rules), if args.sequential { Method::Sequential } else { Method::Uniform });
    if let Some(weights) = args.weights.read(&rules)? {
        if args.sequential {
            return Err(Failure::bad_request(MethodError));
        }
        (dealer, method) = (dealer.with_weights(&weights), Method::Weighted);
    }
    let seed = args.seed.unwrap_or_else(|| random_seed("deal"));
    let mut out = output::stdout();
    for index in 0..args.number {
        let layout = deal(&mut dealer, method, seed, index).map_err(Failure::no_answer)?;
        match args.format.format {
            Format::Text => write_text(&mut out, &layout, args.form, index)?,
            Format::Json => output::json_line(&mut out, &Dealt::new(&layout, args.form))?,
        }
    }
    out.flush()?;
    Ok(Outcome::Done)
}

/// How layouts are chosen.
#[derive(Clone, Copy)]
enum Method {
    Uniform,
    Sequential,
    Weighted,
}

/// Layouts can't be dealt in two ways at once.
#[derive(Debug, thiserror::Error)]
#[error("--weights and --sequential are two ways to deal: leave out one of them")]
struct MethodError;

fn deal(dealer: &mut Dealer, method: Method, seed: u64, index: u64) -> Result<Layout, DealError> {
    let mut rng = broadside_lab::generator(seed, index);
    match method {
        Method::Uniform => dealer.uniform(&mut rng),
        Method::Sequential => dealer.sequential(&mut rng),
        Method::Weighted => dealer.weighted(&mut rng),
    }
}

fn write_text(out: &mut dyn Write, layout: &Layout, form: Form, index: u64) -> io::Result<()> {
    match form {
        Form::Ships => writeln!(out, "{layout}"),
        Form::Picture => {
            let gap = if index == 0 { "" } else { "\n" };
            writeln!(out, "{gap}{}", Picture::new(layout.cells()))
        }
    }
}

impl Dealt {
    fn new(layout: &Layout, form: Form) -> Self {
        let rows = || Picture::new(layout.cells()).to_string().lines().map(str::to_owned).collect();
        Self { layout: layout.to_string(), picture: (form == Form::Picture).then(rows) }
    }
}
