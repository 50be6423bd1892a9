//! How many ships of each length are left.

use broadside_rules::Fleet;

/// The ships left, as a number for each length.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ShipsLeft {
    /// Each length of the fleet, longest first, with the ships of it that are left.
    classes: Vec<(usize, usize)>,
}

impl Clone for ShipsLeft {
    fn clone(&self) -> Self {
        Self { classes: self.classes.clone() }
    }

    /// Keeps the memory.
    fn clone_from(&mut self, other: &Self) {
        self.classes.clone_from(&other.classes);
    }
}

impl ShipsLeft {
    pub(crate) fn new(fleet: &Fleet) -> Self {
        Self { classes: fleet.classes().map(|(length, count)| (length.get(), count)).collect() }
    }

    /// Fills in the whole fleet again, keeping the memory.
    pub(crate) fn restore(&mut self, fleet: &Fleet) {
        self.classes.clear();
        self.classes.extend(fleet.classes().map(|(length, count)| (length.get(), count)));
    }

    /// One ship of this length fewer, if there was one.
    pub(crate) fn remove(&mut self, length: usize) {
        if let Some((_, count)) = self.classes.iter_mut().find(|(l, count)| *l == length && *count > 0) {
            *count -= 1;
        }
    }

    /// Each length that is left, longest first, with its number of ships.
    #[inline]
    pub(crate) fn classes(&self) -> impl DoubleEndedIterator<Item = (usize, usize)> + '_ {
        self.classes.iter().copied().filter(|&(_, count)| count > 0)
    }

    /// How many ships of each length of the fleet are left, longest first, with those that are all sunk.
    #[inline]
    pub(crate) fn all_classes(&self) -> &[(usize, usize)] {
        &self.classes
    }

    /// The longest ship left. When all are sunk, 1: then every cell is as good as any.
    pub(crate) fn longest(&self) -> usize {
        self.classes().next().map_or(1, |(length, _)| length)
    }

    /// The shortest ship left. When all are sunk, 1: then every cell is as good as any.
    pub(crate) fn shortest(&self) -> usize {
        self.classes().next_back().map_or(1, |(length, _)| length)
    }
}
