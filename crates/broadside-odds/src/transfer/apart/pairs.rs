//! The pairs of placements of two ships that clash, and which of them a third ship takes away.

use std::ops::Range;

use super::places::{Places, WORD, members};
use crate::Problem;

/// The clashing pairs of two classes. A set of pairs has a bit for each.
#[derive(Debug)]
pub(super) struct Clashes {
    /// The two placements of each pair.
    ends: Vec<(u32, u32)>,
    /// Words of a set of pairs.
    words: usize,
    /// For each placement the set of pairs of which it clashes with one end at least.
    taken: Vec<u64>,
    /// For each placement the words in which that set has members.
    spans: Vec<Range<u32>>,
}

impl Clashes {
    fn new(places: &Places, one: usize, other: usize) -> Self {
        let mut ends = vec![];
        for (place, _) in places.numbers().filter(|(place, _)| places.class(*place) == one) {
            let range = places.classes[other].clone();
            let clashing = members(&places.clashes(place)[range.clone()]).map(|number| range.start * WORD + number);
            // Of two placements of one class each pair once, and none with itself.
            ends.extend(clashing.filter(|&clash| one != other || clash > place).map(|clash| (place as u32, clash as u32)));
        }
        let words = ends.len().div_ceil(WORD);
        let mut clashes = Self { ends, words, taken: vec![0; places.list.len() * words], spans: vec![0..0; places.list.len()] };
        clashes.fill(places);
        clashes
    }

    fn fill(&mut self, places: &Places) {
        let mut of_end = vec![vec![]; places.list.len()];
        for (pair, &(one, other)) in self.ends.iter().enumerate() {
            of_end[one as usize].push(pair);
            of_end[other as usize].push(pair);
        }
        for (place, _) in places.numbers() {
            let taken = &mut self.taken[place * self.words..][..self.words];
            for &pair in members(places.clashes(place)).flat_map(|end| &of_end[end]) {
                taken[pair / WORD] |= 1 << (pair % WORD);
            }
            let first = taken.iter().position(|&word| word != 0).unwrap_or(0);
            let end = taken.iter().rposition(|&word| word != 0).map_or(first, |last| last + 1);
            self.spans[place] = first as u32..end as u32;
        }
    }

    fn bytes(&self) -> usize {
        8 * (self.taken.len() + self.ends.len() + self.spans.len())
    }

    /// The pairs both of whose placements are allowed.
    pub(super) fn among(&self, allowed: &[u64]) -> Vec<u64> {
        let has = |place: u32| allowed[place as usize / WORD] >> (place as usize % WORD) & 1 == 1;
        let mut set = vec![0; self.words];
        for (pair, _) in self.ends.iter().enumerate().filter(|(_, (one, other))| has(*one) && has(*other)) {
            set[pair / WORD] |= 1 << (pair % WORD);
        }
        set
    }

    /// Makes `set` the pairs of another that a ship on this placement leaves.
    #[inline(always)]
    pub(super) fn leave(&self, from: &[u64], place: usize, set: &mut Vec<u64>) {
        let taken = &self.taken[place * self.words..][..self.words];
        set.clear();
        set.extend(from.iter().zip(taken).map(|(from, taken)| from & !taken));
    }

    /// How many pairs of a set a ship on this placement takes away.
    #[inline(always)]
    pub(super) fn count_taken(&self, set: &[u64], place: usize) -> u64 {
        let span = self.spans[place].start as usize..self.spans[place].end as usize;
        let taken = &self.taken[place * self.words..][..self.words];
        set[span.clone()].iter().zip(&taken[span]).map(|(set, taken)| u64::from((set & taken).count_ones())).sum()
    }
}

/// The clashing pairs of all classes that can be among the last three ships.
#[derive(Debug)]
pub(super) struct Pairs {
    classes: usize,
    tables: Vec<Option<Clashes>>,
}

impl Pairs {
    /// None if they take more memory than allowed.
    pub(super) fn new(places: &Places, problem: &Problem, bytes: usize) -> Option<Self> {
        let classes = problem.classes.len();
        let mut pairs = Self { classes, tables: (0..classes * classes).map(|_| None).collect() };
        let mut left = bytes;
        for (one, other) in (0..classes).flat_map(|one| (one..classes).map(move |other| (one, other))) {
            let counts = [one, other].map(|class| problem.classes[class].count);
            if counts.contains(&0) || (one == other && counts[0] < 2) || !pairs.is_needed(problem, one, other) {
                continue;
            }
            let table = Clashes::new(places, one, other);
            left = left.checked_sub(table.bytes())?;
            pairs.tables[one * classes + other] = Some(table);
        }
        Some(pairs)
    }

    /// Whether the two classes can be among the last three ships. Without hits to cover, those are the last of the fleet.
    fn is_needed(&self, problem: &Problem, one: usize, other: usize) -> bool {
        if problem.ships() < 3 {
            return false;
        }
        let after: usize = problem.classes[other + 1..self.classes].iter().map(|class| class.count).sum();
        let between: usize = problem.classes[one..other].iter().skip(1).map(|class| class.count).sum();
        let own = if one == other { 0 } else { problem.classes[other].count - 1 };
        problem.must_cells() > 0 || after + between + own <= 1
    }

    /// The clashing pairs of two classes.
    pub(super) fn of(&self, one: usize, other: usize) -> &Clashes {
        let (one, other) = (one.min(other), one.max(other));
        self.tables[one * self.classes + other].as_ref().expect("a table for all that can be among the last ships")
    }
}
