//! A family of sets, and the reductions and bounds that a search for a hitting set needs.

use fixedbitset::FixedBitSet;

/// Sets of elements `0..k`. Each element has a name: its number in the family that was given first.
#[derive(Debug, Clone)]
pub(super) struct Family {
    names: Vec<usize>,
    sets: Vec<FixedBitSet>,
}

impl Family {
    pub(super) fn new(universe: usize, sets: &[Vec<usize>]) -> Self {
        let bits = |set: &Vec<usize>| {
            let mut bits = FixedBitSet::with_capacity(universe);
            bits.extend(set.iter().copied());
            bits
        };
        Self { names: (0..universe).collect(), sets: sets.iter().map(bits).collect() }
    }

    /// The name of an element.
    pub(super) fn name(&self, element: usize) -> usize {
        self.names[element]
    }

    /// The work of a node with this family, in nodes of a small family. It grows with the number of pairs of sets.
    pub(super) fn work(&self) -> u64 {
        let sets = self.sets.len() as u64;
        1 + ((sets * sets) >> 16)
    }

    /// For each element, the sets it is in.
    fn occurrences(&self) -> Vec<FixedBitSet> {
        let mut occurrences = vec![FixedBitSet::with_capacity(self.sets.len()); self.names.len()];
        for (index, set) in self.sets.iter().enumerate() {
            set.ones().for_each(|element| occurrences[element].insert(index));
        }
        occurrences
    }

    /// Applies the three reductions until none changes anything. Returns the names of the forced elements.
    pub(super) fn reduce(&mut self) -> Vec<usize> {
        let mut forced = Vec::new();
        while self.drop_supersets() | self.drop_dominated_elements() | self.take_forced(&mut forced) {}
        forced
    }

    /// Drops each set that contains another; of equal sets the first stays.
    fn drop_supersets(&mut self) -> bool {
        let occurrences = self.occurrences();
        let mut keep = FixedBitSet::with_capacity(self.sets.len());
        keep.insert_range(..);
        for (index, set) in self.sets.iter().enumerate() {
            let mut supersets = intersection(set.ones().map(|element| &occurrences[element]));
            supersets.set(index, false);
            for other in supersets.ones().filter(|&other| other > index || set.count_ones(..) < self.sets[other].count_ones(..)) {
                keep.set(other, false);
            }
        }
        self.keep_sets(&keep)
    }

    fn keep_sets(&mut self, keep: &FixedBitSet) -> bool {
        let before = self.sets.len();
        let mut index = 0..;
        self.sets.retain(|_| index.next().is_some_and(|index| keep.contains(index)));
        self.sets.len() < before
    }

    /// Rules out each element whose sets all contain another element that is in more sets, or in the same sets and comes first.
    /// This order has no cycles, so all of them can be ruled out at once.
    fn drop_dominated_elements(&mut self) -> bool {
        let occurrences = self.occurrences();
        let degrees: Vec<usize> = occurrences.iter().map(|sets| sets.count_ones(..)).collect();
        let mut dominated = FixedBitSet::with_capacity(self.names.len());
        for element in (0..self.names.len()).filter(|&element| degrees[element] > 0) {
            let companions = intersection(occurrences[element].ones().map(|set| &self.sets[set]));
            let better = |&other: &usize| (degrees[other], element) > (degrees[element], other);
            dominated.set(element, companions.ones().any(|other| better(&other)));
        }
        self.sets.iter_mut().for_each(|set| set.difference_with(&dominated));
        !dominated.is_clear()
    }

    /// Chooses the only element of each set that has just one.
    fn take_forced(&mut self, forced: &mut Vec<usize>) -> bool {
        let before = forced.len();
        while let Some(element) = self.sets.iter().find_map(only_element) {
            forced.push(self.names[element]);
            self.sets.retain(|set| !set.contains(element));
        }
        forced.len() > before
    }

    /// The family left when the element is chosen.
    pub(super) fn without_sets_of(&self, element: usize) -> Self {
        let sets = self.sets.iter().filter(|set| !set.contains(element)).cloned().collect();
        Self { names: self.names.clone(), sets }
    }

    /// Takes the element out of every set.
    pub(super) fn rule_out(&mut self, element: usize) {
        self.sets.iter_mut().for_each(|set| set.set(element, false));
    }

    /// The elements of a smallest set, most frequent first. Of several smallest sets, one whose elements are in most sets.
    pub(super) fn branching_set(&self) -> Vec<usize> {
        let degrees: Vec<usize> = self.occurrences().iter().map(|sets| sets.count_ones(..)).collect();
        let weight =
            |set: &&FixedBitSet| (set.count_ones(..), usize::MAX - set.ones().map(|element| degrees[element]).sum::<usize>());
        let mut elements: Vec<usize> = self.sets.iter().min_by_key(weight).map(|set| set.ones().collect()).unwrap_or_default();
        elements.sort_by_key(|&element| usize::MAX - degrees[element]);
        elements
    }

    /// Splits the family into parts that share no element, smallest first, with new numbers for their elements.
    pub(super) fn parts(&self) -> Vec<Self> {
        let occurrences = self.occurrences();
        let mut left = FixedBitSet::with_capacity(self.sets.len());
        left.insert_range(..);
        let mut parts = Vec::new();
        while let Some(first) = left.minimum() {
            parts.push(self.renumbered(&self.connected(first, &mut left, &occurrences)));
        }
        parts.sort_by_key(|part| part.sets.len());
        parts
    }

    /// The sets that are connected with this one by shared elements. Takes them out of `left`.
    fn connected(&self, first: usize, left: &mut FixedBitSet, occurrences: &[FixedBitSet]) -> Vec<usize> {
        let (mut reached, mut next) = (vec![first], 0);
        left.set(first, false);
        while next < reached.len() {
            for element in self.sets[reached[next]].ones() {
                let new: Vec<usize> = occurrences[element].intersection(left).collect();
                left.difference_with(&occurrences[element]);
                reached.extend(new);
            }
            next += 1;
        }
        reached
    }

    fn renumbered(&self, chosen: &[usize]) -> Self {
        let mut present = FixedBitSet::with_capacity(self.names.len());
        for &set in chosen {
            present.union_with(&self.sets[set]);
        }
        let elements: Vec<usize> = present.ones().collect();
        let place = |element: usize| elements.binary_search(&element).ok();
        let sets: Vec<Vec<usize>> = chosen.iter().map(|&set| self.sets[set].ones().filter_map(place).collect()).collect();
        let names = elements.iter().map(|&element| self.names[element]).collect();
        Self { names, ..Self::new(elements.len(), &sets) }
    }

    /// A hitting set: takes the most frequent element again and again, then leaves out elements that are not needed.
    pub(super) fn greedy(&self) -> Vec<usize> {
        let mut rest = self.clone();
        let mut chosen = Vec::new();
        while let Some(element) = rest.most_frequent() {
            chosen.push(element);
            rest.sets.retain(|set| !set.contains(element));
        }
        self.without_unneeded(chosen).into_iter().map(|element| self.names[element]).collect()
    }

    fn most_frequent(&self) -> Option<usize> {
        let occurrences = self.occurrences();
        let frequent = (0..self.names.len()).max_by_key(|&element| occurrences[element].count_ones(..))?;
        (!occurrences[frequent].is_clear()).then_some(frequent)
    }

    fn without_unneeded(&self, mut chosen: Vec<usize>) -> Vec<usize> {
        for place in (0..chosen.len()).rev() {
            let element = chosen.swap_remove(place);
            if !self.sets.iter().all(|set| chosen.iter().any(|&other| set.contains(other))) {
                chosen.push(element);
            }
        }
        chosen
    }

    /// A lower bound on the size of a hitting set. Disjoint sets are the better bound for small sets, such as placements. Shares
    /// are the better bound for large sets that overlap a lot, such as whole layouts.
    pub(super) fn at_least(&self) -> usize {
        self.packing().max(self.shares())
    }

    /// A lower bound by shares. Each set gets a share such that the sets of any one element have at most [`WHOLE`] together. The
    /// sets that an element of a hitting set meets have at most [`WHOLE`], so a hitting set has at least as many elements as all
    /// shares divided by [`WHOLE`]. First each set gets an even share of its most frequent element. Then each set gets all that
    /// its elements have left.
    fn shares(&self) -> usize {
        let degrees: Vec<usize> = self.occurrences().iter().map(|sets| sets.count_ones(..)).collect();
        let even = |set: &FixedBitSet| WHOLE / set.ones().map(|element| degrees[element] as u64).max().unwrap_or(1);
        let mut left = vec![WHOLE; self.names.len()];
        let mut given = 0;
        for set in &self.sets {
            given += give(set, even(set), &mut left);
        }
        for set in &self.sets {
            given += give(set, WHOLE, &mut left);
        }
        given.div_ceil(WHOLE) as usize
    }

    /// A lower bound: a number of pairwise disjoint sets. They are chosen by fewest conflicts, and then one set is exchanged for
    /// two where that is possible.
    fn packing(&self) -> usize {
        let conflicts = self.conflicts();
        let mut order: Vec<usize> = (0..self.sets.len()).collect();
        order.sort_by_key(|&set| conflicts[set].count_ones(..));
        let mut packed = FixedBitSet::with_capacity(self.sets.len());
        fill(&mut packed, &order, &conflicts);
        while exchange(&mut packed, &conflicts) {
            fill(&mut packed, &order, &conflicts);
        }
        packed.count_ones(..)
    }

    /// For each set, the sets it shares an element with, itself included.
    fn conflicts(&self) -> Vec<FixedBitSet> {
        let occurrences = self.occurrences();
        let union = |set: &FixedBitSet| {
            let mut union = FixedBitSet::with_capacity(self.sets.len());
            set.ones().for_each(|element| union.union_with(&occurrences[element]));
            union
        };
        self.sets.iter().map(union).collect()
    }
}

/// What an element can share out among its sets. Shares are integers, so that the bound is exact.
const WHOLE: u64 = 1 << 32;

/// Gives the set a share: as much as its elements have left, and at most `most`.
fn give(set: &FixedBitSet, most: u64, left: &mut [u64]) -> u64 {
    let share = set.ones().map(|element| left[element]).min().unwrap_or(0).min(most);
    for element in set.ones() {
        left[element] -= share;
    }
    share
}

/// Adds, in order, each set that meets none of the packed ones.
fn fill(packed: &mut FixedBitSet, order: &[usize], conflicts: &[FixedBitSet]) {
    for &set in order {
        if conflicts[set].is_disjoint(packed) {
            packed.insert(set);
        }
    }
}

/// Exchanges a packed set for two disjoint sets that meet no other packed set, if there are such.
fn exchange(packed: &mut FixedBitSet, conflicts: &[FixedBitSet]) -> bool {
    for set in packed.ones().collect::<Vec<_>>() {
        let only: Vec<usize> = conflicts[set].ones().filter(|&other| conflicts[other].intersection_count(packed) == 1).collect();
        let pair = only
            .iter()
            .enumerate()
            .find_map(|(i, &one)| only[i + 1..].iter().find(|&&two| !conflicts[one].contains(two)).map(|&two| (one, two)));
        if let Some((one, two)) = pair {
            packed.set(set, false);
            packed.insert(one);
            packed.insert(two);
            return true;
        }
    }
    false
}

fn only_element(set: &FixedBitSet) -> Option<usize> {
    let mut elements = set.ones();
    elements.next().filter(|_| elements.next().is_none())
}

/// The intersection of the sets. Empty for no sets.
fn intersection<'a>(mut sets: impl Iterator<Item = &'a FixedBitSet>) -> FixedBitSet {
    let mut common = sets.next().cloned().unwrap_or_default();
    sets.for_each(|set| common.intersect_with(set));
    common
}
