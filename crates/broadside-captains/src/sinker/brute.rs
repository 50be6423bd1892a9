//! Sinker `brute`: algorithm 9 of “CSE 202: Project Algorithmic Solutions” (Martakis, Sharan, Choudhary and Gupta, UC San Diego, 2023).
//!
//! From the first hit look up, down, left and right; where there is another hit, follow that line to its end and then
//! the other way; if the ship is not sunk by then, the hits were other ships', and it lies across.
//!
//! With `every` call it is told the ship's length (the report's variant 1): then hits of another length are no part of
//! the ship, and the line ends when it has that many hits. Otherwise (variant 2) the length is taken to be that
//! of the longest ship left. Hits that turn out to be other ships' are live hits themselves: the oldest is next.
//!
//! Everything is found from the log alone: the first hit is the oldest live one, and what was tried is what was fired at.
//!
//! Where this departs from the pseudocode: after a hit it advances twice and skips a cell; at the edge or on an explored
//! cell its loop never ends. Here the line goes on at the first cell that was not hit, and ends at the edge or at a cell
//! that is explored. A ship of length 1 has no direction to follow; it is sunk by its first hit.

use crate::bits::Bits;
use crate::board::Direction;
use crate::pair::Sinker;
use crate::position::{Hit, Position};
use crate::sinker::{beside_any, open};

/// Follows lines of hits.
pub(crate) struct Brute;

/// One ship that was hit.
struct Pursuit<'a, B> {
    position: &'a Position<B>,
    open: B,
    first: usize,
    /// The hits that may belong to it.
    own: B,
    /// It is at most this long.
    length: usize,
}

impl<'a, B: Bits> Pursuit<'a, B> {
    fn new(position: &'a Position<B>, open: B, first: Hit) -> Self {
        let known = first.length.filter(|_| position.tells_length_on_hit());
        let own = match known {
            Some(_) => {
                position.live_in_order().filter(|hit| hit.length == known).fold(B::EMPTY, |set, hit| set | B::only(hit.cell))
            }
            None => position.live(),
        };
        Self { position, open, first: first.cell, own, length: known.unwrap_or_else(|| position.left().longest()) }
    }

    fn next(&self) -> Option<usize> {
        Direction::ALL.iter().find_map(|&direction| {
            let beside = self.position.board().step(self.first, direction, 1)?;
            if self.open.has(beside) {
                return Some(beside);
            }
            self.own.has(beside).then(|| self.follow(direction)).flatten()
        })
    }

    /// The end of the line of hits in that direction, or else the other way.
    fn follow(&self, direction: Direction) -> Option<usize> {
        let board = self.position.board();
        let reach = |direction| board.reach(self.own, self.first, direction, self.length);
        let (ahead, behind) = (reach(direction), reach(direction.opposite()));
        if 1 + ahead + behind >= self.length {
            return None;
        }
        let end = |direction, reach| board.step(self.first, direction, reach + 1).filter(|&cell| self.open.has(cell));
        end(direction, ahead).or_else(|| end(direction.opposite(), behind))
    }
}

impl<B: Bits> Sinker<B> for Brute {
    fn next_shot(&self, position: &Position<B>) -> Option<usize> {
        let open = open(position);
        if !position.board().beside(position.live()).meets(open) {
            return None;
        }
        let next = position.live_in_order().find_map(|hit| Pursuit::new(position, open, hit).next());
        next.or_else(|| beside_any(position, open))
    }

    fn words(&self, position: &Position<B>) -> String {
        format!("{} live hits; along the oldest that has somewhere to go", position.live().count())
    }
}
