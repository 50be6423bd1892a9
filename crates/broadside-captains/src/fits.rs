//! Where the ships left may lie: all placements of one length at once, as sets of bows.
//!
//! Misses and sunk ships block, live hits are open. Where ships keep apart, a placement that comes too near to a hit it
//! doesn't cover is no placement.

use broadside_rules::{Orientation, Touch};

use crate::bits::Bits;
use crate::chart::Chart;
use crate::planes::Planes;

/// The placements of one length that cover the same number of live hits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fit<B> {
    pub(crate) length: usize,
    /// How many ships of that length are left.
    pub(crate) ships: usize,
    /// How many live hits each placement covers.
    pub(crate) hits: usize,
    pub(crate) bows: Both<B>,
}

/// A set for each heading, gone through together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Both<B> {
    pub(crate) lying: B,
    pub(crate) upright: B,
}

impl<B: Bits> Both<B> {
    const NONE: Self = Self { lying: B::EMPTY, upright: B::EMPTY };

    #[inline]
    fn zip(self, other: Self, verb: impl Fn(B, B) -> B) -> Self {
        Self { lying: verb(self.lying, other.lying), upright: verb(self.upright, other.upright) }
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        (self.lying | self.upright).is_empty()
    }

    /// The next cell of each ship with these cells. It is on the board, or will not be used.
    #[inline]
    fn next(self, cols: usize) -> Self {
        Self { lying: self.lying << 1, upright: self.upright << cols }
    }

    /// The cells from which these are the next.
    #[inline]
    fn before(self, cols: usize) -> Self {
        Self { lying: self.lying >> 1, upright: self.upright >> cols }
    }
}

impl<B: Bits> Fit<B> {
    /// How many placements these are.
    #[inline]
    pub(crate) fn places(&self) -> usize {
        self.bows.lying.count() + self.bows.upright.count()
    }

    /// Adds one for every cell of every placement of every ship.
    #[inline]
    pub(crate) fn count_in(&self, planes: &mut Planes<B>, cols: usize) {
        // The number of ships in binary: each digit adds to its own plane.
        let mut ships = self.ships;
        while ships != 0 {
            self.add_to(planes, ships.trailing_zeros() as usize, cols);
            ships &= ships - 1;
        }
    }

    /// Adds one for every cell of every placement, two cells of the ships of both headings at a time.
    #[inline]
    fn add_to(&self, planes: &mut Planes<B>, plane: usize, cols: usize) {
        let mut cells = self.bows;
        for _ in 0..self.length / 2 {
            let next = cells.next(cols);
            planes.add_four([cells.lying, cells.upright, next.lying, next.upright], plane);
            cells = next.next(cols);
        }
        if self.length % 2 == 1 {
            planes.add_two(cells.lying, cells.upright, plane);
        }
    }
}

/// Sorts the placements that the log allows by the number of live hits they cover. It keeps the memory that takes.
#[derive(Clone, Debug)]
pub(crate) struct Sorter<B> {
    /// By number, the bows whose ships cover more live hits than that.
    through: Vec<Both<B>>,
}

impl<B: Bits> Sorter<B> {
    pub(crate) fn new() -> Self {
        Self { through: Vec::new() }
    }

    /// Shows the placements of each length, shortest first: those that cover no live hit, then those that cover one, two, …
    pub(crate) fn each(&mut self, chart: &Chart<B>, mut found: impl FnMut(Fit<B>)) {
        let (cols, live) = (chart.field().grid().cols(), chart.live());
        // The live hits as seen from the bow of a ship that reaches them with its next cell.
        let (mut seen, mut length) = (Both { lying: live, upright: live }, 0);
        self.through.clear();
        self.through.resize(chart.live_count(), Both::NONE);
        each_fit(chart, |fit| {
            while length < fit.length {
                cover(&mut self.through, seen);
                (seen, length) = (seen.before(cols), length + 1);
            }
            let (mut rest, mut hits) = (fit.bows, 0);
            while !rest.is_empty() {
                let more = self.through.get(hits).map_or(Both::NONE, |&more| rest.zip(more, |rest, more| rest & more));
                found(Fit { hits, bows: rest.zip(more, |rest, more| rest & !more), ..fit });
                (rest, hits) = (more, hits + 1);
            }
        });
    }
}

/// Finds the placements of each length that the log allows, shortest first.
#[inline]
pub(crate) fn each_fit<B: Bits>(chart: &Chart<B>, mut found: impl FnMut(Fit<B>)) {
    let field = chart.field();
    let open = Both { lying: open(chart, Orientation::Horizontal), upright: open(chart, Orientation::Vertical) };
    let (mut bows, mut length) = (open, 1);
    for (class, ships) in chart.left().classes().rev() {
        while length < class {
            // One cell longer: the bows whose next cell is open too.
            bows = open.zip(Both { lying: field.left(bows.lying), upright: field.up(bows.upright) }, |open, next| open & next);
            length += 1;
        }
        if bows.is_empty() {
            return;
        }
        let bows = bows.zip(too_near(chart, length), |bows, too_near| bows & !too_near);
        found(Fit { length, ships, hits: 0, bows });
    }
}

/// Where a ship of this heading may lie, as far as single cells decide.
#[inline]
fn open<B: Bits>(chart: &Chart<B>, heading: Orientation) -> B {
    let (field, hits) = (chart.field(), chart.hits());
    let open = field.all() & (!chart.fired() | chart.live());
    let beside = match heading {
        Orientation::Horizontal => field.up(hits) | field.down(hits),
        Orientation::Vertical => field.left(hits) | field.right(hits),
    };
    match chart.touch() {
        Touch::Allowed => open,
        Touch::Corners => open & !beside,
        Touch::Never => open & !beside & !field.cornering(hits),
    }
}

/// The bows of ships that are no placements: they would touch a hit with one of their ends, or are counted already.
#[inline]
fn too_near<B: Bits>(chart: &Chart<B>, length: usize) -> Both<B> {
    let (field, hits) = (chart.field(), chart.hits());
    // A single cell has no heading; it counts as lying.
    let twice = if length == 1 { field.all() } else { B::EMPTY };
    if chart.touch() == Touch::Allowed {
        return Both { lying: B::EMPTY, upright: twice };
    }
    let end = |heading| (1..length).fold(field.astern(hits, heading), |sterns, _| field.astern(sterns, heading));
    let near = |heading| field.ahead(hits, heading) | end(heading);
    Both { lying: near(Orientation::Horizontal), upright: near(Orientation::Vertical) | twice }
}

/// Takes note that ships with these bows cover one live hit more: `through[k]` are the bows that cover more than `k`.
#[inline]
fn cover<B: Bits>(through: &mut [Both<B>], bows: Both<B>) {
    for k in (1..through.len()).rev() {
        let one_more = through[k - 1].zip(bows, |through, bows| through & bows);
        through[k] = through[k].zip(one_more, |through, one_more| through | one_more);
    }
    if let Some(through) = through.first_mut() {
        *through = through.zip(bows, |through, bows| through | bows);
    }
}
