//! What is left of a layout once some of its cells are hit, and what a shot does to it.
//!
//! The answers to all further shots depend on the layout only through the cells of each ship that are not hit yet: a
//! *remnant*. Two layouts with the same remnant can't be told apart any more and cost the same from here on. A ship that is
//! sunk has no cells left and no part in the rest of the game.
//!
//! Remnants are numbered as they are first met, and every step from one to the next is worked out once.

use broadside_rules::{Answer, Call, Layout, Length, Rules};
use rustc_hash::FxHashMap;

/// The number of a remnant.
pub(crate) type Id = u32;

/// One ship of a remnant: the cells not hit yet, and what sets it apart from ships that are not of its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Ship {
    /// Ships of one class are never told apart by what is called.
    pub(crate) class: u8,
    /// Bit i is the cell with number i in reading order.
    pub(crate) cells: u64,
}

impl Ship {
    /// The number of cells not hit yet.
    #[inline]
    pub(crate) fn size(self) -> u32 {
        self.cells.count_ones()
    }
}

/// What a shot is answered with, as a number: equal answers have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Reply(u8);

impl Reply {
    /// Water.
    pub(crate) const MISS: Self = Self(0);
    const SUNK: u8 = 128;

    fn hit(class: u8) -> Self {
        Self(1 + class)
    }

    fn sunk(class: u8) -> Self {
        Self(Self::SUNK + class)
    }
}

/// Ships of one class with as many cells left.
pub(crate) type Kind = usize;

/// One ship of a remnant, seen from the others.
#[derive(Clone, Copy)]
pub(crate) struct Spot {
    /// The remnant without it.
    pub(crate) rest: Id,
    pub(crate) kind: Kind,
    /// The number of its cells among the places of its kind.
    pub(crate) place: usize,
}

/// A remnant and what follows from it.
struct Remnant {
    ships: Box<[Ship]>,
    cells: u64,
    /// The number of the list of its ships' classes and sizes.
    shape: u32,
    spots: Box<[Spot]>,
    /// Where the steps of its cells begin, in the order of the cells.
    steps: usize,
}

/// A step not yet worked out.
const UNKNOWN: Id = Id::MAX;

/// All remnants met so far.
pub(crate) struct Remnants {
    call: Call,
    lengths: Vec<Length>,
    numbers: FxHashMap<Box<[Ship]>, Id>,
    shapes: FxHashMap<Vec<(u8, u32)>, u32>,
    /// For each kind, the number of its shape, the remnants of one ship.
    places: Vec<Vec<Id>>,
    list: Vec<Remnant>,
    steps: Vec<(Reply, Id)>,
}

impl Remnants {
    pub(crate) fn new(rules: &Rules) -> Self {
        let lengths = rules.fleet().classes().map(|(length, _)| length).collect();
        Self {
            call: rules.call(),
            lengths,
            numbers: FxHashMap::default(),
            shapes: FxHashMap::default(),
            places: Vec::new(),
            list: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// The remnant of a layout after the cells of `fired` were fired at.
    pub(crate) fn of(&mut self, layout: &Layout, fired: u64) -> Id {
        let mut ships: Vec<Ship> = layout
            .ships()
            .iter()
            .map(|&ship| {
                let cells = ship.cells().fold(0, |cells, cell| cells | 1 << layout.grid().index(cell));
                Ship { class: self.class(ship.length()), cells: cells & !fired }
            })
            .filter(|ship| ship.cells != 0)
            .collect();
        if !self.call.tells_sinking() && !ships.is_empty() {
            // No sinking is ever told, so where one ship ends doesn't matter: the fleet is one ship of many cells.
            ships = vec![Ship { class: 0, cells: ships.iter().fold(0, |cells, ship| cells | ship.cells) }];
        }
        self.number(ships)
    }

    /// Ships that the call doesn't tell apart are of one class.
    fn class(&self, length: Length) -> u8 {
        match self.call {
            Call::Silent | Call::Bare => 0,
            Call::Ship | Call::Every => self.lengths.iter().position(|&other| other == length).unwrap_or(0) as u8,
        }
    }

    fn number(&mut self, mut ships: Vec<Ship>) -> Id {
        ships.sort_unstable_by_key(|ship| (ship.class, ship.size(), ship.cells));
        if let Some(&id) = self.numbers.get(ships.as_slice()) {
            return id;
        }
        let shape = self.shape_of(&ships);
        let id = self.list.len() as Id;
        if ships.len() == 1 {
            self.places[shape as usize].push(id);
        }
        let cells = ships.iter().fold(0, |cells, ship| cells | ship.cells);
        let steps = self.steps.len();
        self.list.push(Remnant { ships: ships.as_slice().into(), cells, shape, spots: Box::default(), steps });
        self.steps.resize(self.steps.len() + cells.count_ones() as usize, (Reply::MISS, UNKNOWN));
        let spots = (0..ships.len()).map(|ship| self.spot_of(id, &ships, ship)).collect();
        self.list[id as usize].spots = spots;
        self.numbers.insert(ships.into(), id);
        id
    }

    fn shape_of(&mut self, ships: &[Ship]) -> u32 {
        let next = self.shapes.len() as u32;
        let shape = *self.shapes.entry(ships.iter().map(|ship| (ship.class, ship.size())).collect()).or_insert(next);
        self.places.resize_with(self.shapes.len(), Vec::new);
        shape
    }

    fn spot_of(&mut self, id: Id, ships: &[Ship], ship: usize) -> Spot {
        let rest = ships.iter().enumerate().filter(|&(i, _)| i != ship).map(|(_, &other)| other).collect();
        let solo = if ships.len() == 1 { id } else { self.number(vec![ships[ship]]) };
        let kind = self.shape(solo) as usize;
        // A ship's own place is the last when the remnant is new, and else it was numbered with it.
        let place = if solo == id { self.places[kind].len() - 1 } else { self.spot(solo, 0).place };
        Spot { rest: self.number(rest), kind, place }
    }

    /// The cells not hit yet.
    #[inline]
    pub(crate) fn cells(&self, id: Id) -> u64 {
        self.list[id as usize].cells
    }

    /// Remnants of one shape have ships of the same classes and sizes, in the same order.
    #[inline]
    pub(crate) fn shape(&self, id: Id) -> u32 {
        self.list[id as usize].shape
    }

    /// The ships not sunk yet, in the order of their classes, then of their sizes.
    #[inline]
    pub(crate) fn ships(&self, id: Id) -> &[Ship] {
        &self.list[id as usize].ships
    }

    /// Where a ship is, and what is beside it.
    #[inline]
    pub(crate) fn spot(&self, id: Id, ship: usize) -> Spot {
        self.list[id as usize].spots[ship]
    }

    /// The remnant of one ship at a place.
    pub(crate) fn solo(&self, kind: Kind, place: usize) -> Id {
        self.places[kind][place]
    }

    /// Where a ship is that is the only one.
    #[cfg(test)]
    pub(crate) fn spot_alone(&mut self, ship: Ship) -> Spot {
        let id = self.number(vec![ship]);
        self.spot(id, 0)
    }

    /// The answer to a shot and the remnant after it.
    #[inline]
    pub(crate) fn fire(&mut self, id: Id, cell: u32) -> (Reply, Id) {
        let remnant = &self.list[id as usize];
        let bit = 1 << cell;
        if remnant.cells & bit == 0 {
            return (Reply::MISS, id);
        }
        let step = remnant.steps + (remnant.cells & (bit - 1)).count_ones() as usize;
        if self.steps[step].1 == UNKNOWN {
            self.steps[step] = self.hit(id, bit);
        }
        self.steps[step]
    }

    fn hit(&mut self, id: Id, bit: u64) -> (Reply, Id) {
        let mut ships = self.ships(id).to_vec();
        let at = ships.iter().position(|ship| ship.cells & bit != 0).expect("a ship on the cell that is hit");
        ships[at].cells ^= bit;
        let Ship { class, cells } = ships[at];
        let reply = if cells == 0 {
            ships.remove(at);
            Reply::sunk(class)
        } else if self.call.tells_length_on_hit() {
            Reply::hit(class)
        } else {
            Reply::hit(0)
        };
        (reply, self.number(ships))
    }

    /// What the defender says, in the words of the game.
    pub(crate) fn answer(&self, reply: Reply) -> Answer {
        let length = |class: u8| self.lengths[usize::from(class)];
        match reply.0 {
            0 => Answer::Miss,
            sunk @ Reply::SUNK.. => Answer::for_hit(self.call, length(sunk - Reply::SUNK), true),
            hit => Answer::for_hit(self.call, length(hit - 1), false),
        }
    }

    /// About how many bytes all this takes.
    pub(crate) fn bytes(&self) -> usize {
        self.list.len() * 208 + self.steps.len() * size_of::<(Reply, Id)>()
    }
}
