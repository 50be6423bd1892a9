//! The tables of the documentation, as Markdown.

use std::fmt::Write;

use broadside_rules::Grid;

use super::OneShipBoard;
use super::blocking::{blocking_number, diagonal_is_smallest};
use super::diagonal::{best_diagonal_count, best_diagonal_mask};
use super::expected_shots::{Expected, Finding, Optimum, Sinking, checkerboard_formula, neighbour_sink, random_find};
use super::hitting::Effort;

/// Square boards and lengths that a table covers, and how far to search for the optimum of each.
#[derive(Debug, Clone)]
pub struct Scope {
    /// Sides of the boards.
    pub sides: std::ops::RangeInclusive<usize>,
    /// Lengths of the ship.
    pub lengths: std::ops::RangeInclusive<usize>,
    /// Nodes for the optimum of each board, length and goal.
    pub effort: Effort,
}

impl Scope {
    fn boards(&self) -> impl Iterator<Item = OneShipBoard> {
        let lengths = self.lengths.clone();
        self.sides.clone().flat_map(move |side| {
            lengths.clone().filter_map(move |length| OneShipBoard::new(Grid::new(side, side).ok()?, length).ok())
        })
    }
}

/// Blocking numbers and the expected shots until the first hit.
pub fn finding_table(scope: &Scope) -> String {
    let heads =
        ["board", "length", "blocking number", "diagonal mask", "mask, random order", "mask, best order", "greedy", "optimum"];
    table(&heads, scope.boards().map(|board| finding_row(board, scope.effort.clone())))
}

fn finding_row(board: OneShipBoard, mut effort: Effort) -> Vec<String> {
    let ways = Finding::new(board, &mut effort);
    let mut row = start_of_row(board);
    row.extend([blocking_number(board), best_diagonal_count(board)].map(|cells| cells.to_string()));
    row.extend([ways.random, ways.ordered, ways.greedy].map(shots_text));
    row.push(optimum_text(ways.least));
    row
}

/// Expected shots until the ship is sunk.
pub fn sinking_table(scope: &Scope) -> String {
    let heads = [
        "board",
        "length",
        "mask, random order, then neighbours",
        "mask, random order, then best",
        "mask, best order, then best",
        "greedy",
        "optimum",
    ];
    table(&heads, scope.boards().map(|board| sinking_row(board, scope.effort.clone())))
}

fn sinking_row(board: OneShipBoard, mut effort: Effort) -> Vec<String> {
    let ways = Sinking::new(board, &mut effort);
    let mut row = start_of_row(board);
    row.extend([ways.neighbours, ways.random, ways.ordered, ways.greedy].map(shots_text));
    row.push(optimum_text(ways.least));
    row
}

/// The formula (n²/2 + 1)/2 + 2.5 for a ship of two beside the exact figures.
pub fn checkerboard_table(sides: std::ops::RangeInclusive<usize>) -> String {
    let heads = ["board", "(n²/2 + 1)/2", "shots to find", "(n²/2 + 1)/2 + 2.5", "shots to find and sink"];
    table(&heads, sides.filter_map(|side| OneShipBoard::new(Grid::new(side, side).ok()?, 2).ok()).map(checkerboard_row))
}

fn checkerboard_row(board: OneShipBoard) -> Vec<String> {
    let (find, sink) = checkerboard_formula(board.rows());
    let found = random_find(board, &best_diagonal_mask(board)).map_or_else(String::new, shots_text);
    vec![grid_text(board), shots_text(find), found, shots_text(sink), shots_text(neighbour_sink(board))]
}

/// The boards up to a side, not higher than wide, on which no diagonal mask is smallest.
pub fn exceptions_table(side: usize, longest: usize) -> String {
    let sides = (1..=side).flat_map(|rows| (rows..=side).map(move |cols| (rows, cols)));
    let boards = sides.flat_map(|(rows, cols)| {
        (1..=longest).filter_map(move |length| OneShipBoard::new(Grid::new(rows, cols).ok()?, length).ok())
    });
    let rows = boards.filter(|&board| !diagonal_is_smallest(board)).map(|board| {
        let mut row = start_of_row(board);
        row.extend([blocking_number(board).to_string(), best_diagonal_count(board).to_string()]);
        row
    });
    table(&["board", "length", "blocking number", "diagonal mask"], rows)
}

fn start_of_row(board: OneShipBoard) -> Vec<String> {
    vec![grid_text(board), board.length().to_string()]
}

fn grid_text(board: OneShipBoard) -> String {
    board.grid().to_string()
}

fn table(heads: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = format!("| {} |\n|{}\n", heads.join(" | "), " ---: |".repeat(heads.len()));
    for row in rows {
        writeln!(text, "| {} |", row.join(" | ")).expect("a string takes any text");
    }
    text
}

/// Four decimals, and the fraction itself unless it is an integer.
pub fn shots_text(shots: Expected) -> String {
    if shots.is_integer() { decimals(shots) } else { format!("{} ({shots})", decimals(shots)) }
}

/// The same for what is known of the optimum.
pub fn optimum_text(optimum: Optimum) -> String {
    match optimum {
        Optimum::Exact(shots) => shots_text(shots),
        Optimum::Between { least, most } => format!("{} to {}", shots_text(least), shots_text(most)),
    }
}

/// Rounded to four decimals, halves up.
fn decimals(shots: Expected) -> String {
    let scaled = (shots * 10_000).round().to_integer();
    format!("{}.{:04}", scaled / 10_000, scaled % 10_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_the_finding_table_can_be_checked_by_hand() {
        let scope = Scope { sides: 2..=2, lengths: 2..=2, effort: Effort::nodes(100) };
        let row = "| 2x2 | 2 | 2 | 2 | 1.5000 (3/2) | 1.5000 (3/2) | 1.5000 (3/2) | 1.5000 (3/2) |";
        assert_eq!(finding_table(&scope).lines().nth(2), Some(row));
    }

    #[test]
    fn a_row_of_the_sinking_table_can_be_checked_by_hand() {
        let scope = Scope { sides: 2..=2, lengths: 2..=2, effort: Effort::nodes(100) };
        let row = "| 2x2 | 2 | 3.0000 | 3.0000 | 3.0000 | 3.0000 | 3.0000 |";
        assert_eq!(sinking_table(&scope).lines().nth(2), Some(row));
    }

    #[test]
    fn the_formula_is_right_for_finding_on_even_boards_only() {
        let table = checkerboard_table(4..=5);
        let rows: Vec<&str> = table.lines().skip(2).collect();
        assert!(rows[0].starts_with("| 4x4 | 4.5000 (9/2) | 4.5000 (9/2) | 7.0000 |"), "{}", rows[0]);
        assert!(rows[1].starts_with("| 5x5 | 6.7500 (27/4) | 6.5000 (13/2) | 9.2500 (37/4) |"), "{}", rows[1]);
    }

    #[test]
    fn lengths_that_do_not_fit_are_left_out() {
        let scope = Scope { sides: 2..=3, lengths: 2..=3, effort: Effort::nodes(1_000) };
        assert_eq!(finding_table(&scope).lines().count(), 2 + 3);
    }

    #[test]
    fn every_exception_has_a_side_shorter_than_the_ship() {
        let table = exceptions_table(6, 6);
        assert!(table.contains("| 2x5 | 3 | 2 | 3 |"));
        assert!(!table.contains("| 5x5 |") && !table.contains("| 6x6 |"));
    }
}
