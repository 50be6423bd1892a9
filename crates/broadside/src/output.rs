//! Standard output, as commands use it.

use std::io::{self, BufWriter, IsTerminal, LineWriter, Write};

use anstream::AutoStream;
use serde::Serialize;

use crate::exit::{Failure, Outcome};
use crate::options::Format;

/// Standard output: line by line for a person, in large blocks for a file or a program; styles only where they are
/// wanted, which [`AutoStream`] decides from the terminal, `NO_COLOR` and `TERM`.
pub(crate) fn stdout() -> Box<dyn Write> {
    let stdout = io::stdout();
    let terminal = stdout.is_terminal();
    let styled = AutoStream::auto(stdout.lock());
    if terminal { Box::new(LineWriter::new(styled)) } else { Box::new(BufWriter::with_capacity(1 << 16, styled)) }
}

/// Prints the one result of a command: as text for people, or as a line of JSON for programs.
pub(crate) fn print<T: Serialize>(
    format: Format,
    text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    json: impl FnOnce() -> T,
) -> Result<Outcome, Failure> {
    let mut out = stdout();
    match format {
        Format::Text => text(&mut out)?,
        Format::Json => json_line(&mut out, &json())?,
    }
    out.flush()?;
    Ok(Outcome::Done)
}

/// Writes one JSON value on a line of its own.
pub(crate) fn json_line(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)
}
