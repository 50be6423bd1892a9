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
        let mut changed = position.fired() ^ self.fired;
        let taken_back = self.fired & changed;
        self.fired = position.fired();
        while let Some(index) = changed.first() {
            changed &= !B::only(index);
            let cell = position.board().cell(index);
            // One more, or one fewer: the bytes don't run over, since what is taken back was counted.
            let one = if taken_back.has(index) { u32::MAX } else { 1 };
            self.add(self.padding.start() + self.padding.offset(cell.row(), cell.col()), one);
        }
    }

    #[inline(always)]
    fn add(&mut self, place: usize, one: u32) {
        let s = self.padding.stride();
        let around = &mut self.numbers[place - 2 * s..][..=4 * s];
        for (distance, steps) in [[1, s], [s - 1, s + 1], [2, 2 * s]].into_iter().enumerate() {
            let one = one << (8 * distance);
            for step in steps {
                around[2 * s - step] = around[2 * s - step].wrapping_add(one);
                around[2 * s + step] = around[2 * s + step].wrapping_add(one);
            }
        }
    }
}
