//! A plain search that shares nothing with the solver: it places ship after ship on a grid of booleans in every way, and
//! looks at the counts and the revealed cells only when all ships are placed.

use std::collections::BTreeSet;

use broadside_puzzle::{Line, Mark, Puzzle};
use broadside_rules::Cell;

/// The ship cells of a solution.
pub(crate) type Solution = BTreeSet<(usize, usize)>;

/// All solutions of the puzzle.
pub(crate) fn solutions(puzzle: &Puzzle) -> BTreeSet<Solution> {
    let lengths: Vec<usize> = puzzle.fleet().lengths().iter().map(|length| length.get()).collect();
    let mut found = BTreeSet::new();
    place(puzzle, &lengths, &Solution::new(), &mut found);
    found
}

fn place(puzzle: &Puzzle, lengths: &[usize], ships: &Solution, found: &mut BTreeSet<Solution>) {
    let Some((&length, rest)) = lengths.split_first() else {
        if fits(puzzle, ships) {
            found.insert(ships.clone());
        }
        return;
    };
    let (rows, columns) = (puzzle.grid().rows(), puzzle.grid().cols());
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        for (down, right) in if length == 1 { &[(0, 1)][..] } else { &[(0, 1), (1, 0)] } {
            let ship: Vec<(usize, usize)> = (0..length).map(|i| (row + i * down, column + i * right)).collect();
            let on_board = ship.iter().all(|&(row, column)| row < rows && column < columns);
            let apart = ship.iter().all(|&a| ships.iter().all(|&b| a.0.abs_diff(b.0) > 1 || a.1.abs_diff(b.1) > 1));
            if on_board && apart {
                let with: Solution = ships.iter().copied().chain(ship).collect();
                place(puzzle, rest, &with, found);
            }
        }
    }
}

fn fits(puzzle: &Puzzle, ships: &Solution) -> bool {
    let grid = puzzle.grid();
    let count = |line: &dyn Fn(&(usize, usize)) -> bool| ships.iter().filter(|cell| line(cell)).count();
    let rows = (0..grid.rows()).all(|row| puzzle.count(Line::Row(row)).is_none_or(|told| told == count(&|cell| cell.0 == row)));
    let columns = (0..grid.cols())
        .all(|column| puzzle.count(Line::Column(column)).is_none_or(|told| told == count(&|cell| cell.1 == column)));
    rows && columns && puzzle.revealed().all(|(cell, mark)| shows(ships, cell, mark))
}

/// Whether the cell shows the mark, by the cells around it.
pub(crate) fn shows(ships: &Solution, cell: Cell, mark: Mark) -> bool {
    let (row, column) = (cell.row(), cell.col());
    let is_ship = |row: usize, column: usize| ships.contains(&(row, column));
    let around = [
        is_ship(row.wrapping_sub(1), column),
        is_ship(row + 1, column),
        is_ship(row, column.wrapping_sub(1)),
        is_ship(row, column + 1),
    ];
    if !is_ship(row, column) {
        return mark == Mark::Water;
    }
    mark == Mark::Ship
        || mark
            == match around {
                [false, false, false, false] => Mark::Single,
                [false, true, ..] => Mark::Top,
                [true, false, ..] => Mark::Bottom,
                [_, _, false, true] => Mark::Left,
                [_, _, true, false] => Mark::Right,
                _ => Mark::Middle,
            }
}
