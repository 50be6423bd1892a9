//! How the program ends: its exit codes and its error messages, in one place.

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

use crate::files::WriteError;

/// How a command ended that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Done: exit status 0.
    Done,
    /// Done, and the answer is no, such as an invalid board: exit status 1.
    No,
    /// Stopped by Ctrl-C or a request to end, after saying so: exit status 130, as shells have it.
    Interrupted,
    /// Another program's exit status is passed on.
    Status(u8),
}

/// 128 and the number of the signal that Ctrl-C sends.
pub(crate) const INTERRUPTED: u8 = 130;

/// Why a command stopped.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The request is clear, and there is no answer to give: exit status 1.
    #[error(transparent)]
    NoAnswer(Box<dyn Error>),
    /// The request itself is wrong, or a file that it names can't be read: exit status 2.
    #[error(transparent)]
    BadRequest(Box<dyn Error>),
    /// The system doesn't give what the work needs, such as room on a disk or threads: exit status 2.
    #[error(transparent)]
    System(Box<dyn Error>),
    /// The output can't be written: exit status 2, unless its reader has closed it, as `head` does.
    #[error("can't write the output")]
    Output(#[from] io::Error),
}

impl Failure {
    /// There is no answer to give.
    pub(crate) fn no_answer(error: impl Error + 'static) -> Self {
        Self::NoAnswer(Box::new(error))
    }

    /// The request is wrong, or names something that can't be read.
    pub(crate) fn bad_request(error: impl Error + 'static) -> Self {
        Self::BadRequest(Box::new(error))
    }

    /// The system doesn't give what the work needs.
    pub(crate) fn system(error: impl Error + 'static) -> Self {
        Self::System(Box::new(error))
    }

    /// The exit status.
    fn status(&self) -> u8 {
        match self {
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::NoAnswer(_) => 1,
            Self::BadRequest(_) | Self::System(_) | Self::Output(_) => 2,
        }
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Self::system(error)
    }
}

/// The exit status, after printing to standard error what went wrong.
pub(crate) fn code(result: Result<Outcome, Failure>) -> ExitCode {
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::No) => ExitCode::from(1),
        Ok(Outcome::Interrupted) => ExitCode::from(INTERRUPTED),
        Ok(Outcome::Status(status)) => ExitCode::from(status),
        Err(failure) => {
            let status = failure.status();
            if status != 0 {
                print_error(&failure);
            }
            ExitCode::from(status)
        }
    }
}

/// The exit status, after printing what clap answers instead of a request: help, the version, or what is wrong with the
/// arguments. Help that can't be written is an error like other output; clap itself would pass over that.
pub(crate) fn print_message(message: &clap::Error) -> ExitCode {
    if message.use_stderr() {
        // When this fails, there is nowhere left to say so.
        _ = message.print();
        return ExitCode::from(2);
    }
    let printed = message.print().and_then(|()| io::stdout().flush());
    code(printed.map(|()| Outcome::Done).map_err(Failure::Output))
}

/// Prints the error and what caused it, a line each.
fn print_error(error: &dyn Error) {
    // The look of clap's own errors, since the two appear side by side.
    let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    anstream::eprintln!("{red}error:{red:#} {error}");
    chain(error).skip(1).for_each(|cause| anstream::eprintln!("  because: {cause}"));
}

/// The error, its cause, the cause of that, and so on.
pub(crate) fn chain(error: &dyn Error) -> impl Iterator<Item = &dyn Error> {
    std::iter::successors(Some(error), |&cause| cause.source())
}
