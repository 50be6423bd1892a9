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
//! * **a + b ≤ l**: cut straight. Q upright placements in each column of the first Q·l rows, R
//!   lying ones in each of the last a rows. The a × b corner is wasted.
//! * **a + b > l**: cut straight down to the last l + a rows and l + b columns (so Q − 1 and R − 1
//!   replace Q and R), and fill these with a pinwheel of four blocks round a hole of (l − a) × (l −
//!   b):
//!   ```text
//!   A A A A B B      A: a lying     (rows 0..a,   columns 0..l)
//!   A A A A B B      B: b upright   (rows 0..l,   columns l..l+b)
//!   D D . . B B      C: a lying     (rows l..l+a, columns b..l+b)
//!   D D C C C C      D: b upright   (rows a..l+a, columns 0..b)
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

use super::Quarry;
use super::diagonal::{best_diagonal_count, best_diagonal_mask, check_guarantee};
use super::quarry::meets;

/// A smallest blocking set with its proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocking {
    /// Every placement meets one of these cells.
    pub cells: CellSet,
    /// As many pairwise disjoint placements, so that fewer cells can't do.
    pub packing: Vec<Placement>,
}

impl Blocking {
    /// Checks the proof from scratch: the cells block, the placements are placements of this quarry
    /// and disjoint, and there are as many of one as of the other.
    pub fn is_proved(&self, quarry: Quarry) -> bool {
        let blocks = check_guarantee(quarry, &self.cells).meets_every;
        blocks && is_packing(quarry, &self.packing) && self.packing.len() == self.cells.len()
    }
}

/// The fewest cells that every placement meets, in closed form.
pub fn blocking_number(quarry: Quarry) -> usize {
    if quarry.fits_both_ways() {
        return best_diagonal_count(quarry);
    }
    let (short, long) = (quarry.rows().min(quarry.cols()), quarry.rows().max(quarry.cols()));
    short * (long / quarry.size())
}

/// Whether some diagonal mask is as small as a blocking set can be.
pub fn diagonal_is_smallest(quarry: Quarry) -> bool {
    let (short, long) = (quarry.rows().min(quarry.cols()), quarry.rows().max(quarry.cols()));
    quarry.fits_both_ways() || short + long % quarry.size() <= quarry.size()
}

/// A smallest blocking set and the packing that proves it: the best diagonal mask where that is
/// smallest, otherwise whole lines across the short side.
pub fn blocking(quarry: Quarry) -> Blocking {
    let cells = if diagonal_is_smallest(quarry) { best_diagonal_mask(quarry) } else { line_mask(quarry) };
    Blocking { cells, packing: packing(quarry) }
}

/// Every l-th line across the direction in which the ship fits.
fn line_mask(quarry: Quarry) -> CellSet {
    let (lying, length) = (quarry.cols() >= quarry.size(), quarry.size());
    let last_of_ship = |line: usize| line % length == length - 1;
    let chosen = quarry.grid().cells().filter(|cell| last_of_ship(if lying { cell.col() } else { cell.row() }));
    CellSet::from_cells(quarry.grid(), chosen)
}

/// A largest set of disjoint placements.
fn packing(quarry: Quarry) -> Vec<Placement> {
    let (rows, cols, length) = (quarry.rows(), quarry.cols(), quarry.size());
    let (a, b) = (rows % length, cols % length);
    let pinwheel = quarry.fits_both_ways() && a + b > length;
    let (high, wide) = if pinwheel { (length + a, length + b) } else { (a, b) };
    let mut bars = Bars { quarry, bars: Vec::new() };
    bars.upright(0, 0, rows - high, cols);
    bars.lying(rows - high, 0, high, cols - wide);
    if pinwheel {
        bars.pinwheel(rows - high, cols - wide, a, b);
    }
    bars.bars
}

/// Disjoint placements under construction.
struct Bars {
    quarry: Quarry,
    bars: Vec<Placement>,
}

impl Bars {
    /// Fills a block whose height is a multiple of the length.
    fn upright(&mut self, top: usize, left: usize, height: usize, width: usize) {
        for row in (top..top + height).step_by(self.quarry.size()) {
            self.bars.extend((left..left + width).map(|col| self.quarry.placement(row, col, Orientation::Vertical)));
        }
    }

    /// Fills a block whose width is a multiple of the length.
    fn lying(&mut self, top: usize, left: usize, height: usize, width: usize) {
        let bows = (left..left + width).step_by(self.quarry.size());
        for row in top..top + height {
            self.bars.extend(bows.clone().map(|col| self.quarry.placement(row, col, Orientation::Horizontal)));
        }
    }

    /// Fills l + a rows and l + b columns but for the hole in the middle.
    fn pinwheel(&mut self, top: usize, left: usize, a: usize, b: usize) {
        let l = self.quarry.size();
        self.lying(top, left, a, l);
        self.upright(top, left + l, l, b);
        self.lying(top + l, left + b, a, l);
        self.upright(top + a, left, l, b);
    }
}

fn is_packing(quarry: Quarry, bars: &[Placement]) -> bool {
    let all: std::collections::HashSet<Placement> = quarry.placements().into_iter().collect();
    let mut taken = quarry.no_cells();
    bars.iter().all(|&bar| {
        let free = all.contains(&bar) && meets(&taken, bar) == 0;
        if free {
            taken.extend(bar.cells());
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

    fn quarry(rows: usize, cols: usize, length: usize) -> Quarry {
        Quarry::new(Grid::new(rows, cols).unwrap(), length).unwrap()
    }

    fn quarries(side: usize, longest: usize) -> impl Iterator<Item = Quarry> {
        let boards = (1..=side).flat_map(move |rows| (1..=side).map(move |cols| (rows, cols)));
        boards.flat_map(move |(rows, cols)| {
            (1..=longest).filter_map(move |length| Quarry::new(Grid::new(rows, cols).ok()?, length).ok())
        })
    }

    #[test]
    fn the_classic_board_is_blocked_by_50_33_24_and_20_cells_and_no_fewer() {
        for (length, cells) in [(2, 50), (3, 33), (4, 24), (5, 20)] {
            let quarry = quarry(10, 10, length);
            assert_eq!(blocking_number(quarry), cells);
            assert!(blocking(quarry).is_proved(quarry));
        }
    }

    #[test]
    fn every_blocking_set_up_to_twelve_by_twelve_is_proved_smallest() {
        for quarry in quarries(12, 12) {
            let found = blocking(quarry);
            assert!(found.is_proved(quarry), "{quarry:?} {found:?}");
            assert_eq!(found.cells.len(), blocking_number(quarry), "{quarry:?}");
        }
    }

    #[test]
    fn large_boards_are_proved_too() {
        for (rows, cols, length) in [(64, 64, 5), (63, 61, 7), (64, 37, 40), (64, 64, 64), (64, 1, 9), (3, 64, 6)] {
            let quarry = quarry(rows, cols, length);
            assert!(blocking(quarry).is_proved(quarry), "{quarry:?}");
        }
    }

    #[test]
    fn a_diagonal_mask_is_smallest_exactly_where_the_function_says_so() {
        for quarry in quarries(12, 12) {
            let fewest =
                (0..quarry.size()).map(|offset| crate::mask::diagonal::diagonal_mask(quarry, offset).len()).min().unwrap();
            assert_eq!(diagonal_is_smallest(quarry), fewest == blocking(quarry).packing.len(), "{quarry:?}");
        }
    }

    #[test]
    fn two_by_five_is_the_smallest_board_whose_diagonal_mask_is_not_smallest() {
        let worse: Vec<Quarry> = quarries(6, 6).filter(|&quarry| !diagonal_is_smallest(quarry)).collect();
        let least = worse.iter().min_by_key(|quarry| quarry.grid().len()).unwrap();
        assert_eq!((least.rows(), least.cols(), least.size()), (2, 5, 3));
        assert_eq!((blocking_number(*least), best_diagonal_count(*least)), (2, 3));
    }

    #[test]
    fn a_single_row_needs_one_cell_for_each_whole_ship_that_fits() {
        for (cols, length, cells) in [(10, 3, 3), (11, 3, 3), (12, 3, 4), (7, 7, 1), (5, 1, 5)] {
            assert_eq!(blocking_number(quarry(1, cols, length)), cells);
            assert_eq!(blocking_number(quarry(cols, 1, length)), cells);
        }
    }

    #[test]
    fn a_ship_of_one_cell_is_blocked_only_by_the_whole_board() {
        let quarry = quarry(3, 5, 1);
        assert_eq!(blocking_number(quarry), 15);
        assert!(blocking(quarry).is_proved(quarry));
    }

    #[test]
    fn a_proof_with_a_missing_cell_or_an_overlap_is_refused() {
        let quarry = quarry(5, 5, 2);
        let good = blocking(quarry);
        let mut fewer = good.clone();
        fewer.cells = quarry.no_cells();
        assert!(!fewer.is_proved(quarry));
        let mut doubled = good.clone();
        doubled.packing[1] = doubled.packing[0];
        assert!(!doubled.is_proved(quarry));
    }

    /// Every subset of the cells, tried.
    fn fewest_by_listing(quarry: Quarry) -> usize {
        let number = |cell: Cell| quarry.grid().index(cell);
        let masks: Vec<u32> = quarry.placements().iter().map(|bar| bar.cells().map(|cell| 1 << number(cell)).sum()).collect();
        let blocking = (0u32..1 << (quarry.grid().len())).filter(|set| masks.iter().all(|mask| mask & set != 0));
        blocking.map(u32::count_ones).min().unwrap() as usize
    }

    /// Every way to choose or leave each cell, cell by cell. Ways with the same runs of cells left
    /// since the last one chosen, in each column and in the row, have the same future, so only the
    /// cheapest of them goes on.
    fn fewest_by_sweeping(quarry: Quarry) -> usize {
        let mut fewest: HashMap<(Vec<usize>, usize), usize> = HashMap::from([((vec![0; quarry.cols()], 0), 0)]);
        for (_, col) in (0..quarry.rows()).flat_map(|row| (0..quarry.cols()).map(move |col| (row, col))) {
            let mut next = HashMap::new();
            for ((columns, along), chosen) in fewest {
                let along = if col == 0 { 0 } else { along };
                for (run_down, run_along, cost) in [(0, 0, 1), (columns[col] + 1, along + 1, 0)] {
                    if run_down < quarry.size() && run_along < quarry.size() {
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
        for quarry in quarries(16, 16).filter(|quarry| quarry.grid().len() <= 16) {
            assert_eq!(blocking_number(quarry), fewest_by_listing(quarry), "{quarry:?}");
        }
    }

    #[test]
    fn an_exhaustive_sweep_finds_no_smaller_set_on_boards_up_to_six_by_six() {
        for quarry in quarries(6, 6) {
            assert_eq!(blocking_number(quarry), fewest_by_sweeping(quarry), "{quarry:?}");
        }
    }

    #[test]
    fn the_hitting_set_search_agrees_on_boards_up_to_eight_by_eight() {
        for quarry in quarries(8, 6).filter(|quarry| quarry.rows() <= quarry.cols()) {
            let number = |cell: Cell| quarry.grid().index(cell);
            let sets: Vec<Vec<usize>> = quarry.placements().iter().map(|bar| bar.cells().map(number).collect()).collect();
            let found = smallest_hitting_set(quarry.grid().len(), &sets, &mut Effort::nodes(100_000)).unwrap();
            assert_eq!(found.map(|cells| cells.len()), Smallest::Proved(blocking_number(quarry)), "{quarry:?}");
        }
    }
}
