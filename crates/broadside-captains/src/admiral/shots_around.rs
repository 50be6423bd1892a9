//! How many of the cells around each cell were fired at: beside it, at its corners, and two steps away.

use super::padding::Padding;
use crate::bits::Bits;
use crate::position::Position;

/// The numbers of shots around each cell, a byte for each distance.
#[derive(Clone, Debug)]
pub(crate) struct ShotsAround<B> {
    padding: Padding,
    numbers: Vec<u32>,
    /// The cells fired at that are counted.
    fired: B,
}

impl<B: Bits> ShotsAround<B> {
    pub(crate) fn new(padding: Padding) -> Self {
        Self { padding, numbers: vec![0; padding.zeros().len()], fired: B::EMPTY }
    }

    /// The numbers with a margin around the board.
    #[inline(always)]
    pub(crate) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// Counts the shots of the position.
    #[inline(always)]
    pub(crate) fn update(&mut self, position: &Position<B>) {
        if !(self.fired & !position.fired()).is_empty() {
            self.numbers.fill(0);
            self.fired = B::EMPTY;
        }
        let mut new = position.fired() & !self.fired;
        self.fired = position.fired();
        while let Some(index) = new.first() {
            new &= !B::only(index);
            let cell = position.board().cell(index);
            self.add(self.padding.start() + self.padding.offset(cell.row(), cell.col()));
        }
    }

    #[inline(always)]
    fn add(&mut self, place: usize) {
        let s = self.padding.stride();
        let around = &mut self.numbers[place - 2 * s..][..=4 * s];
        for (distance, steps) in [[1, s], [s - 1, s + 1], [2, 2 * s]].into_iter().enumerate() {
            for step in steps {
                around[2 * s - step] += 1 << (8 * distance);
                around[2 * s + step] += 1 << (8 * distance);
            }
        }
    }
}
