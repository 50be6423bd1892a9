//! Claims about every text that a puzzle may be read from. The tests and the fuzz target make the same ones.

use broadside_puzzle::Puzzle;

/// Guesses for a puzzle that anybody may have written.
const GUESSES: u64 = 20;

/// What is accepted prints and reads back as the same puzzle in both forms, and is solved, or given up, without a panic.
pub(crate) fn check(text: &str) {
    for (_, part) in broadside_puzzle::split(text).into_iter().take(4) {
        match Puzzle::read(&part, None) {
            Ok(puzzle) => check_puzzle(&puzzle),
            Err(error) => assert!(error.to_string().len() < 300, "{error}"),
        }
    }
}

fn check_puzzle(puzzle: &Puzzle) {
    assert_eq!(puzzle.to_string().parse().as_ref(), Ok(puzzle));
    assert_eq!(Puzzle::read(&puzzle.picture(), None).as_ref(), Ok(puzzle));
    if let Ok(solutions) = puzzle.solutions(2, GUESSES) {
        assert!(solutions.iter().all(|layout| layout.cells().len() == puzzle.fleet().cells()));
    }
}

/// Texts that are close to puzzles.
#[test]
fn texts_of_all_kinds_keep_the_claims() {
    let texts = [
        "",
        "\n",
        "1 1 1",
        "1 1 1 A1o",
        "64 1 1",
        "20 20 1",
        "4,3 2,2 1,1,1 A1^",
        "fleet 1\n. 1\n1",
        "fleet 1\n. 1\n1\n\nfleet 1\n~ 0\n0",
        "1\n1\n1\no",
        "1\n1\n0\n0",
        "99\n99\n9999\n00\n00",
        "ROW 1\nCOLUMN 1\nHINT 0 0 C",
        "ROW\nCOLUMN\nHINT 255 255 C",
        "1|o|\n1",
        "|\n|",
        "--\n1|o|\n--\n1",
        "fleet 2\n^ ?\nv ?\n?",
        "fleet \n.",
        "é é é",
    ];
    texts.into_iter().for_each(check);
}
