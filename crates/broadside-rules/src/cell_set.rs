//! Sets of cells of one grid.
//!
//! A cell is the bit of its number in reading order, so on a 3x4 grid the bits lie like this:
//!
//! ```text
//!      1  2  3  4
//!  A   0  1  2  3
//!  B   4  5  6  7
//!  C   8  9 10 11
//! ```
//!
//! Up to 128 cells one `u128` holds them all, and code that wants to count with bits may take it out with
//! [`CellSet::bits`]. Larger grids use a list of such words: slower, never wrong.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub};

use crate::{Cell, Grid};

const WORD: usize = u128::BITS as usize;

/// A set of cells of one grid, with the verbs of a set.
///
/// ```
/// use broadside_rules::{CellSet, Grid, cells};
/// let grid = Grid::new(3, 4)?;
/// let a = cells!("X X . ."
///                ". . . ."
///                ". . . X");
/// let b: CellSet = CellSet::from_cells(grid, ["A2".parse().unwrap(), "B2".parse().unwrap()]);
/// assert_eq!(a.len(), 3);
/// assert_eq!((&a & &b).to_string(), "A2");
/// assert_eq!((&a | &b).to_string(), "A1 A2 B2 C4");
/// assert_eq!((&a - &b).to_string(), "A1 C4");
/// # Ok::<(), broadside_rules::GridError>(())
/// ```
///
/// # Panics
/// Verbs that take two sets panic when the sets belong to different grids, and those that take a cell when the cell
/// is off the grid: both are mistakes of the program, never of its input.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct CellSet {
    grid: Grid,
    words: Words,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Words {
    One(u128),
    Many(Box<[u128]>),
}

impl CellSet {
    /// No cell of the grid.
    pub fn empty(grid: Grid) -> Self {
        let words = match grid.len().div_ceil(WORD) {
            1 => Words::One(0),
            n => Words::Many(vec![0; n].into()),
        };
        Self { grid, words }
    }

    /// Every cell of the grid.
    pub fn full(grid: Grid) -> Self {
        Self::from_cells(grid, grid.cells())
    }

    /// These cells of the grid.
    pub fn from_cells(grid: Grid, cells: impl IntoIterator<Item = Cell>) -> Self {
        let mut set = Self::empty(grid);
        set.extend(cells);
        set
    }

    /// The set whose bits are these (bit = number in reading order); `None` when the grid has more than 128 cells or
    /// a bit lies past its last cell.
    #[inline]
    pub fn from_bits(grid: Grid, bits: u128) -> Option<Self> {
        let inside = grid.len() == WORD || (grid.len() < WORD && bits >> grid.len() == 0);
        inside.then_some(Self { grid, words: Words::One(bits) })
    }

    /// The set as bits; `None` when the grid has more than 128 cells.
    #[inline]
    pub fn bits(&self) -> Option<u128> {
        match &self.words {
            Words::One(bits) => Some(*bits),
            Words::Many(_) => None,
        }
    }

    /// The set as words of 128 bits, the first with the first cells in reading order.
    #[inline]
    pub fn words(&self) -> &[u128] {
        match &self.words {
            Words::One(word) => std::slice::from_ref(word),
            Words::Many(words) => words,
        }
    }

    /// The grid that the cells belong to.
    #[inline]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// How many cells are in it.
    pub fn len(&self) -> usize {
        self.words().iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether it holds no cell.
    pub fn is_empty(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    /// Whether the cell is in it. A cell off the grid never is.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        self.grid.contains(cell) && {
            let index = self.grid.index(cell);
            self.words()[index / WORD] >> (index % WORD) & 1 == 1
        }
    }

    /// Puts the cell in; says whether it was new.
    #[inline]
    pub fn insert(&mut self, cell: Cell) -> bool {
        let (word, bit) = self.slot(cell);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Takes the cell out; says whether it was there.
    #[inline]
    pub fn remove(&mut self, cell: Cell) -> bool {
        let (word, bit) = self.slot(cell);
        let there = *word & bit != 0;
        *word &= !bit;
        there
    }

    /// Takes all cells out.
    #[inline]
    pub fn clear(&mut self) {
        match &mut self.words {
            Words::One(word) => *word = 0,
            Words::Many(words) => words.fill(0),
        }
    }

    /// Whether every cell of this set is in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.pairs(other).all(|(a, b)| a & !b == 0)
    }

    /// Whether the two share no cell.
    #[inline]
    pub fn is_disjoint(&self, other: &Self) -> bool {
        // Dealing asks this millions of times a second: one word is not worth a loop.
        match (&self.words, &other.words) {
            (Words::One(a), Words::One(b)) if self.grid == other.grid => a & b == 0,
            _ => self.pairs(other).all(|(a, b)| a & b == 0),
        }
    }

    /// The cells of the grid that are not in it.
    #[must_use]
    pub fn complement(&self) -> Self {
        &Self::full(self.grid) - self
    }

    /// The cells that touch one of the set, at a side or a corner, without the set itself.
    #[must_use]
    pub fn neighbours(&self) -> Self {
        let around = self.iter().flat_map(|cell| self.grid.side_neighbours(cell).chain(self.grid.corner_neighbours(cell)));
        &Self::from_cells(self.grid, around) - self
    }

    /// The first cell in reading order.
    pub fn first(&self) -> Option<Cell> {
        self.iter().next()
    }

    /// The cells in reading order.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        self.words().iter().enumerate().flat_map(move |(number, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(number * WORD + bit)
            })
            .filter_map(|index| self.grid.cell(index))
        })
    }

    /// Puts in the cell with this number in reading order.
    #[inline]
    pub(crate) fn put(&mut self, index: usize) {
        match &mut self.words {
            Words::One(word) => *word |= 1 << index,
            Words::Many(words) => words[index / WORD] |= 1 << (index % WORD),
        }
    }

    #[inline]
    fn words_mut(&mut self) -> &mut [u128] {
        match &mut self.words {
            Words::One(word) => std::slice::from_mut(word),
            Words::Many(words) => words,
        }
    }

    #[inline]
    fn slot(&mut self, cell: Cell) -> (&mut u128, u128) {
        assert!(self.grid.contains(cell), "{cell} is off the {} grid", self.grid);
        let index = self.grid.index(cell);
        (&mut self.words_mut()[index / WORD], 1 << (index % WORD))
    }

    fn pairs<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (u128, u128)> + 'a {
        assert_eq!(self.grid, other.grid, "sets of two different grids");
        self.words().iter().copied().zip(other.words().iter().copied())
    }

    fn combine(&self, other: &Self, verb: impl Fn(u128, u128) -> u128) -> Self {
        let mut result = self.clone();
        for (word, (a, b)) in result.words_mut().iter_mut().zip(self.pairs(other)) {
            *word = verb(a, b);
        }
        result
    }
}

impl BitOr for &CellSet {
    type Output = CellSet;

    fn bitor(self, other: Self) -> CellSet {
        self.combine(other, |a, b| a | b)
    }
}

impl BitOrAssign<&CellSet> for CellSet {
    #[inline]
    fn bitor_assign(&mut self, other: &Self) {
        assert_eq!(self.grid, other.grid, "sets of two different grids");
        match (&mut self.words, &other.words) {
            (Words::One(a), Words::One(b)) => *a |= b,
            _ => self.words_mut().iter_mut().zip(other.words()).for_each(|(a, b)| *a |= b),
        }
    }
}

impl BitAnd for &CellSet {
    type Output = CellSet;

    fn bitand(self, other: Self) -> CellSet {
        self.combine(other, |a, b| a & b)
    }
}

impl Sub for &CellSet {
    type Output = CellSet;

    fn sub(self, other: Self) -> CellSet {
        self.combine(other, |a, b| a & !b)
    }
}

impl Extend<Cell> for CellSet {
    fn extend<I: IntoIterator<Item = Cell>>(&mut self, cells: I) {
        for cell in cells {
            self.insert(cell);
        }
    }
}

/// The cells in reading order, such as `A1 B2`.
impl fmt::Display for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, cell) in self.iter().enumerate() {
            let space = if i > 0 { " " } else { "" };
            write!(f, "{space}{cell}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{{{self}}}", self.grid)
    }
}

/// A set of cells drawn as a picture, one string a row, `X` or `*` for a cell in the set.
///
/// ```
/// let set = broadside_rules::cells!(". X X"
///                                   "X . .");
/// assert_eq!(set.to_string(), "A2 A3 B1");
/// ```
///
/// # Panics
/// When the picture can't be read: it is meant for pictures written in code.
#[macro_export]
macro_rules! cells {
    ($($row:literal)+) => {
        concat!($($row, "\n"),+).parse::<$crate::Picture>().expect("a readable picture").into_cells()
    };
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn grid_and_two_lists() -> impl Strategy<Value = (Grid, Vec<Cell>, Vec<Cell>)> {
        let side = prop_oneof![1usize..=12, Just(64)];
        (side.clone(), side).prop_flat_map(|(rows, cols)| {
            let list = proptest::collection::vec((0..rows, 0..cols).prop_map(|(r, c)| Cell::new(r, c).unwrap()), 0..60);
            (Just(Grid::new(rows, cols).unwrap()), list.clone(), list)
        })
    }

    proptest! {
        #[test]
        fn the_verbs_agree_with_a_tree_set_on_small_and_large_grids((grid, a, b) in grid_and_two_lists()) {
            let (set_a, set_b) = (CellSet::from_cells(grid, a.iter().copied()), CellSet::from_cells(grid, b.iter().copied()));
            let (tree_a, tree_b): (BTreeSet<Cell>, BTreeSet<Cell>) = (a.into_iter().collect(), b.into_iter().collect());
            let list = |set: &CellSet| set.iter().collect::<Vec<_>>();
            prop_assert_eq!(list(&set_a), tree_a.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(list(&(&set_a | &set_b)), tree_a.union(&tree_b).copied().collect::<Vec<_>>());
            prop_assert_eq!(list(&(&set_a & &set_b)), tree_a.intersection(&tree_b).copied().collect::<Vec<_>>());
            prop_assert_eq!(list(&(&set_a - &set_b)), tree_a.difference(&tree_b).copied().collect::<Vec<_>>());
            prop_assert_eq!(set_a.len(), tree_a.len());
            prop_assert_eq!(set_a.is_subset(&set_b), tree_a.is_subset(&tree_b));
            prop_assert_eq!(set_a.is_disjoint(&set_b), tree_a.is_disjoint(&tree_b));
            prop_assert_eq!(set_a.complement().len(), grid.len() - tree_a.len());
            prop_assert_eq!(set_a.bits().is_some(), grid.len() <= 128);
            if let Some(bits) = set_a.bits() {
                prop_assert_eq!(CellSet::from_bits(grid, bits), Some(set_a));
            }
        }
    }

    #[test]
    fn inserting_and_removing_say_what_changed() {
        let grid = Grid::new(64, 64).unwrap();
        let last = Cell::new(63, 63).unwrap();
        let mut set = CellSet::empty(grid);
        assert!(set.insert(last));
        assert!(!set.insert(last));
        assert!(set.contains(last));
        assert!(set.remove(last));
        assert!(!set.remove(last));
        assert!(set.is_empty());
    }

    #[test]
    fn neighbours_stop_at_the_edge() {
        let ship = cells!("X X . ."
                          ". . . ."
                          ". . . .");
        assert_eq!(ship.neighbours().to_string(), "A3 B1 B2 B3");
    }

    #[test]
    fn bits_past_the_last_cell_are_refused() {
        let grid = Grid::new(2, 2).unwrap();
        assert!(CellSet::from_bits(grid, 0b1111).is_some());
        assert!(CellSet::from_bits(grid, 0b1_0000).is_none());
        assert!(CellSet::from_bits(Grid::new(16, 8).unwrap(), u128::MAX).is_some());
    }
}
