//! Sinker `brute` (seed document 000, algorithm 9).
//!
//! From the first hit look up, down, left and right; where there is another hit, follow that line to its end and then
//! the other way; if the ship is not sunk by then, the hits were other ships', and it lies across.
//!
//! With `every` call it is told the ship's length (the document's variant 1): then hits of another length are no part of
//! the ship, and the line ends when it has that many hits. Otherwise (variant 2) the length is taken to be that
//! of the longest ship left. Hits that turn out to be other ships' are live hits themselves: the oldest is next.
//!
//! Everything is found from the log alone: the first hit is the oldest live one, and what was tried is what was fired at.
//!
//! Where this departs from the pseudocode: after a hit it advances twice and skips a cell; at the edge or on an explored
//! cell its loop never ends. Here the line goes on at the first cell that was not hit, and ends at the edge or at a cell
//! that is explored. A ship of length 1 has no direction to follow; it is sunk by its first hit.

use crate::bits::Bits;
use crate::chart::{Chart, Hit};
use crate::field::Way;
use crate::pair::Sinker;
use crate::sinker::{beside_any, open};

/// Follows lines of hits.
pub(crate) struct Brute;

/// One ship that was hit.
struct Chase<'a, B> {
    chart: &'a Chart<B>,
    open: B,
    first: usize,
    /// The hits that may belong to it.
    own: B,
    /// It is at most this long.
    length: usize,
}

impl<'a, B: Bits> Chase<'a, B> {
    fn new(chart: &'a Chart<B>, open: B, first: Hit) -> Self {
        let told = first.length.filter(|_| chart.tells_lengths());
        let own = match told {
            Some(_) => chart.live_list().filter(|hit| hit.length == told).fold(B::EMPTY, |set, hit| set | B::only(hit.cell)),
            None => chart.live(),
        };
        Self { chart, open, first: first.cell, own, length: told.unwrap_or_else(|| chart.left().longest()) }
    }

    fn next(&self) -> Option<usize> {
        Way::ALL.iter().find_map(|&way| {
            let beside = self.chart.field().step(self.first, way, 1)?;
            if self.open.has(beside) {
                return Some(beside);
            }
            self.own.has(beside).then(|| self.follow(way)).flatten()
        })
    }

    /// The end of the line of hits that way, or else the other way.
    fn follow(&self, way: Way) -> Option<usize> {
        let field = self.chart.field();
        let reach = |way| field.reach(self.own, self.first, way, self.length);
        let (ahead, behind) = (reach(way), reach(way.back()));
        if 1 + ahead + behind >= self.length {
            return None;
        }
        let end = |way, reach| field.step(self.first, way, reach + 1).filter(|&cell| self.open.has(cell));
        end(way, ahead).or_else(|| end(way.back(), behind))
    }
}

impl<B: Bits> Sinker<B> for Brute {
    fn pursue(&self, chart: &Chart<B>) -> Option<usize> {
        let open = open(chart);
        if !chart.field().beside(chart.live()).meets(open) {
            return None;
        }
        let next = chart.live_list().find_map(|hit| Chase::new(chart, open, hit).next());
        next.or_else(|| beside_any(chart, open))
    }

    fn words(&self, chart: &Chart<B>) -> String {
        format!("{} live hits; along the oldest that has somewhere to go", chart.live().count())
    }
}
