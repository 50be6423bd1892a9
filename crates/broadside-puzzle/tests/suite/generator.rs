//! What the generator promises.

use broadside_puzzle::{GenerateError, Generator, Grade, Puzzle, Verdict};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::random;

fn generator(size: &str, grade: Grade) -> Generator {
    Generator::new(size.parse().unwrap(), None, grade).unwrap()
}

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Without the generator's own checks: one solution, the grade, and no revealed cell that could be left out.
fn check(puzzle: &Puzzle, grade: Grade) {
    assert!(matches!(puzzle.solve(Puzzle::ENOUGH), Ok(Verdict::Unique(_))), "{puzzle}");
    assert_eq!(puzzle.explain().grade, Some(grade), "{puzzle}");
    for (cell, _) in puzzle.revealed() {
        let fewer = puzzle.without(cell).solve(Puzzle::ENOUGH).unwrap();
        assert!(matches!(fewer, Verdict::Several(_)), "{puzzle} without {cell}");
    }
}

#[test]
fn puzzles_of_every_grade_have_one_solution_and_nothing_superfluous() {
    for &grade in Grade::ALL {
        let mut generator = generator("6x7", grade);
        for seed in 0..5 {
            let made = generator.generate(100_000, &mut rng(seed)).expect("a puzzle comes up");
            assert!(matches!(made.puzzle.solve(Puzzle::ENOUGH), Ok(Verdict::Unique(only)) if only == made.solution));
            check(&made.puzzle, grade);
        }
    }
}

#[test]
fn every_grade_can_be_had_on_larger_boards() {
    for (size, &grade) in
        ["10x10", "12x12", "15x15", "6x15"].iter().flat_map(|size| Grade::ALL.iter().map(move |grade| (size, grade)))
    {
        let mut generator = generator(size, grade);
        for seed in 0..=random::number() / 500 {
            let made = generator.generate(100_000, &mut rng(seed)).expect("a puzzle comes up");
            check(&made.puzzle, grade);
        }
    }
}

#[test]
fn the_same_generator_of_numbers_makes_the_same_puzzle() {
    let make = |seed| generator("7x6", Grade::Medium).generate(100_000, &mut rng(seed));
    assert_eq!(make(7), make(7));
    assert_ne!(make(7), make(8));
}

#[test]
fn sizes_and_fleets_out_of_reach_are_refused() {
    let refused =
        |size: &str, fleet: &str| Generator::new(size.parse().unwrap(), Some(fleet.parse().unwrap()), Grade::Easy).err();
    assert!(matches!(refused("5x6", "2"), Some(GenerateError::Size(_))));
    assert!(matches!(refused("6x16", "2"), Some(GenerateError::Size(_))));
    assert!(matches!(refused("6x6", "6,6,6,6"), Some(GenerateError::Fleet(_))));
    assert!(refused("15x15", "15").is_none());
}
