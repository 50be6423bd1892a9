//! The tables of `docs/masks.md`.

use std::io::{self, Write};

use broadside_solve::mask::hitting::Effort;
use broadside_solve::mask::table::{Scope, checkerboard_table, exceptions_table, finding_table, sinking_table};

use crate::progress;

/// Writes each table under a heading of its own.
pub(super) fn write(out: &mut dyn Write, effort: u64) -> io::Result<()> {
    let scope = Scope { sides: 5..=12, lengths: 2..=5, effort: Effort::nodes(effort) };
    let tables: [(&str, &dyn Fn() -> String); 4] = [
        ("Cells of a mask, and expected shots to find the ship", &|| finding_table(&scope)),
        ("Expected shots to find and sink the ship", &|| sinking_table(&scope)),
        ("The formula (n²/2 + 1)/2 + 2.5, for a ship of two", &|| checkerboard_table(5..=12)),
        ("Boards up to 12x12 and lengths up to 6 whose diagonal masks are not smallest", &|| exceptions_table(12, 6)),
    ];
    for (number, (heading, table)) in tables.into_iter().enumerate() {
        let spinner = progress::spinner(format!("table {} of 4", number + 1));
        let table = table();
        spinner.finish_and_clear();
        let space = if number > 0 { "\n" } else { "" };
        write!(out, "{space}### {heading}\n\n{table}")?;
    }
    Ok(())
}
