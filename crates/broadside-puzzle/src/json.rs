//! What programs and the web page are told, as JSON. Fields are a contract: they may be added, never renamed.

use broadside_rules::Cell;
use serde::Serialize;

use crate::{Contradiction, Deduction, Hint, Line, Reason};

/// A hint as JSON.
///
/// `kind` is `wrong`, `next`, `look`, `done`, `none` or `several`; the other fields are there where they say something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HintTable {
    /// What kind of hint it is.
    pub kind: &'static str,
    /// The name of the deduction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub technique: Option<&'static str>,
    /// The row or column that it is about: `row` or `column`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<&'static str>,
    /// The letter or number of that line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The cell or ship that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The length of the ships that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<usize>,
    /// Of “what if”: whether the cell is supposed to be a ship.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supposed_ship: Option<bool>,
    /// Cells that hold a ship.
    pub ships: Vec<String>,
    /// Cells that are water.
    pub water: Vec<String>,
    /// Cells that are marked wrongly.
    pub wrong: Vec<String>,
    /// The hint in English.
    pub text: String,
}

fn names(cells: &[Cell]) -> Vec<String> {
    cells.iter().map(ToString::to_string).collect()
}

impl HintTable {
    fn new(kind: &'static str, text: String) -> Self {
        Self {
            kind,
            technique: None,
            line: None,
            label: None,
            about: None,
            length: None,
            supposed_ship: None,
            ships: Vec::new(),
            water: Vec::new(),
            wrong: Vec::new(),
            text,
        }
    }

    fn with_line(mut self, line: Line) -> Self {
        self.line = Some(if matches!(line, Line::Row(_)) { "row" } else { "column" });
        self.label = Some(line.label());
        self
    }

    fn with_reason(mut self, reason: Reason) -> Self {
        self.technique = Some(reason.technique().word());
        match reason {
            Reason::LineFull { line, .. } | Reason::LineNeedsAll { line, .. } | Reason::EveryWay { line, .. } => {
                return self.with_line(line);
            }
            Reason::AroundAnEnd { cell, .. } | Reason::Middle { cell } => self.about = Some(cell.to_string()),
            Reason::Finished { ship } | Reason::GoesOn { ship } => {
                (self.about, self.length) = (Some(ship.to_string()), Some(ship.length().get()));
            }
            Reason::TooLong { longest: length } | Reason::NoRoom { shortest: length } | Reason::OnlyPlace { length, .. } => {
                self.length = Some(length);
            }
            Reason::WhatIf { cell, ship, contradiction, .. } => {
                (self.about, self.supposed_ship) = (Some(cell.to_string()), Some(ship));
                return self.with_contradiction(contradiction);
            }
            Reason::FleetCount { .. } | Reason::Corners => {}
        }
        self
    }

    fn with_contradiction(self, contradiction: Contradiction) -> Self {
        match contradiction {
            Contradiction::LineOverfull(line) | Contradiction::LineTooEmpty(line) | Contradiction::NoWay(line) => {
                self.with_line(line)
            }
            _ => self,
        }
    }
}

impl From<&Deduction> for HintTable {
    fn from(deduction: &Deduction) -> Self {
        let mut table = Self::new("next", deduction.to_string()).with_reason(deduction.reason);
        (table.ships, table.water) = (names(&deduction.ships), names(&deduction.water));
        table
    }
}

impl From<&Hint> for HintTable {
    fn from(hint: &Hint) -> Self {
        let text = hint.to_string();
        match hint {
            Hint::Next(deduction) => deduction.into(),
            Hint::Wrong(cells) => Self { wrong: names(cells), ..Self::new("wrong", text) },
            Hint::Look(cell, mark) => {
                let mut table = Self::new("look", text);
                let cells = if *mark == crate::Mark::Water { &mut table.water } else { &mut table.ships };
                cells.push(cell.to_string());
                table
            }
            Hint::Done => Self::new("done", text),
            Hint::NoSolution => Self::new("none", text),
            Hint::Several => Self::new("several", text),
        }
    }
}
