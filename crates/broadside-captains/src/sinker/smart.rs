//! Sinker `smart`: algorithms 10 to 12 of “CSE 202: Project Algorithmic Solutions” (Martakis, Sharan, Choudhary and Gupta, UC San Diego, 2023).
//!
//! Instead of the neighbours of the first hit it probes at half the length of the shortest ship left in each of the four
//! directions: whatever ship was hit, it reaches that far one way or the other. A hit there gives the direction; the
//! cells between are fired at from the first hit on, till a miss, and then those on the opposite side. The hope is that
//! probes further out find other ships.
//!
//! Where this departs from the pseudocode: the probe is made only on the board and only at a cell not fired at, and its
//! outcome counts like that of any shot; a probe at a cell hit before needs no shot. For a shortest ship of length 1 the
//! distance would be 0; it is at least 1. A line passes over cells already hit, such as the probe, instead of ending
//! there. Algorithm 10 goes on through all four directions; the problem it solves (section 4.2.3) ends with the shot
//! that sinks the ship, and so does this. Hits left over are live hits, and the oldest is next.

use crate::bits::Bits;
use crate::board::Direction;
use crate::pair::Sinker;
use crate::position::Position;
use crate::sinker::{beside_any, open};

/// Probes further out.
pub(crate) struct Smart;

/// Algorithm 10, from one first hit.
fn next_from<B: Bits>(position: &Position<B>, open: B, first: usize) -> Option<usize> {
    let distance = (position.left().shortest() / 2).max(1);
    Direction::ALL.iter().find_map(|&direction| {
        let probe = position.board().step(first, direction, distance)?;
        if open.has(probe) {
            return Some(probe);
        }
        position.live().has(probe).then(|| along_line(position, open, first, direction)).flatten()
    })
}

/// Algorithms 11 and 12: the cells from the first hit towards the probe, then those the other way.
fn along_line<B: Bits>(position: &Position<B>, open: B, first: usize, direction: Direction) -> Option<usize> {
    let (board, live) = (position.board(), position.live());
    let end = |direction: Direction, reach: usize| board.step(first, direction, reach + 1).filter(|&cell| open.has(cell));
    let reach = |direction: Direction| board.reach(live, first, direction, usize::MAX);
    let ahead = reach(direction);
    match end(direction, ahead) {
        Some(cell) => Some(cell),
        // A miss right beside the first hit: the probe hit another ship.
        None if ahead == 0 => None,
        None => end(direction.opposite(), reach(direction.opposite())),
    }
}

impl<B: Bits> Sinker<B> for Smart {
    fn next_shot(&self, position: &Position<B>) -> Option<usize> {
        let open = open(position);
        if !position.board().beside(position.live()).meets(open) {
            return None;
        }
        let next = position.live_in_order().find_map(|hit| next_from(position, open, hit.cell));
        next.or_else(|| beside_any(position, open))
    }

    fn words(&self, position: &Position<B>) -> String {
        let distance = (position.left().shortest() / 2).max(1);
        format!("{} live hits; probing {distance} away from the oldest, or along its line", position.live().count())
    }
}
