//! What the games of a campaign have shown so far.

use broadside_rules::Rules;

use crate::{Histogram, Ranges};

/// The shots of all games played so far, counted, and which games these are. Its size doesn't depend on the number of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    games: Ranges,
    shots: Vec<Histogram>,
    differences: Vec<Histogram>,
}

impl Tally {
    /// No games yet.
    pub(crate) fn new(rules: &Rules, captains: usize) -> Self {
        let most = most_shots(rules);
        let differences = vec![Histogram::new(-most, most); pairs(captains).count()];
        Self { games: Ranges::new(), shots: vec![Histogram::new(0, most); captains], differences }
    }

    /// A tally read from a file. The caller has checked that the parts belong together.
    pub(crate) fn from_parts(games: Ranges, shots: Vec<Histogram>, differences: Vec<Histogram>) -> Self {
        Self { games, shots, differences }
    }

    /// How many games have been played.
    pub fn played(&self) -> u64 {
        self.games.len()
    }

    /// Which games have been played.
    pub fn games(&self) -> &Ranges {
        &self.games
    }

    /// How many games took each number of shots, for each captain.
    pub fn shots(&self) -> &[Histogram] {
        &self.shots
    }

    /// How many more shots one captain took than another, game by game, for each of the [`pairs`].
    pub fn differences(&self) -> &[Histogram] {
        &self.differences
    }

    /// Counts the shots of a game. Which one it was is told by [`Tally::insert`], for many games at once.
    pub(crate) fn add(&mut self, shots: &[i64]) {
        self.shots.iter_mut().zip(shots).for_each(|(histogram, &shots)| histogram.add(shots));
        self.differences.iter_mut().zip(pairs(shots.len())).for_each(|(histogram, (a, b))| histogram.add(shots[a] - shots[b]));
    }

    /// Tells which games were counted.
    pub(crate) fn insert(&mut self, games: impl IntoIterator<Item = std::ops::Range<u64>>) {
        self.games.extend(games);
    }

    /// Adds all that another tally of the same captains has counted: none of the same games.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.games.extend(other.games.iter());
        self.shots.iter_mut().zip(&other.shots).for_each(|(mine, theirs)| mine.merge(theirs));
        self.differences.iter_mut().zip(&other.differences).for_each(|(mine, theirs)| mine.merge(theirs));
    }
}

/// No game has more shots. Rocks count here as cells do.
pub(crate) fn most_shots(rules: &Rules) -> i64 {
    rules.most_shots().max(rules.grid().len()).cast_signed() as i64
}

/// All pairs of captains by their index: each with every one after it.
pub fn pairs(captains: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..captains).flat_map(move |a| (a + 1..captains).map(move |b| (a, b)))
}
