//! The first levels of the listing, on the CPU: from a log to items, each a partial layout that leaves at most three ships.
//!
//! Hits come first. The first hit not covered yet is covered by one ship in every layout, so its placements are tried one
//! after the other until no hit is left; then the ships left lie anywhere else, and nothing but the other ships limits
//! them. They are taken in the order of their placements, since equal ships are interchangeable, until three are left.

use broadside_rules::{Orientation, Touch};

use super::GpuError;
use crate::problem::bits;
use crate::{OutOfReach, Problem, ShipClass, WorkLimits};

/// The largest board, in cells.
pub(super) const CELLS: usize = 128;

/// The placements of one log's ships, as sets of cells.
pub(super) struct LogPlacements {
    /// By the number of placements, fewest first; at the end the two placeholders.
    pub(super) classes: Vec<Ships>,
    must: u128,
    /// For each cell that must be covered, the placements that do, as class and number.
    covering: Vec<Vec<PlacementIndex>>,
}

/// The ships of one length.
pub(super) struct Ships {
    length: usize,
    count: usize,
    pub(super) places: Vec<PlacedCells>,
}

/// One placement.
#[derive(Clone, Copy)]
pub(super) struct PlacedCells {
    /// Its cells.
    pub(super) own: u128,
    /// Its cells, and those that it keeps free of others.
    blocked: u128,
}

impl PlacedCells {
    pub(super) fn is_compatible(self, other: Self) -> bool {
        self.blocked & other.own == 0
    }
}

/// A placement, as class and number.
pub(super) type PlacementIndex = (usize, usize);

/// The classes of the ships that an item leaves, in their order. Where it leaves fewer than three, placeholders that take no
/// room fill up.
pub(super) type Trio = [usize; 3];

/// A partial layout that covers every hit.
pub(super) struct Item<'a> {
    pub(super) trio: Trio,
    pub(super) chosen: &'a [PlacementIndex],
    taken: u128,
    /// The first placement that is still allowed for ships of the first class of the trio.
    first_open: usize,
}

impl Item<'_> {
    /// Whether this placement is open for a ship of this class.
    pub(super) fn is_open(&self, class: usize, number: usize, place: PlacedCells) -> bool {
        place.own & self.taken == 0 && (class != self.trio[0] || number >= self.first_open)
    }
}

impl LogPlacements {
    pub(super) fn new(problem: &Problem) -> Result<Self, GpuError> {
        if problem.cells() > CELLS {
            return Err(GpuError::TooLarge);
        }
        let ships = |class: &ShipClass| Ships { length: class.length, count: class.count, places: places(problem, class) };
        let mut classes: Vec<Ships> = problem.classes.iter().map(ships).collect();
        classes.sort_by_key(|class| class.places.len());
        let must = problem.must.iter().enumerate().fold(0, |must, (row, &mask)| must | u128::from(mask) << (row * problem.cols));
        let covering = (0..problem.cells()).map(|cell| covering(&classes, must & 1 << cell)).collect();
        let placeholder = || Ships { length: 0, count: 0, places: vec![PlacedCells { own: 0, blocked: 0 }] };
        classes.extend([placeholder(), placeholder()]);
        Ok(Self { classes, must, covering })
    }

    /// The words of the largest class's sets of placements.
    pub(super) fn words(&self) -> usize {
        self.classes.iter().map(|class| class.places.len().div_ceil(32)).max().unwrap_or(1)
    }

    /// The classes that are counted for a trio: each once, without the placeholders.
    pub(super) fn counted_classes(&self, trio: Trio) -> impl Iterator<Item = usize> + '_ {
        let first = move |&(i, class): &(usize, usize)| !trio[..i].contains(&class);
        trio.into_iter().enumerate().filter(first).map(|(_, class)| class).filter(|&class| self.classes[class].count > 0)
    }

    /// The steps that an item takes: the pairs of placements that the shader goes through.
    pub(super) fn steps(&self, trio: Trio) -> u64 {
        let size = |class: usize| self.classes[class].places.len() as u64;
        self.counted_classes(trio).map(|a| size(a) * size(others(trio, a)[0])).sum()
    }

    /// Visits every item once. `None` stands for a placement tried on the way to one.
    pub(super) fn each_item<E>(&self, visit: &mut impl FnMut(Option<&Item>) -> Result<(), E>) -> Result<(), E> {
        let left = self.classes.iter().map(|class| class.count).collect();
        Listing { placements: self, left, chosen: Vec::new(), visit }.cover(0, 0)
    }

    /// The steps of all items together, each at least one, if they and the placements tried are within the limits.
    pub(super) fn all_steps(&self, limits: &WorkLimits) -> Result<u64, OutOfReach> {
        let (mut steps, mut tried) = (0u64, 0u64);
        self.each_item(&mut |item| {
            match item {
                Some(item) => steps = steps.saturating_add(self.steps(item.trio).max(1)),
                None => tried += 1,
            }
            limits.check()?;
            if steps.saturating_add(tried) > limits.budget.steps { Err(OutOfReach::Steps) } else { Ok(()) }
        })?;
        Ok(steps)
    }
}

/// The trio without one ship of the class.
pub(super) fn others(trio: Trio, class: usize) -> [usize; 2] {
    match trio {
        [a, b, c] if a == class => [b, c],
        [a, b, c] if b == class => [a, c],
        [a, b, _] => [a, b],
    }
}

struct Listing<'a, V> {
    placements: &'a LogPlacements,
    /// How many ships of each class are still to be placed.
    left: Vec<usize>,
    chosen: Vec<PlacementIndex>,
    visit: &'a mut V,
}

impl<E, V: FnMut(Option<&Item>) -> Result<(), E>> Listing<'_, V> {
    /// Covers the hits: `taken` are the zones of the ships chosen, `covered` their cells.
    fn cover(&mut self, taken: u128, covered: u128) -> Result<(), E> {
        let open = self.placements.must & !covered;
        if open == 0 {
            return self.place(0, 0, taken);
        }
        let placements = self.placements;
        let room: usize = placements.classes.iter().zip(&self.left).map(|(class, left)| class.length * left).sum();
        if (open.count_ones() as usize) > room {
            return Ok(());
        }
        for &(class, number) in &placements.covering[open.trailing_zeros() as usize] {
            let place = placements.classes[class].places[number];
            if self.left[class] > 0 && place.own & taken == 0 {
                self.choose((class, number), |listing| listing.cover(taken | place.blocked, covered | place.own))?;
            }
        }
        Ok(())
    }

    /// Places the other ships, from this class on and in it from placement `first_open` on.
    fn place(&mut self, class: usize, first_open: usize, taken: u128) -> Result<(), E> {
        if self.left.iter().sum::<usize>() <= 3 {
            let trio = self.trio();
            // The first_open is for the class that the CPU was at; the trio may start with a later one.
            let first_open = if trio[0] == class { first_open } else { 0 };
            return (self.visit)(Some(&Item { trio, chosen: &self.chosen, taken, first_open }));
        }
        if self.left[class] == 0 {
            return self.place(class + 1, 0, taken);
        }
        let placements = self.placements;
        for (number, place) in placements.classes[class].places.iter().enumerate().skip(first_open) {
            if place.own & taken == 0 {
                self.choose((class, number), |listing| listing.place(class, number + 1, taken | place.blocked))?;
            }
        }
        Ok(())
    }

    fn choose(&mut self, choice: PlacementIndex, then: impl FnOnce(&mut Self) -> Result<(), E>) -> Result<(), E> {
        (self.visit)(None)?;
        self.left[choice.0] -= 1;
        self.chosen.push(choice);
        let result = then(self);
        self.chosen.pop();
        self.left[choice.0] += 1;
        result
    }

    fn trio(&self) -> Trio {
        let placeholders = self.left.len() - 2;
        let left = self.left.iter().enumerate().flat_map(|(class, &left)| std::iter::repeat_n(class, left));
        // Three left need no placeholder, two need one and one needs both. With none left, nothing is counted: see `Dispatch`.
        let mut ships = left.chain([placeholders, placeholders + 1, placeholders + 1]);
        std::array::from_fn(|_| ships.next().unwrap_or(placeholders))
    }
}

fn covering(classes: &[Ships], cell: u128) -> Vec<PlacementIndex> {
    let numbered =
        classes.iter().enumerate().flat_map(|(class, ships)| ships.places.iter().enumerate().map(move |place| (class, place)));
    numbered.filter(|(_, (_, place))| place.own & cell != 0).map(|(class, (number, _))| (class, number)).collect()
}

fn places(problem: &Problem, class: &ShipClass) -> Vec<PlacedCells> {
    let kinds = [(&class.horizontal, Orientation::Horizontal), (&class.vertical, Orientation::Vertical)];
    let starts = kinds.into_iter().flat_map(|(rows, orientation)| {
        rows.iter().enumerate().flat_map(move |(row, &mask)| bits(mask).map(move |col| (row, col, orientation)))
    });
    starts
        .map(|(row, col, orientation)| {
            let (height, width) = if orientation == Orientation::Horizontal { (1, class.length) } else { (class.length, 1) };
            let around = |down, across| rectangle(problem, (row, height, down), (col, width, across));
            let blocked = match problem.touch {
                Touch::Allowed => around(0, 0),
                Touch::Corners => around(0, 1) | around(1, 0),
                Touch::Never => around(1, 1),
            };
            PlacedCells { own: around(0, 0), blocked }
        })
        .collect()
}

/// The cells of a rectangle, given as first, size and margin in each direction, as far as they are on the board.
fn rectangle(problem: &Problem, rows: (usize, usize, usize), cols: (usize, usize, usize)) -> u128 {
    let span = |(first, size, margin): (usize, usize, usize), end: usize| {
        (first.saturating_sub(margin), (first + size + margin).min(end))
    };
    let ((top, bottom), (left, right)) = (span(rows, problem.rows), span(cols, problem.cols));
    let row = ((1u128 << (right - left)) - 1) << left;
    (top..bottom).fold(0, |cells, at| cells | row << (at * problem.cols))
}
