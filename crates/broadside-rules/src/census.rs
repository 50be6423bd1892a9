//! All layouts of a board, by one memoised search: whether there is any, how many there are, and uniform draws.
//!
//! Ships are set down in the order of their bows in reading order, so every layout is met exactly once. What the rest
//! of the search needs to know of the ships set so far is little: the next cell, which later cells they rule out, and
//! which lengths are left. Positions that agree in this share one entry of the memo, and that turns the search into a
//! sweep over the board.
//!
//! It is exact for every board and every touch rule, and it is meant for small or tight boards; each search has a
//! budget of memo entries and says so when it runs out. Counting large boards fast is the business of
//! `broadside-odds`.

use std::collections::HashMap;

use rand::{Rng, RngExt};

use crate::{CellSet, Fleet, Grid, Layout, Length, Placement, Rules, Stop, Stopped, Touch};

/// The census can't be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CensusError {
    /// The memo grew past the budget.
    #[error("the board needs more than {0} positions to be counted this way")]
    Budget(usize),
    /// The number of layouts passes `u128`.
    #[error("the number of layouts passes 2^128")]
    Overflow,
    /// The count was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// What the rest of the search depends on.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Position {
    /// The first cell that may still be a bow, as a number in reading order.
    next: usize,
    /// The cells from `next` on that no further ship may cover.
    ruled_out: CellSet,
    /// How many ships of each class are still to be set.
    left: Vec<u8>,
}

/// The exact number of layouts of some rules, with uniform draws from them.
///
/// ```
/// use broadside_rules::{Census, Rules};
/// let rules: Rules = "4x4 3,2 allowed ship".parse()?;
/// assert_eq!(Census::new(&rules, 100_000)?.layouts(), 264);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Census {
    search: Search,
    layouts: u128,
}

impl Census {
    /// Counts all layouts, with at most `budget` positions kept in memory (about a hundred bytes each).
    ///
    /// # Errors
    /// When the budget runs out or the count passes `u128`.
    pub fn new(rules: &Rules, budget: usize) -> Result<Self, CensusError> {
        Self::new_until(rules, budget, Stop::never())
    }

    /// [`Census::new`], unless it is stopped.
    ///
    /// # Errors
    /// When the budget runs out, the count passes `u128`, or it is stopped.
    pub fn new_until(rules: &Rules, budget: usize, stop: Stop) -> Result<Self, CensusError> {
        let rocks = rules.rocks().cloned().unwrap_or_else(|| CellSet::empty(rules.grid()));
        let mut search = Search::new(rules.fleet(), rules.touch(), rocks, budget);
        search.stop = stop;
        let layouts = search.count(search.start())?;
        Ok(Self { search, layouts })
    }

    /// The number of layouts.
    pub fn layouts(&self) -> u128 {
        self.layouts
    }

    /// A layout drawn uniformly from all; `None` when there is none.
    pub fn draw(&self, rng: &mut impl Rng) -> Option<Layout> {
        (self.layouts > 0).then(|| Layout::from_legal_ships(self.search.grid, self.draw_ships(rng)))
    }

    fn draw_ships(&self, rng: &mut impl Rng) -> Vec<Placement> {
        let mut ships = Vec::new();
        let mut position = self.search.start();
        let mut number = rng.random_range(0..self.layouts);
        while !position.is_done() {
            // The number says which of the layouts from here on is meant: first those with a bow on the next cell.
            let meant = self.search.after_each(&position).find(|(_, next)| {
                let ways = self.search.known(next);
                let meant = number < ways;
                number -= if meant { 0 } else { ways };
                meant
            });
            position = match meant {
                Some((ship, next)) => {
                    ships.push(ship);
                    next
                }
                None => self.search.skipped(&position),
            };
        }
        ships
    }
}

/// Whether the fleet fits: one way to place it, if there is any.
pub(crate) fn find_any(
    fleet: &Fleet,
    touch: Touch,
    rocks: &CellSet,
    budget: usize,
    stop: Stop,
) -> Result<Option<Vec<Placement>>, CensusError> {
    let mut search = Search::new(fleet, touch, rocks.clone(), budget);
    search.stop = stop;
    let mut ships = Vec::new();
    let found = search.find(search.start(), &mut ships)?;
    Ok(found.then_some(ships))
}

struct Search {
    grid: Grid,
    touch: Touch,
    lengths: Vec<Length>,
    counts: Vec<u8>,
    /// No ship may cover these cells, whatever the others do.
    rocks: CellSet,
    memo: HashMap<Position, u128>,
    budget: usize,
    stop: Stop,
}

impl Search {
    fn new(fleet: &Fleet, touch: Touch, rocks: CellSet, budget: usize) -> Self {
        let (lengths, counts) = fleet.classes().map(|(length, count)| (length, count as u8)).unzip();
        Self { grid: rocks.grid(), touch, lengths, counts, rocks, memo: HashMap::new(), budget, stop: Stop::never() }
    }

    fn start(&self) -> Position {
        Position { next: 0, ruled_out: self.rocks.clone(), left: self.counts.clone() }
    }

    /// The number of ways to set the ships left. The search recurses a level for each ship and runs along the cells
    /// in a loop: first forward to a position whose number is known, then backward, adding up.
    fn count(&mut self, start: Position) -> Result<u128, CensusError> {
        let mut path = Vec::new();
        let mut position = start;
        let mut total = loop {
            if position.is_done() {
                break 1;
            }
            if self.is_hopeless(&position) {
                break 0;
            }
            if let Some(&known) = self.memo.get(&position) {
                break known;
            }
            let skipped = self.skipped(&position);
            path.push(std::mem::replace(&mut position, skipped));
        };
        for position in path.into_iter().rev() {
            let nexts: Vec<(Placement, Position)> = self.after_each(&position).collect();
            for (_, next) in nexts {
                let ways = self.count(next)?;
                total = total.checked_add(ways).ok_or(CensusError::Overflow)?;
            }
            self.remember(position, total)?;
        }
        Ok(total)
    }

    /// Sets the ships left in the first way found; a memo entry stands for a position from which there is none.
    fn find(&mut self, start: Position, ships: &mut Vec<Placement>) -> Result<bool, CensusError> {
        let mut position = start;
        let mut failed = Vec::new();
        while !self.is_hopeless(&position) && !self.memo.contains_key(&position) {
            if position.is_done() {
                return Ok(true);
            }
            let nexts: Vec<(Placement, Position)> = self.after_each(&position).collect();
            for (ship, next) in nexts {
                ships.push(ship);
                if self.find(next, ships)? {
                    return Ok(true);
                }
                ships.pop();
            }
            let skipped = self.skipped(&position);
            failed.push(std::mem::replace(&mut position, skipped));
        }
        failed.into_iter().try_for_each(|position| self.remember(position, 0))?;
        Ok(false)
    }

    fn remember(&mut self, position: Position, ways: u128) -> Result<(), CensusError> {
        self.stop.check()?;
        if self.memo.len() == self.budget {
            return Err(CensusError::Budget(self.budget));
        }
        self.memo.insert(position, ways);
        Ok(())
    }

    /// What `count` found for a position that it has been to.
    fn known(&self, position: &Position) -> u128 {
        match (position.is_done(), self.is_hopeless(position)) {
            (true, _) => 1,
            (_, true) => 0,
            _ => self.memo.get(position).copied().unwrap_or(0),
        }
    }

    /// Fewer free cells are left than the ships need.
    fn is_hopeless(&self, position: &Position) -> bool {
        let needed: usize = position.left.iter().zip(&self.lengths).map(|(&left, length)| usize::from(left) * length.get()).sum();
        self.grid.len() - position.next < position.ruled_out.len() + needed
    }

    /// The ships that may be set with their bow on the next cell, each with the position after it. They are worked out
    /// anew each time: kept for every cell of the largest board, with their sets of cells, they take 300 megabytes.
    fn after_each<'a>(&'a self, position: &'a Position) -> impl Iterator<Item = (Placement, Position)> + 'a {
        let bow = self.grid.cell(position.next).filter(|&cell| !position.ruled_out.contains(cell));
        let classes = self.lengths.iter().enumerate().filter(|(class, _)| position.left[*class] > 0);
        let ships = bow.into_iter().flat_map(move |bow| {
            classes.clone().flat_map(move |(class, &length)| Placement::from_bow(bow, length).map(move |ship| (class, ship)))
        });
        let free = |ship: Placement| ship.fits(self.grid) && ship.cells().all(|cell| !position.ruled_out.contains(cell));
        ships.filter(move |(_, ship)| free(*ship)).map(|(class, ship)| (ship, self.after(position, class, ship)))
    }

    fn after(&self, position: &Position, class: usize, ship: Placement) -> Position {
        let mut after = self.skipped(position);
        after.left[class] -= 1;
        after.ruled_out.extend(ship.blocked_iter(self.grid, self.touch).filter(|&cell| self.grid.index(cell) >= after.next));
        after
    }

    fn skipped(&self, position: &Position) -> Position {
        let mut skipped = position.clone();
        if let Some(cell) = self.grid.cell(position.next) {
            skipped.ruled_out.remove(cell);
        }
        skipped.next += 1;
        skipped
    }
}

impl Position {
    fn is_done(&self) -> bool {
        self.left.iter().all(|&left| left == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layouts(rules: &str) -> u128 {
        Census::new(&rules.parse().unwrap(), 1_000_000).unwrap().layouts()
    }

    #[test]
    fn small_boards_have_the_known_numbers_of_layouts() {
        assert_eq!(layouts("1x3 2 allowed ship"), 2);
        assert_eq!(layouts("2x2 1,1 allowed ship"), 6);
        assert_eq!(layouts("2x2 1,1 corners ship"), 2);
        assert_eq!(layouts("2x2 2,2 allowed ship"), 2);
        assert_eq!(layouts("4x4 3,2 allowed ship"), 264);
        assert_eq!(layouts("5x5 3,2,2 allowed ship"), 12_798);
        assert_eq!(layouts("8x8 4,3,2 allowed ship"), 604_584);
        // Three places to the right of the rock, none to its left.
        assert_eq!(layouts("1x6 2 allowed ship rocks=A2"), 3);
    }

    #[test]
    fn a_budget_that_is_too_small_is_an_error_not_a_wrong_number() {
        let rules = "10x10 5,4,3,3,2 allowed ship".parse().unwrap();
        assert_eq!(Census::new(&rules, 1000).err(), Some(CensusError::Budget(1000)));
    }
}
