//! How the program ends: its exit codes and its error messages, in one place.

use std::error::Error;
use std::io;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

/// How a command ended that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Done: exit status 0.
    Done,
    /// Done, and the answer is no, such as an invalid board: exit status 1.
    No,
    /// Stopped by Ctrl-C or a request to end, after saying so: exit status 130, as shells have it.
    Interrupted,
}

/// 128 and the number of the signal that Ctrl-C sends.
pub(crate) const INTERRUPTED: u8 = 130;

/// Why a command stopped.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// There is no answer to give: exit status 1.
    #[error(transparent)]
    Unanswerable(Box<dyn Error>),
    /// The request can't be read: exit status 2.
    #[error(transparent)]
    Unreadable(Box<dyn Error>),
    /// The output can't be written: exit status 2, unless whoever read it has closed it, as `head` does.
    #[error("can't write the output")]
    Output(#[from] io::Error),
}

impl Failure {
    /// There is no answer to give.
    pub(crate) fn unanswerable(error: impl Error + 'static) -> Self {
        Self::Unanswerable(Box::new(error))
    }

    /// The request can't be read.
    pub(crate) fn unreadable(error: impl Error + 'static) -> Self {
        Self::Unreadable(Box::new(error))
    }
}

/// The exit status, after telling standard error what went wrong.
pub(crate) fn code(result: Result<Outcome, Failure>) -> ExitCode {
    match result {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::No) => ExitCode::from(1),
        Ok(Outcome::Interrupted) => ExitCode::from(INTERRUPTED),
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            tell(&failure);
            ExitCode::from(if matches!(failure, Failure::Unanswerable(_)) { 1 } else { 2 })
        }
    }
}

/// The error and what caused it, a line each.
fn tell(error: &dyn Error) {
    // The look of clap's own errors, since the two appear side by side.
    let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    anstream::eprintln!("{red}error:{red:#} {error}");
    chain(error).skip(1).for_each(|cause| anstream::eprintln!("  because: {cause}"));
}

/// The error, its cause, the cause of that, and so on.
pub(crate) fn chain(error: &dyn Error) -> impl Iterator<Item = &dyn Error> {
    std::iter::successors(Some(error), |&cause| cause.source())
}
