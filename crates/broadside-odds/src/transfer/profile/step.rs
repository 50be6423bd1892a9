//! What one move of the sweep puts on the board.

/// What a move puts: nothing, one more cell of a vertical ship, or a new ship. A byte, since there
/// are millions of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step(u8);

impl Step {
    /// The cell stays empty.
    pub(crate) const EMPTY: Self = Self(0);
    /// A vertical ship goes on.
    pub(crate) const GO_ON: Self = Self(1);

    /// A ship of the class starts and lies to the right. There are at most 64 classes, one for each length.
    pub(crate) fn horizontal(class: usize) -> Self {
        Self(2 + 2 * class as u8)
    }

    /// A ship of the class starts and goes down.
    pub(crate) fn vertical(class: usize) -> Self {
        Self(Self::horizontal(class).0 + 1)
    }

    /// The class of the ship that starts, and whether it is vertical.
    pub(crate) fn ship(self) -> Option<(usize, bool)> {
        let index = self.0.checked_sub(2)?;
        Some((usize::from(index / 2), index % 2 == 1))
    }
}
