//! The `broadside` program: Battleship from the command line.
//!
//! Every subcommand is a thin file in [`commands`] over the library crates. What they share sits beside them: the
//! options that become [`Rules`](broadside_rules::Rules) once ([`options`]), the way boards and logs are read
//! ([`boards`], [`logs`], [`records`]) and drawn ([`draw`], [`picture`]), where output goes ([`output`], [`files`]), and how the program ends ([`exit`]).

mod boards;
mod bots;
mod commands;
mod draw;
mod exit;
mod files;
mod gpu;
mod habits;
mod heap;
mod interrupt;
mod lan;
mod logs;
mod marks;
mod options;
mod output;
mod picture;
mod play;
mod policy;
mod progress;
mod records;
mod served_bots;
mod threads;
mod weights;

use std::process::ExitCode;

use clap::Parser;

use crate::exit::{Failure, Outcome};
use crate::threads::ThreadsOption;

/// The game of Battleship: play it, find the best shot, check and deal boards, try strategies.
#[derive(Parser)]
#[command(name = "broadside", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    threads: ThreadsOption,
}

const EXAMPLES: &str = "\
Examples:
  broadside serve --open                         the web app: play, analyse, lab
  broadside play                                 a game in the terminal
  broadside puzzle new --grade hard              the puzzle of the newspapers
  broadside deal --as picture                    a random board of the classic fleet
  broadside deal -n 5 | broadside validate       deal five and check them
  broadside count --board 4x4 --fleet 3,2        264
  broadside mask --length 3                      33 shots that no ship of 3 escapes
  broadside simulate --captain density random    how many shots they take
  broadside hide                                 where to put the fleet
  broadside replay --captain density             a game shot by shot
  broadside tournament --bot ./mine --captain density   your own program against a captain

Exit status: 0 done; 1 the answer is no (such as an invalid board); 2 the request can't be read.
‘broadside COMMAND --help’ has examples for each command.";

#[derive(clap::Subcommand)]
enum Command {
    Serve(commands::serve::Args),
    Validate(commands::validate::Args),
    Odds(commands::odds::Args),
    Best(commands::best::Args),
    Play(commands::play::Args),
    Puzzle(commands::puzzle::Args),
    Mask(Box<commands::mask::Args>),
    Solve(commands::solve::Args),
    Deal(commands::deal::Args),
    Count(commands::count::Args),
    Hide(commands::hide::Args),
    Learn(commands::learn::Args),
    Simulate(Box<commands::simulate::Args>),
    Merge(commands::merge::Args),
    Replay(Box<commands::replay::Args>),
    Reproduce(commands::reproduce::Args),
    Tournament(Box<commands::tournament::Args>),
    Ubi(commands::ubi::Args),
    UbiCheck(commands::ubi_check::Args),
    Bench(commands::bench::Args),
    Gpu(commands::gpu::Args),
    Completions(commands::completions::Args),
    Man(commands::man::Args),
    #[command(name = bots::LAUNCHER, hide = true)]
    BotLauncher(bots::LauncherArgs),
}

fn main() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => exit::code(run(&cli)),
        Err(message) => exit::print_message(&message),
    }
}

fn run(cli: &Cli) -> Result<Outcome, Failure> {
    cli.threads.apply()?;
    match &cli.command {
        Command::Serve(args) => commands::serve::run(args),
        Command::Validate(args) => commands::validate::run(args),
        Command::Odds(args) => commands::odds::run(args),
        Command::Best(args) => commands::best::run(args),
        Command::Play(args) => commands::play::run(args),
        Command::Puzzle(args) => commands::puzzle::run(args),
        Command::Mask(args) => commands::mask::run(args),
        Command::Solve(args) => commands::solve::run(args),
        Command::Deal(args) => commands::deal::run(args),
        Command::Count(args) => commands::count::run(args),
        Command::Hide(args) => commands::hide::run(args),
        Command::Learn(args) => commands::learn::run(args),
        Command::Simulate(args) => commands::simulate::run(args),
        Command::Merge(args) => commands::merge::run(args),
        Command::Replay(args) => commands::replay::run(args),
        Command::Reproduce(args) => commands::reproduce::run(args),
        Command::Tournament(args) => commands::tournament::run(args),
        Command::Ubi(args) => commands::ubi::run(args),
        Command::UbiCheck(args) => commands::ubi_check::run(args),
        Command::Bench(args) => commands::bench::run(args),
        Command::Gpu(args) => commands::gpu::run(args),
        Command::Completions(args) => commands::completions::run(args),
        Command::Man(args) => commands::man::run(args),
        Command::BotLauncher(args) => bots::launch(args),
    }
}
