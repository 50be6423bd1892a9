//! The note on masks.

use broadside_rules::Grid;
use broadside_solve::mask::OneShipBoard;
use broadside_solve::mask::blocking::blocking_number;
use broadside_solve::mask::diagonal::{best_diagonal_mask, check_guarantee, diagonal_count, diagonal_mask};
use broadside_solve::mask::expected_shots::{checkerboard_formula, neighbour_sink, random_find};
use broadside_solve::mask::table::shots_text;
use num_rational::Ratio;

use super::{Chapter, Check, Figure, Progress, Row, Section, Table};
use crate::draw::Board;

pub(super) fn chapter(progress: &dyn Progress) -> Chapter {
    progress.begin("masks");
    Chapter {
        number: "002",
        short: "masks note",
        title: "Battleship masks",
        citation: "“Battleship Masks”, a note; its author and year are not known",
        link: None,
        about: "Firing patterns: the fewest cells that no ship of length l escapes, and \
             how many shots they cost.",
        sections: vec![guarantee(), smallest(), expected()],
    }
}

fn board(side: usize, length: usize) -> OneShipBoard {
    let grid = Grid::new(side, side).expect("a side from 1 to 64");
    OneShipBoard::new(grid, length).expect("a ship that fits")
}

/// The document's mask starts in the upper left corner and runs down to the right. Masks are counted along the other
/// diagonals here, so it is the one that ends in the upper right corner, seen in a mirror.
fn offset(side: usize, length: usize) -> usize {
    (side - 1) % length
}

fn guarantee() -> Section {
    let tiling = |side, length| {
        let board = board(side, length);
        let mask = diagonal_mask(board, offset(side, length));
        let met = board.placements().into_iter().filter(|ship| ship.cells().filter(|&cell| mask.contains(cell)).count() == 1);
        Check::All { total: board.choices(), agree: met.count(), what: "placements" }
    };
    let sound = |side: usize, length: usize| {
        check_guarantee(board(side, length), &diagonal_mask(board(side, length), offset(side, length)))
    };
    let boards: Vec<(usize, usize)> = (2..=20).flat_map(|side| (2..=side.min(10)).map(move |length| (side, length))).collect();
    let sure = boards.iter().filter(|&&(side, length)| sound(side, length).exactly_once).count();
    let rows = vec![
        Row::new(
            "checkerboard",
            "A ship of 2 covers one black square of the checkerboard, wherever it lies on 10x10",
            tiling(10, 2),
        ),
        Row::new("diagonal mask, l = 5", "On 5x5 a ship of 5 meets the diagonal in one cell", tiling(5, 5)),
        Row::new("2x2 tiling, l = 3", "On 6x6 a ship of 3 meets the tiled diagonals in one cell", tiling(6, 3)),
        Row::new("10x10, 3-ship diagonal", "On 10x10, excess cut off, a ship of 3 meets one cell", tiling(10, 3)),
        Row::new("10x10, 4-ship diagonal", "On 10x10, excess cut off, a ship of 4 meets one cell", tiling(10, 4)),
        Row::new(
            "induction",
            "The same on every square board: sides 2 to 20, lengths 2 to 10",
            Check::All { total: boards.len(), agree: sure, what: "boards" },
        ),
    ];
    let figures = [(5, 5), (6, 3), (10, 3), (10, 4)].map(|(side, length)| mask_figure(side, length)).into();
    Section {
        title: "Every ship is found",
        about: "The document proves that its mask meets every ship; here every placement is tried.".into(),
        rows,
        figures,
        ..Section::default()
    }
}

fn mask_figure(side: usize, length: usize) -> Figure {
    let board = board(side, length);
    let mirrored = diagonal_mask(board, offset(side, length));
    let is_black = |row: usize, col: usize| mirrored.iter().any(|cell| (cell.row(), side - 1 - cell.col()) == (row, col));
    let mask = board.grid().cells().filter(|cell| is_black(cell.row(), cell.col()));
    let cells = broadside_rules::CellSet::from_cells(board.grid(), mask);
    let caption = format!("The document’s mask for length {length} on {side}x{side}: {} cells.", cells.len());
    Figure {
        svg: Board::new(board.grid()).with_ships(&cells).with_title(format!("Length {length} on {side}x{side}")).svg(),
        caption,
        wide: false,
    }
}

fn smallest() -> Section {
    let row = |place, side: usize, length: usize| {
        let (document, fewest) =
            (diagonal_count(board(side, length), offset(side, length)), blocking_number(board(side, length)));
        let claim = format!("The mask from the corner has the fewest cells for length {length} on {side}x{side}");
        let check = Check::Same { source: document as u128, measured: fewest as u128 };
        let row = Row::new(place, claim, check).by(format!("broadside mask --board {side}x{side} --length {length}"));
        if document == fewest {
            row
        } else {
            row.note("Diagonals that start elsewhere need fewer: what the edge cuts off matters.")
        }
    };
    let rows = vec![
        row("checkerboard", 10, 2),
        row("diagonal mask, l = 5", 5, 5),
        row("10x10, 3-ship diagonal", 10, 3),
        row("10x10, 4-ship diagonal", 10, 4),
        row("10x10, 5-ship diagonal", 10, 5),
        counting_row(),
    ];
    let about = "The document says that its pattern needs the fewest shots. The measured number is proved smallest, by as many \
                 ships side by side as there are cells."
        .into();
    Section { title: "How small a mask can be", about, rows, ..Section::default() }
}

/// “Finding the precise number of black tiles is tricky”: there is a closed form.
fn counting_row() -> Row {
    let boards = (1..=20).flat_map(|side| (1..=side).map(move |length| (side, length)));
    let all: Vec<bool> = boards
        .map(|(side, length)| {
            diagonal_count(board(side, length), offset(side, length))
                == diagonal_mask(board(side, length), offset(side, length)).len()
        })
        .collect();
    let agree = all.iter().filter(|&&same| same).count();
    Row::new(
        "last paragraph",
        "The number of black cells has a closed form for every length",
        Check::All { total: all.len(), agree, what: "boards" },
    )
    .says("“tricky” for l ≠ 2")
    .note(
        "With m = Q·l + a rows and n = R·l + b columns: Q·n + a·R + D(k) + D(k + l); \
         docs/masks.md has the proof.",
    )
}

fn expected() -> Section {
    let finding = |side: usize| {
        let board = board(side, 2);
        random_find(board, &best_diagonal_mask(board)).expect("the mask meets every ship")
    };
    let find = |side: usize| {
        let check = Check::Exactly { source: checkerboard_formula(side).0, measured: finding(side) };
        Row::new("expected shots", format!("To find a ship of 2 on {side}x{side} takes (n²/2 + 1)/2 shots"), check)
            .by(format!("broadside mask --board {side}x{side} --length 2"))
    };
    let sink = |side: usize| {
        let check = Check::Exactly { source: checkerboard_formula(side).1, measured: neighbour_sink(board(side, 2)) };
        Row::new("expected shots", format!("To find and sink it on {side}x{side} takes (n²/2 + 1)/2 + 2.5 shots"), check)
            .by(format!("broadside mask --board {side}x{side} --length 2"))
    };
    let sinking = neighbour_sink(board(10, 2)) - finding(10);
    let sinking = Check::Exactly { source: Ratio::new(5, 2), measured: sinking };
    let rows = vec![
        find(8),
        find(10),
        find(9).note("n²/2 is no whole number on odd boards; the colours differ by a cell."),
        Row::new("expected shots", "Once hit on 10x10, a ship of 2 is sunk by 2.5 shots on average", sinking)
            .note("At the edge a cell has three neighbours, in a corner two."),
        sink(8),
        sink(10),
    ];
    let head = ["board", "to find: formula", "exact", "to find and sink: formula", "exact"].map(str::to_owned).into();
    let body = (4..=12)
        .map(|side| {
            let (find, sum) = checkerboard_formula(side);
            vec![
                format!("{side}x{side}"),
                shots_text(find),
                shots_text(finding(side)),
                shots_text(sum),
                shots_text(neighbour_sink(board(side, 2))),
            ]
        })
        .collect();
    let caption = "Shots to find, and to find and sink, a ship of 2 by the checkerboard in random order".to_owned();
    Section {
        title: "Expected shots",
        about: "One ship of length 2, every placement equally likely, the black squares in random \
             order, then the neighbours of the hit."
            .into(),
        rows,
        tables: vec![Table { caption, head, body }],
        ..Section::default()
    }
}
