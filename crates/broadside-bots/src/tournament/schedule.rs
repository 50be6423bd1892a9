//! Who plays whom, in which order.

use std::ops::Range;

/// What is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Everybody fires at the same layouts, alone; fewer shots are better.
    Solo,
    /// Two fire at each other in turns, as often with the one first as with the other.
    #[default]
    Duel,
}

impl Mode {
    /// Both.
    pub const ALL: &'static [Self] = &[Self::Solo, Self::Duel];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Solo => "solo",
            Self::Duel => "duel",
        }
    }
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pairing {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
    /// The first meets the second, the third the fourth, and so on.
    Pairs,
}

impl Pairing {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::RoundRobin, Self::Gauntlet, Self::Pairs];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
            Self::Pairs => "pairs",
        }
    }

    /// The pairs among so many players, by their numbers.
    pub fn pairs(self, players: usize) -> Vec<(usize, usize)> {
        match self {
            Self::RoundRobin => broadside_lab::pairs(players).collect(),
            Self::Gauntlet => (1..players).map(|other| (0, other)).collect(),
            Self::Pairs => (1..players).step_by(2).map(|second| (second - 1, second)).collect(),
        }
    }
}

/// What some consecutive games have in common: who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// A player alone, on dealt layouts.
    Solo {
        /// Who fires.
        shooter: usize,
    },
    /// A player fires at the layout of another.
    Hunt {
        /// Who fires.
        shooter: usize,
        /// Who has placed the ships.
        hider: usize,
    },
    /// Two players against each other.
    Duel {
        /// Who fires first in even games.
        a: usize,
        /// Who fires first in odd games.
        b: usize,
    },
}

impl Entry {
    /// The players who take part.
    pub fn players(self) -> Vec<usize> {
        match self {
            Self::Solo { shooter } => vec![shooter],
            Self::Hunt { shooter, hider } => vec![shooter, hider],
            Self::Duel { a, b } => vec![a, b],
        }
    }
}

/// All games of a tournament in a fixed order. Every game has a number, so that a range of numbers is a part of the tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    entries: Vec<Entry>,
    games: u64,
    /// So many games of each entry are played before the next entry's turn, and then again.
    block: u64,
}

/// A game of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The number of its entry.
    pub entry: usize,
    /// Who plays.
    pub players: Entry,
    /// Its number among the games of the entry.
    pub game: u64,
}

impl Slot {
    /// The two players of a duel, the one who fires first before the other; for others, one player twice.
    pub(crate) fn duel_order(&self) -> [usize; 2] {
        match self.players {
            Entry::Duel { a, b } if self.game.is_multiple_of(2) => [a, b],
            Entry::Duel { a, b } => [b, a],
            Entry::Solo { shooter } | Entry::Hunt { shooter, .. } => [shooter; 2],
        }
    }
}

impl Schedule {
    /// The schedule of so many games for each pair. `own` is whether players place their own ships.
    pub fn new(mode: Mode, pairs: &[(usize, usize)], own: bool, games: u64, block: u64) -> Self {
        let entries = match mode {
            Mode::Duel => pairs.iter().map(|&(a, b)| Entry::Duel { a, b }).collect(),
            Mode::Solo if own => pairs.iter().flat_map(|&(a, b)| hunts(a, b)).collect(),
            Mode::Solo => {
                let mut players: Vec<usize> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
                players.sort_unstable();
                players.dedup();
                players.into_iter().map(|shooter| Entry::Solo { shooter }).collect()
            }
        };
        Self { entries, games, block: block.clamp(1, games.max(1)) }
    }

    /// The entries.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// How many games there are.
    pub fn len(&self) -> u64 {
        self.entries.len() as u64 * self.games
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many games a whole block of all entries has.
    pub fn round(&self) -> u64 {
        self.entries.len() as u64 * self.block
    }

    /// The game with this number.
    ///
    /// # Panics
    /// When there is no such game.
    pub fn slot(&self, number: u64) -> Slot {
        assert!(number < self.len(), "there is no game {number}");
        let (block, within) = (number / self.round(), number % self.round());
        let first = block * self.block;
        // The last block may be shorter.
        let length = self.block.min(self.games - first);
        let (entry, game) = ((within / length) as usize, first + within % length);
        Slot { entry, players: self.entries[entry], game }
    }

    /// Numbers of games that one worker takes at once: of one entry, so that bots need not be started anew.
    pub(crate) fn batch(&self, start: u64, end: u64, most: u64) -> Range<u64> {
        let entry = self.slot(start).entry;
        let stop = (start + 1..end.min(start + most)).find(|&number| self.slot(number).entry != entry);
        start..stop.unwrap_or(end.min(start + most))
    }
}

fn hunts(a: usize, b: usize) -> [Entry; 2] {
    [Entry::Hunt { shooter: a, hider: b }, Entry::Hunt { shooter: b, hider: a }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_those_that_the_words_say() {
        assert_eq!(Pairing::RoundRobin.pairs(3), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(Pairing::Gauntlet.pairs(4), [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(Pairing::Pairs.pairs(5), [(0, 1), (2, 3)]);
    }

    #[test]
    fn every_game_of_every_entry_comes_once_whatever_the_blocks() {
        for (mode, own, entries) in [(Mode::Duel, false, 3), (Mode::Solo, false, 3), (Mode::Solo, true, 6)] {
            for block in [1, 3, 4, 10, 99] {
                let schedule = Schedule::new(mode, &Pairing::RoundRobin.pairs(3), own, 10, block);
                assert_eq!((schedule.entries().len(), schedule.len()), (entries, 10 * entries as u64));
                let mut seen: Vec<(usize, u64)> =
                    (0..schedule.len()).map(|n| schedule.slot(n)).map(|s| (s.entry, s.game)).collect();
                seen.sort_unstable();
                let all: Vec<(usize, u64)> = (0..entries).flat_map(|entry| (0..10).map(move |game| (entry, game))).collect();
                assert_eq!(seen, all, "{mode:?} in blocks of {block}");
            }
        }
    }

    #[test]
    fn a_batch_is_of_one_entry() {
        let schedule = Schedule::new(Mode::Duel, &[(0, 1), (0, 2)], false, 10, 10);
        assert_eq!(schedule.batch(0, 20, 8), 0..8);
        assert_eq!(schedule.batch(8, 20, 8), 8..10);
        assert_eq!(schedule.batch(10, 13, 8), 10..13);
    }
}
