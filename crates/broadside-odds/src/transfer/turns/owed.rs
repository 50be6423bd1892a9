//! What the shooter is owed: hits that were called and that no ship placed so far accounts for.

use broadside_rules::{Answer, Placement, ShotLog};

/// Numbers of hits, each in a few bits of its own: of every answer that some turn was called with, and of the hits whose cells are known.
/// The bit above each number is free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Hits(u128);

/// What a log says that the fleet must account for.
#[derive(Debug)]
pub(super) struct Owed<'a> {
    log: &'a ShotLog,
    /// For each cell in reading order the number of the shot at it.
    shots: Vec<Option<usize>>,
    /// For each shot the turn that it belongs to, if only the hits of that turn were called.
    turns: Vec<Option<usize>>,
    /// For each such turn the answers that it was called with, and the lowest bit of their number.
    answers: Vec<Vec<(Answer, u32)>>,
    /// The lowest bit of the number of hits whose cells are known.
    known: u32,
    all: Hits,
    /// The bits above the numbers.
    free: u128,
}

impl<'a> Owed<'a> {
    /// What a log with so many hits at known cells owes; none if the numbers need more bits than there are.
    pub(super) fn new(log: &'a ShotLog, known_hits: usize) -> Option<Self> {
        let grid = log.rules().grid();
        let (mut shots, mut turns) = (vec![None; grid.len()], vec![None; log.len()]);
        log.shots().iter().enumerate().for_each(|(number, shot)| shots[grid.index(shot.cell)] = Some(number));
        for (turn, called) in log.called_turns().iter().enumerate() {
            turns[called.shots()].fill(Some(turn));
        }
        let mut owed = Self { log, shots, turns, answers: Vec::new(), known: 0, all: Hits(0), free: 0 };
        let mut next = 0;
        owed.known = owed.add_number(&mut next, known_hits)?;
        for called in log.called_turns() {
            let mut kinds: Vec<(Answer, u32)> = Vec::new();
            let all = called.call().answers();
            for &answer in all {
                if kinds.iter().all(|(kind, _)| *kind != answer) {
                    let number = all.iter().filter(|&&other| other == answer).count();
                    kinds.push((answer, owed.add_number(&mut next, number)?));
                }
            }
            owed.answers.push(kinds);
        }
        Some(owed)
    }

    /// Makes room for a number from a bit on; none if there is not enough.
    fn add_number(&mut self, next: &mut u32, number: usize) -> Option<u32> {
        let (low, above) = (*next, *next + usize::BITS - number.leading_zeros());
        *next = above + 1;
        (*next <= u128::BITS).then(|| {
            self.all.0 |= (number as u128) << low;
            self.free |= 1 << above;
            low
        })
    }

    /// All that is owed before any ship is placed.
    pub(super) fn all(&self) -> Hits {
        self.all
    }

    /// What is owed still once a ship that accounts for these hits is placed; none if it accounts for too many.
    pub(super) fn after(&self, owed: Hits, ship: Hits) -> Option<Hits> {
        // Where a number would fall below nothing it borrows the free bit above it.
        let left = (owed.0 | self.free) - ship.0;
        (left & self.free == self.free).then_some(Hits(left & !self.free))
    }

    /// The hits of both, if so many are owed.
    pub(super) fn both(&self, one: Hits, other: Hits) -> Option<Hits> {
        let sum = Hits(one.0 + other.0);
        self.after(self.all, sum).map(|_| sum)
    }

    /// What a ship accounts for; none if a hit of it would have been called otherwise.
    pub(super) fn hits_of(&self, ship: Placement) -> Option<Hits> {
        let grid = self.log.rules().grid();
        let number = |cell| self.shots[grid.index(cell)];
        let last = ship.cells().map(number).try_fold(0, |last, number| number.map(|number| last.max(number)));
        let mut hits = Hits(0);
        for number in ship.cells().filter_map(number) {
            let Some(low) =
                self.place_of(number, Answer::for_hit(self.log.rules().call(), ship.length(), last == Some(number)))?
            else {
                continue;
            };
            // One by one, so that a number never passes its free bit.
            hits = self.both(hits, Hits(1 << low))?;
        }
        Some(hits)
    }

    /// Where a shot with this answer is counted: nowhere as long as nothing is told of it. None if it was called otherwise.
    #[expect(clippy::option_option, reason = "the outer one ends the caller")]
    fn place_of(&self, number: usize, answer: Answer) -> Option<Option<u32>> {
        match self.turns[number] {
            Some(turn) => self.answers[turn].iter().find(|(kind, _)| *kind == answer).map(|(_, low)| Some(*low)),
            // Whether an answer to the shot itself fits has been looked at before: see `Problem`.
            None => Some((self.log.shots()[number].answer != Answer::Untold).then_some(self.known)),
        }
    }
}
