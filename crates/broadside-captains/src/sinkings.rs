//! Which hits belong to the ships that sank.
//!
//! "Sunk" names a cell and, with most calls, a length; not the rest of the ship. Where ships keep apart, the ship is
//! the whole group of hits around the cell. Where they may touch there can be several candidates: straight rows of
//! hits of that length through the cell, none of them fired at later. They are settled in this order.
//!
//! 1. A sinking with only one candidate is that. Its cells are then no one else's, which may settle others.
//! 2. If all have several, the earliest sinking takes its likeliest candidate: the longest (where calls name no
//!    length), of these the one whose first hit came last, since whoever fires follows the ship that was found;
//!    then a horizontal one before a vertical one, and the first in reading order. This is a guess, the same every time.
//! 3. A sinking that is left without a candidate by earlier guesses takes only its own cell.
//!
//! A length is taken off the ships left only if all candidates agree on it.

use broadside_rules::{Call, Fleet, Orientation, Touch};

use crate::bits::Bits;
use crate::board::{Board, Direction};
use crate::position::Hit;

/// An announced sinking.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sinking {
    /// The length called, if one was.
    pub(crate) length: Option<usize>,
    /// The number of hits up to and with the one that sank the ship.
    pub(crate) hits: usize,
}

/// What the candidates depend on, beside the shots.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a, B> {
    pub(crate) board: &'a Board<B>,
    pub(crate) fleet: &'a Fleet,
    pub(crate) touch: Touch,
    pub(crate) call: Call,
}

/// What the sinkings tell about the ships that sank.
#[derive(Clone, Debug)]
pub(crate) struct SunkShips<B> {
    /// The cells of the ships that sank.
    pub(crate) cells: B,
    /// How many they are.
    pub(crate) count: usize,
    /// The lengths that were not called but are certain.
    pub(crate) lengths: Vec<usize>,
    /// How many sinkings are settled for good: no later shot can change them.
    settled: usize,
}

impl<B: Bits> SunkShips<B> {
    /// Nothing sank yet.
    pub(crate) fn none() -> Self {
        Self { cells: B::EMPTY, count: 0, lengths: Vec::new(), settled: 0 }
    }
}

/// Works out which hits belong to the ships that sank, given the same from before the last of these sinkings.
pub(crate) fn attribute<B: Bits>(context: Context<B>, hits: &[Hit], sinkings: &[Sinking], before: &mut SunkShips<B>) {
    // Guesses are made again each time, since a later sinking can clear up an earlier one. What was certain stays: the number of
    // candidates never grows.
    if before.settled + 1 < sinkings.len() {
        *before = SunkShips::none();
    }
    let ends = sinkings.iter().fold(B::EMPTY, |set, sinking| set | B::only(hits[sinking.hits - 1].cell));
    let mut open: Vec<&Sinking> = sinkings[before.settled..].iter().collect();
    let mut attribution = Attribution { context, hits, ends, sunk_ships: before };
    while !open.is_empty() {
        let mut candidates = open.iter().map(|sinking| attribution.candidates(sinking)).enumerate();
        let certain = candidates.find(|(_, candidates)| candidates.count == 1);
        let is_certain = certain.is_some();
        let (number, candidates) = certain.unwrap_or_else(|| (0, attribution.candidates(open[0])));
        attribution.decide(open.remove(number), &candidates);
        attribution.sunk_ships.settled += usize::from(is_certain);
    }
    before.count = before.cells.count();
}

/// The places where one ship may have lain.
struct Candidates<B> {
    count: usize,
    /// The likeliest place, with its length and the number of its oldest hit.
    best: Option<(B, usize, usize)>,
    /// Whether all have one length.
    one_length: bool,
}

struct Attribution<'a, B> {
    context: Context<'a, B>,
    hits: &'a [Hit],
    /// The cells at which ships sank.
    ends: B,
    sunk_ships: &'a mut SunkShips<B>,
}

impl<B: Bits> Attribution<'_, B> {
    fn decide(&mut self, sinking: &Sinking, candidates: &Candidates<B>) {
        let Some((cells, length, _)) = candidates.best else {
            self.sunk_ships.cells |= B::only(self.cell(sinking));
            return;
        };
        self.sunk_ships.cells |= cells;
        if sinking.length.is_none() && candidates.one_length {
            self.sunk_ships.lengths.push(length);
        }
    }

    fn cell(&self, sinking: &Sinking) -> usize {
        self.hits[sinking.hits - 1].cell
    }

    /// Where the ship may have lain.
    fn candidates(&self, sinking: &Sinking) -> Candidates<B> {
        let mut candidates = Candidates { count: 0, best: None, one_length: true };
        let on = self.free_hits(sinking);
        let lengths = self.context.fleet.classes().map(|(length, _)| length.get());
        for length in lengths.filter(|&length| sinking.length.is_none_or(|called| called == length)) {
            // A single cell has no orientation.
            let orientations = if length == 1 { &Orientation::ALL[..1] } else { &Orientation::ALL[..] };
            for &orientation in orientations {
                self.add_ships(sinking, on, (length, orientation), &mut candidates);
            }
        }
        candidates
    }

    fn add_ships(&self, sinking: &Sinking, on: B, (length, orientation): (usize, Orientation), candidates: &mut Candidates<B>) {
        let (cell, board) = (self.cell(sinking), self.context.board);
        let (back, ahead) = match orientation {
            Orientation::Horizontal => (Direction::Left, Direction::Right),
            Orientation::Vertical => (Direction::Up, Direction::Down),
        };
        let before = board.reach(on, cell, back, length - 1);
        let after = board.reach(on, cell, ahead, length - 1);
        // The bow may lie `before` cells back at most, and at least so far that the stern is within reach.
        for back in ((length - 1).saturating_sub(after)..=before).rev() {
            let ship = board.ship(cell - back * board.stride(orientation), length, orientation);
            if self.keeps_apart(ship, sinking) {
                candidates.add(ship, length, self.oldest(ship));
            }
        }
    }

    /// The hits that the ship may consist of: those up to its sinking that are nobody else's.
    fn free_hits(&self, sinking: &Sinking) -> B {
        // With `every` call a hit of another length belongs to another ship.
        let matches = |hit: &&Hit| !self.context.call.tells_length_on_hit() || hit.length == sinking.length;
        let hits = self.hits[..sinking.hits].iter().filter(matches);
        let hits = hits.fold(B::EMPTY, |set, hit| set | B::only(hit.cell));
        (hits & !self.ends & !self.sunk_ships.cells) | B::only(self.cell(sinking))
    }

    /// Where ships may not lie side by side, a hit beside the ship would be another ship's.
    fn keeps_apart(&self, ship: B, sinking: &Sinking) -> bool {
        let hits = || self.hits[..sinking.hits].iter().fold(B::EMPTY, |set, hit| set | B::only(hit.cell));
        self.context.touch.allows_sides() || !(self.context.board.beside(ship) & !ship).meets(hits())
    }

    fn oldest(&self, ship: B) -> usize {
        self.hits.iter().position(|hit| ship.has(hit.cell)).unwrap_or(0)
    }
}

impl<B: Bits> Candidates<B> {
    /// Of equals the first one added stays.
    fn add(&mut self, ship: B, length: usize, oldest: usize) {
        self.count += 1;
        self.one_length &= self.best.is_none_or(|(_, other, _)| other == length);
        if self.best.is_none_or(|(_, other, age)| (length, oldest) > (other, age)) {
            self.best = Some((ship, length, oldest));
        }
    }
}

#[cfg(test)]
mod tests {
    use broadside_rules::{Rules, ShotLog};

    use super::*;
    use crate::position::Position;

    /// The cells of sunk ships and the lengths left.
    fn sunk_and_left(rules: &str, shots: &str) -> (String, Vec<usize>) {
        let rules: Rules = rules.parse().unwrap();
        let mut position = Position::<u128>::new(&rules);
        position.read(&ShotLog::parse(&rules, shots).unwrap());
        let cells: Vec<String> = position.sunk().iter().map(|index| position.board().cell(index).to_string()).collect();
        let left = position.left().classes().flat_map(|(length, count)| vec![length; count]).collect();
        (cells.join(" "), left)
    }

    #[test]
    fn the_only_candidate_is_the_ship() {
        assert_eq!(sunk_and_left("classic", "A1+ B1+ B2#2"), ("B1 B2".into(), vec![5, 4, 3, 3]));
        assert_eq!(sunk_and_left("5x5 2,1 allowed ship", "A1+ A2#1"), ("A2".into(), vec![2]));
    }

    #[test]
    fn of_two_candidates_the_one_hit_last_is_taken() {
        // C3 ends the row C1-C3 as well as the column A3-C3.
        assert_eq!(sunk_and_left("classic", "C1+ C2+ A3+ B3+ C3#3").0, "A3 B3 C3");
        assert_eq!(sunk_and_left("classic", "A3+ B3+ C1+ C2+ C3#3").0, "C1 C2 C3");
        assert_eq!(sunk_and_left("classic", "C1+ C2+ C4+ C5+ C3#3").0, "C3 C4 C5");
    }

    #[test]
    fn a_later_sinking_clears_up_an_earlier_one() {
        // A2 sinks A1-A2 or A2-A3; the second sinking at A4 can only be A3-A4.
        assert_eq!(sunk_and_left("5x5 2,2 allowed ship", "A1+ A3+ A2#2").0, "A2 A3");
        assert_eq!(sunk_and_left("5x5 2,2 allowed ship", "A1+ A3+ A2#2 A4#2"), ("A1 A2 A3 A4".into(), vec![]));
    }

    #[test]
    fn lengths_called_on_every_hit_tell_ships_apart() {
        let every = "10x10 5,4,3,3,2 allowed every";
        assert_eq!(sunk_and_left(every, "A3+3 B3+3 C1+2 C2+3 C3#3").0, "A3 B3 C3");
    }

    #[test]
    fn without_lengths_the_longest_row_is_taken_and_certain_lengths_are_taken_off() {
        assert_eq!(sunk_and_left("6x6 3,2 never bare", "B2+ B3#"), ("B2 B3".into(), vec![3]));
        assert_eq!(sunk_and_left("6x6 3,2 allowed bare", "B2+ B3#"), ("B2 B3".into(), vec![3]));
        assert_eq!(sunk_and_left("6x6 3,2 allowed bare", "B2+ B3+ B4#"), ("B2 B3 B4".into(), vec![3, 2]));
        assert_eq!(sunk_and_left("6x6 3,2 allowed silent", "B2+ B3+ B4+"), (String::new(), vec![3, 2]));
    }
}
