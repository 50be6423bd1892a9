//! The shots of a captain while it hits nothing, remembered from game to game.

use crate::bits::Bits;

/// After each number of shots that all missed, the cells fired at and the next shot. For a captain without randomness it is the
/// same in every game.
pub(crate) struct Opening<B>(Vec<(B, usize)>);

impl<B> Default for Opening<B> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<B: Bits> Opening<B> {
    /// The next shot, if it is known for these cells fired at.
    pub(crate) fn get(&self, shots: usize, fired: B) -> Option<usize> {
        self.0.get(shots).filter(|(same, _)| *same == fired).map(|&(_, best)| best)
    }

    /// Remembers a shot, if it comes right after those remembered.
    pub(crate) fn insert(&mut self, shots: usize, fired: B, best: usize) {
        if self.0.len() == shots {
            self.0.push((fired, best));
        }
    }
}
