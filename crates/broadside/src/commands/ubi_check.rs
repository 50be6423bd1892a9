//! `broadside ubi-check`: whether a bot speaks UBI.

use std::io::Write;

use broadside_bots::BotCommand;
use broadside_bots::check::{Check, RULES, Verdict, check};
use broadside_rules::Rules;
use serde::Serialize;

use crate::bots::BotOptions;
use crate::exit::{Failure, Outcome};
use crate::options::{Format, FormatOption};
use crate::output;

/// Check that a bot speaks UBI, the protocol of bots, and say what is wrong
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The command that starts the bot, in one word: ./mybot or 'python3 mybot.py'. It is not given to a shell
    #[arg(value_name = "BOT", value_parser = command)]
    bot: BotCommand,
    /// Rules to try it with, such as 'sploosh' or '10x10 5,4,3,3,2 allowed ship'; may be given several times. By default, six
    #[arg(long, value_name = "RULES", value_parser = rules)]
    rules: Vec<Rules>,
    #[command(flatten)]
    format: FormatOption,
    #[command(flatten)]
    limits: BotOptions,
}

const EXAMPLES: &str = "\
Examples:
  broadside ubi-check ./mybot
  broadside ubi-check 'python3 mybot.py' --rules sploosh
  broadside ubi-check 'broadside ubi density'

docs/ubi.md describes the protocol. Exit status: 0 the bot is right; 1 something is wrong; 2 the request can't be read.";

fn command(text: &str) -> Result<BotCommand, String> {
    text.parse().map_err(|error: broadside_bots::CommandError| error.to_string())
}

fn rules(text: &str) -> Result<Rules, String> {
    text.parse().map_err(|error: broadside_rules::ParseRulesError| error.to_string())
}

/// A line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    check: &'a str,
    /// `fine`, `wrong` or `advice`.
    verdict: &'static str,
    reason: Option<&'a str>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let settings = args.limits.settings();
    let rules = if args.rules.is_empty() { RULES.iter().flat_map(|text| text.parse()).collect() } else { args.rules.clone() };
    let text = args.format.format == Format::Text;
    let mut out = output::stdout();
    let mut written = if text { writeln!(out, "{}\n", settings.launcher.protection()) } else { Ok(()) };
    let checks = check(&args.bot, &settings, &rules, |check| {
        if written.is_ok() {
            written = write(&mut out, check, text).and_then(|()| out.flush());
        }
    });
    written?;
    let wrong = checks.iter().filter(|check| matches!(check.verdict, Verdict::Wrong(_))).count();
    if text {
        writeln!(out, "\n{}", summary(wrong))?;
        out.flush()?;
    }
    Ok(if wrong == 0 { Outcome::Done } else { Outcome::No })
}

fn summary(wrong: usize) -> String {
    match wrong {
        0 => "The bot is right.".to_owned(),
        1 => "One thing is wrong.".to_owned(),
        wrong => format!("{wrong} things are wrong."),
    }
}

fn write(out: &mut dyn Write, check: &Check, text: bool) -> std::io::Result<()> {
    let (verdict, reason) = match &check.verdict {
        Verdict::Fine => ("fine", None),
        Verdict::Wrong(reason) => ("wrong", Some(reason.as_str())),
        Verdict::Advice(reason) => ("advice", Some(reason.as_str())),
    };
    if !text {
        return output::json_line(out, &Line { check: &check.what, verdict, reason });
    }
    writeln!(out, "{verdict:<7} {}", check.what)?;
    reason.into_iter().flat_map(str::lines).try_for_each(|line| writeln!(out, "        {line}"))
}
