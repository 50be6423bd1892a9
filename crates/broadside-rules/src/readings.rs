//! In how many ways a picture can be read as the fleet, when ships may lie side by side.
//!
//! The first cell not yet accounted for, in reading order, must be the bow of a ship. Trying every length there and
//! both orientations is a search that meets each reading once; a memo over (cells to account for, ships left) keeps it
//! short, and going through the joined groups of cells one after the other keeps the memo small.

use std::collections::HashMap;

use crate::{Cell, CellSet, Fleet, Length, Placement};

/// Memo entries before the search gives up: far more than any board played by people needs.
const BUDGET: usize = 100_000;

/// In how many ways a picture can be read as the fleet.
///
/// ```
/// use broadside_rules::{Draft, Readings};
/// // Five cells in a row are 3 and 2, or 2 and 3.
/// let report = "XXXXX.".parse::<Draft>()?.check(&"1x6 3,2 allowed ship".parse()?);
/// assert_eq!(report.readings(), Readings::Exactly(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readings {
    /// Exactly this many.
    Exactly(u128),
    /// At least this many: the search passed its budget.
    AtLeast(u128),
}

impl Readings {
    /// The number, or the bound if that is all that is known.
    pub const fn count(self) -> u128 {
        match self {
            Self::Exactly(n) | Self::AtLeast(n) => n,
        }
    }
}

/// The ways to divide the cells into all ships of the fleet, and one of them.
pub(crate) fn of_fleet(cells: &CellSet, fleet: &Fleet) -> (Readings, Option<Vec<Placement>>) {
    let mut reader = Reader::new(cells, fleet, true);
    let todo = reader.begin(0);
    match reader.count(&todo) {
        Some(count) => (Readings::Exactly(count), reader.first(todo)),
        None => match reader.find(&todo, &mut Vec::new(), &mut BUDGET.clone()) {
            Some(ships) => (Readings::AtLeast(1), Some(ships)),
            None => (Readings::AtLeast(0), None),
        },
    }
}

/// The groups of joined cells that certainly can't be divided into some of the ships of the fleet, each by itself.
pub(crate) fn unreadable(cells: &CellSet, fleet: &Fleet) -> Vec<CellSet> {
    // One reader for all groups, so that they share one budget.
    let mut reader = Reader::new(cells, fleet, false);
    let todos: Vec<Todo> = (0..reader.groups.len()).map(|number| reader.begin(number)).collect();
    todos.into_iter().filter(|todo| reader.count(todo) == Some(0)).map(|todo| todo.cells).collect()
}

/// The groups of cells that are joined by their sides, in reading order.
pub(crate) fn groups(cells: &CellSet) -> Vec<CellSet> {
    let mut rest = cells.clone();
    let mut groups = Vec::new();
    while let Some(seed) = rest.first() {
        let group = group_of(seed, &rest);
        rest = &rest - &group;
        groups.push(group);
    }
    groups
}

fn group_of(seed: Cell, cells: &CellSet) -> CellSet {
    let mut group = CellSet::from_cells(cells.grid(), [seed]);
    let mut edge = vec![seed];
    while let Some(cell) = edge.pop() {
        edge.extend(cells.grid().side_neighbours(cell).filter(|&next| cells.contains(next) && group.insert(next)));
    }
    group
}

/// What is still to be accounted for: the rest of one group, and all groups after it. A memo keeps many of these, so
/// the groups after it are named by a number and not listed.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Todo {
    group: usize,
    cells: CellSet,
    left: Vec<u8>,
}

struct Reader {
    groups: Vec<CellSet>,
    lengths: Vec<Length>,
    counts: Vec<u8>,
    memo: HashMap<Todo, u128>,
    /// Whether all groups are read and all ships must be used, or one group with some of the ships.
    whole: bool,
}

impl Reader {
    fn new(cells: &CellSet, fleet: &Fleet, whole: bool) -> Self {
        let (lengths, counts) = fleet.classes().map(|(length, count)| (length, count as u8)).unzip();
        Self { groups: groups(cells), lengths, counts, memo: HashMap::new(), whole }
    }

    /// All ships are left, and all of this group.
    fn begin(&self, group: usize) -> Todo {
        let cells = self.groups.get(group).cloned().expect("a group");
        Todo { group, cells, left: self.counts.clone() }
    }

    fn without(&self, todo: &Todo, class: usize, ship: Placement) -> Todo {
        let mut next = todo.clone();
        next.left[class] -= 1;
        ship.cells().for_each(|cell| {
            next.cells.remove(cell);
        });
        if next.cells.is_empty() && self.whole && todo.group + 1 < self.groups.len() {
            next.group += 1;
            next.cells = self.groups[next.group].clone();
        }
        next
    }

    /// The number of ways; `None` past the budget or past `u128`.
    fn count(&mut self, todo: &Todo) -> Option<u128> {
        let Some(cell) = todo.cells.first() else { return Some(u128::from(self.is_complete(todo))) };
        if let Some(&known) = self.memo.get(todo) {
            return Some(known);
        }
        let mut total = 0u128;
        for (class, ship) in self.ships_at(cell, todo) {
            total = total.checked_add(self.count(&self.without(todo, class, ship))?)?;
        }
        if self.memo.len() == BUDGET {
            return None;
        }
        self.memo.insert(todo.clone(), total);
        Some(total)
    }

    /// The first reading, found with the help of the counts.
    fn first(&mut self, mut todo: Todo) -> Option<Vec<Placement>> {
        let mut ships = Vec::new();
        while let Some(cell) = todo.cells.first() {
            let choices = self.ships_at(cell, &todo);
            let (ship, next) = choices.into_iter().find_map(|(class, ship)| {
                let next = self.without(&todo, class, ship);
                (self.count(&next)? > 0).then_some((ship, next))
            })?;
            ships.push(ship);
            todo = next;
        }
        self.is_complete(&todo).then_some(ships)
    }

    /// Some reading, by plain depth-first search of at most `steps` steps.
    fn find(&self, todo: &Todo, ships: &mut Vec<Placement>, steps: &mut usize) -> Option<Vec<Placement>> {
        let Some(cell) = todo.cells.first() else { return self.is_complete(todo).then(|| ships.clone()) };
        self.ships_at(cell, todo).into_iter().find_map(|(class, ship)| {
            *steps = steps.checked_sub(1)?;
            ships.push(ship);
            let found = self.find(&self.without(todo, class, ship), ships, steps);
            ships.pop();
            found
        })
    }

    fn is_complete(&self, todo: &Todo) -> bool {
        !self.whole || todo.left.iter().all(|&left| left == 0)
    }

    /// The ships left that fit with their bow on the cell.
    fn ships_at(&self, cell: Cell, todo: &Todo) -> Vec<(usize, Placement)> {
        let classes = self.lengths.iter().enumerate().filter(|(class, _)| todo.left[*class] > 0);
        let placements = classes.flat_map(|(class, &length)| Placement::from_bow(cell, length).map(move |ship| (class, ship)));
        placements.filter(|(_, ship)| ship.cells().all(|c| todo.cells.contains(c))).collect()
    }
}
