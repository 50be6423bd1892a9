//! The blocking number: the fewest cells that every placement of one length meets.
//!
//! A set of pairwise disjoint placements (a *packing*) needs a cell each, so it is a lower bound; a
//! blocking set is an upper bound. On every board the two meet, so a [`Blocking`] carries both and
//! can be checked by anyone ([`Blocking::is_proved`]). With m = Q·l + a rows and n = R·l + b
//! columns, 0 ≤ a, b < l:
//!
//! # The ship fits both ways (m, n ≥ l): the best diagonal mask is smallest
//! It has Q·n + a·R + max(0, a + b − l) cells ([`diagonal`](super::diagonal)). A packing of as many
//! placements:
//!
//! * **a + b ≤ l**: cut straight. Q vertical placements in each column of the first Q·l rows, R
//!   horizontal ones in each of the last a rows. The a × b corner is wasted.
//! * **a + b > l**: cut straight down to the last l + a rows and l + b columns (so Q − 1 and R − 1
//!   replace Q and R), and fill these with a pinwheel of four blocks round a hole of (l − a) × (l −
//!   b):
//!   ```text
//!   A A A A B B      A: a horizontal(rows 0..a,   columns 0..l)
//!   A A A A B B      B: b vertical  (rows 0..l,   columns l..l+b)
//!   D D . . B B      C: a horizontal(rows l..l+a, columns b..l+b)
//!   D D C C C C      D: b vertical  (rows a..l+a, columns 0..b)
//!   ```
//!   (drawn without regard to scale). Four blocks have 2a + 2b placements. In all (Q − 1)·n + (l +
//!   a)(R − 1) + 2a + 2b = Q·n + a·R + (a + b − l), since n = R·l + b.
//!
//! The wasted cells, min(ab, (l − a)(l − b)), are those of the known optimal packing of 1 × l bars
//! (Brualdi and Foregger, 1974).
//!
//! # The ship fits one way only: lines do not interact
//! Say rows < l ≤ columns. Each row by itself needs ⌊n / l⌋ cells: every l-th cell blocks it, and
//! as many disjoint placements fit. So the blocking number is m·⌊n / l⌋ = m·R. Here Q = 0 and a =
//! m, and the best diagonal mask has max(0, m + b − l) cells more. It is smallest exactly when m +
//! b ≤ l. The smallest board where it is not is 2 × 5 with length 3 (3 cells for 2), although every
//! placement meets the mask exactly once: that property alone does not make a mask smallest.

use broadside_rules::{CellSet, Orientation, Placement};

use super::OneShipBoard;
use super::board::meets;
use super::diagonal::{best_diagonal_count, best_diagonal_mask, check_guarantee};

/// A smallest blocking set with its proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocking {
    /// Every placement meets one of these cells.
    pub cells: CellSet,
    /// As many pairwise disjoint placements, so that fewer cells can't do.
    pub packing: Vec<Placement>,
}

impl Blocking {
    /// Checks the proof from scratch: the cells block, the placements are placements on this board
    /// and disjoint, and there are as many of one as of the other.
    pub fn is_proved(&self, board: OneShipBoard) -> bool {
        let blocks = check_guarantee(board, &self.cells).meets_every;
        blocks && is_packing(board, &self.packing) && self.packing.len() == self.cells.len()
    }
}

/// The fewest cells that every placement meets, in closed form.
pub fn blocking_number(board: OneShipBoard) -> usize {
    if board.fits_both_ways() {
        return best_diagonal_count(board);
    }
    let (short, long) = (board.rows().min(board.cols()), board.rows().max(board.cols()));
    short * (long / board.size())
}

/// Whether some diagonal mask is as small as a blocking set can be.
pub fn diagonal_is_smallest(board: OneShipBoard) -> bool {
    let (short, long) = (board.rows().min(board.cols()), board.rows().max(board.cols()));
    board.fits_both_ways() || short + long % board.size() <= board.size()
}

/// A smallest blocking set and the packing that proves it: the best diagonal mask where that is
/// smallest, otherwise whole lines across the short side.
pub fn blocking(board: OneShipBoard) -> Blocking {
    let cells = if diagonal_is_smallest(board) { best_diagonal_mask(board) } else { line_mask(board) };
    Blocking { cells, packing: packing(board) }
}

/// Every l-th line across the direction in which the ship fits.
fn line_mask(board: OneShipBoard) -> CellSet {
    let (horizontal, length) = (board.cols() >= board.size(), board.size());
    let last_of_ship = |line: usize| line % length == length - 1;
    let chosen = board.grid().cells().filter(|cell| last_of_ship(if horizontal { cell.col() } else { cell.row() }));
    CellSet::from_cells(board.grid(), chosen)
}

/// A largest set of disjoint placements.
fn packing(board: OneShipBoard) -> Vec<Placement> {
    let (rows, cols, length) = (board.rows(), board.cols(), board.size());
    let (a, b) = (rows % length, cols % length);
    let pinwheel = board.fits_both_ways() && a + b > length;
    let (high, wide) = if pinwheel { (length + a, length + b) } else { (a, b) };
    let mut packing = Packing { board, placements: Vec::new() };
    packing.vertical(0, 0, rows - high, cols);
    packing.horizontal(rows - high, 0, high, cols - wide);
    if pinwheel {
        packing.pinwheel(rows - high, cols - wide, a, b);
    }
    packing.placements
}

/// Disjoint placements under construction.
struct Packing {
    board: OneShipBoard,
    placements: Vec<Placement>,
}

impl Packing {
    /// Fills a block whose height is a multiple of the length.
    fn vertical(&mut self, top: usize, left: usize, height: usize, width: usize) {
        for row in (top..top + height).step_by(self.board.size()) {
            self.placements.extend((left..left + width).map(|col| self.board.placement(row, col, Orientation::Vertical)));
        }
    }

    /// Fills a block whose width is a multiple of the length.
    fn horizontal(&mut self, top: usize, left: usize, height: usize, width: usize) {
        let bows = (left..left + width).step_by(self.board.size());
        for row in top..top + height {
            self.placements.extend(bows.clone().map(|col| self.board.placement(row, col, Orientation::Horizontal)));
        }
    }

    /// Fills l + a rows and l + b columns but for the hole in the middle.
    fn pinwheel(&mut self, top: usize, left: usize, a: usize, b: usize) {
        let l = self.board.size();
        self.horizontal(top, left, a, l);
        self.vertical(top, left + l, l, b);
        self.horizontal(top + l, left + b, a, l);
        self.vertical(top + a, left, l, b);
    }
}

fn is_packing(board: OneShipBoard, placements: &[Placement]) -> bool {
    let all: std::collections::HashSet<Placement> = board.placements().into_iter().collect();
    let mut taken = board.no_cells();
    placements.iter().all(|&placement| {
        let free = all.contains(&placement) && meets(&taken, placement) == 0;
        if free {
            taken.extend(placement.cells());
        }
        free
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use broadside_rules::{Cell, Grid};

    use super::*;
    use crate::mask::hitting::{Effort, Smallest, smallest_hitting_set};

    fn board(rows: usize, cols: usize, length: usize) -> OneShipBoard {
        OneShipBoard::new(Grid::new(rows, cols).unwrap(), length).unwrap()
    }

    fn boards(side: usize, longest: usize) -> impl Iterator<Item = OneShipBoard> {
        let sides = (1..=side).flat_map(move |rows| (1..=side).map(move |cols| (rows, cols)));
        sides.flat_map(move |(rows, cols)| {
            (1..=longest).filter_map(move |length| OneShipBoard::new(Grid::new(rows, cols).ok()?, length).ok())
        })
    }

    #[test]
    fn the_classic_board_is_blocked_by_50_33_24_and_20_cells_and_no_fewer() {
        for (length, cells) in [(2, 50), (3, 33), (4, 24), (5, 20)] {
            let board = board(10, 10, length);
            assert_eq!(blocking_number(board), cells);
            assert!(blocking(board).is_proved(board));
        }
    }

    #[test]
    fn every_blocking_set_up_to_twelve_by_twelve_is_proved_smallest() {
        for board in boards(12, 12) {
            let found = blocking(board);
            assert!(found.is_proved(board), "{board:?} {found:?}");
            assert_eq!(found.cells.len(), blocking_number(board), "{board:?}");
        }
    }

    #[test]
    fn large_boards_are_proved_too() {
        for (rows, cols, length) in [(64, 64, 5), (63, 61, 7), (64, 37, 40), (64, 64, 64), (64, 1, 9), (3, 64, 6)] {
            let board = board(rows, cols, length);
            assert!(blocking(board).is_proved(board), "{board:?}");
        }
    }

    #[test]
    fn a_diagonal_mask_is_smallest_exactly_where_the_function_says_so() {
        for board in boards(12, 12) {
            let fewest = (0..board.size()).map(|offset| crate::mask::diagonal::diagonal_mask(board, offset).len()).min().unwrap();
            assert_eq!(diagonal_is_smallest(board), fewest == blocking(board).packing.len(), "{board:?}");
        }
    }

    #[test]
    fn two_by_five_is_the_smallest_board_whose_diagonal_mask_is_not_smallest() {
        let worse: Vec<OneShipBoard> = boards(6, 6).filter(|&board| !diagonal_is_smallest(board)).collect();
        let least = worse.iter().min_by_key(|board| board.grid().len()).unwrap();
        assert_eq!((least.rows(), least.cols(), least.size()), (2, 5, 3));
        assert_eq!((blocking_number(*least), best_diagonal_count(*least)), (2, 3));
    }

    #[test]
    fn a_single_row_needs_one_cell_for_each_whole_ship_that_fits() {
        for (cols, length, cells) in [(10, 3, 3), (11, 3, 3), (12, 3, 4), (7, 7, 1), (5, 1, 5)] {
            assert_eq!(blocking_number(board(1, cols, length)), cells);
            assert_eq!(blocking_number(board(cols, 1, length)), cells);
        }
    }

    #[test]
    fn a_ship_of_one_cell_is_blocked_only_by_the_whole_board() {
        let board = board(3, 5, 1);
        assert_eq!(blocking_number(board), 15);
        assert!(blocking(board).is_proved(board));
    }

    #[test]
    fn a_proof_with_a_missing_cell_or_an_overlap_is_refused() {
        let board = board(5, 5, 2);
        let good = blocking(board);
        let mut fewer = good.clone();
        fewer.cells = board.no_cells();
        assert!(!fewer.is_proved(board));
        let mut doubled = good.clone();
        doubled.packing[1] = doubled.packing[0];
        assert!(!doubled.is_proved(board));
    }

    /// Every subset of the cells, tried.
    fn fewest_by_listing(board: OneShipBoard) -> usize {
        let number = |cell: Cell| board.grid().index(cell);
        let masks: Vec<u32> = board.placements().iter().map(|ship| ship.cells().map(|cell| 1 << number(cell)).sum()).collect();
        let blocking = (0u32..1 << (board.grid().len())).filter(|set| masks.iter().all(|mask| mask & set != 0));
        blocking.map(u32::count_ones).min().unwrap() as usize
    }

    /// Every way to choose or leave each cell, cell by cell. Ways with the same runs of cells left
    /// since the last one chosen, in each column and in the row, have the same future, so only the
    /// cheapest of them goes on.
    fn fewest_by_sweeping(board: OneShipBoard) -> usize {
        let mut fewest: HashMap<(Vec<usize>, usize), usize> = HashMap::from([((vec![0; board.cols()], 0), 0)]);
        for (_, col) in (0..board.rows()).flat_map(|row| (0..board.cols()).map(move |col| (row, col))) {
            let mut next = HashMap::new();
            for ((columns, along), chosen) in fewest {
                let along = if col == 0 { 0 } else { along };
                for (run_down, run_along, cost) in [(0, 0, 1), (columns[col] + 1, along + 1, 0)] {
                    if run_down < board.size() && run_along < board.size() {
                        let mut columns = columns.clone();
                        columns[col] = run_down;
                        let least = next.entry((columns, run_along)).or_insert(usize::MAX);
                        *least = (*least).min(chosen + cost);
                    }
                }
            }
            fewest = next;
        }
        fewest.into_values().min().unwrap()
    }

    #[test]
    fn listing_every_subset_finds_no_smaller_set_on_boards_of_up_to_sixteen_cells() {
        for board in boards(16, 16).filter(|board| board.grid().len() <= 16) {
            assert_eq!(blocking_number(board), fewest_by_listing(board), "{board:?}");
        }
    }

    #[test]
    fn an_exhaustive_sweep_finds_no_smaller_set_on_boards_up_to_six_by_six() {
        for board in boards(6, 6) {
            assert_eq!(blocking_number(board), fewest_by_sweeping(board), "{board:?}");
        }
    }

    #[test]
    fn the_hitting_set_search_agrees_on_boards_up_to_eight_by_eight() {
        for board in boards(8, 6).filter(|board| board.rows() <= board.cols()) {
            let number = |cell: Cell| board.grid().index(cell);
            let sets: Vec<Vec<usize>> = board.placements().iter().map(|ship| ship.cells().map(number).collect()).collect();
            let found = smallest_hitting_set(board.grid().len(), &sets, &mut Effort::nodes(100_000)).unwrap();
            assert_eq!(found.map(|cells| cells.len()), Smallest::Proved(blocking_number(board)), "{board:?}");
        }
    }
}
