//! The plain profile sweep: one hash map from cell to cell, keyed by profile and ships used.
//!
//! The fast sweep is measured against it and tested with it. It counts layouts only, on boards of at most 16 columns with
//! ships of at most 14 cells and at most eight
//! classes.

use std::collections::HashMap;

use crate::Problem;

/// What the plain sweep knows in front of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    /// Four bits a column for the next cell in it: 0 is free, 1 is shut, 1 + k says that it and
    /// the next k - 1 belong to a vertical ship.
    marks: u64,
    /// Ships used, eight bits a class.
    used: u64,
    /// Cells that a horizontal ship still takes from here on.
    run: u8,
    /// Whether the cell to the left has a ship, where that matters.
    left: bool,
}

type States = HashMap<State, u64>;

/// The number of layouts.
///
/// # Panics
/// If the board or fleet is larger than said above, or a count passes 64 bits.
#[must_use]
pub fn count(problem: &Problem) -> u64 {
    assert!(problem.cols <= 16 && problem.classes.len() <= 8, "too large for the plain sweep");
    let mut states = States::from([(State { marks: 0, used: 0, run: 0, left: false }, 1)]);
    for cell in 0..problem.rows * problem.cols {
        let (row, col) = (cell / problem.cols, cell % problem.cols);
        let mut next = States::new();
        for (state, ways) in states {
            pass(problem, row, col, state, &mut |after| {
                let sum = next.entry(after).or_insert(0);
                *sum = ways.checked_add(*sum).expect("the count fits 64 bits");
            });
        }
        states = next;
    }
    let whole = problem.classes.iter().enumerate().fold(0, |used, (i, class)| used | (class.count as u64) << (8 * i));
    states.iter().filter(|(state, _)| state.used == whole).map(|(_, ways)| ways).sum()
}

/// Everything that may be at the cell.
fn pass(problem: &Problem, row: usize, col: usize, state: State, found: &mut impl FnMut(State)) {
    let mark = state.marks >> (4 * col) & 15;
    if mark > 1 {
        if state.run == 0 && !state.left {
            found(taken(problem, state, col, mark - 2, 0, 0));
        }
    } else if state.run > 0 {
        if mark == 0 {
            found(taken(problem, state, col, 0, state.run - 1, 0));
        }
    } else {
        if problem.must[row] >> col & 1 == 0 {
            found(empty(problem, state, col));
        }
        if mark == 0 && !state.left {
            start(problem, row, col, state, found);
        }
    }
}

/// Every ship that may start at the cell.
fn start(problem: &Problem, row: usize, col: usize, state: State, found: &mut impl FnMut(State)) {
    for (i, class) in problem.classes.iter().enumerate() {
        if (state.used >> (8 * i) & 255) == class.count as u64 {
            continue;
        }
        let one = 1 << (8 * i);
        if class.horizontal[row] >> col & 1 == 1 {
            let run = u8::try_from(class.length).expect("a short ship") - 1;
            found(taken(problem, state, col, 0, run, one));
        }
        if class.vertical[row] >> col & 1 == 1 {
            found(taken(problem, state, col, class.length as u64 - 1, 0, one));
        }
    }
}

/// After the cell stays empty.
fn empty(problem: &Problem, state: State, col: usize) -> State {
    let below = u64::from(state.left && !problem.touch.allows_corners());
    let marks = state.marks & !(15 << (4 * col)) | below << (4 * col);
    State { marks, left: false, ..state }
}

/// After a ship takes the cell, with `below` more cells under it and `run` more to the right.
fn taken(problem: &Problem, state: State, col: usize, below: u64, run: u8, used: u64) -> State {
    let apart = !problem.touch.allows_sides();
    let own = if below > 0 { 1 + below } else { u64::from(apart) };
    let mut marks = state.marks & !(15 << (4 * col)) | own << (4 * col);
    if !problem.touch.allows_corners() && col > 0 {
        // Free or shut becomes shut: the cell below and to the left.
        marks |= 1 << (4 * (col - 1));
    }
    let left = apart && col + 1 < problem.cols;
    State { marks, used: state.used + used, run, left }
}
