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

/// Numbers for all cells in reading order.
#[derive(Clone, Debug)]
pub(crate) struct Tally(Vec<f32>);

impl Tally {
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
            let (mut sum, mut worth) = ([0.0; 8], times);
            for set in planes {
                let digits = &DIGITS[usize::from(set.byte(number))];
                (0..8).for_each(|i| sum[i] += worth * digits[i]);
                worth *= 2.0;
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
pub(crate) struct Sheet {
    rows: usize,
    cols: usize,
    numbers: Vec<f32>,
}

/// What lies around a cell is summed up in rings: the four cells beside, the four at the corners, the four two steps away,
/// the eight a knight's move away.
pub(crate) const RINGS: usize = 4;

impl Sheet {
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
    pub(crate) fn copy(&mut self, tally: &Tally) {
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
