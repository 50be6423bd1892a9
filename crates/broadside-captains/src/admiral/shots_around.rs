//! The shots fired around each cell: beside it, at its corners, and two steps away. What edges add to its factor.

use super::aligned::Aligned;
use super::padding::Padding;
use super::parameters::{Parameters, StageParameters};
use crate::bits::Bits;
use crate::board::Board;
use crate::position::Position;

/// The numbers of shots around each cell, with a margin around the board. A shot changes those of twelve cells.
///
/// They are kept as floating-point numbers, to be used in vectors as they are: factors made of them and kept cost more than
/// they save, since many change with every shot and all with every ship that sinks.
#[derive(Debug)]
pub(crate) struct ShotsAround<B> {
    /// For each stage, one and what the edges around each cell add; nothing where it doesn't look at shots.
    edges: Vec<Option<Aligned<f32>>>,
    /// The numbers of shots beside each cell, at its corners and two steps away.
    numbers: [Aligned<f32>; 3],
    /// 1 for cells not fired at, and for all cells of the board.
    unfired: Aligned<f32>,
    board: Aligned<f32>,
    /// The cells fired at that are counted.
    fired: B,
}

impl<B: Bits> ShotsAround<B> {
    pub(crate) fn new(padding: Padding, board: &Board<B>, parameters: &Parameters) -> Self {
        let edges = |stage: &StageParameters| stage.looks_at_shots().then(|| edges(padding, board, stage));
        Self {
            edges: parameters.all().iter().map(edges).collect(),
            numbers: std::array::from_fn(|_| padding.zeros()),
            unfired: padding.numbers(board, |_, _| 1.0),
            board: padding.numbers(board, |_, _| 1.0),
            fired: B::EMPTY,
        }
    }

    /// Counts the shots of a position.
    #[inline(always)]
    pub(crate) fn update(&mut self, padding: Padding, position: &Position<B>) {
        let mut taken_back = self.fired & !position.fired();
        // Of another game more may have to be taken back than there is to count.
        if taken_back.count() > position.fired().count() {
            self.start_over();
            taken_back = B::EMPTY;
        }
        let fired = position.fired() & !self.fired;
        self.fired = position.fired();
        self.add_shots(padding, position, fired, 1.0);
        self.add_shots(padding, position, taken_back, -1.0);
    }

    /// Forgets all shots.
    fn start_over(&mut self) {
        for numbers in &mut self.numbers {
            numbers.fill(0.0);
        }
        self.unfired.copy_from_slice(&self.board);
        self.fired = B::EMPTY;
    }

    #[inline(always)]
    fn add_shots(&mut self, padding: Padding, position: &Position<B>, mut shots: B, one: f32) {
        let stride = padding.stride();
        while let Some(index) = shots.take_first() {
            let cell = position.board().cell(index);
            let first = padding.start() + padding.offset(cell.row(), cell.col()) - 2 * stride;
            self.unfired[first + 2 * stride] -= one;
            for (numbers, steps) in self.numbers.iter_mut().zip(steps(stride)) {
                let window = &mut numbers[first..][..=4 * stride];
                for step in steps {
                    window[2 * stride - step] += one;
                    window[2 * stride + step] += one;
                }
            }
        }
    }

    /// What edges add at a stage, and one; nothing where it doesn't look at shots.
    #[inline(always)]
    pub(crate) fn edges(&self, stage: usize) -> Option<&[f32]> {
        self.edges[stage].as_deref()
    }

    /// The numbers of shots beside each cell, at its corners and two steps away.
    #[inline(always)]
    pub(crate) fn numbers(&self) -> &[Aligned<f32>; 3] {
        &self.numbers
    }

    /// 1 for cells not fired at, and 0 elsewhere.
    #[inline(always)]
    pub(crate) fn unfired(&self) -> &[f32] {
        &self.unfired
    }
}

/// One, and what the edges around each cell add at a stage.
fn edges<B: Bits>(padding: Padding, board: &Board<B>, stage: &StageParameters) -> Aligned<f32> {
    let (rows, cols) = (board.grid().rows(), board.grid().cols());
    padding.numbers(board, |row, col| {
        let edges = |away| edges_at(row, rows, away) + edges_at(col, cols, away);
        1.0 + stage.edge * edges(0) + stage.near_edge * edges(1)
    })
}

/// From a cell to those on one side of it, by distance.
#[inline(always)]
fn steps(stride: usize) -> [[usize; 2]; 3] {
    [[1, stride], [stride - 1, stride + 1], [2, 2 * stride]]
}

/// How many of the two ends lie so far away.
fn edges_at(place: usize, size: usize, away: usize) -> f32 {
    f32::from(u8::from(place == away) + u8::from(place + away + 1 == size))
}
