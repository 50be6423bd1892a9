//! What the games of a campaign have shown so far.

use crate::Histogram;

/// The shots of all games played so far, counted. Its size doesn't depend on the number of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    played: u64,
    shots: Vec<Histogram>,
    differences: Vec<Histogram>,
}

impl Tally {
    /// No games yet.
    pub(crate) fn new(cells: usize, captains: usize) -> Self {
        let cells = cells.cast_signed() as i64;
        let differences = vec![Histogram::new(-cells, cells); pairs(captains).count()];
        Self { played: 0, shots: vec![Histogram::new(0, cells); captains], differences }
    }

    /// A tally read from a file. The caller has checked that the parts belong together.
    pub(crate) fn from_parts(played: u64, shots: Vec<Histogram>, differences: Vec<Histogram>) -> Self {
        Self { played, shots, differences }
    }

    /// How many games have been played.
    pub fn played(&self) -> u64 {
        self.played
    }

    /// How many games took each number of shots, for each captain.
    pub fn shots(&self) -> &[Histogram] {
        &self.shots
    }

    /// How many more shots one captain took than another, game by game, for each of the [`pairs`].
    pub fn differences(&self) -> &[Histogram] {
        &self.differences
    }

    pub(crate) fn add(&mut self, shots: &[i64]) {
        self.played += 1;
        self.shots.iter_mut().zip(shots).for_each(|(histogram, &shots)| histogram.add(shots));
        self.differences.iter_mut().zip(pairs(shots.len())).for_each(|(histogram, (a, b))| histogram.add(shots[a] - shots[b]));
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.played += other.played;
        self.shots.iter_mut().zip(&other.shots).for_each(|(mine, theirs)| mine.merge(theirs));
        self.differences.iter_mut().zip(&other.differences).for_each(|(mine, theirs)| mine.merge(theirs));
    }
}

/// All pairs of captains by their index: each with every one after it.
pub fn pairs(captains: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..captains).flat_map(move |a| (a + 1..captains).map(move |b| (a, b)))
}
