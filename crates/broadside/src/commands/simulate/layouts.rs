//! Where the layouts come from, as the option says it.

use std::fs::File;
use std::io::{self, BufReader};

use broadside_lab::Layouts;
use broadside_rules::{Layout, Rules, Violation};

use crate::boards::{Board, Boards, StreamError};

/// Layouts that can't be played on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LayoutsError {
    #[error("can't open {name}: give --layouts the word ‘uniform’ or ‘sequential’, or a file of boards")]
    Open { name: String, source: io::Error },
    #[error("can't read the layouts in {name}")]
    Read { name: String, source: StreamError },
    #[error("{name}, line {line}: this layout breaks the rules")]
    Illegal { name: String, line: u64, source: Faults },
}

/// All that is wrong with a layout.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub(crate) struct Faults(Vec<Violation>);

/// Reads the option.
pub(crate) fn read(option: &str, rules: &Rules) -> Result<Layouts, LayoutsError> {
    match option {
        "uniform" => Ok(Layouts::Uniform),
        "sequential" => Ok(Layouts::Sequential),
        name => from_file(name, rules),
    }
}

pub(crate) fn from_file(name: &str, rules: &Rules) -> Result<Layouts, LayoutsError> {
    let file = File::open(name).map_err(|source| LayoutsError::Open { name: name.to_owned(), source })?;
    let layouts = Boards::new(BufReader::new(file)).map(|board| {
        let board = board.map_err(|source| LayoutsError::Read { name: name.to_owned(), source })?;
        layout(name, &board, rules)
    });
    Ok(Layouts::Listed(layouts.collect::<Result<_, _>>()?))
}

fn layout(name: &str, board: &Board, rules: &Rules) -> Result<Layout, LayoutsError> {
    let illegal = |violations| LayoutsError::Illegal { name: name.to_owned(), line: board.line, source: Faults(violations) };
    board.draft.check(rules).into_layout().map_err(illegal)
}
