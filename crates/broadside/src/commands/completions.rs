//! `broadside completions`: completion scripts for shells.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::exit::{Failure, Outcome};
use crate::output;

/// Write a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  broadside completions bash > ~/.local/share/bash-completion/completions/broadside
  broadside completions zsh > \"${fpath[1]}/_broadside\"
  broadside completions fish > ~/.config/fish/completions/broadside.fish";

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    // Made in memory first: the generator panics when it can't write, and a closed pipe is no reason for that.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "broadside", &mut script);
    let mut out = output::stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Outcome::Done)
}
