//! A number for each cell of the board, and what lies around each.

use broadside_rules::Grid;

use crate::bits::Bits;

/// For each byte, its bits as numbers, the lowest first.
static DIGITS: [[f32; 8]; 256] = {
    let mut table = [[0.0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte][bit] = (byte >> bit & 1) as f32;
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Numbers for all cells in reading stage.
#[derive(Clone, Debug)]
pub(crate) struct CellScores(Vec<f32>);

impl CellScores {
    /// Zero everywhere.
    pub(crate) fn new(grid: Grid) -> Self {
        Self(vec![0.0; grid.len().next_multiple_of(8)])
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(0.0);
    }

    /// Adds so many times the numbers that the planes of bits hold, the lowest plane first.
    pub(crate) fn add<B: Bits>(&mut self, planes: &[B], times: f32) {
        for (number, eight) in self.0.chunks_exact_mut(8).enumerate() {
            let (mut sum, mut score) = ([0.0; 8], times);
            for set in planes {
                let digits = &DIGITS[usize::from(set.byte(number))];
                (0..8).for_each(|i| sum[i] += score * digits[i]);
                score *= 2.0;
            }
            (0..8).for_each(|i| eight[i] += sum[i]);
        }
    }

    pub(crate) fn at(&self, cell: usize) -> f32 {
        self.0[cell]
    }

    pub(crate) fn numbers_mut(&mut self) -> &mut [f32] {
        &mut self.0
    }

    /// The first cell of the set with the highest number, if that is above zero.
    pub(crate) fn best<B: Bits>(&self, among: B) -> Option<usize> {
        let mut best = (None, 0.0);
        for cell in among.iter() {
            if self.0[cell] > best.1 {
                best = (Some(cell), self.0[cell]);
            }
        }
        best.0
    }
}

/// How far one looks around a cell.
const MARGIN: usize = 2;

/// Numbers for all cells with zeros around them, so that nobody has to look out for the edges.
///
/// The two cells after a row are those before the next one too.
#[derive(Clone, Debug)]
pub(crate) struct PaddedScores {
    rows: usize,
    cols: usize,
    numbers: Vec<f32>,
}

/// What lies around a cell is summed up in rings: the four cells beside, the four at the corners, the four two steps away,
/// the eight a knight's move away.
pub(crate) const RINGS: usize = 4;

impl PaddedScores {
    pub(crate) fn new(grid: Grid) -> Self {
        let (rows, cols) = (grid.rows(), grid.cols());
        Self { rows, cols, numbers: vec![0.0; (rows + 2 * MARGIN) * (cols + MARGIN) + MARGIN] }
    }

    fn stride(&self) -> usize {
        self.cols + MARGIN
    }

    /// Where the row begins.
    pub(crate) fn start(&self, row: usize) -> usize {
        (row + MARGIN) * self.stride() + MARGIN
    }

    /// Takes over the numbers of a tally.
    pub(crate) fn copy(&mut self, tally: &CellScores) {
        for row in 0..self.rows {
            let start = self.start(row);
            self.numbers[start..][..self.cols].copy_from_slice(&tally.0[row * self.cols..][..self.cols]);
        }
    }

    /// Adds to each number of a row the rings around it, as often as it says.
    pub(crate) fn add_rings(&self, row: usize, times: [f32; RINGS], to: &mut [f32]) {
        let (start, s) = (self.start(row), self.stride());
        let line = |back: usize, ahead: usize| &self.numbers[start + ahead - back..][..self.cols];
        let four = |a: [&[f32]; 4], i: usize| (a[0][i] + a[1][i]) + (a[2][i] + a[3][i]);
        let beside = [line(1, 0), line(0, 1), line(s, 0), line(0, s)];
        let corner = [line(s + 1, 0), line(s, 1), line(1, s), line(0, s + 1)];
        let second = [line(2, 0), line(0, 2), line(2 * s, 0), line(0, 2 * s)];
        let steep = [line(2 * s + 1, 0), line(2 * s, 1), line(1, 2 * s), line(0, 2 * s + 1)];
        let flat = [line(s + 2, 0), line(s, 2), line(2, s), line(0, s + 2)];
        for (i, number) in to[..self.cols].iter_mut().enumerate() {
            let knight = four(steep, i) + four(flat, i);
            *number += times[0] * four(beside, i) + times[1] * four(corner, i) + times[2] * four(second, i) + times[3] * knight;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::bits::Wide;

    proptest! {
        #[test]
        fn rings_are_what_lies_around(rows in 1usize..9, cols in 1usize..9, numbers in vec(0u8..50, 64)) {
            let grid = Grid::new(rows, cols).unwrap();
            let mut tally = CellScores::new(grid);
            (0..grid.len()).for_each(|cell| tally.numbers_mut()[cell] = f32::from(numbers[cell]));
            let mut sheet = PaddedScores::new(grid);
            sheet.copy(&tally);
            // Powers of the base keep the rings apart in one sum: eight numbers below 50 are below 400.
            let times = [1.0, 20.0, 400.0, 8000.0];
            for row in 0..rows {
                let mut sums = vec![0.0; cols];
                sheet.add_rings(row, times, &mut sums);
                for (col, &sum) in sums.iter().enumerate() {
                    let ring = |away: [usize; 2]| -> f32 {
                        let near = grid.cells().filter(|cell| {
                            let mut steps = [cell.row().abs_diff(row), cell.col().abs_diff(col)];
                            steps.sort_unstable();
                            steps == away
                        });
                        near.map(|cell| tally.at(grid.index(cell))).sum()
                    };
                    let rings = [ring([0, 1]), ring([1, 1]), ring([0, 2]), ring([1, 2])];
                    let expected: f32 = rings.iter().zip(times).map(|(ring, times)| ring * times).sum();
                    prop_assert!((sum - expected).abs() <= 1e-5 * expected, "{} for {}", sum, expected);
                }
            }
        }

        #[test]
        fn planes_add_up(planes in vec(any::<u128>(), 0..5), times in 1u8..9, among: u128) {
            let grid = Grid::new(8, 16).unwrap();
            let (mut narrow, mut wide) = (CellScores::new(grid), CellScores::new(grid));
            narrow.add(&planes, f32::from(times));
            wide.add(&planes.iter().map(|&set| Wide::<2>::from_words(&[set])).collect::<Vec<_>>(), f32::from(times));
            let number = |cell: usize| planes.iter().rev().fold(0, |sum, set| sum * 2 + u16::from(set.has(cell)));
            for cell in 0..128 {
                prop_assert_eq!(narrow.at(cell).to_bits(), f32::from(number(cell) * u16::from(times)).to_bits());
                prop_assert_eq!(wide.at(cell).to_bits(), narrow.at(cell).to_bits());
            }
            let highest = among.iter().map(number).max().filter(|&most| most > 0);
            prop_assert_eq!(narrow.best(among), among.iter().find(|&cell| Some(number(cell)) == highest));
        }
    }
}
