//! The two methods of the paper on checking a hidden board, for its own fleet.
//!
//! The paper plays 4,3,3,2,2,2,1,1,1,1 on 10x10 with no touching. Both methods first look for ships that meet at
//! corners, then count the ships of each length from 5 (there must be none) down to 1 and compare with `5 − length`.
//! **Brute force** looks at every square for every length; **skip** keeps a list of squares already known to belong to
//! a counted ship and passes over them.
//!
//! As printed (figure 8), every square of an vertical ship would also count as a horizontal ship of length 1, and a single
//! square would count twice. What is meant is the number of *maximal* runs, and that is what is counted here: a run
//! starts at a square with nothing before it, and a single square counts once.

use crate::{Picture, Preset, Rules};

const SIDE: usize = 10;

type Squares = [[bool; SIDE]; SIDE];

/// The rules that the paper plays by: those of [`Preset::Russian`].
pub fn rules() -> Rules {
    Preset::Russian.rules()
}

/// The paper's brute force: whether the picture is a legal board of its fleet.
pub fn brute_force(picture: &Picture) -> bool {
    let Some(squares) = squares(picture) else { return false };
    !touches_at_a_corner(&squares) && (1..=5).rev().all(|length| count_runs(&squares, length) == 5 - length)
}

/// The paper's skip method: whether the picture is a legal board of its fleet.
pub fn skip(picture: &Picture) -> bool {
    let Some(squares) = squares(picture) else { return false };
    let mut counted = [[false; SIDE]; SIDE];
    !touches_at_a_corner(&squares) && (1..=5).rev().all(|length| count_new_runs(&squares, length, &mut counted) == 5 - length)
}

fn squares(picture: &Picture) -> Option<Squares> {
    let mut squares = [[false; SIDE]; SIDE];
    picture.cells().iter().for_each(|cell| {
        if let Some(square) = squares.get_mut(cell.row()).and_then(|row| row.get_mut(cell.col())) {
            *square = true;
        }
    });
    ((picture.grid().rows(), picture.grid().cols()) == (SIDE, SIDE)).then_some(squares)
}

/// Figures 5 and 6: both diagonals of every 2x2 block.
fn touches_at_a_corner(squares: &Squares) -> bool {
    (0..SIDE - 1)
        .any(|i| (0..SIDE - 1).any(|j| (squares[i][j] && squares[i + 1][j + 1]) || (squares[i][j + 1] && squares[i + 1][j])))
}

fn count_runs(squares: &Squares, length: usize) -> usize {
    let all = (0..SIDE).flat_map(|i| (0..SIDE).map(move |j| (i, j)));
    all.filter(|&(i, j)| squares[i][j] && run_length(squares, i, j) == Some(length)).count()
}

fn count_new_runs(squares: &Squares, length: usize, counted: &mut Squares) -> usize {
    let mut found = 0;
    for i in 0..SIDE {
        for j in 0..SIDE {
            if !counted[i][j] && squares[i][j] && run_length(squares, i, j) == Some(length) {
                found += 1;
                let horizontal = j + 1 < SIDE && squares[i][j + 1];
                (0..length).for_each(|k| *(if horizontal { &mut counted[i][j + k] } else { &mut counted[i + k][j] }) = true);
            }
        }
    }
    found
}

/// The length, up to 5, of the run that starts here; `None` in the middle of one.
fn run_length(squares: &Squares, i: usize, j: usize) -> Option<usize> {
    if (i > 0 && squares[i - 1][j]) || (j > 0 && squares[i][j - 1]) {
        return None;
    }
    let horizontal = (j..SIDE).take(5).take_while(|&k| squares[i][k]).count();
    let vertical = (i..SIDE).take(5).take_while(|&k| squares[k][j]).count();
    Some(horizontal.max(vertical))
}
