//! What a captain fires at while it hits nothing, remembered from game to game.

use crate::bits::Bits;

/// After each number of shots that all missed, the cells fired at and the next shot: for a captain that draws no lots it is the same in
/// every game.
pub(crate) struct Opening<B>(Vec<(B, usize)>);

impl<B> Default for Opening<B> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<B: Bits> Opening<B> {
    /// The next shot, if it was for the same cells fired at.
    pub(crate) fn recall(&self, shots: usize, fired: B) -> Option<usize> {
        self.0.get(shots).filter(|(same, _)| *same == fired).map(|&(_, best)| best)
    }

    /// Keeps a shot unless another is kept for so many, or none for one fewer.
    pub(crate) fn keep(&mut self, shots: usize, fired: B, best: usize) {
        if self.0.len() == shots {
            self.0.push((fired, best));
        }
    }
}
