//! Sections 3.4 and 3.6: guesses along diagonals, and the three finders compared.

use broadside_rules::{Cell, CellSet, Grid, Length, Placement, ShotLog};
use broadside_solve::mask::OneShipBoard;
use broadside_solve::mask::blocking::blocking_number;

use super::super::games::{Games, sampled};
use super::super::{Check, Figure, Row, Section, Settings, text};
use super::{LONGEST, boards, counts, figure_grid, figure_rules, reason};
use crate::CampaignError;
use crate::draw::Board;

/// The finders, the worst first by the document's account.
pub(super) const FINDERS: [&str; 3] = ["random", "diagonal", "pdf"];

pub(super) fn games(settings: &Settings) -> u64 {
    settings.share(10) * (FINDERS.len() * boards().len()) as u64
}

/// Figures 5 and 6.
pub(super) fn diagonal() -> Section {
    let counts = counts(&reason("diagonal+brute", &ShotLog::new(&figure_rules())));
    let grid = figure_grid();
    let set = CellSet::from_cells(grid, grid.cells().filter(|&cell| counts[grid.index(cell)] > 0));
    let count = |cell: Cell| counts[grid.index(cell)];
    let figures = vec![
        Figure {
            caption: format!("Figure 5: the {} diagonal guesses on 10x15 for a ship of 6.", set.len()),
            svg: Board::new(grid).with_ships(&set).with_title("Figure 5").svg(),
            wide: false,
        },
        Figure {
            caption: "Figure 6: how many places of a ship of 6 each of them meets.".to_owned(),
            svg: Board::new(grid).with_numbers(|cell| Some(count(cell)).filter(|&count| count > 0)).with_title("Figure 6").svg(),
            wide: false,
        },
    ];
    let about =
        "The guesses lie on every sixth diagonal, 6 being the longest ship of the document’s board. The figures are lost; \
                 its text lists where the diagonals start. Here the captain ‘diagonal’ is asked for its guesses."
            .into();
    Section { title: "Diagonal guesses", about, rows: diagonal_rows(&set, &counts), figures, ..Section::default() }
}

fn diagonal_rows(set: &CellSet, counts: &[u32]) -> Vec<Row> {
    let grid = figure_grid();
    let listed = listed_diagonals(grid);
    let agree = grid.cells().filter(|&cell| set.contains(cell) == listed.contains(cell)).count();
    let ships: Vec<Placement> = Placement::all(grid, Length::new(LONGEST).expect("a length")).collect();
    let once = ships.iter().filter(|ship| ship.cells().filter(|&cell| set.contains(cell)).count() == 1).count();
    let board = OneShipBoard::new(grid, LONGEST).expect("a ship that fits");
    let excess = set.len() - blocking_number(board);
    let chess = OneShipBoard::new(Grid::new(8, 8).expect("a chess board"), 2).expect("a domino fits");
    vec![
        Row::new(
            "section 3.4",
            "A domino on a chess board: 32 squares are enough",
            Check::Same { source: 32, measured: blocking_number(chess) as u128 },
        )
        .by("broadside mask --board 8x8 --length 2"),
        Row::new(
            "figure 5",
            "The diagonals start at (1, 1), (7, 1), (1, 7) and (1, 13)",
            Check::All { total: grid.len(), agree, what: "cells" },
        ),
        Row::new(
            "section 3.4.3",
            "The set has m + (m − 6) + (n − 6) + (n − 12) cells",
            Check::Same { source: 10 + 4 + 9 + 3, measured: set.len() as u128 },
        ),
        Row::new(
            "lemma 2",
            "Every run of 6 has exactly one of them",
            Check::All { total: ships.len(), agree: once, what: "runs" },
        ),
        Row::new(
            "section 3.4.2",
            "The set is smallest but for a constant",
            Check::NeverAbove { source: (LONGEST - 1) as f64, measured: excess as f64, as_many: true },
        )
        .says("minimal “within an additive error”, of fewer cells than the ship is long")
        .note(format!("It has {} cells; {} are enough, and no fewer.", set.len(), set.len() - excess))
        .by(format!("broadside mask --board {grid} --length {LONGEST}")),
        Row::new("figure 6", "The top left corner has 2 placements", Check::Same { source: 2, measured: u128::from(counts[0]) }),
        Row::new(
            "lemma 1",
            "No cell has more than 2 · 6 placements",
            Check::NeverAbove { source: 12.0, measured: f64::from(counts.iter().copied().max().unwrap_or(0)), as_many: true },
        ),
    ]
}

/// The cells that the document's text lists.
fn listed_diagonals(grid: Grid) -> CellSet {
    let starts = [(0, 0), (6, 0), (0, 6), (0, 12)];
    let cells = starts.into_iter().flat_map(|(row, col)| (0..grid.rows()).filter_map(move |i| Cell::new(row + i, col + i)));
    CellSet::from_cells(grid, cells.filter(|&cell| grid.contains(cell)))
}

/// The claim of section 3.6: solution 3 is the best, and solution 2 better than solution 1.
pub(super) fn compared(games: &Games<'_>) -> Result<Section, CampaignError> {
    let number = games.settings.share(10);
    let mut rows = Vec::new();
    for rules in boards() {
        let mut means = Vec::new();
        for finder in FINDERS {
            means.push((finder, sampled(&games.first_hits(&rules, &format!("{finder}+brute"), number)?)));
        }
        let claim =
            format!("Guesses to the first hit fall from random to diagonal to PDF, {} with {}", rules.grid(), rules.fleet());
        rows.push(Row::new("section 3.6", claim, Check::SampledFalling(means)));
    }
    let about =
        format!("Mean number of guesses to the first hit, layouts dealt uniformly, {} games each.", text::whole(number.into()));
    Ok(Section { title: "Which finder hits first", about, rows, ..Section::default() })
}
