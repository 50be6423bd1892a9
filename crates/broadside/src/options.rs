//! The options that commands share.

use std::error::Error;
use std::str::FromStr;

use broadside_rules::{Call, FitError, Fleet, Grid, Noise, Preset, Rocks, Rules, RulesBuilder, Salvo, Touch};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::exit::{self, Failure};

/// The rules of the game: a preset, with any of its parts overridden.
#[derive(clap::Args)]
#[command(next_help_heading = "Rules")]
pub(crate) struct RuleOptions {
    /// Rules to start from; the options below override parts of them
    #[arg(long, value_name = "NAME", default_value = Preset::default().word(), ignore_case = true, value_parser = preset())]
    preset: Preset,
    /// Size of the board, such as 10x10; each side 1 to 64
    #[arg(long, value_name = "ROWSxCOLUMNS", value_parser = notation::<Grid>)]
    board: Option<Grid>,
    /// Lengths of the ships, such as 5,4,3,3,2
    #[arg(long, value_name = "LENGTHS", value_parser = notation::<Fleet>)]
    fleet: Option<Fleet>,
    /// How close ships may lie: side by side (allowed), at corners (corners) or not at all (never)
    #[arg(long, value_name = "RULE", ignore_case = true, value_parser = word(Touch::ALL, Touch::word))]
    touch: Option<Touch>,
    /// What is called beyond hit or miss: nothing (silent), that a ship sank (bare), its length too (ship), or the length
    /// on every hit (every)
    #[arg(long, value_name = "WHAT", ignore_case = true, value_parser = word(Call::ALL, Call::word))]
    call: Option<Call>,
    /// Cells where no ship can lie and nobody fires, such as C3,D4, or none
    #[arg(long, value_name = "CELLS", value_parser = notation::<Rocks>)]
    rocks: Option<Rocks>,
    /// Shots a turn: a number, or one for each own ship afloat (ships). They are answered after the turn; with :each after it, as in
    /// 5:each, each at once; with :count only the number of hits is called
    #[arg(long, value_name = "SHOTS", value_parser = notation::<Salvo>)]
    salvo: Option<Salvo>,
    /// Chance that an answer is false, from 0 to below 0.5, such as 0.05: a hit called a miss, or the other way round. Sinkings are never
    /// false, and cells may be fired at again
    #[arg(long, value_name = "CHANCE", value_parser = notation::<Noise>)]
    noise: Option<Noise>,
}

/// The parts don't go together.
#[derive(Debug, thiserror::Error)]
#[error("the fleet can't be placed: choose a larger --board, a smaller --fleet, a looser --touch or fewer --rocks")]
struct UnfitError(#[from] FitError);

impl RuleOptions {
    /// The size of the board alone, whether or not the fleet fits on it.
    pub(crate) fn grid(&self) -> Grid {
        self.builder().grid()
    }

    /// Whether there are rocks.
    pub(crate) fn has_rocks(&self) -> bool {
        !self.builder().rocks().is_empty()
    }

    /// The rules that the options ask for.
    pub(crate) fn rules(&self) -> Result<Rules, Failure> {
        self.builder().build().map_err(|error| Failure::bad_request(UnfitError(error)))
    }

    fn builder(&self) -> RulesBuilder {
        let preset = self.preset.builder().with_grid(self.board).with_fleet(self.fleet.clone());
        let preset = preset.with_touch(self.touch).with_call(self.call).with_rocks(self.rocks.clone());
        preset.with_salvo(self.salvo).with_noise(self.noise)
    }
}

/// How results are written.
#[derive(clap::Args)]
pub(crate) struct FormatOption {
    /// How results are written
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum)]
    pub(crate) format: Format,
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs: one JSON value a line
    Json,
}

/// A seed that nobody chose, short enough to be typed again. It is told to standard error with what to do for the same again.
pub(crate) fn random_seed(verb: &str) -> u64 {
    let seed = u64::from(rand::random::<u32>());
    anstream::eprintln!("seed {seed} ({verb} the same again with --seed {seed})");
    seed
}

/// Reads an option by the notation of its type. Clap shows one line for an error, so its causes are joined to it.
pub(crate) fn notation<T: FromStr<Err: Error>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| exit::chain(&error).map(ToString::to_string).collect::<Vec<_>>().join(": "))
}

/// Reads a preset; help has the rules of each.
fn preset() -> impl TypedValueParser<Value = Preset> {
    one_of(Preset::ALL, Preset::word, |preset, value| value.help(preset.rules().to_string()))
}

/// Reads an option that is one of a few words, and shows them in help and completions.
pub(crate) fn word<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    word: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    one_of(all, word, |_, value| value)
}

fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    word: fn(T) -> &'static str,
    describe: fn(T, PossibleValue) -> PossibleValue,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(|&value| describe(value, PossibleValue::new(word(value))))).map(move |text| {
        let found = all.iter().copied().find(|&value| word(value).eq_ignore_ascii_case(&text));
        found.expect("clap passes on only the words given to it")
    })
}
