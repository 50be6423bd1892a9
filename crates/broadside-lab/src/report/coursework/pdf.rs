//! Section 3.5: guesses by the number of placements through each cell.

use broadside_captains::{GameRng, captain};
use broadside_rules::{Cell, Draft, Grid, Placement, Referee, Rules, ShotLog};
use broadside_solve::mask::OneShipBoard;
use broadside_solve::mask::expected_shots::{Expected, Goal, Optimum, least_expected};
use broadside_solve::mask::hitting::Effort;
use rand::SeedableRng;

use super::super::{Check, Figure, Row, Section};
use super::{counts, figure_grid, figure_rules, reason};
use crate::draw::Board;

const FIGURE_7: &str = include_str!("figure-7.txt");
const FIGURE_8: &str = include_str!("figure-8.txt");

/// The miss of figure 8: row 6, column 8.
const MISS: &str = "F8-";

/// Why the captain's numbers are not those of the figures.
const RUNNING: &str = "The figures don’t show the sum of algorithm 6 but its running total: the first ship, the first \
                       two, the first three, … added up, and a ship that doesn’t fit counted as less than nothing. \
                       Eight placements go through a corner, where figure 7 has 20.";

/// Figures 7 and 8.
pub(super) fn tables() -> Section {
    let rules = figure_rules();
    let empty = ShotLog::new(&rules);
    let missed = ShotLog::parse(&rules, MISS).expect("a miss");
    let mut rows = Vec::new();
    let mut figures = Vec::new();
    for (place, printed, log) in [("figure 7", numbers(FIGURE_7), &empty), ("figure 8", numbers(FIGURE_8), &missed)] {
        let (algorithm, running) = (counts(&reason("pdf+brute", log)), running_totals(log));
        rows.push(
            row(place, "The captain ‘pdf’ has the numbers of the figure (algorithm 6)", &printed, &algorithm).cause(RUNNING),
        );
        rows.push(row(place, "The same added up as running totals", &printed, &running));
        figures.push(picture(place, "the document’s numbers, as running totals", log, &running));
        figures.push(picture(place, "placements through each cell, as algorithm 6 counts them", log, &algorithm));
    }
    let about = "Two tables of 150 numbers each: 10x15 with ships of 2, 4, 5 and 6, before any shot and after a miss \
                 at row 6, column 8."
        .into();
    Section { title: "CountingTimes placements", about, rows, figures, ..Section::default() }
}

fn numbers(text: &str) -> Vec<u32> {
    text.split_whitespace().map(|number| number.parse().expect("a number of the figure")).collect()
}

fn row(place: &'static str, claim: &str, printed: &[u32], computed: &[u32]) -> Row {
    let agree = printed.iter().zip(computed).filter(|(a, b)| a == b).count();
    Row::new(place, claim, Check::All { total: printed.len(), agree, what: "numbers" })
}

fn picture(place: &str, what: &str, log: &ShotLog, numbers: &[u32]) -> Figure {
    let grid = figure_grid();
    let svg = Board::from_log(log)
        .with_numbers(|cell| Some(numbers[grid.index(cell)]))
        .with_title(uppercase(place))
        .with_caption(what)
        .svg();
    Figure { caption: format!("{}: {what}.", uppercase(place)), svg, wide: false }
}

fn uppercase(place: &str) -> String {
    place.replacen('f', "F", 1)
}

/// The figures' way of adding up: see [`RUNNING`].
fn running_totals(log: &ShotLog) -> Vec<u32> {
    let grid = log.rules().grid();
    let mut lengths: Vec<isize> = log.rules().fleet().lengths().iter().map(|length| length.get().cast_signed()).collect();
    lengths.sort_unstable();
    let total = |cell: Cell| -> isize {
        let room = |rows, cols| free_cells(log, cell, rows, cols);
        let along = |a: isize, b: isize| running_total(lengths.iter().map(|&l| a.min(l - 1) + b.min(l - 1) + 2 - l)).max(0);
        along(room(-1, 0), room(1, 0)) + along(room(0, -1), room(0, 1))
    };
    grid.cells().map(|cell| if log.fired().contains(cell) { 0 } else { total(cell).cast_unsigned() as u32 }).collect()
}

/// The sum of all sums of the first few.
fn running_total(terms: impl Iterator<Item = isize>) -> isize {
    terms.fold((0, 0), |(sum, total), term| (sum + term, total + sum + term)).1
}

/// Algorithm 3: cells not fired at, one after the other in a direction.
fn free_cells(log: &ShotLog, from: Cell, rows: isize, cols: isize) -> isize {
    let grid = log.rules().grid();
    let next = |cell: &Cell| grid.step(*cell, rows, cols).filter(|&cell| !log.fired().contains(cell));
    std::iter::successors(next(&from), next).count().cast_signed()
}

/// The claim that guessing in the order of the PDF is best of all.
pub(super) fn optimality() -> Section {
    let rows = [(10, 2), (5, 3), (6, 3), (7, 4)].map(|(side, length)| optimality_row(side, length)).into();
    let about = "The document argues that firing in falling order of probability makes the expected number of guesses \
                 to the first hit “the minimum possible”. With one ship both numbers can be computed: the captain’s \
                 over all placements, and the least of all orders by search."
        .into();
    Section { title: "Is the order of the PDF the best?", about, rows, ..Section::default() }
}

fn optimality_row(side: usize, length: usize) -> Row {
    let board = OneShipBoard::new(Grid::new(side, side).expect("a side"), length).expect("a ship that fits");
    let Optimum::Exact(least) = least_expected(board, Goal::Find, &mut Effort::nodes(100_000)) else {
        unreachable!("the search ends on these boards");
    };
    let check = Check::Exactly { source: least, measured: pdf_first_hit(board) };
    Row::new("section 3.5.3", format!("No order finds a ship of {length} on {side}x{side} sooner than that of the PDF"), check)
        .says(format!("least possible, which is {}", super::super::text::fraction(least)))
        .by(format!("broadside mask --board {side}x{side} --length {length}"))
}

/// Expected guesses of the captain `pdf` to the first hit, over all placements.
fn pdf_first_hit(board: OneShipBoard) -> Expected {
    let text = format!("{} {} allowed ship", board.grid(), board.length());
    let rules: Rules = text.parse().expect("one ship fits");
    let placements = board.placements();
    let total: usize = placements.iter().map(|&ship| guesses(&rules, ship)).sum();
    Expected::new(total as i128, placements.len() as i128)
}

fn guesses(rules: &Rules, ship: Placement) -> usize {
    let layout = Draft::Ships(vec![ship]).check(rules).into_layout().expect("one ship alone is legal");
    let mut captain = captain("pdf+brute", rules).expect("a captain of the roster");
    let (mut referee, mut rng) = (Referee::new(rules, layout), GameRng::seed_from_u64(0));
    while referee.log().hit_count() == 0 {
        let cell = captain.aim(referee.log(), &mut rng);
        referee.fire(cell).expect("a captain's shots are legal");
    }
    referee.log().len()
}
