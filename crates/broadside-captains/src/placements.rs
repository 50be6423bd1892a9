//! Where the ships left may lie: all placements of one length at once, as a set of their first cells (bows).
//!
//! Misses and sunk ships block, live hits are open. Where ships keep apart, a placement that comes too near to a hit it
//! doesn't cover is no placement.

use broadside_rules::{Orientation, Touch};

use crate::bits::Bits;
use crate::cell_counts::CellCounts;
use crate::position::Position;

/// The placements of one length that cover the same number of live hits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacementGroup<B> {
    pub(crate) length: usize,
    /// How many ships of that length are left.
    pub(crate) ships: usize,
    /// How many live hits each placement covers.
    pub(crate) hits: usize,
    pub(crate) bows: ByOrientation<B>,
}

/// A set of cells for each orientation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByOrientation<B> {
    pub(crate) horizontal: B,
    pub(crate) vertical: B,
}

impl<B: Bits> ByOrientation<B> {
    const NONE: Self = Self { horizontal: B::EMPTY, vertical: B::EMPTY };

    #[inline]
    fn zip(self, other: Self, verb: impl Fn(B, B) -> B) -> Self {
        Self { horizontal: verb(self.horizontal, other.horizontal), vertical: verb(self.vertical, other.vertical) }
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        (self.horizontal | self.vertical).is_empty()
    }

    /// The next cells of ships with these cells. They are on the board, or nobody uses them.
    #[inline]
    fn next(self, cols: usize) -> Self {
        Self { horizontal: self.horizontal << 1, vertical: self.vertical << cols }
    }

    /// The cells that these follow.
    #[inline]
    fn before(self, cols: usize) -> Self {
        Self { horizontal: self.horizontal >> 1, vertical: self.vertical >> cols }
    }
}

impl<B: Bits> PlacementGroup<B> {
    /// The number of placements.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.bows.horizontal.count() + self.bows.vertical.count()
    }

    /// Adds one for every cell of every placement of every ship.
    #[inline]
    pub(crate) fn add_to_counts(&self, counts: &mut CellCounts<B>, cols: usize) {
        // The number of ships in binary: each digit adds to its own plane.
        let mut ships = self.ships;
        while ships != 0 {
            self.add_to_plane(counts, ships.trailing_zeros() as usize, cols);
            ships &= ships - 1;
        }
    }

    /// Adds one for every cell of every placement: two cells of the ships of both orientations at a time.
    #[inline]
    fn add_to_plane(&self, counts: &mut CellCounts<B>, plane: usize, cols: usize) {
        let mut cells = self.bows;
        for _ in 0..self.length / 2 {
            let next = cells.next(cols);
            counts.add_four([cells.horizontal, cells.vertical, next.horizontal, next.vertical], plane);
            cells = next.next(cols);
        }
        if self.length % 2 == 1 {
            counts.add_two(cells.horizontal, cells.vertical, plane);
        }
    }
}

/// Groups the placements that the log allows by the number of live hits they cover. It reuses its memory.
#[derive(Clone, Debug)]
pub(crate) struct HitSorter<B> {
    /// By number, the bows whose ships cover more live hits than that.
    through: Vec<ByOrientation<B>>,
}

impl<B: Bits> HitSorter<B> {
    pub(crate) fn new() -> Self {
        Self { through: Vec::new() }
    }

    /// Calls `found` with the placements of each length, shortest first: those that cover no live hit, then one, two, …
    pub(crate) fn each(&mut self, position: &Position<B>, mut found: impl FnMut(PlacementGroup<B>)) {
        let (cols, live) = (position.board().grid().cols(), position.live());
        // The bows of ships whose next cell is a live hit.
        let (mut seen, mut length) = (ByOrientation { horizontal: live, vertical: live }, 0);
        self.through.clear();
        self.through.resize(position.live_count(), ByOrientation::NONE);
        each_length(position, |group| {
            while length < group.length {
                cover(&mut self.through, seen);
                (seen, length) = (seen.before(cols), length + 1);
            }
            let (mut rest, mut hits) = (group.bows, 0);
            while !rest.is_empty() {
                let more = self.through.get(hits).map_or(ByOrientation::NONE, |&more| rest.zip(more, |rest, more| rest & more));
                found(PlacementGroup { hits, bows: rest.zip(more, |rest, more| rest & !more), ..group });
                (rest, hits) = (more, hits + 1);
            }
        });
    }
}

/// Calls `found` with all placements of each length that the log allows, shortest first.
#[inline]
pub(crate) fn each_length<B: Bits>(position: &Position<B>, mut found: impl FnMut(PlacementGroup<B>)) {
    let board = position.board();
    let open =
        ByOrientation { horizontal: open(position, Orientation::Horizontal), vertical: open(position, Orientation::Vertical) };
    let (mut bows, mut length) = (open, 1);
    for (class, ships) in position.left().classes().rev() {
        while length < class {
            // One cell longer: the bows whose next cell is open too.
            bows = open.zip(
                ByOrientation { horizontal: board.left(bows.horizontal), vertical: board.up(bows.vertical) },
                |open, next| open & next,
            );
            length += 1;
        }
        if bows.is_empty() {
            return;
        }
        let bows = bows.zip(too_near(position, length), |bows, too_near| bows & !too_near);
        found(PlacementGroup { length, ships, hits: 0, bows });
    }
}

/// Where a ship of this orientation may lie, as far as single cells decide.
#[inline]
pub(crate) fn open<B: Bits>(position: &Position<B>, orientation: Orientation) -> B {
    let (board, hits) = (position.board(), position.hits());
    let open = board.all() & (!position.fired() | position.live());
    let beside = match orientation {
        Orientation::Horizontal => board.up(hits) | board.down(hits),
        Orientation::Vertical => board.left(hits) | board.right(hits),
    };
    match position.touch() {
        Touch::Allowed => open,
        Touch::Corners => open & !beside,
        Touch::Never => open & !beside & !board.corners(hits),
    }
}

/// The bows of ships that are no placements: one of their ends would touch a hit, or they are counted already.
#[inline]
fn too_near<B: Bits>(position: &Position<B>, length: usize) -> ByOrientation<B> {
    let (board, hits) = (position.board(), position.hits());
    // A single cell has no orientation; it counts as horizontal.
    let twice = if length == 1 { board.all() } else { B::EMPTY };
    if position.touch().allows_sides() {
        return ByOrientation { horizontal: B::EMPTY, vertical: twice };
    }
    let end = |orientation| (1..length).fold(board.backward(hits, orientation), |bows, _| board.backward(bows, orientation));
    let near = |orientation| board.forward(hits, orientation) | end(orientation);
    ByOrientation { horizontal: near(Orientation::Horizontal), vertical: near(Orientation::Vertical) | twice }
}

/// Ships with these bows cover one live hit more. `through[k]` are the bows of ships that cover more than `k`.
#[inline]
fn cover<B: Bits>(through: &mut [ByOrientation<B>], bows: ByOrientation<B>) {
    for k in (1..through.len()).rev() {
        let one_more = through[k - 1].zip(bows, |through, bows| through & bows);
        through[k] = through[k].zip(one_more, |through, one_more| through | one_more);
    }
    if let Some(through) = through.first_mut() {
        *through = through.zip(bows, |through, bows| through | bows);
    }
}
