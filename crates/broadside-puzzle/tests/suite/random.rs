//! The solver against the plain search, on small random puzzles.

use std::collections::BTreeSet;

use broadside_puzzle::{Hint, Mark, Puzzle, Verdict};
use broadside_rules::{Cell, Fleet, Layout, Length};
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Generator;

use crate::plain::{self, Solution};

/// How many puzzles; the long form is ten thousand.
pub(crate) fn number() -> u64 {
    std::env::var("BROADSIDE_PUZZLES").map_or(150, |text| text.parse().expect("BROADSIDE_PUZZLES is a number"))
}

fn cells(layout: &Layout) -> Solution {
    layout.cells().iter().map(|cell| (cell.row(), cell.col())).collect()
}

/// A puzzle on up to 5x5 cells with up to three ships. Most have a solution; some counts are missing or wrong, some cells
/// are revealed, a few of them wrongly.
fn puzzle(rng: &mut Generator) -> Puzzle {
    let (rows, columns) = (rng.random_range(1..=5), rng.random_range(1..=5));
    let lengths = (0..rng.random_range(1..=3)).filter_map(|_| Length::new(rng.random_range(1..=4)));
    let fleet = Fleet::new(lengths.collect::<Vec<_>>()).unwrap();
    let open = Puzzle::new(fleet.clone(), vec![None; rows], vec![None; columns], []).unwrap();
    let ships = plain::solutions(&open).into_iter().choose(rng).unwrap_or_default();
    let mut count = |cells: usize, most: usize| match rng.random_range(0..100) {
        0..50 => None,
        50 => Some((cells + 1).min(most) as u8),
        51 => Some(cells.saturating_sub(1) as u8),
        _ => Some(cells as u8),
    };
    let row_counts = (0..rows).map(|row| count(ships.iter().filter(|cell| cell.0 == row).count(), columns)).collect();
    let column_counts = (0..columns).map(|column| count(ships.iter().filter(|cell| cell.1 == column).count(), rows)).collect();
    let revealed: Vec<(Cell, Mark)> = open.grid().cells().filter_map(|cell| reveal(&ships, cell, rng)).collect();
    Puzzle::new(fleet, row_counts, column_counts, revealed).unwrap()
}

fn reveal(ships: &Solution, cell: Cell, rng: &mut Generator) -> Option<(Cell, Mark)> {
    let fits = |mark: &&Mark| plain::shows(ships, cell, **mark);
    match rng.random_range(0..200) {
        0 => Some((cell, *Mark::ALL.iter().choose(rng)?)),
        1..20 => Some((cell, *Mark::ALL.iter().filter(fits).choose(rng)?)),
        _ => None,
    }
}

#[test]
fn the_solver_finds_what_a_plain_search_finds() {
    let mut kinds = [0; 3];
    for seed in 0..number() {
        let puzzle = puzzle(&mut Generator::seed_from_u64(seed));
        let expected = plain::solutions(&puzzle);
        let found = puzzle.solutions(usize::MAX, u64::MAX).unwrap();
        let distinct: BTreeSet<Solution> = found.iter().map(cells).collect();
        assert_eq!(distinct.len(), found.len(), "{seed}: {puzzle} has a solution twice");
        assert_eq!(distinct, expected, "{seed}: {puzzle}");
        let verdict = puzzle.solve(u64::MAX).unwrap();
        kinds[expected.len().min(2)] += 1;
        match verdict {
            Verdict::None => assert_eq!(expected.len(), 0, "{seed}: {puzzle}"),
            Verdict::Unique(only) => check_explanation(&puzzle, &only, seed),
            Verdict::Several(two) => assert!(expected.len() > 1 && cells(&two[0]) != cells(&two[1]), "{seed}: {puzzle}"),
        }
    }
    assert!(kinds.iter().all(|&kind| kind > number() / 20), "none, one, several: {kinds:?}");
}

/// Every step to the only solution is true, and the steps reach the end if the grade says so.
fn check_explanation(puzzle: &Puzzle, solution: &Layout, seed: u64) {
    let (explanation, ships) = (puzzle.explain(), solution.cells());
    assert_eq!(explanation.grade, puzzle.grade(), "{seed}: {puzzle}");
    let mut known: BTreeSet<Cell> = puzzle.revealed().map(|(cell, _)| cell).collect();
    for step in &explanation.steps {
        assert!(step.ships.iter().all(|&cell| ships.contains(cell)), "{seed}: {puzzle}: {step}");
        assert!(step.water.iter().all(|&cell| !ships.contains(cell)), "{seed}: {puzzle}: {step}");
        assert!(step.ships.iter().chain(&step.water).all(|&cell| known.insert(cell)), "{seed}: {puzzle}: {step} is not new");
    }
    assert_eq!(explanation.grade.is_some(), known.len() == puzzle.grid().len(), "{seed}: {puzzle}");
}

#[test]
fn hints_lead_to_the_solution_and_name_wrong_marks() {
    let puzzle: Puzzle = "4,3,3,2,2,2,1,1,1,1 0,2,3,1,2,4,2,1,2,3 1,3,3,1,5,1,2,4,0,0 H1o".parse().unwrap();
    let Verdict::Unique(solution) = puzzle.solve(Puzzle::ENOUGH).unwrap() else { panic!("one solution") };
    let mut marked: Vec<(Cell, bool)> = Vec::new();
    loop {
        match puzzle.hint_towards(&solution, &marked) {
            Hint::Next(step) => {
                marked.extend(step.ships.iter().map(|&cell| (cell, true)).chain(step.water.iter().map(|&cell| (cell, false))));
            }
            Hint::Done => break,
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(marked.len(), 99);
    let wrong = solution.ships()[0].bow();
    assert_eq!(puzzle.hint(&[(wrong, false)], Puzzle::ENOUGH), Ok(Hint::Wrong(vec![wrong])));
    let open: Puzzle = "1 ?,? ?,?".parse().unwrap();
    assert_eq!(open.hint(&[], Puzzle::ENOUGH), Ok(Hint::Several));
    let never: Puzzle = "1 0,0 1,0".parse().unwrap();
    assert_eq!(never.hint(&[], Puzzle::ENOUGH), Ok(Hint::NoSolution));
}
