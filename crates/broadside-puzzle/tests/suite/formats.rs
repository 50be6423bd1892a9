//! Texts of other programs.

use broadside_puzzle::{Puzzle, Verdict};
use broadside_rules::Picture;

#[test]
fn the_picture_of_csplib_is_read() {
    let puzzle = Puzzle::read(include_str!("../../../../testdata/puzzles/csplib-014.txt"), None).unwrap();
    assert_eq!(puzzle.to_string(), "4,3,3,2,2,2,1,1,1,1 0,2,3,1,2,4,2,1,2,3 1,3,3,1,5,1,2,4,0,0 H1o");
}

/// A course's format for a constraint solver, with its example: digits, then a grid in which a dot is water.
#[test]
fn digits_with_a_grid_are_read_and_solved_as_the_example_says() {
    let puzzle = Puzzle::read(include_str!("../../../../testdata/puzzles/digits.txt"), None).unwrap();
    assert_eq!(puzzle.to_string(), "3,2,2,1,1,1 2,1,1,2,2,2 1,4,0,2,1,2 B5o E6~");
    let Verdict::Unique(solution) = puzzle.solve(Puzzle::ENOUGH).unwrap() else { panic!("one solution") };
    let published = "<>....\n....S.\n.^....\n.M...S\n.v.^..\n...v.S";
    let expected: String = published.chars().map(|c| if "<>^vMS".contains(c) { 'X' } else { c }).collect();
    assert_eq!(Picture::new(solution.cells()).to_string(), expected);
}

/// Another course's format: lines that start with a word, tabs between, rows and columns from 0.
#[test]
fn lines_with_row_column_and_hint_are_read() {
    let puzzle = Puzzle::read(include_str!("../../../../testdata/puzzles/row-column-hint.txt"), None).unwrap();
    let expected = "4,3,3,2,2,2,1,1,1,1 1,4,2,0,4,1,1,6,1,0 2,1,3,3,0,2,1,3,4,1 B4^ E7< F7~ H1< H2m H6o I9v";
    assert_eq!(puzzle.to_string(), expected);
}

#[test]
fn a_byte_order_mark_and_the_line_ends_of_any_system_are_passed_over() {
    let text = "\u{feff}fleet 2,1\r\n. . .  2\r\n...  0\r\n. . o  1\r\n111\r\n";
    assert_eq!(Puzzle::read(text, None).unwrap().to_string(), "2,1 2,0,1 1,1,1 C3o");
}
