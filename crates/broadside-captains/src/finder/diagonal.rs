//! Finder `diagonal`: algorithms 2 to 5 of “CSE 202: Project Algorithmic Solutions” (Martakis, Sharan, Choudhary and Gupta, UC San Diego, 2023).
//!
//! Of the diagonals that run down and right, every m-th is enough to meet the longest ship left, of length m. Its
//! cells are taken in the order of how many placements of that ship go through them.
//!
//! Where this departs from the pseudocode: algorithm 4 has no place for a count of 0, and means that no ship lies there:
//! such cells are passed over. Algorithm 5's `break` leaves only the inner loop, and means to end the search. When the
//! diagonals are used up without a hit, the length was wrong (it is not always called), and the next shorter one is tried.

use broadside_rules::{Grid, Rules};

use crate::GameRng;
use crate::bits::Bits;
use crate::board::Direction;
use crate::density::fallback_shot;
use crate::pair::Finder;
use crate::position::Position;

/// Looks along diagonals.
pub(crate) struct Diagonal {
    /// For each length of the fleet, longest first, its diagonals.
    sets: Vec<(usize, Vec<usize>)>,
}

impl Diagonal {
    pub(crate) fn new(rules: &Rules) -> Self {
        let lengths = rules.fleet().classes().map(|(length, _)| length.get());
        Self { sets: lengths.map(|length| (length, diagonals(rules.grid(), length))).collect() }
    }

    /// The cells to try with the number of placements through each, in the report's order.
    fn counted<B: Bits>(&self, position: &Position<B>) -> Vec<(usize, usize)> {
        let open = position.unfired() & !position.ruled_out();
        let left = position.left().classes().filter_map(|(length, _)| self.sets.iter().find(|(l, _)| *l == length));
        let mut counted = left.map(|(length, cells)| count_all(position, open, *length, cells));
        counted.find(|counts| !counts.is_empty()).unwrap_or_default()
    }
}

/// Algorithm 4's list: the main diagonal, then those that start further down, then those that start further right.
fn diagonals(grid: Grid, length: usize) -> Vec<usize> {
    let down = (length..grid.rows()).step_by(length).map(|row| (row, 0));
    let right = (length..grid.cols()).step_by(length).map(|col| (0, col));
    let starts = std::iter::once((0, 0)).chain(down).chain(right);
    let on_grid = |&(row, col): &(usize, usize)| row < grid.rows() && col < grid.cols();
    let cells = starts.flat_map(|(row, col)| (0..).map(move |i| (row + i, col + i)).take_while(on_grid));
    cells.map(|(row, col)| row * grid.cols() + col).collect()
}

fn count_all<B: Bits>(position: &Position<B>, open: B, length: usize, cells: &[usize]) -> Vec<(usize, usize)> {
    let open_cells = cells.iter().copied().filter(|&cell| open.has(cell));
    open_cells.map(|cell| (cell, placements(position, open, length, cell))).filter(|&(_, count)| count > 0).collect()
}

/// Lemma 1: how many placements of a ship of this length go through the cell.
fn placements<B: Bits>(position: &Position<B>, open: B, length: usize, cell: usize) -> usize {
    let reach = |direction| position.board().reach(open, cell, direction, length - 1);
    let along = |one, other| (reach(one) + reach(other) + 2).saturating_sub(length);
    along(Direction::Up, Direction::Down) + along(Direction::Left, Direction::Right)
}

impl<B: Bits> Finder<B> for Diagonal {
    fn find(&mut self, position: &Position<B>, _rng: &mut GameRng) -> usize {
        let counted = self.counted(position);
        // Of equals `max_by_key` keeps the last, and the report takes the first.
        let best = counted.iter().rev().max_by_key(|&&(_, count)| count);
        best.map_or_else(|| fallback_shot(position), |&(cell, _)| cell)
    }

    fn scores(&mut self, position: &Position<B>) -> (Vec<Option<f64>>, String) {
        let counted = self.counted(position);
        let cells = counted.iter().fold(B::EMPTY, |set, &(cell, _)| set | B::only(cell));
        let count = |cell| counted.iter().find(|(c, _)| *c == cell).map_or(0, |&(_, count)| count);
        let words = format!("most placements of the longest ship left among {} cells on its diagonals", counted.len());
        (position.scores(cells, |cell| count(cell) as f64), words)
    }
}

#[cfg(test)]
mod tests {
    use broadside_rules::{Length, Orientation, Placement, ShotLog};

    use super::*;

    #[test]
    fn figure_5_has_every_sixth_diagonal() {
        let grid = Grid::new(10, 15).unwrap();
        let mut cells = diagonals(grid, 6);
        // The main diagonal, one from (7, 1) and those from (1, 7) and (1, 13), as the report's text lists them.
        assert_eq!(cells.len(), 10 + 4 + 9 + 3);
        assert_eq!(cells[..2], [0, 16]);
        assert_eq!((cells[10], cells[14], cells[23]), (6 * 15, 6, 12));
        cells.sort_unstable();
        let expected = grid.cells().filter(|cell| (cell.row() + 12 - cell.col() % 6) % 6 == 0).map(|cell| grid.index(cell));
        assert_eq!(cells, expected.collect::<Vec<_>>());
    }

    #[test]
    fn figure_6_counts_two_placements_in_the_corner() {
        let rules: Rules = "10x15 6,5,4,2 allowed ship".parse().unwrap();
        let mut position = Position::<crate::bits::Wide<2>>::new(&rules);
        position.read(&ShotLog::new(&rules));
        let counted = Diagonal::new(&rules).counted(&position);
        assert_eq!(counted.len(), 26);
        assert_eq!(counted[0], (0, 2));
    }

    #[test]
    fn lemma_2_every_run_of_the_length_meets_exactly_one_cell_of_the_diagonals() {
        for (rows, cols) in (1..=12).flat_map(|rows| (1..=12).map(move |cols| (rows, cols))) {
            let grid = Grid::new(rows, cols).unwrap();
            for length in (1..=6).filter_map(Length::new) {
                let set = diagonals(grid, length.get());
                for ship in Orientation::ALL.iter().flat_map(|_| Placement::all(grid, length)) {
                    let met = ship.cells().filter(|&cell| set.contains(&grid.index(cell))).count();
                    assert_eq!(met, 1, "{ship} on {grid}");
                }
            }
        }
    }
}
