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

use crate::{Cell, CellSet, Fleet, Grid, Length, Placement, Rules, Touch};

/// The census can't be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CensusError {
    /// The memo grew past the budget.
    #[error("the board needs more than {0} positions to be counted this way")]
    Budget(usize),
    /// The number of layouts passes `u128`.
    #[error("the number of layouts passes 2^128")]
    Overflow,
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

/// A placement with the cells that it covers and those that it denies to other ships.
#[derive(Clone)]
struct Berth {
    class: usize,
    ship: Placement,
    cells: CellSet,
    zone: CellSet,
}

/// The exact number of layouts of some rules, with uniform draws from them.
///
/// ```
/// use broadside_rules::{Census, Rules};
/// let rules: Rules = "4x4 3,2 allowed ship".parse()?;
/// assert_eq!(Census::take(&rules, 100_000)?.layouts(), 264);
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
    pub fn take(rules: &Rules, budget: usize) -> Result<Self, CensusError> {
        let mut search = Search::new(rules.grid(), rules.fleet(), rules.touch(), budget);
        let layouts = search.count(search.start())?;
        Ok(Self { search, layouts })
    }

    /// The number of layouts.
    pub fn layouts(&self) -> u128 {
        self.layouts
    }

    /// The ships of a layout drawn uniformly from all.
    pub(crate) fn draw(&self, rng: &mut impl Rng) -> Vec<Placement> {
        let mut ships = Vec::new();
        let mut position = self.search.start();
        let mut ticket = rng.random_range(0..self.layouts);
        while !position.is_done() {
            // The ticket says which of the layouts from here on is meant: first those with a bow on the next cell.
            let berth = self.search.berths_at(&position).find(|berth| {
                let ways = self.search.known(&self.search.after(&position, berth));
                let meant = ticket < ways;
                ticket -= if meant { 0 } else { ways };
                meant
            });
            position = match berth {
                Some(berth) => {
                    ships.push(berth.ship);
                    self.search.after(&position, berth)
                }
                None => self.search.skipped(&position),
            };
        }
        ships
    }
}

/// Whether the fleet fits: one way to place it, if there is any.
pub(crate) fn find_any(grid: Grid, fleet: &Fleet, touch: Touch, budget: usize) -> Result<Option<Vec<Placement>>, CensusError> {
    let mut search = Search::new(grid, fleet, touch, budget);
    let mut ships = Vec::new();
    let found = search.find(search.start(), &mut ships)?;
    Ok(found.then_some(ships))
}

struct Search {
    grid: Grid,
    lengths: Vec<usize>,
    counts: Vec<u8>,
    /// The placements by the number of their bow.
    berths: Vec<Vec<Berth>>,
    /// For each cell number, all cells from it on.
    from: Vec<CellSet>,
    memo: HashMap<Position, u128>,
    budget: usize,
}

impl Search {
    fn new(grid: Grid, fleet: &Fleet, touch: Touch, budget: usize) -> Self {
        let classes: Vec<(Length, usize)> = fleet.classes().collect();
        let mut berths = vec![Vec::new(); grid.len()];
        for (class, &(length, _)) in classes.iter().enumerate() {
            for ship in Placement::all(grid, length) {
                berths[grid.index(ship.bow())].push(Berth::new(class, ship, grid, touch));
            }
        }
        Self {
            grid,
            lengths: classes.iter().map(|(length, _)| length.get()).collect(),
            counts: classes.iter().map(|&(_, count)| count as u8).collect(),
            berths,
            from: (0..=grid.len()).map(|i| CellSet::of(grid, grid.cells().skip(i))).collect(),
            memo: HashMap::new(),
            budget,
        }
    }

    fn start(&self) -> Position {
        Position { next: 0, ruled_out: CellSet::empty(self.grid), left: self.counts.clone() }
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
            let nexts: Vec<Position> = self.berths_at(&position).map(|berth| self.after(&position, berth)).collect();
            for next in nexts {
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
            let berths = self.berths_at(&position);
            let nexts: Vec<(Placement, Position)> = berths.map(|berth| (berth.ship, self.after(&position, berth))).collect();
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
        let needed: usize = position.left.iter().zip(&self.lengths).map(|(&left, length)| usize::from(left) * length).sum();
        self.grid.len() - position.next < position.ruled_out.len() + needed
    }

    fn berths_at<'a>(&'a self, position: &'a Position) -> impl Iterator<Item = &'a Berth> {
        let berths = self.berths.get(position.next).map_or(&[][..], Vec::as_slice);
        berths.iter().filter(|berth| position.left[berth.class] > 0 && berth.cells.is_disjoint(&position.ruled_out))
    }

    fn after(&self, position: &Position, berth: &Berth) -> Position {
        let next = position.next + 1;
        let mut left = position.left.clone();
        left[berth.class] -= 1;
        Position { next, ruled_out: &(&position.ruled_out | &berth.zone) & &self.from[next], left }
    }

    fn skipped(&self, position: &Position) -> Position {
        let next = position.next + 1;
        Position { next, ruled_out: &position.ruled_out & &self.from[next], left: position.left.clone() }
    }
}

impl Position {
    fn is_done(&self) -> bool {
        self.left.iter().all(|&left| left == 0)
    }
}

impl Berth {
    fn new(class: usize, ship: Placement, grid: Grid, touch: Touch) -> Self {
        let cells = ship.cell_set(grid);
        Self { class, ship, zone: zone(ship, grid, touch), cells }
    }
}

/// The cells that the ship denies to others: its own, and those that the touch rule keeps free around it.
pub(crate) fn zone(ship: Placement, grid: Grid, touch: Touch) -> CellSet {
    let mut zone = ship.cell_set(grid);
    let own: Vec<Cell> = zone.iter().collect();
    if touch != Touch::Allowed {
        zone.extend(own.iter().flat_map(|&cell| grid.beside(cell)));
    }
    if touch == Touch::Never {
        zone.extend(own.iter().flat_map(|&cell| grid.cornering(cell)));
    }
    zone
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layouts(rules: &str) -> u128 {
        Census::take(&rules.parse().unwrap(), 1_000_000).unwrap().layouts()
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
    }

    #[test]
    fn a_budget_that_is_too_small_is_an_error_not_a_wrong_number() {
        let rules = "10x10 5,4,3,3,2 allowed ship".parse().unwrap();
        assert_eq!(Census::take(&rules, 1000).err(), Some(CensusError::Budget(1000)));
    }
}
