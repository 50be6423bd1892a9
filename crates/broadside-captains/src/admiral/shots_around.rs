//! What the edges around a cell and the shots fired around it make of its score: beside it, at its corners, and two steps away.

use super::padding::Padding;
use super::parameters::{Parameters, StageParameters};
use crate::bits::Bits;
use crate::board::Board;
use crate::position::Position;

/// The number of shots at each distance takes so many bits: it is four at most.
const BITS: usize = 3;

/// As many as there are numbers of shots at all three distances.
const NUMBERS: usize = 1 << (3 * BITS);

/// If more shots than this are new, the factors of all cells are looked up again.
const FEW: usize = 4;

/// The factor of each cell, by the edges and the shots around it. A shot changes those of twelve cells.
#[derive(Clone, Debug)]
pub(crate) struct ShotsAround<B> {
    padding: Padding,
    /// The parts of the factors at each stage; nothing where it doesn't look at shots.
    stages: Vec<Option<Parts>>,
    /// The numbers of shots around each cell, by distance.
    numbers: Vec<u16>,
    factors: Vec<f32>,
    /// The cells fired at that are counted, and the stage that the factors are of.
    fired: B,
    stage: Option<usize>,
}

/// What factors are made of at one stage.
#[derive(Clone, Debug)]
struct Parts {
    /// One, and what the edges around each cell add.
    edges: Vec<f32>,
    /// What shots add, by their numbers.
    shots: Vec<f32>,
}

impl Parts {
    fn new<B: Bits>(padding: Padding, board: &Board<B>, stage: &StageParameters) -> Self {
        let (rows, cols) = (board.grid().rows(), board.grid().cols());
        let edges = padding.numbers(board, |row, col| {
            let edges = |away| edges_at(row, rows, away) + edges_at(col, cols, away);
            1.0 + stage.edge * edges(0) + stage.near_edge * edges(1)
        });
        let shots = |number: usize| {
            let at = |distance: usize| (number >> (BITS * distance) & ((1 << BITS) - 1)) as f32;
            stage.fired_beside * at(0) + stage.fired_corner * at(1) + stage.fired_second * at(2)
        };
        Self { edges, shots: (0..NUMBERS).map(shots).collect() }
    }
}

impl<B: Bits> ShotsAround<B> {
    pub(crate) fn new(padding: Padding, board: &Board<B>, parameters: &Parameters) -> Self {
        let parts = |stage: &StageParameters| stage.looks_at_shots().then(|| Parts::new(padding, board, stage));
        Self {
            padding,
            stages: parameters.stages.as_flattened().iter().map(parts).collect(),
            numbers: vec![0; padding.zeros().len()],
            factors: padding.zeros(),
            fired: B::EMPTY,
            stage: None,
        }
    }

    /// The factors with a margin around the board; nothing where the stage doesn't look at shots.
    #[inline(always)]
    pub(crate) fn factors(&mut self, position: &Position<B>, stage: usize) -> Option<&[f32]> {
        let parts = self.stages[stage].as_ref()?;
        let (fired, mut changed) = (position.fired(), position.fired() ^ self.fired);
        let mut all = self.stage != Some(stage);
        if changed.count() > FEW {
            all = true;
            if changed.count() > fired.count() {
                self.numbers.fill(0);
                (self.fired, changed) = (B::EMPTY, fired);
            }
        }
        let taken_back = self.fired & changed;
        (self.fired, self.stage) = (fired, Some(stage));
        while let Some(index) = changed.take_first() {
            let cell = position.board().cell(index);
            // One more, or one fewer: the bits don't run over, since what is taken back was counted.
            let one = if taken_back.has(index) { u16::MAX } else { 1 };
            let stride = self.padding.stride();
            let first = self.padding.start() + self.padding.offset(cell.row(), cell.col()) - 2 * stride;
            let window = first..first + 4 * stride + 1;
            count(&mut self.numbers[window.clone()], one, stride);
            if !all {
                let numbers = &self.numbers[window.clone()];
                look_up(&mut self.factors[window.clone()], numbers, &parts.edges[window], &parts.shots, stride);
            }
        }
        if all {
            for ((factor, &edges), &number) in self.factors.iter_mut().zip(&parts.edges).zip(&self.numbers) {
                *factor = edges + parts.shots[usize::from(number) % NUMBERS];
            }
        }
        Some(&self.factors)
    }
}

/// From a cell to those on one side of it, by distance.
#[inline(always)]
fn steps(stride: usize) -> [[usize; 2]; 3] {
    [[1, stride], [stride - 1, stride + 1], [2, 2 * stride]]
}

/// Counts a shot at the cell in the middle.
#[inline(always)]
fn count(numbers: &mut [u16], one: u16, stride: usize) {
    for (distance, steps) in steps(stride).into_iter().enumerate() {
        let one = one << (BITS * distance);
        for step in steps {
            for place in [2 * stride - step, 2 * stride + step] {
                numbers[place] = numbers[place].wrapping_add(one);
            }
        }
    }
}

/// Looks up the factors of the cells around the one in the middle.
#[inline(always)]
fn look_up(factors: &mut [f32], numbers: &[u16], edges: &[f32], shots: &[f32], stride: usize) {
    for [a, b] in steps(stride) {
        for place in [2 * stride - a, 2 * stride + a, 2 * stride - b, 2 * stride + b] {
            factors[place] = edges[place] + shots[usize::from(numbers[place]) % NUMBERS];
        }
    }
}

/// How many of the two ends lie so far away.
fn edges_at(place: usize, size: usize, away: usize) -> f32 {
    f32::from(u8::from(place == away) + u8::from(place + away + 1 == size))
}
