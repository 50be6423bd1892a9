//! `broadside man`: the manual pages.

use std::path::{Path, PathBuf};

use clap::CommandFactory;
use clap_mangen::Man;

use crate::exit::{Failure, Outcome};
use crate::files;

/// Write the manual pages of the program and of all its commands to a folder
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder for the pages, broadside.1, broadside-odds.1 and so on; made if it isn't there
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  broadside man ~/.local/share/man/man1          then: man broadside, man broadside-odds
  broadside man man && man -l man/broadside.1    look at one without installing it";

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let mut program = crate::Cli::command().disable_help_subcommand(true);
    // Gives every command its whole name and the options that all of them take.
    program.build();
    files::claim_folder(&args.folder)?;
    write_pages(&program, &args.folder)?;
    Ok(Outcome::Done)
}

/// Writes the page of a command, and those of the commands below it.
fn write_pages(command: &clap::Command, folder: &Path) -> Result<(), Failure> {
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    files::write(&folder.join(page.get_filename()), &text)?;
    command.get_subcommands().filter(|command| !command.is_hide_set()).try_for_each(|command| write_pages(command, folder))
}
