//! Puzzles that others have published, with what they say of them.
//!
//! - Problem 14 of `CSPLib`, “Solitaire Battleships”, proposed by Ian Gent: the first puzzle of Games Magazine (US), August 1998.
//! - Moshe Rubin, “File Format Description for Unsolvable Boards for `CSPLib`”, 17 December 2005: boards 113 and 123 of the program
//!   Fathom It!, with the number of solutions without revealed cells, how many of them each revealed cell rules out, and the solution.
//! - The example `torpedo.pl` of `SICStus` Prolog by Mats Carlsson: boards 1337 and 2794 of the same list, with their numbers of solutions.

use broadside_puzzle::{Puzzle, Verdict};

const FLEET: &str = "4,3,3,2,2,2,1,1,1,1";

fn puzzle(counts: &str, revealed: &str) -> Puzzle {
    format!("{FLEET} {counts} {revealed}").parse().unwrap()
}

fn solutions(puzzle: &Puzzle) -> usize {
    puzzle.solutions(usize::MAX, u64::MAX).unwrap().len()
}

/// The solution as a picture with X and a dot.
fn picture(puzzle: &Puzzle) -> String {
    let Verdict::Unique(solution) = puzzle.solve(Puzzle::ENOUGH).unwrap() else { panic!("one solution") };
    broadside_rules::Picture::new(solution.cells()).to_string()
}

/// Parts of ships as the format has them become X.
fn ships(rows: &str) -> String {
    let square = |c: char| match c {
        'W' | '.' => '.',
        '\n' => '\n',
        _ => 'X',
    };
    rows.chars().map(square).collect()
}

#[test]
fn board_113_has_seventy_solutions_and_each_revealed_cell_leaves_as_many_as_published() {
    let counts = "2,4,3,3,2,4,1,1,0,0 0,5,0,2,2,3,1,3,2,2";
    assert_eq!(solutions(&puzzle(counts, "")), 70);
    assert_eq!(solutions(&puzzle(counts, "G10o")), 70 - 67);
    let whole = puzzle(counts, "G10o A6~");
    let published =
        ".....W.lr.\n.t.lmr....\n.m.....lr.\n.m..lr....\n.b.......c\n...c.lmr..\n.........C\n.c........\n..........\n..........";
    assert_eq!(picture(&whole), ships(published));
}

#[test]
fn board_123_has_2222_solutions_and_each_revealed_cell_leaves_as_many_as_published() {
    let counts = "3,2,1,1,1,2,0,4,1,5 2,1,5,3,2,1,2,0,4,0";
    assert_eq!(solutions(&puzzle(counts, "")), 2222);
    assert_eq!(solutions(&puzzle(counts, "F3o")), 2222 - 2120);
    assert_eq!(solutions(&puzzle(counts, "F3o E7o")), 2222 - 2120 - 98);
    let whole = puzzle(counts, "F3o E7o F9~");
    let published =
        "t.lr......\nb.......c.\n..t.......\n..b.......\n......C...\n..C.c...W.\n..........\n.lmr....t.\n........m.\n...lmmr.b.";
    assert_eq!(picture(&whole), ships(published));
}

#[test]
fn board_2794_has_one_solution_without_any_revealed_cell() {
    assert_eq!(solutions(&puzzle("0,0,1,4,1,5,2,1,6,0 1,3,3,1,1,4,0,1,1,5", "")), 1);
}

/// Takes seconds: only in the long form.
#[test]
fn board_1337_has_49874_solutions() {
    if std::env::var_os("BROADSIDE_PUZZLES").is_some() {
        assert_eq!(solutions(&puzzle("1,3,2,2,2,2,2,3,1,2 3,0,4,0,3,0,3,1,2,4", "")), 49_874);
    }
}

#[test]
fn the_puzzle_of_games_magazine_has_one_solution() {
    let puzzle = puzzle("0,2,3,1,2,4,2,1,2,3 1,3,3,1,5,1,2,4,0,0", "H1o");
    assert_eq!(solutions(&puzzle), 1);
}
