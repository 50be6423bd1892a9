//! Bots as options: the commands that start them, what they may use, and the hidden command that starts them.

use std::ffi::OsString;
use std::time::Duration;

use broadside_bots::{BotCommand, BotSettings, Clock, LaunchError, Launcher, Resources, TimeControl, run_launcher};
use clap::builder::TypedValueParser;

use crate::exit::{Failure, Outcome};
use crate::options;

/// The hidden command.
pub(crate) const LAUNCHER: &str = "bot-launcher";

/// Start a bot under limits: for this program itself
#[derive(clap::Args)]
pub(crate) struct LauncherArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// Becomes the bot. Its exit status is passed on.
pub(crate) fn launch(args: &LauncherArgs) -> Result<Outcome, Failure> {
    let status = run_launcher(&args.words).map_err(|error: LaunchError| Failure::no_answer(error))?;
    Ok(Outcome::Status(status))
}

/// What bots may use.
#[derive(clap::Args)]
#[command(next_help_heading = "Bots")]
pub(crate) struct BotOptions {
    /// Time of a bot for each answer, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: u64,
    /// Time of a bot for all answers of a game together, in milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    gametime: Option<u64>,
    /// Time of a bot from its start to ‘ubiok’, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    starttime: u64,
    /// What is measured: the clock on the wall, or the processor time of the bot (which needs Linux)
    #[arg(long, value_name = "CLOCK", default_value = Clock::default().word(), value_parser = clock())]
    clock: Clock,
    /// Memory of a bot, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    memory: u64,
    /// Processes and threads of a bot
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    processes: u64,
}

fn clock() -> impl TypedValueParser<Value = Clock> {
    options::word(Clock::ALL, Clock::word)
}

impl BotOptions {
    /// The settings of bots, and what protection they run under.
    pub(crate) fn settings(&self) -> BotSettings {
        let defaults = TimeControl::default();
        let time = TimeControl {
            movetime: Duration::from_millis(self.movetime),
            game: self.gametime.map(Duration::from_millis),
            start: Duration::from_millis(self.starttime),
            clock: self.clock,
            ..defaults
        };
        let resources = Resources { memory: self.memory << 20, processes: self.processes };
        BotSettings { launcher: launcher(), time, resources, cores: Vec::new() }
    }
}

/// This program, started again.
pub(crate) fn launcher() -> Launcher {
    Launcher::new("/proc/self/exe", &[LAUNCHER])
}

/// A bot on the command line: `COMMAND` or `NAME=COMMAND`.
#[derive(Clone, Debug)]
pub(crate) struct NamedBot {
    pub(crate) name: String,
    pub(crate) command: BotCommand,
}

/// Reads a bot. What comes before the first `=` is its name, if it looks like one.
pub(crate) fn named_bot(text: &str) -> Result<NamedBot, String> {
    let is_name =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_+. ".contains(c)) && !name.contains(' ');
    let (name, command) = match text.split_once('=') {
        Some((name, command)) if is_name(name) => (Some(name), command),
        _ => (None, text),
    };
    let command: BotCommand = command.parse().map_err(|error: broadside_bots::CommandError| error.to_string())?;
    Ok(NamedBot { name: name.map_or_else(|| command.name(), str::to_owned), command })
}

#[cfg(test)]
mod tests {
    use super::named_bot;

    #[test]
    fn a_bot_may_have_a_name_of_its_own() {
        let bot = named_bot("mine=sh -c 'a=b'").unwrap();
        assert_eq!((bot.name.as_str(), bot.command.arguments()), ("mine", &["-c".to_owned(), "a=b".to_owned()][..]));
        assert_eq!(named_bot("sh -c 'a=b'").unwrap().name, "sh");
        assert!(named_bot("mine=no-such-program").is_err());
    }
}
